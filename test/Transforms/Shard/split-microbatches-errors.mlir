// RUN: tessera-opt --tessera-split-microbatches=count=4 --split-input-file --verify-diagnostics %s

// Rows are normalised by all rows.
func.func @normalisation_over_the_batch(%p: tensor<8xf32> {tessera.donated = 0 : i32, tessera.name = "p"},
    // expected-note @below {{the batch is dimension 0 of 'x'}}
    %x: tensor<16x8xf32> {tessera.name = "x"}) -> tensor<8xf32> {
  %ps = tessera.broadcast %p dims = [1] : tensor<8xf32> -> tensor<16x8xf32>
  %h = arith.mulf %x, %ps : tensor<16x8xf32>
  // expected-note @below {{all rows are needed here}}
  %s = tessera.reduce sum %h dims = [0] : tensor<16x8xf32> -> tensor<8xf32>
  %b = tessera.broadcast %s dims = [1] : tensor<8xf32> -> tensor<16x8xf32>
  // expected-note @below {{--microbatches=1 keeps the batch whole; if another dimension is the batch, mark it with tessera.batch}}
  // expected-error @below {{cannot be split into microbatches: 'arith.subf' needs the whole batch: it uses rows and what is computed from all rows together}}
  %c = arith.subf %h, %b : tensor<16x8xf32>
  %d = tessera.dot_general %c, %p batching = [] x [] contracting = [1] x [0] : (tensor<16x8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %g = tessera.dot_general %x, %d batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16xf32>) -> tensor<8xf32>
  return %g : tensor<8xf32>
}

// -----

// Each row is compared with all others.
func.func @a_contrastive_loss(%p: tensor<8x8xf32> {tessera.donated = 0 : i32, tessera.name = "p"},
    // expected-note @below {{the batch is dimension 0 of 'x'}}
    %x: tensor<16x8xf32> {tessera.name = "x"}) -> tensor<8x8xf32> {
  %h = tessera.dot_general %x, %p batching = [] x [] contracting = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  // expected-note @below {{--microbatches=1 keeps the batch whole; if another dimension is the batch, mark it with tessera.batch}}
  // expected-error @below {{'tessera.dot_general' needs the whole batch: it combines each row with all others}}
  %s = tessera.dot_general %h, %h batching = [] x [] contracting = [1] x [1] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x16xf32>
  %g = tessera.dot_general %s, %h batching = [] x [] contracting = [0] x [0] : (tensor<16x16xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %n = tessera.dot_general %x, %g batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %n : tensor<8x8xf32>
}

// -----

// What is made of all rows beforehand must be cheap.
func.func @rows_in_another_order(%p: tensor<8x8xf32> {tessera.donated = 0 : i32, tessera.name = "p"},
    // expected-note @below {{the batch is dimension 0 of 'x'}}
    %x: tensor<16x8xf32> {tessera.name = "x"}) -> tensor<8x8xf32> {
  // expected-note @below {{all rows are needed here}}
  %r = tessera.reverse %x dims = [0] : tensor<16x8xf32>
  // expected-note @below {{--microbatches=1 keeps the batch whole; if another dimension is the batch, mark it with tessera.batch}}
  // expected-error @below {{'tessera.dot_general' needs the whole batch: it computes from all rows}}
  %h = tessera.dot_general %r, %p batching = [] x [] contracting = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %g = tessera.dot_general %x, %h batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %g : tensor<8x8xf32>
}

// -----

// Rows may not be taken from other microbatches.
func.func @a_shift_of_rows(%p: tensor<8xf32> {tessera.donated = 0 : i32, tessera.name = "p"},
    // expected-note @below {{the batch is dimension 0 of 'x'}}
    %x: tensor<16x8xf32> {tessera.name = "x"}) -> tensor<8xf32> {
  %ps = tessera.broadcast %p dims = [1] : tensor<8xf32> -> tensor<16x8xf32>
  %h = arith.mulf %x, %ps : tensor<16x8xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  // expected-note @below {{--microbatches=1 keeps the batch whole; if another dimension is the batch, mark it with tessera.batch}}
  // expected-error @below {{'tessera.pad' needs the whole batch: it takes rows of other microbatches}}
  %s = tessera.pad %h with %zero low = [1, 0] high = [-1, 0] interior = [0, 0] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16x8xf32>
  %d = tessera.dot_general %s, %p batching = [] x [] contracting = [1] x [0] : (tensor<16x8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %g = tessera.dot_general %x, %d batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16xf32>) -> tensor<8xf32>
  return %g : tensor<8xf32>
}

// -----

// Rows do not stay together where other rows come between them.
func.func @rows_that_are_torn_apart(%p: tensor<8xf32> {tessera.donated = 0 : i32, tessera.name = "p"},
    // expected-note @below {{the batch is dimension 0 of 'x'}}
    %x: tensor<16x8xf32> {tessera.name = "x"}) -> tensor<8xf32> {
  %ps = tessera.broadcast %p dims = [1] : tensor<8xf32> -> tensor<16x8xf32>
  %h = arith.mulf %x, %ps : tensor<16x8xf32>
  // expected-note @below {{--microbatches=1 keeps the batch whole; if another dimension is the batch, mark it with tessera.batch}}
  // expected-error @below {{'tessera.reshape' needs the whole batch: the parts of dimension 0 of operand 0 do not stay together}}
  %r = tessera.reshape %h : tensor<16x8xf32> -> tensor<2x64xf32>
  %s = tessera.reshape %r : tensor<2x64xf32> -> tensor<16x8xf32>
  %d = tessera.dot_general %s, %p batching = [] x [] contracting = [1] x [0] : (tensor<16x8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %g = tessera.dot_general %x, %d batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16xf32>) -> tensor<8xf32>
  return %g : tensor<8xf32>
}

// -----

// A loop that runs as long as some row wants it to.
func.func @rows_that_decide(%p: tensor<16xf32> {tessera.donated = 0 : i32, tessera.name = "p"},
    // expected-note @below {{the batch is dimension 0 of 'x'}}
    %x: tensor<16xf32> {tessera.name = "x"}) -> tensor<16xf32> {
  // expected-note @below {{--microbatches=1 keeps the batch whole; if another dimension is the batch, mark it with tessera.batch}}
  // expected-error @below {{'scf.while' needs the whole batch: rows decide on what it does}}
  %r = scf.while (%a = %x) : (tensor<16xf32>) -> tensor<16xf32> {
    // expected-note @below {{all rows are needed here}}
    %s = tessera.reduce max %a dims = [0] : tensor<16xf32> -> tensor<f32>
    %limit = arith.constant dense<1.0> : tensor<f32>
    %c = arith.cmpf ogt, %s, %limit : tensor<f32>
    %go = tensor.extract %c[] : tensor<i1>
    scf.condition(%go) %a : tensor<16xf32>
  } do {
  ^bb0(%a: tensor<16xf32>):
    %t = arith.mulf %a, %p : tensor<16xf32>
    scf.yield %t : tensor<16xf32>
  }
  %n = tessera.reduce sum %r dims = [0] : tensor<16xf32> -> tensor<f32>
  %b = tessera.broadcast %n dims = [] : tensor<f32> -> tensor<16xf32>
  return %b : tensor<16xf32>
}

// -----

// A sum that a loop over layers uses while it makes it.
func.func @a_sum_inside_a_loop(%p: tensor<8xf32> {tessera.donated = 0 : i32, tessera.name = "p"},
    // expected-note @below {{the batch is dimension 0 of 'x'}}
    %x: tensor<16x8xf32> {tessera.name = "x"}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %l = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<16x8xf32>) {
    // expected-note @below {{all rows are needed here}}
    %s = tessera.reduce sum %a dims = [0] : tensor<16x8xf32> -> tensor<8xf32>
    %b = tessera.broadcast %s dims = [1] : tensor<8xf32> -> tensor<16x8xf32>
    // expected-note @below {{--microbatches=1 keeps the batch whole; if another dimension is the batch, mark it with tessera.batch}}
    // expected-error @below {{'arith.subf' needs the whole batch}}
    %c = arith.subf %a, %b : tensor<16x8xf32>
    scf.yield %c : tensor<16x8xf32>
  }
  %g = tessera.reduce sum %r dims = [0] : tensor<16x8xf32> -> tensor<8xf32>
  return %g : tensor<8xf32>
}

// -----

// Microbatches are equal.
func.func @microbatches_that_do_not_divide(%p: tensor<8xf32> {tessera.donated = 0 : i32, tessera.name = "p"},
    // expected-error @below {{expected a number of microbatches that divides the batch of 18 rows, got 4; the nearest is 3 or 6}}
    // expected-note @below {{the batch is dimension 0 of 'x'}}
    %x: tensor<18x8xf32> {tessera.name = "x"}) -> tensor<8xf32> {
  %g = tessera.reduce sum %x dims = [0] : tensor<18x8xf32> -> tensor<8xf32>
  return %g : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["data"=4]>

// A device has so many rows.
func.func @devices_with_too_few_rows(%p: tensor<8xf32> {tessera.donated = 0 : i32, tessera.name = "p"},
    // expected-error @below {{expected a number of microbatches that divides the batch of 8 rows on 4 devices, 2 on each, got 4; the nearest is 2}}
    // expected-note @below {{the batch is dimension 0 of 'x'}}
    %x: tensor<8x8xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) -> tensor<8xf32> {
  %g = tessera.reduce sum %x dims = [0] : tensor<8x8xf32> -> tensor<8xf32>
  return %g : tensor<8xf32>
}

// -----

// Marked arguments have the same rows.
func.func @marks_that_disagree(%x: tensor<16x8xf32> {tessera.batch = 0 : i64},
    // expected-error @below {{expected a batch of 16 rows, got dimension 1 of 'tensor<16x8xf32>'}}
    %y: tensor<16x8xf32> {tessera.batch = 1 : i64}) -> tensor<16x8xf32> {
  %g = arith.addf %x, %y : tensor<16x8xf32>
  return %g : tensor<16x8xf32>
}

// -----

// expected-error @below {{expected an argument with rows to split into microbatches, got none that the step does not replace; mark its dimension with tessera.batch, or keep it whole with --microbatches=1}}
func.func @no_rows(%p: tensor<8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}) -> tensor<8xf32> {
  %g = arith.addf %p, %p : tensor<8xf32>
  return %g : tensor<8xf32>
}

// -----

func.func @another_number_of_microbatches(%p: tensor<8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<2x16x8xf32> {tessera.name = "x"}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %z = arith.constant dense<0> : tensor<i32>
  // expected-error @below {{expected 2 microbatches, as many as the model's own loop over them has, got 4}}
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

// A loop over microbatches is unrolled into tasks, so its length must be known.
func.func @trips_of_an_argument(%p: tensor<8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<2x16x8xf32> {tessera.name = "x"}, %count: tensor<i32> {tessera.name = "count"}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0> : tensor<i32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %last = tensor.extract %count[] : tensor<i32>
  // expected-error @below {{expected the model's own loop over microbatches to have a constant number of trips}}
  %sum = scf.for %i = %c0 to %last step %c1 iter_args(%a = %zero) -> (tensor<8xf32>) : i32 {
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

// The numbers of a raw random key are taken apart one by one: they are no rows.
// expected-error @below {{expected an argument with rows to split into microbatches, got none that the step does not replace; mark its dimension with tessera.batch, or keep it whole with --microbatches=1}}
func.func @a_raw_key(%p: tensor<8x8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %key: tensor<4xi32> {tessera.name = "key"}) -> tensor<8x8xf32> {
  %0 = tessera.slice %key [0] to [1] by [1] : tensor<4xi32> -> tensor<1xi32>
  %1 = tessera.slice %key [3] to [4] by [1] : tensor<4xi32> -> tensor<1xi32>
  %2 = arith.xori %0, %1 : tensor<1xi32>
  %3 = arith.sitofp %2 : tensor<1xi32> to tensor<1xf32>
  %4 = tessera.broadcast %3 dims = [0] : tensor<1xf32> -> tensor<1x8xf32>
  %5 = tessera.reshape %4 : tensor<1x8xf32> -> tensor<8xf32>
  %6 = tessera.broadcast %5 dims = [0] : tensor<8xf32> -> tensor<8x8xf32>
  %7 = tessera.dot_general %6, %p batching = [] x [] contracting = [0] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %7 : tensor<8x8xf32>
}

// -----

// As many microbatches as a loop has trips, not as many as it counts to.
func.func @every_second_number(%p: tensor<8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<16x16x8xf32> {tessera.name = "x"}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %z = arith.constant dense<0> : tensor<i32>
  // expected-error @below {{expected 8 microbatches, as many as the model's own loop over them has, got 4}}
  %sum = scf.for %i = %c0 to %c16 step %c2 iter_args(%a = %zero) -> (tensor<8xf32>) : i32 {
    %k = tensor.from_elements %i : tensor<i32>
    %x1 = tessera.dynamic_slice %x[%k, %z, %z] : (tensor<16x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8xf32>
    %s = tessera.reduce sum %x1 dims = [0, 1] : tensor<1x16x8xf32> -> tensor<8xf32>
    %b = arith.addf %a, %s : tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  %n = arith.subf %p, %sum : tensor<8xf32>
  return %n : tensor<8xf32>
}

// -----

// Nor is the first one known.
func.func @begins_with_an_argument(%p: tensor<8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<2x16x8xf32> {tessera.name = "x"}, %count: tensor<i32> {tessera.name = "count"}) -> tensor<8xf32> {
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %z = arith.constant dense<0> : tensor<i32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %first = tensor.extract %count[] : tensor<i32>
  // expected-error @below {{expected the model's own loop over microbatches to have a constant number of trips}}
  %sum = scf.for %i = %first to %c4 step %c1 iter_args(%a = %zero) -> (tensor<8xf32>) : i32 {
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

// Marks are of sizes, not of numbers of dimensions.
// expected-error @below {{expected a batch of 16 rows, got dimension 0 of 'tensor<8x8xf32>'}}
func.func @half_as_many_targets(%x: tensor<16x8xf32> {tessera.batch = 0 : i64}, %y: tensor<8x8xf32> {tessera.batch = 0 : i64}) -> tensor<16x8xf32> {
  %g = arith.addf %x, %x : tensor<16x8xf32>
  return %g : tensor<16x8xf32>
}
