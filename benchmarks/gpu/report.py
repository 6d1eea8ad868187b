"""What has been measured in a folder, as a section of docs/measurements.md: `report.py FOLDER` prints it; `run.py` and `tune.py` write it
to FOLDER/report.md after every case, so that a run which is cut short leaves what it has."""

import json
import pathlib
import subprocess
import sys

from cases import find

SYSTEMS = ["Tessera", "cuBLASLt", "torch", "torch.compile", "JAX", "Triton"]


def read(path, unless):
    """The content of a JSON file, or `unless` if there is none."""
    return json.loads(path.read_text()) if path.exists() else unless


def machine():
    """The GPU's name and its driver's version, as the driver says them."""
    try:
        command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
        name, driver = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0].split(",")
        return f"{name.strip()}, driver {driver.strip()}"
    except (OSError, subprocess.CalledProcessError, IndexError, ValueError):
        return "a machine without nvidia-smi"


def rate(case, seconds, ceilings):
    """How near the machine's limits the time is, as far as one knows them."""
    if case.bound == "memory":
        text = f"{case.bytes / seconds / 1e12:.2f} TB/s"
        return text + (f", {case.bytes / seconds / ceilings['copy']:.2f} of copy" if ceilings.get("copy") else "")
    return f"{case.flops / seconds / 1e12:.0f} TFLOP/s" if case.bound == "compute" else ""


def goal(case, seconds, ceilings):
    """The goal in words, and what was reached of it; None where it cannot be said."""
    if case.goal is None:
        return "", None
    rival, ratio = case.goal
    text = f"{ratio:.1f} of {rival}"
    if rival == "copy":
        return text, case.bytes / seconds["Tessera"] / ceilings["copy"] if ceilings.get("copy") else None
    return text, seconds[rival] / seconds["Tessera"] if rival in seconds else None


def row(case, seconds, ceilings):
    cells = [case.name] + [f"{seconds[name] * 1e6:.1f}" if name in seconds else "" for name in SYSTEMS]
    if "Tessera" not in seconds:
        return cells + ["", "", ""]
    text, reached = goal(case, seconds, ceilings)
    verdict = "" if reached is None else f"{reached:.2f}" + ("" if reached >= case.goal[1] else ", missed")
    return cells + [rate(case, seconds["Tessera"], ceilings), text, verdict]


def table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def report(folder):
    """The section, in Markdown; empty if nothing has been measured."""
    results, tuned = read(folder / "results.json", {}), read(folder / "tuning.json", {})
    parts = []
    if results.get("cases"):
        ceilings, cases = results["ceilings"], results["cases"]
        copy = f"; a copy moves {ceilings['copy'] / 1e12:.2f} TB/s" if ceilings.get("copy") else ""
        parts.append(f"## Kernels and steps on a GPU (`benchmarks/gpu`), {results['date']}\n\n{results['machine']}, {results['versions']}, commit {results['commit']}{copy}.")
        parts.append("Microseconds; the last column is Tessera's speed over the goal's rival.")
        known = [(find(name), entry) for name, entry in cases.items() if find(name)]
        parts.append(table(["case", *SYSTEMS, "rate", "goal", "reached"], [row(case, entry["seconds"], ceilings) for case, entry in known]))
        missing = [f"- `{case.name}`, {name}: {why}" for case, entry in known for name, why in entry["missing"].items()]
        if missing:
            parts.append("Not measured:\n\n" + "\n".join(missing))
    if tuned:
        records = [f"- {json.dumps(record)}" for record in tuned["records"]]
        parts.append(f"Tuning found {len(records)} choices better than the compiler's:\n\n" + "\n".join(records) if records else "Tuning found nothing better than what the compiler chooses.")
    return "\n\n".join(parts) + "\n" if parts else ""


def write(folder):
    (folder / "report.md").write_text(report(folder))


if __name__ == "__main__":
    print(report(pathlib.Path(sys.argv[1])), end="")
