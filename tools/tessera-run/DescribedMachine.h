//===- DescribedMachine.h - The machine that a run is measured on ---------===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_DESCRIBEDMACHINE_H
#define TESSERA_TOOLS_TESSERA_RUN_DESCRIBEDMACHINE_H

#include "KernelWork.h"
#include "Options.h"
#include "tessera/Support/MachineDescription.h"
#include "tessera/runtime.h"

#include <memory>

namespace tessera::run {

/// What `--links` and `--virtual-kernels` say, as the runtime takes it.
class DescribedMachine {
public:
  /// Reads the files that the options name; null where they describe no
  /// machine. `manifest` says what kernels do.
  static Fallible<std::unique_ptr<DescribedMachine>>
  read(const Options &options, const std::string &manifest);

  /// For the options of a job, as long as this lives.
  const TesseraMachine *get() const { return &machine; }
  /// The roofline of one device, where kernels are virtual.
  const MachinePeak &device() const { return roofline; }

private:
  DescribedMachine() = default;
  void setLinks(const MachineDescription &description);
  void setKernels(const MachineDescription &description,
                  const std::string &manifest);

  TesseraMachine machine = {};
  std::vector<std::string> axisNames;
  std::vector<TesseraLinks> levels, axes;
  WorkTable work;
  std::vector<TesseraKernelTime> kernels;
  MachinePeak roofline;
};

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_DESCRIBEDMACHINE_H
