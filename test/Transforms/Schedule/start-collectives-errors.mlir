// RUN: tessera-opt %s -split-input-file -verify-diagnostics -tessera-start-collectives

// What a call needs is known only if the function has a body.
func.func private @outside()
func.func @main() {
  // expected-error @below {{expected the call of a function with a body, got @outside}}
  call @outside() : () -> ()
  return
}
