//===- RegisterBlock.h - Results that stay in registers -------------------===//
#ifndef TESSERA_CODEGEN_CPU_REGISTERBLOCK_H
#define TESSERA_CODEGEN_CPU_REGISTERBLOCK_H

#include <cstdint>

namespace tessera::cpu {

/// The block of a matrix product that is kept in registers: rows, and vectors
/// of columns. Rows x vectors accumulators, one vector of the right operand per
/// column and one broadcast must fit into the register file.
struct RegisterBlock {
  /// 32-bit elements of one vector.
  int64_t lanes;

  int64_t rows() const { return lanes == 16 ? 8 : 4; }
  int64_t vectors() const { return 2; }
  int64_t columns() const { return vectors() * lanes; }
};

} // namespace tessera::cpu

#endif // TESSERA_CODEGEN_CPU_REGISTERBLOCK_H
