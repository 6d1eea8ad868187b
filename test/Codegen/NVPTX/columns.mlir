// The sum over many rows is two steps: sums of parts of the rows, 16 bytes of columns per thread, then the sum of the parts. Threads along the
// rows meet once, in shared memory. Nothing is atomic: results do not vary.
// RUN: tesserac %s --target=cuda:sm_80 --emit=ptx -o - | FileCheck %s
// RUN: tesserac %s --target=cuda:sm_90a --emit=ptx -o - | FileCheck %s
// CHECK-NOT: {{atom|red\.global}}
// CHECK: .visible .entry [[NAME:[a-z_]+_[0-9]+]](
// CHECK-COUNT-4: ld.global{{.*}}.v4
// CHECK: st.shared.v4
// CHECK: bar{{.*}}.sync 0
// CHECK: ld.shared.v4
// CHECK: st.global.v4
// CHECK: .visible .entry [[NAME]]_1(
// CHECK: ld.global{{.*}}.v4
// CHECK: bar{{.*}}.sync 0
// CHECK: st.global.v4
// CHECK-NOT: {{atom|red\.global}}
func.func @main(%x: tensor<8192x768xf32> {tessera.name = "x"}) -> (tensor<768xf32> {tessera.name = "result"}) {
  %0 = tessera.reduce sum %x dims = [0] : tensor<8192x768xf32> -> tensor<768xf32>
  return %0 : tensor<768xf32>
}
