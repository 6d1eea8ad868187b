// Integers and f64 become bf16 and f16 with one rounding, to the nearest and ties to even, whatever instructions a processor has; NaN stays NaN.
// The numbers lie in the middle of neighbours, and one beside it.
// RUN: tesserac %s --cpu=x86-64-v3 -o %t.tsx
// RUN: tessera-run %t.tsx --outputs=%t.safetensors
// RUN: tessera-interpret %s --expect=%t.safetensors --tolerance=0
// RUN: tesserac %s --cpu=x86-64-v4 -o %t.tsx
// RUN: tesserac %s --target=cuda -o %t.tsx
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --expect=%t.safetensors --tolerance=0
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --expect=%t.safetensors --tolerance=0

func.func @main() -> (tensor<256x3xbf16>, tensor<256x3xbf16>, tensor<256x3xf16>, tensor<256x3xf16>, tensor<1021x3xbf16>, tensor<1021x3xbf16>, tensor<1021x3xf16>, tensor<1021x3xf16>, tensor<1021x3xbf16>, tensor<1021x3xbf16>, tensor<1021x3xf16>, tensor<1021x3xf16>, tensor<1021x3xbf16>, tensor<1021x3xbf16>, tensor<1021x3xf16>, tensor<1021x3xf16>, tensor<1021x3xbf16>, tensor<1021x3xf64>, tensor<1021x3xi32>, tensor<1021x3xi16>, tensor<1021x3xf16>, tensor<1021x3xf64>, tensor<1021x3xi32>, tensor<1021x3xi16>, tensor<1021x3xi1>, tensor<1021x3xi1>, tensor<1021x3xbf16>, tensor<1021x3xf64>, tensor<1021x3xi32>, tensor<1021x3xi16>, tensor<1021x3xf16>, tensor<1021x3xf64>, tensor<1021x3xi32>, tensor<1021x3xi16>, tensor<1021x3xi1>, tensor<1021x3xi1>) {
  %row8 = tessera.iota dim = 0 : tensor<256x3xi8>
  %side8 = tessera.iota dim = 1 : tensor<256x3xi8>
  %by8 = arith.constant dense<0> : tensor<256x3xi8>
  %one8 = arith.constant dense<1> : tensor<256x3xi8>
  %large8 = arith.shli %row8, %by8 : tensor<256x3xi8>
  %above8 = arith.addi %large8, %side8 : tensor<256x3xi8>
  %x8 = arith.subi %above8, %one8 : tensor<256x3xi8>
  %sitofp8bf16 = arith.sitofp %x8 : tensor<256x3xi8> to tensor<256x3xbf16>
  %uitofp8bf16 = arith.uitofp %x8 : tensor<256x3xi8> to tensor<256x3xbf16>
  %sitofp8f16 = arith.sitofp %x8 : tensor<256x3xi8> to tensor<256x3xf16>
  %uitofp8f16 = arith.uitofp %x8 : tensor<256x3xi8> to tensor<256x3xf16>
  %row16 = tessera.iota dim = 0 : tensor<1021x3xi16>
  %side16 = tessera.iota dim = 1 : tensor<1021x3xi16>
  %by16 = arith.constant dense<5> : tensor<1021x3xi16>
  %one16 = arith.constant dense<1> : tensor<1021x3xi16>
  %large16 = arith.shli %row16, %by16 : tensor<1021x3xi16>
  %above16 = arith.addi %large16, %side16 : tensor<1021x3xi16>
  %x16 = arith.subi %above16, %one16 : tensor<1021x3xi16>
  %sitofp16bf16 = arith.sitofp %x16 : tensor<1021x3xi16> to tensor<1021x3xbf16>
  %uitofp16bf16 = arith.uitofp %x16 : tensor<1021x3xi16> to tensor<1021x3xbf16>
  %sitofp16f16 = arith.sitofp %x16 : tensor<1021x3xi16> to tensor<1021x3xf16>
  %uitofp16f16 = arith.uitofp %x16 : tensor<1021x3xi16> to tensor<1021x3xf16>
  %row32 = tessera.iota dim = 0 : tensor<1021x3xi32>
  %side32 = tessera.iota dim = 1 : tensor<1021x3xi32>
  %by32 = arith.constant dense<21> : tensor<1021x3xi32>
  %one32 = arith.constant dense<1> : tensor<1021x3xi32>
  %large32 = arith.shli %row32, %by32 : tensor<1021x3xi32>
  %above32 = arith.addi %large32, %side32 : tensor<1021x3xi32>
  %x32 = arith.subi %above32, %one32 : tensor<1021x3xi32>
  %sitofp32bf16 = arith.sitofp %x32 : tensor<1021x3xi32> to tensor<1021x3xbf16>
  %uitofp32bf16 = arith.uitofp %x32 : tensor<1021x3xi32> to tensor<1021x3xbf16>
  %sitofp32f16 = arith.sitofp %x32 : tensor<1021x3xi32> to tensor<1021x3xf16>
  %uitofp32f16 = arith.uitofp %x32 : tensor<1021x3xi32> to tensor<1021x3xf16>
  %row64 = tessera.iota dim = 0 : tensor<1021x3xi64>
  %side64 = tessera.iota dim = 1 : tensor<1021x3xi64>
  %by64 = arith.constant dense<53> : tensor<1021x3xi64>
  %one64 = arith.constant dense<1> : tensor<1021x3xi64>
  %large64 = arith.shli %row64, %by64 : tensor<1021x3xi64>
  %above64 = arith.addi %large64, %side64 : tensor<1021x3xi64>
  %x64 = arith.subi %above64, %one64 : tensor<1021x3xi64>
  %sitofp64bf16 = arith.sitofp %x64 : tensor<1021x3xi64> to tensor<1021x3xbf16>
  %uitofp64bf16 = arith.uitofp %x64 : tensor<1021x3xi64> to tensor<1021x3xbf16>
  %sitofp64f16 = arith.sitofp %x64 : tensor<1021x3xi64> to tensor<1021x3xf16>
  %uitofp64f16 = arith.uitofp %x64 : tensor<1021x3xi64> to tensor<1021x3xf16>
  %short32 = arith.constant dense<13> : tensor<1021x3xi32>
  %rows32 = arith.shli %row32, %short32 : tensor<1021x3xi32>
  %beside32 = arith.addi %rows32, %side32 : tensor<1021x3xi32>
  %y32 = arith.subi %beside32, %one32 : tensor<1021x3xi32>
  %f32 = arith.sitofp %y32 : tensor<1021x3xi32> to tensor<1021x3xf32>
  %scale32 = arith.constant dense<0.0001220703125> : tensor<1021x3xf32>
  %s32 = arith.mulf %f32, %scale32 : tensor<1021x3xf32>
  %trunc32bf16 = arith.truncf %s32 : tensor<1021x3xf32> to tensor<1021x3xbf16>
  %wide32bf16 = arith.extf %trunc32bf16 : tensor<1021x3xbf16> to tensor<1021x3xf64>
  %fptosii3232bf16 = arith.fptosi %trunc32bf16 : tensor<1021x3xbf16> to tensor<1021x3xi32>
  %fptosii1632bf16 = arith.fptosi %trunc32bf16 : tensor<1021x3xbf16> to tensor<1021x3xi16>
  %trunc32f16 = arith.truncf %s32 : tensor<1021x3xf32> to tensor<1021x3xf16>
  %wide32f16 = arith.extf %trunc32f16 : tensor<1021x3xf16> to tensor<1021x3xf64>
  %fptosii3232f16 = arith.fptosi %trunc32f16 : tensor<1021x3xf16> to tensor<1021x3xi32>
  %fptosii1632f16 = arith.fptosi %trunc32f16 : tensor<1021x3xf16> to tensor<1021x3xi16>
  %zero32 = arith.subf %f32, %f32 : tensor<1021x3xf32>
  %nan32 = arith.divf %zero32, %zero32 : tensor<1021x3xf32>
  %nan32bf16 = arith.truncf %nan32 : tensor<1021x3xf32> to tensor<1021x3xbf16>
  %isnan32bf16 = arith.cmpf uno, %nan32bf16, %nan32bf16 : tensor<1021x3xbf16>
  %nan32f16 = arith.truncf %nan32 : tensor<1021x3xf32> to tensor<1021x3xf16>
  %isnan32f16 = arith.cmpf uno, %nan32f16, %nan32f16 : tensor<1021x3xf16>
  %short64 = arith.constant dense<43> : tensor<1021x3xi64>
  %rows64 = arith.shli %row64, %short64 : tensor<1021x3xi64>
  %beside64 = arith.addi %rows64, %side64 : tensor<1021x3xi64>
  %y64 = arith.subi %beside64, %one64 : tensor<1021x3xi64>
  %f64 = arith.sitofp %y64 : tensor<1021x3xi64> to tensor<1021x3xf64>
  %scale64 = arith.constant dense<1.1368683772161603e-13> : tensor<1021x3xf64>
  %s64 = arith.mulf %f64, %scale64 : tensor<1021x3xf64>
  %trunc64bf16 = arith.truncf %s64 : tensor<1021x3xf64> to tensor<1021x3xbf16>
  %wide64bf16 = arith.extf %trunc64bf16 : tensor<1021x3xbf16> to tensor<1021x3xf64>
  %fptosii3264bf16 = arith.fptosi %trunc64bf16 : tensor<1021x3xbf16> to tensor<1021x3xi32>
  %fptosii1664bf16 = arith.fptosi %trunc64bf16 : tensor<1021x3xbf16> to tensor<1021x3xi16>
  %trunc64f16 = arith.truncf %s64 : tensor<1021x3xf64> to tensor<1021x3xf16>
  %wide64f16 = arith.extf %trunc64f16 : tensor<1021x3xf16> to tensor<1021x3xf64>
  %fptosii3264f16 = arith.fptosi %trunc64f16 : tensor<1021x3xf16> to tensor<1021x3xi32>
  %fptosii1664f16 = arith.fptosi %trunc64f16 : tensor<1021x3xf16> to tensor<1021x3xi16>
  %zero64 = arith.subf %f64, %f64 : tensor<1021x3xf64>
  %nan64 = arith.divf %zero64, %zero64 : tensor<1021x3xf64>
  %nan64bf16 = arith.truncf %nan64 : tensor<1021x3xf64> to tensor<1021x3xbf16>
  %isnan64bf16 = arith.cmpf uno, %nan64bf16, %nan64bf16 : tensor<1021x3xbf16>
  %nan64f16 = arith.truncf %nan64 : tensor<1021x3xf64> to tensor<1021x3xf16>
  %isnan64f16 = arith.cmpf uno, %nan64f16, %nan64f16 : tensor<1021x3xf16>
  return %sitofp8bf16, %uitofp8bf16, %sitofp8f16, %uitofp8f16, %sitofp16bf16, %uitofp16bf16, %sitofp16f16, %uitofp16f16, %sitofp32bf16, %uitofp32bf16, %sitofp32f16, %uitofp32f16, %sitofp64bf16, %uitofp64bf16, %sitofp64f16, %uitofp64f16, %trunc32bf16, %wide32bf16, %fptosii3232bf16, %fptosii1632bf16, %trunc32f16, %wide32f16, %fptosii3232f16, %fptosii1632f16, %isnan32bf16, %isnan32f16, %trunc64bf16, %wide64bf16, %fptosii3264bf16, %fptosii1664bf16, %trunc64f16, %wide64f16, %fptosii3264f16, %fptosii1664f16, %isnan64bf16, %isnan64f16 : tensor<256x3xbf16>, tensor<256x3xbf16>, tensor<256x3xf16>, tensor<256x3xf16>, tensor<1021x3xbf16>, tensor<1021x3xbf16>, tensor<1021x3xf16>, tensor<1021x3xf16>, tensor<1021x3xbf16>, tensor<1021x3xbf16>, tensor<1021x3xf16>, tensor<1021x3xf16>, tensor<1021x3xbf16>, tensor<1021x3xbf16>, tensor<1021x3xf16>, tensor<1021x3xf16>, tensor<1021x3xbf16>, tensor<1021x3xf64>, tensor<1021x3xi32>, tensor<1021x3xi16>, tensor<1021x3xf16>, tensor<1021x3xf64>, tensor<1021x3xi32>, tensor<1021x3xi16>, tensor<1021x3xi1>, tensor<1021x3xi1>, tensor<1021x3xbf16>, tensor<1021x3xf64>, tensor<1021x3xi32>, tensor<1021x3xi16>, tensor<1021x3xf16>, tensor<1021x3xf64>, tensor<1021x3xi32>, tensor<1021x3xi16>, tensor<1021x3xi1>, tensor<1021x3xi1>
}
