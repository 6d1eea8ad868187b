#!/usr/bin/env bash
# How much of a step of the GPT example is spent on a checkpoint every 10 steps, with the tools in build/.
#   benchmarks/runtime/checkpoints.sh [mesh, as data=2,model=2] [options of tessera-run]
set -euo pipefail
cd "$(dirname "$0")/../.."
mesh=${1:-data=2,model=2}; shift || true
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
build/bin/tesserac examples/gpt/init.mlir -o "$folder/init.tsx"
build/bin/tesserac examples/gpt/gpt.mlir --mesh="$mesh" -o "$folder/gpt.tsx"
build/bin/tessera-run "$folder/gpt.tsx" --init="$folder/init.tsx" --batches=examples/gpt/batches.safetensors \
  --steps=31 --every=10 --keep=1 --checkpoint="$folder/run" "$@" | tail -2 | tee "$folder/log"
awk '/median/ { for (i = 1; i < NF; ++i) if ($i == "median") step = $(i + 1) }
     /waited/ { for (i = 1; i < NF; ++i) if ($i == "waited") stall = $(i + 1) }
     END { printf "a copy every 10 steps: %.2f%% of a step\n", 100 * stall / 10 / step }' "$folder/log"
