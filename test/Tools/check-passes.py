#!/usr/bin/env python3
"""Checks that a pass carries one name: definition `InsertReshards`, flag and `DEBUG_TYPE` `tessera-insert-reshards`, file
`InsertReshards.cpp`, which says with `LDBG()` what was decided, test `insert-reshards.mlir`, and that its description states **Requires** and **Ensures**, the latter in its own words, and has an example
that `scripts/refresh-examples.py` cut from a test.

Prints every violation and exits with 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
PASS = re.compile(r'def (\w+)\s*:\s*Pass<\s*"([^"]+)"(.*?)^}', re.S | re.M)
ENSURES = re.compile(r"\*\*Ensures\*\*:?(.*?)(?=\n\s*\n|$)", re.S)
violations = 0


def report(path, text):
    global violations
    violations += 1
    print(f"{path.relative_to(ROOT)}: {text}")


def kebab(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()


def clauses(body):
    """What a pass ensures, in the parts that are long enough to be a promise of their own."""
    text = " ".join(" ".join(ENSURES.findall(body)).split())
    return [clause.strip(" .") for clause in re.split(r"[;.] ", text + " ") if len(clause.split()) > 6]


found = 0
said = {}
for table in sorted((ROOT / "include" / "tessera").rglob("Passes.td")):
    folder = table.parent.relative_to(ROOT / "include" / "tessera")
    for name, flag, body in PASS.findall(table.read_text()):
        found += 1
        name = name.removesuffix("Pass")
        if flag != f"tessera-{kebab(name)}":
            report(table, f"pass {name} has the flag {flag}, expected tessera-{kebab(name)}")
        source = ROOT / "lib" / folder / f"{name}.cpp"
        if not source.exists():
            report(table, f"expected pass {name} in lib/{folder}/{name}.cpp")
        elif f'#define DEBUG_TYPE "{flag}"\n' not in source.read_text():
            report(source, f"expected DEBUG_TYPE to be {flag}")
        elif "LDBG()" not in source.read_text():
            report(source, "expected LDBG() to say what the pass decided")
        if not list((ROOT / "test" / folder).glob(f"{kebab(name)}*.mlir")):
            report(table, f"expected a test of pass {name} in test/{folder}/{kebab(name)}.mlir")
        for word in ("**Requires**", "**Ensures**"):
            if word not in body:
                report(table, f"the description of pass {name} lacks {word}")
        if "<!-- example: " not in body:
            report(table, f"the description of pass {name} lacks an example")
        for clause in clauses(body):
            if said.setdefault(clause, name) != name:
                report(table, f"pass {name} ensures the same as {said[clause]}: {clause}")
if not found:
    report(ROOT / "include", "found no pass at all")
sys.exit(violations > 0)
