// A message takes the links between the two pipeline ranks: of a mesh of two devices, ranks 0 and 1 lie in one node of four, 2 and 3 in the next.
// RUN: tessera-opt %s --tessera-choose-schedule=schedule=gpipe | FileCheck %s
// RUN: sed "s/\[4, /[8, /" %s | tessera-opt --tessera-choose-schedule=schedule=gpipe | FileCheck %s --check-prefix=NODE
// RUN: sed "s/\[4, /[2, /" %s | tessera-opt --tessera-choose-schedule=schedule=gpipe | FileCheck %s --check-prefix=APART
// Without levels, messages are as slow as the slowest axis of the mesh.
// RUN: sed "s/pipe.levels/pipe.other/" %s | tessera-opt --tessera-choose-schedule=schedule=gpipe | FileCheck %s --check-prefix=AXES
// Two stages on each of two ranks: every message stays in the node.
// RUN: tessera-opt %s --tessera-choose-schedule="ranks=2 schedule=breadth-first" | FileCheck %s --check-prefix=NODE

// A message is 1000 x 4 bytes: 1 ms within a node, 40 ms between nodes, 4 s along the axis of the mesh. Beside them, hardly anything takes time.
// CHECK: pipe.seconds = {{0.042[0-9]*|4.2[0-9]*e-02}}
// NODE: pipe.seconds = {{0.003[0-9]*|3.0[0-9]*e-03}} : f64}
// APART: pipe.seconds = {{0.12[0-9]*|1.20[0-9]*e-01}}
// AXES: pipe.seconds = {{12.0[0-9]*|1.20[0-9]*e\+01}}
module attributes {pipe.levels = [[4, 0.0, 4.0e6], [0, 0.0, 1.0e5]]} {
  tessera.mesh @mesh = <["data"=2]> on <links = [[0.000000e+00, 1.000000e+03]], compute = 1.000000e+15, memory_bandwidth = 1.000000e+15, memory = 1000000>
  func.func @chain(%x: tensor<1000xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %c1 step %c1 {
      %0 = pipe.fragment forward stage 0 -> tensor<1000xf32> {
        %a = math.exp %x {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<1000xf32>
        pipe.yield %a : tensor<1000xf32>
      }
      %1 = pipe.transfer %0 from 0 to 1 : tensor<1000xf32>
      %2 = pipe.fragment forward stage 1 -> tensor<1000xf32> {
        %a = math.exp %1 {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<1000xf32>
        pipe.yield %a : tensor<1000xf32>
      }
      %3 = pipe.transfer %2 from 1 to 2 : tensor<1000xf32>
      %4 = pipe.fragment forward stage 2 -> tensor<1000xf32> {
        %a = math.exp %3 {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<1000xf32>
        pipe.yield %a : tensor<1000xf32>
      }
      %5 = pipe.transfer %4 from 2 to 3 : tensor<1000xf32>
      %6 = pipe.fragment forward stage 3 -> tensor<1000xf32> {
        %a = math.exp %5 {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<1000xf32>
        pipe.yield %a : tensor<1000xf32>
      }
    }
    return
  }
}
