"""Compiles a step for pipeline ranks under schedules and compares what it computes with the step without stages.

    compare-schedules.py MODEL --scratch=FOLDER --inputs=FILE --batches=FILE --cases=RANKS:MICROBATCHES:MESH[:SCHEDULE,...] ...

Without names a case runs every schedule that `tessera-sim --list` knows. `zb-h1/3` is a schedule whose weight gradients are taken apart into three tasks, the last of which run after
the rank's next task. All results must agree; among them are the first moments of the optimizer, which are
the gradients times a constant. (The gradient of the attention's bias for keys is zero, of which 1e-7 is left; hence the absolute tolerance.) Prints a line per program; exits with 1 if one of them differs or is refused.
"""

import argparse
import pathlib
import subprocess
import sys


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def known_schedules():
    """The names in the list, which has one schedule a line and indents what it says more of it."""
    lines = run("tessera-sim", "--list").stdout.splitlines()
    return [line.split()[0] for line in lines if line and not line[0].isspace()]


def take_apart(name, parts, ranks, microbatches, path):
    """Writes the published schedule with every weight gradient in so many parts; returns the file."""
    done = run("tessera-sim", f"--schedule={name}", f"--stages={ranks}", f"--microbatches={microbatches}", f"--csv={path}")
    assert done.returncode == 0, done.stderr
    rows = []
    for row in path.read_text().split():
        tasks, waiting = [], []
        for task in row.split(","):
            tasks.append(task)
            if "W" in task:
                tasks[-1:] = waiting + [f"{task}.{part}" for part in range(parts - 1)]
                waiting = [f"{task}.{parts - 1}"]
            else:
                tasks += waiting
                waiting = []
        rows.append(",".join(tasks + waiting))
    path.write_text("\n".join(rows) + "\n")
    return path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--inputs", required=True)
    parser.add_argument("--batches", required=True)
    parser.add_argument("--scratch", required=True, type=pathlib.Path)
    parser.add_argument("--cases", nargs="+", required=True)
    options = parser.parse_args()
    options.scratch.mkdir(parents=True, exist_ok=True)
    program, expected = options.scratch / "step.tsx", options.scratch / "expected.safetensors"
    step = ["--inputs=" + options.inputs, "--batches=" + options.batches, "--steps=1"]
    failures = 0
    for case in options.cases:
        ranks, microbatches, mesh, *names = case.split(":")
        compile_step = ["tesserac", options.model, "--mesh=" + mesh, "-o", program]
        for command in (compile_step, ["tessera-run", program, *step, f"--outputs={expected}"]):
            done = run(*command)
            assert done.returncode == 0, done.stderr
        for name in names[0].split(",") if names else known_schedules():
            if "/" in name:
                published, parts = name.split("/")
                name = take_apart(published, int(parts), ranks, microbatches, options.scratch / (published + ".csv"))
            flags = [f"--stages={ranks}", f"--microbatches={microbatches}", f"--schedule={name}"]
            compiled = run(*compile_step, *flags)
            if compiled.returncode == 0:
                ran = run("tessera-run", program, *step, f"--expect={expected}", "--tolerance=1e-4,1e-6")
                good, text = ran.returncode == 0, (ran.stdout + ran.stderr).strip().splitlines()[-1]
            else:
                good, text = False, compiled.stderr.strip()
            failures += not good
            print(f"{'agrees' if good else 'FAILS'}: {' '.join(flags)} on {mesh}: {text}")
    return failures > 0


sys.exit(main())
