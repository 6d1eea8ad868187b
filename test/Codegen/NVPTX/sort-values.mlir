// Sorts on GPUs of both kinds give what the CPU does: rows of odd lengths, one row of more elements than a block has threads, columns, keys with ties and NaNs whose
// companions tell whether equal keys keep their order, two keys, descending order, short integers.
// RUN: tesserac %s -o %t.cpu.tsx
// RUN: tessera-run %t.cpu.tsx --random=3 --outputs=%t.safetensors
// RUN: tesserac %s --target=cuda -o %t.tsx
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --random=3 --expect=%t.safetensors --tolerance=0
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --random=3 --expect=%t.safetensors --tolerance=0
func.func @main(%rows: tensor<37x131xf32> {tessera.name = "rows"}, %long: tensor<2x3001xf32> {tessera.name = "long"}, %short: tensor<19x5xf32> {tessera.name = "short"})
    -> (tensor<37x131xf32> {tessera.name = "result[0]"}, tensor<37x131xi32> {tessera.name = "result[1]"}, tensor<2x3001xf32> {tessera.name = "result[2]"},
        tensor<2x3001xi32> {tessera.name = "result[3]"}, tensor<37x131xf32> {tessera.name = "result[4]"}, tensor<37x131xi32> {tessera.name = "result[5]"},
        tensor<37x131xi32> {tessera.name = "result[6]"}, tensor<37x131xi32> {tessera.name = "result[7]"}, tensor<37x7xf32> {tessera.name = "result[8]"},
        tensor<37x7xi32> {tessera.name = "result[9]"}, tensor<19x5xf32> {tessera.name = "result[10]"}, tensor<19x5xi32> {tessera.name = "result[11]"},
        tensor<37x131xi8> {tessera.name = "result[12]"}, tensor<37x131xi32> {tessera.name = "result[13]"}) {
  // About one element in six is NaN, the others are among a dozen.
  %four = arith.constant dense<4.0> : tensor<37x131xf32>
  %nan = arith.constant dense<0x7FC00000> : tensor<37x131xf32>
  %scaled = arith.mulf %rows, %four : tensor<37x131xf32>
  %ties = math.floor %scaled : tensor<37x131xf32>
  %large = arith.cmpf ogt, %ties, %four : tensor<37x131xf32>
  %holes = arith.select %large, %nan, %ties : tensor<37x131xi1>, tensor<37x131xf32>
  %place = tessera.iota dim = 1 : tensor<37x131xi32>

  // NaN comes last.
  %0:2 = tessera.sort %holes, %place dim = 1 : (tensor<37x131xf32>, tensor<37x131xi32>) -> (tensor<37x131xf32>, tensor<37x131xi32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %less = arith.cmpf olt, %a, %b : tensor<f32>
    %number = arith.cmpf ord, %a, %a : tensor<f32>
    %hole = arith.cmpf uno, %b, %b : tensor<f32>
    %before = arith.andi %number, %hole : tensor<i1>
    %either = arith.ori %less, %before : tensor<i1>
    tessera.yield %either : tensor<i1>
  }

  %longPlace = tessera.iota dim = 1 : tensor<2x3001xi32>
  %1:2 = tessera.sort %long, %longPlace dim = 1 : (tensor<2x3001xf32>, tensor<2x3001xi32>) -> (tensor<2x3001xf32>, tensor<2x3001xi32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %more = arith.cmpf ogt, %a, %b : tensor<f32>
    tessera.yield %more : tensor<i1>
  }

  // Columns.
  %row = tessera.iota dim = 0 : tensor<37x131xi32>
  %2:2 = tessera.sort %ties, %row dim = 0 : (tensor<37x131xf32>, tensor<37x131xi32>) -> (tensor<37x131xf32>, tensor<37x131xi32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %less = arith.cmpf olt, %a, %b : tensor<f32>
    tessera.yield %less : tensor<i1>
  }

  // By two keys, the second one backwards; a third operand goes along.
  %keys = arith.fptosi %ties : tensor<37x131xf32> to tensor<37x131xi32>
  %three = arith.constant dense<3> : tensor<37x131xi32>
  %second = arith.remsi %place, %three : tensor<37x131xi32>
  %3:3 = tessera.sort %keys, %second, %place dim = 1
    : (tensor<37x131xi32>, tensor<37x131xi32>, tensor<37x131xi32>) -> (tensor<37x131xi32>, tensor<37x131xi32>, tensor<37x131xi32>) {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>, %i: tensor<i32>, %j: tensor<i32>):
    %less = arith.cmpi slt, %a, %b : tensor<i32>
    %same = arith.cmpi eq, %a, %b : tensor<i32>
    %more = arith.cmpi sgt, %c, %d : tensor<i32>
    %then = arith.andi %same, %more : tensor<i1>
    %either = arith.ori %less, %then : tensor<i1>
    tessera.yield %either : tensor<i1>
  }

  // Only what comes first.
  %4:2 = tessera.sort %rows, %place dim = 1 : (tensor<37x131xf32>, tensor<37x131xi32>) -> (tensor<37x7xf32>, tensor<37x7xi32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %more = arith.cmpf ogt, %a, %b : tensor<f32>
    tessera.yield %more : tensor<i1>
  }

  %shortPlace = tessera.iota dim = 1 : tensor<19x5xi32>
  %5:2 = tessera.sort %short, %shortPlace dim = 1 : (tensor<19x5xf32>, tensor<19x5xi32>) -> (tensor<19x5xf32>, tensor<19x5xi32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %less = arith.cmpf olt, %a, %b : tensor<f32>
    tessera.yield %less : tensor<i1>
  }

  %bytes = arith.trunci %keys : tensor<37x131xi32> to tensor<37x131xi8>
  %6:2 = tessera.sort %bytes, %place dim = 1 : (tensor<37x131xi8>, tensor<37x131xi32>) -> (tensor<37x131xi8>, tensor<37x131xi32>) {
  ^bb0(%a: tensor<i8>, %b: tensor<i8>, %i: tensor<i32>, %j: tensor<i32>):
    %less = arith.cmpi ult, %a, %b : tensor<i8>
    tessera.yield %less : tensor<i1>
  }
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3#0, %3#2, %4#0, %4#1, %5#0, %5#1, %6#0, %6#1
    : tensor<37x131xf32>, tensor<37x131xi32>, tensor<2x3001xf32>, tensor<2x3001xi32>, tensor<37x131xf32>, tensor<37x131xi32>, tensor<37x131xi32>, tensor<37x131xi32>,
      tensor<37x7xf32>, tensor<37x7xi32>, tensor<19x5xf32>, tensor<19x5xi32>, tensor<37x131xi8>, tensor<37x131xi32>
}
