// RUN: tessera-opt %s --tessera-unify-meshes --split-input-file --verify-diagnostics

// expected-note @below {{the first mesh is here}}
tessera.mesh @a = <["x"=2]>
// expected-error @below {{expected a mesh of 2 devices like the first, got 4}}
tessera.mesh @b = <["x"=4]>

// -----

// Parts of one axis that no grid holds together are on a line only, which does not have the region's axis.
// expected-note @below {{a mesh is here}}
tessera.mesh @a = <["x"=2, "y"=3]>
// expected-note @below {{a mesh is here}}
tessera.mesh @b = <["z"=6]>
func.func @partly_by_hand(%a: tensor<6x6xf32> {tessera.sharding = #tessera.sharding<@b, [{"z":(1)2}, {}]>},
                          %b: tensor<6x6xf32> {tessera.sharding = #tessera.sharding<@b, [{"z":(1)3}, {}]>}) -> tensor<6x6xf32> {
  // expected-error @below {{not supported yet: per-device code over some axes of a mesh beside parts of other meshes' axes that no axes of one mesh express with it}}
  %0 = tessera.manual_computation(%a) over <@a, ["x"]> in [#tessera.sharding<@a, [{"x"}, {?}]>] out [#tessera.sharding<@a, [{"x"}, {?}]>]
    : (tensor<6x6xf32>) -> tensor<6x6xf32> {
  ^bb0(%x: tensor<3x6xf32>):
    tessera.yield %x : tensor<3x6xf32>
  }
  return %0 : tensor<6x6xf32>
}

// -----

// The first mesh is what the others are compared with.
// expected-note @below {{the first mesh is here}}
tessera.mesh @a = <["x"=2, "y"=3]>
tessera.mesh @b = <["z"=6]>
// expected-error @below {{expected a mesh of 6 devices like the first, got 3}}
tessera.mesh @c = <["z"=3, "y"=1]>

// -----

// By hand over the axis of three.
// expected-note @below {{a mesh is here}}
tessera.mesh @a = <["x"=2, "y"=3]>
// expected-note @below {{a mesh is here}}
tessera.mesh @b = <["z"=6]>
func.func @partly_by_hand(%a: tensor<6x6xf32> {tessera.sharding = #tessera.sharding<@b, [{}, {"z":(1)2}]>},
                          %b: tensor<6x6xf32> {tessera.sharding = #tessera.sharding<@b, [{"z":(1)3}, {}]>}) -> tensor<6x6xf32> {
  // expected-error @below {{not supported yet: per-device code over some axes of a mesh beside parts of other meshes' axes that no axes of one mesh express with it}}
  %0 = tessera.manual_computation(%b) over <@a, ["y"]> in [#tessera.sharding<@a, [{?}, {"y", ?}]>] out [#tessera.sharding<@a, [{?}, {"y", ?}]>]
    : (tensor<6x6xf32>) -> tensor<6x6xf32> {
  ^bb0(%x: tensor<6x2xf32>):
    tessera.yield %x : tensor<6x2xf32>
  }
  return %0 : tensor<6x6xf32>
}
