//===- ClusterGraph.h - the operations of a block and their kernels -------===//
//
// Elsewhere: operator fusion.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_FUSE_KERNELS_CLUSTERGRAPH_H
#define TESSERA_TRANSFORMS_FUSE_KERNELS_CLUSTERGRAPH_H

#include "tessera/Dialect/Spmd/KernelStructure.h"

#include "llvm/ADT/DenseMap.h"

namespace tessera::fuse {

/// The value that another one is made from by views alone, and how its elements
/// are reached.
struct ViewSource {
  /// Null if the value follows from constants alone.
  mlir::Value base;
  ElementAccess access;
};

/// The operations of one block as a graph of *nodes* that are grouped into
/// *clusters*, one per future kernel.
///
/// Nodes are the operations that compute something, and those that stay outside
/// kernels (`Opaque`: collectives, control flow, calls, messages). Views,
/// constants and cheap operations on constants are no nodes: they are copied
/// into every kernel that needs them. Only if an opaque operation needs one, it
/// is a node of its own.
///
/// Clusters are kept in a topological order (`position`), updated at every
/// merge by the algorithm of Pearce and Kelly (2006): only clusters between the
/// two merged ones are visited, first those that wait for the producer, which
/// are none where it is needed by the consumer alone. A merge that would close
/// a cycle through other clusters, or whose search exceeds a fixed budget, is
/// refused, so that merging is linear in the number of merges tried.
class ClusterGraph {
public:
  enum class NodeKind {
    Elementwise,
    Indexed,
    RowReduction,
    ColumnReduction,
    Matmul,
    Structured,
    Opaque
  };

  struct Edge {
    unsigned node;
    ElementAccess access;
  };

  struct Node {
    mlir::Operation *op;
    NodeKind kind;
    llvm::SmallVector<Edge, 4> producers, users;
    /// Values outside of the block's nodes (arguments, ...) that are read, for
    /// counting memory traffic.
    llvm::SmallVector<mlir::Value, 2> externals;
    /// Values equal to a result but for a reshape that operations outside
    /// kernels need.
    llvm::SmallVector<mlir::Value, 1> escaping;
  };

  struct Cluster {
    KernelKind kind = KernelKind::Elementwise;
    int64_t points = 0, parts = 0;
    bool opaque = false;
    /// Whether it holds an `Indexed` node.
    bool indexed = false;
    /// In program order.
    llvm::SmallVector<unsigned, 4> members;
    /// Ascending along every dependence between clusters.
    unsigned position;
  };

  explicit ClusterGraph(mlir::Block &block);

  unsigned size() const { return nodes.size(); }
  const Node &node(unsigned number) const { return nodes[number]; }
  unsigned clusterOf(unsigned node) const { return clusters[node]; }
  const Cluster &cluster(unsigned number) const {
    return *clusterStates[number];
  }
  /// Clusters in topological order.
  llvm::SmallVector<unsigned> clustersInOrder() const;

  /// Clusters that read results of `node`, without its own, in order of
  /// position.
  llvm::SmallVector<unsigned> consumersOf(unsigned node) const;

  /// Merges two clusters, of which the first precedes the second, if the result
  /// is a kernel and no cycle arises.
  bool merge(unsigned producer, unsigned consumer);
  /// Moves `node`, which depends on nothing in its cluster, to the matmul
  /// `target` that it reads, under the same conditions. The node must be
  /// element-wise and not the only one of its cluster.
  bool moveToMatmul(unsigned node, unsigned target);

  /// The value behind the views that `value` goes through.
  ViewSource resolve(mlir::Value value) const;
  /// Whether `op` is copied into the kernels that need it.
  bool isCopied(mlir::Operation *op) const;
  /// Whether `op` follows from constants alone, so that kernels copy it even if
  /// it is a node.
  bool isConstantExpression(mlir::Operation *op) const {
    return freeOperations.contains(op);
  }
  /// The node that computes `value`, if one of this block does.
  std::optional<unsigned> nodeOf(mlir::Value value) const;

private:
  struct Space {
    KernelKind kind;
    int64_t points, parts;
  };

  void addNode(mlir::Operation *op);
  void addEdges(unsigned number);
  void addEdge(unsigned user, mlir::Value operand);
  /// Operations with effects, calls and messages, depend on the one before.
  void keepEffectsInOrder();
  bool isFree(mlir::Operation *op);
  void promoteViews(mlir::Operation *op);
  NodeKind classify(mlir::Operation *op) const;
  void initializeCluster(unsigned node);

  std::optional<Space> unify(const Cluster &producer,
                             const Cluster &consumer) const;
  bool edgesAllowMerge(const Cluster &producer, unsigned consumer) const;
  bool isReadOnlyBy(const Cluster &producer, unsigned producerNumber,
                    unsigned consumer) const;
  bool readsTooMuch(unsigned producer, unsigned consumer) const;
  bool reorder(unsigned producer, unsigned consumer);
  bool addDependence(unsigned before, unsigned after);
  bool search(unsigned from, unsigned limit, bool direct, bool forward,
              llvm::SmallVectorImpl<unsigned> &visited);
  void assignPositions(llvm::ArrayRef<unsigned> order,
                       std::optional<unsigned> extra);
  ViewSource resolveForOpaque(mlir::Value value) const;

  mlir::Block &block;
  llvm::SmallVector<Node, 0> nodes;
  llvm::DenseMap<mlir::Operation *, unsigned> nodeNumbers;
  /// Operations that are neither nodes nor views: constants and what cheaply
  /// follows from them, with the size of the expression.
  llvm::DenseMap<mlir::Operation *, unsigned> freeOperations;
  /// The cluster of every node.
  llvm::SmallVector<unsigned, 0> clusters;
  llvm::SmallVector<std::unique_ptr<Cluster>, 0> clusterStates;
  /// For every cluster, the last search that saw it; searches so far.
  llvm::SmallVector<unsigned, 0> seen;
  unsigned searches = 0;
};

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_KERNELS_CLUSTERGRAPH_H
