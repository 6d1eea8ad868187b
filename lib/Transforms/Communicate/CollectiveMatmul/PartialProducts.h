//===- PartialProducts.h - products by blocks of a dimension --------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_COLLECTIVEMATMUL_PARTIALPRODUCTS_H
#define TESSERA_TRANSFORMS_COMMUNICATE_COLLECTIVEMATMUL_PARTIALPRODUCTS_H

#include "tessera/Dialect/Spmd/Spmd.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera::communicate {

/// Per operand of a product, the dimension along which a dimension of the
/// result lies; both operands have one where it is a batch, one has otherwise.
using OperandDims = std::array<std::optional<int64_t>, 2>;

/// The dimensions of the operands that dimension `dim` of the result is.
OperandDims operandDims(DotGeneralOp product, int64_t dim);

/// The dimension of the result that dimension `dim` of operand number `operand`
/// is; nothing where it is summed over.
std::optional<int64_t> resultDim(DotGeneralOp product, unsigned operand,
                                 int64_t dim);

/// `product` of other operands, which have more or fewer elements along
/// dimensions that are not summed over.
mlir::Value emitPartialProduct(mlir::ImplicitLocOpBuilder &builder,
                               DotGeneralOp product, mlir::Value lhs,
                               mlir::Value rhs);

/// The seconds of `product` on `machine` when it has one of `parts` parts along
/// dimension `dim` of its result; without, one part is all.
double productSeconds(DotGeneralOp product, const Machine &machine,
                      int64_t dim = 0, int64_t parts = 1);

/// The product that is the first operand of `reader`, which alone reads it;
/// null, and why in `reason`, where there is none.
DotGeneralOp soleProduct(mlir::Operation *reader, std::string &reason);

/// The sum of `values`, in f32 where they have 16 bits.
mlir::Value emitSum(mlir::ImplicitLocOpBuilder &builder,
                    llvm::ArrayRef<mlir::Value> values);

/// Whether `product` is one for each element of a batch, as those of attention
/// are, which becomes one kernel later if its products stay whole.
bool isOfBatch(DotGeneralOp product);

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_COLLECTIVEMATMUL_PARTIALPRODUCTS_H
