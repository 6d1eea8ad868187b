//===- ChartOutput.h - The files that a chart is written to ---------------===//
#ifndef TESSERA_SIMULATOR_CHARTOUTPUT_H
#define TESSERA_SIMULATOR_CHARTOUTPUT_H

#include "tessera/Simulator/Chart.h"
#include "tessera/Support/Fallible.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class raw_ostream;
}

namespace tessera {

/// Which files to write; empty names for none.
struct ChartFiles {
  std::string svg, html, trace;
};

/// Writes `chart` to each of `files`.
Fallible<void> writeChart(const Chart &chart, const ChartFiles &files);

/// Writes what `print` prints to the file at `path`, or nothing at all. The
/// failure begins with the path.
Fallible<void>
writeTextFile(const std::string &path,
              llvm::function_ref<void(llvm::raw_ostream &)> print);

} // namespace tessera

#endif // TESSERA_SIMULATOR_CHARTOUTPUT_H
