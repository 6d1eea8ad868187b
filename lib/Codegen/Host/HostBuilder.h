//===- HostBuilder.h - One function of the host program -------------------===//
#ifndef TESSERA_CODEGEN_HOST_HOSTBUILDER_H
#define TESSERA_CODEGEN_HOST_HOSTBUILDER_H

#include "FutureNumbers.h"
#include "HostProgram.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace tessera::codegen {

/// Builds one function of the host program from one that the phase `schedule`
/// has planned: every kernel, collective, message and call becomes an operation
/// of `rt` on the addresses of its tensors, in the same order; loops and
/// branches stay, without the tensors that they carry.
class HostBuilder {
public:
  /// `builder` stands where the function is put.
  HostBuilder(const HostFunction &function, const ProgramFunctions &program,
              const CommunicationTable &communication,
              const FutureNumbers &futures, const KernelUses &kernels,
              KernelTarget &kernelTarget, mlir::OpBuilder builder)
      : function(function), locations(function.locations), program(program),
        communication(communication), futures(futures), kernels(kernels),
        kernelTarget(kernelTarget), b(builder) {}

  llvm::LogicalResult run();

private:
  static int64_t align(int64_t bytes) { return (bytes + 63) / 64 * 64; }
  static int64_t bytesOf(mlir::Value value);
  /// Whether dimension `dim` is the outermost in memory.
  static bool isOutermost(mlir::Value value, int64_t dim);
  static llvm::SmallVector<mlir::Value> tensorsOf(mlir::ValueRange values);

  void makeFunction();
  /// The address of the memory for kernels' temporaries, from byte `offset`: in
  /// an entry behind everything else in the arena.
  mlir::Value temporaryAddress(int64_t offset, mlir::Location loc);
  /// The address of `location`, computed here.
  mlir::Value address(MemoryLocation location, mlir::Location loc);
  /// The address of a tensor; null after a diagnostic.
  mlir::Value address(mlir::Value value, mlir::Location loc);
  /// Makes sure that the elements of `value` are at `target`.
  llvm::LogicalResult copyTo(mlir::Value value, MemoryLocation target,
                             mlir::Location loc);
  /// Moves `values` to where `targets` lie, as if all at once.
  llvm::LogicalResult copyAll(mlir::ValueRange values, mlir::ValueRange targets,
                              mlir::Location loc);

  llvm::LogicalResult emitBlock(mlir::Block &block);
  llvm::LogicalResult emit(mlir::Operation *op);
  /// Operations on scalars stay as they are.
  llvm::LogicalResult emitScalar(mlir::Operation *op);
  llvm::LogicalResult emitKernel(spmd::KernelOp kernel);
  /// `future` is null for a collective that is complete at once.
  llvm::LogicalResult emitCollective(spmd::CollectiveOpInterface op,
                                     mlir::IntegerAttr future = {});
  mlir::LogicalResult emitHostCopy(mlir::Operation *copy,
                                   mlir::IntegerAttr future);
  llvm::LogicalResult emitStart(spmd::StartOp op);
  llvm::LogicalResult emitWait(spmd::WaitOp op);
  llvm::LogicalResult emitAxisIndex(spmd::AxisIndexOp op);
  llvm::LogicalResult emitSend(spmd::SendOp op);
  llvm::LogicalResult emitRecv(spmd::RecvOp op);
  /// Operands and results stay where they are: the called function gets their
  /// addresses, and a part of this arena.
  llvm::LogicalResult emitCall(mlir::func::CallOp op);
  llvm::LogicalResult emitExtract(mlir::tensor::ExtractOp op);
  llvm::LogicalResult emitFromElements(mlir::tensor::FromElementsOp op);
  llvm::LogicalResult emitReturn(mlir::func::ReturnOp op);

  // HostControlFlow.cpp
  llvm::LogicalResult emitFor(mlir::scf::ForOp loop);
  /// What the condition passes on lies where the loop's results lie.
  llvm::LogicalResult emitWhile(mlir::scf::WhileOp loop);
  llvm::LogicalResult emitIf(mlir::scf::IfOp branch);
  llvm::LogicalResult emitSwitch(mlir::scf::IndexSwitchOp branch);

  const HostFunction &function;
  const MemoryMap &locations;
  const ProgramFunctions &program;
  const CommunicationTable &communication;
  const FutureNumbers &futures;
  const KernelUses &kernels;
  KernelTarget &kernelTarget;
  mlir::OpBuilder b;
  mlir::Value context, arguments, results, arena, temporaries;
  /// Scalars of the source program to those of the host program.
  mlir::IRMapping scalars;
};

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_HOSTBUILDER_H
