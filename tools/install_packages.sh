#!/usr/bin/env bash
# Installs what a Debian machine lacks to build, test and measure; says nothing when all is there. Needs root where something is missing.
set -euo pipefail

packages=(
  g++ cmake ninja-build ccache pkg-config git        # to build
  libssl-dev openssl                                 # to encrypt, and to prove it
  clang clang-format clang-tidy                      # to lint and to fuzz
  libgtest-dev                                       # to test
  libprotobuf-dev protobuf-compiler libprotozero-dev # oracles of the tests, peers of the benchmarks
  python3 python3-venv python3-dev
)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
fi
