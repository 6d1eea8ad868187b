// What the choice of a schedule refuses, and what it says would do.
// RUN: not tessera-opt %s --tessera-choose-schedule=schedule=gpip 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tessera-opt %s --tessera-choose-schedule=schedule=dualpipe 2>&1 | FileCheck %s --check-prefix=NUMBERS
// RUN: not tessera-opt %s --tessera-choose-schedule="schedule=1f1b ranks=4" 2>&1 | FileCheck %s --check-prefix=RANKS
// RUN: not tessera-opt %s --tessera-choose-schedule=schedule=%S/nothing.csv 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not tessera-opt %s --tessera-choose-schedule=schedule=%S/Inputs/one-microbatch.csv 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not tessera-opt %s --tessera-choose-schedule=schedule=%S/Inputs/no-weight-gradient.csv 2>&1 | FileCheck %s --check-prefix=TASK
// RUN: not tessera-opt %s --tessera-choose-schedule=schedule=%S/Inputs/vocabulary.csv 2>&1 | FileCheck %s --check-prefix=VOCABULARY
// RUN: not tessera-opt %s --tessera-choose-schedule="schedule=gpipe memory-limit=150000" 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: not tessera-opt %s --tessera-choose-schedule="schedule=auto memory-limit=100000" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tessera-opt %s --tessera-choose-schedule="schedule=auto memory-limit=70000" 2>&1 | FileCheck %s --check-prefix=PARAMETERS
// RUN: not tessera-opt %s --tessera-choose-schedule="schedule=auto memory-limit=30000" 2>&1 | FileCheck %s --check-prefix=LARGEST

// NAME: error: expected a schedule's name (gpipe, 1f1b, {{.*}}), got 'gpip'; did you mean 'gpipe'?; 'auto' and FILE.csv go as well
// NUMBERS: error: schedule 'dualpipe' expects {{.*}}, got 2 ranks, 2 microbatches and 1 chunk a rank; the nearest that it takes is 2 ranks, 4 microbatches
// RANKS: error: expected a multiple of 4 pipeline ranks as number of stages, got 2
// MISSING: error: {{.*}}nothing.csv: 
// OTHER: error: {{.*}}one-microbatch.csv: expected a schedule for 2 microbatches, got one for 1
// TASK: {{^.*}}no-weight-gradient.csv:1:{{[0-9]+}}: error: expected
// VOCABULARY: error: expected a schedule of F, I, W and B tasks: the output layer is part of the last stage
// LESS: error: expected at most 150000 bytes on a device, got {{[0-9]+}} on pipeline rank 1 with schedule 'gpipe'
// LESS: note: schedule '1f1b' needs 120000
// NONE: error: expected at most 100000 bytes on a device, got
// NONE: note: no schedule of these stages needs less than 120000 ('1f1b'), of which 100000 are parameters and what the optimizer keeps; more microbatches or more stages need less
// LARGEST: note: {{.*}}; one of these alone is 40000, so no number of stages needs less than that: only a larger mesh may
// PARAMETERS: note: {{.*}}; for these alone at least 3 stages are needed
tessera.mesh @mesh = <["data"=2]> on <links = [[0.000000e+00, 1.000000e+09]], compute = 1.000000e+09, memory_bandwidth = 1.000000e+12, memory = 1000000>
func.func @two_stages(%x: tensor<100x100xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}, %w0: tensor<100x100xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, %w1: tensor<100x100xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) -> (tensor<100x100xf32>, tensor<100x100xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero0 = pipe.fragment once stage 0 -> tensor<100x100xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} {
    %0 = arith.constant {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} dense<0.0> : tensor<100x100xf32>
    pipe.yield %0 : tensor<100x100xf32>
  }
  %zero1 = pipe.fragment once stage 1 -> tensor<100x100xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} {
    %0 = arith.constant {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} dense<0.0> : tensor<100x100xf32>
    pipe.yield %0 : tensor<100x100xf32>
  }
  %sums:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc0 = %zero0, %acc1 = %zero1) -> (tensor<100x100xf32>, tensor<100x100xf32>) {
    %a = pipe.fragment forward stage 0 -> tensor<100x100xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} {
      %0 = tessera.dot_general %x, %w0 batching = [] x [] contracting = [1] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      pipe.yield %0 : tensor<100x100xf32>
    }
    %input = pipe.transfer %a from 0 to 1 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} : tensor<100x100xf32>
    %y = pipe.fragment forward stage 1 -> tensor<100x100xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} {
      %0 = tessera.dot_general %input, %w1 batching = [] x [] contracting = [1] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      pipe.yield %0 : tensor<100x100xf32>
    }
    %dx = pipe.fragment input_gradient stage 1 -> tensor<100x100xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} {
      %0 = tessera.dot_general %y, %w1 batching = [] x [] contracting = [1] x [1] {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      pipe.yield %0 : tensor<100x100xf32>
    }
    %next1 = pipe.fragment weight_gradient stage 1 -> tensor<100x100xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} {
      %0 = tessera.dot_general %input, %y batching = [] x [] contracting = [0] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      %1 = arith.addf %acc1, %0 {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} : tensor<100x100xf32>
      pipe.yield %1 : tensor<100x100xf32>
    }
    %cotangent = pipe.transfer %dx from 1 to 0 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} : tensor<100x100xf32>
    %next0 = pipe.fragment weight_gradient stage 0 -> tensor<100x100xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} {
      %0 = tessera.dot_general %x, %cotangent batching = [] x [] contracting = [0] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      %1 = arith.addf %acc0, %0 {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} : tensor<100x100xf32>
      pipe.yield %1 : tensor<100x100xf32>
    }
    scf.yield %next0, %next1 : tensor<100x100xf32>, tensor<100x100xf32>
  } {tessera.sharding = [#tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>, #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>]}
  return %sums#0, %sums#1 : tensor<100x100xf32>, tensor<100x100xf32>
}
