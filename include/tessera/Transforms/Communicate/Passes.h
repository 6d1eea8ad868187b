//===- Passes.h - the phase of one device's collectives -------------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_PASSES_H
#define TESSERA_TRANSFORMS_COMMUNICATE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <string>
#include <vector>

namespace tessera::communicate {

#define GEN_PASS_DECL
#include "tessera/Transforms/Communicate/Passes.h.inc"

/// What the phase has to know of the machine beside its description.
struct CommunicatePhaseOptions {
  /// The seconds that a call costs beside its messages.
  double collectiveSeconds = 5e-6;
  /// Bytes that the program may take on a device; 0 for what the described
  /// machine has.
  int64_t memoryLimit = 0;
  /// Whether collectives move to other iterations and are taken apart, alone or
  /// with products, wherever they can, not only where it pays.
  bool ignorePrices = false;
  /// Which collectives send fewer bits, as `--quantize-collectives` says.
  std::vector<std::string> quantizedCollectives = {};
  /// Whether other entry points are compiled beside this one, which may have
  /// what it has none of.
  bool isAmongOthers = false;
  /// Whether those are quantized; collectives may move to other iterations; run
  /// beside other parts of a batch; be taken apart with products; become one
  /// call; and be taken apart by levels of the network.
  bool quantize = true, iterate = true, split = true, decompose = true,
       combine = true, levels = true;
};

/// Whether a machine is described for `module`, so that seconds mean something.
bool hasDescribedMachine(mlir::ModuleOp module);

/// Appends the phase `communicate` to a module's passes. Requires what the
/// phase `partition` leaves; ensures what `tessera-verify-communication`
/// checks.
void buildCommunicatePhase(mlir::OpPassManager &manager,
                           const CommunicatePhaseOptions &options = {});

/// Registers the passes of the phase, and the phase as
/// `tessera-communicate-phase`.
void registerCommunicatePhase();

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_PASSES_H
