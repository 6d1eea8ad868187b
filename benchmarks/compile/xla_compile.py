"""Compiles a model file with XLA; the parent reads the log of its passes. Used by compile.py, which says what it measures."""

import argparse
import sys
import time

import jax


def parse_module(path):
    """The module of a file and its context, with the dialects that JAX knows."""
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir

    context = mlir.make_ir_context()
    with open(path) as file, context, ir.Location.unknown(context):
        return ir.Module.parse(file.read()), context


def compile_module(path, devices, partitioner):
    """Everything XLA does, as `jax.jit` would ask for it."""
    import numpy as np
    from jax._src import compiler, xla_bridge
    from jaxlib import _jax

    jax.config.update("jax_num_cpu_devices", devices)
    jax.config.update("jax_use_shardy_partitioner", partitioner == "shardy")
    backend, all_devices = xla_bridge.get_backend("cpu"), jax.devices("cpu")
    options = compiler.get_compile_options(1, devices, np.array(all_devices).reshape(1, devices))
    print("MARK parse", file=sys.stderr, flush=True)
    module, _ = parse_module(path)
    print("MARK compile", file=sys.stderr, flush=True)
    backend.compile_and_load(module, _jax.DeviceList(tuple(all_devices)), options)
    print("MARK done", file=sys.stderr, flush=True)


PROPAGATION = "builtin.module(sdy-propagation-pipeline)"
PARTITIONING = """builtin.module(
    func.func(sdy-insert-explicit-reshards{enable-full-version=true}),
    sdy-resolve-permutation-factors{enable-halo-exchange=true},
    func.func(sdy-reshard-to-collectives, sdy-pad-for-divisibility),
    sdy-convert-global-to-local, sdy-drop-sharding-and-mesh)"""


def run_shardy(path):
    """Shardy's passes by themselves, without verification between them."""
    from jaxlib.mlir.passmanager import PassManager

    print("MARK parse", file=sys.stderr, flush=True)
    module, context = parse_module(path)
    with context:
        for name, passes in (("propagation", PROPAGATION), ("partitioning", PARTITIONING)):
            manager = PassManager.parse(passes)
            manager.enable_verifier(False)
            print("MARK", name, file=sys.stderr, flush=True)
            manager.run(module.operation)
    print("MARK done", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--devices", type=int, required=True)
    parser.add_argument("--partitioner", choices=("shardy", "gspmd", "shardy-alone"), required=True)
    options = parser.parse_args()
    if options.partitioner == "shardy-alone":
        run_shardy(options.file)
    else:
        compile_module(options.file, options.devices, options.partitioner)
    time.sleep(60)  # The parent ends this process when it has read its clocks.


if __name__ == "__main__":
    main()
