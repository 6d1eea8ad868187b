"""Generates text on four ranks, in one job: parameters, prompts, then a token of each sequence at a time. Compares the tokens with JAX's.

    python examples/generation/run.py [FOLDER]     keeps what it makes in FOLDER, by default `out` beside this script

Needs Python and the tools, from $TESSERA_BIN, the build tree or the prefix that this example is installed in.
"""

import json
import pathlib
import re
import struct
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.append(str(FOLDER.parent))

from tools import run  # noqa: E402: of all examples

PROMPT = 16


def read_tokens(path):
    """The rows of the tensor `tokens` in a file of safetensors."""
    data = path.read_bytes()
    (size,) = struct.unpack_from("<Q", data)
    described = json.loads(data[8 : 8 + size])["tokens"]
    rows, columns = described["shape"]
    begin = 8 + size + described["data_offsets"][0]
    return [struct.unpack_from(f"<{columns}i", data, begin + 4 * columns * row) for row in range(rows)]


def main():
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER / "out"
    out.mkdir(parents=True, exist_ok=True)
    expected = read_tokens(FOLDER / "tokens.safetensors")
    models = [FOLDER / f"{name}.mlir" for name in ("init", "prefill", "decode")]
    run("tesserac", *models, "-o", out / "generate.tsx")
    runs = len(expected[0]) - PROMPT - 1
    state = out / "state.safetensors"
    printed = run(
        "tessera-run", out / "generate.tsx", f"--entry=init,prefill,decode:{runs}", f"--inputs={FOLDER / 'prompt.safetensors'}", f"--outputs={state}"
    )
    median = float(re.search(r"of decode .* median (\S+) ms", printed)[1])
    tokens = read_tokens(state)
    for row in tokens:
        print(f"{bytes(row[:PROMPT]).decode()!r} -> {' '.join(map(str, row[PROMPT:]))}")
    print(f"{len(tokens) * runs} tokens by decode, {1e3 * len(tokens) / median:.0f} a second; {'as' if tokens == expected else 'NOT as'} JAX's")
    return 0 if tokens == expected else 1


if __name__ == "__main__":
    sys.exit(main())
