// Attention with caps, dropout, and biases that are learned.
func.func @main(%0: tensor<2x16x2048x128xbf16>,
    %1: tensor<2x8x2048x128xbf16>,
    %2: tensor<2x8x2048x128xbf16>,
    %3: tensor<2x16x2048x128xbf16>,
    %4: tensor<2x16x1000x64xf16>,
    %5: tensor<2x16x1000x64xf16>,
    %6: tensor<2x16x1000x64xf16>,
    %7: tensor<2x16x1000x64xf16>,
    %8: tensor<2x16x1000x1000xi1>,
    %9: tensor<4x12x512x64xbf16>,
    %10: tensor<4x12x512x64xbf16>,
    %11: tensor<4x12x512x64xbf16>,
    %12: tensor<4x12x512x64xbf16>,
    %13: tensor<1x12x512x512xf32>,
    %14: tensor<1x8x1024x256xbf16>,
    %15: tensor<1x4x1024x256xbf16>,
    %16: tensor<1x4x1024x256xbf16>,
    %17: tensor<1x8x1024x256xbf16>,
    %18: tensor<2x8x512x64xf32>,
    %19: tensor<2x8x512x64xf32>,
    %20: tensor<2x8x512x64xf32>,
    %21: tensor<2x8x512x64xf32>,
    %22: tensor<1x8x512x512xf32>,
    %23: tensor<2x8x512x512xi1>,
    %24: tensor<2x8x512x128xf16>,
    %25: tensor<2x4x512x128xf16>,
    %26: tensor<2x4x512x128xf16>,
    %27: tensor<2x8x512x128xf16>,
    %28: tensor<2x1x1x512xf32>,
    %29: tensor<2x1x512x512xi1>)
    -> (tensor<2x16x2048x128xbf16>,
        tensor<2x16x2048x128xbf16>,
        tensor<2x8x2048x128xbf16>,
        tensor<2x8x2048x128xbf16>,
        tensor<2x16x1000x64xf16>,
        tensor<2x16x1000x64xf16>,
        tensor<2x16x1000x64xf16>,
        tensor<2x16x1000x64xf16>,
        tensor<4x12x512x64xbf16>,
        tensor<4x12x512x64xbf16>,
        tensor<4x12x512x64xbf16>,
        tensor<4x12x512x64xbf16>,
        tensor<1x12x512x512xf32>,
        tensor<1x8x1024x256xbf16>,
        tensor<1x8x1024x256xbf16>,
        tensor<1x4x1024x256xbf16>,
        tensor<1x4x1024x256xbf16>,
        tensor<2x8x512x64xf32>,
        tensor<2x8x512x64xf32>,
        tensor<2x8x512x64xf32>,
        tensor<2x8x512x64xf32>,
        tensor<1x8x512x512xf32>,
        tensor<2x8x512x128xf16>,
        tensor<2x8x512x128xf16>,
        tensor<2x4x512x128xf16>,
        tensor<2x4x512x128xf16>,
        tensor<2x1x1x512xf32>) {
  %o0, %m0, %s0 = tessera.attention %0, %1, %2 scale = 0.125 softcap = 5.0e+01 causal = 0 fill = -2.0e+38
      : (tensor<2x16x2048x128xbf16>, tensor<2x8x2048x128xbf16>, tensor<2x8x2048x128xbf16>) -> (tensor<2x16x2048x128xbf16>, tensor<2x16x2048xf32>, tensor<2x16x2048xf32>)
  %q0, %k0, %v0 = tessera.attention_gradient %0, %1, %2 output %o0 maximum %m0 sum %s0 gradient %3 scale = 0.125 softcap = 5.0e+01 causal = 0 fill = -2.0e+38
      : (tensor<2x16x2048x128xbf16>, tensor<2x8x2048x128xbf16>, tensor<2x8x2048x128xbf16>, tensor<2x16x2048x128xbf16>, tensor<2x16x2048xf32>, tensor<2x16x2048xf32>, tensor<2x16x2048x128xbf16>) -> (tensor<2x16x2048x128xbf16>, tensor<2x8x2048x128xbf16>, tensor<2x8x2048x128xbf16>)
  %o1, %m1, %s1 = tessera.attention %4, %5, %6 keep %8 scale = 0.125 keep_scale = 1.25
      : (tensor<2x16x1000x64xf16>, tensor<2x16x1000x64xf16>, tensor<2x16x1000x64xf16>, tensor<2x16x1000x1000xi1>) -> (tensor<2x16x1000x64xf16>, tensor<2x16x1000xf32>, tensor<2x16x1000xf32>)
  %q1, %k1, %v1 = tessera.attention_gradient %4, %5, %6 output %o1 maximum %m1 sum %s1 gradient %7 keep %8 scale = 0.125 keep_scale = 1.25
      : (tensor<2x16x1000x64xf16>, tensor<2x16x1000x64xf16>, tensor<2x16x1000x64xf16>, tensor<2x16x1000x64xf16>, tensor<2x16x1000xf32>, tensor<2x16x1000xf32>, tensor<2x16x1000x64xf16>, tensor<2x16x1000x1000xi1>) -> (tensor<2x16x1000x64xf16>, tensor<2x16x1000x64xf16>, tensor<2x16x1000x64xf16>)
  %o2, %m2, %s2 = tessera.attention %9, %10, %11 bias %13 scale = 1.0
      : (tensor<4x12x512x64xbf16>, tensor<4x12x512x64xbf16>, tensor<4x12x512x64xbf16>, tensor<1x12x512x512xf32>) -> (tensor<4x12x512x64xbf16>, tensor<4x12x512xf32>, tensor<4x12x512xf32>)
  %q2, %k2, %v2, %b2 = tessera.attention_gradient %9, %10, %11 output %o2 maximum %m2 sum %s2 gradient %12 bias %13 scale = 1.0
      : (tensor<4x12x512x64xbf16>, tensor<4x12x512x64xbf16>, tensor<4x12x512x64xbf16>, tensor<4x12x512x64xbf16>, tensor<4x12x512xf32>, tensor<4x12x512xf32>, tensor<4x12x512x64xbf16>, tensor<1x12x512x512xf32>) -> (tensor<4x12x512x64xbf16>, tensor<4x12x512x64xbf16>, tensor<4x12x512x64xbf16>, tensor<1x12x512x512xf32>)
  %o3, %m3, %s3 = tessera.attention %14, %15, %16 scale = 0.0625 softcap = 5.0e+01 causal = 0
      : (tensor<1x8x1024x256xbf16>, tensor<1x4x1024x256xbf16>, tensor<1x4x1024x256xbf16>) -> (tensor<1x8x1024x256xbf16>, tensor<1x8x1024xf32>, tensor<1x8x1024xf32>)
  %q3, %k3, %v3 = tessera.attention_gradient %14, %15, %16 output %o3 maximum %m3 sum %s3 gradient %17 scale = 0.0625 softcap = 5.0e+01 causal = 0
      : (tensor<1x8x1024x256xbf16>, tensor<1x4x1024x256xbf16>, tensor<1x4x1024x256xbf16>, tensor<1x8x1024x256xbf16>, tensor<1x8x1024xf32>, tensor<1x8x1024xf32>, tensor<1x8x1024x256xbf16>) -> (tensor<1x8x1024x256xbf16>, tensor<1x4x1024x256xbf16>, tensor<1x4x1024x256xbf16>)
  %o4, %m4, %s4 = tessera.attention %18, %19, %20 bias %22 keep %23 scale = 0.125 softcap = 5.0e+01 keep_scale = 1.25
      : (tensor<2x8x512x64xf32>, tensor<2x8x512x64xf32>, tensor<2x8x512x64xf32>, tensor<1x8x512x512xf32>, tensor<2x8x512x512xi1>) -> (tensor<2x8x512x64xf32>, tensor<2x8x512xf32>, tensor<2x8x512xf32>)
  %q4, %k4, %v4, %b4 = tessera.attention_gradient %18, %19, %20 output %o4 maximum %m4 sum %s4 gradient %21 bias %22 keep %23 scale = 0.125 softcap = 5.0e+01 keep_scale = 1.25
      : (tensor<2x8x512x64xf32>, tensor<2x8x512x64xf32>, tensor<2x8x512x64xf32>, tensor<2x8x512x64xf32>, tensor<2x8x512xf32>, tensor<2x8x512xf32>, tensor<2x8x512x64xf32>, tensor<1x8x512x512xf32>, tensor<2x8x512x512xi1>) -> (tensor<2x8x512x64xf32>, tensor<2x8x512x64xf32>, tensor<2x8x512x64xf32>, tensor<1x8x512x512xf32>)
  %o5, %m5, %s5 = tessera.attention %24, %25, %26 bias %28 keep %29 scale = 0.125 softcap = 5.0e+01 keep_scale = 1.25
      : (tensor<2x8x512x128xf16>, tensor<2x4x512x128xf16>, tensor<2x4x512x128xf16>, tensor<2x1x1x512xf32>, tensor<2x1x512x512xi1>) -> (tensor<2x8x512x128xf16>, tensor<2x8x512xf32>, tensor<2x8x512xf32>)
  %q5, %k5, %v5, %b5 = tessera.attention_gradient %24, %25, %26 output %o5 maximum %m5 sum %s5 gradient %27 bias %28 keep %29 scale = 0.125 softcap = 5.0e+01 keep_scale = 1.25
      : (tensor<2x8x512x128xf16>, tensor<2x4x512x128xf16>, tensor<2x4x512x128xf16>, tensor<2x8x512x128xf16>, tensor<2x8x512xf32>, tensor<2x8x512xf32>, tensor<2x8x512x128xf16>, tensor<2x1x1x512xf32>, tensor<2x1x512x512xi1>) -> (tensor<2x8x512x128xf16>, tensor<2x4x512x128xf16>, tensor<2x4x512x128xf16>, tensor<2x1x1x512xf32>)
  return %o0, %q0, %k0, %v0, %o1, %q1, %k1, %v1, %o2, %q2, %k2, %v2, %b2, %o3, %q3, %k3, %v3, %o4, %q4, %k4, %v4, %b4, %o5, %q5, %k5, %v5, %b5
      : tensor<2x16x2048x128xbf16>,
        tensor<2x16x2048x128xbf16>,
        tensor<2x8x2048x128xbf16>,
        tensor<2x8x2048x128xbf16>,
        tensor<2x16x1000x64xf16>,
        tensor<2x16x1000x64xf16>,
        tensor<2x16x1000x64xf16>,
        tensor<2x16x1000x64xf16>,
        tensor<4x12x512x64xbf16>,
        tensor<4x12x512x64xbf16>,
        tensor<4x12x512x64xbf16>,
        tensor<4x12x512x64xbf16>,
        tensor<1x12x512x512xf32>,
        tensor<1x8x1024x256xbf16>,
        tensor<1x8x1024x256xbf16>,
        tensor<1x4x1024x256xbf16>,
        tensor<1x4x1024x256xbf16>,
        tensor<2x8x512x64xf32>,
        tensor<2x8x512x64xf32>,
        tensor<2x8x512x64xf32>,
        tensor<2x8x512x64xf32>,
        tensor<1x8x512x512xf32>,
        tensor<2x8x512x128xf16>,
        tensor<2x8x512x128xf16>,
        tensor<2x4x512x128xf16>,
        tensor<2x4x512x128xf16>,
        tensor<2x1x1x512xf32>
}
