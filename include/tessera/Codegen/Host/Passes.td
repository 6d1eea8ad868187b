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

    **Requires** what `tessera-lower-to-rt` ensures. **Ensures** every function of `@program` has about `size` operations, however deep the model is, unless
    values live all along.

    <!-- example: split-program.mlir @tessera_main run --tessera-split-program=size=2 -->
    ```mlir
    func.func @tessera_main(%context: !llvm.ptr, %arguments: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) -> i32 {
      %from = rt.entry %arguments[0] : !llvm.ptr -> !llvm.ptr
      %to = rt.offset %arena + 0 : !llvm.ptr -> !llvm.ptr
      rt.copy %context %from to %to bytes = 4 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      %one = arith.constant 1 : index
      %flag = llvm.load %arena : !llvm.ptr -> i1
      rt.copy %context %arguments to %arena bytes = 4 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      rt.copy %context %arguments to %arena bytes = 8 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      scf.if %flag {
        rt.copy %context %arguments to %arena bytes = 4 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      }
      scf.for %i = %one to %one step %one {
        rt.copy %context %arguments to %arena bytes = 4 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      }
      %status = arith.constant 0 : i32
      return %status : i32
    }
    ```
    becomes, for parts of two operations,
    ```mlir
    func.func @tessera_main(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: !llvm.ptr) -> i32 {
      rt.run @tessera_main_part_0(%arg0, %arg1, %arg2, %arg3) : !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr
      rt.run @tessera_main_part_1(%arg0, %arg1, %arg2, %arg3) : !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr
      rt.run @tessera_main_part_2(%arg0, %arg1, %arg2, %arg3) : !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr
      %c0_i32 = arith.constant 0 : i32
      return %c0_i32 : i32
    }
    ```
  }];
  let options = [
    Option<"size", "size", "unsigned", "1000", "operations in a part">
  ];
  let dependentDialects = ["::tessera::rt::RtDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

def ConvertRtToLLVM : Pass<"tessera-convert-rt-to-llvm", "::mlir::ModuleOp"> {
  let summary = "converts the nested modules of program and kernels to the LLVM dialect";
  let description = [{
    Launches and collectives become rows of one table, which a function of the program goes through, calling the runtime's C interface until a call fails; what computes with scalars and memory becomes code.
    Mathematical functions on f32 become polynomials on vectors. The modules are converted in parallel.

    **Requires** what `tessera-lower-to-rt` ensures.
    **Ensures** nested modules hold nothing but the LLVM dialect.

    <!-- example: convert-rt-to-llvm.mlir @main -> @tessera_main run --tessera-lower-to-rt=cpu=x86-64-v3 --tessera-convert-rt-to-llvm lines spmd.(kernel\(|all_reduce)|call|addressof -->
    ```mlir
    func.func @main(%a: tensor<1024xf32> {tessera.global_type = tensor<1024xf32>, tessera.sharding = #tessera.sharding<@mesh, [{} ]>})
        -> (tensor<1024xf32> {tessera.global_type = tensor<1024xf32>, tessera.sharding = #tessera.sharding<@mesh, [{} ]>}) attributes {spmd.arena_size = 4096 : i64} {
      %0 = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<1024xf32>) -> tensor<1024xf32> {
      ...
      %1 = spmd.all_reduce sum %0 over <@mesh, ["x"]> {spmd.buffers = [#spmd.buffer<result, 0>]} : tensor<1024xf32>
      ...
    }
    ```
    becomes
    ```mlir
    llvm.func @tessera_main(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: !llvm.ptr) -> i32 {
      ...
      %11 = llvm.mlir.addressof @step_words : !llvm.ptr
      ...
      %16 = llvm.call @tessera_run_steps(%2, %13, %15) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
      ...
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

def VerifyCode : Pass<"tessera-verify-code", "::mlir::ModuleOp"> {
  let summary = "checks what the phase codegen ensures";
  let description = [{
    The contract of the phase: what `package` translates and describes without a further look.

    **Requires** a module.
    **Ensures** `rt.cpu` on the module; functions outside of nested modules are declarations; nested modules hold the LLVM dialect (those of architectures
    also NVVM) and grid kernels, every step of which is a function of the module of its architecture.

    <!-- example: verify-code.mlir @tessera_main_0 -->
    ```mlir
    llvm.func @tessera_main_0(%x: i32) -> i32 {
      // expected-error @+1 {{expected the LLVM dialect, got 'arith.addi'}}
      %y = arith.addi %x, %x : i32
      llvm.return %y : i32
    }
    ```
  }];
}

#endif
