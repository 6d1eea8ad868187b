//===- JaxExport.cpp - files that jax.export wrote ------------------------===//
//
// A flatbuffer (https://flatbuffers.dev/internals): a table has, before it, a
// list of the distances of its fields, and a field that is a vector has the
// distance of that. Field 13 of the table at the root is the module, in all
// versions of the schema (jax/_src/export/serialization.fbs).
//
//===----------------------------------------------------------------------===//

#include "Bytecode/BytecodeFile.h"
#include "Bytecode/PortableModel.h"

#include "llvm/Support/Endian.h"

using namespace tessera;
using namespace tessera::importer;
using llvm::StringRef;

static constexpr uint64_t kModuleField = 13;

/// The number at `place`; nothing beyond the end.
template <typename T>
static std::optional<T> numberAt(StringRef bytes, uint64_t place) {
  if (place > bytes.size() || bytes.size() - place < sizeof(T))
    return std::nullopt;
  return llvm::support::endian::read<T, llvm::endianness::little>(bytes.data() +
                                                                  place);
}

/// Where that is to which the distance at `place` leads.
static std::optional<uint64_t> follow(StringRef bytes, uint64_t place) {
  std::optional<uint32_t> distance = numberAt<uint32_t>(bytes, place);
  if (!distance || *distance == 0)
    return std::nullopt;
  return place + *distance;
}

/// Where field `index` of the table at `table` is.
static std::optional<uint64_t> findField(StringRef bytes, uint64_t table,
                                         uint64_t index) {
  std::optional<int32_t> back = numberAt<int32_t>(bytes, table);
  if (!back || int64_t(table) - *back < 0)
    return std::nullopt;
  uint64_t list = int64_t(table) - *back, place = 4 + 2 * index;
  std::optional<uint16_t> size = numberAt<uint16_t>(bytes, list);
  if (!size || place + 2 > *size)
    return std::nullopt;
  std::optional<uint16_t> distance = numberAt<uint16_t>(bytes, list + place);
  if (!distance || *distance == 0)
    return std::nullopt;
  return table + *distance;
}

StringRef tessera::importer::findExportedModule(StringRef contents) {
  std::optional<uint64_t> root = follow(contents, 0);
  std::optional<uint64_t> field =
      root ? findField(contents, *root, kModuleField) : std::nullopt;
  std::optional<uint64_t> vector =
      field ? follow(contents, *field) : std::nullopt;
  std::optional<uint32_t> size =
      vector ? numberAt<uint32_t>(contents, *vector) : std::nullopt;
  if (!size || *vector + 4 + *size > contents.size())
    return {};
  StringRef module = contents.substr(*vector + 4, *size);
  return isBytecode(module) ? module : StringRef();
}
