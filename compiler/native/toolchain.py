"""The system's C compiler: found once, its products kept beside the generated modules.

A shared library is named by its source, the compiler, its flags and the processor, written under
another name and moved into its place, so that two processes may build it at once.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import itertools
import os
import platform
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.runtime.errors import BackendUnavailable

from ..cache import folder
from ..progress import progress
from . import service, threads

__all__ = ["FLAGS", "compiler", "entry_of"]

FLAGS = (
    "-std=gnu11", "-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno",
    "-fno-trapping-math", "-fwrapv", "-fopenmp-simd", "-fPIC", "-shared", "-w",
)  # fmt: skip
PUT_OFF = "write backend='numpy', which needs no compiler"


@functools.cache
def compiler() -> tuple[str, ...]:
    """The C compiler: ``$CC`` with its options, or the first of cc, gcc, clang."""
    given = os.environ.get("CC", "").split()
    for name in given[:1] or ["cc", "gcc", "clang"]:
        found = on_path(name)
        if found is not None:
            return (found, *given[1:])
    what = (
        f"$CC is {given[0]!r}, which is not there"
        if given
        else "no cc, gcc or clang is on the PATH"
    )
    raise BackendUnavailable(f'backend="c" needs a C compiler, and {what}', fix=PUT_OFF)


def on_path(name: str) -> str | None:
    """``shutil.which``, whose import takes longer than all of a kernel's loading."""
    if os.name != "posix":
        import shutil

        return shutil.which(name)
    folders = [""] if "/" in name else os.environ.get("PATH", os.defpath).split(os.pathsep)
    places = (os.path.join(folder, name) for folder in folders)
    return next((p for p in places if os.path.isfile(p) and os.access(p, os.X_OK)), None)


@functools.cache
def processor() -> str:
    """What ``-march=native`` stands for here: the first processor's line of what it can do."""
    try:
        with open("/proc/cpuinfo") as lines:
            wanted = ("model name", "flags", "Features")
            first = itertools.takewhile(str.strip, lines)
            return "".join(sorted({line for line in first if line.startswith(wanted)}))
    except OSError:
        return platform.processor() + platform.machine()


@functools.cache
def stamp() -> str:
    """The compiler as it is now."""
    path = os.path.realpath(compiler()[0])
    return f"{path} {compiler()[1:]} {os.stat(path).st_mtime_ns} {FLAGS} {processor()} {sys.version_info[:2]}"


def library_of(text: str, trial: bool = False, flags: Sequence[str] = ()) -> str:
    """The path of the shared library of a C text, built if it is not there."""
    digest = hashlib.sha256(f"{text}{stamp()}".encode()).hexdigest()[:24]
    place = os.path.join(folder(), "native")
    path = os.path.join(place, f"k_{digest}.so")
    if os.path.exists(path):
        return path
    try:
        os.makedirs(place, exist_ok=True)
        import tempfile

        work = tempfile.mkdtemp(dir=place)
    except OSError:  # the cache cannot be written to: the library lives as long as this process
        work = temporary()
        path = os.path.join(work, f"k_{digest}.so")
        if os.path.exists(path):
            return path
        place = work
    source = os.path.join(work, f"k_{digest}.c")
    built = os.path.join(work, "built.so")
    with open(source, "w") as file:
        file.write(text)
    try:
        build(source, built, trial, flags)
        os.replace(source, path[:-2] + "c")
        os.replace(built, path)
    finally:
        if work != place:
            import shutil

            shutil.rmtree(work, ignore_errors=True)
    return path


def works() -> bool:
    """Whether the compiler compiles anything: if so, a failure is a mistake of ours."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "trial.c")
        with open(source, "w") as file:
            file.write("#include <math.h>\nint rg_trial(void) { return 0; }\n")
        try:
            build(source, os.path.join(folder, "trial.so"), trial=True)
        except BackendUnavailable:
            return False
    return True


def build(source: str, built: str, trial: bool = False, flags: Sequence[str] = ()) -> None:
    """Run the compiler."""
    command = [*compiler(), *FLAGS, *flags, source, "-o", built, "-lm"]
    try:
        with progress(f"compiling C with {os.path.basename(command[0])}"):
            import subprocess

            done = subprocess.run(command, capture_output=True, text=True, check=False)
        said = done.stderr.strip()[:400]
        failed = done.returncode != 0 or not os.path.exists(built)
    except OSError as error:
        said, failed = str(error), True
    if failed and not trial and works():
        raise ValueError(f"the generated C does not compile: {said}")
    if failed:
        why = f": {said}" if said else ""
        raise BackendUnavailable(f"{command[0]} does not compile the generated C{why}", fix=PUT_OFF)


@functools.cache
def temporary() -> str:
    import atexit
    import shutil
    import tempfile

    made = tempfile.mkdtemp(prefix="retrograd_")
    atexit.register(shutil.rmtree, made, True)
    return made


# -- loading ------------------------------------------------------------------------------


class Method(ctypes.Structure):
    """``PyMethodDef``."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


FASTCALL = 0x80
LOADED: list[Any] = []  # what must live as long as the functions


def entry_of(
    text: str, name: str, fallback: Callable[..., Any], captured: Sequence[Any] = ()
) -> Callable[..., Any]:
    """The entry of a kernel as a Python function; what it does not take goes to ``fallback``.

    ``captured``: the arrays that it gets besides its arguments.
    """
    path = library_of(text)
    try:
        library = ctypes.CDLL(path)
    except OSError as error:  # a folder from which nothing may run, or a broken file
        raise BackendUnavailable(
            f"the compiled {path} cannot be loaded: {error}", fix=PUT_OFF
        ) from None
    setup = library.rg_setup
    setup.argtypes = [ctypes.c_void_p] * 5
    setup.restype = None
    setup(numpy_table(), *products(), service.finder(), ctypes.addressof(threads.COUNT))
    address = ctypes.cast(library.rg_entry, ctypes.c_void_p).value
    method = Method(name.encode(), address, FASTCALL, None)
    LOADED.append((library, method))
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    make.restype = ctypes.py_object
    made: Callable[..., Any] = make(ctypes.addressof(method), (fallback, *captured), None)
    return made


@functools.cache
def numpy_table() -> int:
    """NumPy's table of functions."""
    core: Any = np._core._multiarray_umath  # type: ignore[attr-defined]
    take = ctypes.pythonapi.PyCapsule_GetPointer
    take.argtypes = [ctypes.py_object, ctypes.c_char_p]
    take.restype = ctypes.c_void_p
    return int(take(core._ARRAY_API, None))


@functools.cache
def products() -> tuple[int | None, int | None]:
    """The matrix products of the library that NumPy brought along; None where it is another one."""
    home = os.path.dirname(np.__file__)
    for place in (f"{home}.libs", f"{home}/.dylibs"):
        names = os.listdir(place) if os.path.isdir(place) else []
        for name in sorted(n for n in names if "openblas64" in n):
            try:
                blas = ctypes.CDLL(os.path.join(place, name))
                found = [getattr(blas, f"scipy_cblas_{k}gemm64_") for k in "ds"]
            except (OSError, AttributeError):
                continue
            double, single = (ctypes.cast(f, ctypes.c_void_p).value for f in found)
            return double, single
    return None, None


def head_size() -> int:
    """The size of the head of every Python object."""
    return object.__basicsize__
