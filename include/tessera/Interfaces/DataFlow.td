//===- DataFlow.td - values handed over by control flow ----*- tablegen -*-===//
#ifndef TESSERA_INTERFACES_DATAFLOW_TD
#define TESSERA_INTERFACES_DATAFLOW_TD

include "mlir/IR/OpBase.td"

/// Result i is operand i.
def HandsOperandsOver : NativeOpTrait<"HandsOperandsOver"> {
  let cppNamespace = "::tessera";
}

#endif
