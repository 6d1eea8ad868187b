// What is wrong with per-device code.
// RUN: tessera-opt %s --tessera-convert-stablehlo --split-input-file --verify-diagnostics

// Groups go along axes.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func private @f(%x: tensor<8x4xf32>) -> tensor<32x4xf32> {
  // expected-error @+1 {{expected replica groups of 'stablehlo.all_gather' that differ along axes of mesh @mesh, got dense<}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 4], [3, 5, 6, 7]]> : tensor<2x4xi64>}> : (tensor<8x4xf32>) -> tensor<32x4xf32>
  "func.return"(%0) : (tensor<32x4xf32>) -> ()
}

// -----

// Groups are lists of devices.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func private @f(%x: tensor<8x4xf32>) -> tensor<32x4xf32> {
  // expected-error @+1 {{expected a matrix of integers as attribute 'replica_groups' of 'stablehlo.all_gather'}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = array<i64: 0, 1>}> : (tensor<8x4xf32>) -> tensor<32x4xf32>
  "func.return"(%0) : (tensor<32x4xf32>) -> ()
}

// -----

// Devices are those of a mesh.
func.func private @f(%x: tensor<8x4xf32>) -> tensor<32x4xf32> {
  // expected-error @+1 {{expected a mesh around 'stablehlo.all_gather'}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> : (tensor<8x4xf32>) -> tensor<32x4xf32>
  "func.return"(%0) : (tensor<32x4xf32>) -> ()
}

// -----

// A gather goes along a dimension.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func private @f(%x: tensor<8x4xf32>) -> tensor<32x4xf32> {
  // expected-error @+1 {{expected a dimension of 'tensor<8x4xf32>' as attribute 'all_gather_dim' of 'stablehlo.all_gather', got 2}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> : (tensor<8x4xf32>) -> tensor<32x4xf32>
  "func.return"(%0) : (tensor<32x4xf32>) -> ()
}

// -----

// What is gathered has the size of all parts.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func private @f(%x: tensor<8x4xf32>) -> tensor<16x4xf32> {
  // expected-error @+1 {{expected result type 'tensor<32x4xf32>' of 'stablehlo.all_gather', got 'tensor<16x4xf32>'}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> : (tensor<8x4xf32>) -> tensor<16x4xf32>
  "func.return"(%0) : (tensor<16x4xf32>) -> ()
}

// -----

// What is scattered divides.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func private @f(%x: tensor<6x4xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{expected dimension 0 of 'stablehlo.reduce_scatter' to divide into 4 parts, got size 6}}
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = "stablehlo.add"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<6x4xf32>) -> tensor<2x4xf32>
  "func.return"(%0) : (tensor<2x4xf32>) -> ()
}

// -----

// Reductions have names.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func private @f(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{expected a sum, product, minimum, maximum, and, or, or xor of its two arguments as body of 'stablehlo.all_reduce'}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = "stablehlo.subtract"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

// An exchange is among all of the group.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func private @f(%x: tensor<8x4xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expected a split count of 4, the size of the groups, got 2}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> : (tensor<8x4xf32>) -> tensor<4x8xf32>
  "func.return"(%0) : (tensor<4x8xf32>) -> ()
}

// -----

// No device sends twice.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func private @f(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{expected pairs of devices of mesh @mesh of which none sends or receives twice, got dense<}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

// All groups have the same root.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func private @f(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{expected the same position of the root in all groups of 'stablehlo.collective_broadcast', got 0 and 1}}
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1, 2, 3], [5, 4, 6, 7]]> : tensor<2x4xi64>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

// Every operand has a sharding.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{in_shardings: expected 1 shardings, got 0}}
  %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{"model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>}> ({
  ^bb0(%a: tensor<2x4xf32>):
    "sdy.return"(%a) : (tensor<2x4xf32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

// Every result has a sharding.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{out_shardings: expected 1 shardings, got 2}}
  %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>, manual_axes = #sdy<manual_axes{"model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>]>}> ({
  ^bb0(%a: tensor<2x4xf32>):
    "sdy.return"(%a) : (tensor<2x4xf32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

// Manual axes are named.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{expected manual_axes{"...", ...} as attribute 'manual_axes', got 'manual_axes{model}'}}
  %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>, manual_axes = #sdy<manual_axes{model}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>}> ({
  ^bb0(%a: tensor<2x4xf32>):
    "sdy.return"(%a) : (tensor<2x4xf32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

// Manual axes are those of a mesh.
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{in_shardings: unknown mesh @mesh}}
  %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>, manual_axes = #sdy<manual_axes{"model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>}> ({
  ^bb0(%a: tensor<2x4xf32>):
    "sdy.return"(%a) : (tensor<2x4xf32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

func.func @main() {
  // expected-error @+1 {{expected a mesh around 'sdy.manual_computation'}}
  "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{"model"}>, out_shardings = #sdy.sharding_per_value<[]>}> ({
    "sdy.return"() : () -> ()
  }) : () -> ()
  "func.return"() : () -> ()
}

// -----

// Manual axes exist.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{unknown axis "x"}}
  %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>}> ({
  ^bb0(%a: tensor<2x4xf32>):
    "sdy.return"(%a) : (tensor<2x4xf32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

// The region takes parts.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{expected type 'tensor<2x4xf32>' for region argument 0, the part of 'tensor<8x4xf32>', got 'tensor<4x4xf32>'}}
  %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>, manual_axes = #sdy<manual_axes{"model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>}> ({
  ^bb0(%a: tensor<4x4xf32>):
    "sdy.return"(%a) : (tensor<4x4xf32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["x"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%a: tensor<8x2xf32>, %o: tensor<6x2xf32>, %n: tensor<2xi32>) -> tensor<6x2xf32> {
  // expected-error @below {{expected an operand, an output with rows like the operand's, and four lists of 4 signed integers, one for each device of the group, got 'tensor<8x2xf32>', 'tensor<6x2xf32>', 'tensor<2xi32>'}}
  %0 = "stablehlo.custom_call"(%a, %o, %n, %n, %n, %n) <{api_version = 4 : i32, backend_config = {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}, call_target_name = "ragged_all_to_all"}>
    : (tensor<8x2xf32>, tensor<6x2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<6x2xf32>
  "func.return"(%0) : (tensor<6x2xf32>) -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["x"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%a: tensor<8x2xf32>, %n: tensor<4xi32>) -> tensor<8x2xf32> {
  // expected-error @below {{expected a matrix of integers as attribute 'replica_groups' of 'stablehlo.custom_call'}}
  %0 = "stablehlo.custom_call"(%a, %a, %n, %n, %n, %n) <{api_version = 4 : i32, call_target_name = "ragged_all_to_all"}>
    : (tensor<8x2xf32>, tensor<8x2xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<8x2xf32>
  "func.return"(%0) : (tensor<8x2xf32>) -> ()
}

// -----

// Half of the devices are no groups along axes.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @below {{expected replica groups of 'stablehlo.all_reduce' that differ along axes of mesh @mesh, got dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = "stablehlo.add"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

// The first of two is no sum.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<8x4xf32>) -> tensor<2x4xf32> {
  // expected-error @below {{expected a sum, product, minimum, maximum, and, or, or xor of its two arguments as body of 'stablehlo.reduce_scatter'}}
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    "stablehlo.return"(%l) : (tensor<f32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<2x4xf32>
  "func.return"(%0) : (tensor<2x4xf32>) -> ()
}

// -----

// Nor among more.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<8x4xf32>) -> tensor<1x32xf32> {
  // expected-error @below {{expected a split count of 4, the size of the groups, got 8}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 8 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> : (tensor<8x4xf32>) -> tensor<1x32xf32>
  "func.return"(%0) : (tensor<1x32xf32>) -> ()
}

// -----

// Nor receives one twice.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @below {{expected pairs of devices of mesh @mesh of which none sends or receives twice, got dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

// A root is the last of one group and the first of another.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @below {{expected the same position of the root in all groups of 'stablehlo.collective_broadcast', got 3 and 0}}
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[3, 0, 1, 2], [4, 5, 6, 7]]> : tensor<2x4xi64>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

// Manual axes are a list.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @below {{expected manual_axes{"...", ...} as attribute 'manual_axes', got 'manual_axes["model"]'}}
  %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>, manual_axes = #sdy<manual_axes["model"]>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>}> ({
  ^bb0(%a: tensor<2x4xf32>):
    %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
    "sdy.return"(%c) : (tensor<2x4xf32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

// Without manual axes the region takes all.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @below {{expected arguments 'tensor<8x4xf32>' in the region of 'sdy.manual_computation', got 'tensor<2x4xf32>'}}
  %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>, manual_axes = #sdy<manual_axes{}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>}> ({
  ^bb0(%a: tensor<2x4xf32>):
    %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
    "sdy.return"(%c) : (tensor<2x4xf32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

// Without manual axes the region gives all.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @below {{expected results 'tensor<8x4xf32>' in the region of 'sdy.manual_computation', got 'tensor<2x4xf32>'}}
  %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>, manual_axes = #sdy<manual_axes{}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}, {}]>]>}> ({
  ^bb0(%a: tensor<8x4xf32>):
    %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
    "sdy.return"(%c) : (tensor<2x4xf32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

// A mesh of one device has no parts either.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @below {{expected type 'tensor<8x4xf32>' for region argument 0, the part of 'tensor<8x4xf32>', got 'tensor<2x4xf32>'}}
  %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<mesh<[]>, [{}, {}]>]>, manual_axes = #sdy<manual_axes{"model"}>, out_shardings = #sdy.sharding_per_value<[<mesh<[]>, [{}, {}]>]>}> ({
  ^bb0(%a: tensor<2x4xf32>):
    %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
    "sdy.return"(%c) : (tensor<2x4xf32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

// What is exchanged has rows like what it goes into.
"sdy.mesh"() <{mesh = #sdy.mesh<["x"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%a: tensor<8x2xf32>, %o: tensor<6x3xf32>, %n: tensor<4xi32>) -> tensor<6x3xf32> {
  // expected-error @below {{expected an operand, an output with rows like the operand's, and four lists of 4 signed integers, one for each device of the group, got 'tensor<8x2xf32>', 'tensor<6x3xf32>', 'tensor<4xi32>', 'tensor<4xi32>', 'tensor<4xi32>', 'tensor<4xi32>'}}
  %0 = "stablehlo.custom_call"(%a, %o, %n, %n, %n, %n) <{api_version = 4 : i32, backend_config = {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}, call_target_name = "ragged_all_to_all"}>
    : (tensor<8x2xf32>, tensor<6x3xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<6x3xf32>
  "func.return"(%0) : (tensor<6x3xf32>) -> ()
}

// -----

// A pair has two ends.
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @below {{expected pairs of devices of mesh @mesh of which none sends or receives twice, got dense<[[0, 1, 2]]> : tensor<1x3xi64>}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}
