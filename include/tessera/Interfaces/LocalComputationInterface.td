//===- LocalComputationInterface.td - one device's part ----*- tablegen -*-===//
#ifndef TESSERA_INTERFACES_LOCALCOMPUTATIONINTERFACE
#define TESSERA_INTERFACES_LOCALCOMPUTATIONINTERFACE

include "mlir/IR/OpBase.td"

def LocalComputationInterface : OpInterface<"LocalComputationInterface"> {
  let cppNamespace = "::tessera";
  let description = [{
    For operations whose part on one device depends on which part it is: they count, or they take places in a tensor as data. All other operations compute
    their part by themselves, on local types.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds what one device computes: from its parts of the operands, its parts of the results, which are returned. The operation itself still has its
      global types.
    }], "::llvm::SmallVector<::mlir::Value>", "buildLocal",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$localOperands, "::mlir::TypeRange":$localResults,
           "const ::tessera::ShardedOperation &":$sharded)>
  ];
}

#endif
