"""Whether the tensors `tokens` in two files of safetensors are the same bytes. Usage: compare-tokens.py GOT EXPECTED"""

import json
import pathlib
import struct
import sys


def read(path):
    data = pathlib.Path(path).read_bytes()
    (size,) = struct.unpack_from("<Q", data)
    tensor = json.loads(data[8 : 8 + size])["tokens"]
    begin, end = tensor["data_offsets"]
    return tensor["dtype"], tensor["shape"], data[8 + size + begin : 8 + size + end]


got, expected = map(read, sys.argv[1:])
sys.exit(0 if got == expected else f"expected {expected}, got {got}")
