#!/usr/bin/env bash
# Packs everything that a machine with a GPU, and without a compiler or LLVM, needs to run the suite: make-archive.sh [OUT.tar.gz]
# tessera-run, what checks communication, their libraries, the programs of test/Integration/JAX and the GPT example compiled for GPUs with
# their inputs and expected results, and, where JAX is installed (PYTHON=…), the programs of benchmarks/gpu and what tuning tries. Takes some
# ten minutes; PROGRAMS="mlp_step softmax…" packs only these, and no benchmarks, CASES="matmul_*" only such benchmarks.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${TESSERA_BIN:-$root/build/bin} lib=${TESSERA_LIB:-$root/build/lib} python=${PYTHON:-python3}
archive=${1:-$root/build/tessera-gpu.tar.gz}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
suite=$work/tessera-gpu; mkdir -p "$suite"/{bin,lib,programs,gpt,benchmarks/gpu}

cp "$bin/tessera-run" "$bin/tessera-check-collectives" "$suite/bin/"
cp -L "$lib"/libtessera_runtime.so "$lib"/libtessera_backend_*.so "$suite/lib/"
# Routines, and LAPACK with what it needs, which the other machine may lack.
cp -L "$lib/libtessera_routines.so" "$suite/lib/"
ldd "$lib/libtessera_routines.so" | awk '/blas|lapack|gfortran|quadmath/ { print $3 }' | xargs -r cp -L -t "$suite/lib/"
cp "$root/test/GPU/run.sh" "$suite/"
git -C "$root" rev-parse HEAD > "$suite/commit" 2>/dev/null || echo unknown > "$suite/commit"

inputs=$root/test/Integration/JAX
for model in "$inputs"/*.mlir; do
  name=$(basename "$model" .mlir)
  [ -z "${PROGRAMS:-}" ] || [[ " $PROGRAMS " == *" $name "* ]] || continue
  [ -f "$inputs/$name.expected.safetensors" ] || continue
  echo "compiling $name"
  # Every axis of size 1: this is the suite for one GPU.
  meshes=$(grep -o '"[a-z]*"=[0-9]*' "$model" | sed 's/"\(.*\)"=.*/\1=1/' | sort -u | paste -sd,) || true
  if ! "$bin/tesserac" "$model" ${meshes:+--mesh="$meshes"} --target=cuda -o "$suite/programs/$name.tsx" 2> "$work/error"; then
    # What is written by hand for several devices (shard_map) is for machines that have them.
    grep -q 'for which this code is written by hand' "$work/error" || { cat "$work/error" >&2; exit 1; }
    "$bin/tesserac" "$model" --target=cuda -o "$suite/programs/$name.tsx"
    "$bin/tesserac" --inspect "$suite/programs/$name.tsx" | grep '^mesh ' | grep -o '=[0-9]*' | tr -d = | awk 'BEGIN { n = 1 } { n *= $1 } END { print n }' > "$suite/programs/$name.ranks"
    echo "  for $(cat "$suite/programs/$name.ranks") devices only"
  fi
  # How far from JAX's the test itself lets results on GPUs be, where that is farther than usual (run.sh): 16-bit types.
  grep -o 'backend=emulated.* --tolerance=[^ ]*' "$model" | sed 's/.*--tolerance=//' | awk -F, '$1 > 1e-4 { print; exit }' > "$work/tolerance" || true
  [ ! -s "$work/tolerance" ] || cp "$work/tolerance" "$suite/programs/$name.tolerance"
  cp "$inputs/$name.inputs.safetensors" "$inputs/$name.expected.safetensors" "$suite/programs/"
done

if [ -z "${PROGRAMS:-}" ]; then
  gpt=$root/examples/gpt
  echo "compiling the GPT example"
  "$bin/tesserac" "$gpt/init.mlir" -o "$work/init.tsx"
  "$bin/tessera-run" "$work/init.tsx" --outputs="$suite/gpt/initial.safetensors" > /dev/null
  cp "$gpt/batches.safetensors" "$gpt"/losses*.txt "$suite/gpt/"
  for suffix in "" -bfloat16; do
    "$bin/tesserac" "$gpt/gpt$suffix.mlir" --mesh=data=1,model=1 --target=cuda -o "$suite/gpt/gpt$suffix.tsx"
  done
  # For machines with several GPUs, over NCCL.
  "$bin/tesserac" "$gpt/gpt.mlir" --mesh=data=1,model=2 --target=cuda -o "$suite/gpt/gpt-2.tsx"
  "$bin/tesserac" "$gpt/gpt.mlir" --mesh=data=2,model=2 --target=cuda -o "$suite/gpt/gpt-4.tsx"
  if "$python" -c 'import jax' 2> /dev/null; then
    "$python" "$root/benchmarks/gpu/export.py" "$suite/benchmarks/gpu" --bin="$bin" --tune ${CASES:+--cases="$CASES"}
    rm -f "$suite"/benchmarks/gpu/*.mlir
    cp "$root"/benchmarks/gpu/{cases,report,rivals,run,triton_kernels,tune}.py "$suite/benchmarks/gpu/"
    # The GPT is measured against its own source.
    mkdir -p "$suite/examples/gpt" && cp "$gpt/model.py" "$suite/examples/gpt/"
  else
    echo "no JAX for $python: the archive has no benchmarks"
  fi
fi
tar -C "$work" -czf "$archive" tessera-gpu
echo "$archive: $(du -h "$archive" | cut -f1)"
