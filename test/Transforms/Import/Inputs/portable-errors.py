"""Damages portable bytecode, and checks what `tesserac` says of it: one error at the file, status 1."""
import pathlib
import subprocess
import sys

INPUTS = pathlib.Path(__file__).parent
PREFIX = ":1:1: error: expected StableHLO's portable bytecode: "

# The file, which bytes are others, and what is wrong then.
DAMAGES = [
    ("portable-0.14.mlirbc", {6: 1, 228: 1}, "'vhlo.pad_v1': expected numbers as 'edge_padding_high'"),
    ("portable-0.14.mlirbc", {113: 1}, "expected a valid type or attribute"),
    ("portable-0.14.mlirbc", {207: 19, 293: 1}, "expected the type of a number"),
    ("portable-0.14.mlirbc", {214: 1}, "'vhlo.slice_v1': expected numbers as 'strides'"),
    ("portable-0.14.mlirbc", {304: 255, 23: 0}, "expected section 0 once"),
    ("portable-0.14.mlirbc", {386: 255, 436: 13}, "expected a type of VHLO, got number 127"),
    ("portable-0.14.mlirbc", {454: 5}, "expected regions of one block, got 2"),
    ("portable-0.14.mlirbc", {514: 134}, "expected the alignment of a section, got 0"),
    ("portable-0.14.mlirbc", {537: 255}, "expected the size of a string, got 8"),
    ("portable-0.14.mlirbc", {558: 0}, "expected attributes of 'builtin', 'vhlo' and 'sdy', got one of 'bu?ltin'"),
    ("portable-0.14.mlirbc", {566: 0}, "expected attributes of 'builtin', 'vhlo' and 'sdy', got one of 'vh?o'"),
    ("portable-0.14.mlirbc", {569: 0}, "expected operations of VHLO and Shardy, got 'builtin.?odule'"),
    ("portable-0.14.mlirbc", {574: 0}, "expected operations of VHLO and Shardy, got 'builtin.modul?'"),
    ("portable-0.14.mlirbc", {649: 39}, "'vhlo.return'v1': expected version 1 or 2 of it, as StableHLO has up to 1.20"),
    ("portable-0.14.mlirbc", {650: 255}, "'vhlo.return_?1': expected version 1 or 2 of it, as StableHLO has up to 1.20"),
    ("portable-0.14.mlirbc", {826: 1, 20: 0}, "expected the number of a section, got 48"),
    ("portable-0.9.mlirbc", {4: 0}, "expected version 6 of the format at most, got 5496754861387117651"),
    ("portable-0.9.mlirbc", {4: 22}, "expected version 6 of the format at most, got 5317"),
    ("portable-0.9.mlirbc", {24: 255}, "expected at most 15 things in as many bytes, got 127"),
    ("portable-0.9.mlirbc", {40: 131}, "expected the alignment of a section, got 54"),
    ("portable-0.9.mlirbc", {123: 136, 128: 31}, "expected an attribute of a model, got MLIR's number 7352376"),
    ("portable-0.9.mlirbc", {129: 255}, "expected an attribute of a model, got MLIR's number 127"),
    ("portable-0.9.mlirbc", {151: 4, 389: 169}, "expected a type of VHLO, got number 84"),
    ("portable-0.9.mlirbc", {171: 25}, "expected attributes of 'builtin' that can be read, got number 15"),
    ("portable-0.9.mlirbc", {194: 47}, "expected different names in a dictionary"),
    ("portable-0.9.mlirbc", {256: 255}, "expected at most 0 things in as many bytes, got 127"),
    ("portable-0.9.mlirbc", {264: 15}, "expected the elements of a tensor, got 7 bytes"),
    ("portable-0.9.mlirbc", {273: 39}, "expected a mode of accuracy, got number 9"),
    ("portable-0.9.mlirbc", {275: 255}, "expected an attribute of VHLO, got number 127"),
    ("portable-0.9.mlirbc", {298: 1}, "expected attributes of 'vhlo' that can be read, got number 47"),
    ("portable-0.9.mlirbc", {335: 2, 388: 5}, "expected types without circles, of a depth of 1000 at most"),
    ("portable-0.9.mlirbc", {407: 7}, "expected the shape of a tensor, got a dimension of -2"),
    ("portable-0.9.mlirbc", {432: 255, 601: 120}, "expected the number of a section, got 127"),
    ("portable-0.9.mlirbc", {435: 3}, "expected one module"),
    ("portable-0.9.mlirbc", {440: 11}, "expected regions of one block, got 5"),
    ("portable-0.9.mlirbc", {449: 15}, "expected 7 values at most in a region"),
    ("portable-0.9.mlirbc", {521: 91}, "expected the strings behind their sizes"),
    ("portable.mlirbc", {62: 0}, "expected types of 'builtin' and 'vhlo', got one of 'sdy'"),
    ("portable.mlirbc", {118: 27}, "expected 5 more bytes, got 3"),
    ("portable.mlirbc", {166: 25, 413: 1}, "expected a text that ends, got 6 bytes without a zero"),
    ("portable.mlirbc", {174: 1}, "expected a type of a model, got MLIR's number 16"),
    ("portable.mlirbc", {258: 31, 1841: 194}, "expected 5 more bytes, got 1"),
    ("portable.mlirbc", {418: 0, 104: 17}, "expected a text that ends, got 4 bytes without a zero"),
    ("portable.mlirbc", {553: 1}, "expected Shardy's axis_ref"),
    ("portable.mlirbc", {555: 1}, "expected Shardy's mesh"),
    ("portable.mlirbc", {565: 255}, "expected an attribute of a sharding, got Shardy's number 127"),
    ("portable.mlirbc", {571: 138, 1459: 125}, "expected an attribute of a sharding, got Shardy's number 354"),
    ("portable.mlirbc", {585: 41}, "expected a tensor of numbers for its elements"),
    ("portable.mlirbc", {637: 193}, "expected attributes without circles, of a depth of 1000 at most"),
    ("portable.mlirbc", {755: 133}, "expected a mode of accuracy, got number 66"),
    ("portable.mlirbc", {941: 255}, "expected an integer type, got one of 31 bits"),
    ("portable.mlirbc", {965: 29}, "expected the elements of a tensor, got 4 bytes"),
    ("portable.mlirbc", {974: 1}, "expected the type of a tensor's elements"),
    ("portable.mlirbc", {994: 15}, "expected the shape of a tensor, got a dimension of -4"),
    ("portable.mlirbc", {1201: 72}, "expected operations without successors, got 'sdy.sharding_constraint'"),
    ("portable.mlirbc", {1206: 131}, "expected operands that are defined before, got number 841"),
    ("portable.mlirbc", {1303: 37, 686: 199}, "expected an attribute of VHLO, got number 99"),
    ("portable.mlirbc", {1452: 1}, "expected 0 properties of 'builtin.unrealized_conversion_cast', got more"),
    ("portable.mlirbc", {1493: 88}, "expected operations without successors, got 'vhlo.func_v1'"),
    ("portable.mlirbc", {1527: 3}, "expected 1 values at most in a region"),
    ("portable.mlirbc", {1534: 4}, "expected operands that are defined before, got number 5"),
    ("portable.mlirbc", {1549: 3}, "expected section 3 once"),
    ("portable.mlirbc", {1557: 0}, "expected the size of a string, got 796309352768410891"),
    ("portable.mlirbc", {1612: 0}, "expected an operation of StableHLO up to version 1.20, or of Shardy, got 's?y.mesh'"),
    ("portable.mlirbc", {1616: 0}, "expected an operation of StableHLO up to version 1.20, or of Shardy, got 'v?lo.func_v1'"),
    ("portable.mlirbc", {1978: 250, 940: 255}, "expected a type of a model, got MLIR's number 127"),
    ("portable.mlirbc", {2156: 183, 642: 1}, "'vhlo.gather_v2': expected a number as 'index_vector_dim'"),
    ("portable.mlirbc", {2164: 177}, "'vhlo.scatter_v2': expected a number as 'index_vector_dim'"),
    ("portable.mlirbc", {2182: 1}, "expected 4 properties of 'vhlo.composite_v2', got more"),
    ("portable.mlirbc", {941: 30}, "expected an integer type, got one of 33 bits"),
    ("portable.mlirbc", {941: 78}, "expected an integer type, got one of 36 bits"),
    ("portable-0.14.mlirbc", {547: 79}, "expected the strings behind their sizes"),
    ("portable-0.14.mlirbc", {527: 61}, "expected the strings behind their sizes"),
    ("portable.mlirbc", {309: 7}, "expected the type of a number"),
    ("portable-0.14.mlirbc", {288: 19}, "expected the type of a number"),
    ("portable-0.14.mlirbc", {124: 31}, "expected different names in a dictionary"),
    ("portable-0.14.mlirbc", {187: 39}, "expected different names in a dictionary"),
    ("portable.mlirbc", {709: 41}, "expected a tensor of numbers for its elements"),
    ("portable.mlirbc", {966: 53}, "expected a tensor of numbers for its elements"),
    ("portable.mlirbc", {945: 47}, "expected the type of a tensor's elements"),
    ("portable-0.14.mlirbc", {390: 9}, "expected the type of a tensor's elements"),
    ("portable.mlirbc", {238: 9}, "expected a valid type or attribute"),
    ("portable-0.14.mlirbc", {437: 17}, "expected one module"),
    ("portable.mlirbc", {1082: 1}, "expected one module"),
]


def main():
    folder, wrong = pathlib.Path(sys.argv[1]), 0
    folder.mkdir(exist_ok=True)
    for name, changes, message in DAMAGES:
        data = bytearray((INPUTS / name).read_bytes())
        for place, byte in changes.items():
            data[place] = byte
        file = folder / "damaged.mlirbc"
        file.write_bytes(data)
        done = subprocess.run(["tesserac", str(file), "--compile-to=read", "-o", "-"], capture_output=True, text=True)
        first = done.stderr.partition("\n")[0]
        if done.returncode != 1 or first != f"{file}{PREFIX}{message}" or done.stderr.count("error:") != 1:
            wrong += 1
            print(f"{name} with {changes}: expected '{message}', got status {done.returncode} and '{done.stderr}'")
    return wrong > 0


sys.exit(main())
