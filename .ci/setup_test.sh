#!/bin/bash
# Tests .ci/setup.sh on a machine that has nothing: only the commands that are named here, and an apt-get that notes what it
# is asked for, and installs nothing.
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
# The package clang is of some version, as the archive tells.
printf '#!/bin/bash\necho "  Depends: clang-99"\n' >bin/apt-cache
cat >bin/apt-get <<'END'
#!/bin/bash
[ "$1" = install ] || exit 0
for word; do case $word in install | -*) ;; *) echo "$word" ;; esac done | xargs >>asked
[ ! -e refuses ] || { cat refuses; exit 100; }
END
chmod +x bin/id bin/apt-cache bin/apt-get
failed=0

# expect CODE ASKED GROUP...: the set-up of groups ends so, after apt-get was called so, a line for each call. The Python
# asked for is none that could be found elsewhere.
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

build='gcc libc6-dev make libcjson-dev libzip-dev zlib1g-dev libbz2-dev liblzma-dev liblz4-dev'
expect 0 ''
expect 1 "$build" build
# What two groups need is asked for once, be it needed by both, wished by both, or by one each.
expect 1 "$build python3 python3-venv" build '?python' '?libraries'
expect 1 "$build python3 python3-venv" build python3 '?python'
expect 1 'clang libclang-rt-99-dev afl++' clang afl
expect 0 'python3 python3-venv' '?python'
# Where it fails, what must be there is tried by itself.
echo 'E: Failed to fetch http://archive/ no route' >refuses
expect 1 "$build python3 python3-venv
$build" build '?python' '?libraries'
# told WORDS TIMES: the set-up that ran last said so as often.
told() {
    local times
    times=$(grep -cF "$1" said) || true
    [ "$times" = "$2" ] || { printf 'said %s times, expected %s: %s\n' "$times" "$2" "$1"; cat said; failed=1; }
}
told '*** set-up: NO NETWORK: apt-get cannot fetch http://archive/ no route ***' 2
told '*** set-up: NO PYTHON: ' 1
told 'set-up: NO PYTHON with venv' 1
told '*** set-up: NO LIBRARIES: ' 1
told '*** set-up: cannot go on without: gcc' 1
# A full disk is no missing network.
echo 'E: Failed to fetch http://archive/ Error writing to file - write (28: No space left on device)' >refuses
expect 1 "$build" build
told '*** set-up: DISK FULL: apt-get cannot fetch http://archive/ Error writing' 1
told 'NO NETWORK' 0
# An environment that nobody named is asked for by its name.
got=0
env -i PATH="$tree/bin" .ci/make-env.sh '' >said 2>&1 || got=$?
[ $got = 2 ] || { echo "make-env without a name: exit code $got, expected 2"; failed=1; }
told 'usage: make env NAME=..., of: bigendian current fuzz' 1
# Nobody who may install: that is said once, with what to type.
printf '#!/bin/bash\necho 1\n' >bin/id
expect 1 '' build '?python'
told "you are not root, and there is no sudo; as root: apt-get update && apt-get install $build python3 python3-venv" 1
told '*** set-up: missing: ' 1
exit $failed
