//===- Collective.cpp - The collectives, in one table ---------------------===//

#include "tessera/Support/Collective.h"

#include <bit>

using namespace tessera;

/// In the order of their codes.
static constexpr CollectiveInfo kTable[collectiveKindCount] = {
    // name, is reduction, splits operand, joins result, ring, tree
    {"all_reduce", true, false, false, 2, 2},
    {"all_gather", false, false, true, 1, 1},
    {"reduce_scatter", true, true, false, 1, 1},
    {"all_to_all", false, true, true, 1, 1},
    {"permute", false, false, false, 0, 0},
    {"broadcast", false, false, false, 0, 1},
};

const CollectiveInfo &tessera::collectiveInfo(int32_t code) {
  return kTable[code];
}

const CollectiveInfo &tessera::collectiveInfo(CollectiveKind kind) {
  return collectiveInfo(static_cast<int32_t>(kind));
}

std::optional<CollectiveKind>
tessera::collectiveFromName(std::string_view name) {
  for (int32_t code = 0; code < collectiveKindCount; ++code)
    if (name == kTable[code].name)
      return static_cast<CollectiveKind>(code);
  return std::nullopt;
}

int64_t tessera::bytesSent(CollectiveKind kind, int64_t devices,
                           int64_t operandBytes) {
  const CollectiveInfo &info = collectiveInfo(kind);
  if (info.ringPasses == 0)
    return operandBytes;
  // What is gathered is a chunk already.
  int64_t chunks = info.joinsResult && !info.splitsOperand ? 1 : devices;
  return info.ringPasses * (devices - 1) * operandBytes / chunks;
}

int64_t tessera::messageRounds(CollectiveKind kind, int64_t devices) {
  int passes = collectiveInfo(kind).treePasses;
  auto depth = std::bit_width(static_cast<uint64_t>(devices) - 1);
  return passes == 0 ? 2 : 1 + int64_t(passes) * depth;
}
