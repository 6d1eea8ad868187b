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
    "gpu_cholesky": (lambda x: jax.ffi.ffi_call("cusolver_potrf_ffi", SQUARE)(x), SQUARE),  # linear-algebra
    "gpu_lu": (lambda x: jax.ffi.ffi_call("cusolver_getrf_ffi", SQUARE)(x), SQUARE),  # linear-algebra
    "gpu_qr": (lambda x: jax.ffi.ffi_call("cusolver_geqrf_ffi", SQUARE)(x), SQUARE),  # linear-algebra
    "gpu_householder": (lambda x: jax.ffi.ffi_call("cusolver_orgqr_ffi", SQUARE)(x), SQUARE),  # linear-algebra
    "gpu_eigh": (lambda x: jax.ffi.ffi_call("cusolver_syevd_ffi", SQUARE)(x), SQUARE),  # linear-algebra
    "gpu_svd": (lambda x: jax.ffi.ffi_call("cusolver_gesvd_ffi", SQUARE)(x), SQUARE),  # linear-algebra
    "gpu_tridiagonal": (lambda x: jax.ffi.ffi_call("cusparse_gtsv2_ffi", SQUARE)(x), SQUARE),  # linear-algebra
    "amd_cholesky": (lambda x: jax.ffi.ffi_call("hipsolver_potrf_ffi", SQUARE)(x), SQUARE),  # linear-algebra
    "gpu_pivots": (lambda x: jax.ffi.ffi_call("cu_lu_pivots_to_permutation", SQUARE)(x), SQUARE),  # linear-algebra
    "tpu_lu": (lambda x: jax.ffi.ffi_call("LuDecomposition", SQUARE)(x), SQUARE),  # linear-algebra
    "tpu_eigh": (lambda x: jax.ffi.ffi_call("Eigh", SQUARE)(x), SQUARE),  # linear-algebra
    "symbolic": (lambda x: x * 2, of(SOME, 4)),  # dynamic-shapes
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
