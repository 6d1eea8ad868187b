// A softmax of rows that fit into registers reads every element once and writes it once, 16 bytes at a time; two warps share a row, so that
// each of its two reductions takes shuffles and one barrier.
// RUN: tesserac %s --target=cuda:sm_80 --emit=ptx -o - | FileCheck %s
// RUN: tesserac %s --target=cuda:sm_90a --emit=ptx -o - | FileCheck %s
// CHECK: .visible .entry [[NAME:[a-z_]+_[0-9]+]](
// CHECK-NOT: .local
// CHECK-COUNT-4: ld.global{{.*}}.v4
// CHECK-NOT: ld.global
// CHECK: shfl.sync.bfly
// CHECK: st.shared
// CHECK: bar{{.*}}.sync 0
// CHECK: ld.shared
// CHECK: ex2.approx
// CHECK: shfl.sync.bfly
// CHECK: bar{{.*}}.sync 0
// CHECK-NOT: bar{{.*}}.sync
// CHECK-NOT: ld.global
// CHECK-COUNT-4: st.global.v4
// CHECK-NOT: .visible
func.func @main(%x: tensor<512x1024xf32> {tessera.name = "x"}) -> (tensor<512x1024xf32> {tessera.name = "result"}) {
  %most = tessera.reduce max %x dims = [1] : tensor<512x1024xf32> -> tensor<512xf32>
  %0 = tessera.broadcast %most dims = [0] : tensor<512xf32> -> tensor<512x1024xf32>
  %1 = arith.subf %x, %0 : tensor<512x1024xf32>
  %2 = math.exp %1 : tensor<512x1024xf32>
  %sum = tessera.reduce sum %2 dims = [1] : tensor<512x1024xf32> -> tensor<512xf32>
  %3 = tessera.broadcast %sum dims = [0] : tensor<512xf32> -> tensor<512x1024xf32>
  %4 = arith.divf %2, %3 : tensor<512x1024xf32>
  return %4 : tensor<512x1024xf32>
}
