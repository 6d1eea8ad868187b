//===- TaskTimes.cpp - What tasks cost, as given on a command line --------===//

#include "tessera/Simulator/TaskTimes.h"

#include "tessera/Stages/StageSchedule.h"
#include "tessera/Support/Quantities.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;

/// A number, or a failure about `subject`.
static Fallible<double> parseNumber(const std::string &subject,
                                    llvm::StringRef text) {
  double value = 0;
  // What is no number is within no bounds.
  if (text.trim().getAsDouble(value) ||
      !(value >= 0 && value <= kLargestNumber))
    return Failure{subject + ": expected a number from 0 to 1e12, got '" +
                   text.str() + "'"};
  return value;
}

/// A time, without a unit in milliseconds, or a failure about `subject`.
static Fallible<double> parseMilliseconds(const std::string &subject,
                                          llvm::StringRef text) {
  Fallible<double> time = parseTime({text.data(), text.size()}, 1e-3);
  if (!time)
    return Failure{subject + ": " + time.message()};
  if (*time >= 0 && *time <= kLargestNumber)
    return time;
  return Failure{subject + ": expected a time from 0 to 1e12 ms, got '" +
                 text.str() + "'"};
}

/// Reads the times of a weight gradient's parts.
static Fallible<void> parseParts(const std::string &subject,
                                 llvm::StringRef text, TaskTimes &times) {
  llvm::SmallVector<llvm::StringRef> entries;
  text.split(entries, ':');
  if (entries.size() > StageTask::kMostParts)
    return Failure{subject + ": expected at most " +
                   std::to_string(StageTask::kMostParts) + " parts, got " +
                   std::to_string(entries.size())};
  times.weightGradient = 0;
  for (llvm::StringRef entry : entries) {
    Fallible<double> number = parseMilliseconds(subject, entry);
    if (!number)
      return number.failure();
    times.weightParts.push_back(*number);
    times.weightGradient += *number;
  }
  return {};
}

Fallible<TaskTimes> tessera::parseTaskTimes(llvm::StringRef text) {
  TaskTimes times;
  double pair = 0;
  llvm::StringSet<> seen;
  llvm::SmallVector<llvm::StringRef> entries;
  text.split(entries, ',');
  for (llvm::StringRef entry : entries) {
    auto [name, value] = entry.split('=');
    name = name.trim() == "I" ? "B" : name.trim();
    double *field = llvm::StringSwitch<double *>(name)
                        .Case("F", &times.forward)
                        .Case("B", &times.inputGradient)
                        .Case("W", &times.weightGradient)
                        .Case("S", &times.vocabularyForward)
                        .Case("T", &times.vocabularyBackward)
                        .Case("FB", &pair)
                        .Case("transfer", &times.transfer)
                        .Default(nullptr);
    if (!field)
      return Failure{"--times: expected F, B, W, S, T, FB or transfer, got '" +
                     name.str() + "'"};
    if (!seen.insert(name).second)
      return Failure{"--times: expected one time for " + name.str() +
                     ", got two"};
    std::string subject = "--times: " + name.str();
    if (name == "W" && value.contains(':')) {
      if (Fallible<void> parts = parseParts(subject, value, times); !parts)
        return parts.failure();
      continue;
    }
    Fallible<double> number = parseMilliseconds(subject, value);
    if (!number)
      return number.failure();
    *field = *number;
  }
  for (const char *name : {"F", "B", "W"})
    if (!seen.contains(name))
      return Failure{std::string("--times: expected a time for ") + name};
  if (times.forward + times.inputGradient + times.weightGradient <= 0)
    return Failure{"--times: expected F, B or W above 0"};
  double inTurn = times.forward + times.inputGradient + times.weightGradient;
  if (seen.contains("FB") && !(pair > 0 && pair <= inTurn))
    return Failure{"--times: FB: expected a time above 0 and up to F + B + W"};
  if (seen.contains("FB"))
    times.pair = pair;
  return times;
}

Fallible<std::vector<double>> tessera::parseStageScales(llvm::StringRef text) {
  std::vector<double> scales;
  llvm::SmallVector<llvm::StringRef> entries;
  text.split(entries, ',');
  for (llvm::StringRef entry : entries) {
    Fallible<double> number = parseNumber("--stage-scales", entry);
    if (!number)
      return number.failure();
    scales.push_back(*number);
  }
  return scales;
}
