"""Changes one bit of the last byte of a file. Usage: flip.py FILE"""
import pathlib
import sys

path = pathlib.Path(sys.argv[1])
data = path.read_bytes()
path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
