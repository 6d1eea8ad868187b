tessera.mesh @mesh = <["data"=2, "model"=2]>
func.func @train(%w: tensor<8x4xf32> {tessera.name = "w", tessera.donated = 0 : i32, tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>},
                 %x: tensor<16x8xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
                 %y: tensor<16x4xf32> {tessera.name = "y"})
    -> (tensor<8x4xf32> {tessera.name = "new"}, tensor<f32> {tessera.name = "loss"}) {
  %p = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %d = arith.subf %p, %y : tensor<16x4xf32>
  %s = arith.mulf %d, %d : tensor<16x4xf32>
  %loss = tessera.reduce sum %s dims = [0, 1] : tensor<16x4xf32> -> tensor<f32>
  %g = tessera.dot_general %x, %d batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %rate = arith.constant dense<0.01> : tensor<8x4xf32>
  %u = arith.mulf %g, %rate : tensor<8x4xf32>
  %new = arith.subf %w, %u : tensor<8x4xf32>
  return %new, %loss : tensor<8x4xf32>, tensor<f32>
}
func.func @evaluate(%w: tensor<8x4xf32> {tessera.name = "w"}, %x: tensor<16x8xf32> {tessera.name = "x"}, %y: tensor<16x4xf32> {tessera.name = "y"})
    -> (tensor<f32> {tessera.name = "loss"}) {
  %p = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %d = arith.subf %p, %y : tensor<16x4xf32>
  %s = arith.mulf %d, %d : tensor<16x4xf32>
  %loss = tessera.reduce sum %s dims = [0, 1] : tensor<16x4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
