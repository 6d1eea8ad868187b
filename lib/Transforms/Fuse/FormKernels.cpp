//===- FormKernels.cpp - clusters operations into kernels -----------------===//
//
// Three steps on the graph of each block (see ClusterGraph), each linear in its
// size:
//
//  1. From the last operation to the first, an operation joins the kernels of
//  its consumers, nearest first. Several consumers end
//     in one kernel if nothing between them forbids it; the value is then
//     stored only if others need it as well.
//  2. Column reductions of one value become one kernel, so that it is read
//  once.
//  3. Matmuls take the element-wise kernels that read them as epilogues;
//  from others they take those first operations that
//     save memory traffic, as the residual sum in front of a layer norm.
//
// Matmuls choose last since they accept fewest kinds of partners. All cost
// is memory traffic: no step makes a kernel compute what another one computes.
//
//===----------------------------------------------------------------------===//

#include "Kernels/ClusterGraph.h"
#include "Kernels/KernelEmitter.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Fuse/Passes.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-form-kernels"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

namespace tessera::fuse {
#define GEN_PASS_DEF_FORMKERNELS
#include "tessera/Transforms/Fuse/Passes.h.inc"
} // namespace tessera::fuse

using NodeKind = ClusterGraph::NodeKind;

/// Merges the kernel of the reduction `number` with those that read what the
/// reduction joined.
static void joinAlongRows(ClusterGraph &graph, unsigned number) {
  SmallVector<unsigned, 4> members(
      graph.cluster(graph.clusterOf(number)).members);
  for (unsigned member : members)
    for (unsigned consumer : graph.consumersOf(member))
      graph.merge(graph.clusterOf(number), consumer);
}

static void joinConsumers(ClusterGraph &graph) {
  for (unsigned number = graph.size(); number-- > 0;) {
    NodeKind kind = graph.node(number).kind;
    if (kind == NodeKind::Matmul || kind == NodeKind::Structured ||
        kind == NodeKind::Opaque)
      continue;
    bool merged = false;
    for (unsigned consumer : graph.consumersOf(number))
      merged |= graph.merge(graph.clusterOf(number), consumer);
    // A reduction gives rows to what it joined, which then fits kernels along
    // these rows.
    if (merged && kind == NodeKind::RowReduction)
      joinAlongRows(graph, number);
  }
}

static void joinColumnReductions(ClusterGraph &graph) {
  for (unsigned number = 0; number < graph.size(); ++number) {
    if (graph.node(number).op->getNumResults() == 0 ||
        !isa<RankedTensorType>(graph.node(number).op->getResult(0).getType()))
      continue;
    std::optional<unsigned> first;
    for (unsigned consumer : graph.consumersOf(number)) {
      const ClusterGraph::Cluster &cluster = graph.cluster(consumer);
      if (consumer == graph.clusterOf(number) ||
          cluster.kind != KernelKind::Column ||
          elementsOf(graph.node(number).op->getResult(0)) != cluster.points)
        continue;
      if (!first || graph.merge(*first, consumer))
        first = consumer;
    }
  }
}

namespace {

/// Decides whether an operation at the entry of a kernel moves into the
/// matmul that it reads.
class EpilogueGain {
public:
  EpilogueGain(const ClusterGraph &graph, unsigned matmul)
      : graph(graph), matmul(matmul) {}

  /// The change of the number of whole tensors that are written and read if
  /// `number` moves.
  int64_t of(unsigned number) const;

private:
  bool isWhole(Value value) const {
    return elementsOf(value) == graph.cluster(matmul).points;
  }
  bool isReadIn(unsigned producer, unsigned cluster, unsigned except) const;
  bool isNeededOutside(unsigned node, unsigned cluster, unsigned except) const;

  const ClusterGraph &graph;
  unsigned matmul;
};

} // namespace

/// Whether a member of `cluster` other than `except` reads `producer`.
bool EpilogueGain::isReadIn(unsigned producer, unsigned cluster,
                            unsigned except) const {
  return llvm::any_of(
      graph.node(producer).users, [&](const ClusterGraph::Edge &edge) {
        return edge.node != except && graph.clusterOf(edge.node) == cluster;
      });
}

/// Whether something outside of `cluster` other than `except` reads `node`.
bool EpilogueGain::isNeededOutside(unsigned node, unsigned cluster,
                                   unsigned except) const {
  return !graph.node(node).escaping.empty() ||
         llvm::any_of(graph.node(node).users,
                      [&](const ClusterGraph::Edge &edge) {
                        return edge.node != except &&
                               graph.clusterOf(edge.node) != cluster;
                      });
}

int64_t EpilogueGain::of(unsigned number) const {
  unsigned home = graph.clusterOf(number);
  int64_t change = 0;
  llvm::SmallDenseSet<unsigned> seen;
  for (const ClusterGraph::Edge &edge : graph.node(number).producers) {
    if (!seen.insert(edge.node).second ||
        !isWhole(graph.node(edge.node).op->getResult(0)))
      continue;
    change -=
        !isReadIn(edge.node, home, number); // the old kernel no longer reads it
    if (graph.clusterOf(edge.node) == matmul)
      change -= !isNeededOutside(edge.node, matmul, number); // nor is it stored
    else
      change += !isReadIn(edge.node, matmul,
                          number); // but the matmul reads it
  }
  for (Value external : graph.node(number).externals)
    change += isWhole(external) && !isa<BlockArgument>(external);
  change += isReadIn(number, home, number); // the result is read
  change +=
      1 - isNeededOutside(number, home, number); // and stored, if it was not
  return change;
}

/// Operations at the entry of other kernels that read the matmul `number`,
/// as long as moving them in does no harm.
static void pullEpilogue(ClusterGraph &graph, unsigned number) {
  unsigned matmul = graph.clusterOf(number);
  SmallVector<unsigned> worklist = {number};
  while (!worklist.empty()) {
    unsigned current = worklist.pop_back_val();
    SmallVector<ClusterGraph::Edge, 4> users(graph.node(current).users);
    for (const ClusterGraph::Edge &edge : users) {
      unsigned home = graph.clusterOf(edge.node);
      bool atEntry =
          home != matmul && !graph.cluster(home).opaque &&
          graph.cluster(home).members.size() > 1 &&
          llvm::none_of(graph.node(edge.node).producers,
                        [&](const ClusterGraph::Edge &producer) {
                          return graph.clusterOf(producer.node) == home;
                        });
      if (atEntry && EpilogueGain(graph, matmul).of(edge.node) <= 0 &&
          graph.moveToMatmul(edge.node, matmul))
        worklist.push_back(edge.node);
    }
  }
}

static void formEpilogues(ClusterGraph &graph) {
  for (unsigned number = 0; number < graph.size(); ++number) {
    if (graph.node(number).kind != NodeKind::Matmul)
      continue;
    for (unsigned consumer : graph.consumersOf(number))
      if (consumer != graph.clusterOf(number))
        graph.merge(graph.clusterOf(number), consumer);
    pullEpilogue(graph, number);
  }
}

/// Says of each kernel which operations it is made of.
[[maybe_unused]] static void logKernels(const ClusterGraph &graph) {
  for (unsigned number : graph.clustersInOrder()) {
    const ClusterGraph::Cluster &cluster = graph.cluster(number);
    if (cluster.opaque)
      continue;
    auto names = llvm::map_range(cluster.members, [&](unsigned member) {
      return graph.node(member).op->getName().stripDialect();
    });
    LDBG() << stringifyKernelKind(cluster.kind) << " kernel of "
           << cluster.points << " points: " << llvm::join(names, ", ")
           << "; the last is "
           << describeOperation(graph.node(cluster.members.back()).op);
  }
}

/// Gives a call of a library a kernel of its own, which finds the operands in
/// memory.
static void enclose(LibraryCallOp call) {
  OpBuilder builder(call);
  auto kernel = spmd::KernelOp::create(
      builder, call.getLoc(), call.getResultTypes(), call.getOperands());
  call.replaceAllUsesWith(kernel.getResults());
  Block &body = kernel.getBody().emplaceBlock();
  for (Value operand : call.getOperands())
    body.addArgument(operand.getType(), operand.getLoc());
  call->setOperands(body.getArguments());
  call->moveBefore(&body, body.end());
  builder.setInsertionPointToEnd(&body);
  spmd::YieldOp::create(builder, call.getLoc(), call.getResults());
}

namespace {

struct FormKernels : public tessera::fuse::impl::FormKernelsBase<FormKernels> {
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk<WalkOrder::PostOrder>([&](Block *block) {
      if (llvm::any_of(*block,
                       [](Operation &op) { return isKernelOperation(&op); }) &&
          !isa<spmd::KernelOp>(block->getParentOp()) &&
          !isKernelOperation(block->getParentOp()))
        blocks.push_back(block);
    });
    for (Block *block : blocks)
      run(*block);
  }

  void run(Block &block) {
    for (LibraryCallOp call : llvm::to_vector(block.getOps<LibraryCallOp>()))
      enclose(call);
    ClusterGraph graph(block);
    joinConsumers(graph);
    joinColumnReductions(graph);
    formEpilogues(graph);
    LLVM_DEBUG(logKernels(graph));
    KernelEmitter(block, graph).run();
  }
};

} // namespace
