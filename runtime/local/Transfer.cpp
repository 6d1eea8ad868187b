//===- Transfer.cpp -------------------------------------------------------===//

#include "Transfer.h"

#include "../core/CollectiveParts.h"
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

Transfer &TransferPlan::add(const TesseraCollective &call) {
  if (transferCount == transfers.size())
    transfers.emplace_back();
  Transfer &transfer = transfers[transferCount++];
  transfer.sources.clear();
  transfer.destinations.clear();
  transfer.from.clear();
  transfer.to.clear();
  transfer.count = call.count;
  transfer.dtype = call.dtype;
  transfer.reduction = call.reduction;
  return transfer;
}

/// Appends what is combined or copied from where to where; a chunk is one piece
/// of a buffer that has several.
void TransferPlan::addTransfers(std::span<const TesseraCollective> calls) {
  const TesseraCollective &call = calls.front();
  size_t members = calls.size();
  int64_t chunk = chunkBytes(call);
  auto read = [&](Transfer &transfer, size_t member, size_t piece = 0) {
    transfer.sources.push_back(
        static_cast<const std::byte *>(calls[member].in) + piece * chunk);
    transfer.from.push_back(static_cast<int32_t>(member));
  };
  auto write = [&](Transfer &transfer, size_t member, size_t piece = 0) {
    transfer.destinations.push_back(
        static_cast<std::byte *>(calls[member].out) + piece * chunk);
    transfer.to.push_back(static_cast<int32_t>(member));
  };

  switch (call.kind) {
  case TESSERA_ALL_REDUCE: {
    Transfer &transfer = add(call);
    for (size_t i = 0; i < members; ++i) {
      read(transfer, i);
      write(transfer, i);
    }
    break;
  }
  case TESSERA_REDUCE_SCATTER:
    for (size_t to = 0; to < members; ++to) {
      Transfer &transfer = add(call);
      for (size_t from = 0; from < members; ++from)
        read(transfer, from, to);
      write(transfer, to);
    }
    break;
  case TESSERA_ALL_GATHER:
    for (size_t from = 0; from < members; ++from) {
      Transfer &transfer = add(call);
      read(transfer, from);
      for (size_t to = 0; to < members; ++to)
        write(transfer, to, from);
    }
    break;
  case TESSERA_ALL_TO_ALL:
    for (size_t from = 0; from < members; ++from)
      for (size_t to = 0; to < members; ++to) {
        Transfer &transfer = add(call);
        read(transfer, from, to);
        write(transfer, to, from);
      }
    break;
  case TESSERA_PERMUTE:
    for (size_t to = 0; to < members; ++to) {
      Transfer &transfer = add(call);
      write(transfer, to);
      for (size_t from = 0; from < members; ++from)
        if (call.targets[from] == static_cast<int32_t>(to))
          read(transfer, from);
    }
    break;
  case TESSERA_BROADCAST: {
    Transfer &transfer = add(call);
    read(transfer, call.root);
    for (size_t to = 0; to < members; ++to)
      write(transfer, to);
    break;
  }
  }
}

void TransferPlan::build(std::span<const TesseraCollective> calls) {
  transferCount = 0;
  partCount = bytesMoved = 0;
  size_t parts = partsOf(calls.front()).size();
  for (size_t part = 0; part < parts; ++part) {
    members.clear();
    for (const TesseraCollective &call : calls)
      members.push_back(partsOf(call)[part]);
    size_t first = transferCount;
    addTransfers(members);
    cutWork(first);
  }
}

void TransferPlan::cutWork(size_t first) {
  // All transfers of one collective have about as many buffers as the first.
  Transfer &model = transfers[first];
  int64_t buffers = model.sources.size() + model.destinations.size();
  int64_t width = elementSize(static_cast<ElementType>(model.dtype));
  int64_t moved = buffers * model.count * width;
  int64_t partsEach = std::max<int64_t>(1, moved / partTraffic);
  // Whole cache lines, so that parts do not share any.
  int64_t elementsEach =
      ((model.count + partsEach - 1) / partsEach + 63) / 64 * 64;
  for (size_t i = first; i < transferCount; ++i) {
    transfers[i].firstPart = partCount;
    transfers[i].elementsEach = elementsEach;
    partCount += partsEach;
    bytesMoved += moved;
  }
}

void TransferPlan::execute(int64_t part) const {
  auto next =
      std::upper_bound(transfers.begin(), transfers.begin() + transferCount,
                       part, [](int64_t part, const Transfer &transfer) {
                         return part < transfer.firstPart;
                       });
  const Transfer &transfer = *std::prev(next);
  int64_t count = transfer.count;
  int64_t begin =
      std::min(count, (part - transfer.firstPart) * transfer.elementsEach);
  int64_t end = std::min(count, begin + transfer.elementsEach);
  if (transfer.sources.size() > 1)
    return reduceInto(transfer.dtype, transfer.reduction, transfer.sources,
                      transfer.destinations, begin, end);
  int64_t width = elementSize(static_cast<ElementType>(transfer.dtype));
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
