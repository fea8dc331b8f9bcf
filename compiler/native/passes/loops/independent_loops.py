"""Which loops have iterations that do not depend on each other, but for sums."""

from __future__ import annotations

from ...loop_ir.effects import effects_of
from ...loop_ir.ir import Accumulate, For, Kernel, Let, Set, Stmt, Store, exprs_of, variables, walk
from .loop_fusion import moves, offset

__all__ = ["mark_free"]


def mark_free(kernel: Kernel) -> Kernel:
    """Mark the innermost loops that may run as vectors."""
    outside: dict[str, int] = {}
    for s in walk(kernel.body):
        for name in names_in(s):
            outside[name] = outside.get(name, 0) + 1
    for s in walk(kernel.body):
        if isinstance(s, For) and not s.free:
            s.free = is_free(s, outside)
    return kernel


def names_in(stmt: Stmt) -> set[str]:
    """The scalars a statement itself reads or writes."""
    found = {v.name for e in exprs_of(stmt) for v in variables(e)}
    if isinstance(stmt, (Set, Accumulate)):
        found.add(stmt.var.name)
    return found


def is_free(loop: For, uses: dict[str, int]) -> bool:
    if not all(isinstance(s, (Let, Set, Accumulate, Store)) for s in loop.body):
        return False
    for accesses in (found := effects_of(loop)).buffers.values():
        if any(write for _, write in accesses) and not apart(accesses, loop):
            return False
    assert found is not None
    return scalars_are_free(loop, uses)


def apart(accesses: list[tuple[tuple[object, ...] | None, bool]], loop: For) -> bool:
    """True if every iteration has elements of its own."""
    indices = [index for index, _ in accesses]
    if any(index is None for index in indices):
        return False
    first = indices[0]
    assert first is not None
    return any(
        all(index is not None and moves(index[p], loop.var) for index in indices)
        and len({offset(index[p], loop.var) for index in indices if index is not None}) == 1
        for p in range(len(first))
    )


def scalars_are_free(loop: For, uses: dict[str, int]) -> bool:
    """True if variables are sums, or set before they are read and of no use outside."""
    sums: set[str] = set()
    own: set[str] = set()
    here: dict[str, int] = {}
    for s in loop.body:
        for name in names_in(s):
            here[name] = here.get(name, 0) + 1
    for s in loop.body:
        read = {v.name for e in exprs_of(s) for v in variables(e)}
        if isinstance(s, Set):
            if s.var.name in sums or here[s.var.name] != uses[s.var.name]:
                return False
            own.add(s.var.name)
        elif isinstance(s, Accumulate) and s.var.name not in own:
            if s.op != "add" or s.var.name in read:
                return False
            sums.add(s.var.name)
    if any(v.name in sums for s in loop.body for e in exprs_of(s) for v in variables(e)):
        return False
    set_here = {s.var.name for s in loop.body if isinstance(s, Set)}
    seen: set[str] = set()
    for s in loop.body:
        read = {v.name for e in exprs_of(s) for v in variables(e)} & set_here
        if read - seen or (
            isinstance(s, Accumulate) and s.var.name in set_here and s.var.name not in seen
        ):
            return False
        if isinstance(s, Set):
            seen.add(s.var.name)
    return True
