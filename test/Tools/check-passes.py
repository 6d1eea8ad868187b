#!/usr/bin/env python3
"""Checks that a pass carries one name: definition `InsertReshards`, flag and `DEBUG_TYPE` `tessera-insert-reshards`, file
`InsertReshards.cpp`, which says with `LDBG()` what was decided, test `insert-reshards.mlir`, and that its description states **Requires** and **Ensures**, the latter in its own words, and has an example
that `scripts/refresh-examples.py` cut from a test.

Phases are built alike: each of lib/Driver/Phases.cpp has a `Phase.cpp` with `buildXPhase` and the flag `tessera-x-phase`, which says before each
group of passes why it stands there, gives passes their options by name, and ends with the pass that verifies the contract of the phase.

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


def check_phase(name):
    kind = name.capitalize()
    path = next((path for path in (ROOT / "lib" / "Transforms" / kind / "Phase.cpp", ROOT / "lib" / kind / "Phase.cpp") if path.exists()), None)
    if not path:
        return report(ROOT / "lib" / "Driver" / "Phases.cpp", f"expected a Phase.cpp of phase {name}")
    text = path.read_text()
    for part in (f"build{kind}Phase(", f"register{kind}Phase()", f'"tessera-{name}-phase"'):
        if part not in text:
            report(path, f"expected {part}")
    for options in re.findall(r"create(\w+)\(\s*{\s*[^.}\s]", text):
        report(path, f"pass {options} gets options without their names")
    last = []
    for body in re.findall(r"^void [^;{]*?(?:build\w+Phase|add\w+Passes)\([^{]*?{\n(.*?)^}", text, re.S | re.M):
        last = re.findall(r"\bcreate(\w+)\(", body)
        explained = False
        for line in body.splitlines():
            line = line.strip()
            if line.startswith("//"):
                explained = True
            elif re.match(r"(\w+\.add\w*Pass\b|\w+(::\w+)*add\w+Passes\()", line) and "createVerify" not in line and not explained:
                report(path, f"expected a comment that says why this stands here: {line}")
            elif line.endswith("{") and line.startswith("}"):
                explained = False
    if not last or not last[-1].startswith("Verify"):
        report(path, f"expected phase {name} to end with the pass that verifies its contract")


for chunk in (ROOT / "lib" / "Driver" / "Phases.cpp").read_text().split("{Phase::")[1:]:
    # The last one, which writes the program, has no passes.
    if "nullptr" not in chunk:
        check_phase(re.search(r'"(\w+)"', chunk).group(1))
sys.exit(violations > 0)
