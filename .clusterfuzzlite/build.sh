#!/bin/bash
# Builds the fuzz targets for OSS-Fuzz and ClusterFuzzLite: $CC and $CXX with $CFLAGS and $CXXFLAGS, linked with
# $LIB_FUZZING_ENGINE (engine `none`: for plain replay), into $OUT, each with its seed corpus, dictionary and options, and
# with the libraries that a runner may lack. Targets that need a testee are left out. A broken promise ends the process,
# because ClusterFuzz detects crashes only.
set -eu
cd "$(dirname "$(readlink -f "$0")")"
[ -f Makefile ] || cd .. # beside the tree, or in .clusterfuzzlite/
[ -f Makefile ] || cd "${SRC:?}/ndproof"
: "${OUT:?}" "${CC:?}" "${CXX:?}" "${LIB_FUZZING_ENGINE:?}"

refuse() { printf '\n*** build.sh: %s ***\n\n' "$*" >&2; exit 1; }
case "${SANITIZER:-address} ${ARCHITECTURE:-x86_64}" in
memory* | dataflow* | thread* | hwaddress*)
    refuse "no sanitizer '$SANITIZER': libraries are linked as the distribution built them, and it would blame what they write" ;;
*i386) refuse 'no i386: the image has the libraries for its own architecture only' ;;
esac

targets=()
for source in fuzzers/fuzz_*.c; do
    name=$(basename "$source" .c)
    case $name in fuzz_*_numpy | fuzz_*_joblib | fuzz_*_cloudpickle | fuzz_*_dill | fuzz_*_numba) ;; *) targets+=("$name") ;; esac
done
CPPFLAGS="${CPPFLAGS:-} -DNDP_FUZZ_STOPS" make -s -j"$(nproc)" WERROR= "${targets[@]/#/build/oss/fuzzers/}"

mkdir -p "$OUT/lib"
archive() { # archive FILE FOLDER
    rm -f "$1"
    if command -v zip >/dev/null; then (cd "$2" && zip -q -r "$1" .); else python3 -m zipfile -c "$1" "$2"/*; fi
}
for name in "${targets[@]}"; do
    cp "build/oss/fuzzers/$name" "$OUT/$name"
    # All libraries except the C library and the compiler's.
    ldd "$OUT/$name" | awk '$3 ~ "^/" {print $3}' | grep -vE '/(libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+|libresolv)\.so' |
        while read -r library; do cp -Ln "$library" "$OUT/lib/" || true; done
    .ci/fuzz.py seeds "$name" "build/oss/seeds-$name"
    archive "$OUT/${name}_seed_corpus.zip" "$PWD/build/oss/seeds-$name"
    dictionary=$(.ci/fuzz.py dictionary "$name")
    [ -z "$dictionary" ] || cp "$dictionary" "$OUT/$name.dict"
    printf '[libfuzzer]\nmax_len = 16384\nlen_control = 0\ntimeout = 25\n' >"$OUT/$name.options"
    [ -z "$dictionary" ] || printf 'dict = %s.dict\n' "$name" >>"$OUT/$name.options"
done
