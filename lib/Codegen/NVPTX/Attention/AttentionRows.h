//===- AttentionRows.h - What the gradient knows of rows --------*- C++ -*-===//
//
// Elsewhere: online softmax.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONROWS_H
#define TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONROWS_H

#include "Attention/AttentionTile.h"

namespace tessera::nvptx {

/// What the gradient of attention needs of every row of scores (query of a
/// head), in a temporary: the shift and the inverse sum that give its
/// probabilities, and delta = sum over e of output * its gradient.
///
/// Of each head, `chunk` rows after `chunk` rows: of all of these the shifts,
/// then the sums, then the deltas. Behind the last query are rows up to a
/// multiple of `padding` whose probabilities are zero.
class AttentionRows {
public:
  static constexpr int64_t chunk = 32, padding = 128;
  /// Bytes of a chunk.
  static constexpr int64_t chunkBytes = 3 * chunk * 4;

  struct Row {
    mlir::Value shift, inverseSum, delta;
  };
  /// Of the numbers of a row, the one that is this.
  using Field = mlir::Value Row::*;

  /// Appends the step that computes them.
  AttentionRows(const GpuNest &nest, AttentionGradientOp op,
                const AttentionProblem &problem);

  /// Row `i` (`i64`) of `head` of the tile's batch.
  Row load(AttentionTile &tile, mlir::Value head, mlir::Value i) const;
  /// The address of the chunk that begins with row `first`.
  mlir::Value chunkAddress(AttentionTile &tile, mlir::Value head,
                           mlir::Value first) const;
  /// Sets a number of rows `i` and the next, `i` being even, of chunks that
  /// have been copied to `shared`; `i` is counted from the first of them.
  static void loadPair(AttentionTile &tile, mlir::Value shared, mlir::Value i,
                       Field field, llvm::MutableArrayRef<Row> rows);

  /// The probability of a score of a row.
  static mlir::Value probability(AttentionTile &tile,
                                 const AttentionTile::Score &score,
                                 const Row &row);
  /// The gradient of a score, but for its slope; `product` is that of the
  /// output's gradient and the value, as far as dropout keeps it.
  static mlir::Value scoreGradient(AttentionTile &tile,
                                   const AttentionTile::Score &score,
                                   mlir::Value probability, mlir::Value product,
                                   const Row &row);
  /// The gradient of a product of query and key, but for the factor `scale`.
  static mlir::Value productGradient(AttentionTile &tile,
                                     const AttentionTile::Score &score,
                                     mlir::Value probability,
                                     mlir::Value product, const Row &row) {
    mlir::Value result = scoreGradient(tile, score, probability, product, row);
    return score.slope ? tile.multiply(result, score.slope) : result;
  }

private:
  void compute(const GpuNest &nest, AttentionGradientOp op);
  int64_t paddedQueries() const {
    return llvm::alignTo(problem.queries, padding);
  }

  const AttentionProblem &problem;
  unsigned temporary;
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONROWS_H
