//===- TensorBox.h - Parts of tensors that are tensors themselves ---------===//

#ifndef TESSERA_SUPPORT_TENSORBOX_H
#define TESSERA_SUPPORT_TENSORBOX_H

#include "tessera/Support/HostTensor.h"

#include <algorithm>
#include <cstring>

namespace tessera {

/// A part of a tensor: `size[d]` indices from `begin[d]` on in each dimension
/// d.
struct TensorBox {
  Shape begin, size;

  /// All of a tensor of this shape.
  static TensorBox whole(const Shape &shape) {
    return {Shape(shape.size(), 0), shape};
  }
  /// How many elements it has; those of the tensor must fit in an int64_t.
  int64_t elements() const { return *elementCountOf(size); }
  bool isEmpty() const { return std::ranges::count(size, 0) > 0; }
  /// `[0:4, 8:16]`: for messages.
  std::string describe() const;

  friend bool operator==(const TensorBox &, const TensorBox &) = default;
};

/// What two boxes of one tensor have in common; empty if nothing.
TensorBox intersect(const TensorBox &a, const TensorBox &b);

/// Calls body(element in `a`, element in `b`, elements) for each run of `part`
/// that is contiguous in both boxes, which contain it and are dense and
/// row-major.
template <typename Body>
void forEachRun(const TensorBox &part, const TensorBox &a, const TensorBox &b,
                Body body) {
  if (part.isEmpty())
    return;
  size_t dims = part.size.size();
  // Dimensions after `split` are whole in both, so a run covers them and the
  // part along `split`.
  size_t split = dims;
  int64_t run = 1;
  while (split > 0) {
    --split;
    run *= part.size[split];
    if (part.size[split] != a.size[split] || part.size[split] != b.size[split])
      break;
  }
  Shape index(dims, 0);
  while (true) {
    int64_t inA = 0, inB = 0;
    for (size_t dim = 0; dim < dims; ++dim) {
      int64_t at = part.begin[dim] + index[dim];
      inA = inA * a.size[dim] + at - a.begin[dim];
      inB = inB * b.size[dim] + at - b.begin[dim];
    }
    body(inA, inB, run);
    size_t dim = split;
    while (dim > 0 && ++index[dim - 1] == part.size[dim - 1])
      index[--dim] = 0;
    if (dim == 0)
      return;
  }
}

/// Copies `part`, which both boxes contain, from the dense elements of one to
/// those of the other.
inline void copyBox(const TensorBox &part, size_t elementBytes,
                    const std::byte *from, const TensorBox &fromBox,
                    std::byte *to, const TensorBox &toBox) {
  forEachRun(part, fromBox, toBox,
             [&](int64_t source, int64_t target, int64_t elements) {
               std::memcpy(to + target * elementBytes,
                           from + source * elementBytes,
                           elements * elementBytes);
             });
}

/// A dense box in pieces that follow each other in its elements: of each the
/// same number of indices along one dimension (the last has what is left), all
/// behind it and one of each before.
class BlockedBox {
public:
  /// Blocks of at most `blockBytes`, at least one element; of most shapes more
  /// than half of that.
  BlockedBox(TensorBox box, size_t elementBytes, int64_t blockBytes);

  int64_t count() const { return blocks; }
  /// The block with this number, below `count()`.
  TensorBox block(int64_t number) const;
  /// The element of the box that it begins with.
  int64_t firstElement(int64_t number) const;

private:
  TensorBox box;
  size_t split = 0;  ///< The dimension that is cut.
  int64_t step = 1;  ///< Indices along it in a block.
  int64_t cuts = 1;  ///< Blocks along it.
  int64_t inner = 1; ///< The elements of one index along it.
  int64_t blocks = 1;
};

} // namespace tessera

#endif // TESSERA_SUPPORT_TENSORBOX_H
