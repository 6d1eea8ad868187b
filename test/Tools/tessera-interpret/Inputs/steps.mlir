//--- sum.mlir
func.func @main(%sum: tensor<i32> {tessera.name = "sum before", tessera.donated = 0 : i32}, %batch: tensor<i32> {tessera.name = "batch"})
    -> (tensor<i32> {tessera.name = "sum"}) {
  %0 = arith.addi %sum, %batch : tensor<i32>
  return %0 : tensor<i32>
}

//--- start.mlir
func.func @main() -> (tensor<i32> {tessera.name = "sum"}) {
  %0 = arith.constant dense<100> : tensor<i32>
  return %0 : tensor<i32>
}

//--- batches.mlir
func.func @main() -> (tensor<3xi32> {tessera.name = "batch"}) {
  %0 = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  return %0 : tensor<3xi32>
}
