//===- AxisFit.h - Which axes can be used together ------------------------===//
//
// One sharding, or one operation, uses no part of an axis twice, and of one
// axis only parts of one grid: 6 devices in a row are 2 * 3 and 3 * 2, but
// `"x":(1)2` of the first and `"x":(3)2` of the second number the devices by no
// grid together. Axes that keep to both fit beside each other. Wherever axes of
// different shardings meet, one of these functions says what of them may stay.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SHARDING_ALGEBRA_AXISFIT_H
#define TESSERA_SHARDING_ALGEBRA_AXISFIT_H

#include "tessera/Sharding/Algebra/TensorSharding.h"

namespace tessera {

/// Whether one sharding may use both `a` and `b`.
bool fitsBeside(const AxisRef &a, const AxisRef &b, const Mesh &mesh);
/// Whether `axis` fits beside each of `used`.
bool fitsBeside(const AxisRef &axis, llvm::ArrayRef<AxisRef> used,
                const Mesh &mesh);
/// Whether each of `axes` fits beside all others.
bool fitTogether(llvm::ArrayRef<AxisRef> axes, const Mesh &mesh);

/// The longest prefix of `axes` (cutting an axis where needed) that fits beside
/// `used`.
AxisList prefixBeside(llvm::ArrayRef<AxisRef> axes,
                      llvm::ArrayRef<AxisRef> used, const Mesh &mesh);
/// Those of `axes` that fit beside `used`, uncut and in their order.
AxisList axesBeside(llvm::ArrayRef<AxisRef> axes, llvm::ArrayRef<AxisRef> used,
                    const Mesh &mesh);
/// `sharding` without the axes that do not fit beside `axes`: then a dimension
/// or the pending reduction may take these.
TensorSharding without(TensorSharding sharding, llvm::ArrayRef<AxisRef> axes,
                       const Mesh &mesh);

} // namespace tessera

#endif // TESSERA_SHARDING_ALGEBRA_AXISFIT_H
