"""Writes functions of 33 lines with and without comments, a short one, and a comment that is parted from its function, below a folder."""
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
body = " {\n" + "  work();\n" * 31 + "}\n"
(root / "include" / "Long.h").write_text("/// Says it here.\nvoid declared(int number);\n")
(root / "lib" / "Long.cpp").write_text("void without()" + body + "/// Says it.\nvoid with()" + body + "void declared(int number)" + body +
                                       "namespace {\nstruct Class {\n  int ofClass() const" + body + "};\n}\nvoid shortOne() {\n  work();\n}\n"
                                       "class Parted {\n  /// Says it too early.\nprivate:\n  void early();\n};\n")
