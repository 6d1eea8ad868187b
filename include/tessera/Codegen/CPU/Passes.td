//===- Passes.td - the phase codegen for x86 ---------------*- tablegen -*-===//
#ifndef TESSERA_CODEGEN_CPU_PASSES
#define TESSERA_CODEGEN_CPU_PASSES

include "mlir/Pass/PassBase.td"

def LowerToRt : Pass<"tessera-lower-to-rt", "::mlir::ModuleOp"> {
  let summary = "turns the scheduled program into launches and collective calls on memory";
  let description = [{
    Every distinct kernel (equal bodies count once, wherever they stand) becomes functions of loops and vectors in one of a few
    nested modules, planned and blocked as `lib/Codegen/CPU/KernelPlan.h` and `docs/rationale/cpu-codegen.md` say. `@main`
    becomes `@tessera_main` in the nested module `@program`: `rt` operations on addresses in the arena, the arguments and the
    results; what remains of `@main` is its declaration with names and shardings, for the manifest. The program of pipeline rank 0
    becomes `@tessera_main_0`, and so on; the functions that these call become private functions of `@program`.

    **Requires** what the phase `schedule` ensures: kernels and collectives with `spmd.buffers`.
    **Ensures** no tensor is left outside of the declarations of `@main` and of the pipeline ranks' programs.

    ```mlir
    %1 = spmd.kernel(%0) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<64xf32>) -> tensor<64xf32> { ... }
    // becomes
    %a = rt.entry %arguments[0] : !llvm.ptr -> !llvm.ptr
    %r = rt.entry %results[0] : !llvm.ptr -> !llvm.ptr
    rt.launch %context @kernels_0::@exp_0(%a, %r) extent = 1 grain = 1 name = "exp.0" : !llvm.ptr (!llvm.ptr, !llvm.ptr)
    ```
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", "\"native\"", "the processor to generate code for">,
    Option<"modules", "modules", "unsigned", "0", "modules to spread the kernels over; 0 for one per thread">
  ];
  let dependentDialects = ["::tessera::rt::RtDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numKernels", "kernels", "kernels in the program">,
    Statistic<"numDistinct", "distinct", "distinct kernels, which are compiled">
  ];
}

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
    Launches and collectives become calls of the runtime's C interface, each followed by a return if it failed. Mathematical
    functions on f32 become polynomials on vectors. The modules are converted in parallel.

    **Requires** what `tessera-lower-to-rt` ensures.
    **Ensures** nested modules hold nothing but the LLVM dialect.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

#endif
