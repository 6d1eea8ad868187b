// RUN: tessera-opt --tessera-split-microbatches=count=2 --split-input-file %s | FileCheck %s

// What does not know the rows stands before the loop if the loop needs it and behind it otherwise; sums of rows are carried; what is not linear in them runs once.
// CHECK-LABEL: func.func @a_gradient_is_accumulated(
// CHECK-SAME: %[[P:.*]]: tensor<8x4xf32> {{.*}}, %[[RATE:[^:]*]]: tensor<f32> {{.*}}, %[[X:.*]]: tensor<16x8xf32> {{.*}}, %[[Y:.*]]: tensor<16x4xf32>
func.func @a_gradient_is_accumulated(%p: tensor<8x4xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %rate: tensor<f32> {tessera.name = "rate"},
                                     %x: tensor<16x8xf32> {tessera.name = "x"}, %y: tensor<16x4xf32> {tessera.name = "y"}) -> tensor<8x4xf32> {
  // CHECK: %[[EXP:.*]] = math.exp %[[P]]
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8x4xf32>
  // CHECK: %[[XS:.*]] = tessera.reshape %[[X]] : tensor<16x8xf32> -> tensor<2x8x8xf32>
  // CHECK: %[[YS:.*]] = tessera.reshape %[[Y]] : tensor<16x4xf32> -> tensor<2x8x4xf32>
  // CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %c0{{.*}} to %c2{{.*}} step %c1{{.*}} iter_args(%[[SO_FAR:.*]] = %[[ZERO]]) -> (tensor<8x4xf32>) : i32 {
  // CHECK:   %[[NUMBER:.*]] = tensor.from_elements %[[I]] : tensor<i32>
  // CHECK:   %[[X1:.*]] = tessera.dynamic_slice %[[XS]][%[[NUMBER]], {{.*}}] : (tensor<2x8x8xf32>, {{.*}}) -> tensor<1x8x8xf32>
  // CHECK:   %[[X2:.*]] = tessera.reshape %[[X1]] : tensor<1x8x8xf32> -> tensor<8x8xf32>
  // CHECK:   %[[H:.*]] = tessera.dot_general %[[X2]], %[[EXP]] {{.*}} -> tensor<8x4xf32>
  // CHECK:   %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<8x4xf32>
  // CHECK:   arith.addf %{{.*}}, %[[ONE]]
  // CHECK:   %[[G:.*]] = tessera.dot_general %[[X2]], {{.*}} contracting = [0] x [0]
  // CHECK:   %[[NEXT:.*]] = arith.addf %[[SO_FAR]], %[[G]]
  // CHECK:   scf.yield %[[NEXT]]
  // CHECK: } {pipe.microbatches}
  %w = math.exp %p : tensor<8x4xf32>
  %one = arith.constant dense<1.0> : tensor<16x4xf32>
  %h = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %d = arith.subf %h, %y : tensor<16x4xf32>
  %d1 = arith.addf %d, %one : tensor<16x4xf32>
  // CHECK-NOT: scf.for
  // CHECK: %[[RATES:.*]] = tessera.broadcast %[[RATE]]
  // CHECK: %[[STEP:.*]] = arith.mulf %[[SUM]], %[[RATES]]
  // CHECK: %[[ROOT:.*]] = math.tanh %[[STEP]]
  // CHECK: arith.subf %[[P]], %[[ROOT]]
  %rates = tessera.broadcast %rate dims = [] : tensor<f32> -> tensor<8x4xf32>
  %g = tessera.dot_general %x, %d1 batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %s = arith.mulf %g, %rates : tensor<8x4xf32>
  %t = math.tanh %s : tensor<8x4xf32>
  %new = arith.subf %p, %t : tensor<8x4xf32>
  return %new : tensor<8x4xf32>
}

// -----

tessera.mesh @mesh = <["data"=2]>

// Microbatches are cut from each device's rows; rows that are returned are put back where they were.
// CHECK-LABEL: func.func @rows_stay_on_their_device(
func.func @rows_stay_on_their_device(%x: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}, %w: tensor<4x8xf32>) -> tensor<16x4xf32> {
  // CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<2x2x4x4xf32>
  // CHECK: %[[XS:.*]] = tessera.reshape %{{.*}} : tensor<16x8xf32> -> tensor<2x2x4x8xf32>
  // CHECK: %[[ALL:.*]] = scf.for
  // CHECK: tessera.dynamic_slice %[[XS]][%[[ZERO:[^,]*]], %[[NUMBER:[^,]*]], %[[ZERO]], %[[ZERO]]] : {{.*}} -> tensor<2x1x4x8xf32>
  // CHECK: %[[H:.*]] = tessera.dot_general {{.*}} -> tensor<8x4xf32>
  // CHECK: %[[ROWS:.*]] = tessera.reshape %[[H]] : tensor<8x4xf32> -> tensor<2x1x4x4xf32>
  // CHECK: tessera.dynamic_update_slice %{{.*}}, %[[ROWS]][%[[ZERO]], %[[NUMBER]], %[[ZERO]], %[[ZERO]]]
  // CHECK: %[[Y:.*]] = tessera.reshape %[[ALL]] : tensor<2x2x4x4xf32> -> tensor<16x4xf32>
  // CHECK: return %[[Y]]
  %h = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [1] : (tensor<16x8xf32>, tensor<4x8xf32>) -> tensor<16x4xf32>
  return %h : tensor<16x4xf32>
}

// -----

// The gradient of a table is the sum of what the microbatches scatter; the two uses of a tied table are added before they are carried.
// CHECK-LABEL: func.func @a_tied_table_is_carried_once(
func.func @a_tied_table_is_carried_once(%t: tensor<32x8xf32> {tessera.donated = 0 : i32, tessera.name = "t"}, %i: tensor<16x1xi32> {tessera.name = "i"}) -> tensor<32x8xf32> {
  // CHECK: scf.for {{.*}} -> (tensor<32x8xf32>) : i32
  // CHECK: %[[S:.*]] = tessera.scatter sum {{.*}}tensor<8x1xi32>, tensor<8x8xf32>
  // CHECK: %[[D:.*]] = tessera.dot_general
  // CHECK: %[[BOTH:.*]] = arith.addf %[[S]], %[[D]]
  // CHECK: arith.addf %{{.*}}, %[[BOTH]]
  // CHECK: scf.yield
  %e = tessera.gather %t at %i offset = [1] collapsed = [0] batching = [] x [] map = [0] vector = 1 sizes = [1, 8] : (tensor<32x8xf32>, tensor<16x1xi32>) -> tensor<16x8xf32>
  %l = tessera.dot_general %e, %t batching = [] x [] contracting = [1] x [1] : (tensor<16x8xf32>, tensor<32x8xf32>) -> tensor<16x32xf32>
  %zero = arith.constant dense<0.0> : tensor<32x8xf32>
  %s = tessera.scatter sum %zero, %e at %i window = [1] inserted = [0] batching = [] x [] map = [0] vector = 1 : (tensor<32x8xf32>, tensor<16x1xi32>, tensor<16x8xf32>) -> tensor<32x8xf32>
  %d = tessera.dot_general %l, %e batching = [] x [] contracting = [0] x [0] : (tensor<16x32xf32>, tensor<16x8xf32>) -> tensor<32x8xf32>
  %g = arith.addf %s, %d : tensor<32x8xf32>
  %n = arith.subf %t, %g : tensor<32x8xf32>
  return %n : tensor<32x8xf32>
}

// -----

// The smallest form of a sum is carried: the scalar, not its broadcast.
// CHECK-LABEL: func.func @a_sum_is_carried_before_it_is_broadcast(
func.func @a_sum_is_carried_before_it_is_broadcast(%p: tensor<8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<16xf32> {tessera.name = "x"}) -> tensor<8xf32> {
  // CHECK: %[[SUM:.*]] = scf.for {{.*}} -> (tensor<f32>) : i32
  // CHECK: tessera.broadcast %[[SUM]]
  %s = tessera.reduce sum %x dims = [0] : tensor<16xf32> -> tensor<f32>
  %b = tessera.broadcast %s dims = [] : tensor<f32> -> tensor<8xf32>
  %n = arith.mulf %p, %b : tensor<8xf32>
  %m = math.tanh %n : tensor<8xf32>
  return %m : tensor<8xf32>
}

// -----

// Sums of narrow floats are carried as f32.
// CHECK-LABEL: func.func @narrow_sums_are_carried_wide(
func.func @narrow_sums_are_carried_wide(%p: tensor<8xbf16> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<16x8xbf16> {tessera.name = "x"}) -> tensor<8xbf16> {
  // CHECK: %[[SUM:.*]] = scf.for {{.*}} -> (tensor<8xf32>) : i32
  // CHECK: %[[S:.*]] = tessera.reduce sum {{.*}} -> tensor<8xbf16>
  // CHECK: %[[WIDE:.*]] = arith.extf %[[S]]
  // CHECK: arith.addf %{{.*}}, %[[WIDE]] : tensor<8xf32>
  // CHECK: arith.truncf %[[SUM]]
  %s = tessera.reduce sum %x dims = [0] : tensor<16x8xbf16> -> tensor<8xbf16>
  %n = arith.subf %p, %s : tensor<8xbf16>
  return %n : tensor<8xbf16>
}

// -----

// The number of rows that count is cheap to find from the data, so it is known before the loop; the loop takes it as it is.
// CHECK-LABEL: func.func @a_count_of_data_is_made_beforehand(
// CHECK-SAME: %{{.*}}, %{{.*}}, %[[MASK:[^:]*]]: tensor<16xf32>
func.func @a_count_of_data_is_made_beforehand(%p: tensor<8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<16x8xf32> {tessera.name = "x"},
                                              %mask: tensor<16xf32> {tessera.name = "mask"}) -> tensor<8xf32> {
  // CHECK: %[[COUNT:.*]] = tessera.reduce sum %[[MASK]] dims = [0] : tensor<16xf32> -> tensor<f32>
  // CHECK: scf.for
  // CHECK: %[[COUNTS:.*]] = tessera.broadcast %[[COUNT]] dims = [] : tensor<f32> -> tensor<8xf32>
  // CHECK: arith.divf %{{.*}}, %[[COUNTS]] : tensor<8xf32>
  %count = tessera.reduce sum %mask dims = [0] : tensor<16xf32> -> tensor<f32>
  %counts = tessera.broadcast %count dims = [] : tensor<f32> -> tensor<16xf32>
  %weights = arith.divf %mask, %counts : tensor<16xf32>
  %g = tessera.dot_general %weights, %x batching = [] x [] contracting = [0] x [0] : (tensor<16xf32>, tensor<16x8xf32>) -> tensor<8xf32>
  %n = arith.subf %p, %g : tensor<8xf32>
  return %n : tensor<8xf32>
}

// -----

// A loop over layers carries rows, stacks them, and adds up what they give; it stays one loop, inside.
// CHECK-LABEL: func.func @loops_inside_carry_parts_and_sums(
func.func @loops_inside_carry_parts_and_sums(%p: tensor<3x8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<16x8xf32> {tessera.name = "x"}) -> tensor<3x8xf32> {
  // CHECK: %[[SUM:.*]] = scf.for {{.*}} -> (tensor<3x8xf32>) : i32
  // CHECK: %[[LAYERS:.*]]:3 = scf.for {{.*}} -> (tensor<8x8xf32>, tensor<3x8x8xf32>, tensor<3x8xf32>)
  // CHECK: arith.addf %[[LAYERS]]#2, %{{.*}}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %kept0 = arith.constant dense<0.0> : tensor<3x16x8xf32>
  %sums0 = arith.constant dense<0.0> : tensor<3x8xf32>
  %z = arith.constant dense<0> : tensor<i32>
  %r:3 = scf.for %l = %c0 to %c3 step %c1 iter_args(%a = %x, %kept = %kept0, %sums = %sums0) -> (tensor<16x8xf32>, tensor<3x16x8xf32>, tensor<3x8xf32>) {
    %l32 = arith.index_cast %l : index to i32
    %i = tensor.from_elements %l32 : tensor<i32>
    %w1 = tessera.dynamic_slice %p[%i, %z] : (tensor<3x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %w2 = tessera.reshape %w1 : tensor<1x8xf32> -> tensor<8xf32>
    %w = tessera.broadcast %w2 dims = [1] : tensor<8xf32> -> tensor<16x8xf32>
    %b = arith.mulf %a, %w : tensor<16x8xf32>
    %b1 = tessera.reshape %b : tensor<16x8xf32> -> tensor<1x16x8xf32>
    %k = tessera.dynamic_update_slice %kept, %b1[%i, %z, %z] : (tensor<3x16x8xf32>, tensor<1x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x16x8xf32>
    %s = tessera.reduce sum %b dims = [0] : tensor<16x8xf32> -> tensor<8xf32>
    %s1 = tessera.reshape %s : tensor<8xf32> -> tensor<1x8xf32>
    %t = tessera.dynamic_update_slice %sums, %s1[%i, %z] : (tensor<3x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<3x8xf32>
    scf.yield %b, %k, %t : tensor<16x8xf32>, tensor<3x16x8xf32>, tensor<3x8xf32>
  }
  %both = tessera.reduce sum %r#1 dims = [1] : tensor<3x16x8xf32> -> tensor<3x8xf32>
  %g = arith.addf %r#2, %both : tensor<3x8xf32>
  %n = arith.mulf %p, %g : tensor<3x8xf32>
  return %n : tensor<3x8xf32>
}

// -----

// An update that loops over layers waits as a whole.
// CHECK-LABEL: func.func @loops_over_sums_run_once(
func.func @loops_over_sums_run_once(%p: tensor<3x8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<16x8xf32> {tessera.name = "x"}) -> tensor<3x8xf32> {
  // CHECK: %[[SUM:.*]] = scf.for {{.*}} -> (tensor<8xf32>) : i32
  // CHECK: } {pipe.microbatches}
  // CHECK: scf.for {{.*}} -> (tensor<3x8xf32>) {
  // CHECK: math.tanh %[[SUM]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %g = tessera.reduce sum %x dims = [0] : tensor<16x8xf32> -> tensor<8xf32>
  %r = scf.for %l = %c0 to %c3 step %c1 iter_args(%a = %p) -> (tensor<3x8xf32>) {
    %t = math.tanh %g : tensor<8xf32>
    %b = tessera.broadcast %t dims = [1] : tensor<8xf32> -> tensor<3x8xf32>
    %n = arith.addf %a, %b : tensor<3x8xf32>
    scf.yield %n : tensor<3x8xf32>
  }
  return %r : tensor<3x8xf32>
}

// -----

// A dimension that is marked is the batch, also where it is not the first.
// CHECK-LABEL: func.func @a_mark_says_what_the_batch_is(
func.func @a_mark_says_what_the_batch_is(%x: tensor<5x16xf32> {tessera.batch = 1 : i64}, %y: tensor<16x16xf32>) -> tensor<5x16xf32> {
  // CHECK: tessera.reshape %{{.*}} : tensor<5x16xf32> -> tensor<5x2x8xf32>
  // CHECK: scf.for
  // CHECK: tessera.dot_general {{.*}} : (tensor<5x8xf32>, tensor<8x16xf32>) -> tensor<5x16xf32>
  %h = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<5x16xf32>, tensor<16x16xf32>) -> tensor<5x16xf32>
  return %h : tensor<5x16xf32>
}

// -----

// A model that adds up over slices of its data by itself keeps its loop.
// CHECK-LABEL: func.func @a_loop_of_the_model_is_marked(
func.func @a_loop_of_the_model_is_marked(%p: tensor<8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<2x16x8xf32> {tessera.name = "x"}) -> tensor<8xf32> {
  // CHECK: scf.for
  // CHECK: } {pipe.microbatches}
  // CHECK-NOT: scf.for
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %z = arith.constant dense<0> : tensor<i32>
  %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %zero) -> (tensor<8xf32>) : i32 {
    %k = tensor.from_elements %i : tensor<i32>
    %x1 = tessera.dynamic_slice %x[%k, %z, %z] : (tensor<2x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8xf32>
    %s = tessera.reduce sum %x1 dims = [0, 1] : tensor<1x16x8xf32> -> tensor<8xf32>
    %b = arith.addf %a, %s : tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  %n = arith.subf %p, %sum : tensor<8xf32>
  return %n : tensor<8xf32>
}

// -----

// A slice of rows at a multiple of the count is one of microbatches as well.
// CHECK-LABEL: func.func @a_loop_that_slices_rows_is_marked(
func.func @a_loop_that_slices_rows_is_marked(%p: tensor<8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<16x8xf32> {tessera.name = "x"}) -> tensor<8xf32> {
  // CHECK: scf.for
  // CHECK: } {pipe.microbatches}
  // CHECK-NOT: scf.for
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %z = arith.constant dense<0> : tensor<i32>
  %rows = arith.constant dense<8> : tensor<i32>
  %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %zero) -> (tensor<8xf32>) : i32 {
    %k = tensor.from_elements %i : tensor<i32>
    %first = arith.muli %k, %rows : tensor<i32>
    %x1 = tessera.dynamic_slice %x[%first, %z] : (tensor<16x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
    %s = tessera.reduce sum %x1 dims = [0] : tensor<8x8xf32> -> tensor<8xf32>
    %b = arith.addf %a, %s : tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  %n = arith.subf %p, %sum : tensor<8xf32>
  return %n : tensor<8xf32>
}

// -----

// Where the first dimension is time, rows are found in the second: time goes round in a loop.
// CHECK-LABEL: func.func @rows_behind_time(
func.func @rows_behind_time(%p: tensor<8x8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<4x16x8xf32> {tessera.name = "x"}) -> tensor<8x8xf32> {
  // CHECK: tessera.reshape %{{.*}} : tensor<4x16x8xf32> -> tensor<4x2x8x8xf32>
  // CHECK: scf.for {{.*}} -> (tensor<8x8xf32>) : i32
  // CHECK: scf.for {{.*}} -> (tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : tensor<16x8xf32>
  %z = arith.constant dense<0> : tensor<i32>
  %h = scf.for %t = %c0 to %c4 step %c1 iter_args(%a = %zero) -> (tensor<16x8xf32>) {
    %t32 = arith.index_cast %t : index to i32
    %i = tensor.from_elements %t32 : tensor<i32>
    %x1 = tessera.dynamic_slice %x[%i, %z, %z] : (tensor<4x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8xf32>
    %x2 = tessera.reshape %x1 : tensor<1x16x8xf32> -> tensor<16x8xf32>
    %y = tessera.dot_general %a, %p batching = [] x [] contracting = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %b = arith.addf %y, %x2 : tensor<16x8xf32>
    scf.yield %b : tensor<16x8xf32>
  }
  %g = tessera.dot_general %h, %h batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %n = arith.subf %p, %g : tensor<8x8xf32>
  return %n : tensor<8x8xf32>
}

// -----

// Parts are no longer of the shape of the whole, so they are a group of their own.
// CHECK-LABEL: func.func @groups_of_parts(
func.func @groups_of_parts(%p: tensor<16x8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<16x8xf32> {tessera.name = "x"}) -> tensor<16x8xf32> {
  // CHECK: tessera.sharding_group %{{.*}} in 0 : tensor<16x8xf32>
  // CHECK: scf.for
  // CHECK: tessera.sharding_group %{{.*}} in 1 : tensor<8x8xf32>
  // CHECK: } {pipe.microbatches}
  tessera.sharding_group %p in 0 : tensor<16x8xf32>
  %t = math.tanh %x : tensor<16x8xf32>
  tessera.sharding_group %t in 0 : tensor<16x8xf32>
  %s = tessera.reduce sum %t dims = [0] : tensor<16x8xf32> -> tensor<8xf32>
  %b = tessera.broadcast %s dims = [1] : tensor<8xf32> -> tensor<16x8xf32>
  %n = arith.mulf %p, %b : tensor<16x8xf32>
  %m = math.tanh %n : tensor<16x8xf32>
  return %m : tensor<16x8xf32>
}

// -----

// Rows are found again where a reshape has put time before them.
// CHECK-LABEL: func.func @rows_merged_with_time(
func.func @rows_merged_with_time(%p: tensor<8x4xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<4x16x8xf32> {tessera.batch = 1 : i64, tessera.name = "x"},
                                 %y: tensor<64x4xf32> {tessera.name = "y"}) -> tensor<8x4xf32> {
  // CHECK: tessera.reshape %{{.*}} : tensor<4x16x8xf32> -> tensor<4x2x8x8xf32>
  // CHECK: tessera.reshape %{{.*}} : tensor<64x4xf32> -> tensor<4x2x8x4xf32>
  // CHECK: scf.for
  // CHECK: %[[FLAT:.*]] = tessera.reshape %{{.*}} : tensor<4x8x8xf32> -> tensor<32x8xf32>
  // CHECK: %[[Y:.*]] = tessera.reshape %{{.*}} : tensor<4x1x8x4xf32> -> tensor<32x4xf32>
  // CHECK: tessera.dot_general %[[FLAT]], %[[Y]]
  %flat = tessera.reshape %x : tensor<4x16x8xf32> -> tensor<64x8xf32>
  %g = tessera.dot_general %flat, %y batching = [] x [] contracting = [0] x [0] : (tensor<64x8xf32>, tensor<64x4xf32>) -> tensor<8x4xf32>
  %n = arith.subf %p, %g : tensor<8x4xf32>
  return %n : tensor<8x4xf32>
}

// -----

// A program that returns gradients and nothing else: what they belong to is no batch, though it has as many rows as one.
// CHECK-LABEL: func.func @gradients_only(
// CHECK-SAME: %[[W:.*]]: tensor<4x4xf32> {tessera.name = "p['w']"}, %[[X:.*]]: tensor<4x4xf32>
// CHECK: scf.for
// CHECK-NOT: tessera.dynamic_slice %[[W]]
// CHECK: tessera.dot_general %{{.*}}, %[[W]] batching
func.func @gradients_only(%w: tensor<4x4xf32> {tessera.name = "p['w']"}, %x: tensor<4x4xf32> {tessera.name = "x"})
    -> (tensor<4x4xf32> {tessera.name = "result['w']"}) {
  %h = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = math.tanh %h : tensor<4x4xf32>
  %g = tessera.dot_general %x, %t batching = [] x [] contracting = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %g : tensor<4x4xf32>
}

// -----

// Of as many arguments of one number of rows and of another, the annotated ones are the batch, also where the mesh has one
// device along the axis.
tessera.mesh @mesh = <["data"=1]>
// CHECK-LABEL: func.func @annotated_rows(
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<8x4xf32> {tessera.name = "x"
// CHECK: tessera.reshape %[[X]] : tensor<8x4xf32> -> tensor<2x4x4xf32>
// CHECK: scf.for
func.func @annotated_rows(%p: tensor<64xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %a: tensor<4x64xf32> {tessera.name = "a"}, %b: tensor<4x64xf32> {tessera.name = "b"},
    %x: tensor<8x4xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
    %y: tensor<8x4xf32> {tessera.name = "y", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) -> tensor<64xf32> {
  %w = arith.mulf %a, %b : tensor<4x64xf32>
  %d = arith.mulf %x, %y : tensor<8x4xf32>
  %o = tessera.dot_general %d, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x4xf32>, tensor<4x64xf32>) -> tensor<8x64xf32>
  %g = tessera.reduce sum %o dims = [0] : tensor<8x64xf32> -> tensor<64xf32>
  return %g : tensor<64xf32>
}

// -----

// What needs rows of other microbatches, or rows and a sum of them, waits for all rows if no product waits for it.
// CHECK-LABEL: func.func @metrics_of_all_rows(
// CHECK: scf.for
// CHECK: tessera.dot_general
// CHECK-NOT: tessera.sort
// CHECK-NOT: arith.subf
// CHECK: {pipe.microbatches}
// CHECK: %[[ROWS:.*]] = tessera.reshape %{{.*}} : tensor<2x4xf32> -> tensor<8xf32>
// CHECK-DAG: arith.subf %[[ROWS]], %{{.*}} : tensor<8xf32>
// CHECK-DAG: tessera.sort %[[ROWS]] dim = 0
func.func @metrics_of_all_rows(%p: tensor<4xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<8x4xf32> {tessera.name = "x"}) -> (tensor<4xf32>, tensor<8xf32>, tensor<8xf32>) {
  %y = tessera.dot_general %x, %p batching = [] x [] contracting = [1] x [0] : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %g = tessera.dot_general %y, %x batching = [] x [] contracting = [0] x [0] : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  %sum = tessera.reduce sum %y dims = [0] : tensor<8xf32> -> tensor<f32>
  %sums = tessera.broadcast %sum dims = [] : tensor<f32> -> tensor<8xf32>
  %d = arith.subf %y, %sums : tensor<8xf32>
  %sorted = tessera.sort %y dim = 0 : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %less = arith.cmpf olt, %l, %r : tensor<f32>
    tessera.yield %less : tensor<i1>
  }
  return %g, %d, %sorted : tensor<4xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// A loop over layers rounds what each microbatch contributes; contributions are added in f32.
// CHECK-LABEL: func.func @rounded_in_a_loop(
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (tensor<3x4xf32>)
// CHECK: scf.for {{.*}} -> (tensor<4x4xf32>, tensor<3x4xbf16>)
// CHECK: arith.truncf %{{.*}} : tensor<4xf32> to tensor<4xbf16>
// CHECK: arith.extf %{{.*}} : tensor<3x4xbf16> to tensor<3x4xf32>
// CHECK: {pipe.microbatches}
// CHECK: arith.truncf %{{.*}} : tensor<3x4xf32> to tensor<3x4xbf16>
func.func @rounded_in_a_loop(%p: tensor<3x4xbf16> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<8x4xf32> {tessera.name = "x"}) -> tensor<3x4xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zi = arith.constant dense<0> : tensor<i32>
  %zeros = arith.constant dense<0.0> : tensor<3x4xbf16>
  %r:2 = scf.for %l = %c0 to %c3 step %c1 iter_args(%a = %x, %s = %zeros) -> (tensor<8x4xf32>, tensor<3x4xbf16>) {
    %l32 = arith.index_cast %l : index to i32
    %k = tensor.from_elements %l32 : tensor<i32>
    %t = arith.mulf %a, %a : tensor<8x4xf32>
    %sum = tessera.reduce sum %t dims = [0] : tensor<8x4xf32> -> tensor<4xf32>
    %rounded = arith.truncf %sum : tensor<4xf32> to tensor<4xbf16>
    %row = tessera.reshape %rounded : tensor<4xbf16> -> tensor<1x4xbf16>
    %s2 = tessera.dynamic_update_slice %s, %row[%k, %zi] : (tensor<3x4xbf16>, tensor<1x4xbf16>, tensor<i32>, tensor<i32>) -> tensor<3x4xbf16>
    scf.yield %t, %s2 : tensor<8x4xf32>, tensor<3x4xbf16>
  }
  return %r#1 : tensor<3x4xbf16>
}

// -----

// Averages of as many channels as there are rows are no rows: each argument of the model may be the batch by itself, and those that belong to it are cut where they are needed.
// CHECK-LABEL: func.func @averages_of_as_many_channels_as_rows(
// CHECK-SAME: %[[M:[^:]*]]: tensor<8xf32> {tessera.name = "stats['mean']"}, %[[X:[^:]*]]: tensor<8x4xf32>
// CHECK: tessera.reshape %[[X]] : tensor<8x4xf32> -> tensor<2x4x4xf32>
// CHECK: scf.for
// CHECK: tessera.broadcast %[[M]] dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
// CHECK: {pipe.microbatches}
func.func @averages_of_as_many_channels_as_rows(%p: tensor<4x8xf32> {tessera.donated = 0 : i32, tessera.name = "p"},
    %mean: tensor<8xf32> {tessera.name = "stats['mean']"}, %x: tensor<8x4xf32> {tessera.name = "x"}, %y: tensor<8x8xf32> {tessera.name = "y"}) -> tensor<4x8xf32> {
  %h = tessera.dot_general %x, %p batching = [] x [] contracting = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %m = tessera.broadcast %mean dims = [1] : tensor<8xf32> -> tensor<8x8xf32>
  %c = arith.subf %h, %m : tensor<8x8xf32>
  %d = arith.subf %c, %y : tensor<8x8xf32>
  %g = tessera.dot_general %x, %d batching = [] x [] contracting = [0] x [0] : (tensor<8x4xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %g : tensor<4x8xf32>
}

// -----

// Of five moments in time no two equal parts can be made; of the rows of each, which come second, they can.
// CHECK-LABEL: func.func @time_comes_first_and_does_not_divide(
// CHECK-SAME: %[[P:[^:]*]]: tensor<4x4xf32> {{.*}}, %[[X:[^:]*]]: tensor<5x8x4xf32>
// CHECK: tessera.reshape %[[X]] : tensor<5x8x4xf32> -> tensor<5x2x4x4xf32>
// CHECK: {pipe.microbatches}
func.func @time_comes_first_and_does_not_divide(%p: tensor<4x4xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<5x8x4xf32> {tessera.name = "x"}) -> tensor<4x4xf32> {
  %h = tessera.dot_general %x, %p batching = [] x [] contracting = [2] x [0] : (tensor<5x8x4xf32>, tensor<4x4xf32>) -> tensor<5x8x4xf32>
  %g = tessera.dot_general %x, %h batching = [] x [] contracting = [0, 1] x [0, 1] : (tensor<5x8x4xf32>, tensor<5x8x4xf32>) -> tensor<4x4xf32>
  return %g : tensor<4x4xf32>
}

// -----

// Labels alone could be the batch, but the first product would be computed on all rows beforehand; with the rows of each moment microbatches do all work.
// CHECK-LABEL: func.func @labels_are_not_all_of_the_batch(
// CHECK-SAME: %[[P:[^:]*]]: tensor<4x4xf32> {{.*}}, %[[X:[^:]*]]: tensor<5x8x4xf32>
// CHECK-NOT: tessera.dot_general
// CHECK: tessera.reshape %[[X]] : tensor<5x8x4xf32> -> tensor<5x2x4x4xf32>
// CHECK: scf.for
// CHECK-COUNT-3: tessera.dot_general
// CHECK: {pipe.microbatches}
func.func @labels_are_not_all_of_the_batch(%p: tensor<4x4xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<5x8x4xf32> {tessera.name = "x"},
                                           %y: tensor<8x4xf32> {tessera.name = "y"}) -> tensor<4x4xf32> {
  %h = tessera.dot_general %x, %p batching = [] x [] contracting = [2] x [0] : (tensor<5x8x4xf32>, tensor<4x4xf32>) -> tensor<5x8x4xf32>
  %s = tessera.reduce sum %h dims = [0] : tensor<5x8x4xf32> -> tensor<8x4xf32>
  %d = arith.subf %s, %y : tensor<8x4xf32>
  %ds = tessera.broadcast %d dims = [1, 2] : tensor<8x4xf32> -> tensor<5x8x4xf32>
  %e = tessera.dot_general %ds, %p batching = [] x [] contracting = [2] x [1] : (tensor<5x8x4xf32>, tensor<4x4xf32>) -> tensor<5x8x4xf32>
  %g = tessera.dot_general %x, %e batching = [] x [] contracting = [0, 1] x [0, 1] : (tensor<5x8x4xf32>, tensor<5x8x4xf32>) -> tensor<4x4xf32>
  return %g : tensor<4x4xf32>
}

// -----

// What a loop makes of the data alone may be normalised by all rows: it is computed beforehand, once for the norm and for each microbatch's part.
// CHECK-LABEL: func.func @loops_over_data_are_computed_beforehand(
// CHECK: %[[L:.*]] = scf.for
// CHECK-NOT: tessera.dot_general
// CHECK: tessera.reduce sum %[[L]] dims = [0, 1] : tensor<16x8xf32> -> tensor<f32>
// CHECK-NOT: tessera.dot_general
// CHECK: scf.for
// CHECK-COUNT-2: tessera.dot_general
// CHECK: {pipe.microbatches}
func.func @loops_over_data_are_computed_beforehand(%p: tensor<8x8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<16x8xf32> {tessera.name = "x"}) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %l = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<16x8xf32>) {
    %t = arith.mulf %a, %x : tensor<16x8xf32>
    scf.yield %t : tensor<16x8xf32>
  }
  %n = tessera.reduce sum %r dims = [0, 1] : tensor<16x8xf32> -> tensor<f32>
  %ns = tessera.broadcast %n dims = [] : tensor<f32> -> tensor<16x8xf32>
  %d = arith.divf %r, %ns : tensor<16x8xf32>
  %h = tessera.dot_general %d, %p batching = [] x [] contracting = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %g = tessera.dot_general %d, %h batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %g : tensor<8x8xf32>
}
