//===- ChartOutput.cpp - The files that a chart is written to -------------===//

#include "tessera/Simulator/ChartOutput.h"
#include "tessera/Simulator/ChartSummary.h"
#include "tessera/Simulator/ChartWriters.h"
#include "tessera/Support/FileStream.h"

using namespace tessera;

Fallible<void> tessera::writeChart(const Chart &chart,
                                   const ChartFiles &files) {
  if (!files.svg.empty())
    if (Fallible<void> done = printToFile(
            files.svg, [&](llvm::raw_ostream &os) { writeSvg(chart, os); });
        !done)
      return done;
  if (!files.trace.empty())
    if (Fallible<void> done = printToFile(
            files.trace, [&](llvm::raw_ostream &os) { writeTrace(chart, os); });
        !done)
      return done;
  if (files.html.empty())
    return {};
  return printToFile(files.html, [&](llvm::raw_ostream &os) {
    std::string summary;
    llvm::raw_string_ostream text(summary);
    printSummary(chart, text);
    writePage(chart, summary, os);
  });
}
