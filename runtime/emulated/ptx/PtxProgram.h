//===- PtxProgram.h - A decoded kernel ------------------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_PTX_PTXPROGRAM_H
#define TESSERA_RUNTIME_EMULATED_PTX_PTXPROGRAM_H

#include "ptx/PtxInstruction.h"
#include "ptx/PtxModule.h"

namespace tessera::emulated {

/// A special register that the kernel reads: where a warp finds it.
struct SpecialRegister {
  /// As in `%tid.x`, without the percent sign.
  std::string name;
  uint32_t offset;
  uint8_t bytes;
};

/// What a kernel is decoded into; immutable once built.
struct Program {
  std::string name;
  std::vector<Instruction> instructions;
  /// What `Instruction::operands` point into.
  std::vector<std::unique_ptr<Operand[]>> operands;
  /// Targets of `brx.idx`, lists one after another.
  std::vector<uint32_t> branchTargets;
  /// Source locations, `model.mlir:12`; number 0 is empty.
  std::vector<std::string> locations;

  std::vector<KernelParameter> parameters;
  uint32_t parameterBytes = 0;
  std::array<uint32_t, 3> maxThreads = {}, requiredThreads = {};
  /// By `.minnctapersm` and `.maxnreg`; 0 where they are missing.
  uint32_t leastBlocks = 0, threadRegisters = 0;

  /// Bytes of the registers of a warp; of each lane's local memory.
  uint32_t registerBytes = 0, localBytes = 0;
  /// The constant file.
  std::vector<std::byte> constants;
  std::vector<SpecialRegister> specialRegisters;

  /// Static shared memory, and where dynamic shared memory begins.
  uint32_t sharedBytes = 0, dynamicSharedOffset = 0;
  /// The smallest access to shared and to global memory, in bytes.
  uint32_t sharedGranule = 16, globalGranule = 16;
  /// Names of shared variables with offset and size, for messages.
  struct SharedVariable {
    std::string name;
    uint32_t offset, bytes;
  };
  std::vector<SharedVariable> sharedVariables;
  /// Variables of the module as allocations: name, address, bytes.
  struct GlobalVariable {
    std::string name;
    uint64_t address, bytes;
  };
  std::vector<GlobalVariable> globalVariables;
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_PTX_PTXPROGRAM_H
