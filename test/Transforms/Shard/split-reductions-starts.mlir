// Initial values that count: each part starts from nothing, and they are combined with the parts once.
// RUN: tesserac %s --check-phases --compile-to=partition -o - 2>/dev/null | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --random=3 --expect=%t.safetensors --tolerance=1e-6

tessera.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @main(
// CHECK: tessera.variadic_reduce {{.*}} dims = [2] {{.*}} -> (tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xi1>)
// CHECK-NEXT: ^bb0(%[[A:[^:]*]]: tensor<f32> {{.*}}, %[[B:[^:]*]]: tensor<f32> {{.*}}, %[[HELD:[^:]*]]: tensor<i1> {{.*}}, %[[C:[^:]*]]: tensor<f32> {{.*}}, %[[D:[^:]*]]: tensor<f32> {{.*}}, %[[HOLDS:[^:]*]]: tensor<i1> {{.*}}):
// CHECK: %[[SUM:.*]] = arith.addf %[[A]], %[[C]]
// CHECK: %[[LEFT:.*]] = arith.select %[[HOLDS]], %[[SUM]], %[[A]]
// CHECK: %[[FIRST:.*]] = arith.select %[[HELD]], %[[LEFT]], %[[C]]
// CHECK: %[[EITHER:.*]] = arith.ori %[[HELD]], %[[HOLDS]]
// CHECK: tessera.yield %[[FIRST]], {{.*}}, %[[EITHER]]
// CHECK: tessera.variadic_reduce {{.*}} dims = [1] {{.*}} -> (tensor<8xf32>, tensor<8xf32>)

// A constant of which the body makes another one.
// CHECK: tessera.variadic_reduce {{.*}} dims = [1] {{.*}} -> (tensor<1xf32>, tensor<1xi1>)
// CHECK: tessera.variadic_reduce {{.*}} dims = [0] {{.*}} -> tensor<f32>
func.func @main(%a: tensor<8x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
                %b: tensor<64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}, %start: tensor<f32>)
    -> (tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}, tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}, tensor<f32>) {
  %three = arith.constant dense<3.0> : tensor<f32>
  %0:2 = tessera.variadic_reduce %a, %a inits %three, %start dims = [1]
      : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<f32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x: tensor<f32>, %p: tensor<f32>, %y: tensor<f32>, %q: tensor<f32>):
    %sum = arith.addf %x, %y : tensor<f32>
    %largest = arith.maximumf %p, %q : tensor<f32>
    tessera.yield %sum, %largest : tensor<f32>, tensor<f32>
  }
  %1 = tessera.variadic_reduce %b inits %three dims = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32> {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = arith.addf %x, %y : tensor<f32>
    tessera.yield %sum : tensor<f32>
  }
  return %0#0, %0#1, %1 : tensor<8xf32>, tensor<8xf32>, tensor<f32>
}
