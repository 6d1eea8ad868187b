#!/usr/bin/env bash
# Runs the suite of this folder, the unpacked archive of make-archive.sh, on this machine's GPU: run.sh [--benchmarks] [--tune] [--only] [--seconds=N]
# --benchmarks and --tune come after the suite, or with --only alone; of each, nothing new begins after N seconds (480), and the next run goes on
# where it ended. BACKEND=emulated runs the suite without a GPU, PROGRAMS="a b" a part of it, GPUS=n as if there were so many, COLLECTIVES="1 2"
# with these numbers of ranks, LIMIT=n with so many seconds for one program (120). Everything that is found is in report.md. Status 0: all passed.
set -uo pipefail
cd "$(dirname "$0")"
backend=${BACKEND:-cuda} limit=${LIMIT:-120} seconds=480 parts="" suite=yes
for option in "$@"; do
  case $option in
    --benchmarks) parts+=" run" ;;
    --tune) parts+=" tune" ;; # Writes benchmarks/gpu/tuning.json.
    --only) suite=no ;;
    --seconds=*) seconds=${option#*=} ;;
    *) echo "run.sh: expected --benchmarks, --tune, --only or --seconds=N, got $option" >&2; exit 1 ;;
  esac
done
# Where pip installs NCCL, cuBLASLt and cuFFT, if they are nowhere else.
wheels=$(python3 -c 'import glob, nvidia; print(":".join(d for p in nvidia.__path__ for n in ("nccl", "cublas", "cufft", "cu1?") for d in glob.glob(f"{p}/{n}/lib")))' 2> /dev/null)
export LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}${wheels:+:$wheels}
gpus=${GPUS:-$(nvidia-smi -L 2> /dev/null | grep -c '^GPU')}
machine=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2> /dev/null | sort | uniq -c | sed 's/^ *\([0-9]*\) /\1 x /')
machine=${machine:-a machine without nvidia-smi} commit=$(cat commit)
log=$(mktemp); trap 'rm -f "$log"' EXIT

# ---- the suite ----
passed=0 failed=0 hung=0
say() { echo "$*"; echo "$*" >> report/suite; }
report() { # NAME STATUS LOG
  local time=" ($SECONDS s)"
  if [ "$2" = 0 ]; then passed=$((passed + 1)) hung=0; say "pass $1$time"
  else
    failed=$((failed + 1)); say "FAIL $1, status $2$time"; sed 's/^/  /' "$3" | tail -5 | tee -a report/suite
    # A device that hangs does so in every program.
    if [ "$2" = 124 ]; then hung=$((hung + 1)); else hung=0; fi
  fi
}
# COUNT processes, one for each GPU, as a launcher starts them; ranks of other back ends are threads.
start() { # COUNT PROGRAM ARGUMENT...
  local count=$1 status=0 rank; shift
  if [ "$count" = 1 ] || [ "$backend" != cuda ]; then timeout "$limit" "$@"; return; fi
  export WORLD_SIZE=$count MASTER_ADDR=127.0.0.1 MASTER_PORT=${MASTER_PORT:-29611}
  for ((rank = 1; rank < count; ++rank)); do RANK=$rank LOCAL_RANK=$rank timeout "$limit" "$@" & done
  RANK=0 LOCAL_RANK=0 timeout "$limit" "$@" || status=$?
  wait
  unset WORLD_SIZE
  return $status
}

# What JAX computed.
run_programs() {
  local program name status count tolerance
  for program in programs/*.tsx; do
    name=$(basename "$program" .tsx)
    count=$(cat "programs/$name.ranks" 2> /dev/null || echo 1) tolerance=$(cat "programs/$name.tolerance" 2> /dev/null)
    [ -z "${PROGRAMS:-}" ] || [[ " $PROGRAMS " == *" $name "* ]] || continue
    if [ $hung = 3 ]; then say "three programs have not ended in $limit s each: the others are left out"; return; fi
    if [ $count -gt 1 ] && [ "$gpus" -lt $count ]; then say "skip $name, for $count GPUs"; continue; fi
    start $count bin/tessera-run "$program" --backend="$backend" --inputs="programs/$name.inputs.safetensors" \
      --expect="programs/$name.expected.safetensors" --tolerance="${tolerance:-1e-4,1e-5}" > "$log" 2>&1
    status=$?
    # No driver, no GPU, or one that is too old: all would say the same.
    if [ $status = 1 ] && [ $((passed + failed)) = 0 ] && grep -q 'libcuda\|NVIDIA driver\|GPU on this machine\|compute capability' "$log"; then
      say "cannot run programs here: $(tail -1 "$log")"; failed=1; return 1
    fi
    report "$name" $status "$log"
  done
}

# All that ranks do together, over NCCL, with as many ranks as there are GPUs; with one, too.
run_collectives() {
  local count
  for count in ${COLLECTIVES:-1 2 4 8}; do
    if [ $count -gt 1 ] && [ "$gpus" -lt $count ]; then say "skip collectives of $count ranks: $gpus GPUs"; continue; fi
    start $count bin/tessera-check-collectives --backend="$backend" --ranks=$count --megabytes="${MEGABYTES:-256}" > "$log" 2>&1
    report "collectives of $count ranks" $? "$log"
    grep -h 'all_reduce of\|^NCCL' "$log" | sed 's/^/  /' | tee -a report/suite
  done
}

# Five steps of the GPT, on as many GPUs as there are: every loss within 1e-4 of JAX's.
run_gpt() {
  local program name count losses status
  for program in gpt/gpt*.tsx; do
    [ -f "$program" ] || continue
    name=$(basename "$program" .tsx) count=1 losses=gpt/losses.txt
    case $name in
      *-2) count=2 ;;
      *-4) count=4 ;;
      *-bfloat16) losses=gpt/losses-bfloat16.txt ;;
    esac
    if [ $count -gt 1 ] && [ "$gpus" -lt $count ]; then say "skip $name: $gpus GPUs"; continue; fi
    start $count bin/tessera-run "$program" --backend="$backend" --inputs=gpt/initial.safetensors --batches=gpt/batches.safetensors --steps=5 > "$log" 2>&1
    status=$?
    if [ $status = 0 ]; then
      sed -n 's/^step .* result\[2\]=\([^ ]*\).*/\1/p' "$log" | paste - <(head -5 "$losses") | awk '
        { d = ($1 - $2) / $2; if ($1 !~ /^[0-9.eE+-]+$/ || d > 1e-4 || d < -1e-4) { print "step " NR ": expected " $2 ", got " $1; bad = 1 } }
        END { if (NR != 5) { print "expected 5 steps, got " NR; bad = 1 } exit bad }' >> "$log"
      status=$?
    fi
    report "$name" $status "$log"
  done
}

mkdir -p report
echo "commit $commit, back end $backend, $machine; the suite takes about 4 minutes on a GPU, each of --benchmarks and --tune up to ${seconds} s a run"
if [ $suite = yes ]; then
  : > report/suite
  run_programs && { run_collectives; [ -n "${PROGRAMS:-}" ] || run_gpt; }
  say "$passed passed, $failed failed"
fi

# ---- the benchmarks ----
for script in $parts; do
  if [ ! -e benchmarks/gpu/$script.py ]; then echo "the archive has no benchmarks: it was made without JAX"; failed=$((failed + 1)); continue; fi
  options=(--tool="$PWD/bin/tessera-run" --backend="$backend" --seconds="$seconds")
  [ $script = run ] && options+=(--commit="$commit")
  python3 benchmarks/gpu/$script.py benchmarks/gpu "${options[@]}" || failed=$((failed + 1))
done

# ---- what docs/measurements.md takes over ----
{
  echo "## The suite on GPUs (\`test/GPU\`), $(date +%F)"; echo
  echo "$machine; commit $commit, back end $backend."; echo
  if [ -e report/suite ]; then echo '```'; cat report/suite; echo '```'; echo; fi
  cat benchmarks/gpu/report.md 2> /dev/null
} > report.md
echo "the report: $PWD/report.md"
[ "$failed" = 0 ]
