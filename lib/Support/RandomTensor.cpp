//===- RandomTensor.cpp ---------------------------------------------------===//

#include "tessera/Support/RandomTensor.h"

#include "tessera/Support/ElementDispatch.h"

using namespace tessera;

uint64_t RandomStream::next() {
  // Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014).
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double RandomStream::nextBell() {
  // Four 16-bit uniform numbers of variance (2^32 - 1) / 12 each.
  uint64_t word = next();
  int64_t sum = 0;
  for (int part = 0; part < 4; ++part)
    sum += static_cast<int64_t>((word >> (16 * part)) & 0xffff);
  return static_cast<double>(2 * sum - 4 * 65535) *
         (1.7320508075688772 / 131072);
}

HostTensor tessera::randomTensor(ElementType type, const Shape &shape,
                                 uint64_t seed, size_t position) {
  HostTensor tensor(type, shape);
  RandomStream stream(seed * 0xd1342543de82ef95u + position);
  dispatchElementType(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (T &element : tensor.elements<T>()) {
      if (isFloatingPoint(type))
        element = elementFromDouble<T>(0.1 * stream.nextBell());
      else
        element = elementFromDouble<T>(static_cast<double>(
            stream.next() >> (type == ElementType::I1 ? 63 : 61)));
    }
  });
  return tensor;
}
