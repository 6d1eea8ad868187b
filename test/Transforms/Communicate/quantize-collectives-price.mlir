// By the described machine: where the link moves 1 GB/s the sum is quantized, where it moves 450 GB/s it is not, unless the user names the axis.
// RUN: tessera-opt --tessera-quantize-collectives=collectives=sum:int8 %s --remark-policy=all --remarks-filter=tessera-communicate 2>&1 | FileCheck %s --check-prefix=SLOW
// RUN: sed s/1.0e+9/4.5e+11/ %s | tessera-opt --tessera-quantize-collectives=collectives=sum:int8 --remark-policy=all --remarks-filter=tessera-communicate 2>&1 | FileCheck %s --check-prefix=FAST
// RUN: sed s/1.0e+9/4.5e+11/ %s | tessera-opt --tessera-quantize-collectives=collectives=sum:int8@data | FileCheck %s --check-prefix=NAMED

// RUN: tessera-opt --tessera-quantize-collectives=collectives=sum:int8,gather:int8@data %s 2>&1 | FileCheck %s --check-prefix=WARNING

// One kind that is not there beside one that is.
// WARNING: warning: --quantize-collectives: expected a gather of parameters over the axes, got none
// WARNING: spmd.all_to_all
// SLOW: remark: [Passed] quantized {{.*}} Remark="all_reduce of a gradient takes 4229.3 us, for which its reader waits 4229.3 us, and sends 4194304 bytes; as blocks of int8 {{.*}} us and 1064960 bytes, and {{.*}} us to quantize, which changes the mathematics"
// SLOW: remark: [Analysis] quantized {{.*}} Remark="the mathematics has changed: 0 gathers of parameters and 1 sum of gradients are sent as int8, 1064960 bytes instead of 4194304"
// SLOW: spmd.all_to_all
// FAST: remark: [Missed] quantized {{.*}} Remark="all_reduce of a gradient takes {{.*}} us, for which its reader waits {{.*}} us, and sends 4194304 bytes; as blocks of int8
// FAST-NOT: remark
// FAST-NOT: tessera.mathematics
// FAST: spmd.all_reduce
// NAMED-NOT: spmd.all_reduce
// NAMED: spmd.all_to_all
// NAMED-NOT: spmd.all_reduce
tessera.mesh @mesh = <["data"=2]> on <links = [[1.0e-5, 1.0e+9]], compute = 4.0e+14, memory_bandwidth = 2.7e+11, memory = 80000000000>
func.func @main(%p: tensor<1048576xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %g: tensor<1048576xf32> {tessera.name = "g"}) -> tensor<1048576xf32> {
  %sum = spmd.all_reduce sum %g over <@mesh, ["data"]> : tensor<1048576xf32>
  %new = arith.subf %p, %sum : tensor<1048576xf32>
  return %new : tensor<1048576xf32>
}
