//===- QuantizedProduct.h - products of quantized integers ------*- C++ -*-===//
#ifndef TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_QUANTIZEDPRODUCT_H
#define TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_QUANTIZEDPRODUCT_H

#include "ShortTypes/QuantizedType.h"

namespace tessera::importer {

/// The integers that add up the terms of a product exactly, and the dimension
/// of the result along which scales of the right factor differ, if they do.
struct IntegerSums {
  mlir::IntegerType element;
  std::optional<int64_t> dim;
};

/// How `op`, whose first operand has integers of `lhs` and whose second those
/// of `rhs`, is a product of integers; its result is a ranked tensor. None
/// where scales of terms of one sum differ, sums may be too large, or it is no
/// such product.
std::optional<IntegerSums> findIntegerSums(mlir::Operation *op,
                                           const QuantizedType &lhs,
                                           const QuantizedType &rhs);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_QUANTIZEDPRODUCT_H
