"""Executes a notebook's cells one after the other and compares what they print with what stands in the notebook.

    pip install ./python[jax] && python examples/tutorial/run.py [--write] [NOTEBOOK]

It needs no Jupyter. With --write, what is printed becomes the notebook's outputs.
"""

import argparse
import contextlib
import io
import json
import os
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


def execute(source, names):
    """What a cell prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, "<cell>", "exec"), names)
    return printed.getvalue()


def printed_of(cell):
    return "".join("".join(output["text"]) for output in cell["outputs"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebook", nargs="?", type=pathlib.Path, default=FOLDER / "tutorial.ipynb")
    parser.add_argument("--write", action="store_true", help="write the outputs instead")
    options = parser.parse_args()
    notebook, names, wrong = json.loads(options.notebook.read_text()), {"__name__": "__main__"}, 0
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    os.chdir(options.notebook.parent)
    for number, cell in enumerate(cells, 1):
        got, expected = execute("".join(cell["source"]), names), printed_of(cell)
        if options.write:
            cell["execution_count"] = number
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": got.splitlines(keepends=True)}] if got else []
        elif got != expected:
            print(f"cell {number}: expected\n{expected}got\n{got}")
            wrong += 1
    if options.write:
        options.notebook.write_text(json.dumps(notebook, indent=1) + "\n")
        return 0
    print(f"{len(cells)} cells, {len(cells) - wrong} print what stands in the notebook")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
