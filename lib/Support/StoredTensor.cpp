//===- StoredTensor.cpp ---------------------------------------------------===//

#include "tessera/Support/StoredTensor.h"

#include <cstring>

using namespace tessera;

StoredTensor::StoredTensor(NamedTensor tensor)
    : name(std::move(tensor.name)), type(tensor.tensor.type()),
      shape(tensor.tensor.shape()), shortType(std::move(tensor.shortType)),
      memory(std::make_shared<HostTensor>(std::move(tensor.tensor))) {}

Fallible<void> StoredTensor::read(int64_t first, int64_t count,
                                  std::byte *into) const {
  uint64_t at = begin + first * elementSize(type);
  uint64_t bytes = count * elementSize(type);
  if (memory) {
    std::memcpy(into, memory->data() + at, bytes);
    return {};
  }
  if (Fallible<void> found = file->seek(at); !found)
    return found;
  if (Fallible<void> got = file->read(into, bytes); !got)
    return got;
  if (type == ElementType::I1)
    for (uint64_t i = 0; i < bytes; ++i)
      into[i] = std::byte(into[i] != std::byte(0));
  return {};
}

Fallible<HostTensor> StoredTensor::readWhole() const {
  HostTensor whole(type, shape);
  if (Fallible<void> done = read(0, whole.elementCount(), whole.data()); !done)
    return done.failure();
  return whole;
}

StoredTensor StoredTensor::slice(int64_t index) const {
  assert(!shape.empty() && index >= 0 && index < shape.front());
  StoredTensor slice = *this;
  slice.shape.erase(slice.shape.begin());
  slice.begin += index * *elementCountOf(slice.shape) * elementSize(type);
  return slice;
}
