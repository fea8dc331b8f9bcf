"""Parts of a loop for numba: a function for one part, and one that threads call it in."""

from __future__ import annotations

from collections.abc import Iterator

from ..loop_ir.ir import Kernel, Parts, walk
from ..loop_ir.storage import taken

__all__ = ["COUNTED", "THREADS", "call", "drivers", "is_shared"]

THREADS = "rg_threads"  # a parameter of the kernel: how many there are
COUNTED = "from retrograd.compiler.native.thread_count import numba_threads\n"


def is_shared(kernel: Kernel) -> bool:
    """True if a kernel has loops for several threads."""
    return any(isinstance(s, Parts) for s in walk(kernel.body))


def given(stmt: Parts, lines: list[str]) -> str:
    """The arguments of the functions."""
    overflow = any("rg_imul(" in line for line in lines)
    return ", ".join([*taken(stmt), *(["overflow"] if overflow else [])])


def call(stmt: Parts, lines: list[str]) -> Iterator[str]:
    """Run all parts; one that was left leaves the kernel."""
    yield f"if in_parts_{stmt.var.name}({THREADS}, {given(stmt, lines)}) != 0:"
    yield "    return nothing()"


def drivers(stmt: Parts, lines: list[str], count: str, options: str) -> str:
    """The functions of one loop; ``lines``: the body of a part, which returns 1 if it is left.

    Only the loop over the threads is compiled for them; nothing else is to be changed by that.
    """
    name, names = stmt.var.name, given(stmt, lines)
    body = "\n".join(f"    {line}" for line in lines)
    return f"""
@numba.njit({options})
def one_{name}({name}, {names}):
{body}
    return 0


@numba.njit({options}, parallel=True)
def in_parts_{name}({THREADS}, {names}):
    rg_left = 0
    if {THREADS} == 1:
        for {name} in range({count}):
            rg_left += one_{name}({name}, {names})
    else:
        for rg_thread in numba.prange({THREADS}):
            for {name} in range(rg_thread, {count}, {THREADS}):
                rg_left += one_{name}({name}, {names})
    return rg_left
"""
