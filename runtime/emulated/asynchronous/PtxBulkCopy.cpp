//===- PtxBulkCopy.cpp - cp.async.bulk ------------------------------------===//
//
// Copies of contiguous bytes and of boxes of tensors (TMA) between global and
// shared memory. A box lies in shared memory row after row, dimension 0
// fastest, each 16-byte chunk where the swizzle puts it. Elements outside of
// the tensor are zero when loaded and left out when stored; they count as bytes
// of the mbarrier all the same.
//
//===----------------------------------------------------------------------===//

#include "asynchronous/PtxAsync.h"
#include "asynchronous/TensorMap.h"

#include <algorithm>
#include <cstring>

using namespace tessera;
using namespace tessera::emulated;

/// Executes an instruction by `start`, which does it for one lane; false after
/// a fault.
template <bool start(Warp &, const Instruction &, unsigned lane)>
static Outcome forEachLane(Warp &warp, const Instruction &instruction,
                           LaneMask lanes) {
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    if ((lanes >> lane & 1) && !start(warp, instruction, lane))
      return Outcome::Fault;
  return Outcome::Continue;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

namespace {

/// Splits the copy of a box into contiguous runs between the tensor and shared
/// memory, checking each access.
class BoxCopy {
public:
  BoxCopy(Warp &warp, unsigned lane, const TensorMap &map,
          const std::array<int64_t, TensorMap::maxRank> &corner,
          uint32_t sharedAddress, bool isLoad)
      : warp(warp), lane(lane), map(map), corner(corner),
        sharedAddress(sharedAddress), isLoad(isLoad) {}

  /// The runs; nothing after a fault.
  std::optional<std::vector<CopyRun>> split() {
    unsigned rows = map.boxBytes() / rowBytes();
    std::array<uint32_t, TensorMap::maxRank> index = {};
    for (unsigned row = 0; row < rows; ++row) {
      if (!addRow(index, sharedAddress + row * rowBytes()))
        return std::nullopt;
      for (unsigned i = 1; i < map.rank; ++i) {
        if (++index[i] < map.boxElements(i))
          break;
        index[i] = 0;
      }
    }
    return std::move(runs);
  }

private:
  uint32_t rowBytes() const { return map.box[0] * map.elementBytes(); }

  /// Adds the row at `index` of the box, which begins at `address` of shared
  /// memory if it is not swizzled.
  bool addRow(const std::array<uint32_t, TensorMap::maxRank> &index,
              uint32_t address) {
    uint64_t global = map.address;
    bool inside = true;
    for (unsigned i = 1; i < map.rank; ++i) {
      int64_t at = corner[i] + int64_t(index[i]) * map.elementStrides[i];
      inside &= at >= 0 && at < int64_t(map.sizes[i]);
      global += inside ? at * map.strides[i] : 0;
    }
    int64_t width = map.box[0], size = static_cast<int64_t>(map.sizes[0]);
    int64_t first = inside ? std::clamp<int64_t>(-corner[0], 0, width) : width;
    int64_t last = std::clamp<int64_t>(size - corner[0], first, width);
    uint32_t elementBytes = map.elementBytes();
    addRun(address, nullptr, first * elementBytes);
    if (last > first) {
      global += (corner[0] + first) * elementBytes;
      std::byte *memory = warp.access(
          Space::Global, lane, global, (last - first) * elementBytes,
          isLoad ? Access::Read : Access::Write, elementBytes);
      if (!memory)
        return false;
      addRun(address + first * elementBytes, memory,
             (last - first) * elementBytes);
    }
    addRun(address + last * elementBytes, nullptr,
           (width - last) * elementBytes);
    return true;
  }

  /// Adds contiguous bytes of the tensor, or of its outside if `memory` is
  /// null, chunk by chunk if chunks are permuted.
  void addRun(uint32_t address, std::byte *memory, uint32_t bytes) {
    if (!memory && !isLoad)
      return;
    while (bytes) {
      uint32_t part = map.swizzle == Swizzle::None
                          ? bytes
                          : std::min(bytes, 16 - address % 16);
      std::byte *shared =
          warp.block().shared().data() + swizzled(address, map.swizzle);
      auto laneIndex = static_cast<uint8_t>(lane);
      bool rounds =
          map.type == TensorMapType::TF32 || map.type == TensorMapType::TF32Ftz;
      if (isLoad)
        runs.push_back({shared, memory, part, laneIndex, rounds});
      else
        runs.push_back({memory, shared, part, laneIndex, rounds});
      address += part;
      memory += memory ? part : 0;
      bytes -= part;
    }
  }

  Warp &warp;
  unsigned lane;
  const TensorMap &map;
  const std::array<int64_t, TensorMap::maxRank> &corner;
  uint32_t sharedAddress;
  bool isLoad;
  std::vector<CopyRun> runs;
};

} // namespace

/// The tensor map at `address`; nothing after a fault.
static std::optional<TensorMap> readTensorMap(Warp &warp,
                                              const Operand &address,
                                              unsigned lane, unsigned rank) {
  uint64_t mapAddress = warp.address(address, lane);
  std::byte *bytes = warp.access(Space::Generic, lane, mapAddress,
                                 TensorMap::byteSize, Access::Read, 64);
  if (!bytes)
    return std::nullopt;
  if ((mapAddress & windowMask) != paramWindow &&
      !warp.block().state<AsyncCopies>().hasAcquiredMap(mapAddress)) {
    warp.fault(lane, "a bulk copy uses a tensor map in global memory that no "
                     "fence.proxy.tensormap of its block has made visible");
    return std::nullopt;
  }
  Fallible<TensorMap> map =
      TensorMap::decode(std::span<const std::byte, TensorMap::byteSize>(
          bytes, TensorMap::byteSize));
  if (!map) {
    warp.fault(lane, map.message());
    return std::nullopt;
  }
  if (map->rank != rank) {
    warp.fault(lane, "expected a tensor map of rank " + std::to_string(rank) +
                         ", got " + std::to_string(map->rank));
    return std::nullopt;
  }
  uint32_t rowBytes = map->box[0] * map->elementBytes();
  if (map->swizzle != Swizzle::None &&
      rowBytes != static_cast<uint32_t>(map->swizzle)) {
    warp.fault(lane, "boxes with rows shorter than their swizzle are not "
                     "emulated");
    return std::nullopt;
  }
  return *map;
}

//===----------------------------------------------------------------------===//
// Loads: the mbarrier completes
//===----------------------------------------------------------------------===//

/// The mbarrier of a load in `lane`, which has to be visible to the
/// asynchronous proxy; nothing after a fault.
static std::optional<uint32_t>
accessLoadBarrier(Warp &warp, const Operand &address, unsigned lane) {
  auto &async = warp.block().state<AsyncCopies>();
  std::optional<uint32_t> offset =
      accessMbarrier(warp, Space::Shared, address, lane);
  if (offset && async.barrier(*offset)->fences == async.fences()) {
    warp.fault(lane, "a bulk copy uses an mbarrier whose initialisation no "
                     "fence.mbarrier_init or fence.proxy.async has made "
                     "visible");
    return std::nullopt;
  }
  return offset;
}

/// The range of shared memory that a bulk copy of this warp writes or reads.
static std::byte *accessShared(Warp &warp, const Operand &address,
                               unsigned lane, uint32_t bytes, Access access,
                               unsigned alignment) {
  auto &async = warp.block().state<AsyncCopies>();
  if (access == Access::Write)
    async.beginWrite(warp);
  else
    async.beginProxyRead(warp);
  return warp.accessAs(asynchronousAgent(warp.index()), Space::Shared, lane,
                       warp.address(address, lane), bytes, access, alignment);
}

/// Operands: [shared], [map, {corner}], [mbarrier]; `data[0]` the rank.
static bool loadTensor(Warp &warp, const Instruction &instruction,
                       unsigned lane) {
  auto &async = warp.block().state<AsyncCopies>();
  unsigned rank = instruction.data[0];
  std::optional<TensorMap> map =
      readTensorMap(warp, instruction[1], lane, rank);
  if (!map)
    return false;
  std::array<int64_t, TensorMap::maxRank> corner = {};
  for (unsigned i = 0; i < rank; ++i)
    corner[i] = warp.lanes<int32_t>(instruction[2 + i])[lane];
  std::optional<uint32_t> barrier =
      accessLoadBarrier(warp, instruction[2 + rank], lane);
  if (!barrier)
    return false;
  std::byte *shared = accessShared(warp, instruction[0], lane, map->boxBytes(),
                                   Access::Write, 128);
  if (!shared)
    return false;
  std::optional<std::vector<CopyRun>> runs =
      BoxCopy(warp, lane, *map, corner, sharedOffset(warp, shared), true)
          .split();
  if (!runs)
    return false;
  async.load(*barrier, map->boxBytes(), async.asyncClock(warp),
             std::move(*runs));
  return true;
}

/// The bytes of a plain bulk copy; nothing after a fault.
static std::optional<uint32_t> bulkBytes(Warp &warp, const Operand &operand,
                                         unsigned lane) {
  uint32_t bytes = warp.lanes<uint32_t>(operand)[lane];
  if (bytes % 16 == 0)
    return bytes;
  warp.fault(lane, "expected a bulk copy of a multiple of 16 bytes, got " +
                       std::to_string(bytes));
  return std::nullopt;
}

/// Operands: [shared], [global], bytes, [mbarrier].
static bool loadBytes(Warp &warp, const Instruction &instruction,
                      unsigned lane) {
  auto &async = warp.block().state<AsyncCopies>();
  std::optional<uint32_t> bytes = bulkBytes(warp, instruction[2], lane);
  if (!bytes)
    return false;
  std::optional<uint32_t> barrier =
      accessLoadBarrier(warp, instruction[3], lane);
  if (!barrier)
    return false;
  std::byte *to =
      accessShared(warp, instruction[0], lane, *bytes, Access::Write, 16);
  if (!to)
    return false;
  std::byte *from =
      warp.access(Space::Global, lane, warp.address(instruction[1], lane),
                  *bytes, Access::Read, 16);
  if (!from)
    return false;
  async.load(*barrier, *bytes, async.asyncClock(warp),
             {{to, from, *bytes, static_cast<uint8_t>(lane)}});
  return true;
}

//===----------------------------------------------------------------------===//
// Stores: groups
//===----------------------------------------------------------------------===//

/// Operands: [map, {corner}], [shared]; `data[0]` the rank.
static bool storeTensor(Warp &warp, const Instruction &instruction,
                        unsigned lane) {
  auto &async = warp.block().state<AsyncCopies>();
  unsigned rank = instruction.data[0];
  std::optional<TensorMap> map =
      readTensorMap(warp, instruction[0], lane, rank);
  if (!map)
    return false;
  std::array<int64_t, TensorMap::maxRank> corner = {};
  for (unsigned i = 0; i < rank; ++i)
    corner[i] = warp.lanes<int32_t>(instruction[1 + i])[lane];
  std::byte *shared = accessShared(warp, instruction[1 + rank], lane,
                                   map->boxBytes(), Access::Read, 128);
  if (!shared)
    return false;
  std::optional<std::vector<CopyRun>> runs =
      BoxCopy(warp, lane, *map, corner, sharedOffset(warp, shared), false)
          .split();
  if (!runs)
    return false;
  for (const CopyRun &run : *runs)
    async.stores(warp).start(run);
  return true;
}

/// Operands: [global], [shared], bytes.
static bool storeBytes(Warp &warp, const Instruction &instruction,
                       unsigned lane) {
  auto &async = warp.block().state<AsyncCopies>();
  std::optional<uint32_t> bytes = bulkBytes(warp, instruction[2], lane);
  if (!bytes)
    return false;
  std::byte *from =
      accessShared(warp, instruction[1], lane, *bytes, Access::Read, 16);
  if (!from)
    return false;
  std::byte *to =
      warp.access(Space::Global, lane, warp.address(instruction[0], lane),
                  *bytes, Access::Write, 16);
  if (!to)
    return false;
  async.stores(warp).start({to, from, *bytes, static_cast<uint8_t>(lane)});
  return true;
}

static Outcome commitStores(Warp &warp, const Instruction &, LaneMask lanes) {
  auto &async = warp.block().state<AsyncCopies>();
  async.stores(warp).commit(lanes, async.asyncClock(warp));
  return Outcome::Continue;
}

/// With and without .read: global memory changes as soon as the shared memory
/// has been read.
static Outcome waitStores(Warp &warp, const Instruction &instruction,
                          LaneMask lanes) {
  auto &async = warp.block().state<AsyncCopies>();
  Clock clock;
  async.stores(warp).wait(lanes, instruction.data[0], clock);
  warp.block().races().acquire(warp.index(), clock);
  return Outcome::Continue;
}

static Outcome doNothing(Warp &, const Instruction &, LaneMask) {
  return Outcome::Continue;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static void takeHint(Decoding &d, bool hasHint) {
  if (hasHint)
    d.input(Type::B64);
}

static void decodePrefetch(Decoding &d, unsigned rank) {
  d.expect("L2");
  d.expect("global");
  bool hasHint = d.take("L2::cache_hint");
  d.address(Space::Generic);
  if (rank)
    d.inputs(rank, Type::S32);
  else
    d.input(Type::U32);
  takeHint(d, hasHint);
  d.handle(doNothing);
}

static void decodeLoad(Decoding &d, unsigned rank) {
  d.expect("mbarrier::complete_tx::bytes");
  bool hasHint = d.take("L2::cache_hint");
  d.address(Space::Shared);
  d.address(rank ? Space::Generic : Space::Global);
  if (rank)
    d.inputs(rank, Type::S32);
  else
    d.input(Type::U32);
  d.address(Space::Shared);
  takeHint(d, hasHint);
  d.handle(rank ? forEachLane<loadTensor> : forEachLane<loadBytes>);
}

static void decodeStore(Decoding &d, unsigned rank) {
  bool hasHint = d.take("L2::cache_hint");
  d.address(rank ? Space::Generic : Space::Global);
  if (rank)
    d.inputs(rank, Type::S32);
  d.address(Space::Shared);
  if (!rank)
    d.input(Type::U32);
  takeHint(d, hasHint);
  d.handle(rank ? forEachLane<storeTensor> : forEachLane<storeBytes>);
}

void emulated::decodeBulkCopy(Decoding &d) {
  if (d.take("commit_group"))
    return d.handle(commitStores);
  if (d.take("wait_group")) {
    d.take("read");
    d.instruction.data[0] = static_cast<uint32_t>(d.immediate());
    return d.handle(waitStores);
  }
  bool prefetches = d.take("prefetch");
  unsigned rank = 0;
  if (d.take("tensor")) {
    rank = d.takeOneOf({"1d", "2d", "3d", "4d", "5d"}) + 1;
    if (rank == 0)
      d.fail("expected a rank from 1d to 5d");
    d.take("tile");
  }
  d.instruction.data[0] = rank;
  if (prefetches)
    return decodePrefetch(d, rank);
  takeSharedSpace(d);
  d.expect("global");
  return d.take("bulk_group") ? decodeStore(d, rank) : decodeLoad(d, rank);
}
