//===- HostTensor.cpp -----------------------------------------------------===//

#include "tessera/Support/HostTensor.h"

#include "tessera/Support/ElementDispatch.h"

#include <cstring>
#include <limits>

using namespace tessera;

static constexpr size_t alignment = 64;

std::optional<int64_t> tessera::elementCountOf(const Shape &shape,
                                               size_t elementBytes) {
  // Every prefix of the product counts, also where a later size is zero:
  // strides must fit too.
  int64_t product = 1, bytes = 0;
  for (int64_t size : shape)
    if (size < 0 ||
        (size > 0 && __builtin_mul_overflow(product, size, &product)))
      return std::nullopt;
  if (__builtin_mul_overflow(product, static_cast<int64_t>(elementBytes),
                             &bytes) ||
      bytes >
          std::numeric_limits<int64_t>::max() - static_cast<int64_t>(alignment))
    return std::nullopt;
  for (int64_t size : shape)
    if (size == 0)
      return 0;
  return product;
}

std::string tessera::describeTensorType(ElementType type, const Shape &shape) {
  std::string text(elementTypeName(type));
  text += '[';
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? "x" : "") + std::to_string(shape[i]);
  return text + ']';
}

HostTensor::HostTensor(ElementType type, Shape shape)
    : elementType(type), sizes(std::move(shape)) {
  std::optional<int64_t> elements = elementCountOf(sizes, elementSize(type));
  assert(elements && "a tensor's shape must be valid");
  count = *elements;
  size_t capacity = (byteSize() + alignment) / alignment * alignment;
  bytes.reset(
      static_cast<std::byte *>(std::aligned_alloc(alignment, capacity)));
  if (!bytes)
    std::abort(); // Out of memory: nothing sensible can follow.
  std::memset(bytes.get(), 0, byteSize());
}

HostTensor::HostTensor(const HostTensor &other)
    : HostTensor(other.elementType, other.sizes) {
  std::memcpy(data(), other.data(), byteSize());
}

HostTensor &HostTensor::operator=(const HostTensor &other) {
  if (this != &other)
    *this = HostTensor(other);
  return *this;
}

double HostTensor::toDouble(int64_t index) const {
  return dispatchElementType(elementType, [&](auto tag) {
    return elementToDouble(elements<typename decltype(tag)::Type>()[index]);
  });
}

void HostTensor::setFromDouble(int64_t index, double value) {
  dispatchElementType(elementType, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    elements<T>()[index] = elementFromDouble<T>(value);
  });
}

void HostTensor::normalizeBooleans() {
  if (elementType == ElementType::I1)
    for (uint8_t &element : elements<uint8_t>())
      element = element != 0;
}
