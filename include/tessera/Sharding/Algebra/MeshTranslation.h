//===- MeshTranslation.h - One placement on two meshes --------------------===//
#ifndef TESSERA_SHARDING_ALGEBRA_MESHTRANSLATION_H
#define TESSERA_SHARDING_ALGEBRA_MESHTRANSLATION_H

#include "tessera/Sharding/Algebra/TensorSharding.h"

namespace tessera {

/// The axes of `to` along which every device has the same index as along `axes`
/// of `from`, two meshes over the same devices: for example `{"x":(2)2, "y"}`
/// of 4 x 2 for `{"b"}` of 2 x 4. None where `to` has no such axes.
///
/// The index is a function of the device's coordinates in `to`. It is such axes
/// if each part of an axis of `to` adds its digit times a weight, and the
/// weights are those of a mixed radix: they are read off the devices next to
/// the origin, and checked on all others.
std::optional<AxisList> translateAxes(llvm::ArrayRef<AxisRef> axes,
                                      const Mesh &from, const Mesh &to);

/// The axes of `to` along which two devices have the same index just where they
/// have the same along `axes` of `from`, whatever these indices are: what
/// counts for pending reductions. None where `to` has no such axes.
std::optional<AxisList> translateSet(llvm::ArrayRef<AxisRef> axes,
                                     const Mesh &from, const Mesh &to);

/// The sharding on `to` under which every device holds what it holds under
/// `sharding` on `from`, as a placement; none where there is none.
std::optional<TensorSharding> translate(const TensorSharding &sharding,
                                        const Mesh &from, const Mesh &to);

/// `mesh` with its axes cut wherever an axis of one of `others`, meshes over
/// the same devices, begins or ends: their axes are whole axes of it, so far as
/// axes of `mesh` and parts of them express them. None where the cuts of an
/// axis do not divide each other.
std::optional<Mesh> refinedMesh(const Mesh &mesh, llvm::ArrayRef<Mesh> others);

/// `mesh` with its axes cut wherever one of `parts` begins or ends. None where
/// the cuts of an axis do not divide each other.
std::optional<Mesh> cutMesh(const Mesh &mesh, llvm::ArrayRef<AxisRef> parts);

/// `mesh` with its axes cut into axes of prime sizes.
Mesh primeMesh(const Mesh &mesh);

/// `mesh` with its devices in an order in which each of its axes is made of
/// whole axes of `grid`, which has as many devices and axes of prime sizes (see
/// `primeMesh`); what is minor in the one is minor in the other, as far as the
/// sizes allow.
Mesh arrangedOn(const Mesh &grid, const Mesh &mesh);

/// Who sends its part to whom when a tensor goes from sharding `before` on
/// `from` to `after` on `to`, which make the same number of parts of every
/// dimension and of pending contributions: per position in `from` the position
/// in `from` of the receiver. Devices that hold what they should keep it; empty
/// where all do.
llvm::SmallVector<int32_t, 0> exchangeTargets(const TensorSharding &before,
                                              const Mesh &from,
                                              const TensorSharding &after,
                                              const Mesh &to);

} // namespace tessera

#endif // TESSERA_SHARDING_ALGEBRA_MESHTRANSLATION_H
