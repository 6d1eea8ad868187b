//===- CostTables.cpp - costs of options and of pairs of them -------------===//

#include "Choice/CostTables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cmath>
#include <limits>

using namespace tessera;
using namespace tessera::shard;

template <typename Cost>
static llvm::StringRef bytesOf(llvm::ArrayRef<Cost> costs) {
  return {reinterpret_cast<const char *>(costs.data()),
          costs.size() * sizeof(Cost)};
}

/// Lowers `costs` by their least, which it returns, unless that is infinite.
template <typename Cost>
static double lowerToZero(llvm::MutableArrayRef<Cost> costs) {
  Cost least = *llvm::min_element(costs);
  if (!std::isfinite(least))
    return 0;
  for (Cost &cost : costs)
    cost -= least;
  return least;
}

void tessera::shard::lowerToLeastSums(llvm::ArrayRef<double> mine,
                                      const float *table,
                                      llvm::MutableArrayRef<double> sums) {
  for (double own : mine) {
    for (size_t j = 0; j < sums.size(); ++j)
      sums[j] = std::min(sums[j], own + table[j]);
    table += sums.size();
  }
}

//===----------------------------------------------------------------------===//
// Each kept once
//===----------------------------------------------------------------------===//

/// Keeps `costs`, which are lowered.
CostTables::Lowered CostTables::lowered(llvm::MutableArrayRef<double> costs) {
  double by = lowerToZero(costs);
  auto known = knownVectors.find(bytesOf<double>(costs));
  if (known != knownVectors.end())
    return {known->second, by};
  auto kept = llvm::ArrayRef<double>(costs).copy(storage);
  vectors.push_back(kept);
  knownVectors[bytesOf(kept)] = vectors.size() - 1;
  return {unsigned(vectors.size() - 1), by};
}

CostTables::Lowered CostTables::lowered(llvm::MutableArrayRef<float> costs,
                                        unsigned columns) {
  double by = lowerToZero(costs);
  return {keep(costs, columns), by};
}

CostTables::Table CostTables::keep(llvm::ArrayRef<float> costs,
                                   unsigned columns) {
  auto known = knownTables.find({columns, bytesOf(costs)});
  if (known != knownTables.end())
    return known->second;
  auto kept = costs.copy(storage);
  tables.push_back({kept, columns, std::nullopt});
  knownTables[{columns, bytesOf(kept)}] = tables.size() - 1;
  return tables.size() - 1;
}

CostTables::Lowered CostTables::vector(llvm::ArrayRef<double> costs) {
  llvm::SmallVector<double, 16> copy(costs);
  return lowered(copy);
}

CostTables::Lowered
CostTables::table(unsigned rows, unsigned columns,
                  llvm::function_ref<double(unsigned, unsigned)> cost) {
  llvm::SmallVector<float, 128> costs;
  costs.reserve(rows * columns);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j)
      costs.push_back(cost(i, j));
  return lowered(costs, columns);
}

//===----------------------------------------------------------------------===//
// Operations, each done once
//===----------------------------------------------------------------------===//

CostTables::Table CostTables::transposed(Table table) {
  if (std::optional<Table> known = tables[table].transposed)
    return *known;
  unsigned rows = numRows(table), columns = numColumns(table);
  llvm::SmallVector<float, 128> costs;
  costs.reserve(rows * columns);
  for (unsigned j = 0; j < columns; ++j)
    for (unsigned i = 0; i < rows; ++i)
      costs.push_back(cost(table, i, j));
  Table result = keep(costs, rows);
  tables[table].transposed = result;
  tables[result].transposed = table;
  return result;
}

CostTables::Lowered CostTables::sumOfVectors(Vector a, Vector b) {
  auto [entry, isNew] = knownSums.try_emplace({a, b, 0});
  if (!isNew)
    return entry->second;
  llvm::SmallVector<double, 16> costs(vectors[a]);
  for (auto [cost, other] : llvm::zip_equal(costs, vectors[b]))
    cost += other;
  return entry->second = lowered(costs);
}

CostTables::Lowered CostTables::sumOfTables(Table a, Table b) {
  auto [entry, isNew] = knownTableSums.try_emplace({a, b, 0});
  if (!isNew)
    return entry->second;
  llvm::SmallVector<float, 128> costs(tables[a].costs);
  for (auto [cost, other] : llvm::zip_equal(costs, tables[b].costs))
    cost += other;
  return entry->second = lowered(costs, tables[a].columns);
}

CostTables::Lowered CostTables::withLeast(Vector own, Table table,
                                          Vector behind) {
  auto [entry, isNew] = knownLeast.try_emplace({own, table, behind});
  if (!isNew)
    return entry->second;
  llvm::SmallVector<double, 16> costs(vectors[own].size(), kInfinity);
  lowerToLeastSums(vectors[behind], tableCosts(transposed(table)), costs);
  for (auto [cost, mine] : llvm::zip_equal(costs, vectors[own]))
    cost += mine;
  return entry->second = lowered(costs);
}

CostTables::Lowered CostTables::through(Table first, Vector between,
                                        Table second) {
  auto [entry, isNew] = knownThrough.try_emplace({first, between, second});
  if (!isNew)
    return entry->second;
  unsigned rows = numRows(first), columns = numColumns(second);
  llvm::ArrayRef<double> inner = vectors[between];
  llvm::SmallVector<float, 128> costs;
  llvm::SmallVector<double, 16> mine(inner.size()), least(columns);
  for (unsigned i = 0; i < rows; ++i) {
    for (unsigned j = 0; j < mine.size(); ++j)
      mine[j] = inner[j] + cost(first, i, j);
    llvm::fill(least, kInfinity);
    lowerToLeastSums(mine, tableCosts(second), least);
    costs.append(least.begin(), least.end());
  }
  return entry->second = lowered(costs, columns);
}
