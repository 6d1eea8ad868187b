// Attention and its gradient as large models have it: many features, grouped heads, causal and not.
func.func @main(%0: tensor<4x16x4096x128xbf16>, %1: tensor<4x16x4096x128xbf16>,
    %2: tensor<4x16x4096x128xbf16>, %3: tensor<4x16x4096x128xbf16>,
    %4: tensor<4x16x2048x64xf16>, %5: tensor<4x4x2048x64xf16>,
    %6: tensor<4x4x2048x64xf16>, %7: tensor<4x16x2048x64xf16>,
    %8: tensor<1x8x2048x256xbf16>, %9: tensor<1x8x1000x256xbf16>,
    %10: tensor<1x8x1000x256xbf16>, %11: tensor<1x8x2048x256xbf16>)
    -> (tensor<4x16x4096x128xbf16>, tensor<4x16x4096x128xbf16>,
        tensor<4x16x4096x128xbf16>, tensor<4x16x4096x128xbf16>,
        tensor<4x16x2048x64xf16>, tensor<4x16x2048x64xf16>,
        tensor<4x4x2048x64xf16>, tensor<4x4x2048x64xf16>,
        tensor<1x8x2048x256xbf16>, tensor<1x8x2048x256xbf16>,
        tensor<1x8x1000x256xbf16>, tensor<1x8x1000x256xbf16>) {
  %o0, %m0, %s0 = tessera.attention %0, %1, %2 scale = 0.125 causal = 0
      : (tensor<4x16x4096x128xbf16>, tensor<4x16x4096x128xbf16>, tensor<4x16x4096x128xbf16>)
        -> (tensor<4x16x4096x128xbf16>, tensor<4x16x4096xf32>, tensor<4x16x4096xf32>)
  %q0, %k0, %v0 = tessera.attention_gradient %0, %1, %2 output %o0 maximum %m0 sum %s0 gradient %3 scale = 0.125 causal = 0
      : (tensor<4x16x4096x128xbf16>, tensor<4x16x4096x128xbf16>, tensor<4x16x4096x128xbf16>, tensor<4x16x4096x128xbf16>, tensor<4x16x4096xf32>, tensor<4x16x4096xf32>, tensor<4x16x4096x128xbf16>)
        -> (tensor<4x16x4096x128xbf16>, tensor<4x16x4096x128xbf16>, tensor<4x16x4096x128xbf16>)
  %o1, %m1, %s1 = tessera.attention %4, %5, %6 scale = 0.125 
      : (tensor<4x16x2048x64xf16>, tensor<4x4x2048x64xf16>, tensor<4x4x2048x64xf16>)
        -> (tensor<4x16x2048x64xf16>, tensor<4x16x2048xf32>, tensor<4x16x2048xf32>)
  %q1, %k1, %v1 = tessera.attention_gradient %4, %5, %6 output %o1 maximum %m1 sum %s1 gradient %7 scale = 0.125 
      : (tensor<4x16x2048x64xf16>, tensor<4x4x2048x64xf16>, tensor<4x4x2048x64xf16>, tensor<4x16x2048x64xf16>, tensor<4x16x2048xf32>, tensor<4x16x2048xf32>, tensor<4x16x2048x64xf16>)
        -> (tensor<4x16x2048x64xf16>, tensor<4x4x2048x64xf16>, tensor<4x4x2048x64xf16>)
  %o2, %m2, %s2 = tessera.attention %8, %9, %10 scale = 0.125 causal = 0 fill = -1.0e9
      : (tensor<1x8x2048x256xbf16>, tensor<1x8x1000x256xbf16>, tensor<1x8x1000x256xbf16>)
        -> (tensor<1x8x2048x256xbf16>, tensor<1x8x2048xf32>, tensor<1x8x2048xf32>)
  %q2, %k2, %v2 = tessera.attention_gradient %8, %9, %10 output %o2 maximum %m2 sum %s2 gradient %11 scale = 0.125 causal = 0 fill = -1.0e9
      : (tensor<1x8x2048x256xbf16>, tensor<1x8x1000x256xbf16>, tensor<1x8x1000x256xbf16>, tensor<1x8x2048x256xbf16>, tensor<1x8x2048xf32>, tensor<1x8x2048xf32>, tensor<1x8x2048x256xbf16>)
        -> (tensor<1x8x2048x256xbf16>, tensor<1x8x1000x256xbf16>, tensor<1x8x1000x256xbf16>)
  return %o0, %q0, %k0, %v0, %o1, %q1, %k1, %v1, %o2, %q2, %k2, %v2
      : tensor<4x16x4096x128xbf16>, tensor<4x16x4096x128xbf16>,
        tensor<4x16x4096x128xbf16>, tensor<4x16x4096x128xbf16>,
        tensor<4x16x2048x64xf16>, tensor<4x16x2048x64xf16>,
        tensor<4x4x2048x64xf16>, tensor<4x4x2048x64xf16>,
        tensor<1x8x2048x256xbf16>, tensor<1x8x2048x256xbf16>,
        tensor<1x8x1000x256xbf16>, tensor<1x8x1000x256xbf16>
}
