//===- StridedCopy.cpp - Moving elements between tensors ------------------===//

#include "StridedCopy.h"

#include <cstring>

using namespace tessera;

Shape tessera::rowMajorStrides(const Shape &shape) {
  Shape strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

/// Calls `row(dense, strided)` with the numbers of the first elements of every
/// row (innermost dimension) of a box of shape `shape`: in the dense tensor and
/// at `layout`.
template <typename Row>
static void forEachRow(const Shape &shape, const StridedLayout &layout,
                       Row row) {
  Shape outer = shape;
  int64_t length = 1;
  if (!outer.empty()) {
    length = outer.back();
    outer.pop_back();
  }
  int64_t dense = 0;
  forEachIndex(outer, [&](const Shape &index) {
    int64_t strided = layout.offset;
    for (size_t dim = 0; dim < index.size(); ++dim)
      strided += index[dim] * layout.strides[dim];
    row(dense, strided);
    dense += length;
  });
}

/// Calls `body` with a null pointer to an integer of `bytes` bytes: what an
/// element looks like to someone who only moves it.
template <typename Body> static void withElementSize(size_t bytes, Body body) {
  switch (bytes) {
  case 1:
    return body(static_cast<uint8_t *>(nullptr));
  case 2:
    return body(static_cast<uint16_t *>(nullptr));
  case 4:
    return body(static_cast<uint32_t *>(nullptr));
  default:
    return body(static_cast<uint64_t *>(nullptr));
  }
}

HostTensor tessera::readStrided(const HostTensor &source, const Shape &shape,
                                const StridedLayout &layout) {
  HostTensor result(source.type(), shape);
  int64_t length = shape.empty() ? 1 : shape.back();
  int64_t stride = shape.empty() ? 1 : layout.strides.back();
  withElementSize(elementSize(source.type()), [&](auto *element) {
    using T = std::remove_pointer_t<decltype(element)>;
    const T *from = source.elements<T>().data();
    T *to = result.elements<T>().data();
    forEachRow(shape, layout, [&](int64_t dense, int64_t strided) {
      if (stride == 1)
        std::memcpy(to + dense, from + strided, length * sizeof(T));
      else
        for (int64_t i = 0; i < length; ++i)
          to[dense + i] = from[strided + i * stride];
    });
  });
  return result;
}

void tessera::writeStrided(const HostTensor &source, HostTensor &target,
                           const StridedLayout &layout) {
  const Shape &shape = source.shape();
  int64_t length = shape.empty() ? 1 : shape.back();
  int64_t stride = shape.empty() ? 1 : layout.strides.back();
  withElementSize(elementSize(source.type()), [&](auto *element) {
    using T = std::remove_pointer_t<decltype(element)>;
    const T *from = source.elements<T>().data();
    T *to = target.elements<T>().data();
    forEachRow(shape, layout, [&](int64_t dense, int64_t strided) {
      for (int64_t i = 0; i < length; ++i)
        to[strided + i * stride] = from[dense + i];
    });
  });
}

/// The layout of a box inside a tensor of shape `whole`.
static StridedLayout boxLayout(const Shape &whole, const Shape &start) {
  StridedLayout layout{0, rowMajorStrides(whole)};
  for (size_t dim = 0; dim < whole.size(); ++dim)
    layout.offset += start[dim] * layout.strides[dim];
  return layout;
}

HostTensor tessera::readBox(const HostTensor &source, const Shape &start,
                            const Shape &shape) {
  return readStrided(source, shape, boxLayout(source.shape(), start));
}

void tessera::writeBox(const HostTensor &box, HostTensor &target,
                       const Shape &start) {
  writeStrided(box, target, boxLayout(target.shape(), start));
}

HostTensor tessera::transpose(const HostTensor &source,
                              const Shape &permutation) {
  Shape strides = rowMajorStrides(source.shape()), shape;
  StridedLayout layout;
  for (int64_t dim : permutation) {
    shape.push_back(source.shape()[dim]);
    layout.strides.push_back(strides[dim]);
  }
  return readStrided(source, shape, layout);
}

HostTensor tessera::reshape(const HostTensor &source, const Shape &shape) {
  HostTensor result(source.type(), shape);
  assert(result.elementCount() == source.elementCount());
  std::memcpy(result.data(), source.data(), source.byteSize());
  return result;
}
