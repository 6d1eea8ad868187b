"""Compares the training step of examples/gpt in Tessera, JAX and PyTorch, in one run on this machine.

Each measurement is a process of its own; systems take turns, so that a slow minute of the machine meets all of them. Around
every measurement the speed of a large single-precision matrix product is measured: shares are relative to its median.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent
BATCHES = REPOSITORY / "examples" / "gpt" / "batches.safetensors"
MESHES = {"1": "data=1,model=1", "2x4": "data=2,model=4", "8x1": "data=8,model=1"}
RIVALS = ("jax", "jax-scan", "torch")


def step_flops(layers, width=256, sequence=128, batch=16, vocabulary=256):
    """Floating-point operations of the matrix products of one step: the backward pass has twice those of the forward."""
    tokens = batch * sequence
    layer = 2 * tokens * (3 * width * width + width * width + 8 * width * width) + 4 * tokens * sequence * width
    return 3 * (layers * layer + 2 * tokens * width * vocabulary)


def sgemm_flops_per_second(size=2048, repetitions=3):
    """The best of a few large matrix products by NumPy's BLAS on all cores."""
    a = np.random.default_rng(0).standard_normal((size, size), np.float32)
    a @ a
    best = float("inf")
    for _ in range(repetitions):
        start = time.perf_counter()
        a @ a
        best = min(best, time.perf_counter() - start)
    return 2 * size**3 / best


# ---- measurements: each gives {"compile": s, "steps": [s], "temporary": bytes per device, "losses": [...]} or {"skipped": why}


def run(command, timeout):
    """Runs a command; returns (completed process, None) or (None, reason)."""
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=timeout)
    except FileNotFoundError:
        return None, f"{command[0]} not found"
    except subprocess.TimeoutExpired:
        return None, f"over {timeout} s"
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [""]
        return None, f"status {done.returncode}: {lines[-1][:200]}"
    return done, None


def measure_python(python, script, options, timeout):
    done, reason = run([python, FOLDER / script, *options], timeout)
    return json.loads(done.stdout.splitlines()[-1]) if done else {"skipped": reason}


def measure_tessera(bin, files, layers, mesh, cpu, steps, timeout):
    model, initial = files / f"gpt-{layers}.mlir", files / f"initial-{layers}.safetensors"
    program = files / f"gpt-{layers}-{mesh}-{cpu}.tsx"
    start = time.perf_counter()
    done, reason = run([bin / "tesserac", model, f"--mesh={MESHES[mesh]}", f"--cpu={cpu}", "-o", program], timeout)
    compile_seconds = time.perf_counter() - start
    if not done:
        return {"skipped": reason}
    command = [bin / "tessera-run", program, f"--inputs={initial}", f"--batches={BATCHES}", f"--steps={steps + 1}"]
    done, reason = run(command, timeout)
    if not done:
        return {"skipped": reason}
    # One line a step: `step 1/6 result[1]['step']=1 result[2]=5.56369543 (123 ms)`.
    lines = re.findall(r"^step .* result\[2\]=(\S+) \(([\d.]+) ms\)$", done.stdout, re.MULTILINE)
    losses, times = [float(loss) for loss, _ in lines], [float(time) / 1000 for _, time in lines]
    if len(times) != steps + 1:
        return {"skipped": f"expected {steps + 1} step times from tessera-run, got {len(times)}"}
    manifest, reason = run([bin / "tesserac", "--inspect", program, "--json"], timeout)
    if not manifest:
        return {"skipped": reason}
    temporary = json.loads(manifest.stdout)["memory"]["temporary"]
    return {"compile": compile_seconds, "steps": times[1:], "temporary": temporary, "losses": losses}


def instructions(system, cpus):
    """The processor that a row of Tessera is compiled for, `-` for other systems: `tessera@x86-64-v3` says it, `tessera` is the first."""
    name, _, cpu = system.partition("@")
    return (cpu or cpus[0]) if name == "tessera" else "-"


def measure(system, options, files, layers, mesh):
    if system.startswith("tessera"):
        return measure_tessera(options.bin, files, layers, mesh, instructions(system, options.cpus), options.steps, options.timeout)
    initial = files / f"initial-{layers}.safetensors"
    common = [f"--layers={layers}", f"--steps={options.steps}", f"--initial={initial}", f"--batches={BATCHES}"]
    if system == "torch":
        if mesh != "1":
            return {"skipped": "one device only"}
        return measure_python(options.torch_python, "torch_step.py", common, options.timeout)
    scan = ["--scan"] if system == "jax-scan" else []
    return measure_python(options.jax_python, "jax_step.py", [*common, f"--mesh={mesh}", *scan], options.timeout)


def prepare(options, files):
    """Exports the programs and initial states that all systems start from; returns the depths that are available."""
    available = []
    for layers in options.layers:
        command = [options.jax_python, FOLDER / "jax_step.py", f"--layers={layers}", f"--prepare={files}"]
        done, reason = run(command, options.timeout)
        if done:
            available.append(layers)
        else:
            print(f"skipped: {layers} layers: the program could not be exported: {reason}", flush=True)
    return available


# ---- evaluation -------------------------------------------------------------------------------------------------------


def merge(samples):
    """One row from the rounds of one system: medians of the times, or why there are none."""
    good = [sample for sample in samples if "skipped" not in sample]
    if not good:
        return {"skipped": samples[0]["skipped"]}
    return {
        "compile": statistics.median(sample["compile"] for sample in good),
        "step": statistics.median(time for sample in good for time in sample["steps"]),
        "temporary": good[-1]["temporary"],
        "losses": good[-1]["losses"],
    }


def better_xla(rows):
    """The faster of JAX unrolled and with `scan`."""
    candidates = [rows[name] for name in ("jax", "jax-scan") if "step" in rows.get(name, {})]
    return min(candidates, key=lambda row: row["step"], default=None)


def ratios(rows):
    """Tessera relative to its rivals: below 1 is less time or memory than the rival."""
    tessera, xla, torch = rows.get("tessera", {}), better_xla(rows), rows.get("torch", {})
    if "step" not in tessera:
        return {}
    result = {}
    if xla:
        result["compile / XLA"] = tessera["compile"] / xla["compile"]
        result["step / XLA"] = tessera["step"] / xla["step"]
        result["temporary / XLA"] = tessera["temporary"] / xla["temporary"]
    if "step" in torch:
        result["step / PyTorch"] = tessera["step"] / torch["step"]
    return result


def largest_loss_difference(rows):
    """The largest relative difference between any two systems' losses, or None with fewer than two."""
    losses = [row["losses"] for row in rows.values() if row.get("losses")]
    if len(losses) < 2:
        return None
    count = min(map(len, losses))
    table = np.array([row[:count] for row in losses])
    return float(np.max(np.ptp(table, axis=0) / np.abs(table[0])))


def print_table(results, peak, cpus):
    print(f"\nsgemm peak {peak / 1e9:.0f} GFLOP/s (median)\n")
    print("| layers | mesh | system | instructions | compile s | step ms | share of peak | temporary MB per device |")
    print("|---|---|---|---|---|---|---|---|")
    for (layers, mesh), rows in results.items():
        for system, row in rows.items():
            name = f"{system.partition('@')[0]} | {instructions(system, cpus)}"
            if "skipped" in row:
                print(f"| {layers} | {mesh} | {name} | skipped: {row['skipped']} | | | |")
                continue
            share = step_flops(layers) / row["step"] / peak
            memory = "-" if row["temporary"] is None else f"{row['temporary'] / 1e6:.1f}"
            cells = f"{row['compile']:.2f} | {row['step'] * 1e3:.1f} | {share:.1%} | {memory}"
            print(f"| {layers} | {mesh} | {name} | {cells} |")
    print("\nTessera relative to the better XLA (unrolled or scan) and to PyTorch; below 1 is better\n")
    for (layers, mesh), rows in results.items():
        text = ", ".join(f"{name} {value:.2f}" for name, value in ratios(rows).items()) or "not measured"
        difference = largest_loss_difference(rows)
        agreement = "" if difference is None else f"; losses of all systems agree to {difference:.1e}"
        print(f"{layers} layers, {mesh}: {text}{agreement}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, nargs="+", default=[4, 16])
    parser.add_argument("--meshes", nargs="+", choices=MESHES, default=list(MESHES))
    parser.add_argument("--systems", nargs="+", choices=("tessera", *RIVALS), default=["tessera", *RIVALS])
    parser.add_argument("--cpus", nargs="+", default=["native", "x86-64-v3"], help="what tesserac compiles for: a row for each; ratios are of the first")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each system, in turn (default 3)")
    parser.add_argument("--steps", type=int, default=5, help="timed steps per measurement, after one untimed (default 5)")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one process (default 600)")
    parser.add_argument("--bin", type=pathlib.Path, default=REPOSITORY / "build" / "bin", help="where tesserac is")
    parser.add_argument("--jax-python", default=sys.executable, help="a Python that has JAX")
    parser.add_argument("--torch-python", default=sys.executable, help="a Python that has PyTorch")
    parser.add_argument("--output", type=pathlib.Path, help="write all figures to this JSON file")
    options = parser.parse_args()
    if "tessera" in options.systems:
        place = options.systems.index("tessera") + 1
        options.systems[place:place] = [f"tessera@{cpu}" for cpu in options.cpus[1:]]

    with tempfile.TemporaryDirectory() as folder:
        files = pathlib.Path(folder)
        peaks, results = [sgemm_flops_per_second()], {}
        for layers in prepare(options, files):
            for mesh in options.meshes:
                samples = {system: [] for system in options.systems}
                for _ in range(options.rounds):
                    for system in options.systems:
                        if samples[system] and "skipped" in samples[system][0]:
                            continue
                        samples[system].append(measure(system, options, files, layers, mesh))
                        peaks.append(sgemm_flops_per_second())
                        print(f"{layers} layers, {mesh}, {system}: {merge(samples[system])}", file=sys.stderr, flush=True)
                results[layers, mesh] = {system: merge(sample) for system, sample in samples.items()}
    peak = statistics.median(peaks)
    print_table(results, peak, options.cpus)
    if options.output:
        rows = [
            {"layers": layers, "mesh": mesh, "systems": rows, "ratios": ratios(rows)}
            for (layers, mesh), rows in results.items()
        ]
        options.output.write_text(json.dumps({"cores": os.cpu_count(), "sgemm_peak": peak, "results": rows}, indent=1) + "\n")
    return 0 if results else 1


if __name__ == "__main__":
    sys.exit(main())
