// A parameter of the output layer that devices share out and that its product takes whole is given whole to the ranks' parts of the layer, too.
// RUN: tesserac %s --stages=2 --microbatches=2 --schedule=vocabulary-2 --check-phases -o %t.tsx 2>&1 | FileCheck %s
// CHECK: stage agrees with import
// CHECK: partition agrees with import
// CHECK: schedule agrees with import
module @jit_step {
  tessera.mesh @mesh = <["data"=1, "model"=2]>
  func.func @main(%arg0: tensor<8x64xf32> {tessera.donated = 0 : i32, tessera.name = "p['h']", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}]>}, %arg1: tensor<8x8xf32> {tessera.donated = 1 : i32, tessera.name = "p['w']", tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, %arg2: tensor<8x8xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}, %arg3: tensor<8xi32> {tessera.name = "y", tessera.sharding = #tessera.sharding<@mesh, [{"data"}]>}) -> (tensor<8x64xf32> {tessera.name = "result[0]['h']"}, tensor<8x8xf32> {tessera.name = "result[0]['w']"}, tensor<f32> {tessera.name = "result[1]"}) {
    %0 = tessera.dot_general %arg2, %arg1 batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = math.tanh %0 : tensor<8x8xf32>
    %cst = arith.constant dense<1.000000e+00> : tensor<8x8xf32>
    %2 = arith.subf %cst, %1 : tensor<8x8xf32>
    %3 = tessera.constrain %arg0 to <@mesh, [{}, {}]> : tensor<8x64xf32>
    %4 = tessera.dot_general %1, %3 batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %5 = tessera.reduce max %4 dims = [1] : tensor<8x64xf32> -> tensor<8xf32>
    %6 = tessera.broadcast %5 dims = [0] : tensor<8xf32> -> tensor<8x64xf32>
    %7 = arith.subf %4, %6 : tensor<8x64xf32>
    %8 = math.exp %7 : tensor<8x64xf32>
    %9 = tessera.reduce sum %8 dims = [1] : tensor<8x64xf32> -> tensor<8xf32>
    %10 = tessera.broadcast %9 dims = [0] : tensor<8xf32> -> tensor<8x1xf32>
    %11 = math.log %10 : tensor<8x1xf32>
    %12 = tessera.broadcast %11 dims = [0, 1] : tensor<8x1xf32> -> tensor<8x64xf32>
    %13 = arith.subf %7, %12 : tensor<8x64xf32>
    %14 = tessera.broadcast %arg3 dims = [0] : tensor<8xi32> -> tensor<8x1xi32>
    %cst_0 = arith.constant dense<0> : tensor<8x1xi32>
    %15 = arith.cmpi slt, %14, %cst_0 : tensor<8x1xi32>
    %cst_1 = arith.constant dense<64> : tensor<8x1xi32>
    %16 = arith.addi %14, %cst_1 : tensor<8x1xi32>
    %17 = arith.select %15, %16, %14 : tensor<8x1xi1>, tensor<8x1xi32>
    %18 = tessera.reshape %17 : tensor<8x1xi32> -> tensor<8x1x1xi32>
    %cst_2 = arith.constant dense<0> : tensor<8x1x1xi32>
    %19 = arith.cmpi sge, %18, %cst_2 : tensor<8x1x1xi32>
    %cst_3 = arith.constant dense<63> : tensor<8x1x1xi32>
    %20 = arith.cmpi sle, %18, %cst_3 : tensor<8x1x1xi32>
    %21 = arith.andi %19, %20 : tensor<8x1x1xi1>
    %22 = tessera.reduce and %21 dims = [2] : tensor<8x1x1xi1> -> tensor<8x1xi1>
    %23 = tessera.gather %13 at %18 offset = [] collapsed = [1] batching = [0] x [0] map = [1] vector = 2 sizes = [1, 1] : (tensor<8x64xf32>, tensor<8x1x1xi32>) -> tensor<8x1xf32>
    %cst_4 = arith.constant dense<0x7FC00000> : tensor<8x1xf32>
    %24 = arith.select %22, %23, %cst_4 : tensor<8x1xi1>, tensor<8x1xf32>
    %25 = tessera.reshape %24 : tensor<8x1xf32> -> tensor<8xf32>
    %26 = tessera.reduce sum %25 dims = [0] : tensor<8xf32> -> tensor<f32>
    %cst_5 = arith.constant dense<8.000000e+00> : tensor<f32>
    %27 = arith.divf %26, %cst_5 : tensor<f32>
    %28 = arith.negf %27 : tensor<f32>
    %cst_6 = arith.constant dense<-1.250000e-01> : tensor<8x1xf32>
    %cst_7 = arith.constant dense<0.000000e+00> : tensor<8x64xf32>
    %29 = tessera.scatter sum %cst_7, %cst_6 at %18 window = [] inserted = [1] batching = [0] x [0] map = [1] vector = 2 : (tensor<8x64xf32>, tensor<8x1x1xi32>, tensor<8x1xf32>) -> tensor<8x64xf32>
    %30 = arith.negf %29 : tensor<8x64xf32>
    %31 = tessera.reduce sum %30 dims = [1] : tensor<8x64xf32> -> tensor<8xf32>
    %32 = tessera.reshape %31 : tensor<8xf32> -> tensor<8x1xf32>
    %33 = arith.divf %32, %10 : tensor<8x1xf32>
    %34 = tessera.reduce sum %33 dims = [1] : tensor<8x1xf32> -> tensor<8xf32>
    %35 = tessera.broadcast %34 dims = [0] : tensor<8xf32> -> tensor<8x64xf32>
    %36 = arith.mulf %35, %8 : tensor<8x64xf32>
    %37 = arith.addf %29, %36 : tensor<8x64xf32>
    %38 = tessera.dot_general %37, %1 batching = [] x [] contracting = [0] x [0] : (tensor<8x64xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
    %39 = tessera.transpose %38 permutation = [1, 0] : tensor<64x8xf32> -> tensor<8x64xf32>
    %40 = tessera.dot_general %37, %3 batching = [] x [] contracting = [1] x [1] : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x8xf32>
    %41 = tessera.constrain %39 to <@mesh, [{}, {}]> : tensor<8x64xf32>
    %42 = arith.mulf %40, %2 : tensor<8x8xf32>
    %43 = arith.mulf %42, %1 : tensor<8x8xf32>
    %44 = arith.addf %42, %43 : tensor<8x8xf32>
    %45 = tessera.dot_general %44, %arg2 batching = [] x [] contracting = [0] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %46 = tessera.transpose %45 permutation = [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
    %cst_8 = arith.constant dense<1.000000e-01> : tensor<8x64xf32>
    %47 = arith.mulf %41, %cst_8 : tensor<8x64xf32>
    %48 = arith.subf %arg0, %47 : tensor<8x64xf32>
    %cst_9 = arith.constant dense<1.000000e-01> : tensor<8x8xf32>
    %49 = arith.mulf %46, %cst_9 : tensor<8x8xf32>
    %50 = arith.subf %arg1, %49 : tensor<8x8xf32>
    return %48, %50, %28 : tensor<8x64xf32>, tensor<8x8xf32>, tensor<f32>
  }
}

