// Parts of a batch have the values of the whole: of equal and of unequal size, beside sums, gathers, scattered sums and exchanges, whose blocks lie one behind the other for each device, in the order of devices that the mesh has.
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// DEFINE: %{mesh} = ["x"=2, "y"=2]
// DEFINE: %{try} = sed 's/= <\["x"=2, "y"=2\]/= <%{mesh}/' %s | tessera-opt --tessera-shard-phase --tessera-partition-phase -o %t.mlir && tessera-opt --tessera-split-batches=always %t.mlir -o %t.parts.mlir \
// DEFINE:   && tessera-interpret %t.parts.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: %{try}
// RUN: tessera-interpret %t.mlir --random=1 --count | FileCheck %s --check-prefix=WHOLE
// RUN: tessera-interpret %t.parts.mlir --random=1 --count | FileCheck %s
// REDEFINE: %{mesh} = ["x"=4, "y"=1]
// RUN: %{try}
// REDEFINE: %{mesh} = ["x"=1, "y"=3]
// RUN: %{try}
// REDEFINE: %{mesh} = ["x"=2, "y"=2], device_ids=[2, 0, 3, 1]
// RUN: %{try}

// Each exchange is two, and sends what it sent.
// WHOLE: 480 1 all_to_all {"x"} tensor<2x4x5x6xf32>
// WHOLE: 480 1 all_to_all {"x"} tensor<2x4x5x6xf32>
// WHOLE: 1440 {{.*}} in all
// CHECK-COUNT-2: 240 1 all_to_all {"x"} tensor<1x4x5x6xf32>
// CHECK-COUNT-2: 240 1 all_to_all {"x"} tensor<2x2x5x6xf32>
// CHECK: 1440 {{.*}} in all
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(
    %tokens: tensor<4x7x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {}]>},
    %places: tensor<4x7x4x5xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {}, {}]>},
    %up: tensor<4x6x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {}]>},
    %down: tensor<4x3x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {}]>},
    %wide: tensor<6x12xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"y"}]>},
    %narrow: tensor<12x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<4x7x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {}]>}, tensor<4x6x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {}]>}, tensor<12x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}]>}) {
  // Tokens to experts and back.
  %sent = tessera.dot_general %places, %tokens batching = [0] x [0] contracting = [1] x [1] : (tensor<4x7x4x5xf32>, tensor<4x7x6xf32>) -> tensor<4x4x5x6xf32>
  %queues = tessera.transpose %sent permutation = [1, 0, 2, 3] : tensor<4x4x5x6xf32> -> tensor<4x4x5x6xf32>
  %there = tessera.constrain %queues to <@mesh, [{"x"}, {}, {}, {}]> : tensor<4x4x5x6xf32>
  %hidden = tessera.dot_general %there, %up batching = [0] x [0] contracting = [3] x [1] : (tensor<4x4x5x6xf32>, tensor<4x6x3xf32>) -> tensor<4x4x5x3xf32>
  %bent = math.tanh %hidden : tensor<4x4x5x3xf32>
  %out = tessera.dot_general %bent, %down batching = [0] x [0] contracting = [3] x [1] : (tensor<4x4x5x3xf32>, tensor<4x3x6xf32>) -> tensor<4x4x5x6xf32>
  %back = tessera.constrain %out to <@mesh, [{}, {"x"}, {}, {}]> : tensor<4x4x5x6xf32>
  %mixed = tessera.dot_general %places, %back batching = [0] x [1] contracting = [2, 3] x [0, 2] : (tensor<4x7x4x5xf32>, tensor<4x4x5x6xf32>) -> tensor<4x7x6xf32>
  // The gradient of `up` sums over what is cut.
  %gradient = tessera.dot_general %there, %bent batching = [0] x [0] contracting = [1, 2] x [1, 2] : (tensor<4x4x5x6xf32>, tensor<4x4x5x3xf32>) -> tensor<4x6x3xf32>
  // A layer that is split over its width, and a gradient that is transposed.
  %a = tessera.dot_general %mixed, %wide batching = [] x [] contracting = [2] x [0] : (tensor<4x7x6xf32>, tensor<6x12xf32>) -> tensor<4x7x12xf32>
  %b = math.exp %a : tensor<4x7x12xf32>
  %c = tessera.dot_general %b, %narrow batching = [] x [] contracting = [2] x [0] : (tensor<4x7x12xf32>, tensor<12x6xf32>) -> tensor<4x7x6xf32>
  %d = arith.addf %mixed, %c : tensor<4x7x6xf32>
  %e = tessera.dot_general %d, %b batching = [] x [] contracting = [0, 1] x [0, 1] : (tensor<4x7x6xf32>, tensor<4x7x12xf32>) -> tensor<6x12xf32>
  %f = tessera.transpose %e permutation = [1, 0] : tensor<6x12xf32> -> tensor<12x6xf32>
  return %d, %gradient, %f : tensor<4x7x6xf32>, tensor<4x6x3xf32>, tensor<12x6xf32>
}
