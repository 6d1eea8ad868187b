// Tuning records decide about blocks of reductions and vectors of element-wise loop nests, as they do about tiles of products; results stay what they are.
// RUN: tesserac %s -o %t.cpu.tsx
// RUN: tessera-run %t.cpu.tsx --random=1 --outputs=%t.safetensors
// RUN: tesserac %s --target=cuda:sm_80 -o %t.model.tsx
// RUN: tesserac %s --target=cuda:sm_80 --tuning=%S/Inputs/blocks.json -o %t.tsx
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --random=1 --expect=%t.safetensors --tolerance=1e-5
// RUN: tesserac --inspect %t.model.tsx | FileCheck %s --check-prefix=MODEL
// RUN: tesserac --inspect %t.tsx | FileCheck %s
// What the model chooses is something else.
// MODEL-NOT: sm_80 24 x 128
// Softmax of 48 rows: two of them in a block of 64 threads each.
// CHECK-DAG: sm_80 24 x 128
// Sums of 48 longer rows: four parts of a row, a warp each; and the step that adds them up.
// CHECK-DAG: sm_80 192 x 32
// 40 columns are 10 vectors, 8 of which are in a block; two parts of 150 rows.
// CHECK-DAG: sm_80 4 x 128
// 5120 vectors, two for each of 256 threads.
// CHECK-DAG: sm_80 10 x 256
func.func @main(%a: tensor<48x1024xf32> {tessera.name = "a"}, %b: tensor<48x2048xf32> {tessera.name = "b"}, %c: tensor<150x40xf32> {tessera.name = "c"},
                %d: tensor<20480xf32> {tessera.name = "d"})
    -> (tensor<48x1024xf32> {tessera.name = "result[0]"}, tensor<48xf32> {tessera.name = "result[1]"}, tensor<40xf32> {tessera.name = "result[2]"}, tensor<20480xf32> {tessera.name = "result[3]"}) {
  %most = tessera.reduce max %a dims = [1] : tensor<48x1024xf32> -> tensor<48xf32>
  %0 = tessera.broadcast %most dims = [0] : tensor<48xf32> -> tensor<48x1024xf32>
  %1 = arith.subf %a, %0 : tensor<48x1024xf32>
  %2 = math.exp %1 : tensor<48x1024xf32>
  %sum = tessera.reduce sum %2 dims = [1] : tensor<48x1024xf32> -> tensor<48xf32>
  %3 = tessera.broadcast %sum dims = [0] : tensor<48xf32> -> tensor<48x1024xf32>
  %4 = arith.divf %2, %3 : tensor<48x1024xf32>
  %5 = tessera.reduce sum %b dims = [1] : tensor<48x2048xf32> -> tensor<48xf32>
  %6 = tessera.reduce sum %c dims = [0] : tensor<150x40xf32> -> tensor<40xf32>
  %7 = math.exp %d : tensor<20480xf32>
  return %4, %5, %6, %7 : tensor<48x1024xf32>, tensor<48xf32>, tensor<40xf32>, tensor<20480xf32>
}
