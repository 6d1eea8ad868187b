// What is not a fragment or a transfer is refused, with what was expected.
// RUN: tessera-opt %s -verify-diagnostics -split-input-file

func.func @fragment_gives_something_else(%a: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected to yield what it gives, ('tensor<4xf32>'), got ('tensor<8xf32>')}}
  %0 = pipe.fragment forward stage 0 -> tensor<4xf32> {
    pipe.yield %a : tensor<8xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @yield_outside(%a: tensor<8xf32>) {
  // expected-error@+1 {{expects parent op 'pipe.fragment'}}
  pipe.yield %a : tensor<8xf32>
}

// -----

func.func @part_of_a_forward_pass(%a: tensor<8xf32>) {
  // expected-error@+1 {{expected a part from 0 on of a 'weight_gradient', got 1 of 'forward'}}
  pipe.fragment forward stage 0 part 1 {
    pipe.yield
  }
  return
}

// -----

// expected-error@+1 {{pipe.levels: expected a list of levels, got 8 : i64}}
module attributes {pipe.levels = 8} {}

// -----

// expected-error@+1 {{expected levels '[devices, latency, bandwidth]' of an integer and two floating-point numbers, at [8, 1.000000e+00]}}
module attributes {pipe.levels = [[8, 1.0]]} {}

// -----

// expected-error@+1 {{expected levels '[devices, latency, bandwidth]' of an integer and two floating-point numbers, at [0, 1, 1.000000e+09]}}
module attributes {pipe.levels = [[0, 1, 1.0e9]]} {}

// -----

// expected-error@+1 {{expected a latency of 0 seconds or more, at [0, -1.000000e+00, 1.000000e+09]}}
module attributes {pipe.levels = [[0, -1.0, 1.0e9]]} {}

// -----

// expected-error@+1 {{expected a bandwidth of more than 0 bytes per second, at [0, 0.000000e+00, 0.000000e+00]}}
module attributes {pipe.levels = [[0, 0.0, 0.0]]} {}

// -----

// expected-error@+1 {{expected a multiple of the 4 devices of the level within, got 6, at [6, 0.000000e+00, 1.000000e+09]}}
module attributes {pipe.levels = [[4, 0.0, 1.0e9], [6, 0.0, 1.0e9], [0, 0.0, 1.0e9]]} {}

// -----

// expected-error@+1 {{expected nothing behind the level that holds all devices, at [0, 0.000000e+00, 1.000000e+08]}}
module attributes {pipe.levels = [[0, 0.0, 1.0e9], [0, 0.0, 1.0e8]]} {}

// -----

// expected-error@+1 {{expected a last level of 0 devices, which holds all, got 4}}
module attributes {pipe.levels = [[4, 0.0, 1.0e9]]} {}

// -----

// expected-error@+1 {{expected 'pipe.levels' on a module}}
func.func private @levels_of_a_function() attributes {pipe.levels = [[0, 0.0, 1.0e9]]}

// -----

func.func @fragment_without_end(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected a region that ends with 'pipe.yield'}}
  pipe.fragment forward stage 0 {
    func.return
  }
  return
}

// -----

// Levels are of a machine, which a module is for.
func.func @levels_of_an_operation(%a: tensor<8xf32>) {
  // expected-error @below {{expected 'pipe.levels' on a module}}
  %0 = math.exp %a {pipe.levels = [[0, 0.0, 1.0e9]]} : tensor<8xf32>
  return
}

// -----

// expected-error @below {{pipe.levels: expected a list of levels, got []}}
module attributes {pipe.levels = []} {}

// -----

// expected-error @below {{pipe.levels: expected levels '[devices, latency, bandwidth]' of an integer and two floating-point numbers, at [0, 0.000000e+00, 1.000000e+09, 7]}}
module attributes {pipe.levels = [[0, 0.0, 1.0e9, 7]]} {}

// -----

// expected-error @below {{pipe.levels: expected a latency of 0 seconds or more, at [0, 0x7FF0000000000000 : f64, 1.000000e+09]}}
module attributes {pipe.levels = [[0, 0x7FF0000000000000 : f64, 1.0e9]]} {}

// -----

// expected-error @below {{pipe.levels: expected a bandwidth of more than 0 bytes per second, at [0, 0.000000e+00, -1.000000e+00]}}
module attributes {pipe.levels = [[0, 0.0, -1.0]]} {}

// -----

// expected-error @below {{pipe.levels: expected a multiple of the 1 devices of the level within, got -4, at [-4, 0.000000e+00, 1.000000e+09]}}
module attributes {pipe.levels = [[-4, 0.0, 1.0e9], [0, 0.0, 1.0e9]]} {}

// -----

// expected-error @below {{pipe.levels: expected nothing behind the level that holds all devices, at [8, 0.000000e+00, 1.000000e+09]}}
module attributes {pipe.levels = [[0, 0.0, 1.0e9], [8, 0.0, 1.0e9]]} {}

// -----

// expected-error @below {{pipe.levels: expected a last level of 0 devices, which holds all, got 4}}
module attributes {pipe.levels = [[1, 0.0, 1.0e9], [4, 0.0, 1.0e9]]} {}

// -----

func.func @part_before_the_first() {
  // expected-error @below {{expected a part from 0 on of a 'weight_gradient', got -1 of 'weight_gradient'}}
  pipe.fragment weight_gradient stage 0 part -1 {
    pipe.yield
  }
  return
}

// -----

func.func @fragment_gives_nothing(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected to yield what it gives, ('tensor<8xf32>'), got ()}}
  %0 = pipe.fragment input_gradient stage 1 -> tensor<8xf32> {
    pipe.yield
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @fragment_that_ends_like_a_kernel(%x: tensor<8xf32>) {
  // expected-error @below {{expected a region that ends with 'pipe.yield'}}
  %0 = pipe.fragment once stage 0 -> tensor<8xf32> {
    tessera.yield %x : tensor<8xf32>
  }
  return
}

// -----

// What a level does beside latency and bandwidth is named.
// expected-error @below {{pipe.levels: expected no 'speed', at [0, 0.000000e+00, 1.000000e+09, {speed = 1.000000e+00 : f32}]}}
module attributes {pipe.levels = [[0, 0.0, 1.0e9, {speed = 1.0 : f32}]]} {}

// -----

// expected-error @below {{pipe.levels: expected 'links' to be an integer of at least 0, at}}
module attributes {pipe.levels = [[0, 0.0, 1.0e9, {links = 1.0}]]} {}

// -----

// expected-error @below {{pipe.levels: expected 'launch' to be a floating-point number of at least 0, at}}
module attributes {pipe.levels = [[0, 0.0, 1.0e9, {launch = -1.0}]]} {}

// -----

// expected-error @below {{pipe.kernels: expected a dictionary of numbers}}
module attributes {pipe.kernels = 8} {}

// -----

// expected-error @below {{pipe.kernels: expected a dictionary of numbers}}
module attributes {pipe.kernels = [8.0]} {}

// -----

// expected-error @below {{pipe.kernels: expected no 'waves'}}
module attributes {pipe.kernels = {waves = 8}} {}

// -----

// expected-error @below {{pipe.kernels: expected 'tile' to be an integer of at least 0}}
module attributes {pipe.kernels = {tile = -8, processors = 4}} {}

// -----

// expected-error @below {{pipe.kernels: expected an efficiency above 0 and up to 1, and processors with a tile or neither}}
module attributes {pipe.kernels = {efficiency = 2.0}} {}

// -----

// expected-error @below {{pipe.kernels: expected an efficiency above 0 and up to 1, and processors with a tile or neither}}
module attributes {pipe.kernels = {processors = 8}} {}

// -----

// expected-error @below {{pipe.machine: expected a name}}
module attributes {pipe.machine = 8} {}

// -----

// expected-error @below {{pipe.machine: expected a name}}
module attributes {pipe.machine = ["h100x8"]} {}

// -----

// expected-error @below {{expected 'pipe.kernels' on a module}}
func.func private @kernels_of_a_function() attributes {pipe.kernels = {}}
