#!/bin/bash
# Tests .ci/setup.sh with an empty PATH except for the commands below and a fake apt-get, which records the requested
# packages and installs nothing.
set -eu
cd "$(dirname "$0")"
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/.ci" "$tree/bin"
cp -r setup.sh make-env.sh env requirements.txt "$tree/.ci"
cd "$tree"
for command in bash awk cat cksum cut dirname echo env grep head ls mkdir rm sed tail xargs; do
    ln -s "$(type -P $command)" bin/
done
printf '#!/bin/bash\necho 0\n' >bin/id
# The archive has some version of clang.
printf '#!/bin/bash\necho "  Depends: clang-99"\n' >bin/apt-cache
cat >bin/apt-get <<'END'
#!/bin/bash
[ "$1" = install ] || exit 0
for word; do case $word in install | -*) ;; *) echo "$word" ;; esac done | xargs >>asked
[ ! -e refuses ] || { cat refuses; exit 100; }
END
chmod +x bin/id bin/apt-cache bin/apt-get
failed=0

# expect CODE ASKED GROUP...: expects the exit code and the calls of apt-get, one per line. PYTHON is a name that does not
# exist.
expect() {
    local code=$1 wanted=$2 got=0
    shift 2
    : >asked
    env -i PATH="$tree/bin" PYTHON=python2.9 .ci/setup.sh "$@" >said 2>&1 || got=$?
    [ "$got" = "$code" ] && [ "$(cat asked)" = "$wanted" ] && return
    printf 'setup %s: exit code %s, expected %s; apt-get was asked for\n' "$*" $got "$code"
    cat asked
    printf 'expected\n%s\nsaid\n' "$wanted"
    cat said
    failed=1
}

# told WORDS TIMES: expects the last set-up to have printed WORDS so many times.
told() {
    local times
    times=$(grep -cF "$1" said) || true
    [ "$times" = "$2" ] || { printf 'printed %s times, expected %s: %s\n' "$times" "$2" "$1"; cat said; failed=1; }
}

build='gcc libc6-dev make libcjson-dev libzip-dev zlib1g-dev libbz2-dev liblzma-dev liblz4-dev'
expect 0 ''
expect 1 "$build" build
# A package of two groups is requested once, whether the groups are required or optional.
expect 1 "$build python3 python3-venv" build '?python' '?libraries'
expect 1 "$build python3 python3-venv" build python3 '?python'
expect 1 'clang libclang-rt-99-dev afl++' clang afl
expect 0 'python3 python3-venv' '?python'
expect 0 'python3 python3-venv' '?python' '?current'
told '*** set-up: NO LIBRARIES: build/env/current' 1
# After a failure, the required packages are tried alone.
echo 'E: Failed to fetch http://archive/ no route' >refuses
expect 1 "$build python3 python3-venv
$build" build '?python' '?libraries'
told '*** set-up: NO NETWORK: apt-get cannot fetch http://archive/ no route ***' 2
told '*** set-up: NO PYTHON: ' 1
told 'set-up: NO PYTHON with venv' 1
told '*** set-up: NO LIBRARIES: ' 1
told '*** set-up: cannot go on without: gcc' 1
# A full disk is not reported as a missing network.
echo 'E: Failed to fetch http://archive/ Error writing to file - write (28: No space left on device)' >refuses
expect 1 "$build" build
told '*** set-up: DISK FULL: apt-get cannot fetch http://archive/ Error writing' 1
told 'NO NETWORK' 0
# Without a name, make-env asks for one.
got=0
env -i PATH="$tree/bin" .ci/make-env.sh '' >said 2>&1 || got=$?
[ $got = 2 ] || { echo "make-env without a name: exit code $got, expected 2"; failed=1; }
told 'usage: make env NAME=..., of: bigendian current fuzz' 1
# A user without permission to install gets one message, with the command to type.
printf '#!/bin/bash\necho 1\n' >bin/id
expect 1 '' build '?python'
told "you are not root, and there is no sudo; as root: apt-get update && apt-get install $build python3 python3-venv" 1
told '*** set-up: missing: ' 1
exit $failed
