#!/bin/bash
# Builds and checks the fuzz targets as OSS-Fuzz does: runs the build script with OSS-Fuzz's variables in an empty folder,
# then checks every binary: four runs with a fixed seed, at least 100 edges, a seed corpus without findings, and calls of
# the requested sanitizer only. The coverage build must write profiles of the seed corpus. If AFL++ is installed, each
# target must also start under AFL++ and reach 100 edges with its seed corpus.
# usage: oss-fuzz.sh
set -u
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Flags of the build image.
sanitizer_flags() {
    local checks=array-bounds,bool,builtin,enum,function,integer-divide-by-zero,null,object-size,return
    checks+=,returns-nonnull-attribute,shift,signed-integer-overflow,unreachable,vla-bound,vptr
    case $1 in
    address) echo -fsanitize=address -fsanitize-address-use-after-scope ;;
    undefined) echo "-fsanitize=$checks,unsigned-integer-overflow -fno-sanitize-recover=$checks" ;;
    coverage) echo -fprofile-instr-generate -fcoverage-mapping -pthread -Wl,--no-as-needed -Wl,-ldl -Wl,-lm ;;
    esac
}

# build ENGINE SANITIZER CC CXX LIBRARY FLAGS: into $work/ENGINE-SANITIZER/out, as the build image does.
build() {
    local engine=$1 sanitizer=$2 cc=$3 cxx=$4 library=$5 place=$work/$1-$2 flags
    flags="-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION $(sanitizer_flags "$sanitizer") $6"
    mkdir -p "$place"/src/ndproof "$place"/out "$place"/work
    git ls-files -z | tar --null -T - -cf - 2>/dev/null | tar -xf - -C "$place/src/ndproof"
    env -i PATH="$PATH" HOME="$place" SRC="$place/src" OUT="$place/out" WORK="$place/work" CC="$cc" CXX="$cxx" CFLAGS="$flags" CXXFLAGS="$flags" \
        LIB_FUZZING_ENGINE="$library" SANITIZER="$sanitizer" FUZZING_ENGINE="$engine" ARCHITECTURE=x86_64 FUZZING_LANGUAGE=c \
        bash -eux "$place/src/ndproof/.clusterfuzzlite/build.sh" >"$place/build.log" 2>&1 && return
    tail -n 30 "$place/build.log"
    echo "build.sh fails for $engine, $sanitizer"
    return 1
}
passed=0 failed=0
# The image must have the libraries that set-up installs.
for package in $(sed -n 's/^ *has_header .* || echo //p' .ci/setup.sh | grep -v cmocka); do
    grep -qw -e "$package" .clusterfuzzlite/Dockerfile || { echo "Dockerfile: $package is missing"; failed=$((failed + 1)); }
done

# calls NAME KIND: counts the calls of a sanitizer's functions.
calls() { objdump -d "$out/$1" | grep -cE "call.*<__$2"; }
# sanitized NAME: checks for calls of the requested sanitizer; others may be called by its library only.
sanitized() {
    local asan ubsan
    asan=$(calls "$1" asan) ubsan=$(calls "$1" ubsan)
    case $sanitizer in
    address) [ "$asan" -ge 1000 ] && [ "$ubsan" -le 200 ] ;;
    undefined) [ "$asan" -eq 0 ] && [ "$ubsan" -ge 168 ] ;;
    esac && return
    echo "$1: found $asan calls of ASan and $ubsan of UBSan, which does not fit a build for $sanitizer"
    return 1
}
check() {
    local name=$1 log=$work/$1.log edges covered code
    sanitized "$name" || return 1
    rm -rf "$work/alone" && mkdir -p "$work/alone/seeds"
    cp -r "$out/lib" "$out/$name" "$work/alone/"
    cd "$work/alone" || return 1
    env -i PATH=/usr/bin:/bin ASAN_OPTIONS=abort_on_error=1 UBSAN_OPTIONS=silence_unsigned_overflow=1 timeout 120 "./$name" -runs=4 -seed=1337 -len_control=0 >"$log" 2>&1
    code=$?
    [ $code -eq 0 ] || { echo "$name: expected exit code 0 of four runs, got $code"; return 1; }
    edges=$(sed -nE 's/.*Loaded [0-9]+ modules +\(([0-9]+) .*/\1/p' "$log" | head -n 1)
    [ "${edges:-0}" -ge 100 ] || { echo "$name: expected at least 100 edges, got ${edges:-0}"; return 1; }
    python3 -m zipfile -e "$out/${name}_seed_corpus.zip" seeds || { echo "$name: no seed corpus"; return 1; }
    env -i PATH=/usr/bin:/bin UBSAN_OPTIONS=silence_unsigned_overflow=1 timeout 300 "./$name" -runs=0 -len_control=0 seeds >"$log" 2>&1
    code=$?
    [ $code -eq 0 ] || { echo "$name: expected exit code 0 for the seed corpus, got $code"; grep -aE 'ERROR|Assertion|SUMMARY' "$log" | head -n 3; return 1; }
    covered=$(grep -aoE 'cov: [0-9]+' "$log" | tail -n 1 | cut -d' ' -f2)
    [ "${covered:-0}" -ge 100 ] || { echo "$name: expected at least 100 edges with the seed corpus, got ${covered:-0}"; return 1; }
    [ -s "$out/$name.options" ] || { echo "$name: no options"; return 1; }
    echo "$name for $sanitizer: $covered of $edges edges by $(find seeds -type f | wc -l) seeds"
}
check_afl() {
    local name=$1 edges
    rm -rf "$work/alone" && mkdir -p "$work/alone/seeds"
    cp -r "$out/lib" "$out/$name" "$work/alone/"
    cd "$work/alone" || return 1
    python3 -m zipfile -e "$out/${name}_seed_corpus.zip" seeds || { echo "$name for AFL++: no seed corpus"; return 1; }
    AFL_MAP_SIZE=262144 ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0 \
        timeout 300 afl-showmap -C -q -m none -t 20000 -i seeds -o map -- "./$name" >log 2>&1
    edges=$(wc -l 2>/dev/null <map)
    [ "${edges:-0}" -ge 100 ] || { echo "$name for AFL++: expected at least 100 edges, got ${edges:-0}"; tail -n 3 log; return 1; }
    echo "$name for AFL++: $edges edges by $(find seeds -type f | wc -l) seeds"
}
# Measures coverage as OSS-Fuzz's script does: by a merge, which survives crashing inputs, into an empty folder.
check_coverage() {
    local name=$1 code
    rm -rf "$work/alone" && mkdir -p "$work/alone/seeds" "$work/alone/merged"
    cp -r "$out/lib" "$out/$name" "$work/alone/"
    cd "$work/alone" || return 1
    python3 -m zipfile -e "$out/${name}_seed_corpus.zip" seeds || { echo "$name for coverage: no seed corpus"; return 1; }
    env -i PATH=/usr/bin:/bin LLVM_PROFILE_FILE="$name.%1m.profraw" timeout 600 "./$name" -merge=1 -timeout=100 merged seeds >log 2>&1
    code=$?
    [ $code -eq 0 ] && ! grep -q 'ERROR: libFuzzer' log || { echo "$name for coverage: expected exit code 0 of the merge, got $code"; tail -n 3 log; return 1; }
    [ -s "$(ls "$name".*.profraw | head -n 1)" ] || { echo "$name for coverage: no profile"; return 1; }
    echo "$name for coverage: a profile of $(find seeds -type f | wc -l) seeds"
}

# targets: prints the names of the built targets.
targets() { find "$out" -maxdepth 1 -type f -name 'fuzz_*' ! -name '*.*' ! -name '*_seed_corpus*' -printf '%f\n' | sort; }
# run CHECK: runs a check for every target.
run() {
    for name in $(targets); do
        if ("$1" "$name"); then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done
}
for sanitizer in address undefined coverage; do
    instrument=-fsanitize=fuzzer-no-link check=check
    [ $sanitizer != coverage ] || instrument='' check=check_coverage
    build libfuzzer $sanitizer clang clang++ -fsanitize=fuzzer "$instrument" || { failed=$((failed + 1)); continue; }
    out=$work/libfuzzer-$sanitizer/out
    run $check
done
if SANITIZER=memory OUT=$work/no CC=clang CXX=clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer .clusterfuzzlite/build.sh >/dev/null 2>&1; then
    echo 'build.sh: expected an error for an unsupported sanitizer, got success'
    failed=$((failed + 1))
fi
driver=$(find /usr/lib/afl /usr/local/lib/afl -name libAFLDriver.a 2>/dev/null | head -n 1)
if [ -z "$driver" ]; then
    echo 'NOT RUN  AFL++: libAFLDriver.a is not installed'
elif build afl address afl-clang-fast afl-clang-fast++ "$driver" ''; then
    out=$work/afl-address/out
    run check_afl
else
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
