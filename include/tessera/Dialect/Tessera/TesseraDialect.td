//===- TesseraDialect.td - the model, seen whole -----------*- tablegen -*-===//
#ifndef TESSERA_DIALECT_TESSERA_TESSERADIALECT
#define TESSERA_DIALECT_TESSERA_TESSERADIALECT

include "mlir/IR/OpBase.td"

def Tessera_Dialect : Dialect {
  let name = "tessera";
  let cppNamespace = "::tessera";
  let summary = "The model, seen whole: global shapes and shardings";
  let description = [{
    Structured tensor operations with the semantics of StableHLO's, and the annotations that say how tensors are split
    over a mesh. Element-wise operations are `arith` and `math` on ranked tensors, control flow is `scf`, functions are
    `func`; a scalar is a tensor of rank 0, integers are signless.

    Discardable attributes of this dialect:

    | attribute | on | meaning |
    |---|---|---|
    | `tessera.sharding` | operations, arguments and results of functions | the sharding of the value: a `#tessera.sharding`, or an array of them for an operation with several results |
    | `tessera.propagated` | arguments and results of functions, within the phase `shard` | nobody asked for the sharding: propagation chose it, and it may still change |
    | `tessera.global_type` | arguments and results, after `partition` | the type of the whole tensor |
    | `tessera.name` | arguments and results of `@main` | the name that the user knows it by |
    | `tessera.donated` | arguments of `@main` | the number of the result that may take over the argument's memory |
    | `tessera.device_order` | arguments and results of functions | the numbers of the devices that hold the parts, one per position in the mesh; without it, the order of the mesh |
    | `tessera.unsigned` | arguments and results of `@main` | the integers are unsigned for the outside world |
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kShardingAttr = "tessera.sharding";
    static constexpr ::llvm::StringLiteral kPropagatedAttr = "tessera.propagated";
    static constexpr ::llvm::StringLiteral kGlobalTypeAttr = "tessera.global_type";
    static constexpr ::llvm::StringLiteral kNameAttr = "tessera.name";
    static constexpr ::llvm::StringLiteral kDonatedAttr = "tessera.donated";
    static constexpr ::llvm::StringLiteral kUnsignedAttr = "tessera.unsigned";

  private:
    void registerAttributes();
  }];
}

#endif
