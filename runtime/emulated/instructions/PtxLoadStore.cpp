//===- PtxLoadStore.cpp - Loads, stores and prefetches --------------------===//

#include "instructions/PtxAccessModes.h"
#include "instructions/PtxLanes.h"

#include <bit>
#include <cstring>

using namespace tessera;
using namespace tessera::emulated;

bool emulated::takeSemantics(Decoding &d) {
  bool strong = false;
  for (std::string_view modifier :
       {"volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"})
    strong |= d.take(modifier);
  d.take("weak");
  d.takeOneOf({"cta", "cluster", "gpu", "sys"});
  return strong;
}

bool emulated::takeCacheHints(Decoding &d) {
  for (std::string_view hint :
       {"ca", "cg", "cs", "lu", "cv", "wb", "wt", "L1::evict_normal",
        "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
        "L1::no_allocate", "L2::evict_normal", "L2::evict_first",
        "L2::evict_last", "L2::64B", "L2::128B", "L2::256B"})
    d.take(hint);
  return d.take("L2::cache_hint");
}

namespace {

/// What strong accesses to addresses of shared memory released.
struct SharedSynchronization : BlockState {
  std::unordered_map<size_t, Clock> clocks;
};

/// Accesses of `ld` and `st`, in `Instruction::data[0]`.
enum Data : unsigned { Strong, Cached };

/// The integer whose bits an element of `type` is loaded as; narrower ones than
/// their register are extended by their sign.
template <typename Body> void dispatchElement(Type type, Body body) {
  if (dispatchInteger(type, body))
    return;
  switch (typeBytes(type)) {
  case 2:
    return body(TypeTag<uint16_t>());
  case 4:
    return body(TypeTag<uint32_t>());
  case 8:
    return body(TypeTag<uint64_t>());
  default:
    return body(TypeTag<unsigned __int128>());
  }
}

template <typename R, typename E>
void loadElement(R *result, std::byte *const *pointers, size_t offset,
                 LaneMask mask) {
  auto load = [&](unsigned lane) {
    E element;
    std::memcpy(&element, pointers[lane] + offset, sizeof element);
    result[lane] = static_cast<R>(element);
  };
  if (mask == allLanes)
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      load(lane);
  else
    for (LaneMask rest = mask; rest; rest &= rest - 1)
      load(std::countr_zero(rest));
}

template <typename E>
Outcome load(Warp &warp, const Instruction &in, LaneMask mask) {
  std::byte *pointers[warpLanes];
  unsigned count = in.elements;
  bool strong = in.data[Strong];
  if (!warp.locate(in, in[count], mask, count * sizeof(E),
                   strong ? Access::AtomicRead : Access::Read, pointers))
    return Outcome::Fault;
  if (in.data[Cached] && warp.block().launch().traffic) {
    uint64_t addresses[warpLanes];
    for (LaneMask rest = mask; rest; rest &= rest - 1)
      addresses[std::countr_zero(rest)] =
          reinterpret_cast<uint64_t>(pointers[std::countr_zero(rest)]);
    warp.block().footprint.noteCached(addresses, mask, count * sizeof(E));
  }
  for (unsigned i = 0; i < count; ++i) {
    size_t offset = i * sizeof(E);
    switch (in[i].bytes) {
    case 2:
      loadElement<uint16_t, E>(warp.lanes<uint16_t>(in[i]), pointers, offset,
                               mask);
      break;
    case 4:
      loadElement<uint32_t, E>(warp.lanes<uint32_t>(in[i]), pointers, offset,
                               mask);
      break;
    case 8:
      loadElement<uint64_t, E>(warp.lanes<uint64_t>(in[i]), pointers, offset,
                               mask);
      break;
    default:
      loadElement<unsigned __int128, E>(warp.lanes<unsigned __int128>(in[i]),
                                        pointers, offset, mask);
    }
  }
  if (strong)
    for (LaneMask rest = mask; rest; rest &= rest - 1)
      synchronize(warp, pointers[std::countr_zero(rest)], /*acquire=*/true,
                  /*release=*/false);
  return Outcome::Continue;
}

/// Whether all lanes are active and ascending, `bytes` or more apart.
bool areDistinct(std::byte *const *pointers, LaneMask mask, size_t bytes) {
  bool distinct = mask == allLanes;
  for (unsigned lane = 1; lane < warpLanes && distinct; ++lane)
    distinct = pointers[lane - 1] < pointers[lane] &&
               pointers[lane] - pointers[lane - 1] >= ptrdiff_t(bytes);
  return distinct;
}

/// Stores one element of each lane; the lanes that then do not find what they
/// stored. With `distinct` no lane can touch another one's.
template <typename E>
LaneMask storeElement(Warp &warp, const Operand &source,
                      std::byte *const *pointers, size_t offset, LaneMask mask,
                      bool distinct) {
  const std::byte *values = warp.lanes<std::byte>(source);
  unsigned stride = source.bytes;
  LaneMask lost = 0;
  if (distinct && stride == sizeof(E)) {
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      std::memcpy(pointers[lane] + offset, values + lane * sizeof(E),
                  sizeof(E));
    return 0;
  }
  auto store = [&](unsigned lane) {
    std::memcpy(pointers[lane] + offset, values + lane * stride, sizeof(E));
  };
  auto check = [&](unsigned lane) {
    lost |=
        std::memcmp(pointers[lane] + offset, values + lane * stride, sizeof(E))
            ? 1u << lane
            : 0;
  };
  if (mask == allLanes) {
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      store(lane);
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      check(lane);
  } else {
    for (LaneMask rest = mask; rest; rest &= rest - 1)
      store(std::countr_zero(rest));
    for (LaneMask rest = mask; rest; rest &= rest - 1)
      check(std::countr_zero(rest));
  }
  return lost;
}

template <typename E>
Outcome store(Warp &warp, const Instruction &in, LaneMask mask) {
  std::byte *pointers[warpLanes];
  unsigned count = in.elements;
  bool strong = in.data[Strong];
  if (!warp.locate(in, in[0], mask, count * sizeof(E),
                   strong ? Access::Atomic : Access::Write, pointers))
    return Outcome::Fault;
  if (strong)
    for (LaneMask rest = mask; rest; rest &= rest - 1)
      synchronize(warp, pointers[std::countr_zero(rest)], /*acquire=*/false,
                  /*release=*/true);
  bool distinct = areDistinct(pointers, mask, count * sizeof(E));
  LaneMask lost = 0;
  for (unsigned i = 0; i < count; ++i)
    lost |= storeElement<E>(warp, in[i + 1], pointers, i * sizeof(E), mask,
                            distinct);
  if (lost && !strong && warp.block().launch().checks.sharedRaces)
    return warp.fault(std::countr_zero(lost),
                      "race within a warp: another lane stores a different "
                      "value to the same address");
  return Outcome::Continue;
}

/// Vectors and the type: fills `bytes` and `elements` of the instruction.
Type takeElements(Decoding &d) {
  int vector = d.takeOneOf({"v2", "v4", "v8"});
  Type type = d.expectType();
  unsigned count = vector < 0 ? 1 : 2u << vector;
  d.instruction.elements = count;
  d.instruction.bytes = typeBytes(type);
  if (typeBytes(type) == 0 || typeBytes(type) * count > 32)
    d.fail("expected at most 32 bytes");
  return type;
}

void decodeLd(Decoding &d) {
  d.instruction.data[Strong] = takeSemantics(d);
  d.instruction.data[Cached] = d.take("nc");
  bool policy = takeCacheHints(d);
  Space space = d.takeSpace();
  Type type = takeElements(d);
  d.outputs(d.instruction.elements, d.instruction.bytes, /*widen=*/true);
  d.address(space);
  if (policy)
    d.input(Type::B64);
  dispatchElement(type, [&]<typename E>(TypeTag<E>) { d.handle(load<E>); });
}

void decodeSt(Decoding &d) {
  d.instruction.data[Strong] = takeSemantics(d);
  bool policy = takeCacheHints(d);
  Space space = d.takeSpace();
  Type type = takeElements(d);
  d.address(space);
  d.inputs(d.instruction.elements, type, /*narrow=*/true);
  if (policy)
    d.input(Type::B64);
  dispatchElement(type, [&]<typename E>(TypeTag<E>) { d.handle(store<E>); });
}

Outcome nothing(Warp &, const Instruction &, LaneMask) {
  return Outcome::Continue;
}

/// Hints without any effect that can be observed.
void decodePrefetch(Decoding &d) {
  Space space = d.takeSpace();
  d.takeOneOf({"L1", "L2", "L2::evict_last", "L2::evict_normal", "tensormap"});
  d.address(space);
  d.handle(nothing);
}

void decodeDiscard(Decoding &d) {
  Space space = d.takeSpace();
  d.takeOneOf({"L2", "L2::evict_normal"});
  d.address(space);
  d.immediate();
  d.handle(nothing);
}

/// A cache policy is a word that nothing reads.
void decodeCreatepolicy(Decoding &d) {
  d.expect("fractional");
  for (std::string_view hint : {"L2::evict_last", "L2::evict_normal",
                                "L2::evict_first", "L2::evict_unchanged"})
    d.take(hint);
  d.expect("b64");
  d.output(8);
  if (d.left())
    d.input(Type::F32);
  d.handle([](Warp &warp, const Instruction &in, LaneMask mask) {
    for (LaneMask rest = mask; rest; rest &= rest - 1)
      warp.lanes<uint64_t>(in[0])[std::countr_zero(rest)] = 0;
    return Outcome::Continue;
  });
}

} // namespace

void emulated::synchronize(Warp &warp, const std::byte *pointer, bool acquire,
                           bool release) {
  Block &block = warp.block();
  std::span<std::byte> shared = block.shared();
  size_t offset = pointer - shared.data();
  if (!block.launch().checks.sharedRaces || offset >= shared.size())
    return;
  Clock &clock = block.state<SharedSynchronization>().clocks[offset];
  if (acquire)
    block.races().acquire(warp.index(), clock);
  if (release)
    block.races().release(warp.index(), clock);
}

std::span<const Opcode> emulated::memoryOpcodes() {
  static constexpr Opcode opcodes[] = {
      {"ld", decodeLd},
      {"ldu", decodeLd},
      {"st", decodeSt},
      {"prefetch", decodePrefetch},
      {"prefetchu", decodePrefetch},
      {"discard", decodeDiscard},
      {"applypriority", decodeDiscard},
      {"createpolicy", decodeCreatepolicy},
  };
  return opcodes;
}
