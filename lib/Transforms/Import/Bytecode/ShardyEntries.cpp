//===- ShardyEntries.cpp - Shardy's attributes ----------------------------===//
//
// Numbers and fields are those of Shardy's bytecode.td. Each becomes the text
// that Shardy prints; of a part of another one, the text stands in `part<...>`
// until that takes it out.
//
//===----------------------------------------------------------------------===//

#include "Bytecode/Entries.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {

enum ShardyCode : uint64_t {
  kManualAxes,
  kMeshAxis,
  kMesh,
  kSubAxis,
  kAxisRef,
  kDimSharding,
  kSharding,
  kShardingPerValue,
  kDimMapping,
  kTensorMapping,
  kShardingRule,
  kAxisRefList,
  kListOfAxisRefLists,
  kShardingWithUnreduced = 15,
  kShardingPerValueWithUnreduced,
  kShardingWithReduction,
};

/// Reads the parts of one attribute.
class ShardyReader {
public:
  ShardyReader(ByteCursor &cursor, EntryReader &entries)
      : cursor(cursor), entries(entries) {}

  std::string read(uint64_t code);

private:
  std::string quoted(StringRef text) {
    std::string result = "\"";
    llvm::raw_string_ostream out(result);
    llvm::printEscapedString(text, out);
    return result + "\"";
  }
  /// What stands in the angles of the next attribute, called `name`.
  std::string part(StringRef name) {
    return partOf(entries.attribute(cursor), name);
  }
  std::string partOf(Attribute attribute, StringRef name) {
    auto opaque =
        entries.expect<OpaqueAttr>(attribute, "Shardy's " + name.str());
    StringRef text = opaque ? opaque.getAttrData() : StringRef();
    if (opaque &&
        (opaque.getDialectNamespace() != "sdy" || !text.consume_front(name) ||
         !text.consume_front("<") || !text.consume_back(">")))
      cursor.status().fail("expected Shardy's " + name);
    return text.str();
  }
  /// Those of a list, with commas between them.
  std::string parts(StringRef name) {
    std::string list;
    for (uint64_t i = 0, e = cursor.count(); i < e && cursor.ok(); ++i)
      list += (i ? ", " : "") + part(name);
    return list;
  }
  std::string manualAxes();
  std::string mesh();
  std::string dimSharding();
  std::string sharding(uint64_t code);
  std::string shardingPerValue();
  std::string factors(llvm::StringRef between);
  std::string shardingRule();

  ByteCursor &cursor;
  EntryReader &entries;
};

} // namespace

std::string ShardyReader::manualAxes() {
  std::string axes;
  for (uint64_t i = 0, e = cursor.count(); i < e && cursor.ok(); ++i)
    if (auto name = entries.attributeOf<StringAttr>(cursor, "an axis"))
      axes += (i ? ", " : "") + quoted(name);
  return "manual_axes{" + axes + "}";
}

std::string ShardyReader::mesh() {
  std::string text = "mesh<[" + parts("mesh_axis") + "]";
  SmallVector<int64_t> devices = cursor.signedNumbers();
  if (!devices.empty()) {
    text += ", device_ids=[";
    llvm::raw_string_ostream out(text);
    llvm::interleaveComma(devices, out);
    text += "]";
  }
  return text + ">";
}

std::string ShardyReader::dimSharding() {
  std::string axes = parts("axis_ref");
  bool isClosed = cursor.byte(), hasPriority = false;
  uint64_t priority = cursor.flagged(hasPriority);
  std::string open = isClosed ? "" : axes.empty() ? "?" : ", ?";
  return "dimension_sharding<{" + axes + open + "}" +
         (hasPriority ? "p" + std::to_string(priority) : "") + ">";
}

std::string ShardyReader::sharding(uint64_t code) {
  Attribute mesh = entries.attribute(cursor);
  std::string name;
  if (auto symbol = dyn_cast_if_present<FlatSymbolRefAttr>(mesh)) {
    llvm::raw_string_ostream(name) << symbol;
  } else {
    name = "mesh<" + partOf(mesh, "mesh") + ">";
  }
  std::string dims = parts("dimension_sharding");
  std::string replicated = parts("axis_ref"), unreduced, reduction;
  if (code != kSharding)
    unreduced = parts("axis_ref");
  if (code == kShardingWithReduction) {
    int64_t kind = cursor.signedNumber();
    reduction = kind == 1 ? "max" : kind == 2 ? "min" : "";
    if (kind < 0 || kind > 2)
      cursor.status().fail("expected a reduction of Shardy's, got number " +
                           Twine(kind));
  }
  std::string text = "sharding<" + name + ", [" + dims + "]";
  if (!replicated.empty())
    text += ", replicated={" + replicated + "}";
  if (!unreduced.empty())
    text += ", unreduced=" + reduction + "{" + unreduced + "}";
  return text + ">";
}

std::string ShardyReader::shardingPerValue() {
  std::string text = "sharding_per_value<[";
  for (uint64_t i = 0, e = cursor.count(); i < e && cursor.ok(); ++i)
    text += (i ? ", <" : "<") + part("sharding") + ">";
  return text + "]>";
}

/// What Shardy calls factor `index`: i, j, ..., z, z_1, z_2, ...
static std::string factorName(int64_t index) {
  constexpr int64_t kLast = 'z' - 'i';
  return index <= kLast
             ? std::string(1, char('i' + std::max<int64_t>(index, 0)))
             : "z_" + std::to_string(index - kLast);
}

std::string ShardyReader::factors(StringRef between) {
  std::string names;
  for (auto [i, factor] : llvm::enumerate(cursor.signedNumbers()))
    names += (i ? between.str() : "") + factorName(factor);
  return names;
}

std::string ShardyReader::shardingRule() {
  SmallVector<int64_t> sizes = cursor.signedNumbers();
  std::string operands = parts("tensor_mapping");
  std::string results = parts("tensor_mapping");
  std::string text = "op_sharding_rule<(" + operands + ")->(" + results + ")";
  if (!sizes.empty())
    text += " {";
  for (auto [i, size] : llvm::enumerate(sizes))
    text += (i ? ", " : "") + factorName(i) + "=" + std::to_string(size);
  if (!sizes.empty())
    text += "}";
  for (StringRef kind :
       {"reduction", "need_replication", "permutation", "blocked_propagation"})
    if (std::string names = factors(", "); !names.empty())
      text += " " + kind.str() + "={" + names + "}";
  return text + (cursor.byte() ? ", custom>" : ">");
}

std::string ShardyReader::read(uint64_t code) {
  switch (code) {
  case kManualAxes:
    return manualAxes();
  case kMeshAxis: {
    std::string name = quoted(entries.string(cursor));
    return "mesh_axis<" + name + "=" + std::to_string(cursor.signedNumber()) +
           ">";
  }
  case kMesh:
    return mesh();
  case kSubAxis: {
    std::string before = std::to_string(cursor.signedNumber());
    return "sub_axis_info<(" + before + ")" +
           std::to_string(cursor.signedNumber()) + ">";
  }
  case kAxisRef: {
    std::string name = quoted(entries.string(cursor));
    Attribute sub = entries.optionalAttribute(cursor);
    return "axis_ref<" + name +
           (sub ? ":" + partOf(sub, "sub_axis_info") : "") + ">";
  }
  case kDimSharding:
    return dimSharding();
  case kSharding:
  case kShardingWithUnreduced:
  case kShardingWithReduction:
    return sharding(code);
  case kShardingPerValue:
  case kShardingPerValueWithUnreduced:
    return shardingPerValue();
  case kDimMapping:
    return "dim_mapping<" + factors("") + ">";
  case kTensorMapping: {
    std::string dims = parts("dim_mapping");
    return "tensor_mapping<[" + dims + "]>";
  }
  case kShardingRule:
    return shardingRule();
  case kAxisRefList:
    return "axis_ref_list<{" + parts("axis_ref") + "}>";
  case kListOfAxisRefLists:
    return "list_of_axis_ref_lists<[" + parts("axis_ref_list") + "]>";
  default:
    cursor.status().fail("expected an attribute of a sharding, got Shardy's "
                         "number " +
                         Twine(code));
    return {};
  }
}

Attribute tessera::importer::readShardyAttribute(ByteCursor &cursor,
                                                 EntryReader &entries) {
  std::string text = ShardyReader(cursor, entries).read(cursor.number());
  return cursor.ok() ? entries.opaque("sdy", text) : Attribute();
}
