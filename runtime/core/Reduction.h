//===- Reduction.h - Element-wise reduction of several buffers ------------===//

#ifndef TESSERA_RUNTIME_CORE_REDUCTION_H
#define TESSERA_RUNTIME_CORE_REDUCTION_H

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera::runtime {

/// Whether the reduction is defined for the element type; both are codes of
/// runtime.h.
bool isReducible(int32_t dtype, int32_t reduction);

/// Reduces elements [begin, end) of all `sources`, in their order, and writes
/// the result to the same elements of all `destinations`. A destination may be
/// one of the sources. f16 and bf16 are accumulated in f32 and rounded once, so
/// that the result depends on the order of the sources only. `sources` has at
/// least one element.
void reduceInto(int32_t dtype, int32_t reduction,
                std::span<const std::byte *const> sources,
                std::span<std::byte *const> destinations, int64_t begin,
                int64_t end);

/// Writes `count` neutral elements of a reduction that is defined for the
/// element type.
void fillNeutral(int32_t dtype, int32_t reduction, std::byte *elements,
                 int64_t count);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_REDUCTION_H
