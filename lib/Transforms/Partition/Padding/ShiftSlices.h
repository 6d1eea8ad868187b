//===- ShiftSlices.h - slices that crop split dimensions ------------------===//
#ifndef TESSERA_TRANSFORMS_PARTITION_PADDING_SHIFTSLICES_H
#define TESSERA_TRANSFORMS_PARTITION_PADDING_SHIFTSLICES_H

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::partition {

/// Makes pads that move elements, with a negative end on either side, of the
/// slices in `function` that crop split dimensions without a stride: as soon as
/// the result is padded, a slice would end behind the operand's end, which a
/// shift may. Splits on the devices of `mesh`, which all shardings are on.
void shiftSlices(mlir::func::FuncOp function, MeshOp mesh);

} // namespace tessera::partition

#endif // TESSERA_TRANSFORMS_PARTITION_PADDING_SHIFTSLICES_H
