func.func @double(%w: tensor<4xf32> {tessera.name = "w", tessera.donated = 0 : i32}) -> (tensor<4xf32> {tessera.name = "new"}) {
  %0 = arith.addf %w, %w : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @square(%w: tensor<4xf32> {tessera.name = "w", tessera.donated = 0 : i32}) -> (tensor<4xf32> {tessera.name = "new"}) {
  %0 = arith.mulf %w, %w : tensor<4xf32>
  return %0 : tensor<4xf32>
}
