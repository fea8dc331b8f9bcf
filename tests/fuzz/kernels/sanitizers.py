"""Kernels under the compiler's address and undefined-behaviour sanitizers.

Python itself is not built with them: their library is loaded before it, and Python's allocator and NumPy's
are told to call ``malloc`` for each block, so that the borders of arrays are guarded, too.
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
import tempfile
from pathlib import Path

__all__ = ["FLAGS", "environment", "findings", "guarded", "missing"]

FLAGS = (
    "-g", "-fsanitize=address,undefined,float-cast-overflow", "-fsanitize-recover=all",
    "-fno-omit-frame-pointer",
)  # fmt: skip

# What the shim gives is more than was asked for, so that little is reserved anew: here it is exact.
EXACT = {
    "size_t more = 2 * need + 16384;": "size_t more = need;",
    "if (RG_RARE(rg_need >= cap[k])) {": "if (RG_RARE(rg_need + 1 != cap[k])) {",
    "*room = rg_hold(size);": "*room = rg_hold(size - 1);",
    "return size < RG_LARGE || !rg_service() ? malloc(size + 64) : rg_service()->take(size);":
        "void *p = 0; return posix_memalign(&p, 64, size + !size) ? 0 : p;",
    "if (size < RG_LARGE || !rg_service()) free(room);\n    else rg_service()->give(room);": "free(room);",
    "void *made = moves ? rg_hold(more) : realloc(*room, more);": "void *made = rg_hold(more);",
    "if (moves || !*room) memcpy(made, p, *cap);\n    if (moves) rg_drop(*room, *cap);":
        "memcpy(made, p, *cap < more ? *cap : more); free(*room);",
}  # fmt: skip
REPORT = re.compile(r"ERROR: AddressSanitizer: |: runtime error: ")


def guarded(text: str) -> str:
    """The C of a kernel with memory of exactly the size it asks for."""
    if "rg_entry" not in text:
        return text
    for before, after in EXACT.items():
        if before not in text:
            raise LookupError(f"the C around a kernel has no line {before!r} any more")
        text = text.replace(before, after)
    return text


@functools.cache
def missing() -> str:
    """Why there are no sanitizers here; empty if there are."""
    from retrograd.compiler.native.c.toolchain import compiler
    from retrograd.runtime.errors import BackendUnavailable

    try:
        command = compiler()
    except BackendUnavailable as error:
        return str(error).splitlines()[0]
    if not library():
        return f"{os.path.basename(command[0])} has no shared library of its sanitizers"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "trial.c")
        source.write_text("int trial(int *a, int k) { return a[k]; }\n")
        made = [*command, *FLAGS, "-fPIC", "-shared", str(source), "-o", f"{folder}/trial.so"]
        if subprocess.run(made, capture_output=True).returncode:
            return f"{os.path.basename(command[0])} does not know {FLAGS[1]}"
    return ""


@functools.cache
def library() -> str:
    """The shared library of the sanitizers, which is loaded before Python."""
    from retrograd.compiler.native.c.toolchain import compiler

    for name in ("libasan.so", "libclang_rt.asan-x86_64.so", "libclang_rt.asan-aarch64.so"):
        asked = subprocess.run(
            [*compiler(), f"-print-file-name={name}"], capture_output=True, text=True
        )
        place = asked.stdout.strip()
        if os.path.isabs(place) and os.path.exists(place):
            return os.path.realpath(place)
    return ""


def environment() -> dict[str, str]:
    """What a process is told that runs such kernels."""
    return {
        "LD_PRELOAD": library(),
        "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=0:allocator_may_return_null=1:detect_odr_violation=0",
        "UBSAN_OPTIONS": "print_stacktrace=0:halt_on_error=0",
        "PYTHONMALLOC": "malloc",
    }


def findings(said: str, seen: int = 0) -> tuple[str, int]:
    """What was found since ``seen`` bytes of what a process says, and how many there are now."""
    with open(said, "rb") as file:
        file.seek(seen)
        data = file.read()
    lines = data.decode(errors="replace").splitlines()
    first = next((k for k, line in enumerate(lines) if REPORT.search(line)), None)
    told = "\n".join(lines[first : first + 14]) if first is not None else ""
    return told, seen + len(data)
