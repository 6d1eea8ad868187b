// Every check of calls of library routines, with what it says.
// RUN: tessera-opt %s -split-input-file -verify-diagnostics

// A routine is called by its name.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected the name of a routine, in UTF-8}}
  tessera.library_call ""(%a) with {} buffers = [#tessera.routine_buffer<f32 [*]>] : (tensor<8xf32>) -> ()
  return
}

// -----

// Every operand and every result has a buffer.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected 2 buffers, got 1}}
  %0 = tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [*]>] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// The tensor has the elements that the routine reads.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected tensor 0 to hold elements of type 'f64', got 'tensor<8xf32>'}}
  tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f64 [*]>] : (tensor<8xf32>) -> ()
  return
}

// -----

// Unsigned elements are as wide as what is stored.
func.func @f(%a: tensor<8xi16>) {
  // expected-error @below {{expected tensor 0 to hold elements of type 'ui8', got 'tensor<8xi16>'}}
  tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<ui8 [*]>] : (tensor<8xi16>) -> ()
  return
}

// -----

// Both parts of a complex number stand side by side.
func.func @f(%a: tensor<2x8xf32>) {
  // expected-error @below {{expected both parts of complex numbers in a last dimension of 2 of tensor 0, got 'tensor<2x8xf32>'}}
  tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<complex<f32> [*]>] : (tensor<2x8xf32>) -> ()
  return
}

// -----

// A scalar has no room for two parts.
func.func @f(%a: tensor<f32>) {
  // expected-error @below {{expected both parts of complex numbers in a last dimension of 2 of tensor 0, got 'tensor<f32>'}}
  tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<complex<f32> []>] : (tensor<f32>) -> ()
  return
}

// -----

// Each dimension is a factor or whole.
func.func @f(%a: tensor<8x4xf32>) {
  // expected-error @below {{expected 2 factors of tensor 0, got 1}}
  tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [*]>] : (tensor<8x4xf32>) -> ()
  return
}

// -----

// For the parts of complex numbers no factor stands.
func.func @f(%a: tensor<8x2xf32>) {
  // expected-error @below {{expected 1 factors of tensor 0, got 2}}
  tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<complex<f32> [*, *]>] : (tensor<8x2xf32>) -> ()
  return
}

// -----

// One factor is not two dimensions of a tensor.
func.func @f(%a: tensor<8x8xf32>) {
  // expected-error @below {{expected factors of tensor 0 to be distinct numbers, got 0}}
  tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [0, 0]>] summed = [0] : (tensor<8x8xf32>) -> ()
  return
}

// -----

// Factors are counted from 0.
func.func @f(%a: tensor<8x8xf32>) {
  // expected-error @below {{expected factors of tensor 0 to be distinct numbers, got -2}}
  tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [-2, 0]>] summed = [0] : (tensor<8x8xf32>) -> ()
  return
}

// -----

// The order is one of all dimensions.
func.func @f(%a: tensor<8x8xf32>) {
  // expected-error @below {{expected the order of tensor 0 to name each of 2 dimensions}}
  tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [*, *] order [0, 0]>] : (tensor<8x8xf32>) -> ()
  return
}

// -----

// It is one of no more than these.
func.func @f(%a: tensor<8x8xf32>) {
  // expected-error @below {{expected the order of tensor 0 to name each of 2 dimensions}}
  tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [*, *] order [0, 1, 2]>] : (tensor<8x8xf32>) -> ()
  return
}

// -----

// Every result has an alias, or -1.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected 1 aliases, got 2}}
  %0 = tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<f32 [*]>] aliases = [0, 0] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// A result starts from an operand as large.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected result 0 to start from an operand of its type, got 0}}
  %0 = tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<f32 [*]>] aliases = [0] : (tensor<8xf32>) -> tensor<9xf32>
  return
}

// -----

// It starts from one that there is.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected result 0 to start from an operand of its type, got 1}}
  %0 = tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<f32 [*]>] aliases = [1] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// A call frame has no types.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected parameter 'kind' to be a number of at most 64 bits, a string in UTF-8, a list of such numbers or a dictionary of these, got f32}}
  tessera.library_call "r"(%a) with {kind = f32} buffers = [#tessera.routine_buffer<f32 [*]>] : (tensor<8xf32>) -> ()
  return
}

// -----

// Lists have one dimension.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected parameter 'list' to be a number of at most 64 bits, a string in UTF-8, a list of such numbers or a dictionary of these, got dense<1> : tensor<2x2xi32>}}
  tessera.library_call "r"(%a) with {list = dense<1> : tensor<2x2xi32>} buffers = [#tessera.routine_buffer<f32 [*]>] : (tensor<8xf32>) -> ()
  return
}

// -----

// A factor has one size.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected dimensions of factor 0 to have 9 elements, got 8 in tensor 0}}
  %0 = tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [0]>, #tessera.routine_buffer<f32 [0]>] : (tensor<8xf32>) -> tensor<9xf32>
  return
}

// -----

// What adds up is split in an operand.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected factor 1 in an operand: it is summed}}
  tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [*]>] summed = [1] : (tensor<8xf32>) -> ()
  return
}

// -----

// A routine does not learn which part of a result it makes.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected factor 0 in an operand}}
  %0 = tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<f32 [0]>] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// What is in a result does not add up.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected factor 0 in no result: it is summed}}
  %0 = tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [0]>, #tessera.routine_buffer<f32 [0]>] summed = [0] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// What is in no result adds up.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected factor 0 in a result: it is not summed}}
  %0 = tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [0]>, #tessera.routine_buffer<f32 []>] : (tensor<8xf32>) -> tensor<f32>
  return
}

// -----

// Also of one without operands.
func.func @f() {
  // expected-error @below {{expected the name of a routine, in UTF-8}}
  %0 = tessera.library_call ""() with {} buffers = [#tessera.routine_buffer<f32 [*]>] : () -> tensor<8xf32>
  return
}

// -----

// And no other buffers.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected 1 buffers, got 2}}
  tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<f32 [*]>] : (tensor<8xf32>) -> ()
  return
}

// -----

// No result may be without one.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected 2 aliases, got 1}}
  %0:2 = tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<f32 [*]>] aliases = [0] : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

// A factor has one size among operands, too.
func.func @f(%a: tensor<8xf32>, %b: tensor<9xf32>) {
  // expected-error @below {{expected dimensions of factor 0 to have 9 elements, got 8 in tensor 0}}
  tessera.library_call "r"(%a, %b) with {} buffers = [#tessera.routine_buffer<f32 [0]>, #tessera.routine_buffer<f32 [0]>] summed = [0] : (tensor<8xf32>, tensor<9xf32>) -> ()
  return
}

// -----

// What adds up is split somewhere, with or without operands.
func.func @f() {
  // expected-error @below {{expected factor 0 in an operand: it is summed}}
  %0 = tessera.library_call "r"() with {} buffers = [#tessera.routine_buffer<f32 [*]>] summed = [0] : () -> tensor<8xf32>
  return
}

// -----

// Also a routine without operands does not learn it.
func.func @f() {
  // expected-error @below {{expected factor 0 in an operand}}
  %0 = tessera.library_call "r"() with {} buffers = [#tessera.routine_buffer<f32 [0]>] : () -> tensor<8xf32>
  return
}

// -----

// Of several results none has a factor that is summed.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected factor 0 in no result: it is summed}}
  %0:2 = tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [0]>, #tessera.routine_buffer<f32 []>, #tessera.routine_buffer<f32 [0]>] summed = [0] : (tensor<8xf32>) -> (tensor<f32>, tensor<8xf32>)
  return
}

// -----

// Of several factors each is in a result, or summed.
func.func @f(%a: tensor<8x4xf32>) {
  // expected-error @below {{expected factor 1 in a result: it is not summed}}
  %0 = tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0]>] : (tensor<8x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @starts_from_operand(%a: tensor<4x3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected no result to start from an operand: it would be summed as often as there are parts}}
  %0 = tessera.library_call "r"(%a, %c) with {} buffers = [#tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [1]>, #tessera.routine_buffer<f32 [1]>] aliases = [1] summed = [0] : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @starts_from_first(%c: tensor<3xf32>, %a: tensor<4x3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected no result to start from an operand: it would be summed as often as there are parts}}
  %0 = tessera.library_call "r"(%c, %a) with {} buffers = [#tessera.routine_buffer<f32 [1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [1]>] aliases = [0] summed = [0] : (tensor<3xf32>, tensor<4x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// What lies in results as in operands lies in an operand.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected factor 1 in an operand and a result: it is whole}}
  %0 = tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [0]>, #tessera.routine_buffer<f32 [0]>] whole = [1] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// What is summed is not whole.
func.func @f(%a: tensor<8x4xf32>) {
  // expected-error @below {{expected factor 0 in an operand and a result: it is whole}}
  %0 = tessera.library_call "r"(%a) with {} buffers = [#tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [1]>] summed = [0] whole = [0] : (tensor<8x4xf32>) -> tensor<4xf32>
  return
}

// -----

// A description of a call has room for 64 bits.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected parameter 'seed' to be a number of at most 64 bits, a string in UTF-8, a list of such numbers or a dictionary of these, got 1 : i128}}
  tessera.library_call "r"(%a) with {seed = 1 : i128} buffers = [#tessera.routine_buffer<f32 [*]>] : (tensor<8xf32>) -> ()
  return
}

// -----

// Texts are in UTF-8, also within dictionaries, and so are the names of these.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected parameter 'more' to be a number of at most 64 bits, a string in UTF-8}}
  tessera.library_call "r"(%a) with {more = {text = "\FF"}} buffers = [#tessera.routine_buffer<f32 [*]>] : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected the name of a routine, in UTF-8}}
  tessera.library_call "\FF"(%a) with {} buffers = [#tessera.routine_buffer<f32 [*]>] : (tensor<8xf32>) -> ()
  return
}
