//===- IndexingMapInterface.td - what an operation does to indices -*- tablegen -*-===//
#ifndef TESSERA_INTERFACES_INDEXINGMAPINTERFACE
#define TESSERA_INTERFACES_INDEXINGMAPINTERFACE

include "mlir/IR/OpBase.td"

def IndexingMapInterface : OpInterface<"IndexingMapInterface"> {
  let cppNamespace = "::tessera";
  let description = [{
    Says once which elements of its tensors an operation brings together: an iteration space, and for every tensor the place, an affine function, at which a point of it reads or writes
    (`tessera/Interfaces/IndexingMaps.h`). The factors of the sharding rule, what a kernel may look through, the places that generated code reads, and the axes of attention follow.
  }];
  let methods = [
    InterfaceMethod<[{
      The maps, for the operation's present operand and result types.
    }], "::tessera::IndexingMaps", "getIndexingMaps">
  ];
}

#endif
