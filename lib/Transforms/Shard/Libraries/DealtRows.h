//===- DealtRows.h - matrices whose rows are dealt out to devices ---------===//
//
// A blocked algorithm works its way through a matrix from one end to the other.
// Where a device has neighbouring rows, it is idle from when the work has
// passed them; where rows are dealt out like cards, a few at a time and several
// times round, all devices have work to the end, and what is left to send
// shrinks on all of them (ScaLAPACK's block-cyclic layout, in one dimension).
//
// Rows [n] are [rounds, parts, hand]: of every round, each of `parts` devices
// gets `hand` rows. Parts stand first, [parts, rounds, hand, columns], so that
// the rounds that are left are a slice along a dimension that is not split, and
// the rows of a part are one dimension again when they are merged.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_LIBRARIES_DEALTROWS_H
#define TESSERA_TRANSFORMS_SHARD_LIBRARIES_DEALTROWS_H

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera::shard {

/// Makes operations on tensors that have the same batch in front, and gives
/// their results shardings. Dimensions are counted behind the batch.
class BatchBuilder {
public:
  /// Operations stand before `call`. The batch is what is in front of the last
  /// two dimensions of its operands, split as that of `call`'s first operand.
  BatchBuilder(LibraryCallOp call, const Mesh &mesh);

  /// For a dimension that a call needs whole.
  static constexpr int64_t kWhole = RoutineBufferAttr::kWhole;

  mlir::ImplicitLocOpBuilder &builder() { return b; }
  const Mesh &getMesh() const { return mesh; }
  int64_t batchRank() const { return batch.size(); }

  /// Axes per dimension, of the first ones; the others are not split.
  using Split = llvm::ArrayRef<AxisList>;
  /// The size of dimension `dim`, and the axes that split it.
  int64_t size(mlir::Value value, int64_t dim);
  AxisList axes(mlir::Value value, int64_t dim);

  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape,
                      Split split);
  /// Result dimension i is dimension `permutation[i]`.
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation,
                        Split split);
  /// Elements from `start` to `limit` of a dimension that is not split.
  mlir::Value slice(mlir::Value value, int64_t dim, int64_t start,
                    int64_t limit);
  /// `value` with `size` elements in dimension `dim`: zeros are added, or the
  /// last ones taken away.
  mlir::Value resize(mlir::Value value, int64_t dim, int64_t size, Split split);
  mlir::Value concatenate(mlir::ValueRange values, int64_t dim);
  /// The sum over the dimensions `lhsOver` and `rhsOver`; the other dimensions
  /// of `lhs` come first.
  mlir::Value contract(mlir::Value lhs, llvm::ArrayRef<int64_t> lhsOver,
                       mlir::Value rhs, llvm::ArrayRef<int64_t> rhsOver,
                       Split split);
  mlir::Value subtract(mlir::Value a, mlir::Value b);
  /// `square`, which is the first `size` rows and columns of a larger matrix,
  /// with ones on the diagonal behind these.
  mlir::Value addUnitDiagonal(mlir::Value square, int64_t size);
  /// `below` on and below the diagonal, `above` above it.
  mlir::Value joinTriangles(mlir::Value below, mlir::Value above);
  /// Of two statuses the first that is not 0, where that of `later` counts rows
  /// from row `before`; `later` if there is no `known` one.
  mlir::Value firstStatus(mlir::Value known, mlir::Value later, int64_t before);
  /// `value`, constrained to be split like that: an algorithm on parts is not
  /// to be taken for another by who weighs single operations.
  mlir::Value split(mlir::Value value, Split split);

  /// A letter among a routine's parameters.
  mlir::NamedAttribute letter(llvm::StringRef name, char value);
  /// Calls `routine` on matrices by rows. `factors` has two numbers per operand
  /// and result with a matrix, `kWhole` for dimensions that must be whole, and
  /// none for a result with the batch's dimensions only.
  mlir::Operation *call(llvm::StringRef routine, mlir::ValueRange operands,
                        mlir::TypeRange results,
                        mlir::DictionaryAttr parameters,
                        llvm::ArrayRef<llvm::SmallVector<int64_t>> factors,
                        llvm::ArrayRef<int64_t> aliases);

private:
  mlir::RankedTensorType typeFor(mlir::Value like,
                                 llvm::ArrayRef<int64_t> shape);
  llvm::SmallVector<int64_t> ownShape(mlir::Value value);
  llvm::SmallVector<AxisList> ownAxes(mlir::Value value);
  mlir::Value scalar(mlir::TypedAttr value);

  mlir::ImplicitLocOpBuilder b;
  const Mesh &mesh;
  mlir::FlatSymbolRefAttr meshName;
  llvm::SmallVector<int64_t> batch;
  llvm::SmallVector<DimSharding> batchDims;
};

/// The routine of `family` for the element type of LAPACK's routine that `call`
/// calls.
std::string routineBeside(LibraryCallOp call, llvm::StringRef family);

/// How the rows of square matrices of `size` rows are dealt out over `axes`.
struct Deal {
  /// For a matrix whose `rows` and `columns` are split by these.
  Deal(int64_t size, llvm::ArrayRef<AxisRef> rows,
       llvm::ArrayRef<AxisRef> columns, const Mesh &mesh);

  /// The rows of one round.
  int64_t width() const { return parts * hand; }
  /// The rows of all rounds, the last of which may be filled up.
  int64_t padded() const { return rounds * width(); }
  /// How rounds and parts are split where neighbouring rows lie on one device;
  /// nothing where they cannot be.
  std::optional<std::pair<AxisList, AxisList>>
  neighbouring(const Mesh &mesh) const;
  /// How the matrix is split from which rows are dealt out, and into which they
  /// are collected: by rows, unless it is split by columns only, or
  /// neighbouring rows cannot lie on one device.
  llvm::SmallVector<AxisList> squareSplit() const;

  AxisList axes;
  int64_t size, parts, rounds, hand;
  bool isByRows;
};

/// How dealt rows are split: parts over the axes of the deal, unless all
/// devices have them, and columns.
struct DealtSplit {
  bool areRowsSplit = true;
  AxisList columns = {};
  /// Of the matrix before they are dealt, in place of rows.
  AxisList columnsBefore = {};
};

/// `matrix`, its rows dealt out: [parts, rounds, hand, columns].
mlir::Value dealRows(BatchBuilder &b, mlir::Value matrix, const Deal &deal,
                     const DealtSplit &split);
/// Rows in their order again.
mlir::Value collectRows(BatchBuilder &b, mlir::Value dealt, const Deal &deal,
                        const DealtSplit &split);

/// The square `matrix`, its rows dealt out, with ones on the diagonal behind it
/// and as many columns as rows.
mlir::Value dealSquare(BatchBuilder &b, mlir::Value matrix, const Deal &deal);
/// What `dealSquare` did, undone.
mlir::Value collectSquare(BatchBuilder &b, mlir::Value dealt, const Deal &deal);

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_LIBRARIES_DEALTROWS_H
