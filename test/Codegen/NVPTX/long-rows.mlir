// Long rows are a block's each: one is sorted by a network in shared memory, between whose steps threads wait for each other, and an argmax is a tree of shuffles, then of
// warps. Of equal elements the first counts, and NaN before all others, as on the CPU; a short row is left to one thread.
// RUN: rm -rf %t.ptx && tesserac %s --target=cuda:sm_80 --emit=ptx -o %t.ptx/ && cat %t.ptx/*.ptx > %t.all
// RUN: FileCheck %s --check-prefix=SORT < %t.all
// RUN: FileCheck %s --check-prefix=ARGMAX < %t.all
// RUN: tesserac %s -o %t.cpu.tsx
// RUN: tessera-run %t.cpu.tsx --random=2 --outputs=%t.safetensors
// RUN: tesserac %s --target=cuda -o %t.tsx
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --random=2 --expect=%t.safetensors --tolerance=0
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --random=2 --expect=%t.safetensors --tolerance=0
// SORT: .visible .entry sort
// SORT: .shared
// SORT: {{bar|barrier}}.sync
// ARGMAX: .visible .entry variadic_reduce
// ARGMAX: shfl.sync.bfly
// ARGMAX: {{bar|barrier}}.sync
func.func @main(%x: tensor<5x700xf32> {tessera.name = "x"}, %short: tensor<6x20xf32> {tessera.name = "short"})
    -> (tensor<5xf32> {tessera.name = "result[0]"}, tensor<5xi32> {tessera.name = "result[1]"}, tensor<7xf32> {tessera.name = "result[2]"}, tensor<7xi32> {tessera.name = "result[3]"},
        tensor<6xf32> {tessera.name = "result[4]"}, tensor<6xi32> {tessera.name = "result[5]"}, tensor<5x700xf32> {tessera.name = "result[6]"}, tensor<5x700xi32> {tessera.name = "result[7]"}) {
  %low = arith.constant dense<0xFF800000> : tensor<f32>
  %none = arith.constant dense<-1> : tensor<i32>

  // A dozen values and some NaN: most elements are equal to others.
  %four = arith.constant dense<4.0> : tensor<5x700xf32>
  %nan = arith.constant dense<0x7FC00000> : tensor<5x700xf32>
  %scaled = arith.mulf %x, %four : tensor<5x700xf32>
  %floor = math.floor %scaled : tensor<5x700xf32>
  %large = arith.cmpf ogt, %floor, %four : tensor<5x700xf32>
  %ties = arith.select %large, %nan, %floor : tensor<5x700xi1>, tensor<5x700xf32>
  %numbers = tessera.iota dim = 1 : tensor<5x700xi32>
  %0:2 = tessera.variadic_reduce %floor, %numbers inits %low, %none dims = [1] : (tensor<5x700xf32>, tensor<5x700xi32>, tensor<f32>, tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>) {
  ^bb0(%v: tensor<f32>, %i: tensor<i32>, %w: tensor<f32>, %j: tensor<i32>):
    %larger = arith.cmpf ogt, %v, %w : tensor<f32>
    %same = arith.cmpf oeq, %v, %w : tensor<f32>
    %before = arith.cmpi slt, %i, %j : tensor<i32>
    %tie = arith.andi %same, %before : tensor<i1>
    %first = arith.ori %larger, %tie : tensor<i1>
    %value = arith.select %first, %v, %w : tensor<i1>, tensor<f32>
    %number = arith.select %first, %i, %j : tensor<i1>, tensor<i32>
    tessera.yield %value, %number : tensor<f32>, tensor<i32>
  }

  // Over two dimensions, the kept one between them; NaN wins.
  %cube = tessera.reshape %ties : tensor<5x700xf32> -> tensor<10x7x50xf32>
  %rows = tessera.iota dim = 0 : tensor<500xi32>
  %apart = tessera.reshape %rows : tensor<500xi32> -> tensor<10x50xi32>
  %places = tessera.broadcast %apart dims = [0, 2] : tensor<10x50xi32> -> tensor<10x7x50xi32>
  %1:2 = tessera.variadic_reduce %cube, %places inits %low, %none dims = [0, 2] : (tensor<10x7x50xf32>, tensor<10x7x50xi32>, tensor<f32>, tensor<i32>) -> (tensor<7xf32>, tensor<7xi32>) {
  ^bb0(%v: tensor<f32>, %i: tensor<i32>, %w: tensor<f32>, %j: tensor<i32>):
    %larger = arith.cmpf ogt, %v, %w : tensor<f32>
    %nan1 = arith.cmpf uno, %v, %v : tensor<f32>
    %nan2 = arith.cmpf uno, %w, %w : tensor<f32>
    %one = arith.constant dense<true> : tensor<i1>
    %number2 = arith.xori %nan2, %one : tensor<i1>
    %only = arith.andi %nan1, %number2 : tensor<i1>
    %ahead = arith.ori %larger, %only : tensor<i1>
    %equal = arith.cmpf oeq, %v, %w : tensor<f32>
    %both = arith.andi %nan1, %nan2 : tensor<i1>
    %same = arith.ori %equal, %both : tensor<i1>
    %before = arith.cmpi slt, %i, %j : tensor<i32>
    %tie = arith.andi %same, %before : tensor<i1>
    %first = arith.ori %ahead, %tie : tensor<i1>
    %value = arith.select %first, %v, %w : tensor<i1>, tensor<f32>
    %number = arith.select %first, %i, %j : tensor<i1>, tensor<i32>
    tessera.yield %value, %number : tensor<f32>, tensor<i32>
  }

  %shortNumbers = tessera.iota dim = 1 : tensor<6x20xi32>
  %2:2 = tessera.variadic_reduce %short, %shortNumbers inits %low, %none dims = [1] : (tensor<6x20xf32>, tensor<6x20xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>) {
  ^bb0(%v: tensor<f32>, %i: tensor<i32>, %w: tensor<f32>, %j: tensor<i32>):
    %larger = arith.cmpf ogt, %v, %w : tensor<f32>
    %nan1 = arith.cmpf uno, %v, %v : tensor<f32>
    %nan2 = arith.cmpf uno, %w, %w : tensor<f32>
    %one = arith.constant dense<true> : tensor<i1>
    %number2 = arith.xori %nan2, %one : tensor<i1>
    %only = arith.andi %nan1, %number2 : tensor<i1>
    %ahead = arith.ori %larger, %only : tensor<i1>
    %equal = arith.cmpf oeq, %v, %w : tensor<f32>
    %both = arith.andi %nan1, %nan2 : tensor<i1>
    %same = arith.ori %equal, %both : tensor<i1>
    %before = arith.cmpi slt, %i, %j : tensor<i32>
    %tie = arith.andi %same, %before : tensor<i1>
    %first = arith.ori %ahead, %tie : tensor<i1>
    %value = arith.select %first, %v, %w : tensor<i1>, tensor<f32>
    %number = arith.select %first, %i, %j : tensor<i1>, tensor<i32>
    tessera.yield %value, %number : tensor<f32>, tensor<i32>
  }

  %3:2 = tessera.sort %floor, %numbers dim = 1 : (tensor<5x700xf32>, tensor<5x700xi32>) -> (tensor<5x700xf32>, tensor<5x700xi32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %less = arith.cmpf olt, %a, %b : tensor<f32>
    tessera.yield %less : tensor<i1>
  }
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3#0, %3#1 : tensor<5xf32>, tensor<5xi32>, tensor<7xf32>, tensor<7xi32>, tensor<6xf32>, tensor<6xi32>, tensor<5x700xf32>, tensor<5x700xi32>
}
