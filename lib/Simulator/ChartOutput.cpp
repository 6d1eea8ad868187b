//===- ChartOutput.cpp - The files that a chart is written to -------------===//

#include "tessera/Simulator/ChartOutput.h"
#include "tessera/Simulator/ChartSummary.h"
#include "tessera/Simulator/ChartWriters.h"
#include "tessera/Support/File.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;

Fallible<void>
tessera::writeTextFile(const std::string &path,
                       llvm::function_ref<void(llvm::raw_ostream &)> print) {
  Fallible<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.failure();
  std::string text;
  llvm::raw_string_ostream stream(text);
  print(stream);
  file->write(text);
  return file->commit();
}

Fallible<void> tessera::writeChart(const Chart &chart,
                                   const ChartFiles &files) {
  if (!files.svg.empty())
    if (Fallible<void> done = writeTextFile(
            files.svg, [&](llvm::raw_ostream &os) { writeSvg(chart, os); });
        !done)
      return done;
  if (!files.trace.empty())
    if (Fallible<void> done = writeTextFile(
            files.trace, [&](llvm::raw_ostream &os) { writeTrace(chart, os); });
        !done)
      return done;
  if (files.html.empty())
    return {};
  return writeTextFile(files.html, [&](llvm::raw_ostream &os) {
    std::string summary;
    llvm::raw_string_ostream text(summary);
    printSummary(chart, text);
    writePage(chart, summary, os);
  });
}
