// RUN: tessera-opt %s -split-input-file -verify-diagnostics

// What lies on the host is read by copies only.
func.func @read_on_the_host(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected only 'spmd.reload' to read what lies on the host, got 'math.exp'}}
  %0 = spmd.offload %a : tensor<8xf32>
  %1 = math.exp %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// So it is once the copy has been awaited.
func.func @awaited_and_read(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = spmd.start : <tensor<8xf32>> {
    // expected-error @below {{expected only 'spmd.reload' to read what lies on the host, got 'func.return'}}
    %2 = spmd.offload %a : tensor<8xf32>
    spmd.yield %2 : tensor<8xf32>
  }
  %1 = spmd.wait %0 : <tensor<8xf32>>
  return %1 : tensor<8xf32>
}

// -----

// What was never copied there is not copied back.
func.func @of_the_device(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected what a 'spmd.offload' has copied}}
  %0 = spmd.reload %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Nor what another copy back has given.
func.func @twice(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = spmd.offload %a : tensor<8xf32>
  %1 = spmd.reload %0 : tensor<8xf32>
  // expected-error @below {{expected what a 'spmd.offload' has copied}}
  %2 = spmd.reload %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// expected-error @below {{expected an i64 of at least 0 for spmd.host_size, got -1}}
func.func @less_than_none() attributes {spmd.host_size = -1 : i64} {
  return
}

// -----

// expected-error @below {{expected an i64 of at least 0 for spmd.host_size, got "all"}}
func.func @no_number() attributes {spmd.host_size = "all"} {
  return
}

// -----

// Links go both ways, but not backwards in time.
// expected-error @below {{expected positive numbers for bandwidth and memory of the host, and a latency of at least 0}}
tessera.mesh @mesh = <["x"=2]> on <links = [[1.0e-06, 5.0e+10]], compute = 1.0e+12, memory_bandwidth = 1.0e+11, memory = 64, host = [-1.0, 2.5e+10, 512]>

// -----

// expected-error @below {{expected positive numbers for bandwidth and memory of the host, and a latency of at least 0}}
tessera.mesh @mesh = <["x"=2]> on <links = [[1.0e-06, 5.0e+10]], compute = 1.0e+12, memory_bandwidth = 1.0e+11, memory = 64, host = [1.0, 2.5e+10, 0]>

// -----

// A wait for a start that is none.
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error @below {{expects a non-empty block}}
  %f = "spmd.start"() ({
  ^bb0:
  }) : () -> !spmd.future<tensor<16xf32>>
  %w = spmd.wait %f : !spmd.future<tensor<16xf32>>
  %r = spmd.reload %w : tensor<16xf32>
  return %r : tensor<16xf32>
}
