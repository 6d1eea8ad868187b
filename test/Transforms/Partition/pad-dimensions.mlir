// RUN: tessera-opt --tessera-pad-dimensions --split-input-file %s | FileCheck %s

tessera.mesh @mesh = <["x"=4]>

// What is reduced is filled with the neutral element, what is treated element by element is not; the boundary keeps its types.
// CHECK-LABEL: func.func @reduced(
// CHECK-SAME: %[[A:.*]]: tensor<10xf32>
func.func @reduced(%a: tensor<10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    -> (tensor<f32> {tessera.sharding = #tessera.sharding<@mesh, []>}, tensor<10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  // CHECK: %[[ANYTHING:.*]] = ub.poison {{.*}} : tensor<f32>
  // CHECK: %[[PADDED:.*]] = tessera.pad %[[A]] with %[[ANYTHING]] low = [0] high = [2] interior = [0] {{.*}} -> tensor<12xf32>
  // CHECK: %[[EXP:.*]] = math.exp %[[PADDED]] {{.*}} : tensor<12xf32>
  // CHECK: %[[LEAST:.*]] = arith.constant {{.*}} dense<0xFF800000> : tensor<12xf32>
  // CHECK: %[[PLACES:.*]] = tessera.iota dim = 0 {{.*}} : tensor<12xi32>
  // CHECK: %[[SIZE:.*]] = arith.constant {{.*}} dense<10> : tensor<12xi32>
  // CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %[[PLACES]], %[[SIZE]]
  // CHECK: %[[FILLED:.*]] = arith.select %[[INSIDE]], %[[EXP]], %[[LEAST]]
  %0 = math.exp %a {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>} : tensor<10xf32>
  // CHECK: tessera.reduce max %[[FILLED]] dims = [0] {{.*}} : tensor<12xf32> -> tensor<f32>
  %1 = tessera.reduce max %0 dims = [0] {tessera.sharding = #tessera.sharding<@mesh, [], unreduced=max{"x"}>} : tensor<10xf32> -> tensor<f32>
  %2 = tessera.reshard %1 to <@mesh, []> {tessera.sharding = #tessera.sharding<@mesh, []>} : tensor<f32>
  // CHECK: %[[CROPPED:.*]] = tessera.pad %[[EXP]] with %{{.*}} low = [0] high = [-2] interior = [0] {{.*}} -> tensor<10xf32>
  // CHECK: return %{{.*}}, %[[CROPPED]] : tensor<f32>, tensor<10xf32>
  return %2, %0 : tensor<f32>, tensor<10xf32>
}

// -----

tessera.mesh @mesh = <["x"=2, "y"=2]>

// A reshard between different numbers of parts moves one padded tensor: 12 divides by 4 and by 2.
// CHECK-LABEL: func.func @fewer_parts(
func.func @fewer_parts(%a: tensor<10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>}) -> (tensor<f32> {tessera.sharding = #tessera.sharding<@mesh, []>}) {
  // CHECK: %[[FEWER:.*]] = tessera.reshard %{{.*}} to <@mesh, [{"x"}]> {{.*}} : tensor<12xf32>
  %0 = tessera.reshard %a to <@mesh, [{"x"}]> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>} : tensor<10xf32>
  // CHECK: math.exp %[[FEWER]] {{.*}} : tensor<12xf32>
  %1 = math.exp %0 {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>} : tensor<10xf32>
  %2 = tessera.reduce sum %1 dims = [0] {tessera.sharding = #tessera.sharding<@mesh, [], unreduced={"x"}>} : tensor<10xf32> -> tensor<f32>
  %3 = tessera.reshard %2 to <@mesh, []> {tessera.sharding = #tessera.sharding<@mesh, []>} : tensor<f32>
  return %3 : tensor<f32>
}

// -----

tessera.mesh @mesh = <["x"=2, "y"=2]>

// The caller knows blocks of 5, so that the parts have to be cut anew, in between being whole.
// CHECK-LABEL: func.func @known_blocks(
func.func @known_blocks(%a: tensor<10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>}) -> (tensor<10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  // CHECK: %[[WHOLE:.*]] = tessera.reshard %{{.*}} to <@mesh, [{}]> {{.*}} : tensor<12xf32>
  // CHECK: %[[CROPPED:.*]] = tessera.pad %[[WHOLE]] {{.*}} high = [-2] {{.*}} -> tensor<10xf32>
  // CHECK: %[[PARTS:.*]] = tessera.reshard %[[CROPPED]] to <@mesh, [{"x"}]>
  // CHECK: return %[[PARTS]] : tensor<10xf32>
  %0 = tessera.reshard %a to <@mesh, [{"x"}]> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>} : tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A place that lies behind the table is clamped to its last row, not to the padding.
// CHECK-LABEL: func.func @lookup(
func.func @lookup(%table: tensor<10x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}, %ids: tensor<5x1xi32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>})
    -> (tensor<5x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) {
  // CHECK: %[[LAST:.*]] = arith.constant {{.*}} dense<9> : tensor<1xi32>
  // CHECK: %[[LASTS:.*]] = tessera.broadcast %[[LAST]] dims = [1]
  // CHECK: %[[FIRSTS:.*]] = arith.constant {{.*}} dense<0> : tensor<5x1xi32>
  // CHECK: %[[ATLEAST:.*]] = arith.maxsi %{{.*}}, %[[FIRSTS]]
  // CHECK: %[[CLAMPED:.*]] = arith.minsi %[[ATLEAST]], %[[LASTS]]
  // CHECK: tessera.gather %{{.*}} at %[[CLAMPED]] {{.*}} : (tensor<12x6xf32>, tensor<5x1xi32>)
  %0 = tessera.gather %table at %ids offset = [1] collapsed = [0] batching = [] x [] map = [0] vector = 1 sizes = [1, 6]
      {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"x"}>} : (tensor<10x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  %1 = tessera.reshard %0 to <@mesh, [{}, {}]> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>} : tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// An update that is padding goes to a place outside.
// CHECK-LABEL: func.func @updates(
func.func @updates(%ids: tensor<5x1xi32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}, %rows: tensor<5x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<10x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) {
  %zero = arith.constant {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>} dense<0.0> : tensor<10x6xf32>
  // CHECK: %[[OUTSIDE:.*]] = arith.constant {{.*}} dense<-1> : tensor<8x1xi32>
  // CHECK: %[[PLACES:.*]] = arith.select %{{.*}}, %{{.*}}, %[[OUTSIDE]]
  // CHECK: tessera.scatter sum %{{.*}}, %{{.*}} at %[[PLACES]] {{.*}} : (tensor<10x6xf32>, tensor<8x1xi32>, tensor<8x6xf32>)
  %0 = tessera.scatter sum %zero, %rows at %ids window = [1] inserted = [0] batching = [] x [] map = [0] vector = 1
      {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"x"}>} : (tensor<10x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<10x6xf32>
  %1 = tessera.reshard %0 to <@mesh, [{}, {}]> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>} : tensor<10x6xf32>
  return %1 : tensor<10x6xf32>
}
