//===- ManualRegionInterface.td - regions of parts ---------*- tablegen -*-===//
#ifndef TESSERA_INTERFACES_MANUALREGIONINTERFACE
#define TESSERA_INTERFACES_MANUALREGIONINTERFACE

include "mlir/IR/OpBase.td"

def ManualRegionInterface : OpInterface<"ManualRegionInterface"> {
  let cppNamespace = "::tessera";
  let description = [{
    For control flow with one region, entered once, whose values are parts of tensors with respect to some axes of the mesh: inside, these axes are not there. What enters and leaves
    is split over them as the operation says, besides what its sharding inside says of the others; `tessera/Interfaces/DataFlow.h` translates shardings on that way.
  }];
  let methods = [
    InterfaceMethod<[{
      The axes over which values inside are parts.
    }], "::llvm::ArrayRef<::tessera::AxisRef>", "getManualAxes">,
    InterfaceMethod<[{
      The sharding, outside, that is asked of what enters as the region argument `target`, or leaves as the result `target`.
    }], "const ::tessera::TensorSharding &", "getOutsideSharding", (ins "::mlir::Value":$target)>,
    InterfaceMethod<[{
      What it takes to translate a sharding between the two sides of the region's boundary where `target` is, as above.
    }], "::tessera::ManualSharding", "getManualSharding", (ins "::mlir::Value":$target)>
  ];
}

#endif
