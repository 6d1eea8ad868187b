//===- Passes.td - the phase from whole tensors to parts ---*- tablegen -*-===//
#ifndef TESSERA_TRANSFORMS_PARTITION_PASSES
#define TESSERA_TRANSFORMS_PARTITION_PASSES

include "mlir/Pass/PassBase.td"

def Partition : Pass<"tessera-partition", "::mlir::ModuleOp"> {
  let summary = "makes the program that every device runs on its parts of the tensors";
  let description = [{
    Every tensor becomes one device's part of it, every `tessera.reshard` the cheapest sequence of collectives. The body of a `tessera.manual_computation`
    takes the operation's place; inside, reshards use the free axes only. Operations keep their kind; those that depend
    on which part they compute get index arithmetic.

    **Requires**: what the phase `shard` ensures. **Ensures**: local types everywhere, no shardings but those of the arguments and results of functions, which also say
    the types of the whole tensors.

    ```mlir
    func.func @main(%a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>}) -> tensor<8x16xf32> ... {
      %0 = tessera.reshard %a to <@mesh, [{}, {} ]> ...
    ```
    becomes
    ```mlir
    func.func @main(%a: tensor<2x16xf32> {tessera.global_type = tensor<8x16xf32>, ...}) -> tensor<8x16xf32> ... {
      %0 = spmd.all_gather %a dim = 0 over <@mesh, ["x"]> : tensor<2x16xf32> -> tensor<8x16xf32>
    ```
  }];
  let dependentDialects = ["::tessera::spmd::SpmdDialect", "::mlir::arith::ArithDialect"];
}

def VerifyPartitioned : Pass<"tessera-verify-partitioned", "::mlir::ModuleOp"> {
  let summary = "checks what the phase `partition` promises";
  let description = [{
    **Requires** nothing: it judges what the passes before it, or a user, made. Changes nothing.

    **Ensures** no sharding is left on operations, no `tessera.reshard`, annotation or `tessera.manual_computation`; arguments and results of functions have the local type that follows from their
    sharding and their `tessera.global_type`.
  }];
}

#endif
