"""Functions that call themselves, as functions of a kernel's C file, and how memory is given back."""

from __future__ import annotations

from collections.abc import Iterator

from ..loop_ir.ir import Alloc, Kernel, walk
from ..loop_ir.storage import TYPES, elements, on_stack, rooms
from .printer import STORED, body_text
from .recursion import FRAMES

__all__ = ["given_back", "recursive_functions"]


def recursive_functions(kernel: Kernel) -> Iterator[str]:
    """The functions of a kernel that call themselves."""
    if not kernel.functions:
        return
    yield from (
        FRAMES,
        "#define rg_fuel (rg->fuel)",
        "#define rg_state (*rg->state)",
        "#define RG_FRAME rg",
    )
    made = [(function, body_text(function)) for function in kernel.functions]
    yield from (f"{head_of(function)};" for function, _ in made)
    for function, body in made:
        yield from (head_of(function), "{")
        n = max(len(rooms(function)), 1)
        yield f"    void *room[{n}] = {{0}};"
        yield f"    size_t cap[{n}] = {{0}};"
        yield "    int overflow = 0, left = 1;"
        yield f"    if (++rg->depth > {deepest(function)}) goto bail;"
        yield "    RG_POLL(1, 16);"
        yield from body
        yield from ("    goto bail;", "bail:", "    --rg->depth;")
        yield from given_back(function)
        yield from ("    return left;", "}", "")
    yield from (
        "#undef rg_fuel",
        "#undef rg_state",
        "#undef RG_FRAME",
        "#define RG_FRAME &rg_frame",
    )


def head_of(function: Kernel) -> str:
    numbers, arrays = (side.values for side in function.params)
    sizes = [n.terms[0][0] for view in arrays for n in view.dims]
    given = [f"{TYPES[v.dtype]} {v.name}" for v in [*(n.expr for n in numbers), *sizes]]
    given += [f"const {STORED[v.dtype]} *{v.buffer.name}" for v in arrays]
    return f"static int {function.name}({', '.join(['rg_frame_t *rg', 'int64_t *rg_out', 'double *rg_floats', *given])})"


def deepest(function: Kernel) -> int:
    """How often a function may stand on the stack: no more often than in Python, in a part of a small one."""
    own = sum(
        8 * (elements(s.buffer) or 0)
        for s in walk(function.body)
        if isinstance(s, Alloc) and on_stack(s.buffer)
    )
    return max(16, min(950, 3 * 2**20 // (1024 + 80 * len(rooms(function)) + own)))


def given_back(kernel: Kernel) -> list[str]:
    """The end of all memory."""
    found = rooms(kernel)
    results = [b.room for b in found if b.role == "result"]
    lines = [f"    if (made[{k}]) Py_DecRef(made[{k}]);" for k in results]
    if len(results) < len(found):
        lines.append(f"    for (int k = 0; k < {len(found)}; k++) rg_drop(room[k], cap[k]);")
    return lines
