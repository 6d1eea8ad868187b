//===- VocabularyTerms.h - reductions that need no meeting before ---------===//
#ifndef TESSERA_TRANSFORMS_STAGE_VOCABULARY_VOCABULARYTERMS_H
#define TESSERA_TRANSFORMS_STAGE_VOCABULARY_VOCABULARYTERMS_H

#include "Vocabulary/VocabularyParts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::stage {

/// Reduces over the vocabulary what depends on other reductions over it before
/// the ranks have met.
///
/// A value of the layer that depends on combined partials is, in every row, a
/// sum of terms: a number that depends on them, times something that does not.
/// Quotients by rows, shifts of exponents, masks and sums keep this form. What
/// is linear (a sum, a gather, a matmul over the vocabulary) is then
/// applied to the latter on every rank, and what comes out is multiplied when
/// the numbers are known. This is the online softmax (Milakov and Gimelshein,
/// 2018), and for the cotangent of the activations the second algorithm of
/// vocabulary parallelism (Yeung et al., 2024), found by rules instead of by
/// hand. Every rank shifts exponents by its own maximum, so nothing overflows.
class EarlyReductions {
public:
  /// `ranks` are the first tasks of all ranks; they must outlive this.
  EarlyReductions(const VocabularyLayer &layer,
                  llvm::ArrayRef<VocabularyPart *> ranks)
      : layer(layer), ranks(ranks) {}

  /// Whether `partial`, which depends on combined partials, can be reduced so.
  static bool isPossible(const VocabularyLayer &layer, mlir::Value partial);
  /// The combined `partial` for a site that has the rows it depends on.
  mlir::Value combine(mlir::Value partial, RowSite &site);

private:
  /// A number per row, null for 1, and a part of one rank, null for ones.
  struct Term {
    mlir::Value coefficient, base;
  };
  using Terms = llvm::SmallVector<Term, 2>;

  Terms termsOf(mlir::Value value, int64_t dim, VocabularyPart &rank,
                RowSite &site);
  Terms product(const Terms &a, const Terms &b, VocabularyPart &rank,
                RowSite &site);
  Terms quotient(Terms a, const Term &b, mlir::Value value, int64_t dim,
                 VocabularyPart &rank, RowSite &site);
  Terms masked(mlir::arith::SelectOp select, Terms terms, bool where,
               int64_t dim, VocabularyPart &rank);
  Term exponential(mlir::Operation *op, int64_t dim, const Terms &exponents,
                   VocabularyPart &rank, RowSite &site);
  mlir::Value contribution(mlir::Operation *op, unsigned operand, int64_t dim,
                           mlir::Value base, VocabularyPart &rank);

  const VocabularyLayer &layer;
  llvm::ArrayRef<VocabularyPart *> ranks;
  /// Per exponent, shifted by nothing, of one rank: its largest elements, and
  /// the exponential of what is left without them.
  llvm::DenseMap<mlir::Value, std::pair<mlir::Value, mlir::Value>> exponentials;
};

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_VOCABULARY_VOCABULARYTERMS_H
