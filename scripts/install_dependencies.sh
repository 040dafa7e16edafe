#!/usr/bin/env bash
# Installs the Debian packages that building and running Headlight need and that are not there yet; says what it does.
# Usage: install_dependencies.sh [build] [test] [sanitize] [arm64] [tidy] [bench] [package] [site]      (build if nothing is named)
set -euo pipefail

build_packages=(
    g++ cmake ninja-build ccache                       # the compiler and its speed
    qt6-base-dev qt6-base-dev-tools qt6-svg-dev        # the window
    libqt6svg6 qt6-qpa-plugins libgl-dev libvulkan-dev # what Qt's CMake files and platform plugins ask for
    libeigen3-dev nlohmann-json3-dev libicu-dev        # the engine
    libharfbuzz-dev zlib1g-dev pkg-config               # font subsets; images in exported PDF, archives of NumPy
    libqpdf-dev                                         # exported PDF: page, palettes, the same bytes each time
    libcairo2-dev libpoppler-glib-dev                   # exported EPS
    libgif-dev libwebp-dev                              # pictures that move: GIF and WebP
    libmd4c-html0-dev libmd4c-dev                       # lessons as pages of HTML
    fonts-inter fonts-noto-core fonts-noto-color-emoji  # the interface font; the scripts and signs that it lacks
)
test_packages=(
    libgtest-dev xvfb
    poppler-utils librsvg2-bin # who else draws what is exported
    fonts-noto-cjk             # Chinese, Japanese and Korean of the pictures of scripts
)
sanitize_packages=(clang lld libclang-rt-dev libomp-dev) # libFuzzer comes with clang
arm64_packages=(g++-aarch64-linux-gnu qemu-user libgtest-dev:arm64 libgomp1:arm64 libicu-dev:arm64 zlib1g-dev:arm64)
tidy_packages=(clang-tidy)
bench_packages=(libbenchmark-dev libhwy-dev python3-torch python3-numpy libopenblas0 xvfb)
package_packages=(dpkg-dev)
site_packages=(python3 libmd4c-html0 doxygen)

packages=()
for set in "${@:-build}"; do
    case "$set" in
        build) packages+=("${build_packages[@]}") ;;
        test) packages+=("${test_packages[@]}") ;;
        sanitize) packages+=("${sanitize_packages[@]}") ;;
        arm64) packages+=("${arm64_packages[@]}") ;;
        tidy) packages+=("${tidy_packages[@]}") ;;
        bench) packages+=("${bench_packages[@]}") ;;
        package) packages+=("${package_packages[@]}") ;;
        site) packages+=("${site_packages[@]}") ;;
        *) echo "install_dependencies.sh: unknown set '$set': expected build, test, sanitize, arm64, tidy, bench, package or site" >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query >/dev/null; then
    echo "headlight: this is not a Debian system; please install the counterparts of: ${packages[*]}" >&2
    exit 0
fi

# Asked once for all: to ask for each takes seconds. Where a package is there for two processors, each has its line.
native=$(dpkg --print-architecture)
there=$(dpkg-query -W -f '${db:Status-Status} ${Package}:${Architecture}\n' "${packages[@]%:*}" 2>/dev/null) || true
missing=()
for package in "${packages[@]}"; do
    architecture=$native
    [[ "$package" != *:* ]] || architecture=${package#*:}
    grep -qxF -e "installed ${package%:*}:$architecture" -e "installed ${package%:*}:all" <<<"$there" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "headlight: need root to install: ${missing[*]}" >&2; exit 1; }
    as_root=(sudo)
fi
echo "headlight: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
[[ "${missing[*]}" != *:arm64* ]] || "${as_root[@]}" dpkg --add-architecture arm64
"${as_root[@]}" apt-get update -qq >&2
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
