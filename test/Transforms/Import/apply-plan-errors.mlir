// What is wrong in a plan is an error at its place there.
// RUN: split-file %s %t
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/axis-a.yaml 2>&1 | FileCheck %s --check-prefix=AXIS-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/axis-b.yaml 2>&1 | FileCheck %s --check-prefix=AXIS-B
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/twice-a.yaml 2>&1 | FileCheck %s --check-prefix=TWICE-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/twice-b.yaml 2>&1 | FileCheck %s --check-prefix=TWICE-B
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/twice-c.yaml 2>&1 | FileCheck %s --check-prefix=TWICE-C
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/rank-a.yaml 2>&1 | FileCheck %s --check-prefix=RANK-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/rank-b.yaml 2>&1 | FileCheck %s --check-prefix=RANK-B
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/placements-a.yaml 2>&1 | FileCheck %s --check-prefix=PLACEMENTS-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/placements-b.yaml 2>&1 | FileCheck %s --check-prefix=PLACEMENTS-B
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/dim-a.yaml 2>&1 | FileCheck %s --check-prefix=DIM-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/dim-b.yaml 2>&1 | FileCheck %s --check-prefix=DIM-B
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/factor-a.yaml 2>&1 | FileCheck %s --check-prefix=FACTOR-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/factor-b.yaml 2>&1 | FileCheck %s --check-prefix=FACTOR-B
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/product-a.yaml 2>&1 | FileCheck %s --check-prefix=PRODUCT-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/product-b.yaml 2>&1 | FileCheck %s --check-prefix=PRODUCT-B
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/dimension-a.yaml 2>&1 | FileCheck %s --check-prefix=DIMENSION-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/dimension-b.yaml 2>&1 | FileCheck %s --check-prefix=DIMENSION-B
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/packed-a.yaml 2>&1 | FileCheck %s --check-prefix=PACKED-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/packed-b.yaml 2>&1 | FileCheck %s --check-prefix=PACKED-B
// RUN: not tessera-opt %t/meshed.mlir --tessera-apply-plan=plan=%t/mesh-a.yaml 2>&1 | FileCheck %s --check-prefix=MESH-A
// RUN: not tessera-opt %t/meshed.mlir --tessera-apply-plan=plan=%t/mesh-b.yaml 2>&1 | FileCheck %s --check-prefix=MESH-B
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/none-a.yaml 2>&1 | FileCheck %s --check-prefix=NONE-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/none-b.yaml 2>&1 | FileCheck %s --check-prefix=NONE-B
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/size-a.yaml 2>&1 | FileCheck %s --check-prefix=SIZE-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/default-a.yaml 2>&1 | FileCheck %s --check-prefix=DEFAULT-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/default-b.yaml 2>&1 | FileCheck %s --check-prefix=DEFAULT-B
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/result-a.yaml 2>&1 | FileCheck %s --check-prefix=RESULT-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/result-b.yaml 2>&1 | FileCheck %s --check-prefix=RESULT-B
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/yaml-a.yaml 2>&1 | FileCheck %s --check-prefix=YAML-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/stages-a.yaml 2>&1 | FileCheck %s --check-prefix=STAGES-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/stages-b.yaml 2>&1 | FileCheck %s --check-prefix=STAGES-B
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/order-a.yaml 2>&1 | FileCheck %s --check-prefix=ORDER-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/order-b.yaml 2>&1 | FileCheck %s --check-prefix=ORDER-B
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/unknown-a.yaml 2>&1 | FileCheck %s --check-prefix=UNKNOWN-A
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/unknown-b.yaml 2>&1 | FileCheck %s --check-prefix=UNKNOWN-B
// RUN: not tessera-opt %t/loop.mlir --tessera-apply-plan=plan=%t/loop-a.yaml 2>&1 | FileCheck %s --check-prefix=LOOP-A
// RUN: not tessera-opt %t/loop.mlir --tessera-apply-plan=plan=%t/loop-b.yaml 2>&1 | FileCheck %s --check-prefix=LOOP-B
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/none.yaml 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t 2>&1 | FileCheck %s --check-prefix=FOLDER
// MISSING: none.yaml:1:1: error: cannot open the plan: No such file or directory
// FOLDER: .tmp:1:1: error: cannot open the plan: Is a directory
// AXIS-A: axis-a.yaml:3:24: error: unknown axis 'modl', expected one of data, model; did you mean 'model'?
// AXIS-B: axis-b.yaml:4:27: error: unknown axis 'head', expected one of data, model, heads; did you mean 'heads'?
// TWICE-A: twice-a.yaml:3:23: error: expected each axis once in a sharding, got 'model' twice
// TWICE-B: twice-b.yaml:3:24: error: expected each axis once in a sharding, got 'data' twice
// TWICE-C: twice-c.yaml:3:24: error: expected each axis once in a sharding, got 'model' twice
// RANK-A: rank-a.yaml:3:23: error: expected a spec of at most 2 dimensions for p['w1'], got 3
// RANK-B: rank-b.yaml:3:23: error: expected a spec of at most 1 dimensions for p['b1'], got 2
// PLACEMENTS-A: placements-a.yaml:3:52: error: expected at most 2 placements, one for each axis of the mesh
// PLACEMENTS-B: placements-b.yaml:3:40: error: expected at most 1 placements, one for each axis of the mesh
// DIM-A: dim-a.yaml:3:30: error: expected a dimension of p['w1'], which has rank 2, got 2
// DIM-B: dim-b.yaml:3:30: error: expected a dimension of p['b1'], which has rank 1, got -2
// FACTOR-A: factor-a.yaml:3:30: error: expected a split factor that is the size of later axes of the mesh on this dimension, got 2
// FACTOR-B: factor-b.yaml:3:30: error: expected a split factor that is the size of later axes of the mesh on this dimension, got 4
// PRODUCT-A: product-a.yaml:3:35: error: expected a product that takes step, which tells its rows from its columns; a spec says them without
// PRODUCT-B: product-b.yaml:3:47: error: expected a product that takes result['w1'], which tells its rows from its columns; a spec says them without
// DIMENSION-A: dimension-a.yaml:3:24: error: expected a batch dimension of p['w1'] in what takes it
// DIMENSION-B: dimension-b.yaml:3:24: error: expected a contracted dimension of p['w2'] in what takes it
// PACKED-A: packed-a.yaml:3:24: error: expected a dimension of p['w2'] of 3 equal parts, got 32
// PACKED-B: packed-b.yaml:3:24: error: expected a dimension of p['w1'] of 5 equal parts, got 32
// MESH-A: mesh-a.yaml:1:18: error: the model's mesh has no axis 'modl', but data, model; did you mean 'model'?
// MESH-B: mesh-b.yaml:1:8: error: the model's mesh has no axis 'stage', but data, model
// NONE-A: none-a.yaml:1:1: error: expected a mesh, from the model, the plan or --mesh
// NONE-B: none-b.yaml:1:1: error: expected a mesh, from the model, the plan or --mesh
// The product of the sizes overflows.
// SIZE-A: size-a.yaml:1:7: error: expected fewer than 2147483648 devices
// DEFAULT-A: default-a.yaml:4:10: error: no rule matches p['b1']
// DEFAULT-B: default-b.yaml:2:10: error: no rule matches p['w1']
// RESULT-A: result-a.yaml:3:5: error: expected a result below 1 of scope 'step/mlp', which hands on so many values, got 1
// RESULT-B: result-b.yaml:3:5: error: expected a result below 1 of scope 'step/mlp/dot_general', which hands on so many values, got 3
// YAML-A: yaml-a.yaml:1:9: error: expected a name or a value, got '}'
// STAGES-A: stages-a.yaml:2:10: error: expected stages numbered from 0 on, got stage 1 without stage 0
// STAGES-B: stages-b.yaml:2:17: error: expected stages numbered from 0 on, got stage 2 without stage 1
// ORDER-A: order-a.yaml:2:10: error: expected the parameters of stage 1 to be taken after all of stage 0
// ORDER-B: order-b.yaml:2:24: error: expected the parameters of stage 1 to be taken after all of stage 0
// UNKNOWN-A: unknown-a.yaml:2:10: error: no parameter that a product takes matches 'w3'
// UNKNOWN-B: unknown-b.yaml:2:17: error: no parameter that a product takes matches 'step'
// LOOP-A: loop-a.yaml:2:10: error: expected parameters that are taken outside of loops to tell where a stage ends, got w
// LOOP-B: loop-b.yaml:2:10: error: expected parameters that are taken outside of loops to tell where a stage ends, got w
// The consumer is shown, too.
// DIMENSION-A: note: loc("jit(step)/jvp(mlp)/dot_general"): it is taken here
// DIMENSION-B: note: loc("jit(step)/jvp()/dot_general"): it is taken here

//--- model.mlir
func.func @main(%x: tensor<8x16xf32> {tessera.name = "x"}, %w1: tensor<16x32xf32> {tessera.name = "p['w1']", tessera.donated = 1 : i32},
    %b1: tensor<32xf32> {tessera.name = "p['b1']", tessera.donated = 3 : i32}, %w2: tensor<32x16xf32> {tessera.name = "p['w2']", tessera.donated = 4 : i32}, %step: tensor<6xf32> {tessera.name = "step", tessera.donated = 2 : i32})
    -> (tensor<8x16xf32> {tessera.name = "y"}, tensor<16x32xf32> {tessera.name = "result['w1']"}, tensor<6xf32> {tessera.name = "result['step']"}, tensor<32xf32>, tensor<32x16xf32>) {
  %h = tessera.dot_general %x, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32> loc("jit(step)/jvp(mlp)/dot_general")
  %b = tessera.broadcast %b1 dims = [1] : tensor<32xf32> -> tensor<8x32xf32>
  %hb = arith.addf %h, %b : tensor<8x32xf32> loc("jit(step)/jvp(mlp)/add")
  %y = tessera.dot_general %hb, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32> loc("jit(step)/jvp()/dot_general")
  return %y, %w1, %step, %b1, %w2 : tensor<8x16xf32>, tensor<16x32xf32>, tensor<6xf32>, tensor<32xf32>, tensor<32x16xf32>
}

//--- meshed.mlir
tessera.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<8x16xf32> {tessera.name = "x"}, %w1: tensor<16x32xf32> {tessera.name = "p['w1']", tessera.donated = 1 : i32},
    %b1: tensor<32xf32> {tessera.name = "p['b1']", tessera.donated = 3 : i32}, %w2: tensor<32x16xf32> {tessera.name = "p['w2']", tessera.donated = 4 : i32}, %step: tensor<6xf32> {tessera.name = "step", tessera.donated = 2 : i32})
    -> (tensor<8x16xf32> {tessera.name = "y"}, tensor<16x32xf32> {tessera.name = "result['w1']"}, tensor<6xf32> {tessera.name = "result['step']"}, tensor<32xf32>, tensor<32x16xf32>) {
  %h = tessera.dot_general %x, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32> loc("jit(step)/jvp(mlp)/dot_general")
  %b = tessera.broadcast %b1 dims = [1] : tensor<32xf32> -> tensor<8x32xf32>
  %hb = arith.addf %h, %b : tensor<8x32xf32> loc("jit(step)/jvp(mlp)/add")
  %y = tessera.dot_general %hb, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32> loc("jit(step)/jvp()/dot_general")
  return %y, %w1, %step, %b1, %w2 : tensor<8x16xf32>, tensor<16x32xf32>, tensor<6xf32>, tensor<32xf32>, tensor<32x16xf32>
}

//--- axis-a.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: w1, style: colwise(modl)}

//--- axis-b.yaml
mesh: {data: 2, model: 4}
axes: {heads: model}
rules:
  - {match: w1, spec: [-, head]}

//--- twice-a.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: w1, spec: [model, model]}

//--- twice-b.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: w1, style: colwise(data+data)}

//--- twice-c.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: w1, style: "replicate(model, model)"}

//--- rank-a.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: w1, spec: [-, -, model]}

//--- rank-b.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: b1, spec: [..., -, model]}

//--- placements-a.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: w1, placements: [Replicate, Replicate, Shard(0)]}

//--- placements-b.yaml
mesh: {model: 4}
rules:
  - {match: w1, placements: [Shard(1), Shard(0)]}

//--- dim-a.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: w1, placements: [Shard(2)]}

//--- dim-b.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: b1, placements: {model: Shard(-2)}}

//--- factor-a.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: w1, placements: ["_StridedShard(0, split_factor=2)", Shard(0)]}

//--- factor-b.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: w1, placements: ["_StridedShard(dim=1, sf=4)", Shard(0)]}

//--- product-a.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: step, rank: 1, style: colwise(model)}

//--- product-b.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: "result/w1", role: result, style: rowwise(model)}

//--- dimension-a.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: w1, style: experts(model)}

//--- dimension-b.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: w2, style: packed(32) rowwise(model)}

//--- packed-a.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: w2, style: packed(3) rowwise(model)}

//--- packed-b.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: w1, style: packed(5) colwise(model)}

//--- mesh-a.yaml
mesh: {model: 4, modl: 2}
rules:
  - {match: w2, style: rowwise(model)}

//--- mesh-b.yaml
mesh: {stage: 4}


//--- none-a.yaml
rules:
  - {match: w2, style: rowwise(model)}

//--- none-b.yaml
default: replicate

//--- size-a.yaml
mesh: {data: 65536, model: 65536, x: 4294967296, y: 4294967296}

//--- default-a.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: "p/*", rank: 2, style: colwise(model)}
default: error

//--- default-b.yaml
mesh: {data: 2, model: 4}
default: error

//--- result-a.yaml
mesh: {data: 2, model: 4}
activations:
  - {scope: mlp, result: 1, spec: [data]}

//--- result-b.yaml
mesh: {data: 2, model: 4}
activations:
  - {scope: "mlp/*", result: 3, spec: [data]}

//--- yaml-a.yaml
rules: [}

//--- loop.mlir
func.func @main(%x: tensor<8x8xf32> {tessera.name = "x"}, %w: tensor<8x8xf32> {tessera.name = "w"}) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%r = %x) -> (tensor<8x8xf32>) : i32 {
    %p = tessera.dot_general %r, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %p : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}

//--- stages-a.yaml
mesh: {model: 4}
stages: {w1: 1}

//--- stages-b.yaml
mesh: {model: 4}
stages: {w1: 0, w2: 2}

//--- order-a.yaml
mesh: {model: 4}
stages: {w1: 1, w2: 0}

//--- order-b.yaml
mesh: {model: 4}
stages: {"{w1,w2}": 0, b1: 1}

//--- unknown-a.yaml
mesh: {model: 4}
stages: {w3: 0}

//--- unknown-b.yaml
mesh: {model: 4}
stages: {w1: 0, step: 1}

//--- loop-a.yaml
mesh: {model: 4}
stages: {w: 0}

//--- loop-b.yaml
mesh: {model: 4}
stages: {"/w": 0}
