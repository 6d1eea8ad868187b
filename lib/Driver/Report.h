//===- Report.h - what was decided, for programs to read ------------------===//
#ifndef TESSERA_DRIVER_REPORT_H
#define TESSERA_DRIVER_REPORT_H

#include "Explain/Explain.h"
#include "Timing.h"
#include "tessera/Simulator/Chart.h"
#include "tessera/Transforms/Stage/Schedule/PredictedStep.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace tessera {

/// The report (`--report=FILE.json`) of a compilation: mesh, boundary, memory
/// and collectives as in the program's `manifest`, with the reasons of the
/// collectives from `module`, which is as `codegen` leaves it; the number of
/// `operations` after each phase and the phases' times; with `predicted`, the
/// schedule; the `remedies` that were found. `step` is what the finished
/// program is expected to do. Bytes are per device and step.
llvm::json::Object makeReport(mlir::ModuleOp module,
                              const llvm::json::Object &manifest,
                              llvm::json::Object operations,
                              const CompileTimer &timer,
                              const stage::PredictedStep *predicted,
                              const RemedyTable &remedies, const Chart &step);

/// What the program of `manifest` does when, on the machine that it is compiled
/// for: `tessera-sim`'s prediction. No track where it has no record of its
/// work.
Chart chartOfStep(const llvm::json::Object &manifest);

/// What a program computes again, or copies to the host and back, because of a
/// limit of memory.
struct RematerializedWork {
  /// Operations that do, and of those the collectives.
  int64_t operations = 0, collectives = 0;
  /// What they take in a step, as `tessera-sim` predicts it without overlap; of
  /// functions that are called, in a run of each.
  double seconds = 0;
  /// Values that are copied to the host meanwhile, their bytes, and what all
  /// copies there and back take on the link.
  int64_t copied = 0, copiedBytes = 0;
  double copySeconds = 0;
};

/// What `module`, which is as the phase `schedule` leaves it, computes again or
/// copies.
RematerializedWork findRematerialized(mlir::ModuleOp module);

/// The number of operations in `op`, those in nested regions included.
int64_t countOperations(mlir::Operation *op);

} // namespace tessera

#endif // TESSERA_DRIVER_REPORT_H
