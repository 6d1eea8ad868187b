// Axes of a dimension that must be whole go to one that all tensors have: a part is exchanged with each device, where all would be gathered.
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase --split-input-file %s | FileCheck %s

tessera.mesh @mesh = <["x"=4]>

// Rows are sorted: rows for columns, and back.
// CHECK-LABEL: func.func @sorted(
// CHECK: %[[COLUMNS:.*]] = spmd.all_to_all {{.*}} : tensor<1024x64xf32> -> tensor<4096x16xf32>
// CHECK: tessera.sort %[[COLUMNS]]
// CHECK: spmd.all_to_all {{.*}} : tensor<4096x16xf32> -> tensor<1024x64xf32>
// CHECK-NOT: spmd.
func.func @sorted(%a: tensor<4096x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<4096x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = tessera.sort %a dim = 0 : (tensor<4096x64xf32>) -> tensor<4096x64xf32> {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %less = arith.cmpf olt, %x, %y : tensor<f32>
    tessera.yield %less : tensor<i1>
  }
  return %0 : tensor<4096x64xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A loop takes row after row: rows are exchanged for columns once, before it.
// CHECK-LABEL: func.func @row_after_row(
// CHECK: spmd.all_to_all {{.*}} : tensor<64x256xf32> -> tensor<256x64xf32>
// CHECK: scf.for
// CHECK: tessera.dynamic_slice {{.*}} -> tensor<1x64xf32>
// CHECK-NOT: spmd.
func.func @row_after_row(%a: tensor<256x256xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<256xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  %begin = arith.constant 0 : i32
  %end = arith.constant 256 : i32
  %step = arith.constant 1 : i32
  %start = arith.constant dense<0.0> : tensor<256xf32>
  %first = arith.constant dense<0> : tensor<i32>
  %0 = scf.for %i = %begin to %end step %step iter_args(%sum = %start) -> (tensor<256xf32>) : i32 {
    %place = tensor.from_elements %i : tensor<i32>
    %1 = tessera.dynamic_slice %a[%place, %first] : (tensor<256x256xf32>, tensor<i32>, tensor<i32>) -> tensor<1x256xf32>
    %row = tessera.reshape %1 : tensor<1x256xf32> -> tensor<256xf32>
    %decayed = math.tanh %sum : tensor<256xf32>
    %next = arith.addf %decayed, %row : tensor<256xf32>
    scf.yield %next : tensor<256xf32>
  }
  return %0 : tensor<256xf32>
}
