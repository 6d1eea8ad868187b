//===- LaneIndex.h - Indices as functions of the vector lane --------------===//
//
// Elsewhere: contiguity (axis info) analysis, scalar evolution.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_CODEGEN_KERNELS_LANEINDEX_H
#define TESSERA_CODEGEN_KERNELS_LANEINDEX_H

#include "mlir/IR/AffineMap.h"
#include "tessera/Codegen/Kernels/CodeBuilder.h"
#include <limits>

namespace tessera::codegen {

/// The numbers from `low` to `high`, both included; by default all.
struct IndexBounds {
  static constexpr int64_t most = std::numeric_limits<int64_t>::max() >> 8;
  int64_t low = -most, high = most;

  bool isKnown() const { return -most < low && high < most; }
};

/// The index along one dimension that each lane of a vector works on:
/// `base + offset + stride * lane`, or, where that is not possible, a vector.
/// Keeping the affine form tells contiguous loads from gathers.
struct LaneIndex {
  /// `i64`, null for 0.
  mlir::Value base;
  int64_t offset = 0;
  int64_t stride = 0;
  /// A known divisor of `base`.
  int64_t divisor = 1;
  /// A vector of `i64`; if set, it is the index and the rest is unused.
  mlir::Value vector;
  /// What `base`, or every active lane of `vector`, lies within.
  IndexBounds bounds = {};

  static LaneIndex constant(int64_t value) { return {{}, value, 0, 1, {}}; }
  static LaneIndex scalar(mlir::Value base, int64_t divisor = 1) {
    return {base, 0, 0, divisor, {}};
  }
  /// Lane `l` has index `base + l`.
  static LaneIndex lanes(mlir::Value base, int64_t divisor = 1) {
    return {base, 0, 1, divisor, {}};
  }
  /// The same index, whose `base` is known to lie within [low, high].
  LaneIndex within(int64_t low, int64_t high) const {
    LaneIndex result = *this;
    result.bounds = {low, high};
    return result;
  }
  /// Whether all lanes have the same index.
  bool isUniform() const { return !vector && stride == 0; }
  bool isConstant(int64_t value) const {
    return isUniform() && !base && offset == value;
  }
  bool operator==(const LaneIndex &other) const {
    return base == other.base && offset == other.offset &&
           stride == other.stride && vector == other.vector;
  }
};

using LaneIndices = llvm::SmallVector<LaneIndex, 4>;

/// Arithmetic on the indices of `lanes` lanes.
class LaneArithmetic {
public:
  LaneArithmetic(CodeBuilder &b, unsigned lanes)
      : b(b), lanes(lanes), active(lanes) {}

  /// Bounds need to hold for the first `count` lanes only from now on.
  void setActiveLanes(unsigned count) { active = std::min(count, lanes); }
  /// What the active lanes' indices lie within.
  IndexBounds bounds(const LaneIndex &x) const;

  LaneIndex add(const LaneIndex &x, const LaneIndex &y);
  LaneIndex mul(const LaneIndex &x, int64_t factor);
  LaneIndex div(const LaneIndex &x, int64_t divisor);
  LaneIndex mod(const LaneIndex &x, int64_t divisor);
  /// `base + offset` as `i64`, leaving the lane's part out.
  mlir::Value start(const LaneIndex &x);
  /// All lanes' indices as a vector (as a scalar for one lane).
  mlir::Value materialize(const LaneIndex &x);
  /// The scalar of a uniform index, else the vector.
  mlir::Value value(const LaneIndex &x) {
    return x.isUniform() ? start(x) : materialize(x);
  }
  /// The index that `value`, an `i64` or a vector of it within `bounds`, is.
  static LaneIndex wrap(mlir::Value value, IndexBounds bounds = {});
  /// `x` where `condition` (a scalar) holds, else `y`; null unless both advance
  /// by the same stride from lane to lane.
  std::optional<LaneIndex> select(mlir::Value condition, const LaneIndex &x,
                                  const LaneIndex &y);

  /// The value of `expression`, whose dimensions are `dims`.
  LaneIndex apply(mlir::AffineExpr expression, const LaneIndices &dims);
  LaneIndices apply(mlir::AffineMap map, const LaneIndices &dims);
  /// The position of an element in row-major order.
  LaneIndex linearize(const LaneIndices &indices,
                      llvm::ArrayRef<int64_t> shape);
  LaneIndices delinearize(LaneIndex index, llvm::ArrayRef<int64_t> shape);

private:
  /// Whether the lanes stay within one block of `divisor` consecutive numbers.
  bool lanesStayWithin(const LaneIndex &x, int64_t divisor) const;

  CodeBuilder &b;
  unsigned lanes, active;
};

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_KERNELS_LANEINDEX_H
