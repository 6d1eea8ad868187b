//===- StridedCopy.h - Moving elements between tensors --------------------===//
//
// Broadcast, transpose, slice, reverse, pad and concatenate are one thing:
// element [i0, i1, ...] of a box lies at offset + i0*stride0 + i1*stride1 + ...
// of a tensor, with strides that may be zero or negative.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_STRIDEDCOPY_H
#define TESSERA_INTERPRETER_STRIDEDCOPY_H

#include "tessera/Support/HostTensor.h"

namespace tessera {

/// Where the elements of a box lie in a tensor, counted in elements.
struct StridedLayout {
  int64_t offset = 0;
  Shape strides;
};

/// The row-major strides of a shape.
Shape rowMajorStrides(const Shape &shape);

/// The dense tensor of shape `shape` whose elements stand in `source` at
/// `layout`, which must lie inside.
HostTensor readStrided(const HostTensor &source, const Shape &shape,
                       const StridedLayout &layout);

/// Writes the elements of `source` to `layout` in `target`, inside of which it
/// must lie.
void writeStrided(const HostTensor &source, HostTensor &target,
                  const StridedLayout &layout);

/// The box of shape `shape` that starts at `start`.
HostTensor readBox(const HostTensor &source, const Shape &start,
                   const Shape &shape);

/// Puts `box` into `target` from `start` on.
void writeBox(const HostTensor &box, HostTensor &target, const Shape &start);

/// Result dimension `i` is dimension `permutation[i]` of `source`.
HostTensor transpose(const HostTensor &source, const Shape &permutation);

/// The same elements under another shape of as many elements.
HostTensor reshape(const HostTensor &source, const Shape &shape);

/// Calls `body` with every index of a box of shape `shape`, in row-major order;
/// it must not keep the reference.
template <typename Body> void forEachIndex(const Shape &shape, Body body) {
  for (int64_t size : shape)
    if (size == 0)
      return;
  Shape index(shape.size(), 0);
  while (true) {
    body(const_cast<const Shape &>(index));
    size_t dim = shape.size();
    while (dim > 0 && ++index[dim - 1] == shape[dim - 1])
      index[--dim] = 0;
    if (dim == 0)
      return;
  }
}

} // namespace tessera

#endif // TESSERA_INTERPRETER_STRIDEDCOPY_H
