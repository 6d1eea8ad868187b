// RUN: tessera-opt --tessera-propagate-shardings --tessera-insert-reshards --tessera-place-reductions --split-input-file %s | FileCheck %s

tessera.mesh @mesh = <["x"=4]>

// The input gradients of two projections are added before they are reduced.
// CHECK-LABEL: func.func @sums_are_formed_first(
func.func @sums_are_formed_first(
    %q: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %k: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %w: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = tessera.dot_general %q, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %1 = tessera.dot_general %k, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  // CHECK: %[[SUM:.*]] = arith.addf {{.*}}{tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"x"}>}
  // CHECK-NEXT: %[[WHOLE:.*]] = tessera.reshard %[[SUM]] to <@mesh, [{}, {}]>
  // CHECK-NEXT: return %[[WHOLE]]
  %2 = arith.addf %0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// What is whole joins a sum between two partial ones: all devices but the first leave it out.
// CHECK-LABEL: func.func @whole_values_join_sums(
func.func @whole_values_join_sums(
    %x: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    %q: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %k: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %w: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  // CHECK: %[[Q:.*]] = tessera.dot_general %arg1
  %0 = tessera.dot_general %q, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  // CHECK: %[[K:.*]] = tessera.dot_general %arg2
  %1 = tessera.dot_general %k, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[X:.*]] = tessera.reshard %arg0 to <@mesh, [{}, {}], unreduced={"x"}>
  // CHECK-NEXT: %[[FIRST:.*]] = arith.addf %[[X]], %[[Q]]
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[FIRST]], %[[K]]
  // CHECK-NEXT: %[[WHOLE:.*]] = tessera.reshard %[[SUM]] to <@mesh, [{}, {}]>
  // CHECK-NEXT: return %[[WHOLE]]
  %2 = arith.addf %x, %0 : tensor<8x8xf32>
  %3 = arith.addf %2, %1 : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// What comes back from experts is moved to where its tokens are before it is reduced: there are fewer tokens than places for them.
// CHECK-LABEL: func.func @sums_are_moved(
func.func @sums_are_moved(
    %hidden: tensor<8x4x256x512xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x":(1)2}, {}, {}, {"x":(2)2}]>},
    %down: tensor<8x512x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x":(1)2}, {"x":(2)2}, {}]>},
    %combine: tensor<4x128x8x256xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x":(1)2}, {}, {}, {}]>}) -> (tensor<4x128x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x":(1)2}, {}, {}]>}) {
  // CHECK: %[[OUT:.*]] = tessera.dot_general %arg0, %arg1 {{.*}}[{"x":(1)2}, {}, {}, {}], unreduced={"x":(2)2}>
  %0 = tessera.dot_general %hidden, %down batching = [0] x [0] contracting = [3] x [1] : (tensor<8x4x256x512xf32>, tensor<8x512x64xf32>) -> tensor<8x4x256x64xf32>
  // CHECK-NEXT: %[[BACK:.*]] = tessera.reshard %[[OUT]] to <@mesh, [{}, {"x":(1)2}, {}, {}], unreduced={"x":(2)2}>
  // CHECK-NEXT: %[[TOKENS:.*]] = tessera.dot_general %[[BACK]], %arg2 {{.*}}unreduced={"x":(2)2}>
  // CHECK-NEXT: tessera.reshard %[[TOKENS]] to <@mesh, [{"x":(1)2}, {}, {}]>
  %1 = tessera.constrain %0 to <@mesh, [{"x":(1)2}, {}, {}, {}]> : tensor<8x4x256x64xf32>
  %2 = tessera.dot_general %1, %combine batching = [1] x [0] contracting = [0, 2] x [2, 3] : (tensor<8x4x256x64xf32>, tensor<4x128x8x256xf32>) -> tensor<4x64x128xf32>
  %3 = tessera.transpose %2 permutation = [0, 2, 1] : tensor<4x64x128xf32> -> tensor<4x128x64xf32>
  return %3 : tensor<4x128x64xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A gradient stays a sum through the product with an activation, which could only be made one by a mask.
// CHECK-LABEL: func.func @products_follow_the_partial_factor(
func.func @products_follow_the_partial_factor(
    %x: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    %q: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %w: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8xf32>, tensor<8x8xf32>) {
  %0 = tessera.dot_general %q, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  // CHECK: %[[Y:.*]] = arith.addf %arg0, {{.*}}[{}, {}]>}
  %1 = arith.addf %x, %0 : tensor<8x8xf32>
  // CHECK: %[[G:.*]] = tessera.dot_general %arg1
  %2 = tessera.dot_general %q, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[Y]], %[[G]] {{.*}}unreduced={"x"}
  %3 = arith.mulf %1, %2 : tensor<8x8xf32>
  // CHECK-NEXT: %[[ROWS:.*]] = tessera.reduce sum %[[PRODUCT]]
  // CHECK-NEXT: tessera.reshard %[[ROWS]] to <@mesh, [{}]>
  %4 = tessera.reduce sum %3 dims = [1] : tensor<8x8xf32> -> tensor<8xf32>
  return %4, %1 : tensor<8xf32>, tensor<8x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A row of the product is reduced, not the whole of it.
// CHECK-LABEL: func.func @small_values_are_reduced(
func.func @small_values_are_reduced(
    %a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> tensor<1x8xf32> {
  %0 = tessera.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  // CHECK: %[[ROW:.*]] = tessera.slice {{.*}}unreduced={"x"}
  // CHECK-NEXT: tessera.reshard %[[ROW]] to <@mesh, [{}, {}]>
  %1 = tessera.slice %0 [0, 0] to [1, 8] by [1, 1] : tensor<8x8xf32> -> tensor<1x8xf32>
  return %1 : tensor<1x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A gradient that is also squared is needed whole at once: one reduction, right away.
// CHECK-LABEL: func.func @what_is_squared_is_reduced_once(
func.func @what_is_squared_is_reduced_once(
    %x: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %dy: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK: %[[PARTIAL:.*]] = tessera.dot_general
  // CHECK-NEXT: %[[G:.*]] = tessera.reshard %[[PARTIAL]] to <@mesh, [{}, {}]>
  // CHECK-NOT: tessera.reshard
  %g = tessera.dot_general %x, %dy batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  // CHECK: arith.negf %[[G]]
  %0 = arith.negf %g : tensor<8x8xf32>
  // CHECK: arith.mulf %[[G]], %[[G]]
  %1 = arith.mulf %g, %g : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// With the sum split over the axis that is reduced, the sum is formed whole and then scattered.
// CHECK-LABEL: func.func @split_sums_are_formed_first_too(
func.func @split_sums_are_formed_first_too(
    %q: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %k: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %w: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = tessera.dot_general %q, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %1 = tessera.dot_general %k, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  // CHECK: %[[SUM:.*]] = arith.addf {{.*}}{tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"x"}>}
  // CHECK-NEXT: %[[PART:.*]] = tessera.reshard %[[SUM]] to <@mesh, [{"x"}, {}]>
  // CHECK-NEXT: return %[[PART]]
  %2 = arith.addf %0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A sum that a loop adds up leaves the loop pending and is reduced once; the zeros it starts from are unreduced in any way.
// CHECK-LABEL: func.func @loops_carry_sums(
func.func @loops_carry_sums(
    %a: tensor<4x256x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}, {}]>},
    %b: tensor<4x256x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}, {}]>}) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %index = arith.constant dense<0> : tensor<i32>
  %first = arith.constant 0 : i32
  %last = arith.constant 4 : i32
  %step = arith.constant 1 : i32
  // CHECK: arith.constant {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"x"}>} dense<0.0{{.*}}> : tensor<16x16xf32>
  // CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] =
  %sum = scf.for %n = %first to %last step %step iter_args(%acc = %zero) -> tensor<16x16xf32> : i32 {
    %i = tensor.from_elements %n : tensor<i32>
    %0 = tessera.dynamic_slice %a[%i, %index, %index] : (tensor<4x256x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x16xf32>
    %1 = tessera.dynamic_slice %b[%i, %index, %index] : (tensor<4x256x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x16xf32>
    // CHECK: %[[PARTIAL:.*]] = tessera.dot_general
    %2 = tessera.dot_general %0, %1 batching = [] x [] contracting = [0, 1] x [0, 1] : (tensor<1x256x16xf32>, tensor<1x256x16xf32>) -> tensor<16x16xf32>
    // CHECK-NOT: tessera.reshard
    // CHECK: %[[NEXT:.*]] = arith.addf %[[ACC]], %[[PARTIAL]] {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"x"}>}
    %3 = arith.addf %acc, %2 : tensor<16x16xf32>
    // CHECK: scf.yield %[[NEXT]]
    scf.yield %3 : tensor<16x16xf32>
  }
  // CHECK: } {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"x"}>}
  // CHECK-NEXT: %[[WHOLE:.*]] = tessera.reshard %[[SUM]] to <@mesh, [{}, {}]>
  // CHECK-NEXT: return %[[WHOLE]]
  return %sum : tensor<16x16xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// What is needed whole in every iteration is reduced there.
// CHECK-LABEL: func.func @loops_that_look_at_the_sum_reduce_it(
func.func @loops_that_look_at_the_sum_reduce_it(
    %a: tensor<4096x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %first = arith.constant 0 : index
  %last = arith.constant 4 : index
  %step = arith.constant 1 : index
  // CHECK: scf.for
  // CHECK-SAME: iter_args(%[[ACC:.*]] =
  %sum = scf.for %n = %first to %last step %step iter_args(%acc = %zero) -> tensor<16x16xf32> {
    // CHECK: %[[TANH:.*]] = math.tanh %[[ACC]] {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}
    %0 = math.tanh %acc : tensor<16x16xf32>
    %1 = tessera.dot_general %a, %a batching = [] x [] contracting = [0] x [0] : (tensor<4096x16xf32>, tensor<4096x16xf32>) -> tensor<16x16xf32>
    // CHECK: tessera.reshard
    // CHECK: arith.addf
    %2 = arith.addf %0, %1 : tensor<16x16xf32>
    scf.yield %2 : tensor<16x16xf32>
  }
  // CHECK: } {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}
  return %sum : tensor<16x16xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A loop of unknown length carries a sum as well, through both of its regions.
// CHECK-LABEL: func.func @while_loops_carry_sums(
func.func @while_loops_carry_sums(
    %a: tensor<256x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}, %count: tensor<i32>) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %start = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  // CHECK: %[[LOOP:.*]]:2 = scf.while
  %n, %sum = scf.while (%i = %start, %acc = %zero) : (tensor<i32>, tensor<16x16xf32>) -> (tensor<i32>, tensor<16x16xf32>) {
    %0 = arith.cmpi slt, %i, %count : tensor<i32>
    %1 = tensor.extract %0[] : tensor<i1>
    scf.condition(%1) %i, %acc : tensor<i32>, tensor<16x16xf32>
  } do {
  ^bb0(%i: tensor<i32>, %acc: tensor<16x16xf32>):
    %0 = arith.addi %i, %one : tensor<i32>
    %1 = tessera.dot_general %a, %a batching = [] x [] contracting = [0] x [0] : (tensor<256x16xf32>, tensor<256x16xf32>) -> tensor<16x16xf32>
    // CHECK-NOT: tessera.reshard
    // CHECK: arith.addf {{.*}}unreduced={"x"}
    %2 = arith.addf %acc, %1 : tensor<16x16xf32>
    scf.yield %0, %2 : tensor<i32>, tensor<16x16xf32>
  }
  // CHECK: tessera.reshard %[[LOOP]]#1 to <@mesh, [{}, {}]>
  return %sum : tensor<16x16xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// One side of a branch adds a partial sum, the other adds nothing: the sum is reduced behind the addition to another one.
// CHECK-LABEL: func.func @branches_carry_sums(
func.func @branches_carry_sums(
    %a: tensor<256x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}, %condition: tensor<i1>) -> tensor<16x16xf32> {
  %c = tensor.extract %condition[] : tensor<i1>
  // CHECK: %[[BRANCH:.*]] = scf.if
  %0 = scf.if %c -> tensor<16x16xf32> {
    %1 = tessera.dot_general %a, %a batching = [] x [] contracting = [0] x [0] : (tensor<256x16xf32>, tensor<256x16xf32>) -> tensor<16x16xf32>
    scf.yield %1 : tensor<16x16xf32>
  } else {
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    scf.yield %zero : tensor<16x16xf32>
  }
  %2 = tessera.dot_general %a, %a batching = [] x [] contracting = [0] x [0] : (tensor<256x16xf32>, tensor<256x16xf32>) -> tensor<16x16xf32>
  // CHECK: %[[SUM:.*]] = arith.addf %[[BRANCH]], {{.*}}unreduced={"x"}
  // CHECK-NEXT: %[[WHOLE:.*]] = tessera.reshard %[[SUM]]
  // CHECK-NEXT: return %[[WHOLE]]
  %3 = arith.addf %0, %2 : tensor<16x16xf32>
  return %3 : tensor<16x16xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A loop may also start from something whole: it becomes unreduced by a mask, once.
// CHECK-LABEL: func.func @loops_may_start_from_whole_values(
func.func @loops_may_start_from_whole_values(
    %a: tensor<256x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %start: tensor<16x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) -> tensor<16x16xf32> {
  %first = arith.constant 0 : index
  %last = arith.constant 4 : index
  %step = arith.constant 1 : index
  // CHECK: %[[MASKED:.*]] = tessera.reshard %{{.*}} to <@mesh, [{}, {}], unreduced={"x"}>
  // CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[MASKED]])
  %sum = scf.for %n = %first to %last step %step iter_args(%acc = %start) -> tensor<16x16xf32> {
    // CHECK-NOT: tessera.reshard
    %0 = tessera.dot_general %a, %a batching = [] x [] contracting = [0] x [0] : (tensor<256x16xf32>, tensor<256x16xf32>) -> tensor<16x16xf32>
    %1 = arith.addf %acc, %0 : tensor<16x16xf32>
    // CHECK: scf.yield
    scf.yield %1 : tensor<16x16xf32>
  }
  // CHECK: tessera.reshard %[[SUM]] to <@mesh, [{}, {}]>
  return %sum : tensor<16x16xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// Unreduced arguments are added as they are, and what the caller takes unreduced is not reduced at all.
// CHECK-LABEL: func.func @callers_may_keep_sums(
// CHECK-SAME: -> (tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced={"x"}>})
func.func @callers_may_keep_sums(
    %a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced={"x"}>},
    %b: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced={"x"}>})
    -> (tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // CHECK-NOT: tessera.reshard
  // CHECK: %[[SUM:.*]] = arith.addf %{{.*}}unreduced={"x"}
  // CHECK-NEXT: return %[[SUM]]
  %0 = arith.addf %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// Scalars as well: a loss may be left to the caller.
// CHECK-LABEL: func.func @losses_may_be_left_pending(
func.func @losses_may_be_left_pending(
    %a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}, %scale: tensor<f32>)
    -> (tensor<f32> {tessera.sharding = #tessera.sharding<@mesh, [], unreduced={"x"}>}) {
  %0 = tessera.reduce sum %a dims = [0] : tensor<8xf32> -> tensor<f32>
  // CHECK-NOT: tessera.reshard
  // CHECK: %[[SCALED:.*]] = arith.mulf {{.*}}unreduced={"x"}
  // CHECK-NEXT: return %[[SCALED]]
  %1 = arith.mulf %0, %scale : tensor<f32>
  return %1 : tensor<f32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// Pending maxima pass through what moves elements and through maxima, also of a whole value.
// CHECK-LABEL: func.func @maxima_are_formed_first(
func.func @maxima_are_formed_first(
    %a: tensor<8x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced=max{"x"}>},
    %b: tensor<4x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced=max{"x"}>},
    %c: tensor<4x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) -> tensor<4x8xf32> {
  // CHECK-NOT: tessera.reshard
  %0 = tessera.transpose %a permutation = [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  %1 = arith.maximumf %0, %b : tensor<4x8xf32>
  // CHECK: %[[MAX:.*]] = arith.maximumf %{{.*}}unreduced=max{"x"}
  // CHECK-NEXT: %[[WHOLE:.*]] = tessera.reshard %[[MAX]] to <@mesh, [{}, {}]>
  // CHECK-NEXT: arith.maximumf %[[WHOLE]], %{{.*}}
  %3 = arith.maximumf %1, %c : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A sum of maxima is not the maximum of the sums: they are reduced first.
// CHECK-LABEL: func.func @maxima_do_not_pass_through_sums(
func.func @maxima_do_not_pass_through_sums(
    %a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced=max{"x"}>},
    %b: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced=max{"x"}>}) -> tensor<8xf32> {
  // CHECK-COUNT-2: tessera.reshard
  // CHECK: arith.addf
  %0 = arith.addf %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["data"=2, "model"=4]>

// Sums over axes that manual regions leave alone stay pending over their boundaries: what a region makes enters the next
// one, which reduces the little that it makes of it.
// CHECK-LABEL: func.func @through_manual_regions(
func.func @through_manual_regions(
    %x: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}]>},
    %w: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>},
    %y: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) -> tensor<8xf32> {
  // CHECK: %[[MADE:.*]] = tessera.manual_computation(%arg0, %arg1) {{.*}} {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}], unreduced={"model"}>}
  // CHECK: %[[DOT:.*]] = tessera.dot_general {{.*}}unreduced={"model"}
  // CHECK-NEXT: tessera.yield %[[DOT]]
  %0 = tessera.manual_computation(%x, %w) over <@mesh, ["data"]>
      in [#tessera.sharding<@mesh, [{"data"}, {?}]>, #tessera.sharding<@mesh, [{?}, {?}]>]
      out [#tessera.sharding<@mesh, [{"data"}, {?}]>] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%a: tensor<4x16xf32>, %b: tensor<16x8xf32>):
    %2 = tessera.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    tessera.yield %2 : tensor<4x8xf32>
  }
  // CHECK: tessera.manual_computation(%[[MADE]], %arg2)
  // CHECK-NEXT: ^bb0(%[[C:.*]]: tensor<4x8xf32>, %[[D:.*]]: tensor<4x8xf32>):
  // CHECK-NEXT: arith.mulf %[[C]], %[[D]]
  // CHECK-NEXT: %[[SUM:.*]] = tessera.reduce
  // CHECK-NEXT: %[[WHOLE:.*]] = tessera.reshard %[[SUM]] to <@mesh, [{}]>
  // CHECK-NEXT: tessera.yield %[[WHOLE]]
  %zero = arith.constant dense<0.0> : tensor<f32>
  %1 = tessera.manual_computation(%0, %y) over <@mesh, ["data"]>
      in [#tessera.sharding<@mesh, [{"data"}, {?}]>, #tessera.sharding<@mesh, [{"data"}, {?}]>]
      out [#tessera.sharding<@mesh, [{"data"}]>] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8xf32> {
  ^bb0(%c: tensor<4x8xf32>, %d: tensor<4x8xf32>):
    %3 = arith.mulf %c, %d : tensor<4x8xf32>
    %4 = tessera.reduce sum %3 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    tessera.yield %4 : tensor<4xf32>
  }
  return %1 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["data"=2, "model"=4]>

// What enters a region that is by hand over the sum's axes enters whole.
// CHECK-LABEL: func.func @not_over_manual_axes(
func.func @not_over_manual_axes(
    %x: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>},
    %w: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>}) -> tensor<8x8xf32> {
  // CHECK: %[[DOT:.*]] = tessera.dot_general
  // CHECK-NEXT: %[[WHOLE:.*]] = tessera.reshard %[[DOT]] to <@mesh, [{}, {}]>
  // CHECK-NEXT: tessera.manual_computation(%[[WHOLE]])
  %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %1 = tessera.manual_computation(%0) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{}, {}]>] out [#tessera.sharding<@mesh, [{}, {}]>] : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%a: tensor<8x8xf32>):
    %2 = arith.negf %a : tensor<8x8xf32>
    tessera.yield %2 : tensor<8x8xf32>
  }
  return %1 : tensor<8x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// Sums that are wanted in parts are formed first also where each is scaled by constants that are split like the parts: those are made again whole.
// CHECK-LABEL: func.func @constants_are_made_whole(
func.func @constants_are_made_whole(
    %a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %c: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %scale: tensor<f32> {tessera.sharding = #tessera.sharding<@mesh, []>})
    -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK: %[[SCALES:.*]] = tessera.broadcast %arg3 {{.*}}[{}, {}]
  // CHECK-NEXT: arith.mulf %{{.*}}, %[[SCALES]] {{.*}}unreduced={"x"}
  // CHECK: %[[FOUR:.*]] = arith.constant {{.*}}[{}, {}]>} dense<4.0
  // CHECK: arith.divf %{{.*}}, %[[FOUR]] {{.*}}unreduced={"x"}
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf
  // CHECK-NEXT: %[[PART:.*]] = tessera.reshard %[[SUM]] to <@mesh, [{"x"}, {}]>
  // CHECK-NEXT: return %[[PART]]
  %0 = tessera.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %scales = tessera.broadcast %scale dims = [] : tensor<f32> -> tensor<8x8xf32>
  %1 = arith.mulf %0, %scales : tensor<8x8xf32>
  %part = tessera.constrain %1 to <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %2 = tessera.dot_general %a, %c batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %four = arith.constant dense<4.0> : tensor<8x8xf32>
  %3 = arith.divf %2, %four : tensor<8x8xf32>
  %other = tessera.constrain %3 to <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %4 = arith.addf %part, %other : tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}
