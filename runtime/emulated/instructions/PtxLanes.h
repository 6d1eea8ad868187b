//===- PtxLanes.h - Handlers made of operations on one lane ---------------===//

#ifndef TESSERA_RUNTIME_EMULATED_INSTRUCTIONS_PTXLANES_H
#define TESSERA_RUNTIME_EMULATED_INSTRUCTIONS_PTXLANES_H

#include "execution/PtxWarp.h"
#include "ptx/PtxDecoder.h"
#include "tessera/Support/ElementDispatch.h"

#include <utility>

namespace tessera::emulated {

/// Two halves of a 32-bit register (`.f16x2`, `.bf16x2`).
template <typename T> struct Pair { T low, high; };

/// operands[0] = op(operands[1], ...) in each active lane. Lanes of one
/// register either are those of another or do not overlap them, so that the
/// loop may be vectorised.
template <auto op, typename D, typename... S>
Outcome lanewise(Warp &warp, const Instruction &instruction, LaneMask mask) {
  return [&]<size_t... i>(std::index_sequence<i...>) {
    D *result = warp.lanes<D>(instruction[0]);
    auto apply = [&](unsigned lane, auto *...sources) {
      return op(sources[lane]...);
    };
    auto run = [&](auto *...sources) {
      if (mask == allLanes) {
#pragma clang loop vectorize(assume_safety)
        for (unsigned lane = 0; lane < warpLanes; ++lane)
          result[lane] = apply(lane, sources...);
      } else {
        for (LaneMask rest = mask; rest; rest &= rest - 1) {
          unsigned lane = __builtin_ctz(rest);
          result[lane] = apply(lane, sources...);
        }
      }
    };
    run(warp.lanes<S>(instruction[i + 1])...);
    return Outcome::Continue;
  }
  (std::index_sequence_for<S...>());
}

/// The predicate operands[0] = op(operands[1], ...) in each active lane;
/// `combine(result of op, lane mask so far)` may be applied by the caller.
template <auto op, typename... S>
LaneMask lanewiseMask(Warp &warp, const Instruction &instruction,
                      unsigned firstSource) {
  return [&]<size_t... i>(std::index_sequence<i...>) {
    auto run = [](auto *...sources) {
      uint32_t bits[warpLanes];
      for (unsigned lane = 0; lane < warpLanes; ++lane)
        bits[lane] = op(sources[lane]...) ? 1u << lane : 0u;
      LaneMask mask = 0;
      for (unsigned lane = 0; lane < warpLanes; ++lane)
        mask |= bits[lane];
      return mask;
    };
    return run(warp.lanes<S>(instruction[firstSource + i])...);
  }
  (std::index_sequence_for<S...>());
}

/// Calls `body` with the `TypeTag` of the C++ integer that `type` is stored as
/// (bits are unsigned). False if `type` is no integer.
template <typename Body> bool dispatchInteger(Type type, Body body) {
  switch (type) {
  case Type::S8:
    return body(TypeTag<int8_t>()), true;
  case Type::U8:
  case Type::B8:
    return body(TypeTag<uint8_t>()), true;
  case Type::S16:
    return body(TypeTag<int16_t>()), true;
  case Type::U16:
  case Type::B16:
    return body(TypeTag<uint16_t>()), true;
  case Type::S32:
    return body(TypeTag<int32_t>()), true;
  case Type::U32:
  case Type::B32:
    return body(TypeTag<uint32_t>()), true;
  case Type::S64:
    return body(TypeTag<int64_t>()), true;
  case Type::U64:
  case Type::B64:
    return body(TypeTag<uint64_t>()), true;
  default:
    return false;
  }
}

/// The same for 16 to 64 bits: the types of arithmetic.
template <typename Body> bool dispatchArithmetic(Type type, Body body) {
  return typeBytes(type) >= 2 && dispatchInteger(type, [&](auto tag) {
           if constexpr (sizeof(typename decltype(tag)::Type) >= 2)
             body(tag);
         });
}

/// Decode instructions on two integers of 16 bits in one register (false if
/// `type` is not that), and on the carry of a lane, of 32 or 64 bits.
enum class PackedOperation { Add, Min, Max };
bool decodePacked(Decoding &decoding, PackedOperation operation, Type type);
enum class CarryOperation { Add, Subtract };
void decodeCarry(Decoding &decoding, CarryOperation operation, Type type,
                 bool takesCarry, bool leavesCarry);

bool isFloatType(Type type);

template <typename T, size_t> using SameType = T;

/// Takes a destination and `sources` sources of `type`, an integer type, and
/// has `op` compute the one from the others in each lane.
template <auto op, unsigned sources>
void decodeIntegers(Decoding &decoding, Type type) {
  decoding.destinationAndSources(type, sources);
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    [&]<size_t... i>(std::index_sequence<i...>) {
      decoding.handle(lanewise<op, T, SameType<T, i>...>);
    }
    (std::make_index_sequence<sources>());
  });
}

/// Decoders of the instructions that integers and floating-point numbers share
/// by name; `type` is one of the latter.
enum class FloatOperation { Add, Sub, Mul, Div, Min, Max, Abs, Neg, Fma };
void decodeFloat(Decoding &decoding, FloatOperation operation, Type type);

/// An instruction `name.type d, sources...`: integers by `op`, floating-point
/// numbers by `floating`, if there is one.
template <auto op, unsigned sources, FloatOperation... floating>
void decodeArithmetic(Decoding &decoding) {
  Type type = decoding.expectType();
  if constexpr (sizeof...(floating) > 0)
    if (isFloatType(type))
      return decodeFloat(decoding, floating..., type);
  decodeIntegers<op, sources>(decoding, type);
}

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_INSTRUCTIONS_PTXLANES_H
