"""Times of small array programs in Tessera and in XLA through JAX, in one run on this machine.

Systems take turns, case by case and round by round, so that a slow minute of the machine meets both. Results are compared.
"""

import argparse
import fnmatch
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "step")]

from cases import CASES  # noqa: E402
from step import run  # noqa: E402


class Rival:
    """A process of jax_kernels.py."""

    def __init__(self, python, devices):
        command = [str(python), str(FOLDER / "jax_kernels.py"), f"--devices={devices}"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"XLA's process ended with status {self.process.wait()} at {request}")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Bench:
    """All measurements on one number of devices."""

    def __init__(self, options, devices, numbers, folder):
        self.options, self.devices, self.numbers, self.folder = options, devices, numbers, folder
        self.rival = Rival(options.jax_python, devices)
        self.samples = {number: [] for number in numbers}
        self.skipped = {}

    def prepare(self):
        """Exports, compiles and checks every case; one that fails is skipped with the reason."""
        self.rival.ask(export=str(self.folder), cases=self.numbers)
        for number in self.numbers:
            reason = self.compile(number) or self.compare(number)
            if reason:
                self.skipped[number] = reason
                print(f"{CASES[number].name}: skipped: {reason}", file=sys.stderr, flush=True)

    def file(self, number, suffix):
        return self.folder / f"{number}.{suffix}"

    def compile(self, number):
        mesh = [f"--mesh=x={self.devices}"] if self.devices > 1 else []
        command = [self.options.bin / "tesserac", self.file(number, "mlir"), "-o", self.file(number, "tsx"), *mesh]
        return run([*command, *self.options.flags], self.options.timeout)[1]

    def tessera_run(self, number, *flags):
        program, inputs = self.file(number, "tsx"), self.file(number, "safetensors")
        command = [self.options.bin / "tessera-run", program, f"--inputs={inputs}", *flags]
        return run(command, self.options.timeout)

    def compare(self, number):
        results = self.file(number, "results.safetensors")
        self.rival.ask(case=number, results=str(results))
        return self.tessera_run(number, f"--expect={results}", "--tolerance=2e-5")[1]

    def measure(self, number):
        """Tessera and XLA, one after the other, for about as long each."""
        if number in self.skipped:
            return
        xla = self.rival.ask(case=number, seconds=self.options.seconds)
        steps = int(min(max(1e3 * self.options.seconds / xla["median"], 10), 2000))
        done, reason = self.tessera_run(number, f"--steps={steps}")
        found = done and re.search(r"median ([\d.]+) ms, fastest ([\d.]+) ms", done.stdout)
        if not found:
            self.skipped[number] = reason or "no times from tessera-run"
            return
        self.samples[number].append({"tessera": float(found[2]), "tessera median": float(found[1]), "xla": xla["fastest"], "xla median": xla["median"]})

    def row(self, number):
        """The fastest times of all rounds in milliseconds, and the median of the rounds' ratios of medians."""
        case = CASES[number]
        row = {"group": case.group, "case": case.name, "devices": self.devices}
        if number in self.skipped:
            return {**row, "skipped": self.skipped[number]}
        samples = self.samples[number]
        tessera, xla = (min(sample[system] for sample in samples) for system in ("tessera", "xla"))
        medians = statistics.median(sample["tessera median"] / sample["xla median"] for sample in samples)
        return {**row, "tessera": tessera, "xla": xla, "ratio": tessera / xla, "ratio of medians": medians}


def print_row(row):
    start = f"| {row['group']} | {row['case']} | {row['devices']} |"
    if "skipped" in row:
        print(f"{start} skipped: {row['skipped']} | | | |", flush=True)
    else:
        print(f"{start} {row['tessera']:.3f} | {row['xla']:.3f} | {row['ratio']:.2f} | {row['ratio of medians']:.2f} |", flush=True)


def print_summary(rows):
    print("\nTessera relative to XLA, geometric mean and largest ratio of each group; below 1 is faster\n")
    for devices in sorted({row["devices"] for row in rows}):
        for group in dict.fromkeys(row["group"] for row in rows):
            ratios = [row["ratio"] for row in rows if row["group"] == group and row["devices"] == devices and "ratio" in row]
            if ratios:
                print(f"{group}, {devices} devices: {statistics.geometric_mean(ratios):.2f}, largest {max(ratios):.2f}")


def chosen(patterns):
    matches = lambda case: any(fnmatch.fnmatch(case.group, p) or fnmatch.fnmatch(case.name, p) for p in patterns)
    return [number for number, case in enumerate(CASES) if not patterns or matches(case)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", help="groups or names of cases, with * and ?; all if there are none")
    parser.add_argument("--devices", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each system, in turn (default 3)")
    parser.add_argument("--seconds", type=float, default=0.3, help="about how long one measurement takes (default 0.3)")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one process (default 120)")
    parser.add_argument("--bin", type=pathlib.Path, default=REPOSITORY / "build" / "bin", help="where tesserac is")
    parser.add_argument("--flags", nargs="*", default=[], help="further flags for tesserac")
    parser.add_argument("--jax-python", default=sys.executable, help="a Python that has JAX")
    parser.add_argument("--output", type=pathlib.Path, help="write all figures to this JSON file")
    options = parser.parse_args()

    rows = []
    print("| group | case | devices | Tessera ms | XLA ms | ratio | ratio of medians |\n|---|---|---|---|---|---|---|", flush=True)
    for devices in options.devices:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(options, devices, chosen(options.cases), pathlib.Path(folder))
            bench.prepare()
            for _ in range(options.rounds):
                for number in bench.numbers:
                    bench.measure(number)
            bench.rival.close()
        for number in bench.numbers:
            rows.append(bench.row(number))
            print_row(rows[-1])
    print_summary(rows)
    if options.output:
        options.output.write_text(json.dumps({"cores": os.cpu_count(), "results": rows}, indent=1) + "\n")
    return 1 if any("skipped" in row for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
