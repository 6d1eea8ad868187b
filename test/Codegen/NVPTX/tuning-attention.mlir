// Tuning records decide about the blocks of attention and its gradient, and whether warp groups compute it; results stay what they are. What has no registers is passed over.
// RUN: tesserac %s --target=cuda -o %t.model.tsx
// RUN: tesserac %s --target=cuda --tuning=%S/Inputs/attention.json -o %t.tsx
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.model.tsx --backend=emulated --random=1 --outputs=%t.safetensors
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --random=1 --expect=%t.safetensors --tolerance=2e-2
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --random=1 --expect=%t.safetensors --tolerance=2e-2
// RUN: tesserac --inspect %t.tsx | FileCheck %s
// Of 80 queries and keys of two heads: 32 rows of two warps, three blocks for each head; 128 rows of eight warps; 64 rows of one warp group, and another that copies.
// CHECK-DAG: attention_{{[0-9]+}} sm_80 6 x 64
// CHECK-DAG: sm_80 2 x 256
// CHECK-DAG: sm_80 6 x 64
// CHECK-DAG: attention_{{[0-9]+}} sm_90a 4 x 256
// And where a record asks for warps, warp groups are not taken.
// RUN: echo '{"records": [{"kernel": "attention", "tile": "2x32/2"}]}' > %t.warps.json
// RUN: tesserac %s --target=cuda:sm_90a --tuning=%t.warps.json -o %t.warps.tsx
// RUN: tesserac --inspect %t.warps.tsx | FileCheck %s --check-prefix=WARPS
// WARPS: attention_{{[0-9]+}} sm_90a 6 x 64
func.func @main(%q: tensor<1x2x80x64xbf16> {tessera.name = "q"}, %k: tensor<1x2x80x64xbf16> {tessera.name = "k"}, %v: tensor<1x2x80x64xbf16> {tessera.name = "v"},
                %g: tensor<1x2x80x64xbf16> {tessera.name = "g"})
    -> (tensor<1x2x80x64xbf16> {tessera.name = "result[0]"}, tensor<1x2x80x64xbf16> {tessera.name = "result[1]"}, tensor<1x2x80x64xbf16> {tessera.name = "result[2]"},
        tensor<1x2x80x64xbf16> {tessera.name = "result[3]"}) {
  %o, %m, %s = tessera.attention %q, %k, %v scale = 0.125 causal = 0
    : (tensor<1x2x80x64xbf16>, tensor<1x2x80x64xbf16>, tensor<1x2x80x64xbf16>) -> (tensor<1x2x80x64xbf16>, tensor<1x2x80xf32>, tensor<1x2x80xf32>)
  %dq, %dk, %dv = tessera.attention_gradient %q, %k, %v output %o maximum %m sum %s gradient %g scale = 0.125 causal = 0
    : (tensor<1x2x80x64xbf16>, tensor<1x2x80x64xbf16>, tensor<1x2x80x64xbf16>, tensor<1x2x80x64xbf16>, tensor<1x2x80xf32>, tensor<1x2x80xf32>, tensor<1x2x80x64xbf16>)
      -> (tensor<1x2x80x64xbf16>, tensor<1x2x80x64xbf16>, tensor<1x2x80x64xbf16>)
  return %o, %dq, %dk, %dv : tensor<1x2x80x64xbf16>, tensor<1x2x80x64xbf16>, tensor<1x2x80x64xbf16>, tensor<1x2x80x64xbf16>
}
