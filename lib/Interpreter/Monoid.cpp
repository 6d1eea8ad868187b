//===- Monoid.cpp - Named reductions --------------------------------------===//

#include "Monoid.h"

#include <algorithm>

using namespace tessera;

HostTensor tessera::neutralTensor(ReductionKind kind, ElementType type,
                                  const Shape &shape) {
  HostTensor tensor(type, shape);
  dispatchStorage(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    std::ranges::fill(tensor.elements<T>(), neutralElement<T>(kind));
  });
  return tensor;
}

void tessera::combineInto(ReductionKind kind, HostTensor &target,
                          const HostTensor &source) {
  assert(target.shape() == source.shape() && target.type() == source.type());
  dispatchStorage(target.type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    std::span<T> a = target.elements<T>();
    std::span<const T> b = source.elements<T>();
    for (size_t i = 0; i < a.size(); ++i)
      a[i] = store<T>(combine(kind, load(a[i]), load(b[i])));
  });
}
