//===- ProgramFunctions.h - The functions that run, and what they send ----===//
#ifndef TESSERA_CODEGEN_HOST_PROGRAMFUNCTIONS_H
#define TESSERA_CODEGEN_HOST_PROGRAMFUNCTIONS_H

#include "tessera/Dialect/Spmd/MemoryMap.h"

namespace tessera::codegen {

using spmd::MemoryLocation;
using spmd::MemoryMap;

/// A function of the scheduled program that runs.
struct HostFunction {
  mlir::func::FuncOp source;
  /// Its name in the module of the host program.
  std::string name;
  /// Whether the runtime calls it, and not another function.
  bool isEntry;
  MemoryMap locations;
};

/// What one device runs in a step: an entry and all that it calls, directly or
/// not.
struct EntryProgram {
  mlir::func::FuncOp entry;
  /// The pipeline rank that runs it; none where there are no stages.
  std::optional<int64_t> rank;
  /// How often each function runs, the entry first. Loops without constant
  /// bounds count as one trip.
  llvm::MapVector<mlir::func::FuncOp, int64_t> runs;
};

/// The functions of a scheduled program: `@main`, or the functions with
/// `pipe.rank`, and those that these call.
struct ProgramFunctions {
  /// In the order of the pipeline ranks.
  llvm::SmallVector<EntryProgram> entries;
  /// Each once, in the order of the entries' runs.
  llvm::SmallVector<HostFunction, 0> functions;

  /// Fails with a diagnostic if there is no entry, a pipeline rank is missing,
  /// or a function without a body is called.
  static llvm::FailureOr<ProgramFunctions> find(mlir::ModuleOp module);
};

/// The communicators of a program, and its collectives and messages as the
/// manifest lists them.
class CommunicationTable {
public:
  explicit CommunicationTable(const ProgramFunctions &program);

  /// The number of the communicator along `axes`, which the program uses.
  int32_t communicator(AxesAttr axes) const {
    return std::distance(communicators.begin(),
                         llvm::find(communicators, axes));
  }
  /// Writes the attributes `rt.communicators`, `rt.collectives` and, with
  /// stages, `rt.transfers`.
  void write(mlir::ModuleOp module) const;

private:
  void number(llvm::ArrayRef<spmd::StartOp> call);
  void record(spmd::CollectiveOpInterface op, int64_t times,
              std::optional<int64_t> rank);
  void record(spmd::SendOp op, int64_t times, int64_t rank);

  mlir::Builder b;
  bool hasStages;
  llvm::SetVector<mlir::Attribute> communicators;
  llvm::SmallVector<mlir::Attribute> collectives;
  /// By start, the number of the call, where it combines several collectives.
  llvm::DenseMap<mlir::Operation *, int64_t> calls;
  int64_t numCalls = 0;
  /// Messages of the same type from one place to one rank, for one reason, are
  /// one entry: source, target, type, place and reason (null if it is not
  /// known) to their number.
  llvm::MapVector<std::tuple<int64_t, int64_t, mlir::Type, mlir::StringAttr,
                             mlir::Attribute>,
                  int64_t>
      transfers;
};

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_PROGRAMFUNCTIONS_H
