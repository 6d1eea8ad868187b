//===- PassFlags.h - the flags that every driver of MLIR takes ------------===//
#ifndef TESSERA_DRIVER_PASSFLAGS_H
#define TESSERA_DRIVER_PASSFLAGS_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/CommandLine.h"

namespace tessera {

/// Registers, in `category`, MLIR's own flags for looking between passes
/// (`--mlir-print-ir-after-all`, `--mlir-timing`, ...) and, where LLVM has been
/// built without them, `--debug` and `--debug-only`. For a tool that uses none
/// of MLIR's drivers, before it parses its command line; the passes have been
/// registered.
void registerPassFlags(llvm::cl::OptionCategory &category);

/// `--debug` and `--debug-only=TYPE,...` alone, where LLVM has been built
/// without them: messages of passes whose type is given, and by `PassLog` what
/// each pass did. A pass's type is its name on the command line.
void registerDebugFlags(llvm::cl::OptionCategory &category);

/// An instrumentation that says on stderr, for each pass that `--debug` or
/// `--debug-only` name, how many operations there were before and are after it.
std::unique_ptr<mlir::PassInstrumentation> makePassLog();

/// Runs pass managers as the flags ask for. They need one thread while IR is
/// printed or a reproducer is made.
class PassFlags {
public:
  PassFlags();

  /// Whether any flag asks to look at passes while they run.
  bool areGiven() const;
  /// Runs `manager`, whose passes are those of the phase `phase`, on `module`.
  llvm::LogicalResult run(mlir::PassManager &manager, mlir::ModuleOp module,
                          const std::string &phase);

private:
  /// For --mlir-timing, in one table for all phases; the scope ends first.
  mlir::DefaultTimingManager timing;
  mlir::TimingScope wholeTime;
  /// --mlir-print-ir-tree-dir as it was given: each phase has its own folder in
  /// it.
  std::string treeFolder;
};

} // namespace tessera

#endif // TESSERA_DRIVER_PASSFLAGS_H
