// The location of a reshard says who made the value, who takes it, and how each axis got to either.
// RUN: tessera-opt %s -split-input-file -mlir-print-debuginfo -tessera-split-constants -tessera-propagate-shardings -tessera-insert-reshards -tessera-place-reductions -tessera-scatter-updates -tessera-record-provenance | FileCheck %s

// A sum that is left pending by a matmul leads to the annotation of the contracted dimension.
tessera.mesh @mesh = <["data"=2, "model"=4]>
func.func @pending_sum(
    %x: tensor<8x16xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
    %w1: tensor<16x32xf32> {tessera.name = "w1", tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>},
    %w2: tensor<32x16xf32>) -> (tensor<8x16xf32> {tessera.name = "y"}) {
  %0 = tessera.dot_general %x, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = math.tanh %0 : tensor<8x32xf32>
  %2 = tessera.dot_general %1, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}
// CHECK-LABEL: func.func @pending_sum
// CHECK: tessera.reshard {{.*}} loc(#[[LOC:loc[0-9]+]])
// CHECK-DAG: #[[DOT1:place[0-9]*]] = #tessera.place<"tessera.dot_general" at #[[AT:loc[0-9]+]]>
// CHECK-DAG: #[[Y:place[0-9]*]] = #tessera.place<"result 'y'" at
// CHECK-DAG: #[[W1:place[0-9]*]] = #tessera.place<"argument 'w1'" at
// CHECK-DAG: #[[TANH:place[0-9]*]] = #tessera.place<"math.tanh" at
// CHECK-DAG: #[[ORIGIN:origin[0-9]*]] = #tessera.origin<"model" of "producer" from #[[W1]] as #tessera.sharding<@mesh, [{}, {"model"}]> via [#{{.*}}, #[[TANH]]] skipping 0>
// CHECK-DAG: #[[WHY:why[0-9]*]] = #tessera.provenance<"pending sum" from #tessera.sharding<@mesh, [{"data"}, {}], unreduced={"model"}> to #tessera.sharding<@mesh, [{"data"}, {}]> producer #{{.*}} consumer #[[Y]] origins [#[[ORIGIN]]]>
// CHECK-DAG: #[[LOC]] = loc(fused<#[[WHY]]>[

// -----

// A result that the user wants whole keeps out the axis that splits the value.
tessera.mesh @mesh = <["x"=2]>
func.func @whole_result(%a: tensor<8xf32> {tessera.name = "a", tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    -> (tensor<8xf32> {tessera.name = "b", tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %0 = math.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// CHECK-LABEL: func.func @whole_result
// CHECK-DAG: #[[A:place[0-9]*]] = #tessera.place<"argument 'a'" at
// CHECK-DAG: #[[FROM:origin[0-9]*]] = #tessera.origin<"x" of "producer" from #[[A]] as #tessera.sharding<@mesh, [{"x"}]> via [
// CHECK-DAG: #[[OUT:origin[0-9]*]] = #tessera.origin<"x" of "consumer" from #{{.*}} as #tessera.sharding<@mesh, [{}]> via [] skipping 0>
// CHECK-DAG: #tessera.provenance<"result" from #tessera.sharding<@mesh, [{"x"}]> to #tessera.sharding<@mesh, [{}]> producer #{{.*}} consumer #{{.*}} origins [#[[FROM]], #[[OUT]]]>

// -----

// Two annotations want one axis for two dimensions: both are named, and so is the conflict, and the result that agrees with one of them.
tessera.mesh @mesh = <["x"=2]>
func.func @conflict(
    %a: tensor<64x8xf32> {tessera.name = "a", tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<64x8xf32> {tessera.name = "b", tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<64x8xf32> {tessera.name = "c", tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = arith.addf %a, %b : tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}
// CHECK-LABEL: func.func @conflict
// CHECK-DAG: #[[B:place[0-9]*]] = #tessera.place<"argument 'b'" at
// CHECK-DAG: #[[A2:place[0-9]*]] = #tessera.place<"argument 'a'" at
// CHECK-DAG: #[[FROMB:origin[0-9]*]] = #tessera.origin<"x" of "producer" from #[[B]]
// CHECK-DAG: #[[FROMA:origin[0-9]*]] = #tessera.origin<"x" of "consumer" from #[[A2]]
// CHECK-DAG: #[[C2:place[0-9]*]] = #tessera.place<"result 'c'" at
// CHECK-DAG: #[[FROMC:origin[0-9]*]] = #tessera.origin<"x" of "consumer as well" from #[[C2]] as #tessera.sharding<@mesh, [{"x"}, {}]> via [] skipping 0>
// CHECK-DAG: #tessera.provenance<"operand" from #tessera.sharding<@mesh, [{}, {"x"}]> to #tessera.sharding<@mesh, [{"x"}, {}]> producer #[[B]] consumer #{{.*}} because "\22x\22 splits dimension 0 of operand 0 there, which operand 1 split in dimension 1 does not fit" origins [#[[FROMB]], #[[FROMA]], #[[FROMC]]]>

// -----

// A constraint is gone when reshards are there; it is named all the same.
tessera.mesh @mesh = <["x"=2]>
func.func @constraint(%a: tensor<8xf32> {tessera.name = "a", tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = tessera.constrain %a to <@mesh, [{}]> : tensor<8xf32>
  %1 = math.tanh %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
// CHECK-LABEL: func.func @constraint
// CHECK-DAG: #[[CONSTRAINT:place[0-9]*]] = #tessera.place<"constraint" at
// CHECK-DAG: #tessera.origin<"x" of "consumer" from #[[CONSTRAINT]] as #tessera.sharding<@mesh, [{}]> via [] skipping 0>

// -----

// Long ways are shortened: the last four operations are named.
tessera.mesh @mesh = <["x"=2]>
func.func @long_way(%a: tensor<8xf32> {tessera.name = "a", tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    -> (tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %0 = math.tanh %a : tensor<8xf32>
  %1 = math.exp %0 : tensor<8xf32>
  %2 = math.tanh %1 : tensor<8xf32>
  %3 = math.exp %2 : tensor<8xf32>
  %4 = math.tanh %3 : tensor<8xf32>
  %5 = math.exp %4 : tensor<8xf32>
  return %5 : tensor<8xf32>
}
// CHECK-LABEL: func.func @long_way
// CHECK-DAG: #tessera.origin<"x" of "producer" from #{{.*}} via [#{{[^ ]*}}, #{{[^ ]*}}, #{{[^ ]*}}, #{{[^ ]*}}] skipping 2>

// -----

// Updates in shards whose squares are summed before they are reduced: the annotations are known all the same.
tessera.mesh @mesh = <["data"=4]>
func.func @clipped(
    %p: tensor<2048x1024xf32> {tessera.donated = 0 : i32, tessera.name = "p"},
    %q: tensor<2048x1024xf32> {tessera.donated = 1 : i32, tessera.name = "q"},
    %x: tensor<64x2048xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
    %y: tensor<64x1024xf32> {tessera.name = "y", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<2048x1024xf32>, tensor<2048x1024xf32>) {
  %g = tessera.dot_general %x, %y batching = [] x [] contracting = [0] x [0] : (tensor<64x2048xf32>, tensor<64x1024xf32>) -> tensor<2048x1024xf32>
  %s = math.absf %x : tensor<64x2048xf32>
  %h = tessera.dot_general %s, %y batching = [] x [] contracting = [0] x [0] : (tensor<64x2048xf32>, tensor<64x1024xf32>) -> tensor<2048x1024xf32>
  %gg = arith.mulf %g, %g : tensor<2048x1024xf32>
  %hh = arith.mulf %h, %h : tensor<2048x1024xf32>
  %a = tessera.reduce sum %gg dims = [0, 1] : tensor<2048x1024xf32> -> tensor<f32>
  %b = tessera.reduce sum %hh dims = [0, 1] : tensor<2048x1024xf32> -> tensor<f32>
  %sum = arith.addf %a, %b : tensor<f32>
  %norm = math.sqrt %sum : tensor<f32>
  %scale = tessera.broadcast %norm dims = [] : tensor<f32> -> tensor<2048x1024xf32>
  %u = arith.divf %g, %scale : tensor<2048x1024xf32>
  %v = arith.divf %h, %scale : tensor<2048x1024xf32>
  %0 = arith.subf %p, %u : tensor<2048x1024xf32>
  %1 = arith.subf %q, %v : tensor<2048x1024xf32>
  return %0, %1 : tensor<2048x1024xf32>, tensor<2048x1024xf32>
}
// CHECK-LABEL: func.func @clipped
// CHECK: %[[NORM:.*]] = arith.addf {{.*}}unreduced={"data"}{{.*}} : tensor<f32>
// CHECK-NEXT: tessera.reshard %[[NORM]] to <@mesh, []>
// CHECK-DAG: #[[X:place[0-9]*]] = #tessera.place<"argument 'x'" at
// CHECK-DAG: #tessera.origin<"data" of "producer" from #[[X]] as #tessera.sharding<@mesh, [{"data"}, {}]>

// -----

// A collective in per-device code is the program's own; each of its axes leads to the region that makes it manual.
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @by_hand(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = tessera.manual_computation(%a) over <@mesh, ["x"]>
      in [#tessera.sharding<@mesh, [{}, {"x"}]>] out [#tessera.sharding<@mesh, [{}, {"x"}]>]
      : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%outer: tensor<8x4xf32>):
    %1 = tessera.manual_computation(%outer) over <@mesh, ["y"]>
        in [#tessera.sharding<@mesh, [{"y"}, {}]>] out [#tessera.sharding<@mesh, [{"y"}, {}]>]
        : (tensor<8x4xf32>) -> tensor<8x4xf32> {
    ^bb0(%inner: tensor<4x4xf32>):
      %2 = spmd.all_reduce sum %inner over <@mesh, ["x", "y"]> : tensor<4x4xf32>
      tessera.yield %2 : tensor<4x4xf32>
    }
    tessera.yield %1 : tensor<8x4xf32>
  }
  return %0 : tensor<8x8xf32>
}
// CHECK-LABEL: func.func @by_hand
// CHECK-DAG: #[[REDUCE:place[0-9]*]] = #tessera.place<"spmd.all_reduce" at
// CHECK-DAG: #[[X:origin[0-9]*]] = #tessera.origin<"x" of "region" from #[[OUTER:place[0-9]*]] as #tessera.sharding<@mesh, [{}, {"x"}]> via [] skipping 0>
// CHECK-DAG: #[[Y:origin[0-9]*]] = #tessera.origin<"y" of "region" from #[[INNER:place[0-9]*]] as #tessera.sharding<@mesh, [{"y"}, {}]> via [] skipping 0>
// CHECK-DAG: #tessera.provenance<"written" from #{{.*}} to #{{.*}} producer #[[REDUCE]] consumer #[[INNER]] origins [#[[X]], #[[Y]]]>

// -----

// The product is split otherwise than propagation proposed, by columns as its operand is: its story follows the program.
tessera.mesh @mesh = <["x"=4]>
func.func @split_otherwise(
    %a: tensor<64x32xf32> {tessera.name = "a"},
    %w: tensor<32x32xf32> {tessera.name = "w", tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<64x32xf32> {tessera.name = "b", tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %c: tensor<64x32xf32> {tessera.name = "c", tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<32x32xf32> {tessera.name = "d", tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) {
  %0 = tessera.dot_general %a, %w batching = [] x [] contracting = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %1 = math.tanh %0 : tensor<64x32xf32>
  %2 = arith.addf %1, %b : tensor<64x32xf32>
  %3 = arith.mulf %2, %c : tensor<64x32xf32>
  %4 = tessera.dot_general %1, %3 batching = [] x [] contracting = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  return %4 : tensor<32x32xf32>
}
// CHECK-LABEL: func.func @split_otherwise
// CHECK-DAG: #[[W:place[0-9]*]] = #tessera.place<"argument 'w'" at
// CHECK-DAG: #[[B:place[0-9]*]] = #tessera.place<"argument 'b'" at
// CHECK-DAG: #[[DOT:place[0-9]*]] = #tessera.place<"tessera.dot_general" at
// CHECK-DAG: #[[COLUMNS:origin[0-9]*]] = #tessera.origin<"x" of "producer" from #[[W]] as #tessera.sharding<@mesh, [{}, {"x"}]> via [#[[DOT]]] skipping 0>
// CHECK-DAG: #[[ROWS:origin[0-9]*]] = #tessera.origin<"x" of "consumer" from #[[B]] as #tessera.sharding<@mesh, [{"x"}, {}]> via [
// CHECK-DAG: #[[C3:place[0-9]*]] = #tessera.place<"argument 'c'" at
// CHECK-DAG: #[[ASWELL:origin[0-9]*]] = #tessera.origin<"x" of "consumer as well" from #[[C3]] as
// CHECK-DAG: #tessera.provenance<"operand" from #tessera.sharding<@mesh, [{}, {"x"}]> to #tessera.sharding<@mesh, [{"x"}, {}]> producer #[[DOT]] consumer #{{.*}} origins [#[[COLUMNS]], #[[ROWS]], #[[ASWELL]]]>

// -----

// A sum that annotations of all layers bring together: one story is told; the others are named, those of several layers as one, and the result of a donated argument not beside the argument.
tessera.mesh @mesh = <["x"=2]>
func.func @all_layers(
    %h: tensor<64x32xf32> {tessera.name = "h"},
    %b0: tensor<32xf32> {tessera.name = "p['layer_0']['b']", tessera.donated = 1 : i64, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
    %b1: tensor<32xf32> {tessera.name = "p['layer_1']['b']", tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
    %b2: tensor<32xf32> {tessera.name = "p['layer_2']['b']", tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    -> (tensor<64xf32> {tessera.name = "sum", tessera.sharding = #tessera.sharding<@mesh, [{}]>}, tensor<32xf32> {tessera.name = "r['layer_0']['b']", tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  %0 = tessera.broadcast %b0 dims = [1] : tensor<32xf32> -> tensor<64x32xf32>
  %1 = arith.addf %h, %0 : tensor<64x32xf32>
  %2 = tessera.broadcast %b1 dims = [1] : tensor<32xf32> -> tensor<64x32xf32>
  %3 = arith.addf %1, %2 : tensor<64x32xf32>
  %4 = tessera.broadcast %b2 dims = [1] : tensor<32xf32> -> tensor<64x32xf32>
  %5 = arith.addf %3, %4 : tensor<64x32xf32>
  %6 = tessera.reduce sum %5 dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  %7 = math.tanh %b0 : tensor<32xf32>
  return %6, %7 : tensor<64xf32>, tensor<32xf32>
}
// CHECK-LABEL: func.func @all_layers
// CHECK-DAG: #[[LAST:place[0-9]*]] = #tessera.place<"argument 'p['layer_{{[0-9]}}']['b']'" at
// CHECK-DAG: #[[LAYERS:place[0-9]*]] = #tessera.place<"argument 'p['layer_*']['b']'" at
// CHECK-DAG: #[[TOLD:origin[0-9]*]] = #tessera.origin<"x" of "producer" from #[[LAST]]
// CHECK-DAG: #[[OTHERS:origin[0-9]*]] = #tessera.origin<"x" of "producer as well" from #[[LAYERS]] as #tessera.sharding<@mesh, [{"x"}]> via [] skipping 0>
// CHECK-DAG: #tessera.provenance<"pending sum" {{.*}} origins [#[[TOLD]], #[[OTHERS]]]>

// -----

// A slice of a split dimension takes parts of other devices by itself, and says why.
tessera.mesh @mesh = <["x"=4]>
func.func @part_of_a_split_dimension(%a: tensor<64x96xf32> {tessera.name = "a", tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<64x32xf32> {tessera.name = "b", tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = tessera.slice %a [0, 32] to [64, 64] by [1, 1] : tensor<64x96xf32> -> tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}
// CHECK-LABEL: func.func @part_of_a_split_dimension
// CHECK-DAG: #[[SPLIT:place[0-9]*]] = #tessera.place<"argument 'a'" at
// CHECK-DAG: #[[SLICE:place[0-9]*]] = #tessera.place<"tessera.slice" at
// CHECK-DAG: #[[WAY:origin[0-9]*]] = #tessera.origin<"x" of "producer" from #[[SPLIT]]
// CHECK-DAG: #tessera.provenance<"inside" {{.*}} producer #[[SLICE]] origins [#[[WAY]]
