// RUN: tessera-opt %s --tessera-unify-meshes --split-input-file --verify-diagnostics

// expected-note @below {{the first mesh is here}}
tessera.mesh @a = <["x"=2]>
// expected-error @below {{expected a mesh of 2 devices like the first, got 4}}
tessera.mesh @b = <["x"=4]>

// -----

// expected-note @below {{the first mesh is here}}
tessera.mesh @a = <["x"=4]>
// expected-warning @below {{the devices of this mesh are taken in the order of @a: no axes of one mesh express both orders}}
tessera.mesh @b = <["x"=4], device_ids=[1, 0, 2, 3]>
func.func @order(%a: tensor<4xf32> {tessera.sharding = #tessera.sharding<@a, [{"x"}]>}) -> tensor<4xf32> {
  %0 = tessera.constrain %a to <@b, [{"x"}]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
