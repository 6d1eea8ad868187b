// RUN: tessera-opt %s --tessera-split-vocabulary="stages=2 schedule=vocabulary-1" -split-input-file -verify-diagnostics

// No softmax follows the last matmul.
tessera.mesh @mesh = <["data"=1]>
func.func @main(%w: tensor<8x8xf32>, %x: tensor<4x8xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zi = arith.constant dense<0> : tensor<i32>
  %batch = tessera.reshape %x : tensor<4x8xf32> -> tensor<2x2x8xf32>
  // expected-error @below {{expected an output layer to spread over the pipeline ranks: at the end of the forward pass a matmul of activations with a parameter, over whose columns alone a softmax runs}}
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%l = %zero) -> (tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %xs = tessera.dynamic_slice %batch[%n, %zi, %zi] : (tensor<2x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %xb = tessera.reshape %xs : tensor<1x2x8xf32> -> tensor<2x8xf32>
    %h = tessera.dot_general %xb, %w batching = [] x [] contracting = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %sq = arith.mulf %h, %h : tensor<2x8xf32>
    %ls = tessera.reduce sum %sq dims = [0, 1] : tensor<2x8xf32> -> tensor<f32>
    %l2 = arith.addf %l, %ls : tensor<f32>
    scf.yield %l2 : tensor<f32>
  } {pipe.microbatches}
  return %r : tensor<f32>
}

// -----

// A softmax that chooses among things within the model is not its output layer.
tessera.mesh @mesh = <["data"=1]>
func.func @main(%w: tensor<8x8xf32>, %v: tensor<8x8xf32>, %x: tensor<4x8xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zi = arith.constant dense<0> : tensor<i32>
  %batch = tessera.reshape %x : tensor<4x8xf32> -> tensor<2x2x8xf32>
  // expected-error @below {{expected an output layer to spread over the pipeline ranks: at the end of the forward pass a matmul of activations with a parameter, over whose columns alone a softmax runs}}
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%l = %zero) -> (tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %xs = tessera.dynamic_slice %batch[%n, %zi, %zi] : (tensor<2x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %xb = tessera.reshape %xs : tensor<1x2x8xf32> -> tensor<2x8xf32>
    %h = tessera.dot_general %xb, %w batching = [] x [] contracting = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %e = math.exp %h : tensor<2x8xf32>
    %s = tessera.reduce sum %e dims = [1] : tensor<2x8xf32> -> tensor<2xf32>
    %all = tessera.broadcast %s dims = [0] : tensor<2xf32> -> tensor<2x8xf32>
    %p = arith.divf %e, %all : tensor<2x8xf32>
    %y = tessera.dot_general %p, %v batching = [] x [] contracting = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %o = tessera.dot_general %y, %v batching = [] x [] contracting = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %ls = tessera.reduce sum %o dims = [0, 1] : tensor<2x8xf32> -> tensor<f32>
    %l2 = arith.addf %l, %ls : tensor<f32>
    scf.yield %l2 : tensor<f32>
  } {pipe.microbatches}
  return %r : tensor<f32>
}

// -----

// One column cannot be shared.
tessera.mesh @mesh = <["data"=1]>
func.func @main(%w: tensor<8x1xf32>, %x: tensor<4x8xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zi = arith.constant dense<0> : tensor<i32>
  %batch = tessera.reshape %x : tensor<4x8xf32> -> tensor<2x2x8xf32>
  // expected-error @below {{expected an output layer of a multiple of 1 columns, and at least 2, got 1}}
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%l = %zero) -> (tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %xs = tessera.dynamic_slice %batch[%n, %zi, %zi] : (tensor<2x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %xb = tessera.reshape %xs : tensor<1x2x8xf32> -> tensor<2x8xf32>
    %h = tessera.dot_general %xb, %w batching = [] x [] contracting = [1] x [0] : (tensor<2x8xf32>, tensor<8x1xf32>) -> tensor<2x1xf32>
    %e = math.exp %h : tensor<2x1xf32>
    %s = tessera.reduce sum %e dims = [1] : tensor<2x1xf32> -> tensor<2xf32>
    %ls = tessera.reduce sum %s dims = [0] : tensor<2xf32> -> tensor<f32>
    %l2 = arith.addf %l, %ls : tensor<f32>
    scf.yield %l2 : tensor<f32>
  } {pipe.microbatches}
  return %r : tensor<f32>
}

// -----

// What is summed up depends on a reduction in a way for which ranks would have to meet three times.
tessera.mesh @mesh = <["data"=1]>
func.func @main(%w: tensor<8x6xf32>, %x: tensor<4x8xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zi = arith.constant dense<0> : tensor<i32>
  %batch = tessera.reshape %x : tensor<4x8xf32> -> tensor<2x2x8xf32>
  // expected-error @below {{expected an output layer that two meetings of the pipeline ranks can compute}}
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%l = %zero) -> (tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %xs = tessera.dynamic_slice %batch[%n, %zi, %zi] : (tensor<2x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %xb = tessera.reshape %xs : tensor<1x2x8xf32> -> tensor<2x8xf32>
    %h = tessera.dot_general %xb, %w batching = [] x [] contracting = [1] x [0] : (tensor<2x8xf32>, tensor<8x6xf32>) -> tensor<2x6xf32>
    %e = math.exp %h : tensor<2x6xf32>
    %s = tessera.reduce sum %e dims = [1] : tensor<2x6xf32> -> tensor<2xf32>
    %all = tessera.broadcast %s dims = [0] : tensor<2xf32> -> tensor<2x6xf32>
    %p = arith.divf %e, %all : tensor<2x6xf32>
    %t = math.tanh %p : tensor<2x6xf32>
    // expected-note @below {{this depends on other reductions over the vocabulary in a way that is not linear}}
    %u = tessera.reduce sum %t dims = [1] : tensor<2x6xf32> -> tensor<2xf32>
    %us = tessera.broadcast %u dims = [0] : tensor<2xf32> -> tensor<2x6xf32>
    %q = arith.mulf %us, %p : tensor<2x6xf32>
    %ls = tessera.reduce sum %q dims = [0, 1] : tensor<2x6xf32> -> tensor<f32>
    %l2 = arith.addf %l, %ls : tensor<f32>
    scf.yield %l2 : tensor<f32>
  } {pipe.microbatches}
  return %r : tensor<f32>
}

// -----

// Devices along an axis share the columns before the ranks do.
tessera.mesh @mesh = <["data"=4]>
func.func @main(%w: tensor<8x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"data"}]>}, %x: tensor<4x8xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zi = arith.constant dense<0> : tensor<i32>
  %batch = tessera.reshape %x : tensor<4x8xf32> -> tensor<2x2x8xf32>
  // expected-error @below {{expected an output layer of a multiple of 4 columns, and at least 8, got 4}}
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%l = %zero) -> (tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %xs = tessera.dynamic_slice %batch[%n, %zi, %zi] : (tensor<2x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %xb = tessera.reshape %xs : tensor<1x2x8xf32> -> tensor<2x8xf32>
    %h = tessera.dot_general %xb, %w batching = [] x [] contracting = [1] x [0] : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
    %e = math.exp %h : tensor<2x4xf32>
    %s = tessera.reduce sum %e dims = [1] : tensor<2x4xf32> -> tensor<2xf32>
    %ls = tessera.reduce sum %s dims = [0] : tensor<2xf32> -> tensor<f32>
    %l2 = arith.addf %l, %ls : tensor<f32>
    scf.yield %l2 : tensor<f32>
  } {pipe.microbatches}
  return %r : tensor<f32>
}

// -----

// A maximum of what another reduction scales is none either.
tessera.mesh @mesh = <["data"=1]>
func.func @main(%w: tensor<8x6xf32>, %x: tensor<4x8xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zi = arith.constant dense<0> : tensor<i32>
  %batch = tessera.reshape %x : tensor<4x8xf32> -> tensor<2x2x8xf32>
  // expected-error @below {{expected an output layer that two meetings of the pipeline ranks can compute}}
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%l = %zero) -> (tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %xs = tessera.dynamic_slice %batch[%n, %zi, %zi] : (tensor<2x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %xb = tessera.reshape %xs : tensor<1x2x8xf32> -> tensor<2x8xf32>
    %h = tessera.dot_general %xb, %w batching = [] x [] contracting = [1] x [0] : (tensor<2x8xf32>, tensor<8x6xf32>) -> tensor<2x6xf32>
    %e = math.exp %h : tensor<2x6xf32>
    %s = tessera.reduce sum %e dims = [1] : tensor<2x6xf32> -> tensor<2xf32>
    %all = tessera.broadcast %s dims = [0] : tensor<2xf32> -> tensor<2x6xf32>
    %p = arith.divf %e, %all : tensor<2x6xf32>
    %t = math.exp %p : tensor<2x6xf32>
    // expected-note @below {{this depends on other reductions over the vocabulary in a way that is not linear}}
    %u = tessera.reduce max %t dims = [1] : tensor<2x6xf32> -> tensor<2xf32>
    %us = tessera.broadcast %u dims = [0] : tensor<2xf32> -> tensor<2x6xf32>
    %q = arith.mulf %us, %p : tensor<2x6xf32>
    %ls = tessera.reduce sum %q dims = [0, 1] : tensor<2x6xf32> -> tensor<f32>
    %l2 = arith.addf %l, %ls : tensor<f32>
    scf.yield %l2 : tensor<f32>
  } {pipe.microbatches}
  return %r : tensor<f32>
}
