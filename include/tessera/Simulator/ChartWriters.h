//===- ChartWriters.h - Charts to look at ---------------------------------===//
#ifndef TESSERA_SIMULATOR_CHARTWRITERS_H
#define TESSERA_SIMULATOR_CHARTWRITERS_H

#include "tessera/Simulator/Chart.h"

#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
}

namespace tessera {

/// Draws `chart` as papers do: a row per rank, time to scale from left to
/// right, a box per slice in the colour of its kind with its label, and below
/// each row how much the rank holds. A self-contained SVG; boxes tell more when
/// pointed at.
void writeSvg(const Chart &chart, llvm::raw_ostream &os);

/// Writes `chart` as JSON for ui.perfetto.dev: a track per rank, named as in
/// the traces of `tessera-run`, a counter track for its memory, and an arrow
/// for each transfer.
void writeTrace(const Chart &chart, llvm::raw_ostream &os);

/// Writes a page with the picture and `summary`, text of fixed width.
void writePage(const Chart &chart, llvm::StringRef summary,
               llvm::raw_ostream &os);

/// Writes `text` for a place between tags or in quotes of SVG or HTML.
void writeEscaped(llvm::StringRef text, llvm::raw_ostream &os);

} // namespace tessera

#endif // TESSERA_SIMULATOR_CHARTWRITERS_H
