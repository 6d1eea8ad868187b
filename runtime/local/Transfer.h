//===- Transfer.h - What a collective moves -------------------------------===//
//
// Every collective is a list of transfers, each of which reads some buffers of
// the group's members and writes some:
//
//   all_reduce      one: the sum of everybody's input to everybody's output
//   reduce_scatter  one per member: the sum of everybody's chunk i to member i
//   all_gather      one per member: its input to chunk i of everybody's output
//   all_to_all      one per pair of members: a chunk from one to the other
//   permute         one per member: from its sender to it, or zeros
//   broadcast       one: the root's input to everybody's output
//
// Transfers write disjoint memory, and so do ranges of elements of one
// transfer, therefore any member can do any part of the work, at any time
// between the moment when all have arrived and the moment when the first one
// leaves.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_LOCAL_TRANSFER_H
#define TESSERA_RUNTIME_LOCAL_TRANSFER_H

#include "tessera/backend.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tessera::runtime {

/// Writes the reduction of all sources (or the only one, or zeros if none) to
/// all destinations.
struct Transfer {
  std::vector<const std::byte *> sources;
  std::vector<std::byte *> destinations;
  /// Whose they are, in the same order.
  std::vector<int32_t> from, to;
  int64_t count = 0; ///< Elements of each of them.
  int32_t dtype = 0, reduction = 0;
  int64_t firstPart = 0;    ///< Where its parts of the work begin.
  int64_t elementsEach = 0; ///< Elements of each part of the work but the last.
};

/// The transfers of a call of collectives.
class TransferPlan {
public:
  /// Replaces the plan by that of a collective; `calls` are those of the
  /// members, in group order, and agree.
  void build(std::span<const TesseraCollective> calls);

  /// The work is `parts()` independent parts of similar size.
  int64_t parts() const { return partCount; }
  void execute(int64_t part) const;

  /// All of them, in an order that depends only on what members agree on.
  std::span<const Transfer> all() const {
    return std::span(transfers).first(transferCount);
  }

  /// Bytes read and written in all.
  int64_t traffic() const { return bytesMoved; }

private:
  /// The next unused transfer, emptied, of chunks as `call` has; memory of
  /// former plans is reused.
  Transfer &add(const TesseraCollective &call);
  /// Those of the header's table, for one collective, of which each member made
  /// one of `calls`.
  void addTransfers(std::span<const TesseraCollective> calls);
  /// Cuts the work of the transfers from number `first` on.
  void cutWork(size_t first);

  std::vector<Transfer> transfers;
  size_t transferCount = 0;
  int64_t partCount = 0;
  int64_t bytesMoved = 0;
  /// One part of a combined call, by member.
  std::vector<TesseraCollective> members;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_LOCAL_TRANSFER_H
