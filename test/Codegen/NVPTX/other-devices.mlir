// Code for sm_80 runs on every GPU that came later, whatever it has of shared memory, sm_90a code on none but 9.0: here attention with the
// rows that take most of it.
// RUN: tesserac %s --target=cuda -o %t.tsx
// RUN: tesserac %s -o %t.cpu.tsx
// RUN: tessera-run %t.cpu.tsx --random --outputs=%t.expected.safetensors
// RUN: env TESSERA_EMULATED_ARCH=86 tessera-run %t.tsx --backend=emulated --random --expect=%t.expected.safetensors --tolerance=1e-4
// RUN: env TESSERA_EMULATED_ARCH=100 tessera-run %t.tsx --backend=emulated --random --expect=%t.expected.safetensors --tolerance=1e-4
// RUN: env TESSERA_EMULATED_ARCH=120 tessera-run %t.tsx --backend=emulated --random --expect=%t.expected.safetensors --tolerance=1e-4
func.func @main(%q: tensor<1x1x32x256xf32>, %k: tensor<1x1x32x256xf32>, %v: tensor<1x1x32x256xf32>, %g: tensor<1x1x32x256xf32>)
    -> (tensor<1x1x32x256xf32>, tensor<1x1x32x256xf32>, tensor<1x1x32x256xf32>, tensor<1x1x32x256xf32>) {
  %o, %m, %s = tessera.attention %q, %k, %v scale = 0.0625 causal = 0 fill = -1.0e9
      : (tensor<1x1x32x256xf32>, tensor<1x1x32x256xf32>, tensor<1x1x32x256xf32>)
        -> (tensor<1x1x32x256xf32>, tensor<1x1x32xf32>, tensor<1x1x32xf32>)
  %dq, %dk, %dv = tessera.attention_gradient %q, %k, %v output %o maximum %m sum %s gradient %g scale = 0.0625 causal = 0 fill = -1.0e9
      : (tensor<1x1x32x256xf32>, tensor<1x1x32x256xf32>, tensor<1x1x32x256xf32>, tensor<1x1x32x256xf32>, tensor<1x1x32xf32>, tensor<1x1x32xf32>, tensor<1x1x32x256xf32>)
        -> (tensor<1x1x32x256xf32>, tensor<1x1x32x256xf32>, tensor<1x1x32x256xf32>)
  return %o, %dq, %dk, %dv : tensor<1x1x32x256xf32>, tensor<1x1x32x256xf32>, tensor<1x1x32x256xf32>, tensor<1x1x32x256xf32>
}
