//===- tesserac.cpp - the compiler's driver -------------------------------===//

#include "compiler.h"

int main(int argc, char **argv) { return tessera_compiler_main(argc, argv); }
