// Powers of integers of all types, whose exponents may be negative, or have the sign bit of an unsigned type: overflow wraps around, and to a
// negative power all but 1 and -1 are rounded to zero.
// RUN: tesserac %s --compile-to=import -o %t.mlir
// RUN: tessera-interpret %t.mlir | FileCheck %s
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --outputs=%t.safetensors
// RUN: tessera-interpret %t.mlir --expect=%t.safetensors --tolerance=0
// RUN: tesserac %s --target=cuda -o %t.tsx
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --expect=%t.safetensors --tolerance=0
// CHECK-COUNT-6: true

func.func @main() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %true = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
  %i8_b = "stablehlo.constant"() <{value = dense<[-128, -3, -2, -1, 0, 1, 2, 3, 127]> : tensor<9xi8>}> : () -> tensor<9xi8>
  %i8_bases = "stablehlo.broadcast_in_dim"(%i8_b) <{broadcast_dimensions = array<i64: 0>}> : (tensor<9xi8>) -> tensor<9x9xi8>
  %i8_i = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<9x9xi8>
  %i8_m = "stablehlo.constant"() <{value = dense<1> : tensor<9x9xi8>}> : () -> tensor<9x9xi8>
  %i8_o = "stablehlo.constant"() <{value = dense<-4> : tensor<9x9xi8>}> : () -> tensor<9x9xi8>
  %i8_im = "stablehlo.multiply"(%i8_i, %i8_m) : (tensor<9x9xi8>, tensor<9x9xi8>) -> tensor<9x9xi8>
  %i8_exponents = "stablehlo.add"(%i8_im, %i8_o) : (tensor<9x9xi8>, tensor<9x9xi8>) -> tensor<9x9xi8>
  %i8_powers = "stablehlo.power"(%i8_bases, %i8_exponents) : (tensor<9x9xi8>, tensor<9x9xi8>) -> tensor<9x9xi8>
  %i8_right = "stablehlo.constant"() <{value = dense<[[0, 0, 0, 0, 1, -128, 0, 0, 0], [0, 0, 0, 0, 1, -3, 9, -27, 81], [0, 0, 0, 0, 1, -2, 4, -8, 16], [1, -1, 1, -1, 1, -1, 1, -1, 1], [0, 0, 0, 0, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 1, 2, 4, 8, 16], [0, 0, 0, 0, 1, 3, 9, 27, 81], [0, 0, 0, 0, 1, 127, 1, 127, 1]]> : tensor<9x9xi8>}> : () -> tensor<9x9xi8>
  %i8_equal = "stablehlo.compare"(%i8_powers, %i8_right) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<9x9xi8>, tensor<9x9xi8>) -> tensor<9x9xi1>
  %i8_all = "stablehlo.reduce"(%i8_equal, %true) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %z = "stablehlo.and"(%x, %y) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%z) : (tensor<i1>) -> ()
  }) : (tensor<9x9xi1>, tensor<i1>) -> tensor<i1>
  %i16_b = "stablehlo.constant"() <{value = dense<[-32768, -7, -2, -1, 0, 1, 2, 11, 181]> : tensor<9xi16>}> : () -> tensor<9xi16>
  %i16_bases = "stablehlo.broadcast_in_dim"(%i16_b) <{broadcast_dimensions = array<i64: 0>}> : (tensor<9xi16>) -> tensor<9x7xi16>
  %i16_i = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<9x7xi16>
  %i16_m = "stablehlo.constant"() <{value = dense<3> : tensor<9x7xi16>}> : () -> tensor<9x7xi16>
  %i16_o = "stablehlo.constant"() <{value = dense<-6> : tensor<9x7xi16>}> : () -> tensor<9x7xi16>
  %i16_im = "stablehlo.multiply"(%i16_i, %i16_m) : (tensor<9x7xi16>, tensor<9x7xi16>) -> tensor<9x7xi16>
  %i16_exponents = "stablehlo.add"(%i16_im, %i16_o) : (tensor<9x7xi16>, tensor<9x7xi16>) -> tensor<9x7xi16>
  %i16_powers = "stablehlo.power"(%i16_bases, %i16_exponents) : (tensor<9x7xi16>, tensor<9x7xi16>) -> tensor<9x7xi16>
  %i16_right = "stablehlo.constant"() <{value = dense<[[0, 0, 1, 0, 0, 0, 0], [0, 0, 1, -343, -13423, 16569, 18465], [0, 0, 1, -8, 64, -512, 4096], [1, -1, 1, -1, 1, -1, 1], [0, 0, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1], [0, 0, 1, 8, 64, 512, 4096], [0, 0, 1, 1331, 2089, 27947, -26991], [0, 0, 1, 31501, 32425, -24171, -13423]]> : tensor<9x7xi16>}> : () -> tensor<9x7xi16>
  %i16_equal = "stablehlo.compare"(%i16_powers, %i16_right) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<9x7xi16>, tensor<9x7xi16>) -> tensor<9x7xi1>
  %i16_all = "stablehlo.reduce"(%i16_equal, %true) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %z = "stablehlo.and"(%x, %y) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%z) : (tensor<i1>) -> ()
  }) : (tensor<9x7xi1>, tensor<i1>) -> tensor<i1>
  %i32_b = "stablehlo.constant"() <{value = dense<[-2147483648, -5, -2, -1, 0, 1, 2, 3, 46341]> : tensor<9xi32>}> : () -> tensor<9xi32>
  %i32_bases = "stablehlo.broadcast_in_dim"(%i32_b) <{broadcast_dimensions = array<i64: 0>}> : (tensor<9xi32>) -> tensor<9x9xi32>
  %i32_i = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<9x9xi32>
  %i32_m = "stablehlo.constant"() <{value = dense<5> : tensor<9x9xi32>}> : () -> tensor<9x9xi32>
  %i32_o = "stablehlo.constant"() <{value = dense<-5> : tensor<9x9xi32>}> : () -> tensor<9x9xi32>
  %i32_im = "stablehlo.multiply"(%i32_i, %i32_m) : (tensor<9x9xi32>, tensor<9x9xi32>) -> tensor<9x9xi32>
  %i32_exponents = "stablehlo.add"(%i32_im, %i32_o) : (tensor<9x9xi32>, tensor<9x9xi32>) -> tensor<9x9xi32>
  %i32_powers = "stablehlo.power"(%i32_bases, %i32_exponents) : (tensor<9x9xi32>, tensor<9x9xi32>) -> tensor<9x9xi32>
  %i32_right = "stablehlo.constant"() <{value = dense<[[0, 1, 0, 0, 0, 0, 0, 0, 0], [0, 1, -3125, 9765625, -452807053, 1977800241, -167814181, 433305513, -1165029885], [0, 1, -32, 1024, -32768, 1048576, -33554432, 1073741824, 0], [-1, 1, -1, 1, -1, 1, -1, 1, -1], [0, 1, 0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1, 1], [0, 1, 32, 1024, 32768, 1048576, 33554432, 1073741824, 0], [0, 1, 243, 59049, 14348907, -808182895, 1180052131, -1010140999, -651126885], [0, 1, -1737259723, -487711495, -1942725491, -2042402255, -1641844443, -222452311, -1958799107]]> : tensor<9x9xi32>}> : () -> tensor<9x9xi32>
  %i32_equal = "stablehlo.compare"(%i32_powers, %i32_right) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<9x9xi32>, tensor<9x9xi32>) -> tensor<9x9xi1>
  %i32_all = "stablehlo.reduce"(%i32_equal, %true) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %z = "stablehlo.and"(%x, %y) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%z) : (tensor<i1>) -> ()
  }) : (tensor<9x9xi1>, tensor<i1>) -> tensor<i1>
  %i64_b = "stablehlo.constant"() <{value = dense<[-9223372036854775808, -3, -2, -1, 0, 1, 2, 3, 3037000500]> : tensor<9xi64>}> : () -> tensor<9xi64>
  %i64_bases = "stablehlo.broadcast_in_dim"(%i64_b) <{broadcast_dimensions = array<i64: 0>}> : (tensor<9xi64>) -> tensor<9x9xi64>
  %i64_i = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<9x9xi64>
  %i64_m = "stablehlo.constant"() <{value = dense<9> : tensor<9x9xi64>}> : () -> tensor<9x9xi64>
  %i64_o = "stablehlo.constant"() <{value = dense<-9> : tensor<9x9xi64>}> : () -> tensor<9x9xi64>
  %i64_im = "stablehlo.multiply"(%i64_i, %i64_m) : (tensor<9x9xi64>, tensor<9x9xi64>) -> tensor<9x9xi64>
  %i64_exponents = "stablehlo.add"(%i64_im, %i64_o) : (tensor<9x9xi64>, tensor<9x9xi64>) -> tensor<9x9xi64>
  %i64_powers = "stablehlo.power"(%i64_bases, %i64_exponents) : (tensor<9x9xi64>, tensor<9x9xi64>) -> tensor<9x9xi64>
  %i64_right = "stablehlo.constant"() <{value = dense<[[0, 1, 0, 0, 0, 0, 0, 0, 0], [0, 1, -19683, 387420489, -7625597484987, 150094635296999121, -2833654757305440083, -8127490854706933095, 3237885987332494933], [0, 1, -512, 262144, -134217728, 68719476736, -35184372088832, 18014398509481984, -9223372036854775808], [-1, 1, -1, 1, -1, 1, -1, 1, -1], [0, 1, 0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1, 1], [0, 1, 512, 262144, 134217728, 68719476736, 35184372088832, 18014398509481984, -9223372036854775808], [0, 1, 19683, 387420489, 7625597484987, 150094635296999121, 2833654757305440083, -8127490854706933095, -3237885987332494933], [0, 1, -2334182293520515072, -6704058226633080832, -5962765906638536704, 0, 0, 0, 0]]> : tensor<9x9xi64>}> : () -> tensor<9x9xi64>
  %i64_equal = "stablehlo.compare"(%i64_powers, %i64_right) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<9x9xi64>, tensor<9x9xi64>) -> tensor<9x9xi1>
  %i64_all = "stablehlo.reduce"(%i64_equal, %true) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %z = "stablehlo.and"(%x, %y) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%z) : (tensor<i1>) -> ()
  }) : (tensor<9x9xi1>, tensor<i1>) -> tensor<i1>
  %ui8_b = "stablehlo.constant"() <{value = dense<[0, 1, 2, 3, 4, 5, 7, 16, 127, 128, 129, 200, 254, 255]> : tensor<14xui8>}> : () -> tensor<14xui8>
  %ui8_bases = "stablehlo.broadcast_in_dim"(%ui8_b) <{broadcast_dimensions = array<i64: 0>}> : (tensor<14xui8>) -> tensor<14x6xui8>
  %ui8_i = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<14x6xui8>
  %ui8_m = "stablehlo.constant"() <{value = dense<51> : tensor<14x6xui8>}> : () -> tensor<14x6xui8>
  %ui8_o = "stablehlo.constant"() <{value = dense<0> : tensor<14x6xui8>}> : () -> tensor<14x6xui8>
  %ui8_im = "stablehlo.multiply"(%ui8_i, %ui8_m) : (tensor<14x6xui8>, tensor<14x6xui8>) -> tensor<14x6xui8>
  %ui8_exponents = "stablehlo.add"(%ui8_im, %ui8_o) : (tensor<14x6xui8>, tensor<14x6xui8>) -> tensor<14x6xui8>
  %ui8_powers = "stablehlo.power"(%ui8_bases, %ui8_exponents) : (tensor<14x6xui8>, tensor<14x6xui8>) -> tensor<14x6xui8>
  %ui8_right = "stablehlo.constant"() <{value = dense<[[1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1], [1, 0, 0, 0, 0, 0], [1, 91, 89, 163, 241, 171], [1, 0, 0, 0, 0, 0], [1, 189, 137, 37, 81, 205], [1, 215, 145, 199, 33, 183], [1, 0, 0, 0, 0, 0], [1, 127, 1, 127, 1, 127], [1, 0, 0, 0, 0, 0], [1, 129, 1, 129, 1, 129], [1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0], [1, 255, 1, 255, 1, 255]]> : tensor<14x6xui8>}> : () -> tensor<14x6xui8>
  %ui8_equal = "stablehlo.compare"(%ui8_powers, %ui8_right) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<14x6xui8>, tensor<14x6xui8>) -> tensor<14x6xi1>
  %ui8_all = "stablehlo.reduce"(%ui8_equal, %true) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %z = "stablehlo.and"(%x, %y) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%z) : (tensor<i1>) -> ()
  }) : (tensor<14x6xi1>, tensor<i1>) -> tensor<i1>
  %ui64_b = "stablehlo.constant"() <{value = dense<[0, 1, 2, 3, 10, 9223372036854775808, 9223372036854775809, 18446744073709551615]> : tensor<8xui64>}> : () -> tensor<8xui64>
  %ui64_bases = "stablehlo.broadcast_in_dim"(%ui64_b) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xui64>) -> tensor<8x4xui64>
  %ui64_i = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<8x4xui64>
  %ui64_m = "stablehlo.constant"() <{value = dense<6148914691236517205> : tensor<8x4xui64>}> : () -> tensor<8x4xui64>
  %ui64_o = "stablehlo.constant"() <{value = dense<0> : tensor<8x4xui64>}> : () -> tensor<8x4xui64>
  %ui64_im = "stablehlo.multiply"(%ui64_i, %ui64_m) : (tensor<8x4xui64>, tensor<8x4xui64>) -> tensor<8x4xui64>
  %ui64_exponents = "stablehlo.add"(%ui64_im, %ui64_o) : (tensor<8x4xui64>, tensor<8x4xui64>) -> tensor<8x4xui64>
  %ui64_powers = "stablehlo.power"(%ui64_bases, %ui64_exponents) : (tensor<8x4xui64>, tensor<8x4xui64>) -> tensor<8x4xui64>
  %ui64_right = "stablehlo.constant"() <{value = dense<[[1, 0, 0, 0], [1, 1, 1, 1], [1, 0, 0, 0], [1, 10947891158217016755, 16573228048421616425, 12297829382473034411], [1, 0, 0, 0], [1, 0, 0, 0], [1, 9223372036854775809, 1, 9223372036854775809], [1, 18446744073709551615, 1, 18446744073709551615]]> : tensor<8x4xui64>}> : () -> tensor<8x4xui64>
  %ui64_equal = "stablehlo.compare"(%ui64_powers, %ui64_right) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<8x4xui64>, tensor<8x4xui64>) -> tensor<8x4xi1>
  %ui64_all = "stablehlo.reduce"(%ui64_equal, %true) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %z = "stablehlo.and"(%x, %y) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%z) : (tensor<i1>) -> ()
  }) : (tensor<8x4xi1>, tensor<i1>) -> tensor<i1>
  return %i8_all, %i16_all, %i32_all, %i64_all, %ui8_all, %ui64_all : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}
