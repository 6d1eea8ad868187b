func.func @main(%x: tensor<64x256xf32> {tessera.name = "x"}, %w: tensor<256x64xf32> {tessera.name = "w"}) -> (tensor<64x64xf32> {tessera.name = "y"}) {
  %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<64x256xf32>, tensor<256x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
