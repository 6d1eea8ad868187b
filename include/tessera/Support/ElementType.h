//===- ElementType.h - The element types of tensors outside the compiler --===//

#ifndef TESSERA_SUPPORT_ELEMENTTYPE_H
#define TESSERA_SUPPORT_ELEMENTTYPE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

/// An element type; the numbers are the `dtype` codes of the runtime's C ABI
/// and never change. Unlike in the IR, where integers are signless, signed and
/// unsigned integers differ here, as they do in files.
enum class ElementType : int32_t {
  I1 = 0, ///< One byte, 0 or 1.
  I8 = 1,
  I16 = 2,
  I32 = 3,
  I64 = 4,
  U8 = 5,
  U16 = 6,
  U32 = 7,
  U64 = 8,
  F16 = 9,
  BF16 = 10,
  F32 = 11,
  F64 = 12,
};

/// How many element types there are; their codes are 0 to this number less one.
inline constexpr int32_t elementTypeCount = 13;

/// Bytes of one element.
size_t elementSize(ElementType type);

/// The name in manifests, reports and diagnostics: `i1`, `u8`, `bf16`, `f32`,
/// ...
std::string_view elementTypeName(ElementType type);

/// The type of that name, if there is one.
std::optional<ElementType> elementTypeFromName(std::string_view name);

/// f16, bf16, f32 or f64.
bool isFloatingPoint(ElementType type);

/// i1 and u8 to u64.
bool isUnsignedInteger(ElementType type);

} // namespace tessera

#endif // TESSERA_SUPPORT_ELEMENTTYPE_H
