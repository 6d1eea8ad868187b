//===- CostInterface.td - what an operation costs ----------*- tablegen -*-===//
#ifndef TESSERA_INTERFACES_COSTINTERFACE
#define TESSERA_INTERFACES_COSTINTERFACE

include "mlir/IR/OpBase.td"

def CostInterface : OpInterface<"CostInterface"> {
  let cppNamespace = "::tessera";
  let description = [{
    Says once what kind of work an operation is, how much arithmetic a point of its iteration space takes, and how much of its tensors it touches
    (`tessera/Interfaces/CostInterface.h`). What stages take, what a program records of its kernels, what is computed again rather than kept, and which operations form a kernel follow.

    Element-wise operations, constants, control flow and terminators need not implement it: `getOperationCost(Operation *)` knows them by their traits.
  }];
  let methods = [
    InterfaceMethod<[{
      The cost, for the operation's present operand and result types.
    }], "::tessera::OperationCost", "getCost">
  ];
}

#endif
