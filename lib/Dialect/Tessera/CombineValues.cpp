//===- CombineValues.cpp - one value out of two, by a monoid --------------===//

#include "tessera/Dialect/Tessera/CombineValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tessera;

template <typename FloatOp, typename IntOp>
static Value combine(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isa<FloatType>(getElementTypeOrSelf(a.getType())))
    return FloatOp::create(builder, loc, a, b);
  return IntOp::create(builder, loc, a, b);
}

Value tessera::combineValues(OpBuilder &builder, Location loc,
                             ReductionKind kind, Value a, Value b) {
  switch (kind) {
  case ReductionKind::Sum:
    return combine<arith::AddFOp, arith::AddIOp>(builder, loc, a, b);
  case ReductionKind::Product:
    return combine<arith::MulFOp, arith::MulIOp>(builder, loc, a, b);
  case ReductionKind::Min:
    return combine<arith::MinimumFOp, arith::MinSIOp>(builder, loc, a, b);
  case ReductionKind::Max:
    return combine<arith::MaximumFOp, arith::MaxSIOp>(builder, loc, a, b);
  case ReductionKind::And:
    return arith::AndIOp::create(builder, loc, a, b);
  case ReductionKind::Or:
    return arith::OrIOp::create(builder, loc, a, b);
  case ReductionKind::Xor:
    return arith::XOrIOp::create(builder, loc, a, b);
  }
  llvm_unreachable("not a reduction kind");
}
