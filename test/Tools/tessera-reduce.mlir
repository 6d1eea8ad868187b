// Everything goes but what a script asks for: the other result and argument, the operations around the one that is wanted, the annotation.
// RUN: printf '#!/bin/sh\ntessera-opt "$1" | grep -q math.tanh\n' > %t.sh && chmod +x %t.sh
// RUN: tessera-reduce %s --test=%t.sh | FileCheck %s
// RUN: not tessera-reduce %s --test=false 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: printf 'func.func @step() { return }' > %t.mlir
// RUN: not tessera-reduce %t.mlir --test=%t.sh 2>&1 | FileCheck %s --check-prefix=MAIN

// WHOLE: error: {{.*}}false does not exit with 0 for {{.*}}tessera-reduce.mlir
// MAIN: error: expected a function @main
tessera.mesh @mesh = <["x"=2]>

// CHECK: func.func @main(%[[X:.*]]: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT: %[[T:.*]] = math.tanh %[[X]] : tensor<8xf32>
// CHECK-NEXT: return %[[T]] : tensor<8xf32>
func.func @main(%x: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}, %y: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>) {
  %0 = math.exp %x : tensor<8xf32>
  %1 = arith.addf %0, %x : tensor<8xf32>
  %2 = math.tanh %1 : tensor<8xf32>
  %3 = tessera.reduce sum %y dims = [0] : tensor<8x8xf32> -> tensor<8xf32>
  %4 = arith.mulf %2, %3 : tensor<8xf32>
  %5 = math.sin %4 : tensor<8xf32>
  return %y, %5 : tensor<8x8xf32>, tensor<8xf32>
}
