//===- CostTables.h - costs of options and of pairs of them ---------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_CHOICE_COSTTABLES_H
#define TESSERA_TRANSFORMS_SHARD_CHOICE_COSTTABLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

#include <limits>
#include <optional>
#include <tuple>
#include <vector>

namespace tessera::shard {

/// The cost of what cannot be chosen.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Differences of costs below this, in seconds, are noise of the summation.
inline constexpr double kNoise = 1e-12;

/// Costs, in seconds, of the options of a node (a *vector*) and of the pairs of
/// options of two neighbours (a *table*), each kept once, and the operations
/// that reduce a graph of choices, each done once for the same operands. The
/// layers of a model are alike: a hundred of them have the costs of a few, and
/// reducing them is a matter of looking up.
///
/// Vectors and tables are relative to their least element, so that what a long
/// chain adds up to is the same from some length on; what they have been
/// lowered by is told apart (`Lowered`). They are never taken away.
class CostTables {
public:
  using Vector = unsigned;
  using Table = unsigned;
  /// A vector or table, and what all its elements have been lowered by.
  struct Lowered {
    unsigned id = 0;
    double by = 0;
  };

  CostTables() = default;
  CostTables(const CostTables &) = delete;
  CostTables &operator=(const CostTables &) = delete;

  /// The vector of `costs`, at least one.
  Lowered vector(llvm::ArrayRef<double> costs);
  /// The table of `cost(i, j)` for i below `rows` and j below `columns`.
  Lowered table(unsigned rows, unsigned columns,
                llvm::function_ref<double(unsigned, unsigned)> cost);

  llvm::ArrayRef<double> vectorCosts(Vector vector) const {
    return vectors[vector];
  }
  /// Row-major.
  const float *tableCosts(Table table) const {
    return tables[table].costs.data();
  }
  unsigned numColumns(Table table) const { return tables[table].columns; }
  unsigned numRows(Table table) const {
    return tables[table].costs.size() / tables[table].columns;
  }
  float cost(Table table, unsigned row, unsigned column) const {
    return tables[table].costs[row * tables[table].columns + column];
  }

  /// Rows become columns.
  Table transposed(Table table);
  /// Of vectors and tables of one size.
  Lowered sumOfVectors(Vector a, Vector b);
  Lowered sumOfTables(Table a, Table b);
  /// `own`[i] plus the least `table`[i][j] + `behind`[j] over all j.
  Lowered withLeast(Vector own, Table table, Vector behind);
  /// For i and k the least `first`[i][j] + `between`[j] + `second`[j][k] over
  /// all j.
  Lowered through(Table first, Vector between, Table second);

private:
  struct TableData {
    llvm::ArrayRef<float> costs;
    unsigned columns = 1;
    /// Once it has been asked for.
    std::optional<Table> transposed;
  };
  using Key = std::tuple<unsigned, unsigned, unsigned>;
  using Known = llvm::DenseMap<Key, Lowered>;

  Lowered lowered(llvm::MutableArrayRef<double> costs);
  Lowered lowered(llvm::MutableArrayRef<float> costs, unsigned columns);
  Table keep(llvm::ArrayRef<float> costs, unsigned columns);

  llvm::BumpPtrAllocator storage;
  std::vector<llvm::ArrayRef<double>> vectors;
  std::vector<TableData> tables;
  llvm::DenseMap<llvm::StringRef, Vector> knownVectors;
  /// By number of columns and contents.
  llvm::DenseMap<std::pair<unsigned, llvm::StringRef>, Table> knownTables;
  Known knownSums, knownTableSums, knownLeast, knownThrough;
};

/// Lowers each of `sums` to the least `mine`[i] + `table`[i][j], where j is the
/// index among `sums` and `table` is row-major.
void lowerToLeastSums(llvm::ArrayRef<double> mine, const float *table,
                      llvm::MutableArrayRef<double> sums);

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_CHOICE_COSTTABLES_H
