//===- PtxAtomic.cpp - Atomic operations and reductions -------------------===//
//
// Blocks may run on several host threads, so that what is atomic on the device
// is atomic here too: every operation is a loop around a compare-and-swap of
// the bits.
//
//===----------------------------------------------------------------------===//

#include "instructions/PtxAccessModes.h"
#include "instructions/PtxFloatLanes.h"

#include <atomic>
#include <cstring>

using namespace tessera;
using namespace tessera::emulated;

namespace {

/// The unsigned integer of the size of T.
template <typename T>
using Word =
    std::conditional_t<sizeof(T) == 2, uint16_t,
                       std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;

/// Replaces the value at `address` by `op(value)` atomically; the old value.
template <typename T, typename Op> T update(std::byte *address, Op op) {
  std::atomic_ref<Word<T>> word(*reinterpret_cast<Word<T> *>(address));
  Word<T> old = word.load();
  for (;;) {
    Word<T> fresh = std::bit_cast<Word<T>>(op(std::bit_cast<T>(old)));
    if (word.compare_exchange_weak(old, fresh))
      return std::bit_cast<T>(old);
  }
}

/// Finds the pointers of all lanes, and joins what other warps released.
bool locateAtomic(Warp &warp, const Instruction &in, unsigned address,
                  LaneMask mask, std::byte *(&pointers)[warpLanes]) {
  if (!warp.locate(in, in[address], mask, in.bytes * in.elements,
                   Access::Atomic, pointers))
    return false;
  for (LaneMask rest = mask; rest; rest &= rest - 1)
    synchronize(warp, pointers[std::countr_zero(rest)], /*acquire=*/true,
                /*release=*/true);
  return true;
}

/// `atom` (with a result, operands[0]) and `red`. The sources begin behind the
/// address.
template <auto op, typename T, bool result>
Outcome atomic(Warp &warp, const Instruction &in, LaneMask mask) {
  std::byte *pointers[warpLanes];
  unsigned count = in.elements;
  if (!locateAtomic(warp, in, result ? count : 0, mask, pointers))
    return Outcome::Fault;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    for (unsigned i = 0; i < count; ++i) {
      T source = warp.lanes<T>(in[(result ? count : 0) + 1 + i])[lane];
      T old = update<T>(pointers[lane] + i * sizeof(T),
                        [&](T value) { return op(value, source); });
      if constexpr (result)
        warp.lanes<T>(in[i])[lane] = old;
    }
  }
  return Outcome::Continue;
}

template <typename T>
Outcome compareAndSwap(Warp &warp, const Instruction &in, LaneMask mask) {
  std::byte *pointers[warpLanes];
  if (!locateAtomic(warp, in, 1, mask, pointers))
    return Outcome::Fault;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    T expected = warp.lanes<T>(in[2])[lane], fresh = warp.lanes<T>(in[3])[lane];
    warp.lanes<T>(in[0])[lane] = update<T>(pointers[lane], [&](T value) {
      return value == expected ? fresh : value;
    });
  }
  return Outcome::Continue;
}

constexpr auto add = [](auto a, auto b) {
  using T = decltype(a);
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(std::make_unsigned_t<T>(a) +
                          std::make_unsigned_t<T>(b));
  else
    return narrow<T>(widen(a) + widen(b));
};
constexpr auto least = [](auto a, auto b) {
  if constexpr (std::is_integral_v<decltype(a)>)
    return std::min(a, b);
  else
    return extreme<false, false>(a, b);
};
constexpr auto most = [](auto a, auto b) {
  if constexpr (std::is_integral_v<decltype(a)>)
    return std::max(a, b);
  else
    return extreme<true, false>(a, b);
};
constexpr auto conjunction = [](auto a, auto b) { return a & b; };
constexpr auto disjunction = [](auto a, auto b) { return a | b; };
constexpr auto exclusion = [](auto a, auto b) { return a ^ b; };
constexpr auto exchange = [](auto, auto b) { return b; };
constexpr auto increment = [](auto a, auto b) { return a >= b ? 0 : a + 1; };
constexpr auto decrement = [](auto a, auto b) {
  return a == 0 || a > b ? b : a - 1;
};

/// `op` on each half.
template <auto op>
constexpr auto halves = [](auto a, auto b) {
  return decltype(a){op(a.low, b.low), op(a.high, b.high)};
};

template <auto op, typename T> void handle(Decoding &d, bool result) {
  d.handle(result ? atomic<op, T, true> : atomic<op, T, false>);
}

/// Operations that numbers of every type have.
template <auto op> void handleNumber(Decoding &d, Type type, bool result) {
  switch (type) {
  case Type::F16:
    return handle<op, Float16>(d, result);
  case Type::BF16:
    return handle<op, BFloat16>(d, result);
  case Type::F16x2:
    return handle<halves<op>, Pair<Float16>>(d, result);
  case Type::BF16x2:
    return handle<halves<op>, Pair<BFloat16>>(d, result);
  case Type::F32:
    return handle<op, float>(d, result);
  case Type::F64:
    return handle<op, double>(d, result);
  case Type::S32:
    return handle<op, int32_t>(d, result);
  case Type::U32:
    return handle<op, uint32_t>(d, result);
  case Type::S64:
    return handle<op, int64_t>(d, result);
  case Type::U64:
    return handle<op, uint64_t>(d, result);
  default:
    return d.fail("expected a number");
  }
}

/// Operations on words.
template <auto op> void handleBits(Decoding &d, Type type, bool result) {
  if (isFloatType(type) || typeBytes(type) < 4)
    return d.fail("expected 32 or 64 bits");
  if (typeBytes(type) == 4)
    handle<op, uint32_t>(d, result);
  else
    handle<op, uint64_t>(d, result);
}

enum Operation { Add, Min, Max, And, Or, Xor, Exchange, Increment, Decrement };

void handleOperation(Decoding &d, int operation, Type type, bool result) {
  switch (operation) {
  case Add:
    return handleNumber<add>(d, type, result);
  case Min:
    return handleNumber<least>(d, type, result);
  case Max:
    return handleNumber<most>(d, type, result);
  case And:
    return handleBits<conjunction>(d, type, result);
  case Or:
    return handleBits<disjunction>(d, type, result);
  case Xor:
    return handleBits<exclusion>(d, type, result);
  case Exchange:
    return handleBits<exchange>(d, type, result);
  case Increment:
    return handleBits<increment>(d, type, result);
  case Decrement:
    return handleBits<decrement>(d, type, result);
  default:
    return d.fail("expected an atomic operation");
  }
}

/// Decodes `atom` (with a `result`) and `red` (without): scope, space,
/// operation, and up to 8 values of one type.
template <bool result> void decodeAtomic(Decoding &d) {
  takeSemantics(d);
  bool policy = takeCacheHints(d);
  Space space = d.takeSpace();
  d.take("noftz");
  bool swap = result && d.take("cas");
  int operation = swap ? -1
                       : d.takeOneOf({"add", "min", "max", "and", "or", "xor",
                                      "exch", "inc", "dec"});
  int vector = d.takeOneOf({"v2", "v4", "v8"});
  Type type = d.expectType();
  unsigned count = vector < 0 ? 1 : 2u << vector;
  d.instruction.elements = count;
  d.instruction.bytes = typeBytes(type);
  if constexpr (result)
    d.outputs(count, typeBytes(type));
  d.address(space);
  d.inputs(count, type);
  if (swap) {
    d.input(type);
    if (count != 1 || typeBytes(type) < 2)
      return d.fail("expected one value of 16 to 64 bits");
    d.handle(typeBytes(type) == 2   ? compareAndSwap<uint16_t>
             : typeBytes(type) == 4 ? compareAndSwap<uint32_t>
                                    : compareAndSwap<uint64_t>);
  } else {
    handleOperation(d, operation, type, result);
  }
  if (policy)
    d.input(Type::B64);
}

} // namespace

std::span<const Opcode> emulated::atomicOpcodes() {
  static constexpr Opcode opcodes[] = {{"atom", decodeAtomic<true>},
                                       {"red", decodeAtomic<false>}};
  return opcodes;
}
