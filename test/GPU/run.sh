#!/usr/bin/env bash
# Runs the suite of this folder, the unpacked archive of make-archive.sh, on this machine's GPU: run.sh [--benchmarks] [--tune]
# BACKEND=emulated runs it without a GPU, PROGRAMS="a b" a part of it, GPUS=n as if there were so many. Ends with one line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")"
backend=${BACKEND:-cuda}
# Where pip installs NCCL and cuBLASLt, if they are nowhere else.
wheels=$(python3 -c 'import glob, nvidia; print(":".join(d for p in nvidia.__path__ for n in ("nccl", "cublas", "cu1?") for d in glob.glob(f"{p}/{n}/lib")))' 2> /dev/null)
export LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}${wheels:+:$wheels}
passed=0 failed=0
report() { # NAME STATUS LOG
  if [ "$2" = 0 ]; then passed=$((passed + 1)); echo "pass $1"
  else failed=$((failed + 1)); echo "FAIL $1 (status $2)"; sed 's/^/  /' "$3" | tail -5; fi
}
log=$(mktemp); trap 'rm -f "$log"' EXIT

echo "commit $(cat commit), back end $backend"
for program in programs/*.tsx; do
  name=$(basename "$program" .tsx)
  [ -z "${PROGRAMS:-}" ] || [[ " $PROGRAMS " == *" $name "* ]] || continue
  timeout 300 bin/tessera-run "$program" --backend="$backend" --inputs="programs/$name.inputs.safetensors" \
    --expect="programs/$name.expected.safetensors" --tolerance=1e-4,1e-5 > "$log" 2>&1
  report "$name" $? "$log"
done

# COUNT processes, one for each GPU, as a launcher starts them.
start() { # COUNT ARGUMENT...
  local count=$1 status=0 rank; shift
  export WORLD_SIZE=$count MASTER_ADDR=127.0.0.1 MASTER_PORT=${MASTER_PORT:-29611}
  for ((rank = 1; rank < count; ++rank)); do RANK=$rank LOCAL_RANK=$rank timeout 600 bin/tessera-run "$@" & done
  RANK=0 LOCAL_RANK=0 timeout 600 bin/tessera-run "$@" || status=$?
  wait
  return $status
}

# Five steps of the GPT, on as many GPUs as there are: every loss within 1e-4 of JAX's.
gpus=${GPUS:-$(nvidia-smi -L 2> /dev/null | grep -c '^GPU')}
for program in gpt/gpt*.tsx; do
  [ -f "$program" ] && [ -z "${PROGRAMS:-}" ] || continue
  name=$(basename "$program" .tsx) count=1 losses=gpt/losses.txt
  case $name in
    *-2) count=2 ;;
    *-4) count=4 ;;
    *-bfloat16) losses=gpt/losses-bfloat16.txt ;;
  esac
  if [ $count -gt 1 ] && [ "$gpus" -lt $count ]; then echo "skip $name: $count GPUs"; continue; fi
  start $count "$program" --backend="$backend" --inputs=gpt/initial.safetensors --batches=gpt/batches.safetensors --steps=5 > "$log" 2>&1
  status=$?
  if [ $status = 0 ]; then
    sed -n 's/^step .* result\[2\]=\([^ ]*\).*/\1/p' "$log" | paste - <(head -5 "$losses") | awk '
      { d = ($1 - $2) / $2; if ($1 !~ /^[0-9.eE+-]+$/ || d > 1e-4 || d < -1e-4) { print "step " NR ": expected " $2 ", got " $1; bad = 1 } }
      END { if (NR != 5) { print "expected 5 steps, got " NR; bad = 1 } exit bad }' >> "$log"
    status=$?
  fi
  report "$name" $status "$log"
done
unset WORLD_SIZE MASTER_ADDR MASTER_PORT
echo "$passed passed, $failed failed"
for part in "$@"; do
  case $part in
    --benchmarks) script=run ;;
    --tune) script=tune ;; # Writes benchmarks/gpu/tuning.json.
    *) echo "run.sh: expected --benchmarks or --tune, got $part" >&2; exit 1 ;;
  esac
  python3 benchmarks/gpu/$script.py benchmarks/gpu --tool="$PWD/bin/tessera-run" --backend="$backend" || failed=$((failed + 1))
done
[ "$failed" = 0 ]
