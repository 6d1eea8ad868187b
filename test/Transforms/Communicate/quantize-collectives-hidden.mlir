// Nobody waits for the sum, as a product runs meanwhile: it is left alone, however slow the link, unless the user names the axis.
// RUN: tessera-opt --tessera-quantize-collectives=collectives=sum:int8 %s --remark-policy=all --remarks-filter=tessera-communicate 2>&1 | FileCheck %s
// RUN: tessera-opt --tessera-quantize-collectives=collectives=sum:int8@data %s | FileCheck %s --check-prefix=NAMED

// CHECK: remark: [Missed] quantized {{.*}} Remark="all_reduce of a gradient takes 4229.3 us, for which its reader waits 0.0 us
// CHECK-NOT: all_to_all
// NAMED: all_to_all
tessera.mesh @mesh = <["data"=2]> on <links = [[1.0e-5, 1.0e+9]], compute = 4.0e+14, memory_bandwidth = 2.7e+11, memory = 80000000000>
func.func @main(%p: tensor<1048576xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %g: tensor<1048576xf32> {tessera.name = "g"},
                %x: tensor<16384x16384xf32> {tessera.name = "x"}) -> (tensor<1048576xf32>, tensor<16384x16384xf32>) {
  %sum = spmd.all_reduce sum %g over <@mesh, ["data"]> : tensor<1048576xf32>
  %y = tessera.dot_general %x, %x batching = [] x [] contracting = [1] x [0] : (tensor<16384x16384xf32>, tensor<16384x16384xf32>) -> tensor<16384x16384xf32>
  %new = arith.subf %p, %sum : tensor<1048576xf32>
  return %new, %y : tensor<1048576xf32>, tensor<16384x16384xf32>
}
