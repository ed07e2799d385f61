#!/bin/sh
# Runs each fuzz target for some seconds: fuzz/smoke.sh <build folder> [seconds a target, default 20]
#
# <build folder> was configured with CXX=clang++ and -DONNX_LIGHT_BUILD_FUZZ=ON, and its target `fuzz` has been built. What is found (and the
# corpus) stays in <build folder>/fuzz/. Ends with the first finding.
set -eu
build=$1
seconds=${2:-20}
here=$(dirname "$0")
python3 "$here/seeds.py" "$build/fuzz/seeds"
for target in parse_roundtrip parse_limits unknown_equal text_format json onnx_syntax; do
  mkdir -p "$build/fuzz/corpus/$target" "$build/fuzz/findings"
  "$build/fuzz/fuzz_$target" -max_total_time="$seconds" -max_len=16384 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="$build/fuzz/findings/$target-" "$build/fuzz/corpus/$target" "$build/fuzz/seeds/$target"
done
