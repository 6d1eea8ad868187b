// RUN: tessera-opt %s --tessera-import-phase --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a public function @main}}
module {
  func.func @step(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @+1 {{expected @main to be the only function, got @other}}
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @+1 {{expected a mesh or a function, got 'builtin.module'}}
module {}

// -----

// expected-note @+2 {{see docs/unsupported.md#dynamic-shapes}}
// expected-error @+1 {{expected a tensor of static shape as argument 0 of @main, got 'tensor<?xf32>'}}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

func.func @main() -> f32 {
  // expected-error @+1 {{expected a tensor of static shape as result 0 of @main, got 'f32'}}
  %0 = arith.constant 1.0 : f32
  return %0 : f32
}

// -----

// expected-error @+1 {{unsupported element type 'ui8' of argument 0 of @main}}
func.func @main(%x: tensor<4xui8>) -> tensor<4xf32> {
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main() -> tensor<4xf8E4M3FN> {
  // expected-note @+2 {{see docs/unsupported.md#short-types}}
  // expected-error @+1 {{unsupported element type 'f8E4M3FN' of result 0 of @main}}
  %0 = arith.constant dense<1.0> : tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}

// -----

func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  // expected-note @+2 {{see docs/unsupported.md#short-types}}
  // expected-error @+1 {{unsupported element type 'i4' of result of 'arith.trunci'}}
  %0 = arith.trunci %x : tensor<4xi8> to tensor<4xi4>
  %1 = arith.extsi %0 : tensor<4xi4> to tensor<4xi8>
  return %1 : tensor<4xi8>
}

// -----

// expected-error @+1 {{argument 1 is donated to result 0: expected type 'tensor<5xf32>', got 'tensor<4xf32>'}}
func.func @main(%x: tensor<4xf32>, %y: tensor<5xf32> {tessera.donated = 0 : i32}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{arguments 0 and 1 are both donated to result 0}}
func.func @main(%x: tensor<4xf32> {tessera.donated = 0 : i32}, %y: tensor<4xf32> {tessera.donated = 0 : i32}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{arguments 0 and 2 have the same name 'x'}}
func.func @main(%x: tensor<4xf32> {tessera.name = "x"}, %y: tensor<4xf32>, %z: tensor<4xf32> {tessera.name = "x"}) {
  return
}

// -----

// expected-error @+1 {{results 0 and 1 have the same name 'y'}}
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32> {tessera.name = "y"}, tensor<4xf32> {tessera.name = "y"}) {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{unsupported operation 'tensor.concat'}}
  %0 = tensor.concat dim(0) %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["a"=2]>
func.func @main() -> tensor<i32> {
  // expected-error @+1 {{expected per-device code (tessera.manual_computation) around 'spmd.axis_index'}}
  %0 = spmd.axis_index <@mesh, ["a"]> : tensor<i32>
  return %0 : tensor<i32>
}

// -----

// The program stands behind other functions, which another may call.
// expected-error @below {{expected @main to be the only function, got @other}}
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @other(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @below {{expected a mesh or a function, got 'llvm.func'}}
llvm.func @outside()

// -----

// A position among devices is per-device code.
tessera.mesh @mesh = <["x"=2]>
func.func @main() -> tensor<i32> {
  // expected-error @below {{expected per-device code (tessera.manual_computation) around 'spmd.axis_index'}}
  %0 = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  return %0 : tensor<i32>
}

// -----

// Branches are operations with regions.
// expected-error @below {{expected one block in @main}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^next
^next:
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{expected one block in @main}}
func.func @main(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : tensor<4xf32>
^b:
  return %x : tensor<4xf32>
}
