//===- DeviceOrder.cpp - where a program's tensors lie outside of it ------===//

#include "tessera/Dialect/Tessera/DeviceOrder.h"

using namespace mlir;
using namespace tessera;

Mesh tessera::meshAtBoundary(DictionaryAttr attributes, const Mesh &mesh) {
  auto order = attributes
                   ? attributes.getAs<DenseI64ArrayAttr>(kDeviceOrderAttr)
                   : DenseI64ArrayAttr();
  return order ? Mesh(mesh.axes, order.asArrayRef()) : mesh;
}

DenseI64ArrayAttr tessera::deviceOrderOf(MLIRContext *context,
                                         const Mesh &mesh) {
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < mesh.numDevices(); ++i)
    order.push_back(mesh.deviceAtPosition(i));
  return DenseI64ArrayAttr::get(context, order);
}
