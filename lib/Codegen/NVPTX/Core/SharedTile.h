//===- SharedTile.h - A tile of an operand in shared memory -----*- C++ -*-===//
//
// Elsewhere: XOR swizzle, bank conflicts.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_CORE_SHAREDTILE_H
#define TESSERA_CODEGEN_NVPTX_CORE_SHAREDTILE_H

#include "tessera/Codegen/Kernels/CodeBuilder.h"

namespace tessera::nvptx {

/// Rows of 16-byte chunks, exchanged so that no two threads that access the
/// memory together meet in a bank.
///
/// Shared memory serves 128 bytes, 8 chunks, at a time. `ldmatrix` reads the
/// same chunk of 8 consecutive rows, copies write consecutive chunks of a row.
/// With c chunks in a row, chunk j of row i lies in the row's chunk
///
///     j xor ((i / max(1, 8/c)) mod min(c, 8))
///
/// so both touch 8 different offsets modulo 128 bytes. It is the XOR layout of
/// CUTLASS and of TMA's swizzle modes: for c = 8, 4, 2 exactly the 128, 64 and
/// 32 byte modes.
struct SharedTile {
  /// The bytes of a row are 16 times a power of 2.
  int64_t rows, rowBytes;

  int64_t bytes() const { return rows * rowBytes; }
  int64_t chunks() const { return rowBytes / 16; }
  /// Rows after which the exchange of chunks repeats.
  int64_t period() const;
  /// Where chunk `chunk` of row `row + moreRows` begins, in bytes (`i64`).
  mlir::Value offset(codegen::CodeBuilder &b, mlir::Value row,
                     mlir::Value chunk, int64_t moreRows = 0) const;

private:
  mlir::Value offsetOf(codegen::CodeBuilder &b, mlir::Value row,
                       mlir::Value chunk) const;
};

/// `base` (shared memory) advanced by `offset` and `constant` bytes.
mlir::Value sharedAddress(codegen::CodeBuilder &b, mlir::Value base,
                          mlir::Value offset, int64_t constant = 0);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_CORE_SHAREDTILE_H
