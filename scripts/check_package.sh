#!/usr/bin/env bash
# Holds the Debian package to what it promises: lintian has no errors; in a clean root it installs with what it depends
# on, the program starts with a window and runs a lesson; removed, it leaves nothing. Needs root.
# Usage: check_package.sh [FILE.deb]      (the one that package.sh builds)
#   HEADLIGHT_MIRROR: where Debian's packages come from (http://deb.debian.org/debian); without the network the package
#   is unpacked into an empty root with the system's own dpkg, and the program runs with the libraries of the system.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
package=$(realpath "${1:-$("$root/scripts/package.sh")}")
mirror=${HEADLIGHT_MIRROR:-http://deb.debian.org/debian}
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
say() { echo "check_package: $*" >&2; }
fail() { say "FAILED: $*"; exit 1; }
[ "$(id -u)" -eq 0 ] || fail "needs root"

say "$(basename "$package"), $(stat -c %s "$package") bytes"
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error --tag-display-limit 0 "$package" || fail "lintian has errors"
    say "lintian: no errors"
else
    say "lintian is not installed: skipped"
fi

work=$(mktemp -d)
clean=$work/root
trap 'umount -q "$clean/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
list() { (cd "$clean" && find . -xdev -path ./proc -prune -o -path ./tmp -prune -o -print | LC_ALL=C sort); }
named() { (cd "$clean" && find . -xdev -path ./proc -prune -o -path ./tmp -prune -o -iname '*headlight*' -print); }

if command -v debootstrap >/dev/null && debootstrap --variant=minbase "$suite" "$clean" "$mirror" >"$work/debootstrap.log" 2>&1; then
    say "a clean root of $suite by debootstrap"
    mount -t proc proc "$clean/proc"
    in_root() { DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 chroot "$clean" "$@"; }
    install() { in_root apt-get -qq install -y --no-install-recommends "/tmp/$(basename "$package")" >"$work/install.log" 2>&1; }
    remove() {
        in_root apt-get -qq purge -y headlight >"$work/remove.log" 2>&1
        in_root apt-get -qq autoremove -y --purge >>"$work/remove.log" 2>&1
    }
    cp "$package" "$clean/tmp/"
    in_root apt-get -qq update >"$work/update.log" 2>&1 || fail "apt-get update: $(tail -3 "$work/update.log")"
else
    [ ! -e "$work/debootstrap.log" ] || tail -2 "$work/debootstrap.log" >&2
    say "no debootstrap: an empty root, and the libraries of this system"
    mkdir -p "$clean"/var/lib/dpkg/{info,updates,triggers} "$clean/tmp"
    touch "$clean"/var/lib/dpkg/{status,available}
    dpkg_there() { dpkg --root="$clean" --force-depends --force-not-root --force-script-chrootless "$@"; }
    install() { dpkg_there --install "$package" >"$work/install.log" 2>&1; }
    remove() { dpkg_there --purge headlight >"$work/remove.log" 2>&1; }
    in_root() { local program=$1; shift; LC_ALL=C.UTF-8 "$clean/usr/bin/$program" "$@"; }
fi

list >"$work/before"
install || { cat "$work/install.log" >&2; fail "it does not install"; }
say "installed: $(named | wc -l) names with headlight"

in_root headlight --version >"$work/version" || fail "headlight --version"
say "$(cat "$work/version")"
in_root headlight lesson similarity >"$work/lesson" || fail "headlight lesson similarity"
grep -q '[0-9]\.[0-9]' "$work/lesson" || fail "the lesson has no numbers"
! grep -q '{{' "$work/lesson" || fail "the lesson has an open number"
say "a lesson of $(wc -w <"$work/lesson") words, its numbers worked out: $(head -1 "$work/lesson")"

# With a window, until it is asked to close: SIGTERM ends it as a session's end does.
status=0
mkdir -m 700 "$clean/tmp/run"
HOME=/tmp XDG_RUNTIME_DIR=/tmp/run QT_QPA_PLATFORM=offscreen in_root timeout --signal=TERM 8 headlight >"$work/window.log" 2>&1 || status=$?
if [ "$status" -eq 127 ] || [ "$status" -eq 126 ]; then # there is no timeout in an empty root
    status=0
    HOME=$work XDG_RUNTIME_DIR=$clean/tmp/run QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8 timeout --signal=TERM 8 "$clean/usr/bin/headlight" >"$work/window.log" 2>&1 || status=$?
fi
[ "$status" -eq 124 ] || { cat "$work/window.log" >&2; fail "the window ended by itself, with $status"; }
say "the window ran for 8 seconds: $(wc -l <"$work/window.log") lines of complaint"
[ ! -s "$work/window.log" ] || sed 's/^/    /' "$work/window.log" >&2

remove || { cat "$work/remove.log" >&2; fail "it cannot be removed"; }
list >"$work/after"
left=$(named)
[ -z "$left" ] || fail "left behind: $left"
# Logs, caches and lists of packages are those of apt and of what it depended on.
others=$(comm -13 "$work/before" "$work/after" | grep -vE '^\./(var/(cache|log|lib/(apt|dpkg|systemd|ucf|xml-core|sgml-base))|etc/\.pwd\.lock|run)(/|$)' || true)
say "removed: no name with headlight is left; of what it depended on: ${others:-nothing}"
