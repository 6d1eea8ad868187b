// Every operation is printed as it is read.
// RUN: tessera-opt %s | tessera-opt | FileCheck %s

// CHECK: tessera.mesh @mesh = <["data"=2, "model"=4]>
tessera.mesh @mesh = <["data"=2, "model"=4]>
// CHECK: tessera.mesh @reversed = <["x"=4], device_ids=[3, 2, 1, 0]>
tessera.mesh @reversed = <["x"=4], device_ids=[3, 2, 1, 0]>
// CHECK: tessera.mesh @described = <["x"=4]> on <links = [{{\[}}2.000000e-06, 5.000000e+10]], compute = 1.000000e+12, memory_bandwidth = 1.000000e+11, memory = 64000000000>
tessera.mesh @described = <["x"=4]> on <links = [[2.0e-06, 5.0e+10]], compute = 1.0e+12, memory_bandwidth = 1.0e+11, memory = 64000000000>

// CHECK-LABEL: func.func @shardings(
// CHECK-SAME: tessera.donated = 0 : i32, tessera.name = "a", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model", ?}p1]>}
func.func @shardings(%a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model", ?}p1]>, tessera.name = "a", tessera.donated = 0 : i32})
    -> (tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model":(1)2}, {?}], replicated={"data"}>}) {
  // CHECK: tessera.constrain %{{.*}} to <@mesh, [{"model":(2)2, "data"}, {}]> : tensor<8x16xf32>
  %0 = tessera.constrain %a to <@mesh, [{"model":(2)2, "data"}, {}]> : tensor<8x16xf32>
  // CHECK: tessera.reshard %{{.*}} to <@mesh, [{}, {}], unreduced=max{"data"}>
  // CHECK-SAME: {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"model"}>}
  %1 = tessera.reshard %0 to <@mesh, [{}, {}], unreduced=max{"data"}> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"model"}>} : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @matmuls(
func.func @matmuls(%a: tensor<4x8x16xf32>, %b: tensor<4x16x32xf32>, %i: tensor<f32>) -> (tensor<4x8x32xf32>, tensor<4xf32>, tensor<4x8xf32>) {
  // CHECK: tessera.dot_general %{{.*}}, %{{.*}} batching = [0] x [0] contracting = [2] x [1] : (tensor<4x8x16xf32>, tensor<4x16x32xf32>) -> tensor<4x8x32xf32>
  %0 = tessera.dot_general %a, %b batching = [0] x [0] contracting = [2] x [1] : (tensor<4x8x16xf32>, tensor<4x16x32xf32>) -> tensor<4x8x32xf32>
  // CHECK: tessera.reduce max %{{.*}} dims = [1, 2] : tensor<4x8x16xf32> -> tensor<4xf32>
  %1 = tessera.reduce max %a dims = [1, 2] : tensor<4x8x16xf32> -> tensor<4xf32>
  // CHECK: tessera.variadic_reduce %{{.*}} inits %{{.*}} dims = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32> {
  // CHECK: tessera.yield %{{.*}} : tensor<f32>
  %2 = tessera.variadic_reduce %a inits %i dims = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32> {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = arith.addf %x, %y : tensor<f32>
    tessera.yield %s : tensor<f32>
  }
  // CHECK: tessera.sort %{{.*}} dim = 2 : (tensor<4x8x16xf32>) -> tensor<4x8x3xf32> {
  // CHECK: tessera.yield %{{.*}} : tensor<i1>
  %3 = tessera.sort %a dim = 2 : (tensor<4x8x16xf32>) -> tensor<4x8x3xf32> {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = arith.cmpf olt, %x, %y : tensor<f32>
    tessera.yield %s : tensor<i1>
  }
  return %0, %1, %2 : tensor<4x8x32xf32>, tensor<4xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @moves(
func.func @moves(%a: tensor<8x16xf32>, %v: tensor<f32>, %i: tensor<i32>, %u: tensor<2x4xf32>) {
  // CHECK: tessera.broadcast %{{.*}} dims = [0, 2] : tensor<8x16xf32> -> tensor<8x3x16xf32>
  %0 = tessera.broadcast %a dims = [0, 2] : tensor<8x16xf32> -> tensor<8x3x16xf32>
  // CHECK: tessera.transpose %{{.*}} permutation = [1, 0] : tensor<8x16xf32> -> tensor<16x8xf32>
  %1 = tessera.transpose %a permutation = [1, 0] : tensor<8x16xf32> -> tensor<16x8xf32>
  // CHECK: tessera.reshape %{{.*}} : tensor<8x16xf32> -> tensor<4x32xf32>
  %2 = tessera.reshape %a : tensor<8x16xf32> -> tensor<4x32xf32>
  // CHECK: tessera.slice %{{.*}} [0, 2] to [8, 6] by [1, 2] : tensor<8x16xf32> -> tensor<8x2xf32>
  %3 = tessera.slice %a [0, 2] to [8, 6] by [1, 2] : tensor<8x16xf32> -> tensor<8x2xf32>
  // CHECK: tessera.dynamic_slice %{{.*}}[%{{.*}}, %{{.*}}] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
  %4 = tessera.dynamic_slice %a[%i, %i] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
  // CHECK: tessera.dynamic_update_slice %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : (tensor<8x16xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
  %5 = tessera.dynamic_update_slice %a, %u[%i, %i] : (tensor<8x16xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
  // CHECK: tessera.pad %{{.*}} with %{{.*}} low = [1, -1] high = [0, 2] interior = [1, 0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<16x17xf32>
  %6 = tessera.pad %a with %v low = [1, -1] high = [0, 2] interior = [1, 0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<16x17xf32>
  // CHECK: tessera.concatenate %{{.*}}, %{{.*}} dim = 1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  %7 = tessera.concatenate %a, %a dim = 1 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  // CHECK: tessera.reverse %{{.*}} dims = [0] : tensor<8x16xf32>
  %8 = tessera.reverse %a dims = [0] : tensor<8x16xf32>
  // CHECK: tessera.iota dim = 1 : tensor<8x16xi32>
  %9 = tessera.iota dim = 1 : tensor<8x16xi32>
  // CHECK: tessera.optimization_barrier %{{.*}}, %{{.*}} : (tensor<8x16xf32>, tensor<i32>) -> (tensor<8x16xf32>, tensor<i32>)
  %10:2 = tessera.optimization_barrier %a, %i : (tensor<8x16xf32>, tensor<i32>) -> (tensor<8x16xf32>, tensor<i32>)
  return
}

// CHECK-LABEL: func.func @indexed(
func.func @indexed(%table: tensor<32x8xf32>, %ids: tensor<4x6x1xi32>, %rows: tensor<4x6x8xf32>) -> (tensor<4x6x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>) {
  // CHECK: tessera.gather %{{.*}} at %{{.*}} offset = [2] collapsed = [0] batching = [] x [] map = [0] vector = 2 sizes = [1, 8] : (tensor<32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
  %0 = tessera.gather %table at %ids offset = [2] collapsed = [0] batching = [] x [] map = [0] vector = 2 sizes = [1, 8] : (tensor<32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
  // CHECK: tessera.scatter sum %{{.*}}, %{{.*}} at %{{.*}} window = [2] inserted = [0] batching = [] x [] map = [0] vector = 2 : (tensor<32x8xf32>, tensor<4x6x1xi32>, tensor<4x6x8xf32>) -> tensor<32x8xf32>
  %1 = tessera.scatter sum %table, %rows at %ids window = [2] inserted = [0] batching = [] x [] map = [0] vector = 2 : (tensor<32x8xf32>, tensor<4x6x1xi32>, tensor<4x6x8xf32>) -> tensor<32x8xf32>
  // CHECK: tessera.scatter %{{.*}}, %{{.*}} at %{{.*}} vector = 2 unique :
  %2 = tessera.scatter %table, %rows at %ids window = [2] inserted = [0] batching = [] x [] map = [0] vector = 2 unique : (tensor<32x8xf32>, tensor<4x6x1xi32>, tensor<4x6x8xf32>) -> tensor<32x8xf32>
  return %0, %1, %2 : tensor<4x6x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>
}

// CHECK-LABEL: func.func @wishes(
func.func @wishes(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // CHECK: tessera.sharding_group %{{.*}} in 3 : tensor<8x16xf32>
  tessera.sharding_group %a in 3 : tensor<8x16xf32>
  // CHECK: tessera.propagation_barrier %{{.*}} allows none : tensor<8x16xf32>
  %0 = tessera.propagation_barrier %a allows none : tensor<8x16xf32>
  // CHECK: tessera.propagation_barrier %{{.*}} allows forward : tensor<8x16xf32>
  %1 = tessera.propagation_barrier %0 allows forward : tensor<8x16xf32>
  // CHECK: tessera.propagation_barrier %{{.*}} allows backward : tensor<8x16xf32>
  %2 = tessera.propagation_barrier %1 allows backward : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @by_hand(
func.func @by_hand(%a: tensor<8x16xf32>, %b: tensor<16xf32>) -> tensor<8x16xf32> {
  // CHECK: tessera.manual_computation(%{{.*}}, %{{.*}}) over <@mesh, ["model"]>
  // CHECK-SAME: in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>, #tessera.sharding<@mesh, [{}], unreduced={"model"}>]
  // CHECK-SAME: out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8x16xf32> {
  // CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<8x4xf32>, %{{.*}}: tensor<16xf32>):
  %0 = tessera.manual_computation(%a, %b) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>, #tessera.sharding<@mesh, [{}], unreduced={"model"}>]
      out [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>, %y: tensor<16xf32>):
    // CHECK: tessera.manual_computation(%[[X]]) over <@mesh, ["data"]>
    %1 = tessera.manual_computation(%x) over <@mesh, ["data"]>
        in [#tessera.sharding<@mesh, [{"data"}, {}]>] out [#tessera.sharding<@mesh, [{"data"}, {}]>] : (tensor<8x4xf32>) -> tensor<8x4xf32> {
    // CHECK-NEXT: ^bb0(%[[Z:.*]]: tensor<4x4xf32>):
    ^bb0(%z: tensor<4x4xf32>):
      // CHECK: spmd.all_reduce sum %[[Z]] over <@mesh, ["data", "model"]>
      %2 = spmd.all_reduce sum %z over <@mesh, ["data", "model"]> : tensor<4x4xf32>
      // CHECK: tessera.yield %{{.*}} : tensor<4x4xf32>
      tessera.yield %2 : tensor<4x4xf32>
    }
    tessera.yield %1 : tensor<8x4xf32>
  }
  // A region may take and give nothing.
  // CHECK: tessera.manual_computation() over <@mesh, ["data"]> in [] out [] : () -> () {
  tessera.manual_computation() over <@mesh, ["data"]> in [] out [] : () -> () {
  }
  return %0 : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @attention_with_dropout_and_cap(
func.func @attention_with_dropout_and_cap(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>, %bias: tensor<1x4x5x7xf32>, %bias1: tensor<2x1x1x7xf32>, %keep: tensor<2x4x5x7xi1>, %do: tensor<2x4x5x6xf32>) {
  // CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention %{{.*}}, %{{.*}}, %{{.*}} bias %{{.*}}, %{{.*}} keep %{{.*}} scale = 2.500000e-01 softcap = 5.000000e+01 causal = 2 keep_scale = 1.250000e+00 :
  %o, %max, %sum = tessera.attention %q, %k, %v bias %bias, %bias1 keep %keep scale = 0.25 softcap = 50.0 causal = 2 keep_scale = 1.25
      : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x4x5x7xf32>, tensor<2x1x1x7xf32>, tensor<2x4x5x7xi1>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  // CHECK: tessera.attention_gradient %{{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient %{{.*}} bias %{{.*}}, %{{.*}} keep %{{.*}} scale = 2.500000e-01 softcap = 5.000000e+01 causal = 2 keep_scale = 1.250000e+00 : {{.*}} -> (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x4x5x7xf32>)
  %g:4 = tessera.attention_gradient %q, %k, %v output %o maximum %max sum %sum gradient %do bias %bias, %bias1 keep %keep scale = 0.25 softcap = 50.0 causal = 2 keep_scale = 1.25
      : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5x6xf32>, tensor<1x4x5x7xf32>, tensor<2x1x1x7xf32>, tensor<2x4x5x7xi1>)
        -> (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x4x5x7xf32>)
  return
}

// CHECK-LABEL: func.func @attention(
func.func @attention(%q: tensor<2x8x5x16xbf16>, %k: tensor<2x4x7x16xbf16>, %v: tensor<2x4x7x12xbf16>, %bias: tensor<1x8x5x7xf32>, %mask: tensor<2x1x1x7xi1>, %do: tensor<2x8x5x12xf32>) {
  // CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention %{{.*}}, %{{.*}}, %{{.*}} scale = 2.500000e-01 causal = 2 : (tensor<2x8x5x16xbf16>, tensor<2x4x7x16xbf16>, tensor<2x4x7x12xbf16>) -> (tensor<2x8x5x12xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>)
  %o, %max, %sum = tessera.attention %q, %k, %v scale = 0.25 causal = 2 : (tensor<2x8x5x16xbf16>, tensor<2x4x7x16xbf16>, tensor<2x4x7x12xbf16>) -> (tensor<2x8x5x12xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>)
  // CHECK: tessera.attention %{{.*}}, %{{.*}}, %{{.*}} bias %{{.*}} mask %{{.*}} scale = 2.500000e-01 fill = -1.000000e+30 :
  %0:3 = tessera.attention %q, %k, %v bias %bias mask %mask scale = 0.25 fill = -1.0e30 : (tensor<2x8x5x16xbf16>, tensor<2x4x7x16xbf16>, tensor<2x4x7x12xbf16>, tensor<1x8x5x7xf32>, tensor<2x1x1x7xi1>) -> (tensor<2x8x5x12xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>)
  // CHECK: tessera.attention_gradient %{{.*}}, %{{.*}}, %{{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient %{{.*}} scale = 2.500000e-01 causal = 2 :
  %1:3 = tessera.attention_gradient %q, %k, %v output %o maximum %max sum %sum gradient %do scale = 0.25 causal = 2 : (tensor<2x8x5x16xbf16>, tensor<2x4x7x16xbf16>, tensor<2x4x7x12xbf16>, tensor<2x8x5x12xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x8x5x12xf32>) -> (tensor<2x8x5x16xf32>, tensor<2x4x7x16xbf16>, tensor<2x4x7x12xbf16>)
  // CHECK: tessera.attention_gradient %{{.*}}, %{{.*}}, %{{.*}} output %{{.*}} maximum %{{.*}} sum %{{.*}} gradient %{{.*}} bias %{{.*}} mask %{{.*}} scale = 2.500000e-01 fill = -1.000000e+30 :
  %2:3 = tessera.attention_gradient %q, %k, %v output %0#0 maximum %0#1 sum %0#2 gradient %do bias %bias mask %mask scale = 0.25 fill = -1.0e30 : (tensor<2x8x5x16xbf16>, tensor<2x4x7x16xbf16>, tensor<2x4x7x12xbf16>, tensor<2x8x5x12xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x8x5x12xf32>, tensor<1x8x5x7xf32>, tensor<2x1x1x7xi1>) -> (tensor<2x8x5x16xf32>, tensor<2x4x7x16xbf16>, tensor<2x4x7x12xbf16>)
  return
}
