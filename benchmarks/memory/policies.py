"""Limits of memory beside JAX's checkpoint policies, at equal bytes.

    python benchmarks/memory/policies.py [--layers 12] [--width 256]

A step whose layers are checkpointed by a policy needs some bytes and is predicted to take some time. The step without a
policy is compiled with those bytes as its limit. Prints both, and what XLA's compiler for CPUs needs for the first. Fails
where the policy takes less time than the limit does.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import chains
import jax

POLICIES = {
    "dots_saveable": jax.checkpoint_policies.dots_saveable,
    "dots_with_no_batch_dims_saveable": jax.checkpoint_policies.dots_with_no_batch_dims_saveable,
    "nothing_saveable": jax.checkpoint_policies.nothing_saveable,
}


def figures(options, model, *flags):
    """The bytes that the program of a model needs, and the milliseconds that its step is predicted to take; infinitely many where it is refused."""
    program = model.with_suffix(".tsx")
    if subprocess.run([options.bin / "tesserac", model, *flags, "-o", program], capture_output=True).returncode:
        return 0, float("inf")
    output = lambda tool, *arguments: subprocess.run([options.bin / tool, *arguments], check=True, capture_output=True, text=True).stdout
    memory = json.loads(output("tesserac", "--inspect", "--json", program))["memory"]
    return memory["peak"], json.loads(output("tessera-sim", program, "--json"))["makespan"]


def main():
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import tessera

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--bin", type=pathlib.Path, default=chains.REPOSITORY / "build" / "bin", help="the tools, build/bin by default")
    options = parser.parse_args()
    failed = False
    print("| step | policy | XLA, CPU | bytes | policy, ms | limit, ms |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "model.mlir"

        def export(chain, wrap):
            step, arguments = chains.build(chain, options.layers, options.width, 1, wrap)
            tessera.export(step, *arguments, path=model, root=chains.REPOSITORY)
            analysis = step.lower(*arguments).compile().memory_analysis()
            return analysis.argument_size_in_bytes + analysis.output_size_in_bytes - analysis.alias_size_in_bytes + analysis.temp_size_in_bytes

        for chain in ["mlp", "attention"]:
            found = {}
            for name, policy in POLICIES.items():
                xla = export(chain, lambda layer: jax.checkpoint(layer, policy=policy))
                found[name] = (xla, *figures(options, model))
            xla = export(chain, lambda layer: layer)
            peak, milliseconds = figures(options, model)
            print(f"| {chain} | none | {xla / 1e6:.1f} MB | {peak / 1e6:.1f} MB | {milliseconds:.3f} | {milliseconds:.3f} |")
            for name, (xla, peak, milliseconds) in found.items():
                _, limited = figures(options, model, f"--memory-limit={peak}")
                failed |= limited > milliseconds
                print(f"| {chain} | {name} | {xla / 1e6:.1f} MB | {peak / 1e6:.1f} MB | {milliseconds:.3f} | {limited:.3f} |", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
