"""Times the candidates that `export.py --tune` has compiled on this machine's GPU and writes tuning records: `tune.py FOLDER`.

The candidates of a case take turns with what the compiler chooses by itself, several times; the fastest becomes a record of
FOLDER/tuning.json if it saves enough (--gain). `tesserac --tuning=FOLDER/tuning.json` then chooses it. Needs `tessera-run` with the back
end `cuda`, neither compiler nor LLVM.
"""

import collections
import datetime
import fnmatch
import json
import statistics
import subprocess
import sys

from cases import find
from run import argument_parser, tessera_seconds

ROUNDS = 3


def machine():
    """The GPU's name, as its driver says it."""
    try:
        command = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0].strip()
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "a machine without nvidia-smi"


def measure(candidates, options):
    """Median seconds by candidate (its number); those that fail are left out, and said."""
    times = collections.defaultdict(list)
    bound = getattr(find(candidates[0]["case"]), "bound", "compute")
    for _ in range(ROUNDS):
        for number, candidate in enumerate(candidates):
            program = options.folder / "tune" / candidate["program"]
            seconds, why = tessera_seconds(options.tool, program, bound, options.backend, options.steps)
            if why:
                print(f"  {describe(candidate)}: {why}", flush=True)
            else:
                times[number].append(seconds)
    return {number: statistics.median(values) for number, values in times.items() if len(values) == ROUNDS}


def describe(candidate):
    record = candidate["record"]
    return " ".join(str(record[field]) for field in ("kernel", "tile", "splits") if field in record) if record else "the compiler's choice"


def tune(candidates, options, source):
    """The record of one case, or None. The first candidate is the compiler's own choice."""
    print(candidates[0]["case"], flush=True)
    seconds = measure(candidates, options)
    for number, value in sorted(seconds.items(), key=lambda item: item[1]):
        print(f"  {value * 1e6:10.1f} us  {describe(candidates[number])}", flush=True)
    if candidates[0]["record"] or 0 not in seconds:
        return None
    best = min(seconds, key=seconds.get)
    if best == 0 or seconds[best] > (1 - options.gain) * seconds[0]:
        return None
    return {**candidates[best]["record"], "source": f"{source}: {seconds[best] * 1e6:.1f} us instead of {seconds[0] * 1e6:.1f} us"}


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--gain", type=float, default=0.03, help="the part of the time that a record must save (0.03)")
    options = parser.parse_args()
    tried = [c for c in json.loads((options.folder / "tune" / "candidates.json").read_text()) if fnmatch.fnmatch(c["case"], options.cases)]
    # Steps of one case are chosen one by one, each against the compiler's own choice.
    groups = collections.defaultdict(list)
    for candidate in tried:
        if candidate["record"]:
            groups[candidate["arch"], candidate["case"], candidate["record"].get("step")].append(candidate)
    for (arch, case, _), group in groups.items():
        group[:0] = [c for c in tried if c["arch"] == arch and c["case"] == case and not c["record"]]
    # Code for 9.0 runs there alone, and is what such a GPU takes.
    newer = [c for c in tried if c["arch"] == 90]
    bound = lambda c: getattr(find(c["case"]), "bound", "compute")
    runs90 = bool(newer) and tessera_seconds(options.tool, options.folder / "tune" / newer[0]["program"], bound(newer[0]), options.backend, 1)[0] is not None
    arch = 90 if runs90 else 80
    source = f"{machine()}, {datetime.date.today()}"
    records = [tune(group, options, source) for (of, _, _), group in groups.items() if of == arch]
    records = [record for record in records if record]
    (options.folder / "tuning.json").write_text(json.dumps({"records": records}, indent=1) + "\n")
    print(f"{len(records)} records in {options.folder / 'tuning.json'}")
    sys.exit(not any(of == arch for of, _, _ in groups))


if __name__ == "__main__":
    main()
