// What operations are taken to cost on one of two devices: 1e9 operations, 1e9 bytes of memory and 1e9 bytes of the network a second.
// RUN: tessera-opt %s --tessera-choose-schedule=schedule=gpipe | FileCheck %s

tessera.mesh @mesh = <["data"=2]> on <links = [[0.000000e+00, 1.000000e+09]], compute = 1.000000e+09, memory_bandwidth = 1.000000e+09, memory = 1000000>

func.func @costs(%x: tensor<1000xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}]>}, %whole: tensor<1000xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>},
    %parts: tensor<1000xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced={"data"}>}, %table: tensor<1000x100xf32>, %place: tensor<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c1 step %c1 {
    // Element-wise operations are one kernel: 500 exponentials of 8 operations and 500 sums, 2000 bytes read for each, but only the last result written.
    // CHECK: pipe.fragment {{ ?}}forward stage 0
    // CHECK-SAME: pipe.bytes = 6000 : i64, pipe.flops = 4500 : i64
    %0 = pipe.fragment forward stage 0 -> tensor<1000xf32> {
      %a = math.exp %x {tessera.sharding = #tessera.sharding<@mesh, [{"data"}]>} : tensor<1000xf32>
      %b = arith.addf %a, %x {tessera.sharding = #tessera.sharding<@mesh, [{"data"}]>} : tensor<1000xf32>
      pipe.yield %b : tensor<1000xf32>
    }
    // A sum that is pending over two devices is sent once, 4000 bytes, beside being read and written.
    // CHECK: pipe.fragment {{ ?}}forward stage 1
    // CHECK-SAME: pipe.bytes = 8000 : i64, pipe.flops = 0 : i64, pipe.seconds = 1.2{{.*}}e-05
    %1 = pipe.fragment forward stage 1 -> tensor<1000xf32> {
      %a = tessera.reshard %parts to <@mesh, [{}]> {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<1000xf32>
      pipe.yield %a : tensor<1000xf32>
    }
    // A loop costs its body as often as it runs; of branches the costlier counts.
    // CHECK: pipe.fragment {{ ?}}forward stage 2
    // CHECK-SAME: pipe.flops = 91000 : i64
    %2 = pipe.fragment forward stage 2 -> tensor<1000xf32> {
      %a = scf.for %j = %c0 to %c10 step %c1 iter_args(%carried = %whole) -> (tensor<1000xf32>) {
        %true = arith.constant true
        %b = scf.if %true -> (tensor<1000xf32>) {
          %c = math.exp %carried : tensor<1000xf32>
          scf.yield %c : tensor<1000xf32>
        } else {
          scf.yield %carried : tensor<1000xf32>
        }
        %c = arith.subf %b, %whole : tensor<1000xf32>
        scf.yield %c : tensor<1000xf32>
      }
      %d = arith.negf %whole : tensor<1000xf32>
      pipe.yield %a : tensor<1000xf32>
    }
    // Of a large table only the rows taken are read.
    // CHECK: pipe.fragment {{ ?}}forward stage 3
    // CHECK-SAME: pipe.bytes = 800 : i64, pipe.flops = 0 : i64
    %3 = pipe.fragment forward stage 3 -> tensor<1x100xf32> {
      %a = tessera.dynamic_slice %table[%place, %place] : (tensor<1000x100xf32>, tensor<i32>, tensor<i32>) -> tensor<1x100xf32>
      pipe.yield %a : tensor<1x100xf32>
    }
  }
  return
}
