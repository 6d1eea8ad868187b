// The inputs of a reduction by a region may be split in different ways; in two steps they follow the first.
// RUN: tesserac %s --check-phases --compile-to=partition -o /dev/null

tessera.mesh @mesh = <["y"=2]>

func.func @main(
    %a: tensor<4x4xi32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"y"}]>},
    %b: tensor<4x4xi32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<4xi32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}]>}) {
  %least = arith.constant dense<-1073741824> : tensor<i32>
  %none = arith.constant dense<99> : tensor<i32>
  %0:2 = tessera.variadic_reduce %a, %b inits %least, %none dims = [1]
      : (tensor<4x4xi32>, tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> (tensor<4xi32>, tensor<4xi32>) {
  ^bb0(%x: tensor<i32>, %p: tensor<i32>, %y: tensor<i32>, %q: tensor<i32>):
    %value = arith.maxsi %x, %y : tensor<i32>
    %place = arith.minsi %p, %q : tensor<i32>
    tessera.yield %value, %place : tensor<i32>, tensor<i32>
  }
  return %0#1 : tensor<4xi32>
}
