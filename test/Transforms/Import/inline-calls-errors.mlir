// RUN: tessera-opt %s --tessera-inline-calls --split-input-file --verify-diagnostics

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @again(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @again(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @other(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected no recursion, got a call of @again inside of itself}}
  %0 = call @again(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a body of one block of @outside}}
  %0 = call @outside(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @outside(%x: tensor<4xf32>) -> tensor<4xf32>

// -----

// Functions that each call the next one 16 times: 16^6 operations of a few dozen.
// expected-error @+1 {{expected at most 4000000 operations in @main and what it calls, every call counted, got more}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f6(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f6(%0: tensor<4xf32>) -> tensor<4xf32> {
  %1 = call @f5(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @f5(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = call @f5(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = call @f5(%3) : (tensor<4xf32>) -> tensor<4xf32>
  %5 = call @f5(%4) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = call @f5(%5) : (tensor<4xf32>) -> tensor<4xf32>
  %7 = call @f5(%6) : (tensor<4xf32>) -> tensor<4xf32>
  %8 = call @f5(%7) : (tensor<4xf32>) -> tensor<4xf32>
  %9 = call @f5(%8) : (tensor<4xf32>) -> tensor<4xf32>
  %10 = call @f5(%9) : (tensor<4xf32>) -> tensor<4xf32>
  %11 = call @f5(%10) : (tensor<4xf32>) -> tensor<4xf32>
  %12 = call @f5(%11) : (tensor<4xf32>) -> tensor<4xf32>
  %13 = call @f5(%12) : (tensor<4xf32>) -> tensor<4xf32>
  %14 = call @f5(%13) : (tensor<4xf32>) -> tensor<4xf32>
  %15 = call @f5(%14) : (tensor<4xf32>) -> tensor<4xf32>
  %16 = call @f5(%15) : (tensor<4xf32>) -> tensor<4xf32>
  return %16 : tensor<4xf32>
}
func.func private @f5(%0: tensor<4xf32>) -> tensor<4xf32> {
  %1 = call @f4(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @f4(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = call @f4(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = call @f4(%3) : (tensor<4xf32>) -> tensor<4xf32>
  %5 = call @f4(%4) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = call @f4(%5) : (tensor<4xf32>) -> tensor<4xf32>
  %7 = call @f4(%6) : (tensor<4xf32>) -> tensor<4xf32>
  %8 = call @f4(%7) : (tensor<4xf32>) -> tensor<4xf32>
  %9 = call @f4(%8) : (tensor<4xf32>) -> tensor<4xf32>
  %10 = call @f4(%9) : (tensor<4xf32>) -> tensor<4xf32>
  %11 = call @f4(%10) : (tensor<4xf32>) -> tensor<4xf32>
  %12 = call @f4(%11) : (tensor<4xf32>) -> tensor<4xf32>
  %13 = call @f4(%12) : (tensor<4xf32>) -> tensor<4xf32>
  %14 = call @f4(%13) : (tensor<4xf32>) -> tensor<4xf32>
  %15 = call @f4(%14) : (tensor<4xf32>) -> tensor<4xf32>
  %16 = call @f4(%15) : (tensor<4xf32>) -> tensor<4xf32>
  return %16 : tensor<4xf32>
}
func.func private @f4(%0: tensor<4xf32>) -> tensor<4xf32> {
  %1 = call @f3(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @f3(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = call @f3(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = call @f3(%3) : (tensor<4xf32>) -> tensor<4xf32>
  %5 = call @f3(%4) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = call @f3(%5) : (tensor<4xf32>) -> tensor<4xf32>
  %7 = call @f3(%6) : (tensor<4xf32>) -> tensor<4xf32>
  %8 = call @f3(%7) : (tensor<4xf32>) -> tensor<4xf32>
  %9 = call @f3(%8) : (tensor<4xf32>) -> tensor<4xf32>
  %10 = call @f3(%9) : (tensor<4xf32>) -> tensor<4xf32>
  %11 = call @f3(%10) : (tensor<4xf32>) -> tensor<4xf32>
  %12 = call @f3(%11) : (tensor<4xf32>) -> tensor<4xf32>
  %13 = call @f3(%12) : (tensor<4xf32>) -> tensor<4xf32>
  %14 = call @f3(%13) : (tensor<4xf32>) -> tensor<4xf32>
  %15 = call @f3(%14) : (tensor<4xf32>) -> tensor<4xf32>
  %16 = call @f3(%15) : (tensor<4xf32>) -> tensor<4xf32>
  return %16 : tensor<4xf32>
}
func.func private @f3(%0: tensor<4xf32>) -> tensor<4xf32> {
  %1 = call @f2(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @f2(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = call @f2(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = call @f2(%3) : (tensor<4xf32>) -> tensor<4xf32>
  %5 = call @f2(%4) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = call @f2(%5) : (tensor<4xf32>) -> tensor<4xf32>
  %7 = call @f2(%6) : (tensor<4xf32>) -> tensor<4xf32>
  %8 = call @f2(%7) : (tensor<4xf32>) -> tensor<4xf32>
  %9 = call @f2(%8) : (tensor<4xf32>) -> tensor<4xf32>
  %10 = call @f2(%9) : (tensor<4xf32>) -> tensor<4xf32>
  %11 = call @f2(%10) : (tensor<4xf32>) -> tensor<4xf32>
  %12 = call @f2(%11) : (tensor<4xf32>) -> tensor<4xf32>
  %13 = call @f2(%12) : (tensor<4xf32>) -> tensor<4xf32>
  %14 = call @f2(%13) : (tensor<4xf32>) -> tensor<4xf32>
  %15 = call @f2(%14) : (tensor<4xf32>) -> tensor<4xf32>
  %16 = call @f2(%15) : (tensor<4xf32>) -> tensor<4xf32>
  return %16 : tensor<4xf32>
}
func.func private @f2(%0: tensor<4xf32>) -> tensor<4xf32> {
  %1 = call @f1(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @f1(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = call @f1(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = call @f1(%3) : (tensor<4xf32>) -> tensor<4xf32>
  %5 = call @f1(%4) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = call @f1(%5) : (tensor<4xf32>) -> tensor<4xf32>
  %7 = call @f1(%6) : (tensor<4xf32>) -> tensor<4xf32>
  %8 = call @f1(%7) : (tensor<4xf32>) -> tensor<4xf32>
  %9 = call @f1(%8) : (tensor<4xf32>) -> tensor<4xf32>
  %10 = call @f1(%9) : (tensor<4xf32>) -> tensor<4xf32>
  %11 = call @f1(%10) : (tensor<4xf32>) -> tensor<4xf32>
  %12 = call @f1(%11) : (tensor<4xf32>) -> tensor<4xf32>
  %13 = call @f1(%12) : (tensor<4xf32>) -> tensor<4xf32>
  %14 = call @f1(%13) : (tensor<4xf32>) -> tensor<4xf32>
  %15 = call @f1(%14) : (tensor<4xf32>) -> tensor<4xf32>
  %16 = call @f1(%15) : (tensor<4xf32>) -> tensor<4xf32>
  return %16 : tensor<4xf32>
}
func.func private @f1(%0: tensor<4xf32>) -> tensor<4xf32> {
  %1 = call @f0(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @f0(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = call @f0(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = call @f0(%3) : (tensor<4xf32>) -> tensor<4xf32>
  %5 = call @f0(%4) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = call @f0(%5) : (tensor<4xf32>) -> tensor<4xf32>
  %7 = call @f0(%6) : (tensor<4xf32>) -> tensor<4xf32>
  %8 = call @f0(%7) : (tensor<4xf32>) -> tensor<4xf32>
  %9 = call @f0(%8) : (tensor<4xf32>) -> tensor<4xf32>
  %10 = call @f0(%9) : (tensor<4xf32>) -> tensor<4xf32>
  %11 = call @f0(%10) : (tensor<4xf32>) -> tensor<4xf32>
  %12 = call @f0(%11) : (tensor<4xf32>) -> tensor<4xf32>
  %13 = call @f0(%12) : (tensor<4xf32>) -> tensor<4xf32>
  %14 = call @f0(%13) : (tensor<4xf32>) -> tensor<4xf32>
  %15 = call @f0(%14) : (tensor<4xf32>) -> tensor<4xf32>
  %16 = call @f0(%15) : (tensor<4xf32>) -> tensor<4xf32>
  return %16 : tensor<4xf32>
}
func.func private @f0(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Twice as many in each of 22 functions, one of which is no program.
func.func @main(%0: tensor<f32>) -> tensor<f32> {
  return %0 : tensor<f32>
}
func.func private @f0(%0: tensor<f32>) -> tensor<f32> { %1 = math.exp %0 : tensor<f32> return %1 : tensor<f32> }
func.func private @f1(%0: tensor<f32>) -> tensor<f32> { %1 = call @f0(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f0(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f2(%0: tensor<f32>) -> tensor<f32> { %1 = call @f1(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f1(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f3(%0: tensor<f32>) -> tensor<f32> { %1 = call @f2(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f2(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f4(%0: tensor<f32>) -> tensor<f32> { %1 = call @f3(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f3(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f5(%0: tensor<f32>) -> tensor<f32> { %1 = call @f4(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f4(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f6(%0: tensor<f32>) -> tensor<f32> { %1 = call @f5(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f5(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f7(%0: tensor<f32>) -> tensor<f32> { %1 = call @f6(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f6(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f8(%0: tensor<f32>) -> tensor<f32> { %1 = call @f7(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f7(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f9(%0: tensor<f32>) -> tensor<f32> { %1 = call @f8(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f8(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f10(%0: tensor<f32>) -> tensor<f32> { %1 = call @f9(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f9(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f11(%0: tensor<f32>) -> tensor<f32> { %1 = call @f10(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f10(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f12(%0: tensor<f32>) -> tensor<f32> { %1 = call @f11(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f11(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f13(%0: tensor<f32>) -> tensor<f32> { %1 = call @f12(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f12(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f14(%0: tensor<f32>) -> tensor<f32> { %1 = call @f13(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f13(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f15(%0: tensor<f32>) -> tensor<f32> { %1 = call @f14(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f14(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f16(%0: tensor<f32>) -> tensor<f32> { %1 = call @f15(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f15(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f17(%0: tensor<f32>) -> tensor<f32> { %1 = call @f16(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f16(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f18(%0: tensor<f32>) -> tensor<f32> { %1 = call @f17(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f17(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f19(%0: tensor<f32>) -> tensor<f32> { %1 = call @f18(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f18(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f20(%0: tensor<f32>) -> tensor<f32> { %1 = call @f19(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f19(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
func.func private @f21(%0: tensor<f32>) -> tensor<f32> { %1 = call @f20(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f20(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
// expected-error @below {{expected at most 4000000 operations in @f22 and what it calls, every call counted, got more}}
func.func @f22(%0: tensor<f32>) -> tensor<f32> { %1 = call @f21(%0) : (tensor<f32>) -> tensor<f32> %2 = call @f21(%1) : (tensor<f32>) -> tensor<f32> return %2 : tensor<f32> }
