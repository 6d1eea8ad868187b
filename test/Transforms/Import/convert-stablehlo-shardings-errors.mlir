// RUN: tessera-opt %s --tessera-convert-stablehlo --split-input-file --verify-diagnostics

// expected-error @+1 {{expected attributes 'sym_name' and 'mesh' of 'sdy.mesh'}}
"sdy.mesh"() <{sym_name = "mesh"}> : () -> ()

// -----

// expected-error @+1 {{malformed mesh 'mesh<["a"=2, "b"]>': expected '='}}
"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2, "b"]>, sym_name = "mesh"}> : () -> ()

// -----

// expected-error-re @+1 {{malformed mesh 'mesh<["a"=2, "a"=4]>': {{.+}}}}
"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2, "a"=4]>, sym_name = "mesh"}> : () -> ()

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>, sym_name = "mesh"}> : () -> ()
// expected-error @+1 {{sharding of argument 0: unknown mesh @other}}
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@other, [{"a"}]>}) {
  "func.return"() : () -> ()
}

// -----

// expected-error @+1 {{sharding of argument 0: unknown mesh @mesh}}
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) {
  "func.return"() : () -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>, sym_name = "mesh"}> : () -> ()
// expected-error-re @+1 {{sharding of result 0: {{.*}}"b"}}
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}]>}) {
  "func.return"(%x) : (tensor<4xf32>) -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error-re @+1 {{sharding: {{.*}}"a"}}
  %0 = "sdy.sharding_constraint"(%x) <{sharding = #sdy.sharding<@mesh, [{"a"}, {"a"}]>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  "func.return"(%0) : (tensor<4x4xf32>) -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error-re @+1 {{sharding: {{.*}}2{{.*}}1}}
  %0 = "sdy.sharding_constraint"(%x) <{sharding = #sdy.sharding<@mesh, [{"a"}]>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  "func.return"(%0) : (tensor<4x4xf32>) -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{sharding: malformed '<@mesh, ["a"]>': expected '{'}}
  %0 = "sdy.sharding_constraint"(%x) <{sharding = #sdy.sharding<@mesh, ["a"]>}> : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error-re @+1 {{malformed mesh 'mesh<["a"=0]>': {{.+}}}}
  %0 = "sdy.sharding_constraint"(%x) <{sharding = #sdy.sharding<mesh<["a"=0]>, [{"a"}]>}> : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{sharding: expected a #sdy.sharding, got "replicated"}}
  %0 = "sdy.sharding_constraint"(%x) <{sharding = "replicated"}> : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected attribute 'sharding' of 'sdy.sharding_constraint'}}
  %0 = "sdy.sharding_constraint"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected 1 shardings, one per result, got 2}}
  %0 = "stablehlo.negate"(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh, []>]>} : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{sharding: expected 'sharding_per_value<[...]>', got 'sharding<@mesh, [{"a"}]>'}}
  %0 = "stablehlo.negate"(%x) {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>} : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{sharding: expected 'sharding_per_value<[...]>', got 'sharding_per_value<@mesh>'}}
  %0 = "stablehlo.negate"(%x) {sdy.sharding = #sdy.sharding_per_value<@mesh>} : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a number 'group_id' of 'sdy.sharding_group'}}
  "sdy.sharding_group"(%x) : (tensor<4xf32>) -> ()
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 'allowed_direction' of 'sdy.propagation_barrier' from 0 to 3}}
  %0 = "sdy.propagation_barrier"(%x) <{allowed_direction = 4 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

// A mesh has a name, and is one.
// expected-error @below {{expected attributes 'sym_name' and 'mesh' of 'sdy.mesh'}}
"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>}> : () -> ()

// -----

// expected-error @below {{expected attributes 'sym_name' and 'mesh' of 'sdy.mesh'}}
"sdy.mesh"() <{mesh = #sdy.sharding<@mesh, []>, sym_name = "mesh"}> : () -> ()

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected attribute 'sharding' of 'sdy.reshard'}}
  %0 = "sdy.reshard"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>, sym_name = "mesh"}> : () -> ()
// expected-error @below {{sharding of argument 0: malformed '<@mesh, [{"a"}] and>': expected '>'}}
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}] and>}) {
  "func.return"() : () -> ()
}

// -----

// expected-error @below {{sharding of argument 0: expected a #sdy.sharding, got 7 : i64}}
func.func @main(%x: tensor<4xf32> {sdy.sharding = 7 : i64}) {
  "func.return"() : () -> ()
}

// -----

// Nor in the body of something else.
func.func @main(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error @below {{expected attribute 'sharding' of 'sdy.sharding_constraint'}}
    %1 = "sdy.sharding_constraint"(%a) : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.power"(%1, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  "func.return"(%0) : (tensor<f32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error @below {{expected a number 'group_id' of 'sdy.sharding_group'}}
  "sdy.sharding_group"(%x) <{group_id = -1 : i64}> : (tensor<4xf32>) -> ()
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error @below {{expected 'allowed_direction' of 'sdy.propagation_barrier' from 0 to 3}}
  %0 = "sdy.propagation_barrier"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{malformed mesh 'mesh<>, [{"a"}]>': expected '['}}
  %0 = "sdy.sharding_constraint"(%x) <{sharding = #sdy.sharding<mesh<>, [{"a"}]>}> : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}
