//===- PtxInstruction.h - Decoded instructions ----------------------------===//
//
// A kernel is decoded once into instructions that each carry the function that
// executes them for the 32 lanes of a warp. Registers are stored lane after
// lane (structure of arrays): a register of b bytes occupies 32 * b bytes.
// Immediates and addresses of variables are registers of a second, constant
// file, so that functions need not tell them apart.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_PTX_PTXINSTRUCTION_H
#define TESSERA_RUNTIME_EMULATED_PTX_PTXINSTRUCTION_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::emulated {

class Warp;
struct Instruction;

inline constexpr unsigned warpLanes = 32;

/// A set of lanes; lane i is bit i.
using LaneMask = uint32_t;
inline constexpr LaneMask allLanes = 0xffffffffu;

/// State spaces of addresses.
enum class Space : uint8_t { Generic, Global, Shared, Local, Param };

/// What became of an instruction.
enum class Outcome : uint8_t {
  /// Done for all lanes of the mask: go on behind it.
  Continue,
  /// Cannot be done yet; it is tried again later. Return `Warp::block(...)`.
  Block,
  /// Wrong; the launch ends. Return `Warp::fault(...)`.
  Fault,
  /// Control flow, for the interpreter's own instructions: the lanes of the
  /// mask go to the instruction's target (each to its own), or exit.
  Branch,
  BranchIndexed,
  Exit,
};

/// Executes an instruction for the lanes of `lanes`, which is never empty; the
/// other lanes' registers and memory must not change. Guards (`@%p`) are
/// already taken into account.
using Handler = Outcome (*)(Warp &warp, const Instruction &instruction,
                            LaneMask lanes);

/// A register, a constant, a predicate or an address of an instruction.
struct Operand {
  enum class Kind : uint8_t {
    /// 32 values of `bytes` bytes each.
    Lanes,
    /// One `LaneMask`.
    Predicate,
    /// The address `lanes + displacement`; `bytes` (4 or 8) of the register.
    Address,
  };
  Kind kind = Kind::Lanes;
  /// Of one lane's value: 1 (never a register), 2, 4, 8 or 16.
  uint8_t bytes = 0;
  /// 0: the warp's registers; 1: the kernel's constants.
  uint8_t file = 0;
  /// Predicates as inputs: `!p`.
  bool negated = false;
  /// From the beginning of its file, in bytes.
  uint32_t offset = 0;
  int64_t displacement = 0;
};

/// Which lanes of the warp must execute an instruction together. Lanes that
/// arrive early wait for the others; if those never come, the wait is reported
/// as divergence.
enum class Convergence : uint8_t {
  /// Any lanes at any time.
  None,
  /// The lanes named by the 32-bit operand `Instruction::members` (`.sync`
  /// with a member mask).
  Members,
  /// All lanes of the warp that exist (`.aligned`).
  Warp,
};

struct Instruction {
  Handler handler = nullptr;
  /// The operands in the order in which the decoder took them, vectors
  /// flattened; in `Program::operands`.
  const Operand *operands = nullptr;
  uint32_t operandCount = 0;
  /// The guard: offset of its predicate register, or -1.
  int32_t guard = -1;
  bool guardNegated = false;
  Convergence convergence = Convergence::None;
  /// For `Convergence::Members`: index of the mask in `operands`.
  uint8_t members = 0;
  Space space = Space::Generic;
  /// Of a memory access: bytes per element, and elements per lane.
  uint8_t bytes = 0, elements = 0;
  /// Whether it hands on the bits of its operands unseen (mov, wgmma): see
  /// WarpgroupMma.h.
  bool copies = false;
  /// Where a branch goes: index of an instruction.
  uint32_t target = 0;
  /// Where it stands: line of the PTX text, index into `Program::locations`
  /// (0: none).
  uint32_t line = 0, location = 0;
  /// Whatever the decoder wants its handler to know.
  std::array<uint32_t, 4> data = {};

  const Operand &operator[](unsigned i) const { return operands[i]; }
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_PTX_PTXINSTRUCTION_H
