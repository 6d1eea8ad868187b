//===- Interpreter.h - Executes IR directly, slowly and obviously ---------===//
//
// The judge of every phase: what a program means is what this interpreter
// computes. It shares no code with the code generator.
//
// A program before `partition` runs once, on whole tensors. A program after it
// is one device's: it runs on every device of the mesh at the same time, and
// collectives have their real semantics; a collective that can never complete
// is an error that names both places. Where every pipeline rank has a program
// of its own, it runs on that rank's copy of the mesh, all ranks at the same
// time; a message that never comes, or that nobody receives, is an error. So
// do, before `partition`, manual regions, on as many devices as their axes
// have.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_INTERPRETER_H
#define TESSERA_INTERPRETER_INTERPRETER_H

#include "tessera/Support/HostTensor.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera {

/// How often one collective, or `spmd.send`, ran on one device, and what it
/// sent.
struct CollectiveCount {
  mlir::Operation *collective;
  /// The number of devices in its group; 2 for `spmd.send`.
  int64_t groupSize;
  int64_t times;
  /// Bytes sent in all those times, by the usual ring count.
  int64_t bytes;
};

/// What a run of a program gave.
struct Interpretation {
  /// The whole (global) results, in order.
  std::vector<HostTensor> results;
  /// For every device number what it sent, in the order in which it first met
  /// the operations; empty for a program on whole tensors. A device's number is
  /// its pipeline rank times the size of the mesh plus its number in the mesh.
  std::vector<std::vector<CollectiveCount>> collectives;
};

/// Whether `module` is one device's program, or one per pipeline rank: it
/// contains collectives, or its boundary speaks of global types, or it has
/// programs of pipeline ranks.
bool isDeviceProgram(mlir::ModuleOp module);

/// Runs `@main` of a verified module, or its programs of pipeline ranks, on
/// whole (global) `inputs`, in the order of its arguments; unsigned ones
/// (`tessera.unsigned`) may be given as signed or unsigned. Emits one
/// diagnostic where the program or the inputs are wrong.
mlir::FailureOr<Interpretation> interpretModule(mlir::ModuleOp module,
                                                std::vector<HostTensor> inputs);

} // namespace tessera

#endif // TESSERA_INTERPRETER_INTERPRETER_H
