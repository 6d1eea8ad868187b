"""How much of the communication of twelve training steps is hidden on three described machines.

    python benchmarks/overlap/overlap.py [--steps NAME...] [--machines NAME...] [--before=FOLDER] [--output=FILE.json]

Steps are exported with JAX, compiled for the machine, and measured with virtual kernels. --before names the folder of
another build's tools, whose steps are measured in the same way.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent
sys.path[:0] = [str(FOLDER), str(REPOSITORY / "python")]

# By machine, how many devices it has.
MACHINES = {"h100x8": 8, "h100x32": 32, "ethernet": 8}


def run(tool, *arguments):
    """Runs a tool and gives what it prints; a failure is its last line."""
    done = subprocess.run([str(tool), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        raise RuntimeError(f"{pathlib.Path(tool).name}: {lines[0][:300]}")
    return done.stdout


def export(options, name, devices):
    """The model file of a step, made if it is not there, and the flags that it is compiled with."""
    import steps

    path = options.models / f"{name}-{devices}.mlir"
    if not path.exists():
        import tessera

        jitted, arguments, _ = steps.build(name, devices)
        tessera.export(jitted, *arguments, path=path, root=REPOSITORY)
    return path, steps.STEPS[name].flags


def measure(tools, options, program, machine):
    """With the tools of a folder, the milliseconds of a step in parts: what it takes; kernels of the rank that has most of
    them; for how long ranks wait for collectives and messages, in the mean."""
    profile = options.models / "profile.json"
    run(tools / "tessera-run", program, f"--links={machine}", "--virtual-kernels", f"--profile={profile}")
    measured = json.loads(profile.read_text())
    return {
        "step": measured["step"],
        "kernels": max(parts["kernel"] for parts in measured["parts_of_ranks"]),
        "exposed": measured["parts"]["transfer"],
    }


def measure_step(options, name, machine):
    """All figures of one step on one machine."""
    description = FOLDER / f"{machine}.yaml"
    model, flags = export(options, name, MACHINES[machine])
    program = options.models / "step.tsx"
    report = options.models / "report.json"
    run(options.bin / "tesserac", model, *flags, f"--cluster={description}", f"--report={report}", "-o", program)
    row = {"name": name, "machine": machine, **measure(options.bin, options, program, description)}
    # What no order goes below; with stages, only the kernels are known.
    parts = json.loads(report.read_text()).get("bound", {})
    row["serial"] = 1e3 * (parts["kernels"] + parts["links"]) if parts else None
    row["bound"] = max([row["kernels"], *(1e3 * seconds for seconds in parts.values())])
    row["predicted"] = json.loads(run(options.bin / "tessera-sim", program, "--json"))["makespan"]
    if options.before:
        run(options.before / "tesserac", model, *flags, f"--cluster={description}", "-o", program)
        row["before"] = measure(options.before, options, program, description)["step"]
    return row


def mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def print_table(rows, machine):
    rows = [row for row in rows if row["machine"] == machine]
    print(f"\n{machine}, ms\n")
    print("| step | no overlap | before | measured | kernels | exposed | bound | over the bound | predicted |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        if "refused" in row:
            print(f"| {row['name']} | {row['refused']} |")
            continue
        before = f"{row['before']:.2f}" if "before" in row else "-"
        serial = f"{row['serial']:.2f}" if row["serial"] else "-"
        print(
            f"| {row['name']} | {serial} | {before} | {row['step']:.2f} | {row['kernels']:.2f} | {row['exposed']:.2f} "
            f"| {row['bound']:.2f} | {100 * (row['step'] / row['bound'] - 1):+.1f}% | {100 * (row['predicted'] / row['step'] - 1):+.2f}% |"
        )
    good = [row for row in rows if "refused" not in row]
    gap = mean(row["step"] / row["bound"] for row in good)
    gain = mean(row["before"] / row["step"] for row in good if "before" in row)
    print(f"\ngeometric mean over the bound {100 * (gap - 1):.1f}%, faster than before by {100 * (gain - 1):.1f}%")


def main():
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import steps

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", nargs="+", choices=list(steps.STEPS), default=list(steps.STEPS))
    parser.add_argument("--machines", nargs="+", choices=list(MACHINES), default=list(MACHINES))
    parser.add_argument("--bin", type=pathlib.Path, default=REPOSITORY / "build" / "bin", help="the tools, build/bin by default")
    parser.add_argument("--before", type=pathlib.Path, help="the tools of another build")
    parser.add_argument("--models", type=pathlib.Path, default=REPOSITORY / "build" / "overlap", help="where exported models are kept")
    parser.add_argument("--output", type=pathlib.Path, help="all figures as JSON")
    options = parser.parse_args()
    options.models.mkdir(parents=True, exist_ok=True)
    rows = []
    for machine in options.machines:
        for name in options.steps:
            try:
                rows.append(measure_step(options, name, machine))
            except RuntimeError as problem:
                rows.append({"name": name, "machine": machine, "refused": str(problem)})
            print(rows[-1], file=sys.stderr, flush=True)
        print_table(rows, machine)
    if options.output:
        options.output.write_text(json.dumps(rows, indent=1))
    return any("refused" in row for row in rows)


if __name__ == "__main__":
    sys.exit(main())
