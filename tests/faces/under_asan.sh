#!/bin/sh
# Faces under AddressSanitizer and UBSan: builds the extension with both, then runs the tests of faces and random sequences of edits on it, and
# loops for LeakSanitizer.
#
#     tests/faces/under_asan.sh [SEQUENCES [PYTEST_ARGUMENT ...]]
#     tests/faces/under_asan.sh 40 tests --ignore=tests/test_large_models.py    # all Python tests: half an hour
#
# Needs what `./dev build` has left in .venv, and takes minutes. PYTHONMALLOC=malloc makes every Python object a block that is watched.
set -eu
cd "$(dirname "$0")/../.."
sequences=${1:-40}
[ $# -gt 0 ] && shift
PATH=$PWD/.venv/bin:$PATH
cmake --preset asan -DONNX_LIGHT_BUILD_PYTHON=ON -DPython_EXECUTABLE="$PWD/.venv/bin/python" > /dev/null
cmake --build --preset asan --target _onnxpy

# The installed package with the sanitized extension in it, before the installed one on the path.
package=build/asan/package
rm -rf "$package"
mkdir -p "$package"
cp -r "$(python -P -c 'import onnx_light, os; print(os.path.dirname(onnx_light.__file__))')" "$package/"
cp build/asan/onnx_light/onnx_py/_onnxpy.*.so "$package/onnx_light/onnx_py/"

# libstdc++ as well: the sanitizer looks for what throws exceptions when it starts.
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so)"
ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0
export LD_PRELOAD ASAN_OPTIONS PYTHONMALLOC=malloc PYTHONSAFEPATH=1 PYTHONPATH="$PWD/$package:$PWD/tests/faces"
export ONNX_LIGHT_FACES_EXAMPLES=10 ONNX_LIGHT_EDIT_SEQUENCES=5
python -m pytest -q -n0 -p no:cacheprovider tests/test_faces_lifetime.py tests/test_faces_edits.py tests/test_faces_shutdown.py \
  tests/test_faces_threads.py tests/test_messages.py tests/test_messages_alike.py "$@"
python tests/faces/long_run.py 0 "$sequences"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=0 python tests/faces/loops.py "$folder"
