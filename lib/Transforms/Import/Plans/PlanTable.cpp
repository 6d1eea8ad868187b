//===- PlanTable.cpp - what a plan has decided ----------------------------===//

#include "PlanTable.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <array>

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

static std::string printAxisNames(ArrayRef<AxisRef> axes) {
  return llvm::join(llvm::map_range(axes,
                                    [](const AxisRef &axis) {
                                      std::string text;
                                      llvm::raw_string_ostream os(text);
                                      os << axis;
                                      llvm::erase(text, '"');
                                      return text;
                                    }),
                    "+");
}

std::string tessera::importer::printSpec(const TensorSharding &sharding) {
  std::string text = "[";
  for (const DimSharding &dim : sharding.dims) {
    text += text.size() > 1 ? ", " : "";
    text += printAxisNames(dim.axes);
    text += dim.open ? "?" : dim.axes.empty() ? "-" : "";
    if (dim.priority)
      text += " p" + std::to_string(*dim.priority);
  }
  text += "]";
  if (!sharding.replicated.empty())
    text += " replicated over " + printAxisNames(sharding.replicated);
  return text;
}

/// `name` with a star for each number that is a component of its own.
static std::string withoutNumbers(StringRef name) {
  std::string text;
  for (size_t i = 0; i < name.size();) {
    size_t end = name.find_if_not(llvm::isDigit, i);
    end = std::min(end, name.size());
    bool isComponent =
        end > i && i > 0 && !llvm::isAlnum(name[i - 1]) && name[i - 1] != '_' &&
        (end == name.size() || (!llvm::isAlnum(name[end]) && name[end] != '_'));
    if (isComponent)
      text += '*';
    else
      text += name.slice(i, std::max(end, i + 1));
    i = std::max(end, i + 1);
  }
  return text;
}

using TableLine = std::array<std::string, 4>;

static TableLine lineOf(const PlannedRow &row) {
  std::string shape;
  for (int64_t size : row.tensor->type.getShape())
    shape += (shape.empty() ? "" : "x") + std::to_string(size);
  return {row.tensor->name, shape.empty() ? "scalar" : shape,
          row.sharding ? printSpec(*row.sharding) : "open", row.by};
}

std::string tessera::importer::printPlanTable(ArrayRef<PlannedRow> rows) {
  // By what would be printed, but for numbers.
  llvm::MapVector<TableLine, SmallVector<TableLine, 1>,
                  std::map<TableLine, unsigned>>
      groups;
  for (const PlannedRow &row : rows) {
    // Nobody asked what results nobody decided are.
    if (row.tensor->isResult() && !row.sharding)
      continue;
    TableLine line = lineOf(row), key = line;
    key[0] = withoutNumbers(line[0]);
    // Names of parameters differ as those of their state do; lines are lines.
    if (row.follows)
      key[3] = withoutNumbers(line[3]);
    groups[key].push_back(line);
  }
  std::vector<TableLine> lines = {{"tensor", "shape", "sharding", "by"}};
  for (auto &[key, same] : groups) {
    lines.push_back(same.size() == 1 ? same.front() : key);
    if (same.size() > 1)
      lines.back()[0] += " (" + std::to_string(same.size()) + ")";
  }
  std::array<size_t, 3> widths = {};
  for (const TableLine &line : lines)
    for (size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const TableLine &line : lines) {
    text += "\n  ";
    for (size_t i = 0; i < widths.size(); ++i)
      text += line[i] + std::string(widths[i] - line[i].size() + 2, ' ');
    text += line.back();
    text.erase(text.find_last_not_of(' ') + 1);
  }
  return text;
}

PlannedBytes tessera::importer::countBytes(ArrayRef<PlannedRow> rows,
                                           const Mesh &mesh) {
  PlannedBytes bytes;
  for (const PlannedRow &row : rows) {
    TensorRole role = row.tensor->role;
    if (role != TensorRole::Weight && role != TensorRole::State)
      continue;
    int64_t all = row.tensor->bytes(), parts = 1;
    if (row.sharding)
      for (int64_t dim = 0; dim < row.sharding->rank(); ++dim)
        parts *= row.sharding->numShards(dim, mesh);
    bytes.all += all;
    bytes.onDevice += llvm::divideCeil(all, parts);
    bytes.whole += parts == 1 ? all : 0;
  }
  return bytes;
}
