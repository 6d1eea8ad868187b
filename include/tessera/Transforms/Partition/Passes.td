//===- Passes.td - the phase from whole tensors to parts ---*- tablegen -*-===//
#ifndef TESSERA_TRANSFORMS_PARTITION_PASSES
#define TESSERA_TRANSFORMS_PARTITION_PASSES

include "mlir/Pass/PassBase.td"

def PadDimensions : Pass<"tessera-pad-dimensions", "::mlir::ModuleOp"> {
  let summary = "makes every split dimension divide into equal parts";
  let description = [{
    A dimension of 10 over 4 devices, blocks of 3, 3, 3 and 1, becomes one of 12. The padding may hold anything: it is filled with neutral elements only where an operation
    would reduce it, and places given as data are kept from naming it. Arguments and results of functions stay as they are; the operations that pad the former and crop the
    latter change nothing on a device, for these dimensions are padded just so far that blocks keep their size.

    **Requires**: what the phase `shard` ensures. **Ensures**: the number of shards divides every dimension, but for those of arguments and of what is returned.

    ```mlir
    func.func @main(%a: tensor<10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>}) -> tensor<f32> ... {
      %0 = tessera.reduce sum %a dims = [0] ... : tensor<10xf32> -> tensor<f32>
    ```
    becomes
    ```mlir
    func.func @main(%a: tensor<10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>}) -> tensor<f32> ... {
      %anything = ub.poison : tensor<f32>
      %padded = tessera.pad %a with %anything low = [0] high = [2] interior = [0] ...
      %places = tessera.iota dim = 0 : tensor<12xi32>
      %size = arith.constant dense<10> : tensor<12xi32>
      %inside = arith.cmpi slt, %places, %size : tensor<12xi32>
      %zero = arith.constant dense<0.0> : tensor<12xf32>
      %filled = arith.select %inside, %padded, %zero : tensor<12xi1>, tensor<12xf32>
      %0 = tessera.reduce sum %filled dims = [0] ... : tensor<12xf32> -> tensor<f32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::ub::UBDialect"];
}

def Partition : Pass<"tessera-partition", "::mlir::ModuleOp"> {
  let summary = "makes the program that every device runs on its parts of the tensors";
  let description = [{
    Every tensor becomes one device's part of it, every `tessera.reshard` the cheapest sequence of collectives. The body of a `tessera.manual_computation`
    takes the operation's place; inside, reshards use the free axes only. Operations keep their kind; those that depend
    on which part they compute get index arithmetic.

    **Requires**: what `tessera-pad-dimensions` ensures. **Ensures**: local types everywhere, no shardings but those of the arguments and results of functions, which also say
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
