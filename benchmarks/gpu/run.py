"""Measures the compiled cases of a folder against their rivals on this machine's GPU: `run.py FOLDER [--cases=PATTERN] [--seconds=N]`.

Needs `tessera-run` with the back end `cuda`; rivals are PyTorch (eager, whose products are cuBLASLt's, and `torch.compile`), JAX and Triton,
as far as they are installed. Kernels are timed by the device's events, from the first one's beginning to the last one's end, the median of
many runs; steps by the host's clock. All systems take turns, and what the device can do at most is measured in the same run: the bandwidth
of a large copy (bytes read and written), and the best of cuBLASLt's products. Prints the times, and after every case writes
FOLDER/results.json and FOLDER/report.md. What results.json has already is not measured again: a run that was cut short, or out of time
(--seconds), goes on where it ended.
"""

import argparse
import bisect
import collections
import datetime
import fnmatch
import importlib.metadata
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import report
from cases import all_cases
from rivals import rivals

ROUNDS = 3
LIMIT = 120  # Seconds for one program: a kernel that hangs must not end the measurements.


def tessera_seconds(tool, program, bound, backend, steps):
    """Median seconds from the beginning of a step's first kernel to the end of its last one, or of the whole step, and None; or None and
    why."""
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
            median = re.search(r"median ([\d.e+-]+) ms", done.stdout)
            return (float(median[1]) / 1e3, None) if median else (None, "tessera-run named no median of the steps")
        events = json.loads(trace.read_text())["traceEvents"]
    begins = [e["ts"] for e in events if e.get("cat") == "step"]
    spans = collections.defaultdict(list)  # By step, its kernels' times.
    for event in events:
        if event.get("cat") == "kernel":
            spans[bisect.bisect(begins, event["ts"])] += [event["ts"], event["ts"] + event["dur"]]
    seconds = [(max(times) - min(times)) / 1e6 for times in spans.values()]
    if not seconds:
        return None, "the trace has no kernels"
    return statistics.median(seconds[len(seconds) // 3 :]), None


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


def free_device():
    """Gives back what PyTorch keeps for later: other processes need the memory."""
    torch = sys.modules.get("torch")
    if torch and torch.cuda.is_available():
        torch.cuda.empty_cache()


def measure(case, options):
    """System -> median seconds over the rounds, and system -> why not."""
    times, missing = collections.defaultdict(list), {}
    functions = {}
    if not options.no_rivals:
        functions, missing = rivals(case)
    for _ in range(ROUNDS):
        free_device()
        seconds, why = tessera_seconds(options.tool, options.folder / f"{case.name}.tsx", case.bound, options.backend, options.steps)
        if why:
            missing["Tessera"] = why
        else:
            times["Tessera"].append(seconds)
        for name, function in functions.items():
            if name in missing:
                continue
            try:
                times[name].append(rival_seconds(name, function, case))
            except Exception as error:  # As above: the others go on.
                missing[name] = f"{type(error).__name__}: {str(error)[:200]}"
    return {name: statistics.median(values) for name, values in times.items() if values}, missing


def describe(case, seconds, ceilings):
    return f"{seconds * 1e6:10.1f} us  {report.rate(case, seconds, ceilings)}"


def print_case(case, times, missing, ceilings):
    for name, seconds in sorted(times.items(), key=lambda item: item[0] != "Tessera"):
        ratio = f"  speed of Tessera over it: {seconds / times['Tessera']:.2f}" if "Tessera" in times and name != "Tessera" else ""
        print(f"  {name:14}{describe(case, seconds, ceilings)}{ratio}", flush=True)
    for name, why in missing.items():
        print(f"  {name:14}skipped: {why}", flush=True)


def versions():
    """Of the rivals: `PyTorch 2.9.0, JAX 0.10.2, no Triton`."""
    found = []
    for name, package in (("PyTorch", "torch"), ("JAX", "jax"), ("Triton", "triton")):
        try:
            found.append(f"{name} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"no {name}")
    return ", ".join(found)


def argument_parser(description):
    """What all that runs programs of the archive is told."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cases", default="*", help="names to take, with * and ?")
    parser.add_argument("--tool", type=pathlib.Path, default=pathlib.Path("tessera-run"), help="the program tessera-run")
    parser.add_argument("--backend", default="cuda")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin nothing more after so long; another run goes on")
    parser.add_argument("--again", action="store_true", help="measure again what has been measured before")
    return parser


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--no-rivals", action="store_true")
    parser.add_argument("--commit", default="unknown", help="that of Tessera, for the report")
    options = parser.parse_args()
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    begin = time.monotonic()
    file = options.folder / "results.json"
    results = {} if options.again else report.read(file, {})
    if not results.get("ceilings", {}).get("copy"):
        results["ceilings"] = {} if options.no_rivals else {"copy": copy_bandwidth()}
    results.update(machine=report.machine(), versions=versions(), commit=options.commit, date=str(datetime.date.today()))
    if results["ceilings"].get("copy"):
        print(f"copy: {results['ceilings']['copy'] / 1e12:.2f} TB/s")
    measured = results.setdefault("cases", {})
    cases = [case for case in all_cases() if fnmatch.fnmatch(case.name, options.cases)]
    is_measured = lambda case: "Tessera" in measured.get(case.name, {}).get("seconds", {})
    failed, left = 0, 0
    for number, case in enumerate(cases, 1):
        seconds = time.monotonic() - begin
        print(f"{case.name} ({number} of {len(cases)}, {seconds:.0f} s)", flush=True)
        if is_measured(case):
            print("  measured before")
            continue
        if not (options.folder / f"{case.name}.tsx").exists():
            print(f"  skipped: there is no {case.name}.tsx")
            continue
        if seconds > options.seconds:
            print("  left for another run")
            left += 1
            continue
        try:
            times, missing = measure(case, options)
        except Exception as error:  # One case must not end the others.
            times, missing = {}, {"Tessera": f"{type(error).__name__}: {str(error)[:200]}"}
        failed += "Tessera" not in times
        measured[case.name] = {"seconds": times, "missing": missing, "flops": case.flops, "bytes": case.bytes}
        print_case(case, times, missing, results["ceilings"])
        file.write_text(json.dumps(results, indent=1) + "\n")
        report.write(options.folder)
    print(f"{sum(map(is_measured, cases))} of {len(cases)} cases measured, {failed} failed, {left} left; the report: {options.folder / 'report.md'}")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
