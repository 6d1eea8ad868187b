// Nothing depends on the batch: there is no stage to cut.
// RUN: tesserac %s --microbatches=2 --check-phases -o %t.tsx 2>&1 | FileCheck %s
// RUN: not tesserac %s --stages=2 --microbatches=2 -o %t.tsx 2>&1 | FileCheck %s --check-prefix=STAGES
// CHECK: schedule agrees with import
// STAGES: error: expected a loop over microbatches to cut into stages
// STAGES-NOT: error
func.func @main(%x: tensor<4x4xf32> {tessera.batch = 0 : i64}, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.tanh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
