//===- TesseraAttrs.td - meshes, shardings, reductions -----*- tablegen -*-===//
#ifndef TESSERA_DIALECT_TESSERA_TESSERAATTRS
#define TESSERA_DIALECT_TESSERA_TESSERAATTRS

include "mlir/IR/AttrTypeBase.td"
include "tessera/Dialect/Tessera/TesseraDialect.td"

class Tessera_Attr<string cppName, string attrMnemonic> : AttrDef<Tessera_Dialect, cppName> {
  let mnemonic = attrMnemonic;
  let hasCustomAssemblyFormat = 1;
}

/// A parameter that is too large to be copied whenever it is asked for.
class Tessera_LargeParameter<string type> : AttrParameter<type, "", "const " # type # " &">;

def Tessera_MeshAttr : Tessera_Attr<"Mesh", "mesh"> {
  let summary = "named axes over the devices of a cluster";
  let description = [{
    `#tessera.mesh<["data"=2, "model"=4]>`: devices are numbered row-major (the last axis is fastest), unless
    `device_ids=[...]` says which device stands at each position.
  }];
  let parameters = (ins Tessera_LargeParameter<"::tessera::Mesh">:$mesh);
}

def Tessera_ShardingAttr : Tessera_Attr<"Sharding", "sharding"> {
  let summary = "how a tensor is split over a mesh";
  let description = [{
    `#tessera.sharding<@mesh, [{"data"}, {"model", ?}p1], replicated={"x"}, unreduced={"y"}>`: for every dimension the
    axes that split it, from major to minor; `?` marks a dimension that propagation may split further, `p1` its
    priority; a sub-axis is `"x":(2)4` (4 parts, behind 2). Over `replicated` axes the tensor must be repeated; over `unreduced`
    axes the value is the sum (or `max{...}`, `min{...}`) of what the devices hold. The syntax follows Shardy's.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$mesh, Tessera_LargeParameter<"::tessera::TensorSharding">:$value);
}

def Tessera_ShardingArrayAttr : TypedArrayAttrBase<Tessera_ShardingAttr, "an array of shardings">;

def Tessera_AxesAttr : Tessera_Attr<"Axes", "axes"> {
  let summary = "axes of a mesh, from major to minor";
  let description = [{
    `#tessera.axes<@mesh, ["data", "model":(1)2]>` names a group of devices: those that differ only along these axes.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$mesh, ArrayRefParameter<"::tessera::AxisRef">:$axes);
}

def Tessera_ReductionAttr : Tessera_Attr<"Reduction", "reduction"> {
  let summary = "a monoid: sum, product, min, max, and, or, xor";
  let parameters = (ins "::tessera::ReductionKind":$kind);
}

#endif
