#!/usr/bin/env bash
# Builds the Debian package of Headlight, for any machine of this architecture, and says where it is.
# Usage: package.sh [FOLDER]      (build/package)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "${1:-$root/build/package}"
folder=$(cd "${1:-$root/build/package}" && pwd)
"$root/scripts/install_dependencies.sh" build package
cd "$root"
"$root/scripts/build.sh" package -- headlight install_texts
(cd "$root/build/package" && umask 022 && cpack -G DEB -B "$folder" >&2)
rm -rf "$folder/_CPack_Packages"
ls "$folder"/headlight_*.deb
