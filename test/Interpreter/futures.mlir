// Collectives that are started take place in the order of their starts, whoever waits when.
// RUN: split-file --leading-lines %s %t
// RUN: tessera-interpret %t/reversed.mlir | FileCheck %s --check-prefix=REVERSED
// RUN: tessera-interpret %t/reversed.mlir --count | FileCheck %s --check-prefix=COUNT
// RUN: tessera-interpret %t/loop.mlir | FileCheck %s --check-prefix=LOOP
// RUN: not tessera-interpret %t/order.mlir 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not tessera-interpret %t/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING

//--- reversed.mlir
tessera.mesh @mesh = <["x"=2]>
func.func @main() -> (
    tensor<1xi32> {tessera.global_type = tensor<2xi32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
    tensor<1xi32> {tessera.global_type = tensor<2xi32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %a = tessera.reshape %device : tensor<i32> -> tensor<1xi32>
  // COUNT: all_reduce
  %f = spmd.start : !spmd.future<tensor<1xi32>> {
    %0 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<1xi32>
    spmd.yield %0 : tensor<1xi32>
  }
  // COUNT: permute
  %g = spmd.start : !spmd.future<tensor<1xi32>> {
    %0 = spmd.permute %a to [1, 0] over <@mesh, ["x"]> : tensor<1xi32>
    spmd.yield %0 : tensor<1xi32>
  }
  %swapped = spmd.wait %g : !spmd.future<tensor<1xi32>>
  %sum = spmd.wait %f : !spmd.future<tensor<1xi32>>
  // REVERSED: result0: i32[2] = [1, 1]
  // REVERSED: result1: i32[2] = [1, 0]
  return %sum, %swapped : tensor<1xi32>, tensor<1xi32>
}

//--- loop.mlir
tessera.mesh @mesh = <["x"=2]>
func.func @main() -> (tensor<i32> {tessera.global_type = tensor<i32>}) {
  %one = arith.constant dense<1> : tensor<i32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %one) -> tensor<i32> {
    %f = spmd.start : !spmd.future<tensor<i32>> {
      %0 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<i32>
      spmd.yield %0 : tensor<i32>
    }
    %doubled = spmd.wait %f : !spmd.future<tensor<i32>>
    scf.yield %doubled : tensor<i32>
  }
  // LOOP: result0: i32[] = 32
  return %r : tensor<i32>
}

//--- order.mlir
tessera.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<f32>) {
  %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %first = arith.cmpi eq, %device, %zero : tensor<i32>
  %condition = tensor.extract %first[] : tensor<i1>
  scf.if %condition {
    %f = spmd.start : !spmd.future<tensor<f32>> {
      // ORDER: order.mlir:[[#@LINE+1]]:12: error: device 0 waits in 'spmd.all_reduce' over {"x"} of tensor<f32> for device 1, which never comes
      %0 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<f32>
      spmd.yield %0 : tensor<f32>
    }
    %g = spmd.start : !spmd.future<tensor<f32>> {
      %0 = spmd.all_reduce max %a over <@mesh, ["x"]> : tensor<f32>
      spmd.yield %0 : tensor<f32>
    }
    %1 = spmd.wait %g : !spmd.future<tensor<f32>>
    %2 = spmd.wait %f : !spmd.future<tensor<f32>>
  } else {
    %g = spmd.start : !spmd.future<tensor<f32>> {
      // ORDER: order.mlir:[[#@LINE+1]]:12: note: device 1 waits in 'spmd.all_reduce' over {"x"} of tensor<f32> for device 0
      %0 = spmd.all_reduce max %a over <@mesh, ["x"]> : tensor<f32>
      spmd.yield %0 : tensor<f32>
    }
    %f = spmd.start : !spmd.future<tensor<f32>> {
      %0 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<f32>
      spmd.yield %0 : tensor<f32>
    }
    %1 = spmd.wait %f : !spmd.future<tensor<f32>>
    %2 = spmd.wait %g : !spmd.future<tensor<f32>>
  }
  return
}

//--- missing.mlir
tessera.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<f32>) {
  %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %first = arith.cmpi eq, %device, %zero : tensor<i32>
  %condition = tensor.extract %first[] : tensor<i1>
  scf.if %condition {
    %f = spmd.start : !spmd.future<tensor<f32>> {
      // MISSING: missing.mlir:[[#@LINE+1]]:12: error: device 0 waits in 'spmd.all_reduce' over {"x"} of tensor<f32> for device 1, which never comes
      %0 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<f32>
      spmd.yield %0 : tensor<f32>
    }
    %1 = spmd.wait %f : !spmd.future<tensor<f32>>
  }
  // MISSING: missing.mlir:[[#@LINE+1]]:3: note: device 1 has returned here
  return
}
