//===- ReshapeFactors.cpp - Common factors of two shapes ------------------===//
#include "tessera/Sharding/Rules/ShardingRule.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace tessera;

namespace {

/// Walks the dimensions of one shape from major to minor, taking factors off
/// the current dimension.
struct ShapeCursor {
  llvm::ArrayRef<int64_t> shape;
  llvm::SmallVectorImpl<llvm::SmallVector<unsigned, 1>> &factors;
  size_t dim = 0;
  /// What is left of the current dimension.
  int64_t rest = 1;

  ShapeCursor(llvm::ArrayRef<int64_t> shape,
              llvm::SmallVectorImpl<llvm::SmallVector<unsigned, 1>> &factors)
      : shape(shape), factors(factors) {
    factors.resize(shape.size());
    if (!shape.empty())
      rest = shape[0];
    skipOnes();
  }

  bool done() const { return dim == shape.size(); }

  /// Takes a factor of `size`, number `factor`, off the current dimension.
  void take(int64_t size, unsigned factor) {
    factors[dim].push_back(factor);
    rest /= size;
    skipOnes();
  }

  void skipOnes() {
    while (!done() && rest == 1)
      rest = ++dim < shape.size() ? shape[dim] : 1;
  }
};

} // namespace

ReshapeFactors tessera::reshapeFactors(llvm::ArrayRef<int64_t> inShape,
                                       llvm::ArrayRef<int64_t> outShape) {
  ReshapeFactors result;
  if (llvm::is_contained(inShape, 0)) {
    // Nothing is stored, so nothing is shared.
    auto own = [&](llvm::ArrayRef<int64_t> shape, auto &dims) {
      for (int64_t size : shape) {
        dims.emplace_back().push_back(result.sizes.size());
        result.sizes.push_back(size);
      }
    };
    own(inShape, result.inDims);
    own(outShape, result.outDims);
    return result;
  }

  ShapeCursor in(inShape, result.inDims), out(outShape, result.outDims);
  auto add = [&](int64_t size) {
    result.sizes.push_back(size);
    return static_cast<unsigned>(result.sizes.size() - 1);
  };
  while (!in.done() && !out.done()) {
    int64_t common = std::gcd(in.rest, out.rest);
    if (common > 1) {
      unsigned factor = add(common);
      in.take(common, factor);
      out.take(common, factor);
      continue;
    }
    // The shapes diverge: take what is left of the current dimensions, and
    // whole dimensions, from the side that is behind, until both are at the
    // same boundary again.
    int64_t inTaken = 1, outTaken = 1;
    do {
      bool inBehind = inTaken <= outTaken;
      ShapeCursor &cursor = inBehind ? in : out;
      (inBehind ? inTaken : outTaken) *= cursor.rest;
      cursor.take(cursor.rest, add(cursor.rest));
    } while (inTaken != outTaken);
  }
  return result;
}
