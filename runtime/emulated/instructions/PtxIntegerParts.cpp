//===- PtxIntegerParts.cpp - Integers in halves and in several registers --===//
//
// Two integers of 16 bits in one register, and additions whose carry goes on to
// the next: parts of numbers that have more bits than a register.
//
//===----------------------------------------------------------------------===//

#include "instructions/PtxLanes.h"

#include <algorithm>
#include <bit>

using namespace tessera;
using namespace tessera::emulated;

template <auto op, typename T> static void handlePacked(Decoding &d) {
  d.handle(lanewise<[](Pair<T> a, Pair<T> b) {
    return Pair<T>{static_cast<T>(op(a.low, b.low)),
                   static_cast<T>(op(a.high, b.high))};
  },
                    Pair<T>, Pair<T>, Pair<T>>);
}

template <typename T>
static void handlePacked(Decoding &d, PackedOperation operation) {
  switch (operation) {
  case PackedOperation::Add:
    return handlePacked<[](T a, T b) { return a + b; }, T>(d);
  case PackedOperation::Min:
    return handlePacked<[](T a, T b) { return std::min(a, b); }, T>(d);
  case PackedOperation::Max:
    return handlePacked<[](T a, T b) { return std::max(a, b); }, T>(d);
  }
}

bool emulated::decodePacked(Decoding &d, PackedOperation operation, Type type) {
  if (type != Type::U16x2 && type != Type::S16x2)
    return false;
  d.output(4);
  d.input(type);
  d.input(type);
  type == Type::U16x2 ? handlePacked<uint16_t>(d, operation)
                      : handlePacked<int16_t>(d, operation);
  return true;
}

/// `data`: whether a carry is taken, and whether one is left.
template <CarryOperation operation, typename T>
static Outcome carryLanes(Warp &warp, const Instruction &in, LaneMask mask) {
  T *result = warp.lanes<T>(in[0]);
  const T *a = warp.lanes<T>(in[1]), *b = warp.lanes<T>(in[2]);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    bool carry = in.data[0] && warp.carry() >> lane & 1;
    T sum;
    bool first, second;
    if constexpr (operation == CarryOperation::Add) {
      first = __builtin_add_overflow(a[lane], b[lane], &sum);
      second = __builtin_add_overflow(sum, T(carry), &sum);
    } else {
      first = __builtin_sub_overflow(a[lane], b[lane], &sum);
      second = __builtin_sub_overflow(sum, T(carry), &sum);
    }
    result[lane] = sum;
    LaneMask bit = LaneMask(1) << lane;
    if (in.data[1])
      warp.carry() = first || second ? warp.carry() | bit : warp.carry() & ~bit;
  }
  return Outcome::Continue;
}

void emulated::decodeCarry(Decoding &d, CarryOperation operation, Type type,
                           bool takesCarry, bool leavesCarry) {
  unsigned bytes = typeBytes(type);
  if (bytes < 4 || bytes > 8 || isFloatType(type))
    return d.fail("expected integers of 32 or 64 bits");
  d.instruction.data[0] = takesCarry;
  d.instruction.data[1] = leavesCarry;
  d.output(bytes);
  d.input(type);
  d.input(type);
  bool adds = operation == CarryOperation::Add;
  if (bytes == 4)
    d.handle(adds ? carryLanes<CarryOperation::Add, uint32_t>
                  : carryLanes<CarryOperation::Subtract, uint32_t>);
  else
    d.handle(adds ? carryLanes<CarryOperation::Add, uint64_t>
                  : carryLanes<CarryOperation::Subtract, uint64_t>);
}
