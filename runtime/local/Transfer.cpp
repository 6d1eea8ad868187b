//===- Transfer.cpp -------------------------------------------------------===//

#include "Transfer.h"

#include "../core/Reduction.h"
#include "tessera/Support/ElementType.h"

#include <algorithm>
#include <cstring>

using namespace tessera;
using namespace tessera::runtime;

/// Bytes that a part reads and writes, about: large enough to pay for claiming
/// it, small enough to share the work of middling messages, and within a
/// second-level cache.
static constexpr int64_t partTraffic = 256 * 1024;

Transfer &TransferPlan::add() {
  if (transferCount == transfers.size())
    transfers.emplace_back();
  Transfer &transfer = transfers[transferCount++];
  transfer.sources.clear();
  transfer.destinations.clear();
  return transfer;
}

/// Appends for one collective, of which each member made one of `calls`, what
/// is combined or copied from where to where; `chunk` is the size in bytes of
/// one piece of a buffer that has several.
void TransferPlan::addTransfers(std::span<const TesseraCollective> calls,
                                int64_t chunk) {
  const TesseraCollective &call = calls.front();
  size_t members = calls.size();
  auto in = [&](size_t member, size_t piece = 0) {
    return static_cast<const std::byte *>(calls[member].in) + piece * chunk;
  };
  auto out = [&](size_t member, size_t piece = 0) {
    return static_cast<std::byte *>(calls[member].out) + piece * chunk;
  };

  switch (call.kind) {
  case TESSERA_ALL_REDUCE: {
    Transfer &transfer = add();
    for (size_t i = 0; i < members; ++i) {
      transfer.sources.push_back(in(i));
      transfer.destinations.push_back(out(i));
    }
    break;
  }
  case TESSERA_REDUCE_SCATTER:
    for (size_t to = 0; to < members; ++to) {
      Transfer &transfer = add();
      for (size_t from = 0; from < members; ++from)
        transfer.sources.push_back(in(from, to));
      transfer.destinations.push_back(out(to));
    }
    break;
  case TESSERA_ALL_GATHER:
    for (size_t from = 0; from < members; ++from) {
      Transfer &transfer = add();
      transfer.sources.push_back(in(from));
      for (size_t to = 0; to < members; ++to)
        transfer.destinations.push_back(out(to, from));
    }
    break;
  case TESSERA_ALL_TO_ALL:
    for (size_t from = 0; from < members; ++from)
      for (size_t to = 0; to < members; ++to) {
        Transfer &transfer = add();
        transfer.sources.push_back(in(from, to));
        transfer.destinations.push_back(out(to, from));
      }
    break;
  case TESSERA_PERMUTE:
    for (size_t to = 0; to < members; ++to) {
      Transfer &transfer = add();
      transfer.destinations.push_back(out(to));
      for (size_t from = 0; from < members; ++from)
        if (call.targets[from] == static_cast<int32_t>(to))
          transfer.sources.push_back(in(from));
    }
    break;
  case TESSERA_BROADCAST: {
    Transfer &transfer = add();
    transfer.sources.push_back(in(call.root));
    for (size_t to = 0; to < members; ++to)
      transfer.destinations.push_back(out(to));
    break;
  }
  }
}

void TransferPlan::build(std::span<const TesseraCollective> calls) {
  const TesseraCollective &call = calls.front();
  count = call.count;
  dtype = call.dtype;
  reduction = call.reduction;
  transferCount = 0;
  int64_t chunk = count * elementSize(static_cast<ElementType>(dtype));
  addTransfers(calls, chunk);

  // All transfers of one collective have about as many buffers as the first.
  int64_t buffers =
      transfers.front().sources.size() + transfers.front().destinations.size();
  bytesMoved = static_cast<int64_t>(transferCount) * buffers * chunk;
  partsEach = std::max<int64_t>(1, buffers * chunk / partTraffic);
  // Whole cache lines, so that parts do not share any.
  elementsEach = ((count + partsEach - 1) / partsEach + 63) / 64 * 64;
}

void TransferPlan::execute(int64_t part) const {
  const Transfer &transfer = transfers[part / partsEach];
  int64_t begin = std::min(count, part % partsEach * elementsEach);
  int64_t end = std::min(count, begin + elementsEach);
  if (transfer.sources.size() > 1)
    return reduceInto(dtype, reduction, transfer.sources, transfer.destinations,
                      begin, end);
  int64_t width = elementSize(static_cast<ElementType>(dtype));
  size_t bytes = (end - begin) * width;
  for (std::byte *destination : transfer.destinations) {
    if (transfer.sources.empty())
      std::memset(destination + begin * width, 0, bytes);
    else
      // memmove, because an all-reduce of one member may be in place.
      std::memmove(destination + begin * width,
                   transfer.sources.front() + begin * width, bytes);
  }
}
