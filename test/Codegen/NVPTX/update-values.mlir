// A box of rows is stored by 16 bytes at a time wherever it lies, one that may begin anywhere if it begins at a multiple of them.
// RUN: rm -rf %t.ptx && tesserac %s --target=cuda:sm_80 --emit=ptx -o %t.ptx/ && cat %t.ptx/*.ptx | FileCheck %s
// RUN: tesserac %s -o %t.cpu.tsx
// RUN: tessera-run %t.cpu.tsx --random=1 --outputs=%t.safetensors
// RUN: tesserac %s --target=cuda:sm_80 -o %t.tsx
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --random=1 --expect=%t.safetensors --tolerance=0
// CHECK: .entry
// CHECK: st.global.v4.
func.func @main(%cache: tensor<2x3x16x8xf32> {tessera.name = "cache"}, %new: tensor<2x3x1x8xf32> {tessera.name = "new"},
                %buffer: tensor<64xbf16> {tessera.name = "buffer"}, %chunk: tensor<16xbf16> {tessera.name = "chunk"}, %at: tensor<i32> {tessera.name = "at"})
    -> (tensor<2x3x16x8xf32> {tessera.name = "result[0]"}, tensor<64xbf16> {tessera.name = "result[1]"}, tensor<64xbf16> {tessera.name = "result[2]"}) {
  %zero = arith.constant dense<0> : tensor<i32>
  %sixteen = arith.constant dense<16> : tensor<i32>
  %five = arith.constant dense<5> : tensor<i32>
  %0 = tessera.dynamic_update_slice %cache, %new [%zero, %zero, %at, %zero] : (tensor<2x3x16x8xf32>, tensor<2x3x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x3x16x8xf32>
  %three = arith.constant dense<3> : tensor<i32>
  %eight = arith.constant dense<8> : tensor<i32>
  %bits = arith.andi %at, %three : tensor<i32>
  %low = arith.muli %bits, %eight : tensor<i32>
  %aligned = arith.addi %low, %sixteen : tensor<i32>
  %between = arith.addi %low, %five : tensor<i32>
  %1 = tessera.dynamic_update_slice %buffer, %chunk [%aligned] : (tensor<64xbf16>, tensor<16xbf16>, tensor<i32>) -> tensor<64xbf16>
  %2 = tessera.dynamic_update_slice %buffer, %chunk [%between] : (tensor<64xbf16>, tensor<16xbf16>, tensor<i32>) -> tensor<64xbf16>
  return %0, %1, %2 : tensor<2x3x16x8xf32>, tensor<64xbf16>, tensor<64xbf16>
}
