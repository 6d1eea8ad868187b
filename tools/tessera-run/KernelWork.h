//===- KernelWork.h - What the manifest says that kernels do --------------===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_KERNELWORK_H
#define TESSERA_TOOLS_TESSERA_RUN_KERNELWORK_H

#include "MachinePeak.h"

#include "tessera/Support/KernelCosts.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tessera::run {

/// What the compiler has written down under `work` (see
/// include/tessera/Simulator/ProgramWork.h), by kernel: their names are unique
/// in a program.
class WorkTable {
public:
  /// One execution on one device.
  struct Kernel {
    double operations = 0, bytes = 0;
    /// Events that it has.
    int64_t launches = 1;
    /// The function it stands in, and the bytes of that function's arena that
    /// hold values while it runs.
    std::string function;
    int64_t live = 0;
    /// The products among its operations.
    std::vector<ProductShape> products;
  };

  WorkTable() = default;
  /// Reads a manifest; one without a record of work gives an empty table.
  explicit WorkTable(const std::string &manifest);

  /// One device of the machine that the program was compiled for, if somebody
  /// described it.
  const std::optional<MachinePeak> &machine() const { return described; }

  /// All kernels, by name.
  const std::map<std::string, Kernel> &all() const { return kernels; }
  bool hasKernels() const { return !kernels.empty(); }
  int32_t pipelineRanks() const { return static_cast<int32_t>(memory.size()); }

  /// Null where nothing is known of it.
  const Kernel *find(const std::string &kernel) const;

  /// The bytes of arguments and results on a device of that pipeline rank, and
  /// the most bytes that it needs; nothing where the manifest does not say.
  struct Memory {
    int64_t boundary = 0, peak = 0;
  };
  std::optional<Memory> memoryOf(int32_t pipelineRank) const;

  /// The bytes in use on a device of that pipeline rank while the kernel runs,
  /// in a task or (an empty name) outside of all; nothing where that is not
  /// known.
  std::optional<int64_t> bytesAt(int32_t pipelineRank, const std::string &task,
                                 const std::string &kernel) const;

private:
  std::optional<MachinePeak> described;
  std::map<std::string, Kernel> kernels;
  std::vector<Memory> memory; ///< By pipeline rank.
  /// The most bytes that any step of a function needs of its own arena.
  std::map<std::string, int64_t> functionPeaks;
  /// The bytes that a task's call of a function needs of the caller's arena,
  /// the callee's included.
  std::map<std::pair<std::string, std::string>, int64_t> callBytes;
};

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_KERNELWORK_H
