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

def Tessera_MachineAttr : Tessera_Attr<"Machine", "machine"> {
  let summary = "the machine that a mesh lies on";
  let description = [{
    `#tessera.machine<links = [[1.0e-06, 5.0e+10], [5.0e-06, 1.0e+10]], compute = 1.0e+12, memory_bandwidth = 1.0e+11, memory = 64000000000>`:
    for every axis of the mesh the latency of a message in seconds and the bytes per second that a device sends along the axis; then what one
    device has: floating-point operations per second, bytes of memory read or written per second, and bytes of memory. `, host = [1.0e-05, 2.5e+10, 512000000000]` behind that says of the memory of its host how long
    until the first byte arrives, bytes per second in each direction, and bytes.
  }];
  let parameters = (ins Tessera_LargeParameter<"::tessera::Machine">:$machine);
}

def Tessera_ReductionAttr : Tessera_Attr<"Reduction", "reduction"> {
  let summary = "a monoid: sum, product, min, max, and, or, xor";
  let parameters = (ins "::tessera::ReductionKind":$kind);
}

def Tessera_RoutineBufferAttr : Tessera_Attr<"RoutineBuffer", "routine_buffer"> {
  let summary = "a tensor as a library routine sees it";
  let description = [{
    `#tessera.routine_buffer<f32 [0, *, *] order [0, 2, 1]>`: the type of the elements that the routine reads or writes, then for every dimension of the tensor the number of the
    factor that may be split, `*` where the routine takes the dimension as a whole.

    The type is that of the tensor's elements, an unsigned integer type as wide, or a complex type. Complex numbers have both parts in a last dimension of 2, for which no factor stands.
    `order` says which dimension of the routine's array every dimension of the tensor is, if they do not agree: `[0, 2, 1]` is a batch of matrices by columns.
  }];
  let parameters = (ins "::mlir::Type":$element, ArrayRefParameter<"int64_t">:$factors, OptionalArrayRefParameter<"int64_t">:$order);
  let extraClassDeclaration = [{
    /// Stands in `factors` for a dimension that the routine takes as a whole.
    static constexpr int64_t kWhole = -1;
    /// The type of the array that the routine gets for a tensor of `type`:
    /// dimensions in the routine's order, elements of `element`.
    ::mlir::RankedTensorType getArrayType(::mlir::RankedTensorType type) const;
  }];
}

def Tessera_RoutineBufferArrayAttr : TypedArrayAttrBase<Tessera_RoutineBufferAttr, "an array of routine buffers">;

//===----------------------------------------------------------------------===//
// Provenance
//===----------------------------------------------------------------------===//

def Tessera_PlaceAttr : Tessera_Attr<"Place", "place"> {
  let summary = "something in the model and where it stands";
  let description = [{
    `#tessera.place<"tessera.dot_general" at loc("gpt.py":12:4)>`: an operation by its name, or an annotation as in `argument 'w1'`,
    `result 'loss'`, `constraint`.
  }];
  let parameters = (ins StringRefParameter<>:$what, "::mlir::LocationAttr":$loc);
}

def Tessera_OriginAttr : Tessera_Attr<"Origin", "origin"> {
  let summary = "how an axis came from an annotation to a value";
  let description = [{
    `#tessera.origin<"model" of "producer" from #tessera.place<...> as #tessera.sharding<...> via [#tessera.place<...>] skipping 12>`: the axis,
    whose tensors have it there, the annotation that first said it and what it says, and the operations through which it spread, the nearest
    to the value last; of those nearest to the annotation, `skipping` are left out.
  }];
  let parameters = (ins StringRefParameter<>:$axis, StringRefParameter<>:$side, "::tessera::PlaceAttr":$annotation,
    "::tessera::ShardingAttr":$sharding, ArrayRefParameter<"::tessera::PlaceAttr">:$steps, "int64_t":$skipped);
}

def Tessera_ProvenanceAttr : Tessera_Attr<"Provenance", "provenance"> {
  let summary = "why data moves, or why a value is sharded as it is";
  let description = [{
    The metadata of a fused location. On a `tessera.reshard`, and on the collectives that it becomes, it says why they are there:

    ```mlir
    loc(fused<#tessera.provenance<"pending sum" from #tessera.sharding<...> to #tessera.sharding<...>
              producer #tessera.place<...> consumer #tessera.place<...> because "..." origins [...]>>["gpt.py":12:4])
    ```

    The reason is one of `operand` (an operation needs its operand in another sharding), `pending sum` (of a contraction or reduction over a
    split dimension), `control flow`, `result` (the function's), `device order` (at the boundary of the program, of a mesh in another order), `inside` (an operation that must communicate itself), `transfer` (to another
    stage; from the sharding of the value to the one that it is sent in), `accumulated` (by several pipeline ranks, which exchange their parts), `written` (a collective of the program's own, in a region written
    by hand) or `value` (no movement: the sharding of a value). Producer, consumer and the conflict (`because`) may be absent.
  }];
  let parameters = (ins StringRefParameter<>:$reason, "::tessera::ShardingAttr":$source, "::tessera::ShardingAttr":$target,
    OptionalParameter<"::tessera::PlaceAttr">:$producer, OptionalParameter<"::tessera::PlaceAttr">:$consumer,
    StringRefParameter<>:$conflict, ArrayRefParameter<"::tessera::OriginAttr">:$origins);
}

#endif
