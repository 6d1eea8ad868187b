//===- StageTimes.cpp - What the tasks of each stage cost, from a file ----===//

#include "tessera/Simulator/StageTimes.h"

#include "tessera/Simulator/TaskTimes.h"
#include "tessera/Support/File.h"
#include "tessera/Support/Quantities.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <array>
#include <limits>

using namespace tessera;
using llvm::StringRef;

/// Some hundred thousand stages.
static constexpr uint64_t kMaxFileBytes = 16 << 20;

bool tessera::isTimesFile(StringRef times) { return times.ends_with(".csv"); }

namespace {

/// A column that a table may have.
struct Column {
  StringRef name;
  bool isTime, isNeeded;
  void (*set)(StageCost &cost, BoundaryCost &next, double value);
};

constexpr double kUnknown = std::numeric_limits<double>::infinity();

const std::array<Column, 10> kColumns = {{
    {"F", true, true,
     [](StageCost &cost, BoundaryCost &, double value) {
       cost.forward = value;
     }},
    {"B", true, true,
     [](StageCost &cost, BoundaryCost &, double value) {
       cost.inputGradient = value;
     }},
    {"W", true, true,
     [](StageCost &cost, BoundaryCost &, double value) {
       cost.weightGradient = value;
     }},
    {"B+W", true, false,
     [](StageCost &cost, BoundaryCost &, double value) {
       cost.backward = value;
     }},
    {"S", true, false,
     [](StageCost &cost, BoundaryCost &, double value) {
       cost.vocabularyForward = value;
     }},
    {"T", true, false,
     [](StageCost &cost, BoundaryCost &, double value) {
       cost.vocabularyBackward = value;
     }},
    {"transfer", true, false,
     [](StageCost &, BoundaryCost &next, double value) {
       next = {value, value};
     }},
    {"activations", false, false,
     [](StageCost &cost, BoundaryCost &, double value) {
       cost.activation = value;
     }},
    {"kept", false, false,
     [](StageCost &cost, BoundaryCost &, double value) {
       cost.weightInput = value;
     }},
    {"parameters", false, false,
     [](StageCost &cost, BoundaryCost &, double value) {
       cost.parameters = value;
     }},
}};

/// Reads a table row by row.
class TableReader {
public:
  explicit TableReader(const std::string &path) : path(path) {}

  Fallible<StageCosts> run(StringRef text) {
    llvm::SmallVector<StringRef> lines;
    text.rtrim().split(lines, '\n');
    if (Fallible<void> head = readHead(lines.front()); !head)
      return head.failure();
    for (line = 2; line <= lines.size(); ++line)
      if (Fallible<void> row = readRow(lines[line - 1]); !row)
        return row.failure();
    if (costs.stages.empty())
      return fail(1, "expected a row for each stage, got none");
    costs.boundaries.pop_back();
    return std::move(costs);
  }

private:
  /// Calls `take(cell, column)` for each cell of `row`, columns from 1.
  template <typename Take>
  Fallible<void> forEachCell(StringRef row, Take take) {
    size_t column = 1;
    while (true) {
      auto [cell, rest] = row.split(',');
      if (Fallible<void> taken = take(cell.trim(), column); !taken)
        return taken;
      if (cell.size() == row.size())
        return {};
      column += cell.size() + 1;
      row = rest;
    }
  }

  /// Reads which columns there are.
  Fallible<void> readHead(StringRef row) {
    Fallible<void> read =
        forEachCell(row, [&](StringRef name, size_t at) -> Fallible<void> {
          if (name == "I")
            name = "B";
          const Column *found =
              llvm::find_if(kColumns, [&](const Column &column) {
                return column.name == name;
              });
          if (found == kColumns.end())
            return fail(at, "expected one of " + names() + ", got '" +
                                name.str() + "'");
          if (llvm::is_contained(columns, found))
            return fail(at, "expected one column " + name.str() + ", got two");
          columns.push_back(found);
          return {};
        });
    if (!read)
      return read;
    for (const Column &column : kColumns)
      if (column.isNeeded && !llvm::is_contained(columns, &column))
        return fail(1, "expected a column " + column.name.str());
    return {};
  }

  /// Reads what one stage costs.
  Fallible<void> readRow(StringRef row) {
    StageCost cost;
    cost.weightInput = kUnknown;
    BoundaryCost &next = costs.boundaries.emplace_back();
    size_t count = 0;
    Fallible<void> read =
        forEachCell(row, [&](StringRef cell, size_t at) -> Fallible<void> {
          if (count == columns.size())
            return fail(at, "expected " + std::to_string(count) +
                                " numbers, as in the first row, got more");
          const Column &column = *columns[count++];
          Fallible<double> value =
              column.isTime ? parseTime({cell.data(), cell.size()}, 1e-3)
                            : parseNumber(cell);
          if (!value)
            return fail(at, column.name.str() + ": " + value.message());
          if (!(*value >= 0 && *value <= kLargestNumber))
            return fail(at, column.name.str() +
                                ": expected a number from 0 to 1e12, got '" +
                                cell.str() + "'");
          column.set(cost, next, *value);
          return {};
        });
    if (!read)
      return read;
    if (count < columns.size())
      return fail(row.size() + 1, "expected " + std::to_string(columns.size()) +
                                      " numbers, as in the first row, got " +
                                      std::to_string(count));
    if (cost.weightInput == kUnknown)
      cost.weightInput = cost.activation;
    if (cost.weightInput > cost.activation)
      return fail(1, "expected no more kept than activations");
    costs.stages.push_back(cost);
    return {};
  }

  static Fallible<double> parseNumber(StringRef cell) {
    double value = 0;
    if (cell.getAsDouble(value))
      return Failure{"expected a number from 0 to 1e12, got '" + cell.str() +
                     "'"};
    return value;
  }

  static std::string names() {
    std::string text;
    for (const Column &column : kColumns)
      text += (text.empty() ? "" : ", ") + column.name.str();
    return text;
  }

  Failure fail(size_t column, const std::string &message) const {
    return Failure{path + ":" + std::to_string(line) + ":" +
                   std::to_string(column) + ": error: " + message};
  }

  const std::string &path;
  size_t line = 1;
  /// In the order of the file.
  llvm::SmallVector<const Column *> columns;
  /// With one boundary too many, behind the last stage.
  StageCosts costs;
};

} // namespace

Fallible<StageCosts> tessera::readStageTimes(const std::string &path) {
  Fallible<std::string> text = readTextFile(path, kMaxFileBytes);
  if (!text)
    return text.failure();
  return TableReader(path).run(*text);
}
