"""Plans as text: what `tesserac --plan` reads."""

import hashlib
import os
import pathlib
import tempfile

from ..files import write_text

KEYS = ("mesh", "axes", "rules", "activations", "stages", "default", "tolerance")


def _flow(value):
    """A value on one line. Texts are quoted: patterns hold what means something to YAML."""
    if value is None:
        return "'-'"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_flow(str(key))}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, (int, float)):
        return str(value)
    text = str(value)
    if "\n" in text:
        raise ValueError(f"expected a text of one line in a plan, got {text!r}")
    return "'" + text.replace("'", "''") + "'"


def plan_text(plan):
    """The text of a plan file: a line for each rule."""
    unknown = [key for key in plan if key not in KEYS]
    if unknown:
        raise ValueError(f"expected {', '.join(KEYS)} in a plan, got '{unknown[0]}'")
    lines = []
    for key, value in plan.items():
        if key in ("rules", "activations") and value:
            lines += [f"{key}:", *(f"  - {_flow(item)}" for item in value)]
        elif key == "axes" and value:
            lines += [f"{key}:", *(f"  {_flow(name)}: {_flow(candidates)}" for name, candidates in value.items())]
        else:
            lines.append(f"{key}: {_flow(value)}")
    return "\n".join(lines) + "\n"


def write_plan(plan, path):
    """Writes a plan to a file."""
    write_text(path, plan_text(plan))


def plan_file(plan):
    """The path of a plan: its own, or for a dictionary that of a temporary file, the same for equal plans."""
    if not isinstance(plan, dict):
        return os.fspath(plan)
    text = plan_text(plan)
    name = hashlib.sha256(text.encode()).hexdigest()[:16]
    path = pathlib.Path(tempfile.gettempdir()) / f"tessera-plan-{os.getuid()}-{name}.yaml"
    if not path.exists() or path.read_text() != text:
        write_text(path, text)
    return str(path)
