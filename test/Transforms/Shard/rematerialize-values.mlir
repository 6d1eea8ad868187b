// RUN: tessera-opt --tessera-rematerialize-values --cse --tessera-verify-sharded --split-input-file %s | FileCheck %s

tessera.mesh @mesh = <["x"=4]>

// The row goes to all devices, not the matrix that repeats it.
// CHECK-LABEL: func.func @row_instead_of_matrix(
// CHECK-SAME: %[[ROW:[a-z0-9]*]]: tensor<1024xf32>
// CHECK-NEXT: %[[WHOLE:.*]] = tessera.reshard %[[ROW]] to <@mesh, [{}]>
// CHECK-NEXT: %[[MATRIX:.*]] = tessera.broadcast %[[WHOLE]] dims = [1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}
// CHECK-NEXT: return %[[MATRIX]]
func.func @row_instead_of_matrix(%row: tensor<1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    -> (tensor<512x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) {
  %0 = tessera.broadcast %row dims = [1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>} : tensor<1024xf32> -> tensor<512x1024xf32>
  %1 = tessera.reshard %0 to <@mesh, [{}, {}]> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>} : tensor<512x1024xf32>
  return %1 : tensor<512x1024xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A mask of counts and lengths: the counts cost nothing, the lengths are moved. What nobody needs in shards any more is gone.
// CHECK-LABEL: func.func @lengths_instead_of_mask(
// CHECK-SAME: %[[LENGTHS:[a-z0-9]*]]: tensor<1024xi32>
// CHECK-NEXT: %[[WHOLE:.*]] = tessera.reshard %[[LENGTHS]] to <@mesh, [{}]>
// CHECK-NOT: {"x"}
// CHECK: %[[MASK:.*]] = arith.cmpi slt
// CHECK-NEXT: return %[[MASK]]
func.func @lengths_instead_of_mask(%lengths: tensor<1024xi32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    -> (tensor<1024x4096xi1> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) {
  %0 = tessera.iota dim = 1 {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>} : tensor<1024x4096xi32>
  %1 = tessera.broadcast %lengths dims = [0] {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>} : tensor<1024xi32> -> tensor<1024x4096xi32>
  %2 = arith.cmpi slt, %0, %1 {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>} : tensor<1024x4096xi32>
  %3 = tessera.reshard %2 to <@mesh, [{}, {}]> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>} : tensor<1024x4096xi1>
  return %3 : tensor<1024x4096xi1>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// Half the bytes: what is converted is moved before. The sum, which two others are made of, is moved once and is no smaller than its operands: it is not made again.
// CHECK-LABEL: func.func @narrow_type(
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>} : tensor<1024x1024xbf16>
// CHECK-NEXT: %[[WHOLE:.*]] = tessera.reshard %[[SUM]] to <@mesh, [{}, {}]>
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[WHOLE]] {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}
// CHECK-NEXT: %[[NEGATED:.*]] = arith.negf %[[WIDE]]
// CHECK-NEXT: return %[[WIDE]], %[[NEGATED]]
func.func @narrow_type(%a: tensor<1024x1024xbf16> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<1024x1024xbf16> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<1024x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, tensor<1024x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) {
  %0 = arith.addf %a, %b {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>} : tensor<1024x1024xbf16>
  %1 = arith.extf %0 {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>} : tensor<1024x1024xbf16> to tensor<1024x1024xf32>
  %2 = arith.negf %1 {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>} : tensor<1024x1024xf32>
  %3 = tessera.reshard %1 to <@mesh, [{}, {}]> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>} : tensor<1024x1024xf32>
  %4 = tessera.reshard %2 to <@mesh, [{}, {}]> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>} : tensor<1024x1024xf32>
  return %3, %4 : tensor<1024x1024xf32>, tensor<1024x1024xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// Outside of a loop rather than in every iteration of it.
// CHECK-LABEL: func.func @out_of_the_loop(
// CHECK-SAME: %[[A:[a-z0-9]*]]: tensor<1024x1024xf32>
// CHECK: %[[WHOLE:.*]] = tessera.reshard %[[A]] to <@mesh, [{}, {}]>
// CHECK: scf.for
// CHECK-NOT: tessera.reshard
// CHECK: arith.mulf %[[WHOLE]], %{{.*}} {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}
func.func @out_of_the_loop(%a: tensor<1024x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}, %s: tensor<1024x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>})
    -> (tensor<1024x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %0 = scf.for %i = %zero to %eight step %one iter_args(%sum = %s) -> tensor<1024x1024xf32> {
    %two = arith.constant {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>} dense<2.0> : tensor<1024x1024xf32>
    %1 = arith.mulf %a, %two {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>} : tensor<1024x1024xf32>
    %2 = tessera.reshard %1 to <@mesh, [{}, {}]> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>} : tensor<1024x1024xf32>
    %3 = arith.addf %sum, %2 {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>} : tensor<1024x1024xf32>
    scf.yield %3 : tensor<1024x1024xf32>
  } {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}
  return %0 : tensor<1024x1024xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A sum is no work on elements, and a constant's parts are made where they are needed.
// CHECK-LABEL: func.func @what_is_made_again(
// CHECK: %[[SUM:.*]] = tessera.reduce
// CHECK: %[[WHOLE:.*]] = tessera.reshard %[[SUM]] to <@mesh, [{}]>
// CHECK: %[[COUNT:.*]] = tessera.iota dim = 0 {tessera.sharding = #tessera.sharding<@mesh, [{}]>}
// CHECK: return %[[WHOLE]], %[[COUNT]]
func.func @what_is_made_again(%a: tensor<1024x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}, tensor<1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %0 = tessera.reduce sum %a dims = [1] {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>} : tensor<1024x4xf32> -> tensor<1024xf32>
  %1 = tessera.reshard %0 to <@mesh, [{}]> {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<1024xf32>
  %2 = tessera.iota dim = 0 {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>} : tensor<1024xf32>
  %3 = tessera.reshard %2 to <@mesh, [{}]> {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<1024xf32>
  return %1, %3 : tensor<1024xf32>, tensor<1024xf32>
}
