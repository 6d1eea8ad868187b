//===- Exchange.cpp -------------------------------------------------------===//

#include "Exchange.h"

#include "../core/Reduction.h"
#include "tessera/Support/ElementType.h"

#include <algorithm>
#include <cstring>

using namespace tessera;
using namespace tessera::processes;
using runtime::Transfer;

/// An all_reduce in which each member receives at most so many bytes in all is
/// done in one exchange.
static constexpr int64_t oneExchangeBytes = 32 * 1024;

/// What comes from others is aligned to cache lines.
static constexpr int64_t alignment = 64;

static int64_t widthOf(const Transfer &transfer) {
  return elementSize(static_cast<ElementType>(transfer.dtype));
}

static void append(std::vector<Piece> &pieces, const std::byte *data,
                   int64_t bytes) {
  if (bytes > 0)
    pieces.push_back({const_cast<std::byte *>(data), bytes});
}

void Exchange::build(const TesseraCollective &call) {
  self = call.group->position;
  size = call.group->size;
  // Of other members only the places in their buffers count, not the addresses,
  // which are those of this one.
  members.assign(size, call);
  plan.build(members);
  for (std::vector<Route> &ofPhase : routes) {
    ofPhase.resize(size);
    for (Route &route : ofPhase) {
      route.sent.clear();
      route.received.clear();
    }
  }
  pending.clear();
  copies.clear();
  for (const Transfer &transfer : plan.all())
    transfer.from.size() > 1 ? addReduction(transfer) : addCopies(transfer);
  placeScratch();
}

void Exchange::addCopies(const Transfer &transfer) {
  int64_t bytes = transfer.count * widthOf(transfer);
  if (transfer.from.empty()) {
    for (size_t i = 0; i < transfer.to.size(); ++i)
      if (transfer.to[i] == self)
        copies.push_back({nullptr, transfer.destinations[i], bytes});
    return;
  }
  int32_t source = transfer.from.front();
  for (size_t i = 0; i < transfer.to.size(); ++i) {
    int32_t target = transfer.to[i];
    if (source == self && target == self)
      copies.push_back(
          {transfer.sources.front(), transfer.destinations[i], bytes});
    else if (source == self)
      append(routes[0][target].sent, transfer.sources.front(), bytes);
    else if (target == self)
      append(routes[0][source].received, transfer.destinations[i], bytes);
  }
}

void Exchange::reduceAt(int32_t where, const Transfer &transfer, int64_t begin,
                        int64_t end, std::byte *destination) {
  int64_t width = widthOf(transfer);
  if (begin == end)
    return;
  if (where == self)
    pending.push_back({&transfer, begin, end, destination});
  else
    append(routes[0][where].sent, transfer.sources[self] + begin * width,
           (end - begin) * width);
}

void Exchange::addReduction(const Transfer &transfer) {
  // All members are sources, in their order.
  int64_t count = transfer.count, width = widthOf(transfer);
  if (transfer.to.size() == 1)
    return reduceAt(transfer.to.front(), transfer, 0, count,
                    transfer.destinations.front());
  std::byte *result = transfer.destinations[self];
  if (count * width * (size - 1) <= oneExchangeBytes) {
    for (int32_t member = 0; member < size; ++member)
      reduceAt(member, transfer, 0, count, result);
    return;
  }
  int64_t lines = (count + alignment - 1) / alignment;
  auto beginOf = [&](int64_t member) {
    return std::min(count, lines * member / size * alignment);
  };
  for (int32_t member = 0; member < size; ++member) {
    int64_t begin = beginOf(member), end = beginOf(member + 1);
    std::byte *part = result + begin * width;
    reduceAt(member, transfer, begin, end, part);
    if (member != self) {
      append(routes[1][member].received, part, (end - begin) * width);
      continue;
    }
    for (int32_t other = 0; other < size; ++other)
      if (other != self)
        append(routes[1][other].sent, part, (end - begin) * width);
  }
}

/// Behind each other lie, for each part that is reduced here, the ones of all
/// other members; its sources are these and this member's own, in their order.
void Exchange::placeScratch() {
  int64_t needed = 0;
  for (const Pending &part : pending) {
    int64_t bytes = (part.end - part.begin) * widthOf(*part.transfer);
    needed += (size - 1) * ((bytes + alignment - 1) / alignment * alignment);
  }
  if (needed > scratchBytes) {
    scratch = std::make_unique_for_overwrite<std::byte[]>(needed);
    scratchBytes = needed;
  }
  std::byte *next = scratch.get();
  reductions.resize(pending.size());
  for (size_t i = 0; i < pending.size(); ++i) {
    const Pending &part = pending[i];
    const Transfer &transfer = *part.transfer;
    int64_t width = widthOf(transfer), count = part.end - part.begin;
    Reduction &reduction = reductions[i];
    reduction.dtype = transfer.dtype;
    reduction.reduction = transfer.reduction;
    reduction.count = count;
    reduction.destination = part.destination;
    reduction.sources.clear();
    for (int32_t member = 0; member < size; ++member) {
      if (member == self) {
        reduction.sources.push_back(transfer.sources[self] +
                                    part.begin * width);
        continue;
      }
      append(routes[0][member].received, next, count * width);
      reduction.sources.push_back(next);
      next += (count * width + alignment - 1) / alignment * alignment;
    }
  }
}

void Exchange::copyOwn() const {
  for (const Copy &copy : copies)
    if (copy.source)
      std::memmove(copy.destination, copy.source, copy.bytes);
    else
      std::memset(copy.destination, 0, copy.bytes);
}

void Exchange::reduce() const {
  for (const Reduction &each : reductions)
    runtime::reduceInto(each.dtype, each.reduction, each.sources,
                        {&each.destination, 1}, 0, each.count);
}
