"""The host's C++ compiler: a source becomes a library, once in a run of the tests."""

from __future__ import annotations

import atexit
import ctypes
import functools
import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

from ..functions.calls import NotOnHost

__all__ = ["compiler", "library"]

HEADER = Path(__file__).with_name("cuda_on_host.hpp")
FLAGS = (
    "-std=gnu++17",
    "-O3",
    "-march=native",
    "-ffp-contract=fast",
    "-fno-math-errno",
    "-shared",
    "-fPIC",
    "-w",
)
REFUSED = ("__syncthreads", "__shared__", "__shfl", "__syncwarp", "__ballot", "cooperative_groups")


@functools.cache
def folder() -> Path:
    """A folder of the process, which goes with it."""
    made = Path(tempfile.mkdtemp(prefix="strict-cupy-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def compiler() -> str | None:
    return next(
        (found for name in ("g++", "c++", "clang++") if (found := shutil.which(name))), None
    )


@functools.cache
def library(source: str) -> ctypes.CDLL:
    """Compiled; what needs threads that run beside each other is refused."""
    for word in REFUSED:
        if word in source:
            raise NotOnHost(f"{word}: on the host the threads of a block run one after the other")
    command = compiler()
    if command is None:
        raise NotOnHost("kernels of the double need a C++ compiler")
    before = "#define WITH_COMPLEX\n" if "complex" in source else ""
    name = folder() / hashlib.sha256(f"{FLAGS}{source}".encode()).hexdigest()[:24]
    name.with_suffix(".cpp").write_text(f'{before}#include "{HEADER}"\n{source}', encoding="utf-8")
    target = name.with_suffix(".so")
    done = subprocess.run(
        [command, *FLAGS, "-o", str(target), str(name.with_suffix(".cpp"))],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CompileException(done.stderr, source)
    return ctypes.CDLL(str(target))


class CompileException(Exception):
    """The compiler refused the kernel."""

    def __init__(self, message: str, source: str) -> None:
        super().__init__(f"{message}\n{source}")
        self.source = source
