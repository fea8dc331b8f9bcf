"""The system's C compiler: found once, its products kept beside the generated modules.

A shared library is named by its source, the compiler, its flags and the processor; `shelf` keeps
it, so that two processes may build it at once.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import itertools
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from retrograd.runtime.errors import BackendUnavailable, CacheError

from ...cache.entries import LIBRARIES, folder
from ...driver.progress import progress
from . import library_cache

__all__ = ["FLAGS", "OWN", "compiler", "library_of", "options", "spared"]

FLAGS = (
    "-std=gnu11", "-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno",
    "-fno-trapping-math", "-fwrapv", "-fopenmp-simd", "-fPIC", "-shared", "-w",
)  # fmt: skip
LONG, LONGEST = (
    400,
    1200,
)  # lines of a kernel that takes a compiler long, and of one that takes it too long
OF_GCC = (
    "-fira-region=one",
    "-fno-tree-ccp",
    "-fno-tree-dominator-opts",
)  # others may not know them
OWN = "/* The functions of this kernel. */"
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
    """The meaning of ``-march=native`` here: the first processor's line of what it can do."""
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


def options(text: str) -> tuple[str, ...]:
    """Options for the C of a kernel."""
    return (*sound(text), *spared(text))


def sound(text: str) -> tuple[str, ...]:
    """Statements of complex numbers are not put together to vectors: gcc 12 makes wrong ones of 64 bytes of them."""
    _, _, own = text.partition(OWN)
    return ("-fno-tree-slp-vectorize",) if "complex" in own else ()


def spared(text: str) -> tuple[str, ...]:
    """Less is done to a long kernel, whose loops say themselves what may be a vector.

    Inline functions want more of it, unless there is too much.
    """
    lines = text[text.rfind("\nrg_object *rg_entry(") :].count("\n")
    if lines < LONG:
        return ()
    if "always_inline" in text and lines < LONGEST:
        return ("-fno-gcse-after-reload", "-fno-schedule-insns2")
    return ("-O1", "-ftree-vectorize", *OF_GCC)


def library_of(text: str, trial: bool = False, flags: Sequence[str] = ()) -> ctypes.CDLL:
    """The shared library of a C text, built if it is not there as it should be."""
    digest = hashlib.sha256(f"{text}{stamp()}{flags}".encode()).hexdigest()[:24]
    name = f"k_{digest}.so"
    try:
        home = folder()
        found = known(home, name)
        if found is not None:
            return found
        return built(home, name, text, trial, flags)
    except CacheError:
        raise
    except OSError:  # the cache cannot be written to: the library lives as long as this process
        home = Path(temporary())
        found = known(home, name)
        return built(home, name, text, trial, flags) if found is None else found


def known(home: Path, name: str) -> ctypes.CDLL | None:
    """A library that is kept in a cache."""
    try:
        return library_cache.loaded(home / LIBRARIES, name)
    except CacheError:
        raise
    except OSError as error:  # a folder from which nothing may run, or what is no library
        what = f"the compiled {home / LIBRARIES / name} cannot be loaded: {error}"
        raise BackendUnavailable(what, fix=PUT_OFF) from None


def built(home: Path, name: str, text: str, trial: bool, flags: Sequence[str]) -> ctypes.CDLL:
    """The library of a text, compiled and kept in a cache."""
    with library_cache.workshop(home) as work:
        source, product = work / f"{name[:-3]}.c", work / "built.so"
        source.write_text(text, encoding="utf-8")
        build(str(source), str(product), trial, flags)
        library_cache.keep(home / LIBRARIES, name, product.read_bytes(), text)
    found = known(home, name)
    if found is None:
        raise OSError(f"{name} is not there as it was written")
    return found


def works() -> bool:
    """True if the compiler compiles anything: if so, a failure is a mistake of ours."""
    import tempfile  # see ``ran``

    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "trial.c")
        with open(source, "w") as file:
            file.write("#include <math.h>\nint rg_trial(void) { return 0; }\n")
        try:
            build(source, os.path.join(folder, "trial.so"), trial=True)
        except BackendUnavailable:
            return False
    return True


def build(source: str, product: str, trial: bool = False, flags: Sequence[str] = ()) -> None:
    """Run the compiler."""
    command = [*compiler(), *FLAGS, *flags, source, "-o", product, "-lm"]
    try:
        with progress(f"compiling C with {os.path.basename(command[0])}"):
            code, said = ran(command, {**os.environ, "TMPDIR": os.path.dirname(product)})
        failed = code != 0 or not os.path.exists(product)
    except OSError as error:
        said, failed = str(error), True
    if failed and set(OF_GCC) & set(flags):
        return build(source, product, trial, [flag for flag in flags if flag not in OF_GCC])
    if failed and not trial and works():
        raise ValueError(f"the generated C does not compile: {said}")
    if failed:
        why = f": {said}" if said else ""
        raise BackendUnavailable(f"{command[0]} does not compile the generated C{why}", fix=PUT_OFF)


def ran(command: Sequence[str], variables: dict[str, str]) -> tuple[int, str]:
    """Run a command: its exit status, and what it complains of.  It does not outlive an interrupt."""
    import subprocess  # like tempfile and shutil below, for builds alone: loading is fast without

    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", env=variables
    ) as process:  # fmt: skip
        try:
            said = process.communicate()[1]
        except BaseException:
            process.kill()
            raise
    return process.returncode, said.strip()[:400]


@functools.cache
def temporary() -> str:
    import atexit  # see ``ran``
    import shutil
    import tempfile

    made = tempfile.mkdtemp(prefix="retrograd_")
    atexit.register(shutil.rmtree, made, True)
    return made
