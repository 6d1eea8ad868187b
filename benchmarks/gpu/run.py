"""Measures the compiled cases of a folder against their rivals on this machine's GPU: `run.py FOLDER [--cases=PATTERN]`.

Needs `tessera-run` with the back end `cuda`; rivals are PyTorch (eager, whose products are cuBLASLt's, and `torch.compile`), JAX and Triton,
as far as they are installed. Kernels are timed by the device's events, the median of many runs; steps by the host's clock. All systems
take turns, and what the device can do at most is measured in the same run: the bandwidth of a large copy (bytes read and written), and
the best of cuBLASLt's products. Prints a table and writes FOLDER/results.json.
"""

import argparse
import collections
import fnmatch
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

from cases import all_cases
from rivals import rivals

ROUNDS = 3
LIMIT = 600  # Seconds for one program: a kernel that hangs must not end the measurements.


def tessera_seconds(tool, program, bound, backend, steps):
    """Median seconds of a step's kernels, or of the whole step; or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.json"
        command = [tool, program, f"--backend={backend}", "--random", f"--steps={steps}"]
        if bound != "step":
            command.append(f"--trace={trace}")
        try:
            done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return None, f"did not end in {LIMIT} s"
        if done.returncode:
            return None, (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1][:200]
        if bound == "step":
            times = [float(t) for t in re.findall(r"^step .*\(([\d.e+-]+) ms\)$", done.stdout, re.M)]
            return statistics.median(times[len(times) // 3 :]) / 1e3, None
        events = json.loads(trace.read_text())["traceEvents"]
    spans = [(e["ts"], e["ts"] + e["dur"]) for e in events if e.get("cat") == "step"]
    kernels = [(e["ts"], e["dur"]) for e in events if e.get("cat") == "kernel"]
    sums = [sum(d for t, d in kernels if begin <= t < end) for begin, end in spans]
    return statistics.median(sums[len(sums) // 3 :]) / 1e6, None


def device_seconds(function, repetitions=20):
    """Median seconds of a PyTorch or Triton function on the device. The second-level cache is flushed between runs."""
    import torch

    function()
    flush = torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    times = []
    for _ in range(repetitions):
        flush.zero_()
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        function()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) / 1e3)
    return statistics.median(times)


def host_seconds(function, batch, repetitions=10):
    """Median seconds of `batch` calls one behind the other, each: hides what it costs the host to start one."""
    import jax

    jax.block_until_ready(function())
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        for _ in range(batch):
            result = function()
        jax.block_until_ready(result)
        times.append((time.perf_counter() - start) / batch)
    return statistics.median(times)


def rival_seconds(name, function, case):
    if name == "JAX":
        return host_seconds(function, 1 if case.bound == "step" else 10)
    return device_seconds(function)


def copy_bandwidth():
    """Bytes per second, or None, after a line that says why."""
    try:
        import torch

        return _copy_bandwidth(torch)
    except Exception as error:  # PyTorch is missing, or sees no GPU.
        print(f"copy: skipped: {type(error).__name__}: {str(error)[:200]}")
        return None


def _copy_bandwidth(torch):
    source = torch.empty(1 << 31, dtype=torch.int8, device="cuda").random_()
    target = torch.empty_like(source)
    return 2 * source.numel() / device_seconds(lambda: target.copy_(source))


def measure(case, options):
    """System -> median seconds over the rounds, and system -> why not."""
    times, missing = collections.defaultdict(list), {}
    functions = {}
    if not options.no_rivals:
        functions, missing = rivals(case)
    for _ in range(ROUNDS):
        seconds, why = tessera_seconds(options.tool, options.folder / f"{case.name}.tsx", case.bound, options.backend, options.steps)
        if why:
            missing["Tessera"] = why
        else:
            times["Tessera"].append(seconds)
        for name, function in functions.items():
            try:
                times[name].append(rival_seconds(name, function, case))
            except Exception as error:  # As above: the others go on.
                missing[name] = f"{type(error).__name__}: {str(error)[:200]}"
    return {name: statistics.median(values) for name, values in times.items() if values}, missing


def describe(case, seconds, ceilings):
    rate = ""
    if case.bound == "memory":
        rate = f"{case.bytes / seconds / 1e12:.2f} TB/s"
        if ceilings.get("copy"):
            rate += f" = {case.bytes / seconds / ceilings['copy']:.2f} of copy"
    elif case.bound == "compute":
        rate = f"{case.flops / seconds / 1e12:.0f} TFLOP/s"
    return f"{seconds * 1e6:10.1f} us  {rate}"


def argument_parser(description):
    """What all that runs programs of the archive is told."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cases", default="*", help="names to take, with * and ?")
    parser.add_argument("--tool", type=pathlib.Path, default=pathlib.Path("tessera-run"), help="the program tessera-run")
    parser.add_argument("--backend", default="cuda")
    parser.add_argument("--steps", type=int, default=30)
    return parser


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--no-rivals", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    ceilings = {} if options.no_rivals else {"copy": copy_bandwidth()}
    if ceilings.get("copy"):
        print(f"copy: {ceilings['copy'] / 1e12:.2f} TB/s")
    results, failed = {}, 0
    for case in all_cases():
        if not fnmatch.fnmatch(case.name, options.cases) or not (options.folder / f"{case.name}.tsx").exists():
            continue
        times, missing = measure(case, options)
        failed += "Tessera" not in times
        results[case.name] = {"seconds": times, "missing": missing, "flops": case.flops, "bytes": case.bytes}
        print(case.name, flush=True)
        for name, seconds in sorted(times.items(), key=lambda item: item[0] != "Tessera"):
            ratio = f"  speed of Tessera over it: {seconds / times['Tessera']:.2f}" if "Tessera" in times and name != "Tessera" else ""
            print(f"  {name:14}{describe(case, seconds, ceilings)}{ratio}", flush=True)
        for name, why in missing.items():
            print(f"  {name:14}skipped: {why}", flush=True)
    (options.folder / "results.json").write_text(json.dumps({"ceilings": ceilings, "cases": results}, indent=1))
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
