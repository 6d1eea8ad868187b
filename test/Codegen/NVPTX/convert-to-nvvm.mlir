// Modules of architectures become the LLVM and NVVM dialects, with lines of the source; the program of the host stays.
// RUN: tessera-opt %s --tessera-convert-to-nvvm --mlir-print-debuginfo | FileCheck %s
// RUN: tessera-opt %s --tessera-convert-to-nvvm | FileCheck %s --check-prefix=HOST

// HOST: func.func @main() -> i32
module {
  module @kernels_0 {
    // CHECK: module @sm_80
    module @sm_80 {
      llvm.func @exp_0(%x: !llvm.ptr) attributes {nvvm.kernel} {
        %0 = llvm.load %x : !llvm.ptr -> f32 loc("model.py":8:1)
        // e^x goes through the special function unit, not through a library.
        // CHECK: llvm.intr.floor
        // CHECK: llvm.intr.exp2
        // CHECK: llvm.shl
        %1 = math.exp %0 : f32 loc(callsite("layers.py":3:1 at "model.py":9:1))
        // CHECK: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"
        %2 = math.rsqrt %1 : f32 loc("model.py":10:1)
        // CHECK-NOT: math.
        %3 = math.tanh %2 : f32 loc("model.py":11:1)
        llvm.store %3, %x : f32, !llvm.ptr loc("model.py":12:1)
        llvm.return
      } loc("model.py":7:1)
    }
  }
  module @program {
    func.func @main() -> i32 {
      %0 = arith.constant 0 : i32
      return %0 : i32
    }
  }
}
// CHECK-DAG: #[[FILE:.*]] = #llvm.di_file<"model.py" in "">
// CHECK-DAG: #[[OTHER:.*]] = #llvm.di_file<"layers.py" in "">
// CHECK-DAG: #[[UNIT:.*]] = #llvm.di_compile_unit<{{.*}} file = #[[FILE]], producer = "tessera", isOptimized = true, emissionKind = DebugDirectivesOnly>
// CHECK-DAG: #[[SCOPE:.*]] = #llvm.di_subprogram<{{.*}}compileUnit = #[[UNIT]]{{.*}}name = "exp_0", linkageName = "exp_0", file = #[[FILE]], line = 7
// CHECK-DAG: #[[BLOCK:.*]] = #llvm.di_lexical_block_file<scope = #[[SCOPE]], file = #[[OTHER]], discriminator = 0>
// CHECK-DAG: #[[PLACE:.*]] = loc("layers.py":3:1)
// CHECK-DAG: loc(fused<#[[BLOCK]]>[#[[PLACE]]])
