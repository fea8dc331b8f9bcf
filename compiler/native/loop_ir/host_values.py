"""Which values a host knows that launches kernels: sizes, Python's numbers, and arithmetic of them."""

from __future__ import annotations

from typing import Any

from .ir import (
    Accumulate,
    Break,
    Continue,
    For,
    Get,
    If,
    Kernel,
    Let,
    Op,
    Set,
    Stmt,
    Var,
    While,
    blocks_of,
    subexpressions,
    walk,
)  # fmt: skip
from .operation_traits import scalar_operation

__all__ = ["computed_on_device", "enter", "is_of_host"]

PLAIN = {
    "cast", "imul", "negative", "where", "logical_not", "square", "cube", "fourth", "wrap",
    "floor_divide", "remainder", "isfinite",
}  # fmt: skip


def is_of_host(e: Any, computed: set[str]) -> bool:
    """True of an expression of which the host knows all parts; ``computed``: variables of the device."""
    return not any(
        isinstance(s, Get)
        or (isinstance(s, Var) and s.name in computed)
        or (isinstance(s, Op) and not is_plain(s))
        for s in subexpressions(e)
    )


def is_plain(e: Op) -> bool:
    """True of what Python computes like the loop IR: nothing is rounded to float32, no function is called."""
    if e.dtype == "f4":
        return False
    if e.dtype == "i8" and e.name in ("maximum", "minimum", "absolute"):
        return True
    return e.name in PLAIN or scalar_operation(e.name).infix is not None


def computed_on_device(kernel: Kernel, found: set[str] | None = None) -> set[str]:
    """The variables that are computed of arrays, directly or not, or set where a branch asks for what is."""
    found = set() if found is None else found
    while True:
        size = len(found)
        enter(kernel.body, found, False)
        if len(found) == size:
            return found


def enter(stmts: list[Stmt], found: set[str], asked: bool) -> None:
    """``asked``: whether these statements run is known on the device alone."""
    for s in stmts:
        if isinstance(s, Accumulate) or (
            isinstance(s, (Let, Set)) and (asked or not is_of_host(s.value, found))
        ):
            found.add(s.var.name)
        inside = asked or (isinstance(s, If) and not is_of_host(s.cond, found))
        inside = inside or (isinstance(s, (For, While)) and asks_to_leave(s, found))
        for block in blocks_of(s):
            enter(block, found, inside)


def asks_to_leave(loop: For | While, found: set[str]) -> bool:
    """True if what the device computes decides how many iterations there are."""
    return any(
        isinstance(s, If)
        and not is_of_host(s.cond, found)
        and any(isinstance(t, (Break, Continue)) for t in walk([s]))
        for s in walk(loop.body)
    )
