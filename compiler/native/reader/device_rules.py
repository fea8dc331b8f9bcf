"""The rules for a text that runs on the device: what its kernels leave to the text.

A kernel for the device cannot leave half-way: a condition on what the device has computed is a question for
which the host would wait.  And an item of an array is a view there, where the reader knows a number.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..loop_ir.host_values import enter, is_of_host
from ..loop_ir.ir import (
    Alloc,
    Bail,
    Buffer,
    For,
    Stmt,
    Var,
    variables,
    walk,
)  # fmt: skip
from ..loop_ir.values import Items, Scalar
from ..refusal import Unsupported
from .values import Either, Gone, Growing

__all__ = ["DeviceRules"]

# Handlers of functions that CuPy computes with the device's libraries, or with atomic additions.
OF_LIBRARIES = ("linalg", "scatter")
BETWEEN = (np.linalg.solve, np.linalg.inv, np.linalg.cholesky)  # calls between kernels
WAITS = "the host would wait for what the device computes here"


class DeviceRules:
    """``computed``: the variables whose values are on the device."""

    def __init__(self) -> None:
        self.computed: set[str] = set()
        self.around: list[dict[str, Any]] = []  # the names of the functions that call this one
        self.in_lists: list[Buffer] = []
        self.numbers: set[str] = set()  # variables that lists hold

    def check(self, top: Stmt) -> None:
        """Refuse a statement that the device cannot run."""
        enter([top], self.computed, False)
        for stmt in walk([top]):
            if isinstance(stmt, Bail) and not self.of_host(stmt.cond):
                raise Unsupported(WAITS)
            if isinstance(stmt, For) and not (self.of_host(stmt.lo) and self.of_host(stmt.hi)):
                raise Unsupported(WAITS)
            if isinstance(stmt, Alloc) and not all(map(self.of_host, stmt.buffer.dims)):
                raise Unsupported(WAITS)

    def of_host(self, e: Any) -> bool:
        return is_of_host(e, self.computed)

    # -- items that are views

    def written(self, r: Any, buffer: Buffer) -> None:
        """Memory is written to: names of its items are no longer what was read."""
        for env in [r.env, *self.around]:
            for name, value in env.items():
                if any(number.item is buffer for number in numbers_in(value)):
                    env[name] = Gone()
        if any(item is buffer for item in self.in_lists):
            raise Unsupported("an item that a list holds is written to")

    def kept(self, r: Any, value: Any) -> None:
        """A list holds what may be views of items, and numbers that may be added to in place."""
        here = {id(loop) for loop in r.loops}
        for number in numbers_in(value):
            self.numbers |= {v.name for v in variables(number.expr)}
            item = number.item
            if item is None or item.role == "argument":
                continue
            if any(set(loops) & here - set(item.home) for loops in item.writes):
                raise Unsupported("an item is kept in a loop that writes to its array")
            self.in_lists.append(item)

    def handed_on(self, values: list[Any]) -> None:
        """What one variable stands for on several ways is a view on neither."""
        for number in (n for value in values for n in numbers_in(value)):
            if number.item is not None and number.item.role != "argument":
                raise Unsupported("a view of an item that a loop or a branch hands on")

    def added_to(self, r: Any, name: str, old: Any) -> None:
        """``name += ...`` changes an array of rank 0 in place, whoever else holds it."""
        if not isinstance(old, Scalar) or old.weak is True:
            return
        own = {v.name for v in variables(old.expr)}
        if old.item is not None or own & self.numbers:
            raise Unsupported(f"`{name}`, which is added to, may be held by somebody else")
        for env in [r.env, *self.around]:
            for other, value in env.items():
                if (other != name or env is not r.env) and holds(value, old):
                    env[other] = Gone()

    def before_loop(self, r: Any, stmt: ast.stmt) -> None:
        """Numbers that a loop adds to are nobody else's."""
        for node in ast.walk(stmt):
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                self.added_to(r, node.target.id, r.env.get(node.target.id))

    def after_loop(self, r: Any, stmt: ast.stmt, before: dict[str, Any], loop: int) -> None:
        """Names from before a loop that writes to what they are items of."""
        read = {
            n.id for n in ast.walk(stmt) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
        }
        for name, value in before.items():
            items = [n.item for n in numbers_in(value) if n.item is not None]
            if any(loop in loops for item in items for loops in item.writes):
                if name in read:
                    raise Unsupported(f"`{name}` is a view of what a loop writes to")
                r.env[name] = Gone()

    def check_call(self, fn: Any, handler: Callable[..., Any] | None, text: str) -> None:
        """Leave to the libraries of the device what is theirs."""
        module = (getattr(handler, "__module__", None) or "").rpartition(".")[2]
        if module in OF_LIBRARIES and fn not in BETWEEN:
            raise Unsupported(f"{text}, which the device's libraries compute")


def numbers_in(value: Any) -> Iterator[Scalar]:
    if isinstance(value, Items):
        for item in value.values:
            yield from numbers_in(item)
    elif isinstance(value, Either):
        yield from numbers_in(value.then)
        yield from numbers_in(value.orelse)
    elif isinstance(value, Growing):
        for item in value.items:
            yield from numbers_in(item)
    elif isinstance(value, Scalar):
        yield value


def holds(value: Any, number: Scalar) -> bool:
    return isinstance(number.expr, Var) and any(n.expr == number.expr for n in numbers_in(value))
