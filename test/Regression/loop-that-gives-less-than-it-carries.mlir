// A loop may carry other values than it gives, in another number and order.
// RUN: tessera-fuzz %s --execute

func.func @main(%a: tensor<4000xf32>, %b: tensor<6000xi32>) -> (tensor<6000xi32>, tensor<2000xf32>) {
  %zero = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %limit = arith.constant dense<3> : tensor<i32>
  %0:3 = scf.while (%x = %a, %y = %b, %i = %zero) : (tensor<4000xf32>, tensor<6000xi32>, tensor<i32>)
      -> (tensor<6000xi32>, tensor<2000xf32>, tensor<i32>) {
    %below = arith.cmpi slt, %i, %limit : tensor<i32>
    %go = tensor.extract %below[] : tensor<i1>
    %front = tessera.slice %x [0] to [2000] by [1] : tensor<4000xf32> -> tensor<2000xf32>
    scf.condition(%go) %y, %front, %i : tensor<6000xi32>, tensor<2000xf32>, tensor<i32>
  } do {
  ^bb0(%y: tensor<6000xi32>, %front: tensor<2000xf32>, %i: tensor<i32>):
    %next = arith.addi %i, %one : tensor<i32>
    %sum = arith.addi %y, %b : tensor<6000xi32>
    %twice = arith.addf %front, %front : tensor<2000xf32>
    %both = tessera.concatenate %twice, %front dim = 0 : (tensor<2000xf32>, tensor<2000xf32>) -> tensor<4000xf32>
    scf.yield %both, %sum, %next : tensor<4000xf32>, tensor<6000xi32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<6000xi32>, tensor<2000xf32>
}
