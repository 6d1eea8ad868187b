"""Times the candidates that `export.py --tune` has compiled on this machine's GPU and writes tuning records: `tune.py FOLDER [--seconds=N]`.

The candidates of a case run once each; the fastest ones and what the compiler chooses by itself then take turns. The fastest of all
becomes a record of FOLDER/tuning.json if it saves enough (--gain). `tesserac --tuning=FOLDER/tuning.json` then chooses it. A run that was
cut short, or out of time (--seconds), goes on where it ended. Needs `tessera-run` with the back end `cuda`, neither compiler nor LLVM.
"""

import collections
import datetime
import fnmatch
import json
import statistics
import sys
import time

import report
from cases import find
from run import argument_parser, tessera_seconds

ROUNDS = 3
FINALISTS = 3


def bound_of(candidate):
    return getattr(find(candidate["case"]), "bound", "compute")


def measure(candidates, options):
    """Median seconds by candidate (its number) of those that have come to the last round; those that fail are left out, and said."""
    times = collections.defaultdict(list)

    def run(numbers):
        for number in numbers:
            candidate = candidates[number]
            program = options.folder / "tune" / candidate["program"]
            seconds, why = tessera_seconds(options.tool, program, bound_of(candidate), options.backend, options.steps)
            if why:
                times.pop(number, None)
                print(f"  {describe(candidate)}: {why}", flush=True)
            else:
                times[number].append(seconds)

    run(range(len(candidates)))
    finalists = sorted(times, key=times.get)[:FINALISTS]
    for _ in range(ROUNDS - 1):
        run(number for number in sorted({0, *finalists}) if number in times)
    return {number: statistics.median(values) for number, values in times.items() if len(values) == ROUNDS}


def describe(candidate):
    record = candidate["record"]
    return " ".join(str(record[field]) for field in ("kernel", "tile", "splits") if field in record) if record else "the compiler's choice"


def choose(candidates, seconds, options, source):
    """The record of one case, or None. The first candidate is the compiler's own choice."""
    for number, value in sorted(seconds.items(), key=lambda item: item[1]):
        print(f"  {value * 1e6:10.1f} us  {describe(candidates[number])}", flush=True)
    if candidates[0]["record"] or 0 not in seconds:
        return None
    best = min(seconds, key=seconds.get)
    if best == 0 or seconds[best] > (1 - options.gain) * seconds[0]:
        return None
    return {**candidates[best]["record"], "source": f"{source}: {seconds[best] * 1e6:.1f} us instead of {seconds[0] * 1e6:.1f} us"}


def groups_of(candidates):
    """(arch, case, step) -> what is tried there; steps of one case are chosen one by one, each against the compiler's own choice."""
    groups = collections.defaultdict(list)
    for candidate in candidates:
        if candidate["record"]:
            groups[candidate["arch"], candidate["case"], candidate["record"].get("step")].append(candidate)
    for (arch, case, _), group in groups.items():
        group[:0] = [c for c in candidates if c["arch"] == arch and c["case"] == case and not c["record"]]
    return groups


def architecture(candidates, options):
    """Code for 9.0 runs there alone, and is what such a GPU takes."""
    newer = [c for c in candidates if c["arch"] == 90]
    runs = newer and tessera_seconds(options.tool, options.folder / "tune" / newer[0]["program"], bound_of(newer[0]), options.backend, 1)[0]
    return 90 if runs else 80


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--gain", type=float, default=0.03, help="the part of the time that a record must save (0.03)")
    options = parser.parse_args()
    begin = time.monotonic()
    tried = [c for c in report.read(options.folder / "tune" / "candidates.json", []) if fnmatch.fnmatch(c["case"], options.cases)]
    if not tried:
        sys.exit(f"tune.py: error: {options.folder}/tune has no candidates; export.py --tune makes them")
    arch = architecture(tried, options)
    groups = {key: group for key, group in groups_of(tried).items() if key[0] == arch}
    # By group: its record, or null where nothing is better.
    file = options.folder / "tune" / "decided.json"
    decided = {} if options.again else report.read(file, {})
    source, left = f"{report.machine()}, {datetime.date.today()}", 0
    records, failed = [], 0
    for number, (key, group) in enumerate(groups.items(), 1):
        name, seconds = " ".join(str(part) for part in key if part), time.monotonic() - begin
        print(f"{' '.join(filter(None, key[1:]))} ({number} of {len(groups)}, {seconds:.0f} s)", flush=True)
        if name in decided:
            print("  tuned before")
        elif seconds > options.seconds:
            print("  left for another run")
            left += 1
        else:
            times = measure(group, options)
            failed += not times
            if not times:
                continue  # Another run may have more luck.
            decided[name] = choose(group, times, options, source)
            file.write_text(json.dumps(decided, indent=1) + "\n")
        records = [record for record in decided.values() if record]
        (options.folder / "tuning.json").write_text(json.dumps({"records": records}, indent=1) + "\n")
        report.write(options.folder)
    print(f"{len(records)} records in {options.folder / 'tuning.json'}, {failed} cases failed, {left} left")
    sys.exit(failed != 0 or not groups)


if __name__ == "__main__":
    main()
