// RUN: tessera-opt %s -split-input-file -tessera-combine-collectives -tessera-verify-communication | FileCheck %s

tessera.mesh @mesh = <["data"=2, "model"=4]>

// CHECK-LABEL: func @independent_sums
// CHECK-NEXT: %[[C:.*]]:2 = spmd.combined(%arg0, %arg1)
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<4xf32>):
// CHECK-NEXT: %[[A:.*]] = spmd.all_reduce sum %[[X]] over <@mesh, ["data"]> : tensor<8xf32>
// CHECK-NEXT: %[[B:.*]] = spmd.all_reduce sum %[[Y]] over <@mesh, ["data"]> : tensor<4xf32>
// CHECK-NEXT: spmd.yield %[[A]], %[[B]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[C]]#0, %[[C]]#1
func.func @independent_sums(%a: tensor<8xf32>, %b: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
  %1 = spmd.all_reduce sum %b over <@mesh, ["data"]> : tensor<4xf32>
  return %0, %1 : tensor<8xf32>, tensor<4xf32>
}

// -----

tessera.mesh @mesh = <["data"=2, "model"=4]>

// Element types and dimensions may differ; kinds, groups and reductions may not.
// CHECK-LABEL: func @unlike
// CHECK: spmd.combined(%arg0, %arg1)
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<4x1xbf16>):
// CHECK-NEXT: spmd.all_gather %[[X]] dim = 0
// CHECK-NEXT: spmd.all_gather %[[Y]] dim = 1
// CHECK-NEXT: spmd.yield
// CHECK-NEXT: }
// CHECK-DAG: = spmd.all_gather %arg0 dim = 0 over <@mesh, ["model"]>
// CHECK-DAG: = spmd.all_reduce sum %arg0
// CHECK-DAG: = spmd.all_reduce max %arg0
// CHECK-NOT: spmd.combined
// CHECK: return
func.func @unlike(%a: tensor<8xf32>, %b: tensor<4x1xbf16>) -> (tensor<16xf32>, tensor<4x2xbf16>, tensor<32xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = spmd.all_gather %a dim = 0 over <@mesh, ["data"]> : tensor<8xf32> -> tensor<16xf32>
  %1 = spmd.all_gather %b dim = 1 over <@mesh, ["data"]> : tensor<4x1xbf16> -> tensor<4x2xbf16>
  %2 = spmd.all_gather %a dim = 0 over <@mesh, ["model"]> : tensor<8xf32> -> tensor<32xf32>
  %3 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
  %4 = spmd.all_reduce max %a over <@mesh, ["data"]> : tensor<8xf32>
  return %0, %1, %2, %3, %4 : tensor<16xf32>, tensor<4x2xbf16>, tensor<32xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["data"=2]>

// A sum of what another one gave is a call of its own, even where the way leads through other operations.
// CHECK-LABEL: func @chain
// CHECK-NOT: spmd.combined
// CHECK: return
func.func @chain(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
  %1 = math.exp %0 : tensor<8xf32>
  %2 = spmd.all_reduce sum %1 over <@mesh, ["data"]> : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["data"=2]>

// Each pair could be one call, but not both: the sums of the second lane go through those of the first, in opposite order.
// CHECK-LABEL: func @crossed
// CHECK: spmd.combined
// CHECK-NOT: spmd.combined
// CHECK: return
func.func @crossed(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
  %1 = spmd.all_reduce max %b over <@mesh, ["data"]> : tensor<8xf32>
  %2 = math.exp %0 : tensor<8xf32>
  %3 = math.exp %1 : tensor<8xf32>
  %4 = spmd.all_reduce max %2 over <@mesh, ["data"]> : tensor<8xf32>
  %5 = spmd.all_reduce sum %3 over <@mesh, ["data"]> : tensor<8xf32>
  return %4, %5 : tensor<8xf32>, tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["data"=2]>

// Readers of the first part, and theirs, move behind the call; what else there is keeps its place.
// CHECK-LABEL: func @readers
// CHECK-NEXT: %[[B:.*]] = math.tanh %arg1
// CHECK-NEXT: %[[C:.*]]:2 = spmd.combined
// CHECK: }
// CHECK-NEXT: %[[E:.*]] = math.exp %[[C]]#0
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[E]]
// CHECK-NEXT: return %[[N]], %[[C]]#1
func.func @readers(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
  %1 = math.exp %0 : tensor<8xf32>
  %2 = math.tanh %b : tensor<8xf32>
  %3 = arith.negf %1 : tensor<8xf32>
  %4 = spmd.all_reduce sum %2 over <@mesh, ["data"]> : tensor<8xf32>
  return %3, %4 : tensor<8xf32>, tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["data"=2]>

// What is in a loop is combined there.
// CHECK-LABEL: func @loop
// CHECK: spmd.all_reduce sum %arg0
// CHECK: scf.for
// CHECK: spmd.combined(%{{.*}}, %{{.*}}) : (tensor<8xf32>, tensor<8xf32>)
// CHECK: scf.yield
func.func @loop(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %0 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
  %1:2 = scf.for %i = %zero to %four step %one iter_args(%x = %a, %y = %a) -> (tensor<8xf32>, tensor<8xf32>) {
    %2 = spmd.all_reduce sum %x over <@mesh, ["data"]> : tensor<8xf32>
    %3 = spmd.all_reduce sum %y over <@mesh, ["data"]> : tensor<8xf32>
    scf.yield %2, %3 : tensor<8xf32>, tensor<8xf32>
  }
  return %0, %1#0, %1#1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["data"=2]>

// A call costs 5 us, and 25 GB a second go over the link: 4 MB take 30 times as long, and there is nothing to be saved.
// CHECK-LABEL: func @large
// CHECK-NOT: spmd.combined
// CHECK: return
func.func @large(%a: tensor<1048576xf32>, %b: tensor<1048576xf32>) -> (tensor<1048576xf32>, tensor<1048576xf32>) {
  %0 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<1048576xf32>
  %1 = spmd.all_reduce sum %b over <@mesh, ["data"]> : tensor<1048576xf32>
  return %0, %1 : tensor<1048576xf32>, tensor<1048576xf32>
}

// -----

tessera.mesh @mesh = <["data"=2]>

// Four of 1 MB: two of them are large together, and nothing joins these.
// CHECK-LABEL: func @full
// CHECK-COUNT-2: spmd.combined({{.*}}) : (tensor<262144xf32>, tensor<262144xf32>)
// CHECK-NOT: spmd.combined
// CHECK: return
func.func @full(%a: tensor<262144xf32>, %b: tensor<262144xf32>, %c: tensor<262144xf32>, %d: tensor<262144xf32>) -> (tensor<262144xf32>, tensor<262144xf32>, tensor<262144xf32>, tensor<262144xf32>) {
  %0 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<262144xf32>
  %1 = spmd.all_reduce sum %b over <@mesh, ["data"]> : tensor<262144xf32>
  %2 = spmd.all_reduce sum %c over <@mesh, ["data"]> : tensor<262144xf32>
  %3 = spmd.all_reduce sum %d over <@mesh, ["data"]> : tensor<262144xf32>
  return %0, %1, %2, %3 : tensor<262144xf32>, tensor<262144xf32>, tensor<262144xf32>, tensor<262144xf32>
}

// -----

tessera.mesh @mesh = <["data"=2]>

// The first sum is complete under the first product, and the second one reads it: waiting for what the third one gives
// would make it later than that.
// CHECK-LABEL: func @hidden
// CHECK-NOT: spmd.combined
// CHECK: return
func.func @hidden(%a: tensor<512x512xf32>, %m: tensor<2048x2048xf32>, %n: tensor<512x2048xf32>) -> (tensor<512x512xf32>, tensor<512x2048xf32>) {
  %0 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<512x512xf32>
  %1 = tessera.dot_general %m, %m batching = [] x [] contracting = [1] x [0] : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %2 = tessera.dot_general %0, %0 batching = [] x [] contracting = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %3 = tessera.dot_general %n, %1 batching = [] x [] contracting = [1] x [0] : (tensor<512x2048xf32>, tensor<2048x2048xf32>) -> tensor<512x2048xf32>
  %4 = spmd.all_reduce sum %3 over <@mesh, ["data"]> : tensor<512x2048xf32>
  return %2, %4 : tensor<512x512xf32>, tensor<512x2048xf32>
}

// -----

tessera.mesh @mesh = <["data"=2]>

// A loop that communicates has the links to itself: what is summed before it does not wait for what is summed behind it, and that is one call.
// CHECK-LABEL: func @around_loop
// CHECK: spmd.all_reduce
// CHECK: scf.for
// CHECK: spmd.combined({{.*}}) : (tensor<8xf32>, tensor<8xf32>)
// CHECK-NOT: spmd.combined
// CHECK: return
func.func @around_loop(%a: tensor<8xf32>, %m: tensor<64x64xf32>) -> (tensor<8xf32>, tensor<64x64xf32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 8 : index
  %0 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
  %1:2 = scf.for %i = %zero to %many step %one iter_args(%n = %m, %b = %a) -> (tensor<64x64xf32>, tensor<8xf32>) {
    %2 = tessera.dot_general %n, %n batching = [] x [] contracting = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %3 = spmd.all_reduce sum %2 over <@mesh, ["data"]> : tensor<64x64xf32>
    %4 = math.exp %b : tensor<8xf32>
    scf.yield %3, %4 : tensor<64x64xf32>, tensor<8xf32>
  }
  %5 = math.tanh %1#1 : tensor<8xf32>
  %6 = spmd.all_reduce sum %1#1 over <@mesh, ["data"]> : tensor<8xf32>
  %7 = spmd.all_reduce sum %5 over <@mesh, ["data"]> : tensor<8xf32>
  return %0, %1#0, %6, %7 : tensor<8xf32>, tensor<64x64xf32>, tensor<8xf32>, tensor<8xf32>
}
