//===- MatmulBlocks.h - The blocks of a matrix product --------------------===//
#ifndef TESSERA_CODEGEN_CPU_MATMULBLOCKS_H
#define TESSERA_CODEGEN_CPU_MATMULBLOCKS_H

#include "RegisterBlock.h"
#include <algorithm>

namespace tessera::cpu {

/// `size` cut into equal pieces of at most `limit`, rounded up to `multiple`.
int64_t evenPiece(int64_t size, int64_t limit, int64_t multiple);

/// The blocks in which a product of M x K and K x N is computed; all sizes in
/// elements.
struct MatmulBlocks {
  int64_t batches, m, n, k;
  int64_t blockM, blockN, blockK;
  /// Whether the right operand's whole K x blockN panel is packed once and kept
  /// for all blocks of rows.
  bool keepRight;

  int64_t blocksM() const { return (m + blockM - 1) / blockM; }
  int64_t blocksN() const { return (n + blockN - 1) / blockN; }
  int64_t blocksK() const { return (k + blockK - 1) / blockK; }
};

/// Chooses blocks so that a packed block of the left operand, one panel of the
/// right one and the block of results stay in the second-level cache.
MatmulBlocks chooseBlocks(int64_t batches, int64_t m, int64_t n, int64_t k,
                          RegisterBlock registers);

} // namespace tessera::cpu

#endif // TESSERA_CODEGEN_CPU_MATMULBLOCKS_H
