"""Compiles the programs of a folder and compares the bytes that a device sends with those in its `bytes.txt`.

    check-communication.py FOLDER REPORT.json          fails where a program sends more; tells where it sends less
    check-communication.py FOLDER REPORT.json --write  writes what the programs send now
"""

import json
import pathlib
import subprocess
import sys

HEAD = "# program, bytes by an expert's plan, bytes that Tessera's program sends at most\n"


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
        verdict = "more than pinned" if sent > int(pinned) else "less than pinned" if sent < int(pinned) else "as pinned"
        print(f"{name}: {sent} bytes, {verdict} ({pinned}); {sent / int(plan):.2f} of the expert's plan", flush=True)
        failed |= sent > int(pinned)
        written += f"{name} {plan} {sent}\n"
    if write:
        table.write_text(written)
    return failed and not write


if __name__ == "__main__":
    sys.exit(main())
