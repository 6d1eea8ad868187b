//===- ManualSharding.h - Shardings in and around manual regions ----------===//
#ifndef TESSERA_SHARDING_ALGEBRA_MANUALSHARDING_H
#define TESSERA_SHARDING_ALGEBRA_MANUALSHARDING_H

#include "tessera/Sharding/Algebra/TensorSharding.h"

namespace tessera {

/// How a tensor that enters or leaves a manual region is split over the
/// region's manual axes, and so how its sharding outside follows from the one
/// inside, which knows only the other axes, and back: in every dimension the
/// manual axes are major to the free ones.
class ManualSharding {
public:
  /// `outside` is the sharding that the region asks for; of it, only what it
  /// says of `manualAxes` (whole axes of `mesh`) counts.
  ManualSharding(const TensorSharding &outside,
                 llvm::ArrayRef<AxisRef> manualAxes, const Mesh &mesh);

  /// The sharding outside of a tensor that is `inside` inside.
  TensorSharding toOutside(const TensorSharding &inside) const;
  /// The sharding inside of a tensor that is `outside` outside; nothing where
  /// it is not split over the manual axes as it must be.
  std::optional<TensorSharding> toInside(const TensorSharding &outside) const;
  /// The shape inside of a tensor of `shape` outside.
  llvm::SmallVector<int64_t> insideShape(llvm::ArrayRef<int64_t> shape) const {
    return part.localShape(shape, mesh);
  }
  /// The manual axes, and the parts of them, that no dimension and no pending
  /// reduction uses: over them the tensor outside is the same everywhere.
  llvm::ArrayRef<AxisRef> unusedAxes() const { return unused; }

  /// Why `outside` cannot be asked of a tensor of `shape` that is split by hand
  /// over `manualAxes`, or an empty string. It is a sharding of that shape.
  static std::string verify(const TensorSharding &outside,
                            llvm::ArrayRef<AxisRef> manualAxes,
                            llvm::ArrayRef<int64_t> shape, const Mesh &mesh);

private:
  /// The manual axes alone, without those of size 1.
  TensorSharding part;
  AxisList unused;
  const Mesh &mesh;
};

} // namespace tessera

#endif // TESSERA_SHARDING_ALGEBRA_MANUALSHARDING_H
