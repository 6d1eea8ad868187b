"""Compares the compile time of a deep transformer's training step in Tessera and in XLA, on the same module in one run.

Every measurement is a process of its own, and systems take turns. Seconds are those in which a processor worked for the
process, so that other work on the machine counts less; seconds by the clock are in the JSON file beside them.
"""

import argparse
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

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent
AXES = ("data", "fsdp", "model")
SYSTEMS = ("tessera", "shardy", "gspmd", "shardy-alone")
# The last pass that is measured unless the whole compilation is; XLA's log says so when it is done.
LAST_PASS = "spmd-partitioning"
PASSES = {"shardy": "shardy-xla", "gspmd": "sharding-propagation"}


def num_devices(mesh):
    return math.prod(map(int, mesh.split("x")))


# ---- clocks -----------------------------------------------------------------------------------------------------------


def cpu_seconds(pid):
    """The processor time of a running process, of all its threads."""
    return time.clock_gettime((~pid << 3) | 2)


def resident_bytes(pid):
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(r"VmRSS:\s*(\d+) kB", file.read()).group(1)) * 1024


class Stopwatch:
    """Notes when a process reached named points: `laps[name]` is the time since the point before, as wall and CPU seconds."""

    def __init__(self, pid):
        self.pid, self.laps, self.last = pid, {}, None

    def now(self):
        return time.monotonic(), cpu_seconds(self.pid)

    def start(self):
        self.last = self.now()

    def lap(self, name):
        now = self.now()
        wall, cpu = self.laps.get(name, (0, 0))
        self.laps[name] = wall + now[0] - self.last[0], cpu + now[1] - self.last[1]
        self.last = now


# ---- measurements: {"phases": {name: (wall, cpu)}, "memory": bytes, "base": bytes} or {"skipped": why} -----------------


def measure_tessera(options, file, mesh, whole):
    sizes = ",".join(f"{axis}={size}" for axis, size in zip(AXES, mesh.split("x"), strict=True))
    with tempfile.TemporaryDirectory() as folder:
        times = pathlib.Path(folder) / "times.json"
        to = ["-o", pathlib.Path(folder) / "model.tsx"] if whole else ["--compile-to=partition", "-o", "/dev/null"]
        command = [options.bin / "tesserac", file, f"--mesh={sizes}", f"--timing={times}", *to]
        try:
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=options.timeout)
        except subprocess.TimeoutExpired:
            return {"skipped": f"over {options.timeout:.0f} s"}
        if done.returncode:
            return {"skipped": f"status {done.returncode}: {done.stderr.strip().splitlines()[-1][:200]}"}
        timing = json.loads(times.read_text())
    phases = {phase["name"]: (phase["seconds"], phase["cpu_seconds"]) for phase in timing["phases"]}
    return {"phases": phases, "memory": timing["peak_memory"], "base": 0}


def follow_xla(process, partitioner, whole, deadline):
    """Reads the log of `xla_compile.py` up to the last point of interest."""
    watch, base, names = Stopwatch(process.pid), 0, {"parse": None, "compile": "read"}
    if partitioner == "shardy-alone":
        names = {"parse": None, "propagation": "read", "partitioning": "shard", "done": "partition"}
    tail, memory = [], 0
    for line in process.stderr:
        if time.monotonic() > deadline:
            return {"skipped": "timeout"}
        tail = [*tail[-3:], line.strip()]
        found = False
        if mark := re.match(r"MARK (\S+)", line):
            name = mark[1]
            if name == "parse":
                base = resident_bytes(process.pid)
                watch.start()
            elif name in names:
                watch.lap(names[name])
            elif name == "done":
                watch.lap("rest")
            found = name == "done"
        elif match := re.search(r"HLO pass(:?) (\S+)( time:)?", line):
            begins, name = not match[1], match[2]
            if name == PASSES.get(partitioner):
                watch.lap("import" if begins else "shard")
            elif name == LAST_PASS:
                watch.lap("shard" if begins else "partition")
                found = not begins and not whole
        if found:
            memory = resident_bytes(process.pid)
            return {"phases": watch.laps, "memory": memory, "base": base}
    return {"skipped": f"ended: {tail[-1][:200] if tail else ''}"}


def measure_xla(options, file, mesh, partitioner, whole):
    command = [options.jax_python, FOLDER / "xla_compile.py", file]
    command += [f"--devices={num_devices(mesh)}", f"--partitioner={partitioner}"]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "0", "TF_CPP_VMODULE": "hlo_pass_pipeline=1", "JAX_PLATFORMS": "cpu"}
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment
    )
    try:
        result = follow_xla(process, partitioner, whole, time.monotonic() + options.timeout)
        if "skipped" not in result:
            with open(f"/proc/{process.pid}/status") as status:
                result["memory"] = int(re.search(r"VmHWM:\s*(\d+) kB", status.read()).group(1)) * 1024
        return result
    finally:
        process.kill()
        process.wait()


def measure(options, system, files, layers, mesh, whole=False):
    if system == "tessera":
        return measure_tessera(options, files[layers, "sdy"], mesh, whole)
    if whole and system == "shardy-alone":
        return {"skipped": "not a compiler"}
    return measure_xla(options, files[layers, mesh, "gspmd" if system == "gspmd" else "sdy"], mesh, system, whole)


# ---- model files ------------------------------------------------------------------------------------------------------


def export(options, folder):
    """Writes the model files; XLA's say the mesh themselves, Tessera gets it as an option."""
    files, operations = {}, {}
    for layers in sorted({*options.layers, *options.whole}):
        for mesh in options.meshes:
            for form in ("sdy", "gspmd") if "gspmd" in options.systems else ("sdy",):
                path = options.files / f"transformer-{layers}-{mesh}-{form}.mlir" if options.files else None
                if path is None or not path.exists():
                    path = path or folder / f"transformer-{layers}-{mesh}-{form}.mlir"
                    command = [options.jax_python, FOLDER / "transformer.py", f"--layers={layers}", f"--mesh={mesh}", "-o", path]
                    subprocess.run(list(map(str, command + ["--gspmd"] * (form == "gspmd"))), check=True)
                files[layers, mesh, form] = path
                if form == "sdy":
                    files[layers, "sdy"] = path
        text = files[layers, "sdy"].read_text()
        operations[layers] = len(re.findall(r'^ *(?:%[\w:]+ = )?"', text, re.MULTILINE))
    return files, operations


# ---- evaluation -------------------------------------------------------------------------------------------------------


def merge(samples):
    """One row from the rounds: medians, or why there are none."""
    good = [sample for sample in samples if "skipped" not in sample]
    if not good:
        return {"skipped": samples[0]["skipped"]}
    names = good[0]["phases"]
    phases = {
        name: [statistics.median(sample["phases"].get(name, (0, 0))[clock] for sample in good) for clock in (0, 1)]
        for name in names
    }
    row = {"phases": {name: {"wall": wall, "cpu": cpu} for name, (wall, cpu) in phases.items()}}
    row["memory"] = statistics.median(sample["memory"] for sample in good)
    row["base"] = statistics.median(sample["base"] for sample in good)
    for clock, name in enumerate(("wall", "cpu")):
        row[name] = {
            "sharding": sum(phases.get(phase, (0, 0))[clock] for phase in ("shard", "partition")),
            "total": sum(seconds[clock] for seconds in phases.values()),
        }
    return row


def ratios(rows):
    """What XLA takes as a multiple of what Tessera takes."""
    tessera, result = rows.get("tessera", {}), {}
    if "cpu" not in tessera:
        return {}
    for system, row in rows.items():
        if system == "tessera" or "cpu" not in row:
            continue
        result[system] = {key: row["cpu"][key] / tessera["cpu"][key] for key in ("sharding", "total")}
        result[system]["memory"] = row["memory"] / tessera["memory"]
    return result


def print_passes(results, operations):
    print("\nFrom text to the partitioned module, CPU seconds\n")
    print("| layers | operations | devices | system | read, import | shard | partition | shard + partition | total | peak MB |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for (layers, mesh), rows in results.items():
        for system, row in rows.items():
            start = f"| {layers} | {operations[layers]:,} | {num_devices(mesh):,} | {system} "
            if "skipped" in row:
                print(start + f"| skipped: {row['skipped']} | | | | | |")
                continue
            seconds = {name: phase["cpu"] for name, phase in row["phases"].items()}
            imported = seconds.get("read", 0) + seconds.get("import", 0)
            cells = [imported, seconds["shard"], seconds["partition"], row["cpu"]["sharding"], row["cpu"]["total"]]
            print(start + "| " + " | ".join(f"{cell:.2f}" for cell in cells) + f" | {row['memory'] / 1e6:.0f} |")
    print()
    for (layers, mesh), rows in results.items():
        for system, ratio in ratios(rows).items():
            print(
                f"- {layers} layers, {num_devices(mesh):,} devices: {system} takes {ratio['sharding']:.1f} times Tessera's time for"
                f" shard + partition, {ratio['total']:.1f} times from the text on, {ratio['memory']:.1f} times the memory"
            )


def print_whole(results, operations):
    if not results:
        return
    print("\nThe whole compilation, seconds\n")
    print("| layers | operations | devices | system | CPU | by the clock | peak MB |")
    print("|---|---|---|---|---|---|---|")
    for (layers, mesh), rows in results.items():
        for system, row in rows.items():
            start = f"| {layers} | {operations[layers]:,} | {num_devices(mesh):,} | {system} "
            if "skipped" in row:
                print(start + f"| skipped: {row['skipped']} | | |")
            else:
                print(start + f"| {row['cpu']['total']:.1f} | {row['wall']['total']:.1f} | {row['memory'] / 1e6:.0f} |")
    print()
    for (layers, mesh), rows in results.items():
        for system, ratio in ratios(rows).items():
            print(f"- {layers} layers, {num_devices(mesh):,} devices: {system} takes {ratio['total']:.1f} times Tessera's time")


def run_rounds(options, systems, files, layers, mesh, whole=False):
    samples = {system: [] for system in systems}
    for _ in range(options.rounds):
        for system in systems:
            if samples[system] and "skipped" in samples[system][0]:
                continue
            samples[system].append(measure(options, system, files, layers, mesh, whole))
            print(f"{layers} layers, {mesh}, {system}: {merge(samples[system])}", file=sys.stderr, flush=True)
    return {system: merge(sample) for system, sample in samples.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, nargs="+", default=[12, 24, 48, 96])
    parser.add_argument("--meshes", nargs="+", default=["2x2x2", "16x8x16"], help="sizes of data, fsdp and model")
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    parser.add_argument("--whole", type=int, nargs="*", default=[12, 24], help="layers for which the rest is measured too")
    parser.add_argument("--whole-systems", nargs="+", choices=SYSTEMS[:2], default=list(SYSTEMS[:2]))
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each system, in turn (default 3)")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one process (default 600)")
    parser.add_argument("--files", type=pathlib.Path, help="keep the exported models in this folder, use those that are there")
    parser.add_argument("--bin", type=pathlib.Path, default=REPOSITORY / "build" / "bin", help="where tesserac is")
    parser.add_argument("--jax-python", default=sys.executable, help="a Python that has JAX")
    parser.add_argument("--output", type=pathlib.Path, help="write all figures to this JSON file")
    options = parser.parse_args()

    passes, whole = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        files, operations = export(options, pathlib.Path(folder))
        for layers in options.layers:
            for mesh in options.meshes:
                passes[layers, mesh] = run_rounds(options, options.systems, files, layers, mesh)
        for layers in options.whole:
            mesh = options.meshes[0]
            whole[layers, mesh] = run_rounds(options, options.whole_systems, files, layers, mesh, whole=True)
    print_passes(passes, operations)
    print_whole(whole, operations)
    if options.output:
        describe = lambda results: [
            {
                "layers": layers,
                "devices": num_devices(mesh),
                "operations": operations[layers],
                "systems": rows,
                "ratios": ratios(rows),
            }
            for (layers, mesh), rows in results.items()
        ]
        document = {"cores": os.cpu_count(), "passes": describe(passes), "whole": describe(whole)}
        options.output.write_text(json.dumps(document, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
