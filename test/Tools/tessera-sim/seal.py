#!/usr/bin/env python3
"""Puts the checksum behind a program that the compiler would (include/tessera/Support/Checksum.h)."""
import sys
import zlib

contents = open(sys.argv[1], "rb").read()
with open(sys.argv[1], "ab") as file:
    file.write(b"tsxcrc32" + zlib.crc32(contents).to_bytes(4, "little"))
