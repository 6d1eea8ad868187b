//===- MatmulBlocks.cpp - The blocks of a matrix product ------------------===//

#include "MatmulBlocks.h"

using namespace tessera;
using namespace tessera::cpu;

int64_t cpu::evenPiece(int64_t size, int64_t limit, int64_t multiple) {
  int64_t pieces = (size + limit - 1) / limit;
  int64_t piece = (size + pieces - 1) / pieces;
  return (piece + multiple - 1) / multiple * multiple;
}

MatmulBlocks cpu::chooseBlocks(int64_t batches, int64_t m, int64_t n, int64_t k,
                               RegisterBlock registers) {
  constexpr int64_t limitM = 128, limitN = 256, limitK = 384;
  // Bytes of a packed panel that is kept.
  constexpr int64_t keptBytes = int64_t(3) << 19;
  // Blocks that a product should have, for threads to share.
  constexpr int64_t wantedBlocks = 8;
  MatmulBlocks blocks{batches, m, n, k, 0, 0, 0, false};
  blocks.blockN = evenPiece(n, limitN, registers.columns());
  blocks.blockK = evenPiece(k, limitK, registers.lanes);
  blocks.blockM = evenPiece(m, limitM, registers.rows());
  while (batches * blocks.blocksM() * blocks.blocksN() < wantedBlocks &&
         blocks.blockM >= 8 * registers.rows())
    blocks.blockM = evenPiece(m, blocks.blockM / 2, registers.rows());
  blocks.keepRight =
      blocks.blocksM() > 1 &&
      blocks.blocksK() * blocks.blockK * blocks.blockN * 4 <= keptBytes;
  return blocks;
}
