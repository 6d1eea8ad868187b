//===- VocabularyLayer.h - the output layer of a step ---------------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_VOCABULARY_VOCABULARYLAYER_H
#define TESSERA_TRANSFORMS_STAGE_VOCABULARY_VOCABULARYLAYER_H

#include "Step/StepProgram.h"

#include "tessera/Dialect/Tessera/Tessera.h"

#include "llvm/ADT/MapVector.h"

namespace tessera::stage {

/// The operations of a step that have the vocabulary as a dimension.
///
/// The layer begins with a matmul of the forward pass, the *logits*, of
/// activations with a parameter; a dimension that only the parameter brings is
/// the vocabulary. From there it is followed through sharding rules, to what
/// uses logits and to what else those operations need: along the factor of each
/// operation that the dimension belongs to. An operation that has the factor is
/// a *part operation*: it can be computed in parts, each with some of the
/// vocabulary. Where the factor is reduced, every part gives a *partial*, and
/// only their combination is the value. All other values have no vocabulary
/// dimension and are called *rows*.
///
/// A matmul counts as logits if it comes to that everywhere, if the
/// exponentials of something are summed over the vocabulary (a softmax), and if
/// no matmul of the forward pass needs what comes out: the layer is the
/// last one. Names do not count, nor does which operations the loss is made of.
class VocabularyLayer {
public:
  /// A carried sum to which a part value is added.
  struct CarriedPart {
    unsigned carried;
    mlir::Value part;
    int64_t dim;
  };

  /// The layer of `program`, of several the one with the most elements; nothing
  /// where there is none.
  static std::optional<VocabularyLayer> find(const StepProgram &program);
  /// Says at the loop what was looked for.
  static mlir::LogicalResult emitMissing(const StepProgram &program);

  /// Finds in which blocks the devices of `mesh` hold the vocabulary. A
  /// diagnostic at the loop where it cannot be cut into `parts`.
  mlir::LogicalResult prepare(const Mesh &mesh, int64_t parts);

  /// The elements of the vocabulary, which devices hold in so many equal
  /// blocks.
  int64_t size() const { return elements; }
  int64_t blocks() const { return shards; }

  bool isPart(mlir::Operation *op) const {
    return factors.contains(op) || resolving.contains(op);
  }
  /// The factor that is the vocabulary, of a part operation that computes.
  FactorId factorOf(mlir::Operation *op) const { return factors.at(op); }
  /// The dimension of `value` that is the vocabulary, if part operations make
  /// it.
  std::optional<int64_t> dimOf(mlir::Value value) const {
    auto known = dims.find(value);
    return known == dims.end() ? std::nullopt
                               : std::optional<int64_t>(known->second);
  }
  /// How `value` is combined from partials, if it is.
  std::optional<ReductionKind> partialKind(mlir::Value value) const {
    auto known = partials.find(value);
    return known == partials.end()
               ? std::nullopt
               : std::optional<ReductionKind>(known->second);
  }
  /// The values that are combined from partials, in the order of the text.
  const llvm::MapVector<mlir::Value, ReductionKind> &getPartials() const {
    return partials;
  }
  llvm::ArrayRef<CarriedPart> getCarried() const { return carried; }
  /// Whether `value` is made by a part operation or computed from partials.
  bool contains(mlir::Value value) const { return members.contains(value); }
  /// Whether `value` needs a combined partial.
  bool isLate(mlir::Value value) const { return late.contains(value); }
  /// Whether some part operation needs `value`, directly or not.
  bool feedsPart(mlir::Value value) const { return feeding.contains(value); }

private:
  explicit VocabularyLayer(const StepProgram &program) : program(&program) {}

  bool follow(mlir::Value logits, int64_t dim);
  bool addValue(mlir::Value value, int64_t dim);
  bool addOperation(mlir::Operation *op, size_t tensor, int64_t dim);
  bool addUsers(mlir::Value value, int64_t dim);
  bool orderPartials();
  bool hasSoftmax() const;
  bool isLast();
  bool findShards(const Mesh &mesh);

  const StepProgram *program;
  int64_t elements = 1, shards = 1;
  llvm::DenseMap<mlir::Operation *, FactorId> factors;
  /// Reshards of partials, which belong to them.
  llvm::DenseSet<mlir::Operation *> resolving;
  llvm::MapVector<mlir::Value, int64_t> dims;
  llvm::MapVector<mlir::Value, ReductionKind> partials;
  llvm::SmallVector<CarriedPart> carried;
  llvm::DenseSet<mlir::Value> members, late, feeding;
  llvm::SmallVector<mlir::Value> worklist;
};

/// The part operation that reduces the vocabulary for `partial`.
mlir::Operation *reductionOf(mlir::Value partial);
/// The sharding rule of `op`, also of what hands one value over.
std::optional<ShardingRule> partRule(mlir::Operation *op);
/// The factor of the only dimension `dim` of tensor `tensor` (operands first)
/// that consists of nothing else; nothing where there is none.
std::optional<FactorId> factorAt(const ShardingRule &rule, size_t tensor,
                                 int64_t dim);
/// The dimension of tensor `tensor` that is `factor`; nothing if it has none.
std::optional<int64_t> dimAt(const ShardingRule &rule, size_t tensor,
                             FactorId factor);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_VOCABULARY_VOCABULARYLAYER_H
