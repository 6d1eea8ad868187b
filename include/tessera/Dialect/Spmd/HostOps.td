//===- HostOps.td - copies to the host and back ------------*- tablegen -*-===//
#ifndef TESSERA_DIALECT_SPMD_HOSTOPS
#define TESSERA_DIALECT_SPMD_HOSTOPS

include "tessera/Dialect/Spmd/CombinedOps.td"

class Spmd_HostCopy<string mnemonic> : Spmd_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins Spmd_Tensor:$operand);
  let results = (outs Spmd_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Spmd_OffloadOp : Spmd_HostCopy<"offload"> {
  let summary = "copies a tensor to the memory of the host";
  let description = [{
    Only `spmd.reload` reads the result, which takes no memory of the device. Like a collective, a copy is started and awaited after the phase `schedule`; copies to the host go one after another, and
    so do those from it, beside kernels and collectives.

    ```mlir
    %0 = spmd.offload %a : tensor<8xf32>
    %1 = spmd.reload %0 : tensor<8xf32>
    ```
  }];
}

def Spmd_ReloadOp : Spmd_HostCopy<"reload"> {
  let summary = "copies a tensor back from the memory of the host";
}

#endif
