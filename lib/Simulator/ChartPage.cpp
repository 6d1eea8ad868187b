//===- ChartPage.cpp - A chart as a page ----------------------------------===//

#include "tessera/Simulator/ChartWriters.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;

void tessera::writePage(const Chart &chart, llvm::StringRef summary,
                        llvm::raw_ostream &os) {
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n<title>";
  writeEscaped(chart.title, os);
  os << "</title>\n<style>\n"
        ":root { color-scheme: light dark; }\n"
        "body { margin: 0; background: #f6f7f9; color: #1c2430; font: 15px/1.5 "
        "system-ui, sans-serif; }\n"
        "main { padding: 1.5rem; }\n"
        "h1 { font-size: 1.4rem; }\n"
        ".panel { overflow-x: auto; border: 1px solid #e3e7ee; background: "
        "#ffffff; padding: .5rem; }\n"
        "pre { font: 13px/1.45 ui-monospace, monospace; }\n"
        "@media (prefers-color-scheme: dark) { body { background: #0f141c; "
        "color: #e6e9ef; } .panel { border-color: #2b3442; background: "
        "#171d27; } }\n"
        "</style>\n</head>\n<body>\n<main>\n<h1>";
  writeEscaped(chart.title, os);
  os << "</h1>\n<div class=\"panel\">\n";
  writeSvg(chart, os);
  os << "</div>\n<pre>";
  writeEscaped(summary, os);
  os << "</pre>\n</main>\n</body>\n</html>\n";
}
