#!/bin/sh
# Runs each fuzz target for some seconds: fuzz/smoke.sh <build folder> [seconds a target, default 20] [target ...]
#
# <build folder> was configured with CXX=clang++ and -DONNX_LIGHT_BUILD_FUZZ=ON, and its target `fuzz` has been built. What is found (and the
# corpus) stays in <build folder>/fuzz/. Ends with the first finding. An allocation of more than 64 MiB is one: no input is larger than 16 KiB.
set -eu
build=$1
seconds=${2:-20}
[ $# -lt 2 ] && shift || shift 2
here=$(dirname "$0")
python3 "$here/seeds.py" "$build/fuzz/seeds"
if [ $# -eq 0 ]; then
  for program in "$build"/fuzz/fuzz_*; do set -- "$@" "${program##*/fuzz_}"; done
fi
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm # where files cost no disk
for target; do
  mkdir -p "$build/fuzz/corpus/$target" "$build/fuzz/findings"
  echo "fuzz_$target"
  # Without entropic scheduling, whose accounts cost more than most of these runs: three times as many in the same time, and more edges.
  "$build/fuzz/fuzz_$target" -entropic=0 -max_total_time="$seconds" -max_len=16384 -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=64 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/fuzz/findings/$target-" "$build/fuzz/corpus/$target" "$build/fuzz/seeds/$target"
done
