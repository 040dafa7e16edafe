#!/usr/bin/env bash
# Installs what is missing, builds, and starts Headlight with the arguments given to this script.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/scripts/install_dependencies.sh" build
"$root/scripts/build.sh" release -DHEADLIGHT_TESTS=OFF -DHEADLIGHT_BENCHMARKS=OFF -- headlight
exec "$root/build/release/headlight" "$@"
