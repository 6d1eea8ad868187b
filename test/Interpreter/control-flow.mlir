// Loops, branches, calls and kernels run their bodies; values from around a region are seen inside.
// RUN: tessera-interpret %s | FileCheck %s

func.func private @twice(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = arith.addi %x, %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

func.func @main() -> (tensor<2xi32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<i32>) {
  %a = arith.constant dense<[1, 2]> : tensor<2xi32>
  %zero = arith.constant 0 : index
  %five = arith.constant 5 : index
  %two = arith.constant 2 : index
  // Three iterations (0, 2, 4): 1 + 3 * 1, 2 + 3 * 2.
  // CHECK: result0: i32[2] = [4, 8]
  %sum = scf.for %i = %zero to %five step %two iter_args(%carried = %a) -> tensor<2xi32> {
    %next = arith.addi %carried, %a : tensor<2xi32>
    scf.yield %next : tensor<2xi32>
  }
  // Doubles until above 100.
  // CHECK: result1: i32[] = 128
  %one = arith.constant dense<1> : tensor<i32>
  %limit = arith.constant dense<100> : tensor<i32>
  %power = scf.while (%x = %one) : (tensor<i32>) -> tensor<i32> {
    %below = arith.cmpi slt, %x, %limit : tensor<i32>
    %goOn = tensor.extract %below[] : tensor<i1>
    scf.condition(%goOn) %x : tensor<i32>
  } do {
  ^bb0(%x: tensor<i32>):
    %next = arith.addi %x, %x : tensor<i32>
    scf.yield %next : tensor<i32>
  }
  // CHECK: result2: i32[2] = [2, 4]
  %true = arith.constant true
  %branch = scf.if %true -> tensor<2xi32> {
    %then = func.call @twice(%a) : (tensor<2xi32>) -> tensor<2xi32>
    scf.yield %then : tensor<2xi32>
  } else {
    scf.yield %a : tensor<2xi32>
  }
  // CHECK: result3: i32[2] = [4, 8]
  %call = func.call @twice(%branch) : (tensor<2xi32>) -> tensor<2xi32>
  // CHECK: result4: i32[2] = [3, 6]
  %kernel = spmd.kernel(%a, %branch) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32> {
  ^bb0(%x: tensor<2xi32>, %y: tensor<2xi32>):
    %s = arith.addi %x, %y : tensor<2xi32>
    spmd.yield %s : tensor<2xi32>
  }
  // CHECK: result5: i32[] = 100
  %case = scf.index_switch %five -> tensor<i32>
  case 2 {
    scf.yield %one : tensor<i32>
  }
  default {
    scf.yield %limit : tensor<i32>
  }
  return %sum, %power, %branch, %call, %kernel, %case
    : tensor<2xi32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<i32>
}
