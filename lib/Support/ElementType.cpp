//===- ElementType.cpp ----------------------------------------------------===//

#include "tessera/Support/ElementType.h"

using namespace tessera;

namespace {
struct ElementTypeInfo {
  std::string_view name;
  size_t size;
};
} // namespace

/// Indexed by the element type's code.
static constexpr ElementTypeInfo infos[elementTypeCount] = {
    {"i1", 1},   {"i8", 1},  {"i16", 2}, {"i32", 4}, {"i64", 8},
    {"u8", 1},   {"u16", 2}, {"u32", 4}, {"u64", 8}, {"f16", 2},
    {"bf16", 2}, {"f32", 4}, {"f64", 8}};

size_t tessera::elementSize(ElementType type) {
  return infos[static_cast<int32_t>(type)].size;
}

std::string_view tessera::elementTypeName(ElementType type) {
  return infos[static_cast<int32_t>(type)].name;
}

std::optional<ElementType> tessera::elementTypeFromName(std::string_view name) {
  for (int32_t code = 0; code < elementTypeCount; ++code)
    if (infos[code].name == name)
      return static_cast<ElementType>(code);
  return std::nullopt;
}

bool tessera::isFloatingPoint(ElementType type) {
  return type >= ElementType::F16;
}

bool tessera::isUnsignedInteger(ElementType type) {
  return type == ElementType::I1 ||
         (type >= ElementType::U8 && type <= ElementType::U64);
}
