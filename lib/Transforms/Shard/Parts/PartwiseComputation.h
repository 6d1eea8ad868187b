//===- PartwiseComputation.h - along one dimension, part by part ----------===//
#ifndef TESSERA_TRANSFORMS_SHARD_PARTS_PARTWISECOMPUTATION_H
#define TESSERA_TRANSFORMS_SHARD_PARTS_PARTWISECOMPUTATION_H

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/SetVector.h"

namespace tessera::shard {

/// A dimension of a value, and where parts of it begin and end.
struct Span {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
};

/// How an operation computes along one factor: which dimension of each tensor
/// is that factor, -1 for those that do not have it.
struct Passage {
  llvm::SmallVector<int64_t, 4> operands;
  /// -1 if the operation sums over the factor.
  int64_t result = -1;
};

/// What is needed in parts along a split dimension, computed part by part: the
/// algorithm of `tessera-compute-parts`, for one function. Values without a
/// sharding are not split. Of what is made each operation has the location of
/// the one it is made for.
class PartwiseComputation {
public:
  PartwiseComputation(mlir::func::FuncOp function, const Mesh &mesh)
      : function(function), mesh(mesh), taker(function) {}

  /// Rewrites the function.
  void run();

private:
  std::optional<Passage> passage(mlir::Operation *op, unsigned tensor,
                                 int64_t dim) const;
  double movedElements(mlir::Value value, int64_t dim) const;
  bool isSplit(mlir::Value value, int64_t dim) const;

  std::optional<Passage> passageAbove(mlir::Value value, int64_t dim,
                                      mlir::Operation *user) const;
  double slicingCost(mlir::Value value, int64_t dim, mlir::Operation *user,
                     unsigned depth) const;
  void moveSlicesUp(mlir::Value value);
  mlir::Value partAbove(mlir::Value value, int64_t dim, Span range,
                        const AxisList &axes, mlir::Operation *user,
                        unsigned depth);

  bool goesDown(ConcatenateOp op, mlir::Operation *user, Passage &passage,
                double &cost) const;
  void moveDown(ConcatenateOp op);
  void concatenateTerms(mlir::arith::AddFOp sum);
  void computeParts(ConcatenateOp op, mlir::Operation *user,
                    const Passage &passage);

  ShardingAttr partSharding(mlir::Value value, int64_t dim,
                            const AxisList &axes);
  mlir::Value slice(mlir::OpBuilder &builder, mlir::Value value, int64_t dim,
                    Span range, const AxisList &axes);

  mlir::func::FuncOp function;
  const Mesh &mesh;
  /// What takes the parts that are being made.
  mlir::Operation *taker;
  /// The parts of values that have been made for one value or concatenation,
  /// by where they begin.
  llvm::DenseMap<std::tuple<mlir::Value, int64_t, int64_t>, mlir::Value> parts;
  /// What has been computed part by part, users before producers.
  llvm::SetVector<mlir::Operation *> divided;
  llvm::SmallVector<ConcatenateOp> concatenations;
};

/// `type` with `size` elements along `dim`.
mlir::RankedTensorType resized(mlir::RankedTensorType type, int64_t dim,
                               int64_t size);

/// The ranges of what `op` puts together.
llvm::SmallVector<Span> rangesOf(ConcatenateOp op);

/// What `value` is put together from, if that is just `range` along `dim`; null
/// otherwise.
mlir::Value pieceOf(mlir::Value value, int64_t dim, Span range);

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_PARTS_PARTWISECOMPUTATION_H
