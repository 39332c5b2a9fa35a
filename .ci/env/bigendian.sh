#!/bin/bash
# Makes build/env/bigendian, an emulated big-endian host. Debian's s390x packages of Python, NumPy, joblib, cloudpickle
# and what they need are downloaded with a separate apt (its own architecture and state; nothing is installed),
# unpacked under build/, and run by qemu-user-static. bin/python3 there is the interpreter,
# bin/ndproof the C reference once it is built (make env builds it), bin/run runs any s390x program in that root.
# DEBIAN_ARCHIVE and DEBIAN_SUITE name the archive where this machine has none configured (Ubuntu).
set -eu
cd "$(dirname "$0")/../.."
env=$PWD/build/env/bigendian
stamp=$env/.made-from
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
packages=(python3-numpy python3-joblib python3-cloudpickle python3-dill python3-multiprocess python3-lz4 libcjson-dev libcmocka-dev
    libzip-dev zlib1g-dev libbz2-dev liblzma-dev liblz4-dev)
say() { printf 'set-up: %s\n' "$*" >&2; }
give_up() { printf '\n*** set-up: NO BIG-ENDIAN HOST: %s ***\n\n' "$*" >&2; exit 1; }

wanted=$(cksum <"$0")
[ -x "$env/bin/python3" ] && [ "$wanted" = "$(cat "$stamp" 2>/dev/null)" ] && exit

.ci/setup.sh emulator || give_up 'qemu-user-static or gcc-s390x-linux-gnu is missing'
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || give_up 'there is no apt-get to fetch s390x packages with'
[ -r $keyring ] || give_up "there is no $keyring (package debian-archive-keyring)"

# Uses the Debian archives of this machine, so that mirrors are respected.
archives() {
    if [ -n "${DEBIAN_ARCHIVE:-}" ]; then
        echo "deb [signed-by=$keyring] $DEBIAN_ARCHIVE ${DEBIAN_SUITE:-bookworm} main"
    else
        apt-get indextargets --format "deb [signed-by=$keyring] \$(REPO_URI) \$(RELEASE) main" \
            'Created-By: Packages' 'Origin: Debian' 'Component: main' 2>/dev/null | sort -u
    fi
}

say "making a big-endian host in build/env/bigendian (s390x; 40 MB to download, 200 MB on disk)"
rm -rf "$env"
mkdir -p "$env"/{bin,root,apt/lists/partial,apt/archives/partial}
log=$env/log
archives >"$env/apt/sources.list"
[ -s "$env/apt/sources.list" ] || give_up "no archive of Debian is configured here; DEBIAN_ARCHIVE=http://... names one"
: >"$env/apt/status"
cat >"$env/apt/apt.conf" <<CONF
APT::Architecture "s390x";
APT::Architectures { "s390x"; };
APT::Install-Recommends "false";
Acquire::Retries "1";
Acquire::http::Timeout "20";
Dir::State "$env/apt";
Dir::State::status "$env/apt/status";
Dir::Cache "$env/apt";
Dir::Etc::SourceList "$env/apt/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
Debug::NoLocking "true";
APT::Sandbox::User "";
CONF
{
    APT_CONFIG=$env/apt/apt.conf apt-get update &&
        APT_CONFIG=$env/apt/apt.conf apt-get install -y --download-only "${packages[@]}"
} >"$log" 2>&1 || { tail -n 3 "$log" >&2; give_up "the s390x packages cannot be downloaded (all of it: $log)"; }

for package in "$env"/apt/archives/*.deb; do dpkg-deb -x "$package" "$env/root"; done
# Installed systems have /bin, /sbin and /lib as links into /usr.
for folder in bin sbin lib; do
    if [ -d "$env/root/$folder" ] && [ ! -L "$env/root/$folder" ]; then
        mkdir -p "$env/root/usr/$folder"
        cp -a "$env/root/$folder/." "$env/root/usr/$folder/"
        rm -rf "${env:?}/root/$folder"
    fi
    ln -sfn "usr/$folder" "$env/root/$folder"
done
# Absolute links must start at this root, because programs are built against it.
find "$env/root" -lname '/*' -print0 | while IFS= read -r -d '' link; do
    ln -sfn "$env/root$(readlink "$link")" "$link"
done
# Links BLAS and LAPACK as update-alternatives would.
for library in blas lapack; do
    ln -sf "$library/lib$library.so.3" "$env/root/usr/lib/s390x-linux-gnu/lib$library.so.3"
done
# The emulator looks for files that are missing in the root on this machine; these must not be found.
mkdir -p "$env"/root/usr/local/lib/python3.{11,12,13}/dist-packages
rm -rf "$env/apt"

qemu=$(command -v qemu-s390x-static)
python=$(cd "$env/root/usr/bin" && ls python3.[0-9]* | grep -xE 'python3\.[0-9]+' | head -n 1)
cat >"$env/bin/run" <<RUN
#!/bin/sh
# Runs an s390x program: run PROGRAM ARGUMENT...
exec $(printf %q "$qemu") -L $(printf %q "$env/root") "\$@"
RUN
# sys.executable is the wrapper, so that workers and other children run under the emulator, too. Compiled files are kept
# outside the root, because the emulator would write new files to this machine. NDPROOF_PATIENCE extends deadlines,
# because emulation is slow.
cat >"$env/bin/python3" <<PYTHON
#!/bin/sh
export PYTHONPYCACHEPREFIX=$(printf %q "$env/pycache") PYTHONNOUSERSITE=1 NDPROOF_PATIENCE="\${NDPROOF_PATIENCE:-5}"
exec $(printf %q "$qemu") -L $(printf %q "$env/root") -0 "\$0" $(printf %q "$env/root/usr/bin/$python") "\$@"
PYTHON
cat >"$env/bin/ndproof" <<NDPROOF
#!/bin/sh
exec $(printf %q "$qemu") -L $(printf %q "$env/root") $(printf %q "$PWD/build/s390x/ndproof") "\$@"
NDPROOF
chmod +x "$env/bin/run" "$env/bin/python3" "$env/bin/ndproof"
env -u PYTHONDONTWRITEBYTECODE "$env/bin/python3" -c 'if True:
    import sys, numpy, joblib, cloudpickle, dill, lz4.frame, multiprocess.pool, multiprocessing.pool
    assert sys.byteorder == "big" and numpy.array([1.0]).tobytes()[:2] == b"\x3f\xf0"
    print("numpy", numpy.__version__, "joblib", joblib.__version__)' >>"$log" 2>&1 ||
    { tail -n 3 "$log" >&2; rm -rf "$env/bin"; give_up "Python does not run under the emulator (all of it: $log)"; }
echo "$wanted" >"$stamp"
