#!/bin/sh
# demo.sh PREFIX FOLDER: compiles the small example with what is installed in PREFIX, for four ranks and for one, and compares what they give.
# Without an environment but for a path ($TESSERA_TEST_PATH, or the system's), from FOLDER.
set -e
mkdir -p "$2"
cd "$2"
path=${TESSERA_TEST_PATH:-/usr/bin:/bin}
model=$1/share/tessera/examples/mlp/mlp.mlir
env -i PATH="$path" "$1/bin/tesserac" "$model" --mesh=data=2,model=2 -o four.tsx
env -i PATH="$path" "$1/bin/tesserac" "$model" --mesh=data=1,model=1 -o one.tsx
env -i "$1/bin/tessera-run" one.tsx --random=7 --outputs=one.safetensors
env -i "$1/bin/tessera-run" four.tsx --random=7 --expect=one.safetensors
