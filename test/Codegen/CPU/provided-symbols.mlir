// A program that calls what no machine that loads it need have is refused where it is compiled, at the operation that the call comes from.
// RUN: tesserac %s --compile-to=codegen -o %t.codegen.mlir
// RUN: sed 's/@erf\b/@__truncsfbf2/g' %t.codegen.mlir > %t.mlir
// RUN: not tesserac %t.mlir --compile-from=codegen -o %t.tsx 2>&1 | FileCheck %s
// RUN: sed 's/@erf\b/@system/g' %t.codegen.mlir > %t.system.mlir
// RUN: not tesserac %t.system.mlir --compile-from=codegen -o %t.tsx 2>&1 | FileCheck %s --check-prefix=SYSTEM
// SYSTEM: error: expected code that calls the runtime, the C library and its mathematical library only, got a call of 'system' in 'erf_0_body'
// RUN: tesserac %t.codegen.mlir --compile-from=codegen -o %t.tsx
func.func @main(%x: tensor<5xf64>) -> tensor<5xf64> {
  // CHECK: provided-symbols.mlir:[[#@LINE+1]]:8: error: expected code that calls the runtime, the C library and its mathematical library only, got a call of '__truncsfbf2' in 'erf_0_body'
  %0 = math.erf %x : tensor<5xf64>
  return %0 : tensor<5xf64>
}
