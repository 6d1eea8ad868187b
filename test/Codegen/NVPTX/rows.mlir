// A softmax of rows that fit into registers reads every element once and writes it once, 16 bytes at a time. There are rows enough for a warp
// each, so that both reductions are shuffles and no thread waits for another warp.
// RUN: tesserac %s --target=cuda:sm_80 --emit=ptx -o - | FileCheck %s
// RUN: tesserac %s --target=cuda:sm_90a --emit=ptx -o - | FileCheck %s
// CHECK: .visible .entry [[NAME:[a-z_]+_[0-9]+]](
// CHECK-NOT: {{\.local|\.shared|bar\.}}
// CHECK-COUNT-8: ld.global{{.*}}.v4
// CHECK-NOT: ld.global
// CHECK-COUNT-5: shfl.sync.bfly
// CHECK: ex2.approx
// CHECK-COUNT-5: shfl.sync.bfly
// CHECK-NOT: ld.global
// CHECK-COUNT-8: st.global.v4
// CHECK-NOT: {{st\.global|bar\.|\.visible}}
func.func @main(%x: tensor<8192x1024xf32> {tessera.name = "x"}) -> (tensor<8192x1024xf32> {tessera.name = "result"}) {
  %most = tessera.reduce max %x dims = [1] : tensor<8192x1024xf32> -> tensor<8192xf32>
  %0 = tessera.broadcast %most dims = [0] : tensor<8192xf32> -> tensor<8192x1024xf32>
  %1 = arith.subf %x, %0 : tensor<8192x1024xf32>
  %2 = math.exp %1 : tensor<8192x1024xf32>
  %sum = tessera.reduce sum %2 dims = [1] : tensor<8192x1024xf32> -> tensor<8192xf32>
  %3 = tessera.broadcast %sum dims = [0] : tensor<8192xf32> -> tensor<8192x1024xf32>
  %4 = arith.divf %2, %3 : tensor<8192x1024xf32>
  return %4 : tensor<8192x1024xf32>
}
