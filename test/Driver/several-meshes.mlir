// Several meshes over the same devices, in orders that no grid expresses: the values are the same in every phase; --mesh resizes the axes of all of them.
// RUN: tesserac %s --check-phases -o %t.tsx 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: tesserac %s --mesh=x=8,u=2,v=4 --check-phases -o %t.tsx 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: tesserac %s --mesh=x=8,u=2,v=4 --compile-to=shard -o - 2>&1 | FileCheck %s --check-prefix=RESIZED
// RUN: not tesserac %s --mesh=x=8,u=2 -o %t.tsx 2>&1 | FileCheck %s --check-prefix=OTHER-NUMBER
// RUN: not tesserac %s --mesh=x=8,w=2 -o %t.tsx 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECKED: partition agrees with import
// CHECKED: schedule agrees with import
// RESIZED: tessera.mesh @a = <["x"=8]>
// RESIZED-NOT: tessera.mesh
// OTHER-NUMBER: error: 'tessera.mesh' op expected a mesh of 8 devices like the first, got 2
// UNKNOWN: error: --mesh names the unknown axis 'w', the file's meshes have x, u, v
tessera.mesh @a = <["x"=4], device_ids=[0, 2, 1, 3]>
tessera.mesh @b = <["u"=2, "v"=2], device_ids=[1, 0, 2, 3]>

func.func @main(%a: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@a, [{"x"}, {}]>},
                %b: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@b, [{"u"}, {"v"}]>})
    -> (tensor<16x16xf32> {tessera.sharding = #tessera.sharding<@b, [{"v"}, {"u"}]>}) {
  %0 = tessera.dot_general %a, %b batching = [] x [] contracting = [1] x [0]
    : (tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  %1 = tessera.constrain %0 to <@a, [{}, {"x"}]> : tensor<16x16xf32>
  %2 = arith.addf %1, %1 : tensor<16x16xf32>
  return %2 : tensor<16x16xf32>
}
