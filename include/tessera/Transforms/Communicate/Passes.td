//===- Passes.td - the phase communicate --------------------*- tablegen -*-===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_PASSES
#define TESSERA_TRANSFORMS_COMMUNICATE_PASSES

include "mlir/Pass/PassBase.td"

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
