// A kernel's result that only a barrier takes, and that nobody reads once the barrier is gone, has memory of its own.
// RUN: tesserac %s --check-phases -o %t.tsx

tessera.mesh @mesh = <["x"=3, "y"=4]>
func.func @main(%arg0: tensor<4x1xf32>, %arg1: tensor<4x1xi1> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}]>}, %arg2: tensor<1x4xf32>, %arg3: tensor<4xf32>) -> (tensor<1x4xf32>, tensor<4x1xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"x"}>}) {
  %0 = tessera.dot_general %arg3, %arg2 batching = [0] x [1] contracting = [] x [] : (tensor<4xf32>, tensor<1x4xf32>) -> tensor<4x1xf32>
  %1:2 = tessera.optimization_barrier %arg2, %0 : (tensor<1x4xf32>, tensor<4x1xf32>) -> (tensor<1x4xf32>, tensor<4x1xf32>)
  %2 = arith.select %arg1, %0, %arg0 : tensor<4x1xi1>, tensor<4x1xf32>
  return %1#0, %2 : tensor<1x4xf32>, tensor<4x1xf32>
}
