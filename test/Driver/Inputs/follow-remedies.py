#!/usr/bin/env python3
"""Does what `tesserac --explain` advises, in the text of the model, and checks that the collectives go.

Usage: follow-remedies.py MODEL.mlir WORK-FOLDER LEAST [OPTION...]. For every group of collectives with advice, or with a change that is not worth it, the annotations that it
names are changed in a copy of the model, which is Tessera's dialect or StableHLO in generic form. The group must be gone from the explanation of the copy, the
program send what was promised, and what is said to take its place must be there; with advice the program must send less. LEAST groups must have either. Further OPTIONs go to tesserac.
"""
import os
import re
import subprocess
import sys


def run(*arguments):
    done = subprocess.run(["tesserac", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def explain(path, folder, options, advice=True):
    """What the program sends in all; per group of the explanation kind, axes and place, and what is said of it. A dump is explained without advice."""
    output = f"{folder}/out.mlir"
    if advice:
        text = run(path, "--explain", "--compile-to=import", "-o", output, *options)
    else:
        run(path, "--compile-to=partition", "-o", output, *options)
        text = run(output, "--explain", "--compile-from=partition", "--compile-to=fuse", "-o", f"{folder}/fused.mlir")
    found = []
    for part in re.split(r"\n(?=\d+\. )", text)[1:]:
        if " to another pipeline rank " in part.split("\n")[0]:
            continue
        kind, axes = re.match(r"\d+\. (\w+) over (.*) of tensor", part).groups()
        place = re.search(r"\n   at (\S+)", part)
        found.append(((kind, axes, place and place.group(1)), part))
    return re.search(r"sends? (.*?) per step", text).group(1), found


def size(text):
    """The bytes that `7.62 MB` says."""
    number, unit = text.split()
    return float(number) * {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}[unit]


def parse(advice):
    """The changes in an advice: kind, name, new sharding or None, whether a result goes with its argument."""
    match = re.fullmatch(r"annotate (argument|result) '?(.*?)'? with (\[.*)", advice)
    if match:
        return [(match.group(1), match.group(2), match.group(3), False)]
    changes = []
    for match in re.finditer(r"(argument|result) (?:'(.*?)'(?= with its|,| and |$)|(\d+))( with its result)?|(constraint) at (\S+?)(?=,? |,|$)", advice):
        kind, name, number, state, constraint, place = match.groups()
        changes.append((kind or constraint, name or number or place, None, bool(state)))
    return changes


def split_list(text, begin):
    """The spans of the elements of the list whose `[` or `(` is at `begin`."""
    depth, start, spans, i = 0, begin + 1, [], begin
    while True:
        c = text[i]
        if c == '"':
            i = text.index('"', i + 1)
        elif c == "-" and text[i + 1] == ">":
            i += 1
        elif c in "[({<":
            depth += 1
        elif c in "])}>":
            depth -= 1
        if depth == 0 or (depth == 1 and c == ","):
            if text[start:i].strip():
                spans.append((start, i))
            start = i + 1
        if depth == 0:
            return spans
        i += 1


class Model:
    """The text of a model; its annotations are called as in the imported program."""

    def __init__(self, path, folder, options):
        self.text = open(path).read()
        run(path, "--compile-to=import", "-o", f"{folder}/imported.mlir", *options)
        imported = open(f"{folder}/imported.mlir").read()
        begin = imported.index("func.func @main(")
        self.mesh = re.search(r"tessera\.mesh @(\w+)", imported).group(1)
        self.names = {"argument": [], "result": []}
        arguments = split_list(imported, imported.index("(", begin))
        end = arguments[-1][1] if arguments else begin
        arrow = imported.index(" -> ", end) + 4 if imported[end:end + 5].startswith(") -> ") else None
        results = split_list(imported, arrow) if arrow and imported[arrow] == "(" else [(arrow, imported.index("{", arrow))] if arrow else []
        for kind, spans in (("argument", arguments), ("result", results)):
            for number, (start, stop) in enumerate(spans):
                name = re.search(r'tessera\.name = "((?:[^"\\]|\\.)*)"', imported[start:stop])
                self.names[kind].append(name.group(1) if name else str(number))
        donations = [re.search(r"tessera\.donated = (\d+)", imported[start:stop]) for start, stop in arguments]
        self.donated = [int(found.group(1)) if found else None for found in donations]
        self.locations = dict(re.findall(r"^(#loc\w*) = loc\((.*)\)$", self.text, re.M))

    def place(self, location):
        """`model.py:12:3`: the first place in a file that a location mentions."""
        while True:
            match = re.search(r'"([^"]*)":(\d+):(\d+)|(#loc\d*)', location)
            if not match:
                return None
            if match.group(1) is not None:
                return ":".join(match.groups()[:3])
            location = self.locations[match.group(4)]

    def set_boundary(self, kind, number, sharding):
        generic = re.search(r'"func\.func"\(\) <\{(?:(?!"func\.func").)*?sym_name = "main"', self.text, re.S)
        if generic:
            key = "arg_attrs = [" if kind == "argument" else "res_attrs = ["
            begin = self.text.index(key, generic.start(), generic.end()) + len(key) - 1
            attribute, prefix = r"(?:, )?sdy\.sharding = #sdy\.sharding<", "sdy.sharding = #sdy.sharding<"
        else:
            begin = self.text.index("(", self.text.index("func.func @main("))
            if kind == "result":
                last = split_list(self.text, begin)
                begin = self.text.index(" -> ", last[-1][1] if last else begin) + 4
            attribute, prefix = r"(?:, )?tessera\.sharding = #tessera\.sharding<", "tessera.sharding = #tessera.sharding<"
        if self.text[begin] in "([":
            start, stop = split_list(self.text, begin)[number]
        else:
            start, stop = begin, self.text.index("\n", begin)
        part = self.text[start:stop]
        found = re.search(attribute, part)
        if found:
            end = found.end() - 1
            depth = 0
            while True:
                depth += {"<": 1, ">": -1}.get(part[end], 0)
                end += 1
                if depth == 0:
                    break
            part = part[:found.start()] + part[end:]
            part = re.sub(r"\{\s*, ", "{", part)
        if sharding:
            new = f"{prefix}@{self.mesh}, {sharding}>"
            if "{" in part:
                brace = part.index("{")
                part = part[:brace + 1] + new + (", " if part[brace + 1] != "}" else "") + part[brace + 1:]
            else:
                part = part.rstrip() + " {" + new + "}"
        self.text = self.text[:start] + part + self.text[stop:]

    def remove_constraint(self, place):
        lines, count = self.text.split("\n"), 0
        i = 0
        while i < len(lines):
            match = re.match(r'(\s*)(%\w+) = (?:"sdy\.sharding_constraint"\((%\w+(?:#\d+)?)\)|tessera\.constrain (%\w+(?:#\d+)?))', lines[i])
            location = re.search(r"loc\((.*)\)\s*$", lines[i]) if match else None
            here = self.place(location.group(1)) if location else f"line {i + 1}"
            if not match or (here != place and not (here.startswith("line ") and place.split(":")[-2] == here[5:])):
                i += 1
                continue
            count += 1
            new = match.group(3) or match.group(4)
            lines[i] = ""
            for j in range(i + 1, len(lines)):
                if lines[j].strip() and len(lines[j]) - len(lines[j].lstrip()) < len(match.group(1)):
                    break
                lines[j] = re.sub(re.escape(match.group(2)) + r"(?!\w)", new, lines[j])
            i += 1
        assert count, f"no constraint at {place}"
        self.text = "\n".join(lines)

    def change(self, kind, name, sharding, state):
        if kind == "constraint":
            return self.remove_constraint(name)
        pattern = re.escape(name).replace(r"\*", r"\d+")
        numbers = [i for i, other in enumerate(self.names[kind]) if re.fullmatch(pattern, other)]
        assert numbers, f"{kind} {name} is not in the model"
        for number in numbers:
            self.set_boundary(kind, number, sharding)
            if state:
                self.set_boundary("result", self.donated[number], None)


def main():
    path, folder, least, options = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
    os.makedirs(folder, exist_ok=True)
    groups = explain(path, folder, options)[1]
    after, followed = {}, 0
    for key, text in groups:
        match = re.search(r"\n   (to remove it,|.*: one may) (.*?); the program then sends (.*?) instead of (\S+ \w?B)(?:; .*? in its place: (.*))?", text)
        if not match:
            continue
        kind, advice, promised, before, instead = match.groups()
        assert size(promised) < size(before) or kind != "to remove it,", f"'{advice}' does not pay"
        if advice not in after:
            model = Model(path, folder, options)
            changes = parse(advice)
            assert changes, f"cannot read '{advice}'"
            for change in changes:
                model.change(*change)
            open(f"{folder}/changed.mlir", "w").write(model.text)
            after[advice] = explain(f"{folder}/changed.mlir", folder, options, advice=False)
        sent, left = after[advice]
        assert key not in [other for other, _ in left], f"'{advice}' did not remove {key}"
        assert sent == promised, f"'{advice}': expected {promised}, got {sent}"
        for what in re.findall(r"(\w+ over .*?) of (tensor<\S+>)(?: x \d+)? \(", instead or ""):
            assert any(what[0] in other and what[1] in other for _, other in left), f"'{advice}' puts no {what} in its place"
        followed += 1
    advised = sum("\n   to remove it, " in text for _, text in groups)
    silent = sum("is the program's own" not in text for _, text in groups) - followed
    print(f"{os.path.basename(path)}: {len(groups)} groups, {advised} with advice that holds, {followed - advised} with a change that is not worth it, {silent} without")
    assert followed >= least, f"expected advice for {least} groups, got it for {followed}"


main()
