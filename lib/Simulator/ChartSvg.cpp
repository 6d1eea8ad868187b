//===- ChartSvg.cpp - Schedules as papers draw them -----------------------===//

#include "tessera/Simulator/ChartSummary.h"
#include "tessera/Simulator/ChartWriters.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <bitset>
#include <cmath>

using namespace tessera;
using llvm::formatv;

void tessera::writeEscaped(llvm::StringRef text, llvm::raw_ostream &os) {
  llvm::printHTMLEscaped(text, os);
}

namespace {

// All sizes are in pixels.
constexpr double kMargin = 16, kTitleHeight = 30, kBoxHeight = 26,
                 kMemoryHeight = 18, kBesideHeight = 10, kRowGap = 8,
                 kAxisHeight = 24, kLegendHeight = 28, kPeakWidth = 150,
                 kDigitWidth = 6.6;
/// The width of the boxes' area: at least this, and no more than that.
constexpr double kMinWidth = 720, kMaxWidth = 24000;
/// What a box of ordinary length should be wide, for its label.
constexpr double kBoxWidth = 22;

/// Hue and saturation of each kind.
struct Colour {
  int hue, saturation;
};
constexpr Colour kColours[kNumSliceKinds] = {
    {217, 60}, {28, 78}, {152, 46}, {4, 62},  {278, 40},
    {322, 42}, {45, 80}, {190, 45}, {210, 8}, {16, 70}};

/// Draws one chart.
class Picture {
public:
  Picture(const Chart &chart, llvm::raw_ostream &os);

  void draw();

private:
  void drawStyle();
  void drawAxis();
  void drawTrack(unsigned number);
  void drawSlice(const ChartSlice &slice, const ChartTrack &track, double top,
                 double height);
  void drawMemory(const ChartTrack &track, double top);
  void drawLegend();

  double x(double time) const { return left + time * scale; }
  double rowTop(unsigned track) const {
    return kMargin + kTitleHeight + track * rowHeight;
  }
  bool hasMemory() const { return peak > 0; }
  /// Of the boxes, and what is beside them.
  double worksHeight() const {
    return kBoxHeight + (hasBeside ? kBesideHeight : 0);
  }

  const Chart &chart;
  llvm::raw_ostream &os;
  double makespan, peak = 0, left, scale, width, rowHeight;
  unsigned chunks;
  bool hasBeside = false;
  std::bitset<kNumSliceKinds> kinds;
};

} // namespace

/// The duration that the slices reach in which nine tenths of the time pass;
/// the others may be too short for a label.
static double ordinaryDuration(const Chart &chart) {
  std::vector<double> durations;
  double rest = 0;
  for (const ChartTrack &track : chart.tracks) {
    rest += 0.9 * track.busyTime();
    for (const ChartSlice &slice : track.slices)
      durations.push_back(slice.end - slice.start);
  }
  std::sort(durations.begin(), durations.end(), std::greater<>());
  double reached = 0;
  for (size_t i = 0; i < durations.size() && rest > 0; ++i) {
    reached = durations[i];
    rest -= reached;
  }
  return reached;
}

Picture::Picture(const Chart &chart, llvm::raw_ostream &os)
    : chart(chart), os(os), makespan(chart.makespan()),
      chunks(chart.numChunks()) {
  size_t longestName = 0;
  for (const ChartTrack &track : chart.tracks) {
    peak = std::max(peak, track.peakMemory());
    for (const MemoryPoint &point : track.memory)
      peak = std::max(peak, point.amount);
    longestName = std::max(longestName, track.name.size());
    for (const auto *slices : {&track.slices, &track.beside})
      for (const ChartSlice &slice : *slices)
        kinds.set(static_cast<unsigned>(slice.kind));
    hasBeside |= !track.beside.empty();
  }
  left = 2 * kMargin + kDigitWidth * longestName;
  double ordinary = ordinaryDuration(chart);
  double wanted = ordinary > 0 ? makespan / ordinary * kBoxWidth : kMinWidth;
  width = std::clamp(wanted, kMinWidth, kMaxWidth);
  scale = makespan > 0 ? width / makespan : 1;
  rowHeight = worksHeight() + (hasMemory() ? kMemoryHeight : 0) + kRowGap;
}

void Picture::draw() {
  double fullWidth =
      left + width + (hasMemory() ? kPeakWidth : 0) + 2 * kMargin;
  double height =
      rowTop(chart.tracks.size()) + kAxisHeight + kLegendHeight + kMargin;
  os << formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" "
                "width=\"{0:f0}\" "
                "height=\"{1:f0}\" viewBox=\"0 0 {0:f0} {1:f0}\">\n",
                fullWidth, height);
  drawStyle();
  os << "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n";
  os << formatv("<text class=\"title\" x=\"{0:f1}\" y=\"{1:f1}\">", kMargin,
                kMargin + 12);
  writeEscaped(chart.title, os);
  ChartFigures figures(chart);
  os << llvm::format("; %.4g ms, bubble %.1f %% (longest stage %.1f %%)",
                     figures.makespan, 100 * figures.bubble(),
                     100 * figures.longestStageBubble())
     << "</text>\n";
  drawAxis();
  for (unsigned track = 0; track < chart.tracks.size(); ++track)
    drawTrack(track);
  drawLegend();
  os << "</svg>\n";
}

/// How bright a colour is to the eye, from 0 to 1 (WCAG 2, relative luminance).
static double luminanceOf(Colour colour, double lightness) {
  double saturation = colour.saturation / 100.0, light = lightness / 100;
  double amplitude = saturation * std::min(light, 1 - light), sum = 0;
  constexpr std::pair<double, double> kChannels[] = {
      {0, 0.2126}, {8, 0.7152}, {4, 0.0722}};
  for (auto [offset, weight] : kChannels) {
    double k = std::fmod(offset + colour.hue / 30.0, 12);
    double value =
        light - amplitude * std::clamp(std::min(k - 3, 9 - k), -1.0, 1.0);
    sum += weight * (value <= 0.04045 ? value / 12.92
                                      : std::pow((value + 0.055) / 1.055, 2.4));
  }
  return sum;
}

/// The colour of text that is best to read on such a box.
static const char *inkOn(Colour colour, double lightness) {
  constexpr double kDarkInk = 0.0169; // #1c2430
  double box = luminanceOf(colour, lightness);
  bool isDark = 1.05 / (box + 0.05) > (box + 0.05) / (kDarkInk + 0.05);
  return isDark ? "#ffffff" : "#1c2430";
}

/// The rules hold within this picture only, and come before those of a page
/// that it is part of.
void Picture::drawStyle() {
  os << "<style>\n"
        ".chart text { font: 11px ui-monospace, Menlo, Consolas, monospace; "
        "fill: #1c2430; }\n"
        ".chart .title { font-size: 13px; font-weight: 600; }\n"
        ".chart .page { fill: #ffffff; } .chart .idle { fill: #f1f3f7; }\n"
        ".chart .tick { stroke: #d5dae3; stroke-width: 1; } .chart .soft { "
        "fill: #667085; }\n"
        ".chart .memory { fill: #c9d2e3; stroke: #5b6b8c; stroke-width: 1; }\n"
        ".chart .box { stroke: #ffffff; stroke-width: .6; } .chart .label { "
        "text-anchor: middle; }\n"
        "@media (prefers-color-scheme: dark) {\n"
        ".chart text { fill: #e6e9ef; } .chart .soft { fill: #98a2b3; }\n"
        ".chart .page { fill: #171d27; } .chart .idle { fill: #232b38; }\n"
        ".chart .tick { stroke: #2b3442; } .chart .box { stroke: #171d27; }\n"
        ".chart .memory { fill: #3a4761; stroke: #8b9cc0; }\n"
        "}\n";
  for (unsigned kind = 0; kind < kNumSliceKinds; ++kind) {
    if (!kinds[kind])
      continue;
    for (unsigned chunk = 0; chunk < chunks; ++chunk) {
      // From light to dark, where there are chunks to tell apart.
      double lightness = chunks == 1 ? 68 : 76 - 36.0 * chunk / (chunks - 1);
      os << formatv(".chart .k{0}c{1} {{ fill: hsl({2}, {3}%, {4:f0}%); } "
                    ".chart .t{0}c{1} {{ fill: {5}; }\n",
                    kind, chunk, kColours[kind].hue, kColours[kind].saturation,
                    lightness, inkOn(kColours[kind], lightness));
    }
  }
  os << "</style>\n";
}

/// 1, 2 or 5 times a power of ten, at least `least`.
static double roundStep(double least) {
  double power = std::pow(10, std::floor(std::log10(least)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least)
      return factor * power;
  return 10 * power;
}

void Picture::drawAxis() {
  if (makespan <= 0)
    return;
  double bottom = rowTop(chart.tracks.size());
  double step = roundStep(90 / scale);
  for (int64_t i = 0; i * step <= makespan; ++i) {
    double at = x(i * step);
    os << formatv("<line class=\"tick\" x1=\"{0:f1}\" y1=\"{1:f1}\" "
                  "x2=\"{0:f1}\" y2=\"{2:f1}\"/>",
                  at, rowTop(0) - 4, bottom);
    os << formatv("<text class=\"label soft\" x=\"{0:f1}\" y=\"{1:f1}\">"
                  "{2}{3}</text>\n",
                  at, bottom + 12, llvm::format("%.4g", i * step),
                  i == 0 ? " ms" : "");
  }
}

void Picture::drawTrack(unsigned number) {
  const ChartTrack &track = chart.tracks[number];
  double top = rowTop(number);
  os << formatv("<text x=\"{0:f1}\" y=\"{1:f1}\">", kMargin,
                top + kBoxHeight / 2 + 4);
  writeEscaped(track.name, os);
  os << formatv("</text>\n<rect class=\"idle\" x=\"{0:f1}\" y=\"{1:f1}\" "
                "width=\"{2:f1}\" height=\"{3}\"/>\n",
                left, top, width, kBoxHeight);
  for (const ChartSlice &slice : track.slices)
    drawSlice(slice, track, top, kBoxHeight);
  for (const ChartSlice &slice : track.beside)
    drawSlice(slice, track, top + kBoxHeight, kBesideHeight);
  if (hasMemory())
    drawMemory(track, top + worksHeight() + 1);
}

void Picture::drawSlice(const ChartSlice &slice, const ChartTrack &track,
                        double top, double height) {
  double boxWidth = (slice.end - slice.start) * scale;
  unsigned kind = static_cast<unsigned>(slice.kind);
  os << "<g><title>";
  writeEscaped(slice.name, os);
  os << formatv(": {0}, {1}, {2:f3} - {3:f3} ms</title>"
                "<rect class=\"box k{4}c{5}\" x=\"{6:f2}\" y=\"{7:f1}\" "
                "width=\"{8:f2}\" height=\"{9}\"/>",
                nameOf(slice.kind), track.name, slice.start, slice.end, kind,
                slice.chunk, x(slice.start), top, std::max(boxWidth, 0.2),
                height);
  if (height == kBoxHeight &&
      boxWidth >= kDigitWidth * slice.label.size() + 1) {
    os << formatv("<text class=\"label t{0}c{1}\" x=\"{2:f2}\" y=\"{3:f1}\">",
                  kind, slice.chunk, x((slice.start + slice.end) / 2),
                  top + kBoxHeight / 2 + 4);
    writeEscaped(slice.label, os);
    os << "</text>";
  }
  os << "</g>\n";
}

void Picture::drawMemory(const ChartTrack &track, double top) {
  double base = top + kMemoryHeight;
  auto y = [&](double amount) {
    return base - std::max(amount, 0.0) / peak * (kMemoryHeight - 2);
  };
  os << formatv("<path class=\"memory\" d=\"M{0:f1} {1:f1}", left, base);
  double last = 0;
  for (const MemoryPoint &point : track.memory) {
    os << formatv("H{0:f1}V{1:f1}", x(point.time), y(point.amount));
    last = point.time;
  }
  os << formatv("H{0:f1}V{1:f1}Z\"><title>", x(std::max(last, makespan)), base);
  writeEscaped(track.name, os);
  std::string most = chart.describeAmount(track.peakMemory());
  if (chart.memoryLimit > 0)
    most += " of " + chart.describeAmount(chart.memoryLimit);
  os << formatv(": at most {0}</title></path>", most);
  os << formatv("<text class=\"soft\" x=\"{0:f1}\" y=\"{1:f1}\">peak "
                "{2}</text>\n",
                left + width + 6, base - 4, most);
}

void Picture::drawLegend() {
  double at = kMargin;
  double top = rowTop(chart.tracks.size()) + kAxisHeight;
  auto text = [&](const std::string &words, const char *style) {
    os << formatv("<text class=\"{0}\" x=\"{1:f1}\" y=\"{2:f1}\">", style, at,
                  top + 12);
    writeEscaped(words, os);
    os << "</text>\n";
    at += kDigitWidth * words.size() + 18;
  };
  for (unsigned kind = 0; kind < kNumSliceKinds; ++kind) {
    if (!kinds[kind])
      continue;
    for (unsigned chunk = 0; chunk < chunks; ++chunk, at += 14)
      os << formatv("<rect class=\"k{0}c{1}\" x=\"{2:f1}\" y=\"{3:f1}\" "
                    "width=\"14\" height=\"14\"/>",
                    kind, chunk, at, top + 1);
    at += 5;
    text(nameOf(static_cast<SliceKind>(kind)), "soft");
  }
  if (chunks > 1)
    text("(darker: later chunks)", "soft");
  if (hasMemory())
    text("below each row: memory in " + chart.memoryUnit, "soft");
}

void tessera::writeSvg(const Chart &chart, llvm::raw_ostream &os) {
  Picture(chart, os).draw();
}
