// A parameter split over devices along the vocabulary, transposed before the output layer contracts it: parts of it are
// split as it was.
// RUN: tesserac %s --stages=2 --microbatches=2 --schedule=vocabulary-1 --check-phases -o %t.tsx
// RUN: tesserac %s --stages=3 --microbatches=2 --schedule=vocabulary-2 --check-phases -o %t.tsx
module {
  tessera.mesh @mesh = <["x"=4]>
  func.func @main(%arg0: tensor<8x4xf32> {tessera.donated = 0 : i32, tessera.name = "ps[0]"}, %arg1: tensor<8x4xf32> {tessera.name = "ms[0]"}, %arg2: tensor<4x6x4xf32> {tessera.batch = 0 : i64, tessera.name = "x"}, %arg3: tensor<1x6x4xf32>, %arg4: tensor<4x6x1x1xi32>) -> (tensor<8x4xf32> {tessera.name = "result[0][0]", tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}, tensor<f32> {tessera.name = "result[2]"}) {
    %0 = tessera.broadcast %arg3 dims = [0, 1, 2] : tensor<1x6x4xf32> -> tensor<4x6x4xf32>
    %1 = arith.subf %arg2, %0 : tensor<4x6x4xf32>
    %cst = arith.constant dense<5.000000e-01> : tensor<4x6x4xf32>
    %2 = arith.mulf %1, %cst : tensor<4x6x4xf32>
    %3 = arith.addf %1, %2 : tensor<4x6x4xf32>
    %4 = tessera.transpose %arg0 permutation = [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
    %5 = tessera.dot_general %3, %4 batching = [] x [] contracting = [2] x [0] : (tensor<4x6x4xf32>, tensor<4x8xf32>) -> tensor<4x6x8xf32>
    %6 = math.exp %5 : tensor<4x6x8xf32>
    %7 = tessera.reduce sum %6 dims = [2] : tensor<4x6x8xf32> -> tensor<4x6xf32>
    %8 = tessera.broadcast %7 dims = [0, 1] : tensor<4x6xf32> -> tensor<4x6x1xf32>
    %9 = tessera.broadcast %8 dims = [0, 1, 2] : tensor<4x6x1xf32> -> tensor<4x6x8xf32>
    %10 = arith.subf %5, %9 : tensor<4x6x8xf32>
    %11 = tessera.gather %10 at %arg4 offset = [] collapsed = [2] batching = [0, 1] x [0, 1] map = [2] vector = 3 sizes = [1, 1, 1] : (tensor<4x6x8xf32>, tensor<4x6x1x1xi32>) -> tensor<4x6x1xf32>
    %12 = tessera.reduce sum %11 dims = [0, 1, 2] : tensor<4x6x1xf32> -> tensor<f32>
    return %arg1, %12 : tensor<8x4xf32>, tensor<f32>
  }
}
