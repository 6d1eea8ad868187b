//===- HostTensor.h - A dense tensor in main memory -----------------------===//

#ifndef TESSERA_SUPPORT_HOSTTENSOR_H
#define TESSERA_SUPPORT_HOSTTENSOR_H

#include "tessera/Support/ElementType.h"
#include "tessera/Support/Fallible.h"

#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tessera {

/// The sizes of a tensor's dimensions, outermost first; none for a scalar.
using Shape = std::vector<int64_t>;

/// The product of the sizes (1 for a scalar), or nothing where a size is
/// negative or the product times `elementBytes` does not fit in an int64_t.
std::optional<int64_t> elementCountOf(const Shape &shape,
                                      size_t elementBytes = 1);

/// `f32[2x3]`, `i32[]`: how diagnostics show a tensor's type.
std::string describeTensorType(ElementType type, const Shape &shape);

/// A dense row-major tensor that owns its elements, 64-byte aligned, in the
/// machine's byte order.
class HostTensor {
public:
  /// A scalar f32 zero.
  HostTensor() : HostTensor(ElementType::F32, {}) {}

  /// All zeros. The shape must be one that `elementCountOf` accepts.
  HostTensor(ElementType type, Shape shape);

  HostTensor(const HostTensor &other);
  HostTensor &operator=(const HostTensor &other);
  HostTensor(HostTensor &&) = default;
  HostTensor &operator=(HostTensor &&) = default;

  ElementType type() const { return elementType; }
  const Shape &shape() const { return sizes; }
  int64_t elementCount() const { return count; }
  size_t byteSize() const {
    return static_cast<size_t>(count) * elementSize(elementType);
  }

  std::byte *data() { return bytes.get(); }
  const std::byte *data() const { return bytes.get(); }

  /// The elements as `T`, whose size must be the element size (`Float16` and
  /// `BFloat16` for the halves).
  template <typename T> std::span<T> elements() {
    assert(sizeof(T) == elementSize(elementType));
    return {reinterpret_cast<T *>(data()), static_cast<size_t>(count)};
  }
  template <typename T> std::span<const T> elements() const {
    return const_cast<HostTensor *>(this)->elements<const T>();
  }

  /// Element `index` in row-major order, converted to double (64-bit integers
  /// may round).
  double toDouble(int64_t index) const;

  /// Sets element `index` to `value`: rounded to nearest for floats, truncated
  /// for integers, `value != 0` for i1.
  void setFromDouble(int64_t index, double value);

  /// Makes every non-zero i1 a 1, as the runtime expects; other types stay as
  /// they are.
  void normalizeBooleans();

  /// `f32[2x3]`.
  std::string describeType() const {
    return describeTensorType(elementType, sizes);
  }

private:
  struct Free {
    void operator()(std::byte *pointer) const { std::free(pointer); }
  };
  ElementType elementType;
  Shape sizes;
  int64_t count;
  std::unique_ptr<std::byte, Free> bytes;
};

/// A tensor as it stands in a file.
struct NamedTensor {
  std::string name;
  HostTensor tensor;
  /// Where the tensor is bytes that are floats of fewer bits in the file: their
  /// type, as `tessera.short_type` names it.
  std::string shortType = {};
};

} // namespace tessera

#endif // TESSERA_SUPPORT_HOSTTENSOR_H
