// Tensors of different shapes are updated by one grid, each by blocks of its own; whole vectors of 16 bytes, and what is left behind the last
// one (here one element of 33) by one thread.
// RUN: tesserac %s --target=cuda:sm_80 --emit=ptx -o - | FileCheck %s
// RUN: tesserac %s --target=cuda:sm_80 --compile-to=codegen -o - | FileCheck %s --check-prefix=STEPS
// CHECK: .visible .entry
// CHECK-DAG: ld.global{{.*}}.v4
// CHECK-DAG: st.global.v4
// CHECK-DAG: st.global{{(\.b32|\.f32)}}
// CHECK-NOT: .visible
// STEPS: rt.grid_kernel @{{[^ ]*}} [#rt.variant<80 steps = [<"{{[^"]*}}" grid = [6, 1, 1] block = 256 shared = 0 buffers = [{{[0-9, ]*}}]>]>]
// STEPS: @step_site_offsets({{.*}}) {{.*}} : !llvm.array<2 x i32>
// STEPS: call @tessera_rt_launch_grid
func.func @main(%a: tensor<64x64xf32> {tessera.name = "a"}, %b: tensor<33xf32> {tessera.name = "b"}, %c: tensor<256xf32> {tessera.name = "c"})
    -> (tensor<64x64xf32> {tessera.name = "result[0]"}, tensor<33xf32> {tessera.name = "result[1]"}, tensor<256xf32> {tessera.name = "result[2]"}) {
  %0 = arith.mulf %a, %a : tensor<64x64xf32>
  %1 = arith.mulf %b, %b : tensor<33xf32>
  %2 = arith.mulf %c, %c : tensor<256xf32>
  return %0, %1, %2 : tensor<64x64xf32>, tensor<33xf32>, tensor<256xf32>
}
