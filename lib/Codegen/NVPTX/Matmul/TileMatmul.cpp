//===- TileMatmul.cpp - Multiplies tiles in shared memory -----------------===//

#include "Matmul/TileMatmul.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

CodeBuilder::Values TileMatmul::zeros() {
  Type type = matmul.accumulator;
  Value zero = b.splat(type, cast<TypedAttr>(b.getZeroAttr(type)));
  return Values(sumCount(), zero);
}

void TileMatmul::storeRun(ValueRange run, Value base, Value row, Value column) {
  Type type = matmul.accumulator;
  Value position = b.add(b.mul(row, tile.resultStride()), column);
  Value value = run.front();
  if (run.size() > 1)
    value = b.make<vector::FromElementsOp>(
        CodeBuilder::vectorOf(type, run.size()), run);
  LLVM::StoreOp::create(b, b.getLoc(), value, b.address(base, type, position),
                        run.size() * CodeBuilder::storageBytes(type));
}
