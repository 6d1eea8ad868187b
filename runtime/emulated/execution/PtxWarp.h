//===- PtxWarp.h - Registers, memory and control flow of a warp -----------===//
//
// The lanes of a warp are partitioned into groups, each with a program counter.
// The group with the lowest one runs (so that lanes that took the shorter way
// wait at the join, which compilers place behind); groups that reach the same
// instruction merge. A group that cannot go on, or has used up its quantum,
// lets the next one run.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_EXECUTION_PTXWARP_H
#define TESSERA_RUNTIME_EMULATED_EXECUTION_PTXWARP_H

#include "execution/PtxBlock.h"
#include "ptx/PtxInstruction.h"

namespace tessera::emulated {

/// Where the windows of generic addresses begin. A generic address below the
/// first one is a global address.
inline constexpr uint64_t sharedWindow = uint64_t(1) << 60,
                          localWindow = uint64_t(2) << 60,
                          paramWindow = uint64_t(3) << 60,
                          windowMask = uint64_t(15) << 60;

class Warp {
public:
  Warp(Block &block, unsigned index);

  Block &block() { return owner; }
  unsigned index() const { return warpIndex; }
  /// Lanes that have threads, and of these the ones that have not exited.
  LaneMask existing() const { return existingLanes; }
  LaneMask alive() const { return aliveLanes; }

  //===--- Registers ------------------------------------------------------===//

  /// The 32 values of an operand of `Kind::Lanes`; `T` has its size.
  template <typename T> T *lanes(const Operand &operand) {
    return reinterpret_cast<T *>(files[operand.file] + operand.offset);
  }
  /// The lanes in which a predicate is true, negation included.
  LaneMask predicate(const Operand &operand) {
    LaneMask mask = *lanes<LaneMask>(operand);
    return operand.negated ? ~mask : mask;
  }
  /// Sets a predicate in `lanes` to the bits of `value`.
  void setPredicate(const Operand &operand, LaneMask value, LaneMask lanes) {
    LaneMask &mask = *this->lanes<LaneMask>(operand);
    mask = (mask & ~lanes) | (value & lanes);
  }
  /// The address of one lane, by an operand of `Kind::Address`.
  uint64_t address(const Operand &operand, unsigned lane) {
    uint64_t base = operand.bytes == 8 ? lanes<uint64_t>(operand)[lane]
                                       : lanes<uint32_t>(operand)[lane];
    return base + operand.displacement;
  }

  /// The lanes whose carry is set (`add.cc`, `addc`; a borrow of `sub.cc`).
  LaneMask &carry() { return carryLanes; }

  //===--- Checked memory -------------------------------------------------===//

  /// `bytes` bytes at an address of `space` as lane `lane` sees them, checked
  /// for bounds, for alignment to `alignment` (a power of two; 0: to `bytes`)
  /// and for races. Null if the access is wrong; `fault` was called then, and
  /// the handler returns `Outcome::Fault`.
  std::byte *access(Space space, unsigned lane, uint64_t address,
                    unsigned bytes, Access access, unsigned alignment = 0) {
    return accessAs(warpIndex, space, lane, address, bytes, access, alignment);
  }
  /// The same, made by another agent of the block on behalf of this warp
  /// (asynchronous copies: `asynchronousAgent(warp.index())`).
  std::byte *accessAs(Agent agent, Space space, unsigned lane, uint64_t address,
                      unsigned bytes, Access access, unsigned alignment = 0);

  /// The same for all of `lanes` at once, at `operand` in the instruction's
  /// space: fills `pointers`. False if `fault` was called.
  bool locate(const Instruction &instruction, const Operand &operand,
              LaneMask lanes, unsigned bytes, Access access,
              std::byte *(&pointers)[warpLanes]);

  //===--- Observing ------------------------------------------------------===//

  /// Has `handler` called before every instruction of this warp, which is not
  /// executed unless the outcome is `Continue`; null: none.
  void observe(Handler handler) { observer = handler; }

  //===--- Outcomes -------------------------------------------------------===//

  /// The instruction is wrong in `lane`; the interpreter adds where.
  Outcome fault(unsigned lane, std::string message);
  /// The instruction has to wait; it is executed again when other groups or
  /// warps have moved. `what` says for what, for the report of a deadlock, with
  /// `a` and `b` in place of two `%`: `barrier 1 (% of % threads arrived)`.
  Outcome block(const char *what, uint64_t a = 0, uint64_t b = 0);
  /// A word that a waiting instruction keeps between its attempts: 0 when the
  /// group first comes to the instruction, reset behind it.
  uint64_t &token() { return groups[current].token; }
  /// Index of the instruction that is being executed.
  uint32_t programCounter() const { return groups[current].counter; }
  /// Instructions that the warp executed in this block: what clocks show.
  uint64_t clock() const { return executed; }
  /// What a lane of this warp is called: `thread (3,0,0)`.
  std::string threadName(unsigned lane) const;

private:
  friend class Block;

  /// Lanes with a common program counter.
  struct Group {
    LaneMask lanes = 0;
    uint32_t counter = 0;
    /// It could not go on when it was last tried.
    bool blocked = false;
    /// Instructions left of its quantum.
    uint32_t budget = 0;
    uint64_t token = 0;
    /// Null while it waits for other lanes to arrive.
    const char *waitingFor = nullptr;
    std::array<uint64_t, 2> waitingNumbers = {};
  };

  /// Why `run` returned.
  enum class Status { Ran, Blocked, Done, Fault };

  /// Prepares the warp for the block's index.
  void begin();
  /// Runs each group until it blocks or its quantum ends.
  Status run();
  /// Runs the current group; true to select again, false on a fault.
  bool runGroup();
  /// Makes the group with the lowest counter that may run the current one.
  bool selectGroup();
  void mergeGroups();
  /// Whether the lanes that must execute the instruction together are there.
  /// Otherwise the group waits, lanes that the guard excludes go on.
  bool converge(const Instruction &instruction, LaneMask active);
  void branch(LaneMask taken, uint32_t target);
  void branchIndexed(const Instruction &instruction, LaneMask lanes);
  void exit(LaneMask lanes);

  std::byte *accessShared(Agent agent, unsigned lane, uint64_t offset,
                          unsigned bytes, Access access);
  std::byte *accessGlobal(unsigned lane, uint64_t address, unsigned bytes,
                          Access access);
  /// Tell the detectors of races and the footprint; false if `fault` was
  /// called.
  bool noteShared(Agent agent, const uint64_t *offsets, LaneMask lanes,
                  unsigned bytes, Access access);
  bool noteGlobal(const uint64_t *addresses, LaneMask lanes, unsigned bytes,
                  Access access);
  /// Whether nobody beside the launch accesses the same; false if `fault` was
  /// called.
  bool avoidsHazards(const uint64_t *addresses, LaneMask lanes, unsigned bytes,
                     Access access);
  bool inLastAllocation(uint64_t least, uint64_t most, unsigned bytes) const {
    return lastAllocation && least >= lastAllocation->address &&
           most >= least && lastAllocation->contains(most, bytes);
  }

  Block &owner;
  unsigned warpIndex;
  LaneMask existingLanes = 0, aliveLanes = 0, carryLanes = 0;
  /// Registers and constants.
  std::array<std::byte *, 2> files = {};
  std::vector<std::byte> registers, local;
  std::vector<void (*)(Warp &, uint32_t offset)> specials;
  std::vector<Group> groups;
  unsigned current = 0;
  uint64_t executed = 0;
  /// The allocation that the last access to global memory fell into.
  const Allocation *lastAllocation = nullptr;
  Handler observer = nullptr;
  std::string faultMessage;
  unsigned faultLane = 0;
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_EXECUTION_PTXWARP_H
