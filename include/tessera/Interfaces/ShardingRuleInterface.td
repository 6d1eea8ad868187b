//===- ShardingRuleInterface.td - how an operation may be split -*- tablegen -*-===//
#ifndef TESSERA_INTERFACES_SHARDINGRULEINTERFACE
#define TESSERA_INTERFACES_SHARDINGRULEINTERFACE

include "mlir/IR/OpBase.td"

def ShardingRuleInterface : OpInterface<"ShardingRuleInterface"> {
  let cppNamespace = "::tessera";
  let description = [{
    Describes an operation by factors: its iteration dimensions, and for every operand and result dimension the factors
    that it is made of. Propagation, the choice of an operation's own sharding, local shapes, pending reductions and
    communication costs are all derived from this one rule; see `tessera/Sharding/Rules/ShardingRule.h`.

    Element-wise operations (trait `ElementwiseMappable`) need not implement it: `getShardingRule(Operation *)` gives
    them the pointwise rule.
  }];
  let methods = [
    InterfaceMethod<[{
      The rule, for the operation's present operand and result types.
    }], "::tessera::ShardingRule", "getShardingRule">,
    InterfaceMethod<[{
      The named attributes of this operation when it computes one shard: those that speak of sizes or positions are
      rewritten for the local types, the others are kept. `localOperands` and `localResults` are the types of one shard.
      Only called when the sharding is one that the rule allows without communication.
    }], "::mlir::DictionaryAttr", "getLocalAttributes",
      (ins "::mlir::TypeRange":$localOperands, "::mlir::TypeRange":$localResults), "",
      [{ return $_op->getAttrDictionary(); }]>
  ];
}

#endif
