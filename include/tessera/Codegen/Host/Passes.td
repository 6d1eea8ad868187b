//===- Passes.td - the host program, whatever the device ---*- tablegen -*-===//
#ifndef TESSERA_CODEGEN_HOST_PASSES
#define TESSERA_CODEGEN_HOST_PASSES

include "mlir/Pass/PassBase.td"

def SplitProgram : Pass<"tessera-split-program", "::mlir::ModuleOp"> {
  let summary = "cuts long functions of the host program into parts";
  let description = [{
    A deep model is one function of many thousand calls, and the back end's time grows faster than a function's size. Each
    function of `@program` is cut into functions of about `size` operations, where nothing but its arguments and
    constants is needed on both sides.

    **Requires** what `tessera-lower-to-rt` ensures.
    **Ensures** the same, and that the program is short, however deep the model, unless values live all along.

    ```mlir
    func.func @tessera_main(%c: !llvm.ptr, %a: !llvm.ptr, %r: !llvm.ptr, %m: !llvm.ptr) -> i32 {
      rt.run @tessera_main_part_0(%c, %a, %r, %m) : !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr
      rt.run @tessera_main_part_1(%c, %a, %r, %m) : !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr
      %status = arith.constant 0 : i32
      return %status : i32
    }
    ```
  }];
  let options = [
    Option<"size", "size", "unsigned", "1000", "operations in a part">
  ];
  let dependentDialects = ["::tessera::rt::RtDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
  let statistics = [
    Statistic<"numParts", "parts", "functions that the program was cut into">
  ];
}

def ConvertRtToLLVM : Pass<"tessera-convert-rt-to-llvm", "::mlir::ModuleOp"> {
  let summary = "converts the nested modules of program and kernels to the LLVM dialect";
  let description = [{
    Launches and collectives become rows of one table, which a function of the program goes through, calling the runtime's C interface until a call fails; what computes with scalars and memory becomes code.
    Mathematical functions on f32 become polynomials on vectors. The modules are converted in parallel.

    **Requires** what `tessera-lower-to-rt` ensures.
    **Ensures** nested modules hold nothing but the LLVM dialect.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

#endif
