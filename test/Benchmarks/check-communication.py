"""Compiles the programs of a folder and compares the bytes that a device sends with those in its `bytes.txt`.

    check-communication.py FOLDER REPORT.json          fails where a program sends over 1% more than pinned
    check-communication.py FOLDER REPORT.json --write  writes what the programs send now
"""

import json
import pathlib
import subprocess
import sys

HEAD = "# program, bytes by an expert's plan, bytes that Tessera's program sends\n"


def bytes_sent(model, report):
    """What one device sends in one step of the compiled program."""
    program = report.with_suffix(".tsx")
    subprocess.run(["tesserac", model, "-o", program, f"--report={report}"], check=True)
    return json.loads(report.read_text())["communication"]["bytes"]


def main():
    folder, report, write = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:] == ["--write"]
    table = folder / "bytes.txt"
    rows = [line.split() for line in table.read_text().splitlines() if not line.startswith("#")]
    missing = {path.stem for path in folder.glob("*.mlir")} ^ {row[0] for row in rows}
    if missing:
        sys.exit(f"expected a line in {table} for each program and a program for each line, got {sorted(missing)} once only")
    failed, written = False, HEAD
    for name, plan, pinned in rows:
        sent = bytes_sent(folder / f"{name}.mlir", report)
        more = sent > 1.01 * int(pinned)
        print(f"{name}: {sent} bytes, pinned {pinned}, expert's plan {plan}{': too many' if more else ''}", flush=True)
        failed |= more
        written += f"{name} {plan} {sent}\n"
    if write:
        table.write_text(written)
    return failed and not write


if __name__ == "__main__":
    sys.exit(main())
