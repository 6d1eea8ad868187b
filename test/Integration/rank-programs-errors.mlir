// The runtime gives an argument and the result that it is donated to one memory on every pipeline rank that has both: code that
// expects two is refused.
// RUN: not tesserac %s --compile-from=schedule -o %t.tsx 2>&1 | FileCheck %s
// RUN: sed 's/@main(%%x: tensor<4xf32> {tessera.donated = 0 : i32})/@main(%%x: tensor<4xf32>)/; s/pipe.argument = 0 : i64}/pipe.argument = 0 : i64, tessera.donated = 0 : i32}/' %s > %t.kept.mlir
// RUN: not tesserac %t.kept.mlir --compile-from=schedule -o %t.tsx 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: error: expected argument 0 to be donated as argument 0 of @main is
// CHECK: rank-programs-errors.mlir:[[# @LINE + 2]]:{{.*}}error: expected argument 0 to be donated as argument 0 of @main is
func.func private @main(%x: tensor<4xf32> {tessera.donated = 0 : i32}) -> tensor<4xf32>
func.func @rank_0(%x: tensor<4xf32> {pipe.argument = 0 : i64}) -> (tensor<4xf32> {pipe.result = 0 : i64}) attributes {pipe.rank = 0 : i64, spmd.arena_size = 0 : i64} {
  %0 = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %b = arith.addf %a, %a : tensor<4xf32>
    spmd.yield %b : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
