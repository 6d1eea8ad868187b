//===- Parameters.cpp - Types, shards and shardings for JAX ---------------===//
//
// A sharding is told as OpenXLA's OpSharding: how many tiles there are along
// each dimension, and which device has which tile, one after the other; devices
// with equal tiles stand next to each other, along a dimension of their own.
//
//===----------------------------------------------------------------------===//

#include "Parameters.h"

#include "../core/program/Manifest.h"

#include <map>

#include <nlohmann/json.hpp>

using namespace tessera;
using namespace tessera::pjrt;
using runtime::ManifestTensor;
using runtime::ShardLayout;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
static void putVarint(std::string &message, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    message.push_back(static_cast<char>(value | 0x80));
  message.push_back(static_cast<char>(value));
}

void pjrt::putNumber(std::string &message, int field, uint64_t value) {
  putVarint(message, field << 3);
  putVarint(message, value);
}

void pjrt::putBytes(std::string &message, int field, const std::string &value) {
  putVarint(message, field << 3 | 2);
  putVarint(message, value.size());
  message += value;
}

void pjrt::putNumbers(std::string &message, int field,
                      const std::vector<int64_t> &values) {
  std::string packed;
  for (int64_t value : values)
    putVarint(packed, value);
  putBytes(message, field, packed);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The type by the name that a manifest gives it.
static Type typeNamed(const std::string &name) {
  static const std::map<std::string, Type> types = {
      {"i1", Type::Pred},
      {"i8", Type::S8},
      {"i16", Type::S16},
      {"i32", Type::S32},
      {"i64", Type::S64},
      {"u8", Type::U8},
      {"u16", Type::U16},
      {"u32", Type::U32},
      {"u64", Type::U64},
      {"f16", Type::F16},
      {"bf16", Type::BF16},
      {"f32", Type::F32},
      {"f64", Type::F64},
      {"c64", Type::C64},
      {"c128", Type::C128},
      {"i4", Type::S4},
      {"u4", Type::U4},
      {"i2", Type::S2},
      {"u2", Type::U2},
      {"ui4", Type::U4},
      {"ui2", Type::U2},
      {"f8E5M2", Type::F8E5M2},
      {"f8E4M3FN", Type::F8E4M3FN},
      {"f8E4M3", Type::F8E4M3},
      {"f8E3M4", Type::F8E3M4},
      {"f8E8M0FNU", Type::F8E8M0FNU},
      {"f4E2M1FN", Type::F4E2M1FN},
      {"f8E5M2FNUZ", Type::F8E5M2FNUZ},
      {"f8E4M3FNUZ", Type::F8E4M3FNUZ},
      {"f8E4M3B11FNUZ", Type::F8E4M3B11FNUZ}};
  auto found = types.find(name);
  if (found == types.end())
    throw Refusal(Code::Unimplemented,
                  "expected a type that JAX has, got '" + name + "'");
  return found->second;
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

/// Whether no rank's part is padded; some may be nothing else.
static bool hasEqualParts(const ShardLayout &layout, int32_t ranks) {
  for (size_t dim = 0; dim < layout.globalShape().size(); ++dim)
    for (int32_t rank = 0; rank < ranks; ++rank)
      if (layout.offsetsOf(rank)[dim] + layout.localShape()[dim] >
          layout.globalShape()[dim])
        return false;
  return true;
}

/// The OpSharding of tensors of `rank` dimensions with a layout of equal parts.
/// The empty message says that every device has the whole.
static std::string shardingProto(const ShardLayout &layout, size_t rank,
                                 int32_t ranks) {
  enum { kKind = 1, kDims = 3, kDevices = 4, kGroups = 8 };
  enum Group : int64_t { kReplicated = 0, kOther = 3, kUnreduced = 6 };
  int32_t summands = layout.summands();
  // Tiles in the order of their places: of each summand who has it.
  std::map<Shape, std::vector<std::vector<int64_t>>> tiles;
  for (int32_t device = 0; device < ranks; ++device) {
    auto &holders = tiles[layout.offsetsOf(device)];
    holders.resize(summands);
    holders[layout.summandOf(device)].push_back(device);
  }
  if (tiles.size() <= 1 && summands == 1)
    return {};
  std::vector<int64_t> dims, devices, groups;
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t local = layout.localShape()[dim];
    dims.push_back(local ? layout.globalShape()[dim] / local : 1);
  }
  size_t copies = tiles.begin()->second[0].size();
  if (copies > 1) {
    dims.push_back(static_cast<int64_t>(copies));
    groups.push_back(kReplicated);
  }
  if (summands > 1) {
    dims.push_back(summands);
    groups.push_back(kUnreduced);
  }
  for (const auto &[place, holders] : tiles)
    for (size_t copy = 0; copy < copies; ++copy)
      for (const std::vector<int64_t> &ofSummand : holders)
        devices.push_back(ofSummand[copy]);
  std::string message;
  putNumber(message, kKind, kOther);
  putNumbers(message, kDims, dims);
  putNumbers(message, kDevices, devices);
  putNumbers(message, kGroups, groups);
  return message;
}

Parameter pjrt::makeParameter(const ManifestTensor &tensor,
                              const nlohmann::json &json, int32_t ranks) {
  Parameter parameter;
  auto name = json.at("dtype").get<std::string>();
  if (auto found = json.find("short_type"); found != json.end())
    name = found->get<std::string>();
  bool isComplex = json.value("complex", false);
  if (isComplex)
    name = name == "f64" ? "c128" : "c64";
  parameter.type = typeNamed(name);
  parameter.isWhole = ranks > 1 && !hasEqualParts(tensor.layout, ranks);
  parameter.dims = parameter.isWhole ? tensor.layout.globalShape()
                                     : tensor.layout.localShape();
  parameter.bytes =
      parameter.isWhole ? tensor.globalBytes() : tensor.localBytes();
  if (isComplex) // Their parts lie along a last dimension.
    parameter.dims.pop_back();
  if (!parameter.isWhole)
    parameter.sharding =
        shardingProto(tensor.layout, parameter.dims.size(), ranks);
  parameter.donation = tensor.donation.value_or(-1);
  return parameter;
}
