//===- CombinedOps.td - several collectives in one call ----*- tablegen -*-===//
#ifndef TESSERA_DIALECT_SPMD_COMBINEDOPS
#define TESSERA_DIALECT_SPMD_COMBINEDOPS

include "tessera/Dialect/Spmd/SpmdOps.td"

def Spmd_CombinedOp : Spmd_Op<"combined", [Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "collectives of one kind and group in one call";
  let description = [{
    The operands are the region's arguments. The region holds a collective for each of them, the *parts*; result number i is that of part number i. All of them begin when all operands are there and are complete together;
    they take the messages of one, and the bytes of all. Element types, reductions and dimensions may differ.

    ```mlir
    %0:2 = spmd.combined(%a, %b) : (tensor<8xf32>, tensor<4xbf16>) -> (tensor<8xf32>, tensor<4xbf16>) {
    ^bb0(%x: tensor<8xf32>, %y: tensor<4xbf16>):
      %1 = spmd.all_reduce sum %x over <@mesh, ["data"]> : tensor<8xf32>
      %2 = spmd.all_reduce sum %y over <@mesh, ["data"]> : tensor<4xbf16>
      spmd.yield %1, %2 : tensor<8xf32>, tensor<4xbf16>
    }
    ```

    After the phase `schedule`, the parts of a call are started one right behind the other and awaited so; the starts have the same number `spmd.call`.
  }];
  let arguments = (ins Variadic<Spmd_Tensor>:$operands);
  let results = (outs Variadic<Spmd_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`(` $operands `)` attr-dict `:` functional-type(operands, results) $body";
  let hasRegionVerifier = 1;
}

#endif
