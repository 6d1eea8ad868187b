// Meshes over the same devices in orders that no axes of one express, whole and by hand, at the boundary and inside: values stay, on the
// devices that were asked for; each exchange is explained.
// RUN: tesserac %s --check-phases --explain --report=%t.json -o %t.tsx 2>/dev/null | FileCheck %s
// RUN: python3 -c "import json; r = json.load(open('%t.json')); print([t.get('device_order') for t in r['arguments'] + r['results']])" | FileCheck %s --check-prefix=REPORT
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-run %t.tsx --random=3 --expect=%t.safetensors

tessera.mesh @line = <["x"=4]>
tessera.mesh @ring = <["u"=4], device_ids=[0, 3, 1, 2]>
tessera.mesh @grid = <["v"=2, "w"=2], device_ids=[2, 0, 3, 1]>

// REPORT: {{^}}{{\[\[}}0, 1, 2, 3], None, [2, 0, 3, 1], None, None, [2, 0, 3, 1], None]
// CHECK: Each device sends {{.*}} in 4 collectives
// CHECK: argument 'r' {{.*}} lies on other devices
// CHECK-NEXT: because devices hold its parts in the order [2, 0, 3, 1] and the program takes them in the order [0, 3, 1, 2]
// CHECK: result 'z' {{.*}} lies on other devices
// CHECK-NEXT: because devices hold its parts in the order [0, 3, 1, 2] and should hold them in the order [2, 0, 3, 1]
// CHECK: argument 'p' {{.*}} lies on other devices
func.func @main(%p: tensor<8x6xf32> {tessera.name = "p", tessera.sharding = #tessera.sharding<@line, [{"x"}, {}]>},
                %q: tensor<8x6xf32> {tessera.name = "q", tessera.sharding = #tessera.sharding<@ring, [{"u"}, {}]>},
                %r: tensor<9x6xf32> {tessera.name = "r", tessera.sharding = #tessera.sharding<@grid, [{"v", ?}, {"w"}]>},
                %s: tensor<8x6xf32> {tessera.name = "s", tessera.sharding = #tessera.sharding<@ring, [{}, {}]>})
    -> (tensor<8x6xf32> {tessera.name = "y", tessera.sharding = #tessera.sharding<@ring, [{"u"}, {}]>},
        tensor<9x6xf32> {tessera.name = "z", tessera.sharding = #tessera.sharding<@grid, [{"v"}, {"w"}]>},
        tensor<8x6xf32> {tessera.name = "i", tessera.sharding = #tessera.sharding<@ring, [{"u"}, {}]>}) {
  %0 = arith.addf %p, %q : tensor<8x6xf32>
  %1 = arith.mulf %0, %s : tensor<8x6xf32>
  %2 = tessera.constrain %1 to <@ring, [{"u"}, {}]> : tensor<8x6xf32>
  %3 = arith.mulf %r, %r : tensor<9x6xf32>
  %4 = tessera.manual_computation(%q) over <@ring, ["u"]> in [#tessera.sharding<@ring, [{"u"}, {}]>] out [#tessera.sharding<@ring, [{"u"}, {}]>]
    : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%part: tensor<2x6xf32>):
    %position = spmd.axis_index <@ring, ["u"]> : tensor<i32>
    %number = arith.sitofp %position : tensor<i32> to tensor<f32>
    %numbers = tessera.broadcast %number dims = [] : tensor<f32> -> tensor<2x6xf32>
    %next = spmd.permute %part to [1, 2, 3, 0] over <@ring, ["u"]> : tensor<2x6xf32>
    %sum = arith.addf %next, %numbers : tensor<2x6xf32>
    tessera.yield %sum : tensor<2x6xf32>
  }
  return %2, %3, %4 : tensor<8x6xf32>, tensor<9x6xf32>, tensor<8x6xf32>
}
