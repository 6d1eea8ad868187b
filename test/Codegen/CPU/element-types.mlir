// Products, arithmetic, functions, reductions and indexed operations on floats of every width, executed with AVX2, give what the interpreter gives.
// RUN: sed 's/TYPE/bf16/g' %s > %t.bf16.mlir
// RUN: env TESSERA_CPU=x86-64-v3 tessera-fuzz %t.bf16.mlir --execute --tolerance=2e-2,2e-2
// RUN: sed 's/TYPE/f16/g' %s > %t.f16.mlir
// RUN: env TESSERA_CPU=x86-64-v3 tessera-fuzz %t.f16.mlir --execute --tolerance=3e-3,3e-3
// RUN: sed 's/TYPE/f32/g' %s > %t.f32.mlir
// RUN: env TESSERA_CPU=x86-64-v3 tessera-fuzz %t.f32.mlir --execute --tolerance=1e-5,1e-5
// RUN: sed 's/TYPE/f64/g' %s > %t.f64.mlir
// RUN: env TESSERA_CPU=x86-64-v3 tessera-fuzz %t.f64.mlir --execute --tolerance=1e-12,1e-12
// Code for AVX-512 is made on every machine.
// RUN: tesserac %t.bf16.mlir --cpu=x86-64-v4 -o %t.tsx
// RUN: tesserac %t.f16.mlir --cpu=x86-64-v4 -o %t.tsx
// RUN: tesserac %t.bf16.mlir --cpu=sapphirerapids -o %t.tsx
// RUN: tesserac %t.f16.mlir --cpu=sapphirerapids -o %t.tsx
func.func @main(%a: tensor<37x45xTYPE>, %b: tensor<45x29xTYPE>, %c: tensor<37x45xTYPE>) -> (tensor<37x29xTYPE>, tensor<37x37xTYPE>, tensor<37xTYPE>, tensor<37xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xi1>, tensor<37x45xTYPE>, tensor<37xTYPE>, tensor<45xTYPE>, tensor<37xTYPE>, tensor<TYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<45x37xTYPE>, tensor<37x45xTYPE>, tensor<37x45xi32>, tensor<37x45xTYPE>, tensor<37xTYPE>, tensor<37xi32>) {
  %product = tessera.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<37x45xTYPE>, tensor<45x29xTYPE>) -> tensor<37x29xTYPE>
  %transposed = tessera.dot_general %a, %c batching = [] x [] contracting = [1] x [1] : (tensor<37x45xTYPE>, tensor<37x45xTYPE>) -> tensor<37x37xTYPE>
  %batched = tessera.dot_general %a, %c batching = [0] x [0] contracting = [1] x [1] : (tensor<37x45xTYPE>, tensor<37x45xTYPE>) -> tensor<37xTYPE>
  %vector = tessera.slice %b [0, 0] to [45, 1] by [1, 1] : tensor<45x29xTYPE> -> tensor<45x1xTYPE>
  %column = tessera.reshape %vector : tensor<45x1xTYPE> -> tensor<45xTYPE>
  %times_vector = tessera.dot_general %a, %column batching = [] x [] contracting = [1] x [0] : (tensor<37x45xTYPE>, tensor<45xTYPE>) -> tensor<37xTYPE>
  %addf = arith.addf %a, %c : tensor<37x45xTYPE>
  %subf = arith.subf %a, %c : tensor<37x45xTYPE>
  %mulf = arith.mulf %a, %c : tensor<37x45xTYPE>
  %maximumf = arith.maximumf %a, %c : tensor<37x45xTYPE>
  %minimumf = arith.minimumf %a, %c : tensor<37x45xTYPE>
  %one = arith.constant dense<1.0> : tensor<37x45xTYPE>
  %tenth = arith.constant dense<0.125> : tensor<37x45xTYPE>
  %small = arith.mulf %a, %tenth : tensor<37x45xTYPE>
  %absolute = math.absf %c : tensor<37x45xTYPE>
  %positive = arith.addf %absolute, %one : tensor<37x45xTYPE>
  %quotient = arith.divf %a, %positive : tensor<37x45xTYPE>
  %remainder = arith.remf %a, %positive : tensor<37x45xTYPE>
  %negative = arith.negf %a : tensor<37x45xTYPE>
  %exp = math.exp %small : tensor<37x45xTYPE>
  %expm1 = math.expm1 %small : tensor<37x45xTYPE>
  %tanh = math.tanh %small : tensor<37x45xTYPE>
  %sin = math.sin %small : tensor<37x45xTYPE>
  %cos = math.cos %small : tensor<37x45xTYPE>
  %tan = math.tan %small : tensor<37x45xTYPE>
  %atan = math.atan %small : tensor<37x45xTYPE>
  %sinh = math.sinh %small : tensor<37x45xTYPE>
  %cosh = math.cosh %small : tensor<37x45xTYPE>
  %asinh = math.asinh %small : tensor<37x45xTYPE>
  %asin = math.asin %small : tensor<37x45xTYPE>
  %acos = math.acos %small : tensor<37x45xTYPE>
  %atanh = math.atanh %small : tensor<37x45xTYPE>
  %erf = math.erf %small : tensor<37x45xTYPE>
  %erfc = math.erfc %small : tensor<37x45xTYPE>
  %cbrt = math.cbrt %small : tensor<37x45xTYPE>
  %floor = math.floor %a : tensor<37x45xTYPE>
  %ceil = math.ceil %a : tensor<37x45xTYPE>
  %round = math.round %a : tensor<37x45xTYPE>
  %roundeven = math.roundeven %a : tensor<37x45xTYPE>
  %log = math.log %positive : tensor<37x45xTYPE>
  %log1p = math.log1p %positive : tensor<37x45xTYPE>
  %sqrt = math.sqrt %positive : tensor<37x45xTYPE>
  %rsqrt = math.rsqrt %positive : tensor<37x45xTYPE>
  %acosh = math.acosh %positive : tensor<37x45xTYPE>
  %power = math.powf %positive, %small : tensor<37x45xTYPE>
  %angle = math.atan2 %a, %positive : tensor<37x45xTYPE>
  %less = arith.cmpf olt, %a, %c : tensor<37x45xTYPE>
  %selected = arith.select %less, %a, %c : tensor<37x45xi1>, tensor<37x45xTYPE>
  %rows = tessera.reduce sum %a dims = [1] : tensor<37x45xTYPE> -> tensor<37xTYPE>
  %columns = tessera.reduce sum %a dims = [0] : tensor<37x45xTYPE> -> tensor<45xTYPE>
  %largest = tessera.reduce max %a dims = [1] : tensor<37x45xTYPE> -> tensor<37xTYPE>
  %least = tessera.reduce min %a dims = [0, 1] : tensor<37x45xTYPE> -> tensor<TYPE>
  %spread = tessera.broadcast %largest dims = [0] : tensor<37xTYPE> -> tensor<37x45xTYPE>
  %shifted = arith.subf %a, %spread : tensor<37x45xTYPE>
  %weights = math.exp %shifted : tensor<37x45xTYPE>
  %total = tessera.reduce sum %weights dims = [1] : tensor<37x45xTYPE> -> tensor<37xTYPE>
  %totals = tessera.broadcast %total dims = [0] : tensor<37xTYPE> -> tensor<37x45xTYPE>
  %softmax = arith.divf %weights, %totals : tensor<37x45xTYPE>
  %iota = tessera.iota dim = 1 : tensor<37x45xTYPE>
  %turned = tessera.transpose %a permutation = [1, 0] : tensor<37x45xTYPE> -> tensor<45x37xTYPE>
  %sorted = tessera.sort %a dim = 1 : (tensor<37x45xTYPE>) -> tensor<37x45xTYPE> {
  ^bb0(%x: tensor<TYPE>, %y: tensor<TYPE>):
    %before = arith.cmpf olt, %x, %y : tensor<TYPE>
    tessera.yield %before : tensor<i1>
  }
  %integers = arith.fptosi %a : tensor<37x45xTYPE> to tensor<37x45xi32>
  %numbers = arith.sitofp %integers : tensor<37x45xi32> to tensor<37x45xTYPE>
  %places = tessera.iota dim = 1 : tensor<37x45xi32>
  %low = arith.constant dense<-100.0> : tensor<TYPE>
  %none = arith.constant dense<0> : tensor<i32>
  %best:2 = tessera.variadic_reduce %a, %places inits %low, %none dims = [1] : (tensor<37x45xTYPE>, tensor<37x45xi32>, tensor<TYPE>, tensor<i32>) -> (tensor<37xTYPE>, tensor<37xi32>) {
  ^bb0(%v: tensor<TYPE>, %i: tensor<i32>, %w: tensor<TYPE>, %j: tensor<i32>):
    %larger = arith.cmpf ogt, %v, %w : tensor<TYPE>
    %nan = arith.cmpf une, %v, %v : tensor<TYPE>
    %first = arith.ori %larger, %nan : tensor<i1>
    %value = arith.select %first, %v, %w : tensor<i1>, tensor<TYPE>
    %place = arith.select %first, %i, %j : tensor<i1>, tensor<i32>
    tessera.yield %value, %place : tensor<TYPE>, tensor<i32>
  }
  return %product, %transposed, %batched, %times_vector, %addf, %subf, %mulf, %maximumf, %minimumf, %small, %absolute, %positive, %quotient, %remainder, %negative, %exp, %expm1, %tanh, %sin, %cos, %tan, %atan, %sinh, %cosh, %asinh, %asin, %acos, %atanh, %erf, %erfc, %cbrt, %floor, %ceil, %round, %roundeven, %log, %log1p, %sqrt, %rsqrt, %acosh, %power, %angle, %less, %selected, %rows, %columns, %largest, %least, %softmax, %iota, %turned, %sorted, %integers, %numbers, %best#0, %best#1 : tensor<37x29xTYPE>, tensor<37x37xTYPE>, tensor<37xTYPE>, tensor<37xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<37x45xi1>, tensor<37x45xTYPE>, tensor<37xTYPE>, tensor<45xTYPE>, tensor<37xTYPE>, tensor<TYPE>, tensor<37x45xTYPE>, tensor<37x45xTYPE>, tensor<45x37xTYPE>, tensor<37x45xTYPE>, tensor<37x45xi32>, tensor<37x45xTYPE>, tensor<37xTYPE>, tensor<37xi32>
}
