//===- CostTablesTest.cpp - equal costs are one ---------------------------===//

#include "Choice/CostTables.h"

#include <gtest/gtest.h>

#include <limits>

using tessera::shard::CostTables;

namespace {

/// Costs that differ by a constant are the same vector or table.
TEST(CostTables, KeepsEqualCostsOnce) {
  CostTables tables;
  CostTables::Lowered a = tables.vector({3, 1, 2}),
                      b = tables.vector({4, 2, 3});
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.by, 1);
  EXPECT_EQ(b.by, 2);
  auto wide = tables.table(1, 4, [](unsigned, unsigned j) { return j; }),
       square = tables.table(
           2, 2, [](unsigned i, unsigned j) { return 5 + 2 * i + j; });
  EXPECT_NE(wide.id, square.id);
  EXPECT_EQ(square.by, 5);
  EXPECT_EQ(tables.numRows(square.id), 2u);
  auto columns =
      tables.table(2, 2, [](unsigned i, unsigned j) { return i + 2 * j; });
  EXPECT_EQ(tables.transposed(square.id), columns.id);
  EXPECT_EQ(tables.transposed(columns.id), square.id);
}

/// What cannot be had at all has no least element to lower by.
TEST(CostTables, LeavesInfiniteCosts) {
  CostTables tables;
  double infinity = std::numeric_limits<double>::infinity();
  CostTables::Lowered none = tables.vector({infinity, infinity}),
                      one = tables.vector({infinity, 2});
  EXPECT_EQ(none.by, 0);
  EXPECT_EQ(tables.vectorCosts(none.id)[0], infinity);
  EXPECT_EQ(tables.vectorCosts(one.id)[0], infinity);
  EXPECT_EQ(one.by, 2);
}

/// The operations against their definitions.
TEST(CostTables, AddsAndTakesTheLeast) {
  CostTables tables;
  auto first = tables.table(
      2, 3, [](unsigned i, unsigned j) { return (5 * i + 3 * j) % 7; });
  auto second = tables.table(
      3, 2, [](unsigned i, unsigned j) { return (2 * i + 5 * j) % 6; });
  auto own = tables.vector({0, 4}), between = tables.vector({3, 0, 1});
  auto least = tables.withLeast(own.id, first.id, between.id);
  auto through = tables.through(first.id, between.id, second.id);
  auto bothTables = tables.sumOfTables(first.id, tables.transposed(second.id));
  auto bothVectors = tables.sumOfVectors(own.id, least.id);
  auto costs = [&](CostTables::Lowered vector, unsigned i) {
    return tables.vectorCosts(vector.id)[i] + vector.by;
  };
  for (unsigned i = 0; i < 2; ++i) {
    double best = 100;
    for (unsigned j = 0; j < 3; ++j) {
      best = std::min(best, tables.cost(first.id, i, j) + costs(between, j));
      EXPECT_EQ(tables.cost(bothTables.id, i, j) + bothTables.by,
                tables.cost(first.id, i, j) + tables.cost(second.id, j, i));
    }
    EXPECT_EQ(costs(least, i), best + costs(own, i));
    EXPECT_EQ(costs(bothVectors, i),
              costs(own, i) + tables.vectorCosts(least.id)[i]);
    for (unsigned k = 0; k < 2; ++k) {
      double cheapest = 100;
      for (unsigned j = 0; j < 3; ++j)
        cheapest =
            std::min(cheapest, tables.cost(first.id, i, j) + costs(between, j) +
                                   tables.cost(second.id, j, k));
      EXPECT_EQ(tables.cost(through.id, i, k) + through.by, cheapest);
    }
  }
}

} // namespace
