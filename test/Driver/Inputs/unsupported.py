"""Functions that ask for what is not supported, as JAX exports them.

    python test/Driver/Inputs/unsupported.py [NAME…]   makes unsupported/NAME.mlir

Each is a line that ends with the section of docs/unsupported.md that the compiler must name, together with that line.
"""

import pathlib
import sys

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import numpy as np
from jax import export, lax
from jax.experimental import io_callback

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent.parent
sys.path[:0] = [str(ROOT / "python")]

import tessera


def of(*shape, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(shape, dtype)


SQUARE, ROW = of(4, 4), of(8)
twice = lambda x: np.asarray(x) * 2
(SOME,) = export.symbolic_shape("n")

# fmt: off
PROGRAMS = {
    "print": (lambda x: (jax.debug.print("{}", x), x + 1)[1], SQUARE),  # debug-print
    "callback": (lambda x: (jax.debug.callback(lambda x: None, x), x + 1)[1], SQUARE),  # debug-print
    "ordered_print": (lambda x: (jax.debug.print("{}", x, ordered=True), x + 1)[1], SQUARE),  # debug-print
    "io": (lambda x: io_callback(twice, SQUARE, x) + 1, SQUARE),  # io-callback
    "pure": (lambda x: jax.pure_callback(twice, SQUARE, x) + 1, SQUARE),  # pure-callback
    "cholesky": (lambda x: jnp.linalg.cholesky(x @ x.T), SQUARE),  # cholesky
    "substitution": (lambda x, y: jsp.linalg.solve_triangular(x, y, lower=True), SQUARE, SQUARE),  # triangular-solve
    "solve": (lambda x, y: jnp.linalg.solve(x, y), SQUARE, SQUARE),  # lu
    "qr": (lambda x: jnp.linalg.qr(x)[0], SQUARE),  # qr
    "householder": (lambda x: lax.linalg.householder_product(x, x[0]), SQUARE),  # qr
    "eigh": (lambda x: jnp.linalg.eigh(x + x.T)[1], SQUARE),  # eigh
    "svd": (lambda x: jnp.linalg.svd(x)[1], SQUARE),  # svd
    "schur": (lambda x: jsp.linalg.schur(x)[0], SQUARE),  # eig
    "hessenberg": (lambda x: jsp.linalg.hessenberg(x), SQUARE),  # eig
    "tridiagonal": (lambda a, b, c, d: lax.linalg.tridiagonal_solve(a, b, c, d), ROW, ROW, ROW, of(8, 2)),  # tridiagonal
    "fft": (lambda x: lax.fft(x, "RFFT", (8,)).real, ROW),  # fft
    "complex": (lambda z: jnp.cumprod(z), of(4, dtype=jnp.complex64)),  # complex
    "made_complex": (lambda x, y: jnp.abs(lax.complex(x, x).at[0].mul(lax.complex(x[1], y))), ROW, of()),  # complex
    "symbolic": (lambda x: x * 2, of(SOME, 4)),  # dynamic-shapes
    "float8": (lambda x: x.astype(jnp.float8_e4m3fn).astype(jnp.float32), ROW),  # f8
    "int4": (lambda x: x.astype(jnp.float32), of(4, dtype=jnp.int4)),  # sub-byte-types
    "made_int4": (lambda x: x.astype(jnp.int4).astype(jnp.float32), ROW),  # sub-byte-types
    "float4": (lambda x: x.astype(jnp.float4_e2m1fn).astype(jnp.float32), ROW),  # sub-byte-types
    "generator": (lambda x: lax.rng_uniform(0.0, 1.0, (4, 4)) + x, SQUARE),  # rng
    "foreign": (lambda x: jax.ffi.ffi_call("my_target", SQUARE)(x), SQUARE),  # custom-calls
}
# fmt: on


def write(name):
    function, *arguments = PROGRAMS[name]
    (FOLDER / "unsupported" / f"{name}.mlir").write_text(tessera.export(jax.jit(function), *arguments, root=ROOT))


if __name__ == "__main__":
    for name in sys.argv[1:] or PROGRAMS:
        write(name)
