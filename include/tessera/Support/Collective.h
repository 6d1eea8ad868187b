//===- Collective.h - The collectives, in one table -----------------------===//
//
// What compiler, simulator and runtime agree on about collectives. Another one
// is a row here, an operation in `spmd` and one in `rt`, a function of
// runtime.h, and what back ends do for it.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_COLLECTIVE_H
#define TESSERA_SUPPORT_COLLECTIVE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

/// What a group of devices does together with one tensor. The numbers are the
/// codes of the runtime's C ABI (backend.h) and never change.
enum class CollectiveKind : int32_t {
  AllReduce = 0,
  AllGather = 1,
  ReduceScatter = 2,
  AllToAll = 3,
  Permute = 4,
  Broadcast = 5,
};

/// How many kinds there are; their codes are 0 to this number less one.
inline constexpr int32_t collectiveKindCount = 6;

/// A row of the table.
struct CollectiveInfo {
  /// The operation in `spmd` and in `rt`, and the name in traces, reports and
  /// manifests. The runtime's C function is `tessera_rt_` and this name.
  const char *name;
  /// Whether elements of several devices are combined.
  bool isReduction;
  /// Whether the operand has a chunk for each member of the group, and whether
  /// the result has one of each.
  bool splitsOperand, joinsResult;
  /// How often data goes round a ring of all members, a chunk at a time; 0 if
  /// every device only passes its whole operand on.
  int ringPasses;
  /// How often it goes through a tree of all members, where messages count and
  /// bytes do not; 0 if there is one message.
  int treePasses;
};

/// What the table says of `kind`.
const CollectiveInfo &collectiveInfo(CollectiveKind kind);
/// The same by its code in the C ABI, which must be one of the kinds.
const CollectiveInfo &collectiveInfo(int32_t code);

/// The kind of that name, if there is one.
std::optional<CollectiveKind> collectiveFromName(std::string_view name);

/// The bytes one device sends in a collective over `devices` participants, by
/// the usual ring counts. `operandBytes` is the size of one device's operand.
int64_t bytesSent(CollectiveKind kind, int64_t devices, int64_t operandBytes);

/// The rounds of messages that a collective over `devices` participants waits
/// for: logarithmic, as in the algorithms that libraries choose for small
/// tensors, and one for the launch.
int64_t messageRounds(CollectiveKind kind, int64_t devices);

} // namespace tessera

#endif // TESSERA_SUPPORT_COLLECTIVE_H
