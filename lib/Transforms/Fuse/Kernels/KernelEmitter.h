//===- KernelEmitter.h - kernels from clusters ----------------------------===//
#ifndef TESSERA_TRANSFORMS_FUSE_KERNELS_KERNELEMITTER_H
#define TESSERA_TRANSFORMS_FUSE_KERNELS_KERNELEMITTER_H

#include "Kernels/ClusterGraph.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace tessera::fuse {

/// Replaces the operations of a block by the kernels of a cluster graph, in the
/// order of the clusters.
///
/// A kernel's body has the operations in program order, what it copies just
/// before its first user; operands stand in the order of their first use,
/// results in the order of their definition. Equal layers so become equal
/// kernels.
class KernelEmitter {
public:
  KernelEmitter(mlir::Block &block, const ClusterGraph &graph)
      : block(block), graph(graph) {}

  void run();

private:
  void emitKernel(const ClusterGraph::Cluster &cluster);
  /// The value inside the body under construction that equals `value` outside.
  mlir::Value materialize(mlir::Value value);
  mlir::Value readExternal(mlir::Value value);
  void cloneOperation(mlir::Operation *op);
  mlir::OpBuilder builderInBody();
  /// Values that kernels or operations behind the cluster need of `member`.
  llvm::SmallVector<mlir::Value> neededResults(unsigned member,
                                               unsigned cluster) const;

  mlir::Block &block;
  const ClusterGraph &graph;
  /// What stands for a computed value after its kernel, equal but for the
  /// shape.
  llvm::DenseMap<mlir::Value, mlir::Value> replacements;
  /// Values to replace for operations outside of kernels.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> escaped;

  // The kernel under construction.
  mlir::Block *body = nullptr;
  unsigned current = 0;
  mlir::IRMapping mapping;
  llvm::SmallVector<mlir::Value> operands;
};

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_KERNELS_KERNELEMITTER_H
