//===- ReportPage.cpp - what was decided, for people to look at -----------===//

#include "ReportPage.h"

#include "Quantities.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Simulator/ChartSummary.h"
#include "tessera/Simulator/ChartWriters.h"
#include "tessera/Support/StableSort.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace tessera;
using llvm::formatv;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr StringRef kStyle = R"(
:root { color-scheme: light dark; --ink: #1c2430; --soft: #667085; --line: #e3e7ee; --card: #ffffff; --page: #f6f7f9;
  --c0: #3b6fd8; --c1: #d9822b; --c2: #2f9e77; --c3: #a150b5; --c4: #c4495a; --c5: #6b7a1f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #98a2b3; --line: #2b3442; --card: #171d27; --page: #0f141c; } }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 70rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2.4rem 0 .8rem; }
p.soft, .soft { color: var(--soft); }
.cards { display: flex; flex-wrap: wrap; gap: .8rem; margin-top: 1.4rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .7rem 1.1rem; min-width: 9rem; }
.card b { display: block; font-size: 1.35rem; } section > div.panel { background: var(--card); border: 1px solid var(--line);
  border-radius: .6rem; padding: 1rem; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } th { text-align: left; font-weight: 600; color: var(--soft); }
th, td { padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child > td { border-bottom: 0; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font: .86em ui-monospace, monospace; } summary { cursor: pointer; } details ul { margin: .3rem 0 .3rem 1rem; padding: 0; }
svg text { fill: var(--ink); font: 12px ui-monospace, monospace; } svg .track { fill: var(--line); }
.c0 { fill: var(--c0); } .c1 { fill: var(--c1); } .c2 { fill: var(--c2); } .c3 { fill: var(--c3); } .c4 { fill: var(--c4); } .c5 { fill: var(--c5); }
.key { display: inline-block; width: .75rem; height: .75rem; border-radius: .2rem; margin: 0 .35rem 0 1rem; }
.b0 { background: var(--c0); } .b1 { background: var(--c1); } .b2 { background: var(--c2); } .b3 { background: var(--c3); }
.b4 { background: var(--c4); } .b5 { background: var(--c5); }
)";
static constexpr unsigned kNumColours = 6;
/// Only the longest bars are drawn.
static constexpr size_t kMaxBars = 16;
/// Longer lists of arguments or results are folded.
static constexpr size_t kMaxTensors = 24;

namespace {

/// One bar of a chart.
struct Bar {
  std::string label;
  double length = 0;
  std::string text;
  unsigned colour = 0;
};

/// Collectives in the table that differ only in the numbers of layers.
struct Row {
  const json::Object *collective;
  /// The reasons, and what would remove them, with `*` for numbers that differ.
  std::vector<std::string> why;
  int64_t count = 0, bytes = 0;
  double seconds = 0;
};

/// Writes one report.
class ReportPage {
public:
  ReportPage(const json::Object &report, const stage::PredictedStep *predicted,
             const Chart &step, llvm::raw_ostream &os)
      : report(report), predicted(predicted), step(step), os(os) {}

  void write();

private:
  void writeSummary();
  void writeStep();
  void writeCommunication();
  void writeCollectives(llvm::ArrayRef<Row> rows);
  void writeTensors(StringRef title, StringRef key);
  void writeMemory();
  void writePhases();
  void writeKernels();
  void writeBars(llvm::ArrayRef<Bar> bars);
  void beginSection(StringRef title);
  void endSection() { os << "</div></section>\n"; }

  StringRef text(const json::Object &object, StringRef key) const {
    return object.getString(key).value_or("");
  }
  int64_t number(const json::Object &object, StringRef key) const {
    return object.getInteger(key).value_or(0);
  }
  std::vector<Row> groupCollectives() const;
  static std::string axesOf(const json::Object &collective);
  unsigned colourOf(const std::string &axes);

  const json::Object &report;
  /// Null where there is one stage.
  const stage::PredictedStep *predicted;
  const Chart &step;
  llvm::raw_ostream &os;
  std::map<std::string, unsigned> colours;
};

} // namespace

/// `text` as it may stand between tags and in attributes.
static std::string escape(StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream stream(escaped);
  llvm::printHTMLEscaped(text, stream);
  return escaped;
}

void ReportPage::beginSection(StringRef title) {
  os << "<section><h2>" << escape(title) << "</h2><div class=\"panel\">\n";
}

//===----------------------------------------------------------------------===//
// Charts
//===----------------------------------------------------------------------===//

/// Writes a chart of horizontal bars, the longest across the whole width;
/// behind the first `kMaxBars` only their number. Labels are cut at the front,
/// in full as tooltips.
void ReportPage::writeBars(llvm::ArrayRef<Bar> bars) {
  constexpr int kHeight = 22, kLeft = 400, kWidth = 430;
  double longest = 0;
  size_t shown = std::min(bars.size(), kMaxBars);
  for (const Bar &bar : bars.take_front(shown))
    longest = std::max(longest, bar.length);
  os << formatv("<svg role=\"img\" width=\"960\" height=\"{0}\" viewBox=\"0 0 "
                "960 {0}\">\n",
                shown * kHeight);
  for (auto [index, bar] : llvm::enumerate(bars.take_front(shown))) {
    int y = index * kHeight;
    double width = longest > 0 ? bar.length / longest * kWidth : 0;
    std::string label = bar.label;
    if (label.size() > 52)
      label = "..." + label.substr(label.size() - 49);
    os << formatv("<text x=\"{0}\" y=\"{1}\" "
                  "text-anchor=\"end\">{2}<title>{3}</title></text>",
                  kLeft - 10, y + 15, escape(label), escape(bar.label))
       << formatv("<rect class=\"track\" x=\"{0}\" y=\"{1}\" width=\"{2}\" "
                  "height=\"{3}\" rx=\"3\"/>",
                  kLeft, y + 4, kWidth, kHeight - 8)
       << formatv("<rect class=\"c{0}\" x=\"{1}\" y=\"{2}\" "
                  "width=\"{3:F1}\" height=\"{4}\" rx=\"3\"/>",
                  bar.colour, kLeft, y + 4, width, kHeight - 8)
       << formatv("<text x=\"{0}\" y=\"{1}\">{2}</text>\n", kLeft + kWidth + 10,
                  y + 15, escape(bar.text));
  }
  os << "</svg>\n";
  if (shown < bars.size())
    os << formatv("<p class=\"soft\">and {0} smaller ones</p>\n",
                  bars.size() - shown);
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

/// Writes the head of the page: model, target and devices, and a row of cards
/// with the largest figures. Seconds of communication are those of the busiest
/// pipeline rank.
void ReportPage::writeSummary() {
  os << "<h1>" << escape(text(report, "model")) << "</h1>\n<p class=\"soft\">"
     << "compiled for " << escape(text(report, "target")) << " by Tessera "
     << escape(text(report, "tessera")) << " on ";
  for (const json::Value &axis : *report.getArray("mesh"))
    os << escape(text(*axis.getAsObject(), "name")) << " = "
       << number(*axis.getAsObject(), "size") << ", ";
  if (const json::Object *pipeline = report.getObject("pipeline"))
    os << number(*pipeline, "ranks") << " pipeline ranks, ";
  int64_t devices = number(report, "devices");
  os << devices << (devices == 1 ? " device" : " devices") << "</p>\n";
  auto card = [&](StringRef what, const std::string &value) {
    os << "<div class=\"card\"><b>" << escape(value)
       << "</b><span class=\"soft\">" << escape(what) << "</span></div>\n";
  };
  const json::Object &communication = *report.getObject("communication");
  double seconds = 0;
  for (const json::Value &phase : *report.getArray("phases"))
    seconds += phase.getAsObject()->getNumber("seconds").value_or(0);
  os << "<div class=\"cards\">\n";
  card("sent per device and step", formatBytes(number(communication, "bytes")));
  card("collectives",
       std::to_string(communication.getArray("collectives")->size()));
  std::map<int64_t, double> busy;
  for (const json::Value &value : *communication.getArray("collectives")) {
    const json::Object &collective = *value.getAsObject();
    busy[number(collective, "rank")] +=
        collective.getNumber("seconds").value_or(0);
  }
  double longest = 0;
  for (auto [rank, time] : busy)
    longest = std::max(longest, time);
  card("links busy if none overlap", formatSeconds(longest));
  card("memory per device",
       formatBytes(number(*report.getObject("memory"), "peak")));
  if (const json::Object *again = report.getObject("rematerialized"))
    card("computed again, to fit",
         formatSeconds(again->getNumber("seconds").value_or(0)));
  if (const json::Object *there = report.getObject("offloaded"))
    card("copied to the host, to fit",
         formatBytes(there->getInteger("bytes").value_or(0)));
  card("kernels", std::to_string(report.getArray("kernels")->size()));
  card("compile time", formatSeconds(seconds));
  os << "</div>\n";
}

std::string ReportPage::axesOf(const json::Object &collective) {
  if (collective.getString("kind") == "send")
    return "ranks";
  std::string axes;
  for (const json::Value &axis : *collective.getArray("axes"))
    axes += (axes.empty() ? "" : ", ") + axis.getAsString().value_or("").str();
  return axes;
}

unsigned ReportPage::colourOf(const std::string &axes) {
  return colours.try_emplace(axes, colours.size() % kNumColours).first->second;
}

/// What is told of a collective: its reasons, and what would remove it.
static std::vector<std::string> storyOf(const json::Object &collective) {
  std::vector<std::string> story;
  for (const json::Value &line : *collective.getArray("why"))
    story.push_back(line.getAsString().value_or("").str());
  if (auto remedy = collective.getString("remedy"))
    story.push_back("to remove it, " + remedy->str());
  return story;
}

/// Collectives that differ in nothing that is shown but the numbers of layers
/// are one row; those that send most come first.
std::vector<Row> ReportPage::groupCollectives() const {
  std::vector<Row> sorted;
  llvm::StringMap<size_t> rowOf;
  for (const json::Value &value :
       *report.getObject("communication")->getArray("collectives")) {
    const json::Object &collective = *value.getAsObject();
    std::string key =
        formatv("{0}|{1}|{2}|{3}|{4}", text(collective, "kind"),
                axesOf(collective), text(collective, "type"),
                text(collective, "location"), number(collective, "times"))
            .str();
    std::vector<std::string> why = storyOf(collective);
    for (const std::string &line : why)
      key += "|" + withoutLayerNumbers(line);
    auto [entry, isNew] = rowOf.try_emplace(key, sorted.size());
    if (isNew)
      sorted.push_back({&collective, why});
    Row &row = sorted[entry->second];
    for (auto [line, other] : llvm::zip_equal(row.why, why))
      if (line != other)
        line = withoutLayerNumbers(line);
    ++row.count;
    row.bytes += number(collective, "bytes");
    row.seconds += collective.getNumber("seconds").value_or(0);
  }
  stableSort(sorted,
             [](const Row &a, const Row &b) { return a.bytes > b.bytes; });
  return sorted;
}

void ReportPage::writeCommunication() {
  std::vector<Row> rows = groupCollectives();
  beginSection(predicted ? "Bytes sent per step by a device of each pipeline "
                           "rank, by collective and axis"
                         : "Bytes sent per device and step, by collective and "
                           "axis");
  if (rows.empty()) {
    os << "<p>This program does not communicate.</p>\n";
    return endSection();
  }
  std::vector<Bar> bars;
  for (const Row &row : rows) {
    std::string label = (text(*row.collective, "kind") + " " +
                         text(*row.collective, "location"))
                            .str();
    bars.push_back({label, double(row.bytes), formatBytes(row.bytes),
                    colourOf(axesOf(*row.collective))});
  }
  os << "<p>";
  for (auto &[axes, colour] : colours)
    os << formatv("<span class=\"key b{0}\"></span>{1}", colour, escape(axes));
  os << "</p>\n";
  writeBars(bars);
  endSection();
  writeCollectives(rows);
}

/// The reason in short: up to the first place in a file.
static StringRef firstWords(const std::vector<std::string> &why) {
  return why.empty() ? "" : StringRef(why.front()).split(" at ").first;
}

void ReportPage::writeCollectives(llvm::ArrayRef<Row> rows) {
  beginSection("Collectives, and why they are there");
  os << "<table><tr><th>kind</th><th>axes</th><th>tensor</th><th "
        "class=\"n\">number</th><th class=\"n\">sent</th><th "
        "class=\"n\">time</th><th>why</th></tr>\n";
  for (const Row &row : rows) {
    const json::Object &collective = *row.collective;
    os << formatv("<tr><td>{0}</td><td>{1}</td><td><code>{2}</code></td><td "
                  "class=\"n\">{3}</td><td class=\"n\">{4}</td><td "
                  "class=\"n\">{5}</td><td>",
                  escape(text(collective, "kind")), escape(axesOf(collective)),
                  escape(text(collective, "type")),
                  row.count * number(collective, "times"),
                  formatBytes(row.bytes), formatSeconds(row.seconds));
    StringRef location = text(collective, "location");
    os << "<details><summary>"
       << escape(location.empty() ? "somewhere" : location);
    os << "<div class=\"soft\">" << escape(firstWords(row.why))
       << "</div></summary><ul>";
    for (const std::string &line : row.why)
      os << "<li>" << escape(line) << "</li>";
    os << "</ul></details></td></tr>\n";
  }
  os << "</table>\n";
  endSection();
}

/// What every pipeline rank is expected to do when.
void ReportPage::writeStep() {
  if (step.tracks.empty())
    return;
  beginSection("Predicted step");
  os << "<p>";
  if (predicted) {
    const json::Object &summary = *report.getObject("pipeline");
    os << formatv("{0}: {1} stages on {2} pipeline ranks, {3} microbatches. ",
                  escape(text(summary, "schedule")), number(summary, "stages"),
                  number(summary, "ranks"), number(summary, "microbatches"));
  }
  os << formatv("A step takes {0} on {1}, of which a device idles {2:f1} %",
                formatSeconds(1e-3 * step.makespan()), escape(step.machine),
                100 * ChartFigures(step).bubble());
  for (const auto &[part, milliseconds] : step.parts)
    os << formatv("; {0} {1}", escape(part),
                  formatSeconds(1e-3 * milliseconds));
  os << ".</p>\n";
  std::string svg;
  llvm::raw_string_ostream stream(svg);
  writeSvg(step, stream);
  // Within HTML no namespace is needed, and the page names nothing outside.
  StringRef picture = svg;
  auto [head, tail] = picture.split(" xmlns=\"http://www.w3.org/2000/svg\"");
  os << head << tail;
  endSection();
}

void ReportPage::writeTensors(StringRef title, StringRef key) {
  const json::Array &tensors = *report.getArray(key);
  beginSection(title);
  // Long lists would hide what comes behind them.
  os << (tensors.size() > kMaxTensors ? "<details>" : "<details open=\"open\">")
     << "<summary>" << tensors.size() << "</summary>\n";
  os << "<table><tr><th>name</th><th>type</th><th>sharding</th><th></th>"
        "</tr>\n";
  for (const json::Value &value : tensors) {
    const json::Object &tensor = *value.getAsObject();
    os << formatv("<tr><td><code>{0}</code></td><td><code>{1}</code></td>"
                  "<td><code>{2}</code></td><td class=\"soft\">{3}</td></tr>\n",
                  escape(text(tensor, "name")), escape(text(tensor, "type")),
                  escape(text(tensor, "sharding")),
                  tensor.getBoolean("donated").value_or(false) ? "donated"
                                                               : "");
  }
  os << "</table></details>\n";
  endSection();
}

void ReportPage::writeMemory() {
  const json::Object &memory = *report.getObject("memory");
  beginSection("Memory per device");
  std::vector<Bar> bars;
  unsigned colour = 0;
  for (StringRef key :
       {"arguments", "results", "donated", "temporary", "headroom", "peak"})
    bars.push_back({key.str(), double(number(memory, key)),
                    formatBytes(number(memory, key)), colour++});
  if (memory.get("host"))
    bars.push_back({"on the host", double(number(memory, "host")),
                    formatBytes(number(memory, "host")), colour++});
  writeBars(bars);
  endSection();
}

void ReportPage::writePhases() {
  beginSection("Compile time by phase");
  std::vector<Bar> bars;
  for (const json::Value &value : *report.getArray("phases")) {
    const json::Object &phase = *value.getAsObject();
    double seconds = phase.getNumber("seconds").value_or(0);
    bars.push_back(
        {text(phase, "name").str(), seconds, formatSeconds(seconds), 2});
  }
  writeBars(bars);
  endSection();
}

void ReportPage::writeKernels() {
  const json::Array &kernels = *report.getArray("kernels");
  bool onGpu = text(report, "target") == "cuda";
  beginSection("Kernels");
  os << "<details><summary>" << kernels.size() << " kernels</summary>\n<table>"
     << "<tr><th>name</th><th class=\"n\">operations</th>"
     << (onGpu ? "<th class=\"n\">registers</th><th class=\"n\">shared "
                 "bytes</th>"
               : "")
     << "</tr>\n";
  for (const json::Value &value : kernels) {
    const json::Object &kernel = *value.getAsObject();
    os << formatv("<tr><td><code>{0}</code></td><td class=\"n\">{1}</td>",
                  escape(text(kernel, "name")), number(kernel, "operations"));
    if (onGpu)
      os << formatv("<td class=\"n\">{0}</td><td class=\"n\">{1}</td>",
                    number(kernel, "registers"), number(kernel, "shared"));
    os << "</tr>\n";
  }
  os << "</table></details>\n";
  endSection();
}

void ReportPage::write() {
  os << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
     << "<meta name=\"viewport\" content=\"width=device-width\"/><title>"
     << escape(text(report, "model")) << "</title><style>" << kStyle
     << "</style></head>\n<body><main>\n";
  writeSummary();
  writeStep();
  writeCommunication();
  writeMemory();
  writeTensors("Arguments", "arguments");
  writeTensors("Results", "results");
  writePhases();
  writeKernels();
  os << "</main></body></html>\n";
}

void tessera::writeHTML(const json::Object &report,
                        const stage::PredictedStep *predicted,
                        const Chart &step, llvm::raw_ostream &os) {
  ReportPage(report, predicted, step, os).write();
}
