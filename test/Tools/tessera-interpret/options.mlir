// The command line: inputs by name and position, random inputs that depend on the seed alone, comparison, exit status.
// RUN: rm -rf %t && mkdir %t
// RUN: tessera-interpret %s --random=1 --outputs=%t/one.safetensors
// RUN: tessera-interpret %s --random=1 --expect=%t/one.safetensors --tolerance=0 | FileCheck %s --check-prefix=SAME
// SAME: double: agrees, largest error 0 relative, 0 absolute
// SAME: result1: agrees
// RUN: not tessera-interpret %s --random=2 --expect=%t/one.safetensors > %t/differs
// RUN: FileCheck %s --check-prefix=DIFFERS < %t/differs
// DIFFERS: double: differs, largest error
// Status 3 is for values that differ only.
// RUN: sh -c 'tessera-interpret %s --random=2 --expect=%t/one.safetensors > %t/differs; test $? = 3'
// RUN: sh -c 'tessera-interpret %s --random --expect=%t/none.safetensors 2> %t/missing; test $? = 1'
// RUN: FileCheck %s --check-prefix=MISSING < %t/missing
// MISSING: error: {{.*}}none.safetensors: {{.*}}

// Results feed the arguments donated to them: `double` binds to argument `x`.
// RUN: not tessera-interpret %s --inputs=%t/one.safetensors 2>&1 | FileCheck %s --check-prefix=UNBOUND
// UNBOUND: error: {{.*}}one.safetensors: no tensor for argument 'arg1' of type u8[2]

// RUN: not tessera-interpret %s --inputs=%t/one.safetensors --random 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: expected --inputs or --random, got both
// RUN: not tessera-interpret %s --random=x 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: error: --random: expected a number, got 'x'
// RUN: not tessera-interpret %s --inputs=%t/absent.safetensors --random=3 2>&1 | FileCheck %s --check-prefix=BOTH-SEED
// BOTH-SEED: error: expected --inputs or --random, got both
// RUN: not tessera-interpret %s --random=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: --random: expected a number, got '-1'

// Results feed the arguments donated to them, batches give one slice each step.
// RUN: split-file %S/Inputs/steps.mlir %t/steps
// RUN: tessera-interpret %t/steps/start.mlir --outputs=%t/start.safetensors
// RUN: tessera-interpret %t/steps/batches.mlir --outputs=%t/batches.safetensors
// RUN: tessera-interpret %t/steps/sum.mlir --inputs=%t/start.safetensors --batches=%t/batches.safetensors --steps=4 | FileCheck %s --check-prefix=STEPS
// STEPS: step 1/4 sum=101
// STEPS-NEXT: step 2/4 sum=103
// STEPS-NEXT: step 3/4 sum=106
// STEPS-NEXT: step 4/4 sum=107
// RUN: not tessera-interpret %s --steps=0 2>&1 | FileCheck %s --check-prefix=NOSTEPS
// NOSTEPS: error: --steps: expected at least 1, got 0
// RUN: not tessera-interpret %s --random --steps=-2 2>&1 | FileCheck %s --check-prefix=FEWSTEPS
// FEWSTEPS: error: --steps: expected at least 1, got -2

// RUN: not tessera-interpret %s --tolerance=-1 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// TOLERANCE: error: --tolerance: {{.*}}
// RUN: not tessera-interpret %t/absent.mlir 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: {{.*}}absent.mlir

// RUN: tessera-interpret --help | FileCheck %s --check-prefix=HELP
// HELP: tessera-interpret mlp.mlir --inputs=batch.safetensors
// HELP: --inputs=<FILE>
// HELP: --count

func.func @main(%a: tensor<3xf32> {tessera.name = "x", tessera.donated = 0 : i32}, %b: tensor<2xi8> {tessera.unsigned})
    -> (tensor<3xf32> {tessera.name = "double"}, tensor<2xi8> {tessera.unsigned}) {
  %0 = arith.addf %a, %a : tensor<3xf32>
  return %0, %b : tensor<3xf32>, tensor<2xi8>
}
