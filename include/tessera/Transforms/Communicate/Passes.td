//===- Passes.td - the phase communicate --------------------*- tablegen -*-===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_PASSES
#define TESSERA_TRANSFORMS_COMMUNICATE_PASSES

include "mlir/Pass/PassBase.td"

def QuantizeCollectives : Pass<"tessera-quantize-collectives", "::mlir::ModuleOp"> {
  let summary = "sends gathers of parameters and sums of gradients as blocks of bytes";
  let description = [{
    Changes what is computed, so only where the user asks for it: `gather:int8`, `sum:int8`, each with axes behind it (`sum:int8@data+node`) if only groups along these are meant, whatever the price says. Else the
    described machine decides: what is sent less must take longer than quantizing it.

    - An all-gather of what is made of the step's state (donated arguments) without any product quantizes the device's part and gathers blocks and scales.
    - A reduce-scatter whose result reaches the state without any product quantizes the chunk for each device, exchanges them by an all-to-all, and sums in f32. An all-reduce does the same with parts of its
      operand, quantizes the sum, and gathers it.

    Sums have *error feedback*: what a quantization loses is an argument of the next step (`__error[...]`, `__gathered_error[...]`), donated, zero at the beginning, with a row for each device.

    Gathers stand anywhere, sums in the block of `@main`. Remarks (`tessera-communicate`) say of each what became of it; the module's `tessera.mathematics` says what has changed.

    **Requires** what the phase `partition` ensures, without stages. **Ensures** the bytes sent are about a quarter of those of f32, half of those of bf16.

    <!-- example: quantize-collectives-parameter.mlir @main run --tessera-quantize-collectives=collectives=gather:int8@data -->
    ```mlir
    func.func @main(%p: tensor<256xf32>) -> tensor<512xf32> {
      %0 = spmd.all_gather %p dim = 0 over <@mesh, ["data"]> : tensor<256xf32> -> tensor<512xf32>
      return %0 : tensor<512xf32>
    }
    ```
    becomes
    ```mlir
    func.func @main(%arg0: tensor<256xf32>) -> tensor<512xf32> {
      %0 = tessera.reshape %arg0 : tensor<256xf32> -> tensor<1x1x256xf32>
      %1 = tessera.reshape %0 : tensor<1x1x256xf32> -> tensor<1x256xf32>
      %2 = math.absf %1 : tensor<1x256xf32>
      %cst = arith.constant dense<0x7F800000> : tensor<1x256xf32>
      %3 = arith.cmpf olt, %2, %cst : tensor<1x256xf32>
      %4 = math.absf %1 : tensor<1x256xf32>
      %cst_0 = arith.constant dense<0.000000e+00> : tensor<1x256xf32>
      %5 = arith.select %3, %4, %cst_0 : tensor<1x256xi1>, tensor<1x256xf32>
      %6 = tessera.reduce max %5 dims = [1] : tensor<1x256xf32> -> tensor<1xf32>
      %cst_1 = arith.constant dense<0.00787401571> : tensor<1xf32>
      %7 = arith.mulf %6, %cst_1 : tensor<1xf32>
      %cst_2 = arith.constant dense<0.000000e+00> : tensor<1xf32>
      %8 = arith.cmpf oeq, %7, %cst_2 : tensor<1xf32>
      %cst_3 = arith.constant dense<1.000000e+00> : tensor<1xf32>
      %9 = arith.select %8, %cst_3, %7 : tensor<1xi1>, tensor<1xf32>
      %10 = tessera.broadcast %9 dims = [0] : tensor<1xf32> -> tensor<1x256xf32>
      %11 = arith.divf %1, %10 : tensor<1x256xf32>
      %12 = math.roundeven %11 : tensor<1x256xf32>
      %cst_4 = arith.constant dense<-1.270000e+02> : tensor<1x256xf32>
      %13 = arith.maximumf %12, %cst_4 : tensor<1x256xf32>
      %cst_5 = arith.constant dense<1.270000e+02> : tensor<1x256xf32>
      %14 = arith.minimumf %13, %cst_5 : tensor<1x256xf32>
      %cst_6 = arith.constant dense<-1.280000e+02> : tensor<1x256xf32>
      %15 = arith.select %3, %14, %cst_6 : tensor<1x256xi1>, tensor<1x256xf32>
      %16 = arith.fptosi %15 : tensor<1x256xf32> to tensor<1x256xi8>
      %17 = spmd.all_gather %16 dim = 0 over <@mesh, ["data"]> : tensor<1x256xi8> -> tensor<2x256xi8>
      %18 = spmd.all_gather %9 dim = 0 over <@mesh, ["data"]> : tensor<1xf32> -> tensor<2xf32>
      %19 = arith.sitofp %17 : tensor<2x256xi8> to tensor<2x256xf32>
      %cst_7 = arith.constant dense<-1.280000e+02> : tensor<2x256xf32>
      %20 = arith.cmpf oeq, %19, %cst_7 : tensor<2x256xf32>
      %cst_8 = arith.constant dense<0x7FC00000> : tensor<2x256xf32>
      %21 = arith.select %20, %cst_8, %19 : tensor<2x256xi1>, tensor<2x256xf32>
      %22 = tessera.broadcast %18 dims = [0] : tensor<2xf32> -> tensor<2x256xf32>
      %23 = arith.mulf %21, %22 : tensor<2x256xf32>
      %24 = tessera.reshape %23 : tensor<2x256xf32> -> tensor<2x1x256xf32>
      %25 = tessera.reshape %24 : tensor<2x1x256xf32> -> tensor<512xf32>
      return %25 : tensor<512xf32>
    }
    ```
  }];
  let options = [
    ListOption<"collectives", "collectives", "std::string", "which, as gather:int8 or sum:int8@AXIS+...">,
    Option<"isAmongOthers", "is-among-others", "bool", /*default=*/"false", "whether other programs may have what this one has none of">,
    Option<"collectiveSeconds", "collective-seconds", "double", /*default=*/"5e-6", "what a call costs beside its messages">
  ];
  let dependentDialects = ["::tessera::TesseraDialect", "::tessera::spmd::SpmdDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def OverlapIterations : Pass<"tessera-overlap-iterations", "::mlir::ModuleOp"> {
  let summary = "runs collectives of a loop in the iteration before or after";
  let description = [{
    Collective pipelining. In a loop of a function's own block that runs a constant number of times,

    - what is gathered from values that follow from the number of the iteration, such as slices of stacked parameters, may be gathered in the iteration before, with what computes them; the first before the
      loop. What it gives is carried, and the last iteration stands behind the loop;
    - what is reduced over devices behind the loop, part by part stacked in it, may be reduced by parts: in the iteration that makes a part, or in the next one. Then the part is carried, the first iteration
      stands before the loop, and the last part is reduced behind it.

    By the described machine the seconds of the whole function are estimated with all of them moved, and with each left where it is or moved less far; what is least is taken if it is less than before.
    That carried values are copied where a collective cannot overwrite what is still read counts. So does memory: values may take no more at once than `memory-limit`, or the described machine, leaves,
    or than they did. Where no machine is described nothing is done, but with `always` whatever can be.

    Remarks (`tessera-communicate`) say of each loop what was moved.

    **Requires** what the phase `partition` ensures. **Ensures** results are the same bit for bit where sums are made in the order of devices, and what each device sends is as before.

    <!-- example: overlap-iterations.mlir @gathered run --tessera-overlap-iterations=always -->
    ```mlir
    func.func @gathered(%x: tensor<4x8xf32>, %w: tensor<3x4x8xf32>) -> tensor<4x8xf32> {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %three = arith.constant 3 : i32
      %none = arith.constant dense<0> : tensor<i32>
      %0 = scf.for %i = %zero to %three step %one iter_args(%h = %x) -> (tensor<4x8xf32>) : i32 {
        %place = tensor.from_elements %i : tensor<i32>
        %1 = tessera.dynamic_slice %w[%place, %none, %none] : (tensor<3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
        %2 = tessera.reshape %1 : tensor<1x4x8xf32> -> tensor<4x8xf32>
        %3 = spmd.all_gather %2 dim = 0 over <@mesh, ["data"]> : tensor<4x8xf32> -> tensor<8x8xf32>
        %4 = tessera.dot_general %h, %3 batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
        scf.yield %4 : tensor<4x8xf32>
      }
      return %0 : tensor<4x8xf32>
    }
    ```
    becomes
    ```mlir
    func.func @gathered(%arg0: tensor<4x8xf32>, %arg1: tensor<3x4x8xf32>) -> tensor<4x8xf32> {
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %cst = arith.constant dense<0> : tensor<i32>
      %from_elements = tensor.from_elements %c0_i32 : tensor<i32>
      %0 = tessera.dynamic_slice %arg1[%from_elements, %cst, %cst] : (tensor<3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
      %1 = tessera.reshape %0 : tensor<1x4x8xf32> -> tensor<4x8xf32>
      %2 = spmd.all_gather %1 dim = 0 over <@mesh, ["data"]> : tensor<4x8xf32> -> tensor<8x8xf32>
      %c2_i32 = arith.constant 2 : i32
      %3:2 = scf.for %arg2 = %c0_i32 to %c2_i32 step %c1_i32 iter_args(%arg3 = %arg0, %arg4 = %2) -> (tensor<4x8xf32>, tensor<8x8xf32>)  : i32 {
        %5 = arith.addi %arg2, %c1_i32 : i32
        %from_elements_0 = tensor.from_elements %5 : tensor<i32>
        %6 = tessera.dynamic_slice %arg1[%from_elements_0, %cst, %cst] : (tensor<3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
        %7 = tessera.reshape %6 : tensor<1x4x8xf32> -> tensor<4x8xf32>
        %8 = spmd.all_gather %7 dim = 0 over <@mesh, ["data"]> : tensor<4x8xf32> -> tensor<8x8xf32>
        %9 = tessera.dot_general %arg3, %arg4 batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
        scf.yield %9, %8 : tensor<4x8xf32>, tensor<8x8xf32>
      }
      %4 = tessera.dot_general %3#0, %3#1 batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      return %4 : tensor<4x8xf32>
    }
    ```
  }];
  let options = [
    Option<"collectiveSeconds", "collective-seconds", "double", /*default=*/"5e-6", "what a call costs beside its messages">,
    Option<"memoryLimit", "memory-limit", "int64_t", /*default=*/"0", "bytes that the program may take; 0 for what the described machine has">,
    Option<"always", "always", "bool", /*default=*/"false", "whatever the price says">
  ];
  let dependentDialects = ["::tessera::TesseraDialect", "::tessera::spmd::SpmdDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def SplitBatches : Pass<"tessera-split-batches", "::mlir::ModuleOp"> {
  let summary = "lets one part of a batch compute while another communicates";
  let description = [{
    Batch splitting. Around collectives, what a dimension of their results goes through without being summed over (a batch, the places of an expert's queue) is computed and sent in parts: up to each collective the
    operations of the first part, then those of the next. Where a tensor is needed whole it is put together, and what is not made in parts is sliced.

    A part may be several blocks of a dimension: an exchange between devices puts what each of them sends one behind the other.

    By the described machine it is estimated when each block ends as it is, and with all collectives of one kind that readers wait for cut along one dimension into 2 or 4 parts; what ends first is taken if it saves more than
    a call costs (`collective-seconds`). What is copied to try that is bounded. Where no machine is described nothing is done, but with `always` whatever can be.

    Remarks (`tessera-communicate`) say of each kind of collective what became of it.

    **Requires** what the phase `partition` ensures. **Ensures** results are the same bit for bit where products of fewer rows are, and what each device sends is as before, in more calls.

    <!-- example: split-batches.mlir @layer run --tessera-split-batches=always -->
    ```mlir
    func.func @layer(%x: tensor<5x8xf32>, %w: tensor<8x8xf32>) -> (tensor<5x8xf32>, tensor<8x8xf32>) {
      %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
      %1 = spmd.all_reduce sum %0 over <@mesh, ["model"]> : tensor<5x8xf32>
      %2 = tessera.dot_general %x, %1 batching = [] x [] contracting = [0] x [0] : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<8x8xf32>
      return %1, %2 : tensor<5x8xf32>, tensor<8x8xf32>
    }
    ```
    becomes
    ```mlir
    func.func @layer(%arg0: tensor<5x8xf32>, %arg1: tensor<8x8xf32>) -> (tensor<5x8xf32>, tensor<8x8xf32>) {
      %0 = tessera.slice %arg0 [0, 0] to [2, 8] by [1, 1] : tensor<5x8xf32> -> tensor<2x8xf32>
      %1 = tessera.dot_general %0, %arg1 batching = [] x [] contracting = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
      %2 = spmd.all_reduce sum %1 over <@mesh, ["model"]> : tensor<2x8xf32>
      %3 = tessera.slice %arg0 [2, 0] to [5, 8] by [1, 1] : tensor<5x8xf32> -> tensor<3x8xf32>
      %4 = tessera.dot_general %3, %arg1 batching = [] x [] contracting = [1] x [0] : (tensor<3x8xf32>, tensor<8x8xf32>) -> tensor<3x8xf32>
      %5 = spmd.all_reduce sum %4 over <@mesh, ["model"]> : tensor<3x8xf32>
      %6 = tessera.concatenate %2, %5 dim = 0 : (tensor<2x8xf32>, tensor<3x8xf32>) -> tensor<5x8xf32>
      %7 = tessera.dot_general %0, %2 batching = [] x [] contracting = [0] x [0] : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
      %8 = tessera.dot_general %3, %5 batching = [] x [] contracting = [0] x [0] : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<8x8xf32>
      %9 = arith.addf %7, %8 : tensor<8x8xf32>
      return %6, %9 : tensor<5x8xf32>, tensor<8x8xf32>
    }
    ```
  }];
  let options = [
    Option<"collectiveSeconds", "collective-seconds", "double", /*default=*/"5e-6", "what a call costs beside its messages">,
    Option<"always", "always", "bool", /*default=*/"false", "whatever the price says">
  ];
  let dependentDialects = ["::tessera::TesseraDialect", "::tessera::spmd::SpmdDialect", "::mlir::arith::ArithDialect"];
}

def DecomposeProducts : Pass<"tessera-decompose-products", "::mlir::ModuleOp"> {
  let summary = "computes products by pieces while their collectives are on the way";
  let description = [{
    Collective matmul. Taken apart are

    - an all-gather with the products that keep the gathered dimension: a permute for each other device, nearest first in both directions, and for each shard its block of every product, put
      together where they lie by the device's place in the group;
    - a product that is only summed and scattered: a partial product for each other device, sent to it by a permute, and the own block, to which the others are added, last;
    - a product that is only summed for all devices: in pieces, each an all-reduce of its own.

    By the described machine it is estimated how long a reader waits for the collective as it is, and when it could go on with the pieces; calls, latencies and putting together count. The cheaper one
    is taken. A partial product is never shorter than what a call costs (`collective-seconds` and the latency of a message). Where no machine is described nothing is done, but with `always` whatever can be.

    Remarks (`tessera-communicate`) say of each collective what became of it, or why nothing.

    **Requires** what the phase `partition` ensures. **Ensures** results are as before, but that blocks which are scattered are summed in another order.

    <!-- example: decompose-products.mlir @reduced run --tessera-decompose-products=always -->
    ```mlir
    func.func @reduced(%x: tensor<1x7x8xf32>, %w: tensor<8x5xf32>) -> tensor<1x7x5xf32> {
      %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [2] x [0] : (tensor<1x7x8xf32>, tensor<8x5xf32>) -> tensor<1x7x5xf32>
      %1 = spmd.all_reduce max %0 over <@mesh, ["model"]> : tensor<1x7x5xf32>
      return %1 : tensor<1x7x5xf32>
    }
    ```
    becomes
    ```mlir
    func.func @reduced(%arg0: tensor<1x7x8xf32>, %arg1: tensor<8x5xf32>) -> tensor<1x7x5xf32> {
      %0 = tessera.slice %arg0 [0, 0, 0] to [1, 3, 8] by [1, 1, 1] : tensor<1x7x8xf32> -> tensor<1x3x8xf32>
      %1 = tessera.dot_general %0, %arg1 batching = [] x [] contracting = [2] x [0] : (tensor<1x3x8xf32>, tensor<8x5xf32>) -> tensor<1x3x5xf32>
      %2 = spmd.all_reduce max %1 over <@mesh, ["model"]> : tensor<1x3x5xf32>
      %3 = tessera.slice %arg0 [0, 3, 0] to [1, 7, 8] by [1, 1, 1] : tensor<1x7x8xf32> -> tensor<1x4x8xf32>
      %4 = tessera.dot_general %3, %arg1 batching = [] x [] contracting = [2] x [0] : (tensor<1x4x8xf32>, tensor<8x5xf32>) -> tensor<1x4x5xf32>
      %5 = spmd.all_reduce max %4 over <@mesh, ["model"]> : tensor<1x4x5xf32>
      %6 = tessera.concatenate %2, %5 dim = 1 : (tensor<1x3x5xf32>, tensor<1x4x5xf32>) -> tensor<1x7x5xf32>
      return %6 : tensor<1x7x5xf32>
    }
    ```
  }];
  let options = [
    Option<"collectiveSeconds", "collective-seconds", "double", /*default=*/"5e-6", "what a call costs beside its messages">,
    Option<"always", "always", "bool", /*default=*/"false", "whatever the price says">
  ];
  let dependentDialects = ["::tessera::TesseraDialect", "::tessera::spmd::SpmdDialect", "::mlir::arith::ArithDialect"];
}

def CombineCollectives : Pass<"tessera-combine-collectives", "::mlir::ModuleOp"> {
  let summary = "makes one call of several small collectives";
  let description = [{
    Collectives of one kind, one group and one reduction become parts of one `spmd.combined`, which has the messages of one of them. Nothing is sent more or less. They are taken in the order of the text; by
    the described machine it is estimated when each operand is there, when each result is first read, and when the link is free. One joins the call before it unless

    - it depends on a part of that call, directly or through other calls;
    - its bytes, or those that the call has already, take so long that what a call costs (`collective-seconds` and the latency of its messages) is less than a sixteenth of that;
    - waiting for its operand would make a reader of the other parts, or the collectives behind, later than the calls saved make them earlier.

    What is in a loop or a branch is combined there, not with what is outside. The order of a block stays that of the text, but that parts move to the last of them, and their readers behind it.

    **Requires** what the phase `partition` ensures. **Ensures** what the program computes and how many bytes each device sends is as before.

    <!-- example: combine-collectives.mlir @independent_sums -->
    ```mlir
    func.func @independent_sums(%a: tensor<8xf32>, %b: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
      %0 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
      %1 = spmd.all_reduce sum %b over <@mesh, ["data"]> : tensor<4xf32>
      return %0, %1 : tensor<8xf32>, tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @independent_sums(%arg0: tensor<8xf32>, %arg1: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
      %0:2 = spmd.combined(%arg0, %arg1) : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
      ^bb0(%arg2: tensor<8xf32>, %arg3: tensor<4xf32>):
        %1 = spmd.all_reduce sum %arg2 over <@mesh, ["data"]> : tensor<8xf32>
        %2 = spmd.all_reduce sum %arg3 over <@mesh, ["data"]> : tensor<4xf32>
        spmd.yield %1, %2 : tensor<8xf32>, tensor<4xf32>
      }
      return %0#0, %0#1 : tensor<8xf32>, tensor<4xf32>
    }
    ```
  }];
  let options = [Option<"collectiveSeconds", "collective-seconds", "double", /*default=*/"5e-6",
                        "what a call costs beside its messages">];
  let dependentDialects = ["::tessera::spmd::SpmdDialect"];
}

def DecomposeCollectives : Pass<"tessera-decompose-collectives", "::mlir::ModuleOp"> {
  let summary = "runs collectives over several nodes inside of nodes and across them";
  let description = [{
    Hierarchical collectives. Where the devices of a group share nodes, or other levels of the described machine, a call is taken apart:

    - an all-reduce: a reduce-scatter inside of nodes, an all-reduce across, of a part each, and an all-gather inside; of few bytes, an all-reduce inside and one across; of fewer, and in groups without levels, an all-gather, of which each device makes the sum itself, in the order of the group (one-shot all-reduce);
    - an all-gather: one across, then one inside; a reduce-scatter: one inside, then one across; an all-to-all: one inside, then one across.

    The axes of the group, which are cut for that, say who is near whom; chunks are gathered, scattered and exchanged in the order of the whole group, so both sides of the grid must follow each other in it.
    What cannot be divided among the devices of a node is filled up with zeros. Collectives of one call are one call at each level.

    By the described machine it is estimated what the calls take, with what is filled up and what a call costs (`collective-seconds`); what takes least is taken if it takes no longer than a reader waits for the call, and saves `collective-seconds` for each of its calls. Calls over
    more levels than two are taken apart again. Where no machine is described nothing is done, but with `always` whatever can be.

    Remarks (`tessera-communicate`) say of each call what became of it.

    **Requires** what the phase `partition` ensures. **Ensures** results are as before, but that sums over several nodes are made in another order, the same on all devices; of all-to-alls more bytes are sent, inside of nodes.

    <!-- example: decompose-collectives.mlir @summed run --tessera-decompose-collectives=always -->
    ```mlir
    func.func @summed(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
      %0 = spmd.all_reduce sum %x over <@mesh, ["node", "device"]> : tensor<2x4xf32>
      return %0 : tensor<2x4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @summed(%arg0: tensor<2x4xf32>) -> tensor<2x4xf32> {
      %0 = tessera.reshape %arg0 : tensor<2x4xf32> -> tensor<8xf32>
      %1 = spmd.reduce_scatter sum %0 dim = 0 over <@mesh, ["device"]> : tensor<8xf32> -> tensor<4xf32>
      %2 = spmd.all_reduce sum %1 over <@mesh, ["node"]> : tensor<4xf32>
      %3 = spmd.all_gather %2 dim = 0 over <@mesh, ["device"]> : tensor<4xf32> -> tensor<8xf32>
      %4 = tessera.reshape %3 : tensor<8xf32> -> tensor<2x4xf32>
      return %4 : tensor<2x4xf32>
    }
    ```
  }];
  let options = [
    Option<"collectiveSeconds", "collective-seconds", "double", /*default=*/"5e-6", "what a call costs beside its messages">,
    Option<"always", "always", "bool", /*default=*/"false", "whatever the price says">
  ];
  let dependentDialects = ["::tessera::TesseraDialect", "::tessera::spmd::SpmdDialect", "::mlir::arith::ArithDialect"];
}

def VerifyCommunication : Pass<"tessera-verify-communication", "::mlir::ModuleOp"> {
  let summary = "checks what the phase `communicate` promises";
  let description = [{
    **Requires** nothing: it judges what the passes before it, or a user, made. Changes nothing.

    **Ensures** a `spmd.combined` has at least two parts, of one reduction; no collective has been started, as the order of operations is not fixed yet.

    <!-- example: verify-communication-errors.mlir @alone -->
    ```mlir
    func.func @alone(%a: tensor<8xf32>) -> tensor<8xf32> {
      // expected-error @below {{expected at least two collectives}}
      %0 = spmd.combined(%a) : (tensor<8xf32>) -> tensor<8xf32> {
      ^bb0(%x0: tensor<8xf32>):
        %1 = spmd.all_reduce sum %x0 over <@mesh, ["data"]> : tensor<8xf32>
        spmd.yield %1 : tensor<8xf32>
      }
      return %0 : tensor<8xf32>
    }
    ```
  }];
}

#endif
