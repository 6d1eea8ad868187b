"""Whether the compiler refuses every program of `unsupported/` with the user's line, and a link to the section that this line names.

    check-unsupported.py TESSERAC
"""

import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
LINES = (FOLDER / "unsupported.py").read_text().splitlines()
PROGRAMS = re.compile(r'^    "(\w+)": .*# ([a-z0-9-]+)$')

programs = {match[1]: (number, match[2]) for number, line in enumerate(LINES, 1) if (match := PROGRAMS.match(line))}
files = {path.stem: path for path in (FOLDER / "unsupported").glob("*.mlir")}
assert programs and programs.keys() == files.keys(), f"expected a file for each program, got {programs.keys() ^ files.keys()}"
failed = False
for name, (number, section) in programs.items():
    result = subprocess.run([sys.argv[1], files[name], "-o", "-"], capture_output=True, text=True)
    place = rf"\S*unsupported\.py:{number}:\d+"
    expected = rf"{place}: error: [^\n]+\n{place}: note: [^\n]+; see docs/unsupported\.md#{section}\n"
    if result.returncode != 1 or not re.fullmatch(expected, result.stderr):
        print(f"{name}: expected status 1 and /{expected}/, got {result.returncode} and\n{result.stderr}")
        failed = True
sys.exit(failed)
