//===- PtxMove.cpp - Moves, packing and address conversions ---------------===//

#include "instructions/PtxLanes.h"

#include <bit>
#include <cstring>

using namespace tessera;
using namespace tessera::emulated;

namespace {

template <typename T>
Outcome copy(Warp &warp, const Instruction &in, LaneMask mask) {
  return lanewise<[](T a) { return a; }, T, T>(warp, in, mask);
}

Handler copyOf(unsigned bytes) {
  switch (bytes) {
  case 2:
    return copy<uint16_t>;
  case 4:
    return copy<uint32_t>;
  case 8:
    return copy<uint64_t>;
  default:
    return copy<unsigned __int128>;
  }
}

Outcome copyPredicate(Warp &warp, const Instruction &in, LaneMask mask) {
  warp.setPredicate(in[0], warp.predicate(in[1]), mask);
  return Outcome::Continue;
}

/// Copies `data[0]` parts of `data[1]` bytes between one register and a vector:
/// packing if `data[2]`, otherwise unpacking. The lowest part comes first.
Outcome copyParts(Warp &warp, const Instruction &in, LaneMask mask) {
  unsigned count = in.data[0], bytes = in.data[1];
  bool pack = in.data[2];
  for (unsigned part = 0; part < count; ++part) {
    const Operand &whole = pack ? in[0] : in[count];
    const Operand &element = pack ? in[part + 1] : in[part];
    std::byte *wholes = warp.lanes<std::byte>(whole) + part * bytes;
    std::byte *elements = warp.lanes<std::byte>(element);
    for (LaneMask rest = mask; rest; rest &= rest - 1) {
      unsigned lane = std::countr_zero(rest);
      std::byte *inside = wholes + lane * whole.bytes;
      std::byte *outside = elements + lane * element.bytes;
      if (pack) {
        std::memcpy(inside, outside, bytes);
      } else {
        // Bytes live in 16-bit registers.
        std::memset(outside, 0, element.bytes);
        std::memcpy(outside, inside, bytes);
      }
    }
  }
  return Outcome::Continue;
}

/// The unsigned type of `bytes` bytes.
Type bitsType(unsigned bytes) {
  switch (bytes) {
  case 1:
    return Type::B8;
  case 2:
    return Type::B16;
  case 4:
    return Type::B32;
  case 8:
    return Type::B64;
  default:
    return Type::B128;
  }
}

template <typename T>
Outcome readClock(Warp &warp, const Instruction &in, LaneMask mask) {
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    if (mask >> lane & 1)
      warp.lanes<T>(in[0])[lane] = warp.clock() >> in.data[0];
  return Outcome::Continue;
}

/// Time is the number of instructions that the warp has executed.
bool decodeClock(Decoding &d) {
  std::string_view name = d.nextSourceText();
  bool high = name == "%clock_hi" || name == "%globaltimer_hi";
  if (name == "%clock64" || name == "%globaltimer") {
    d.output(8);
    d.handle(readClock<uint64_t>);
  } else if (high || name == "%clock" || name == "%globaltimer_lo") {
    d.output(4);
    d.instruction.data[0] = high ? 32 : 0;
    d.handle(readClock<uint32_t>);
  } else {
    return false;
  }
  d.skip();
  return true;
}

/// Decodes `mov`: predicates, clocks, whole registers, and vectors of parts
/// packed into or unpacked from one register.
void decodeMov(Decoding &d) {
  d.take("volatile");
  Type type = d.expectType();
  if (type == Type::Pred) {
    d.output(0);
    d.input(Type::Pred);
    return d.handle(copyPredicate);
  }
  if (decodeClock(d))
    return;
  unsigned bytes = typeBytes(type), parts = d.vectorLength();
  d.instruction.copies = true;
  if (parts) {
    d.outputs(parts, bytes / parts, /*widen=*/true);
    d.input(bitsType(bytes));
  } else {
    d.output(bytes);
    parts = d.vectorLength();
    d.instruction.data[2] = parts != 0;
    if (!parts) {
      d.input(type);
      return d.handle(copyOf(bytes));
    }
    d.inputs(parts, bitsType(bytes / parts), /*narrow=*/true);
  }
  if (bytes % parts)
    return d.fail("expected 2, 4 or 8 parts");
  d.instruction.data[0] = parts;
  d.instruction.data[1] = bytes / parts;
  d.handle(copyParts);
}

uint64_t windowOf(Space space) {
  switch (space) {
  case Space::Shared:
    return sharedWindow;
  case Space::Local:
    return localWindow;
  case Space::Param:
    return paramWindow;
  default:
    return 0;
  }
}

/// `cvta.space d, a` adds the beginning of the window of `space`, `cvta.to`
/// removes it.
Outcome convertAddress(Warp &warp, const Instruction &in, LaneMask mask) {
  uint64_t *result = warp.lanes<uint64_t>(in[0]);
  const uint64_t *source = warp.lanes<uint64_t>(in[1]);
  uint64_t window = windowOf(in.space);
  bool to = in.data[0];
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    uint64_t value = to ? source[lane] ^ window : source[lane] | window;
    result[lane] = mask >> lane & 1 ? value : result[lane];
  }
  return Outcome::Continue;
}

void decodeCvta(Decoding &d) {
  d.instruction.data[0] = d.take("to");
  Space space = d.takeSpace();
  d.take("u64");
  d.output(8);
  d.input(Type::U64);
  if (space == Space::Generic)
    return d.fail("expected a state space");
  d.instruction.space = space;
  d.handle(convertAddress);
}

Outcome isInSpace(Warp &warp, const Instruction &in, LaneMask mask) {
  LaneMask value = 0;
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    uint64_t window = warp.lanes<uint64_t>(in[1])[lane] & windowMask;
    bool inside = in.space == Space::Global
                      ? window == 0 || window > paramWindow
                      : window == windowOf(in.space);
    value |= inside ? 1u << lane : 0;
  }
  warp.setPredicate(in[0], value, mask);
  return Outcome::Continue;
}

void decodeIsspacep(Decoding &d) {
  Space space = d.takeSpace();
  d.output(0);
  d.input(Type::U64);
  if (space == Space::Generic)
    return d.fail("expected a state space");
  d.instruction.space = space;
  d.handle(isInSpace);
}

} // namespace

std::span<const Opcode> emulated::moveOpcodes() {
  static constexpr Opcode opcodes[] = {
      {"mov", decodeMov}, {"cvta", decodeCvta}, {"isspacep", decodeIsspacep}};
  return opcodes;
}
