//===- ShardingChoice.h - shardings of least total cost -------------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_CHOICE_SHARDINGCHOICE_H
#define TESSERA_TRANSFORMS_SHARD_CHOICE_SHARDINGCHOICE_H

#include "Choice/OperationSharding.h"
#include "Choice/PairwiseChoice.h"
#include "Support/ConstantExpressions.h"
#include "Support/RuleCache.h"

#include "tessera/Dialect/Tessera/ReshardCosts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <deque>

namespace tessera::shard {

/// Chooses how every operation of a function is split, so that computation and
/// the moves between operations cost least in sum.
///
/// **Parties.** Everything that makes or takes tensors is a party: operations,
/// the function's arguments and results, and what control flow hands over (a
/// loop's operand, region argument, yielded value and result are one party, for
/// they have one sharding). A party has a few *options*, each of which says how
/// it needs every tensor it takes and how it makes every one it makes.
///
/// **Candidates.** Propagation gave every value one sharding, its guide. Where
/// all tensors of an operation agree, nothing is in question. Where they do
/// not, the operation has several options, and what these need or make is a
/// further *candidate* for the values concerned. Candidates spread to the other
/// parties of these values, as long as some operation can follow them and only
/// so far; what the user has fixed (annotations, constraints) does not take
/// part. Values made as pending sums are candidates as well, for operations
/// that are linear in them. So the parties with a choice are those between a
/// conflict and the next annotations.
///
/// **Choosing.** The cost of a set of options is the time of all computations
/// plus, per value, that of moving it from how it is made to how it is needed;
/// inside of loops, times the trip count. A value with one use costs what the
/// move costs. One with several uses is moved to one sharding first, which is a
/// choice of its own, and from there to each use, so that uses that agree pay
/// once. This is a graph of pairwise costs; see `PairwiseChoice`.
///
/// **Equal questions.** The layers of a model ask the same questions, so the
/// options of a party and the costs of the moves between parties are worked out
/// once for all that ask the same: candidates, options and costs are kept once
/// each, and what they are is told by where they are kept.
class ShardingChoice {
public:
  /// `guides` has the sharding of every tensor of `function`.
  ShardingChoice(mlir::func::FuncOp function, mlir::FlatSymbolRefAttr meshName,
                 ReshardCosts &costs, RuleCache &rules,
                 const ConstantExpressions &constants,
                 const llvm::DenseMap<mlir::Value, ShardingAttr> &guides);

  void run();

  /// Whether `op` is a constant that is made as its only use needs it, which is
  /// left to the caller.
  bool isFreeConstant(mlir::Operation *op) const;
  /// How `value`, a tensor and no free constant, is made.
  ShardingAttr produced(mlir::Value value) const;
  /// How `use` needs its value; null for uses of what is no tensor.
  ShardingAttr needed(mlir::OpOperand &use) const;

private:
  /// One option: a sharding per port of the party.
  struct Option {
    llvm::SmallVector<ShardingAttr, 4> ports;
    double seconds = 0;
  };
  struct Options : llvm::SmallVector<Option, 0> {
    /// What they ask of the ports that is no candidate there yet, by port.
    llvm::SmallVector<std::pair<unsigned, ShardingAttr>, 0> newCandidates;
  };
  /// The shardings that a tensor may have, the guide first. Equal ones are one.
  using Candidates = llvm::SmallVector<ShardingAttr, 4>;
  /// What it costs to move a tensor to one sharding first.
  struct SharedMove {
    /// Per sharding, with the moves from and to parties without a choice.
    CostTables::Lowered own;
    /// Rows for the options of the maker, if that has a choice.
    CostTables::Lowered fromMaker;
    /// Rows for the shardings, by the taker's position among the takers.
    llvm::SmallVector<std::pair<unsigned, CostTables::Lowered>, 4> toTakers;
  };
  /// A tensor that a party takes (through `use`) or makes.
  struct Port {
    mlir::Value value;
    mlir::OpOperand *use = nullptr;
    /// The number of `value` among the tensors.
    unsigned tensor = 0;
    /// Taken by control flow: the region argument or result it is handed to.
    /// At the boundary of a manual region the two are sharded differently.
    mlir::Value handedTo;
    /// Taken, but to be had in any sharding for nothing.
    bool isFree = false;
  };
  enum class PartyKind {
    /// An operation with a sharding rule.
    Operation,
    /// All ports have one sharding, which is among their candidates; where it
    /// is handed into or out of a manual region, that of the receiver.
    Shared,
    /// The same at the function's boundary, where sums are not pending.
    Boundary,
    /// All ports have the sharding that the user asked for.
    Fixed,
    /// The same, or all ports are sums pending over axes that this sharding
    /// splits or leaves: a constraint of what control flow carries, which says
    /// how the sum is to be had when it is done.
    Carried,
    /// All ports are replicated.
    Whole,
  };
  struct Party {
    PartyKind kind = PartyKind::Fixed;
    const ShardingRule *rule = nullptr;
    ShardingAttr fixed;
    llvm::SmallVector<Port, 4> ports;
    /// How often the party runs.
    int64_t times = 1;
    const Options *options = nullptr;
    /// The options whose candidates it has passed on.
    const Options *passedOn = nullptr;
    /// Whether a candidate has come since its options were found.
    bool isStale = true;
    /// How far it is from the conflict whose candidates it last took.
    unsigned distance = 0;
    bool isQueued = false;
    unsigned choice = 0;
    /// In the graph of choices; none for a party with one option.
    std::optional<PairwiseChoice::Node> node;
  };
  struct PortRef {
    unsigned party = 0, port = 0;
  };
  /// A value that parties make and take.
  struct Tensor {
    PortRef maker;
    llvm::SmallVector<PortRef, 2> takers;
    /// How propagation would have it, and what else it might be.
    const Candidates *candidates = nullptr;
    /// The user fixed how it is made.
    bool isFixed = false;
    /// It may be a pending sum nevertheless.
    bool isCarried = false;
    int64_t times = 1;
  };

  int64_t timesIn(mlir::Block *block);
  unsigned tensorOf(mlir::Value value);
  void addPort(unsigned party, mlir::Value value, mlir::OpOperand *use);
  void addBoundary();
  unsigned addBoundaryParty(mlir::DictionaryAttr attributes);
  void addDataFlow(mlir::Operation *op);
  void addOperation(mlir::Operation *op);
  void addParties();
  void carrySums(unsigned party);

  ShardingAttr attribute(TensorSharding sharding);
  ShardingAttr guideOf(mlir::Value value) const;
  ShardingAttr guideOf(const Port &port) const {
    return tensors[port.tensor].candidates->front();
  }
  const Candidates *withCandidate(const Candidates *others,
                                  ShardingAttr sharding);
  const Candidates *candidatesOf(const Port &port);
  bool isRepeated(const Party &party) const;
  void findNewCandidates(const Party &party, Options &options);
  void findOptions(Party &party);
  void findOperationOptions(const Party &party, Options &options);
  ShardingAttr behindEdge(const Port &port, ShardingAttr sharding);
  ShardingAttr beforeEdge(const Port &port, ShardingAttr sharding);
  void findSharedOptions(const Party &party, Options &options);
  void findOnlyOption(const Party &party, Options &options);
  void findCarriedOptions(const Party &party, Options &options);
  bool mayBe(const Tensor &tensor, ShardingAttr sharding) const;
  bool agrees(const Party &party, const Option &option) const;
  double guidedSeconds(const Party &party, const Option &option);
  void preferGuides(const Party &party, Options &options);
  void spreadCandidates();
  void spreadFrom(unsigned party);
  void addCandidate(const Port &port, ShardingAttr sharding, unsigned distance);
  void enqueue(unsigned party, unsigned distance);

  ShardingAttr portSharding(PortRef ref, unsigned option) const {
    return parties[ref.party].options->operator[](option).ports[ref.port];
  }
  unsigned numOptions(PortRef ref) const {
    return parties[ref.party].options->size();
  }
  void addChoices();
  void addMoves(mlir::Value value, const Tensor &tensor);
  void addMove(mlir::Value value, const Tensor &tensor, PortRef taker);
  void addSharedMove(mlir::Value value, const Tensor &tensor,
                     llvm::ArrayRef<PortRef> takers);
  SharedMove findSharedMove(mlir::Value value, const Tensor &tensor,
                            llvm::ArrayRef<PortRef> takers);
  llvm::SmallVector<const void *, 16>
  moveKey(mlir::Value value, const Tensor &tensor,
          llvm::ArrayRef<PortRef> takers) const;
  double seconds(mlir::Value value, ShardingAttr from, ShardingAttr to,
                 int64_t times);

  mlir::func::FuncOp function;
  mlir::FlatSymbolRefAttr meshName;
  ReshardCosts &costs;
  const Mesh &mesh;
  RuleCache &rules;
  const ConstantExpressions &constants;
  const llvm::DenseMap<mlir::Value, ShardingAttr> &guides;

  std::vector<Party> parties;
  std::vector<Tensor> tensors;
  llvm::DenseMap<mlir::Value, unsigned> tensorNumbers;
  /// Its first ports take the operands of the operation, in their order.
  llvm::DenseMap<mlir::Operation *, unsigned> partyOfOperation;
  /// The ports of all other uses.
  llvm::DenseMap<mlir::OpOperand *, PortRef> useRefs;
  llvm::SmallDenseMap<mlir::Block *, int64_t, 1> timesOfBlocks;
  std::deque<Candidates> candidateStorage;
  llvm::DenseMap<std::pair<const Candidates *, ShardingAttr>,
                 const Candidates *>
      knownCandidates;
  /// What is the same for parties or tensors that ask the same question.
  std::deque<Options> optionStorage;
  llvm::DenseMap<llvm::ArrayRef<const void *>, const Options *> knownOptions;
  llvm::DenseMap<llvm::ArrayRef<const void *>, CostTables::Lowered> knownMoves;
  std::deque<SharedMove> sharedMoveStorage;
  llvm::DenseMap<llvm::ArrayRef<const void *>, const SharedMove *>
      knownSharedMoves;
  llvm::BumpPtrAllocator keys;
  std::deque<unsigned> queue;
  CostTables tables;
  PairwiseChoice choices{tables};
};

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_CHOICE_SHARDINGCHOICE_H
