// A donated argument becomes another argument, which no stage uses: every rank that holds the former holds the latter.
// RUN: tesserac %s --microbatches=2 --stages=2 --schedule=chimera --check-phases -o %t.tsx 2>&1 | FileCheck %s
// CHECK: partition agrees with import
// CHECK: schedule agrees with import
module {
  tessera.mesh @mesh = <["x"=2, "y"=2, "z"=2], device_ids=[2, 3, 5, 7, 0, 1, 6, 4]>
  func.func @main(%arg0: tensor<f32> {tessera.sharding = #tessera.sharding<@mesh, []>}, %arg1: tensor<8x2x3x8xi32> {tessera.batch = 1 : i64}, %arg2: tensor<f32> {tessera.donated = 3 : i32}, %arg3: tensor<8x2x8x2xi32>) -> (tensor<1x8x1x6xi32>, tensor<1xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], replicated={"x"}>}, tensor<8x3x2xi32>, tensor<f32> {tessera.sharding = #tessera.sharding<@mesh, []>}) {
    %0 = arith.cmpf oeq, %arg0, %arg2 : tensor<f32>
    %1 = arith.select %0, %arg0, %arg0 : tensor<i1>, tensor<f32>
    %2 = tessera.dot_general %arg1, %arg3 batching = [3] x [0] contracting = [0, 1] x [2, 1] : (tensor<8x2x3x8xi32>, tensor<8x2x8x2xi32>) -> tensor<8x3x2xi32>
    %3 = tessera.reshape %arg2 : tensor<f32> -> tensor<1xf32>
    %cst = arith.constant dense<1> : tensor<1x8x1x6xi32>
    return %cst, %3, %2, %1 : tensor<1x8x1x6xi32>, tensor<1xf32>, tensor<8x3x2xi32>, tensor<f32>
  }
}
