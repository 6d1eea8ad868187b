//===- VocabularyParts.h - one rank's part of an output layer -------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_VOCABULARY_VOCABULARYPARTS_H
#define TESSERA_TRANSFORMS_STAGE_VOCABULARY_VOCABULARYPARTS_H

#include "Vocabulary/VocabularyLayer.h"

#include "tessera/Dialect/Pipe/Pipe.h"

#include <functional>

namespace tessera::stage {

/// How the vocabulary is cut: each block that devices hold has in part r the
/// same columns, of which parts have as many as each other but for one. So
/// nothing moves within a pipeline rank.
struct VocabularyRange {
  /// The columns of the vocabulary, in so many equal blocks.
  int64_t columns, blocks;
  /// The part's columns within each block.
  int64_t begin, end;

  static VocabularyRange of(const VocabularyLayer &layer, int64_t part,
                            int64_t parts);
  int64_t blockColumns() const { return columns / blocks; }
  /// The part's columns in all blocks.
  int64_t size() const { return blocks * (end - begin); }
};

/// The part `range` of dimension `dim` of `value`.
mlir::Value sliceVocabulary(mlir::OpBuilder &builder, mlir::Value value,
                            int64_t dim, const VocabularyRange &range);
/// Puts the parts of all ranks together again along dimension `dim`.
mlir::Value joinVocabulary(mlir::OpBuilder &builder,
                           llvm::ArrayRef<mlir::Value> parts, int64_t dim,
                           int64_t blocks);

/// `sharding` for other dimensions: each has the axes of the one that `from`
/// names, none for -1. Null for null.
ShardingAttr rearranged(ShardingAttr sharding, llvm::ArrayRef<int64_t> from);

/// Where rows, which all parts of the layer see alike, are computed.
class RowSite {
public:
  explicit RowSite(mlir::OpBuilder builder) : builder(builder) {}
  virtual ~RowSite() = default;
  /// What stands for the row value `value` here.
  virtual mlir::Value row(mlir::Value value) = 0;

  mlir::OpBuilder builder;
};

/// Builds what one rank computes of the layer in one of its tasks, on demand:
/// whatever is asked for is built once, after what it needs.
class VocabularyPart : public RowSite {
public:
  /// Gives a combined partial to a site.
  using Combine =
      std::function<mlir::Value(mlir::Value partial, RowSite &site)>;

  /// Builds at the end of `fragment`. `earlier` is the task of the same rank
  /// that has run before this one, null for none; what is dear in it, and
  /// depends on no partial, is taken from there. `combine` gives combined
  /// partials.
  VocabularyPart(const VocabularyLayer &layer, const StepProgram &program,
                 const VocabularyRange &range, pipe::FragmentOp fragment,
                 VocabularyPart *earlier, Combine combine);

  mlir::Value row(mlir::Value value) override;
  /// This rank's part of `value`, which has the vocabulary as `dim`.
  mlir::Value part(mlir::Value value, int64_t dim);
  /// This rank's contribution to `value`, a partial of the layer.
  mlir::Value partial(mlir::Value value);
  /// What `op`, a part operation, gives of `operands`, which are rows, and this
  /// rank's parts of what has the vocabulary. The result is of type `result`.
  mlir::Value apply(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands,
                    mlir::Type result);
  /// The operands of `op` for `apply`, along `factor`.
  llvm::SmallVector<mlir::Value> operandsOf(mlir::Operation *op,
                                            FactorId factor);

  /// Ones in the form of this rank's part of `value`.
  mlir::Value ones(mlir::Value value, int64_t dim);
  /// The type of this rank's part of something of `type`.
  mlir::RankedTensorType partType(mlir::Type type, int64_t dim) const;
  const VocabularyRange &getRange() const { return range; }

private:
  mlir::Value build(mlir::Value value, int64_t dim);
  mlir::Value buildConstant(mlir::Value value, int64_t dim);
  mlir::Value buildOutside(mlir::Value value, int64_t dim);
  bool isOutside(mlir::Value value) const;

  const VocabularyLayer &layer;
  const StepProgram &program;
  VocabularyRange range;
  VocabularyPart *earlier;
  Combine combine;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> parts;
  llvm::DenseMap<mlir::Value, mlir::Value> rows, contributions;
};

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_VOCABULARY_VOCABULARYPARTS_H
