"""An interpreter with a faulty library, for the tests of planted defects. A fault is code in a sitecustomize.py."""

import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NDPROOF = ROOT / "build/ndproof"
CURRENT = ROOT / "build/env/current/bin/python"
PYTHON = CURRENT if CURRENT.exists() else ROOT / "build/venv/bin/python"
# Without this option, ndproof starts numba, which takes seconds.
NUMPY = ("--target", "numpy")


def run(*words):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=300, cwd=ROOT)


@pytest.fixture
def broken(tmp_path):
    """Returns a function that makes an interpreter with a faulty library."""

    def make(fault):
        # numba takes seconds to start and is not needed.
        (tmp_path / "sitecustomize.py").write_text("import os, sys\nsys.modules['numba'] = None\n" + fault)
        path = tmp_path / "python"
        path.write_text('#!/bin/sh\nPYTHONPATH="%s" exec "%s" "$@"\n' % (tmp_path, PYTHON))
        path.chmod(0o755)
        return path

    return make
