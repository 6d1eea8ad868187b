//===- PaddingInterface.td - operations on padded tensors --*- tablegen -*-===//
#ifndef TESSERA_INTERFACES_PADDINGINTERFACE
#define TESSERA_INTERFACES_PADDINGINTERFACE

include "mlir/IR/OpBase.td"

def PaddingInterface : OpInterface<"PaddingInterface"> {
  let cppNamespace = "::tessera";
  let description = [{
    For operations that take places in a tensor as data (what lies behind the end of a padded tensor is still outside of it), or count from its end, or fail on some elements. All other
    operations only have to be given neutral elements where they reduce padding.
  }];
  let methods = [
    InterfaceMethod<[{
      Changes the operands so that what the operation computes does not depend on their padding, which may hold anything. The padding of results may hold
      anything as well. The operation has its padded types.
    }], "void", "excludePadding", (ins "::tessera::PaddedOperands &":$padded)>
  ];
}

#endif
