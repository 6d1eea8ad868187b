//===- ProfileOutput.cpp - Profiles for people and for programs -----------===//

#include "Profile.h"

#include "tessera/Support/File.h"

#include <algorithm>
#include <cstdio>

#include <nlohmann/json.hpp>

using namespace tessera;
using namespace tessera::run;
using nlohmann::json;

/// Rows of each table on a terminal.
static constexpr size_t rowLimit = 20;

/// `12.3` or `0.0012`: three digits where there are few.
static std::string describe(double number) {
  char text[32];
  std::snprintf(text, sizeof text, number < 10 ? "%.3g" : "%.0f", number);
  return text;
}

/// Says of the rows behind the first ones what they take together.
template <typename Row>
static void printRest(const std::vector<Row> &rows,
                      double (*timeOf)(const Row &), double step) {
  if (rows.size() <= rowLimit)
    return;
  double rest = 0;
  for (const Row &row : std::span(rows).subspan(rowLimit))
    rest += timeOf(row);
  std::printf("%10.3f %5.1f%%  in %zu more (--profile=FILE.json has all)\n",
              1e-6 * rest, 100 * rest / std::max(step, 1.),
              rows.size() - rowLimit);
}

void Profile::print() const {
  static constexpr const char *meanings[partCount] = {
      "in kernels",
      "moving data of collectives and messages",
      "waiting for other ranks",
      "waiting for a core: this machine has fewer than threads",
      "between kernels and communication",
      "before the first and after the last of them"};
  std::printf("\n%10s %6s  of %zu %s in %zu %s, the mean\n", "ms/step", "share",
              ranks, ranks == 1 ? "rank" : "ranks", steps,
              steps == 1 ? "step" : "steps");
  for (size_t part = 0; part < partCount; ++part)
    if (parts[part] > 0)
      std::printf("%10.3f %5.1f%%  %s\n", 1e-6 * parts[part],
                  share(parts[part]), meanings[part]);
  std::printf("%10.3f %5.1f%%  all\n", 1e-6 * step, 100.);
  printKernels();
  printCommunication();
  printWaits();
}

/// Prints the kernels that took longest, in milliseconds of a step, with rates
/// and their share of the roofline where the manifest says what they do, and
/// below them the peak that was compared with.
void Profile::printKernels() const {
  if (kernels.empty())
    return;
  std::printf("\n%10s %6s %7s %9s %9s %8s  %s\n", "ms/step", "share", "calls",
              "GFLOP/s", "GB/s", "of peak", "kernel");
  for (const KernelRow &row :
       std::span(kernels).first(std::min(rowLimit, kernels.size()))) {
    std::string operations = "-", bytes = "-", roofline = "-";
    if (row.work) {
      operations = describe(1e-9 * row.rate(row.work->operations));
      bytes = describe(1e-9 * row.rate(row.work->bytes));
    }
    if (row.roofline)
      roofline = describe(100 * *row.roofline) + "%";
    std::printf("%10.3f %5.1f%% %7.4g %9s %9s %8s  %s, %s\n", 1e-6 * row.time,
                share(row.time), row.calls, operations.c_str(), bytes.c_str(),
                roofline.c_str(), row.name.c_str(), row.location.c_str());
  }
  printRest<KernelRow>(
      kernels, [](const KernelRow &row) { return row.time; }, step);
  if (!peak)
    return;
  std::printf("           peak of a rank, as %s: %s GFLOP/s",
              peak->isMeasured ? "measured in f32" : "described",
              describe(1e-9 * peak->operations).c_str());
  for (const MachinePeak::Level &level : peak->levels) {
    std::printf(", %s GB/s", describe(1e-9 * level.bandwidth).c_str());
    if (&level != &peak->levels.back())
      std::printf(" within %s KiB", describe(level.size / 1024).c_str());
  }
  std::printf("\n");
}

void Profile::printCommunication() const {
  if (communication.empty())
    return;
  std::printf("\n%10s %6s %10s %10s %10s %7s %12s  %s\n", "exposed ms", "share",
              "transfer", "waiting", "hidden ms", "calls", "bytes/call",
              "collective or message");
  for (const CommunicationRow &row :
       std::span(communication).first(std::min(rowLimit, communication.size())))
    std::printf("%10.3f %5.1f%% %10.3f %10.3f %10.3f %7.4g %12.0f  %s %s, %s\n",
                1e-6 * row.exposed(), share(row.exposed()), 1e-6 * row.transfer,
                1e-6 * row.waiting, 1e-6 * row.hidden, row.calls,
                row.calls > 0 ? row.bytes / row.calls : 0, row.kind.c_str(),
                row.name.c_str(), row.location.c_str());
  printRest<CommunicationRow>(
      communication, [](const CommunicationRow &row) { return row.exposed(); },
      step);
}

void Profile::printWaits() const {
  if (waits.empty())
    return;
  std::printf("\n%10s %6s  %s\n", "ms/step", "share", "waiting for a rank");
  for (const WaitRow &row :
       std::span(waits).first(std::min(rowLimit, waits.size())))
    std::printf("%10.3f %5.1f%%  for rank %d, %s, in %s %s, %s\n",
                1e-6 * row.time, share(row.time), row.late,
                row.activity.c_str(), row.kind.c_str(), row.name.c_str(),
                row.location.c_str());
  printRest<WaitRow>(
      waits, [](const WaitRow &row) { return row.time; }, step);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// `waiting_for_a_rank`
static std::string keyOf(Part part) {
  std::string key = nameOf(part);
  std::ranges::replace(key, ' ', '_');
  return key;
}

static json partsToJson(const std::array<double, partCount> &parts) {
  json object = json::object();
  for (size_t part = 0; part < partCount; ++part)
    object[keyOf(static_cast<Part>(part))] = 1e-6 * parts[part];
  return object;
}

Fallible<void> Profile::write(const std::string &path) const {
  json profile = {{"ranks", ranks},
                  {"steps", steps},
                  {"step", 1e-6 * step},
                  {"parts", partsToJson(parts)}};
  for (const auto &ofRank : partsOfRanks)
    profile["parts_of_ranks"].push_back(partsToJson(ofRank));
  for (const char *table : {"kernels", "communication", "waits"})
    profile[table] = json::array();
  for (const KernelRow &row : kernels) {
    json entry = {{"name", row.name},
                  {"location", row.location},
                  {"time", 1e-6 * row.time},
                  {"calls", row.calls}};
    if (row.work) {
      entry["operations"] = row.work->operations;
      entry["bytes"] = row.work->bytes;
    }
    if (row.roofline)
      entry["roofline"] = *row.roofline;
    profile["kernels"].push_back(std::move(entry));
  }
  for (const CommunicationRow &row : communication)
    profile["communication"].push_back({{"kind", row.kind},
                                        {"name", row.name},
                                        {"location", row.location},
                                        {"calls", row.calls},
                                        {"bytes", row.bytes},
                                        {"transfer", 1e-6 * row.transfer},
                                        {"waiting", 1e-6 * row.waiting},
                                        {"hidden", 1e-6 * row.hidden}});
  for (const WaitRow &row : waits)
    profile["waits"].push_back({{"rank", row.late},
                                {"activity", row.activity},
                                {"kind", row.kind},
                                {"name", row.name},
                                {"location", row.location},
                                {"time", 1e-6 * row.time}});
  if (peak) {
    profile["peak"]["measured"] = peak->isMeasured;
    profile["peak"]["operations"] = peak->operations;
    for (const MachinePeak::Level &level : peak->levels)
      profile["peak"]["memory"].push_back(
          {{"size", level.size}, {"bandwidth", level.bandwidth}});
  }
  Fallible<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.failure();
  file->write(profile.dump(1, ' ', false, json::error_handler_t::replace));
  file->write("\n");
  return file->commit();
}
