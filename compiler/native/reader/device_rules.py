"""The rules for a text that runs on the device: what its kernels leave to the text.

A kernel for the device cannot leave half-way: a condition on what the device has computed is a question for
which the host would wait.  And an item of an array is a view there, where the reader knows a number.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..loop_ir.host_values import enter, is_of_host
from ..loop_ir.ir import (
    Alloc,
    Bail,
    For,
    Product,
    Reserve,
    Stmt,
    walk,
)  # fmt: skip
from ..loop_ir.values import Items, Scalar
from ..refusal import Unsupported
from ..text.views_of_items import changing_names

__all__ = ["DeviceRules"]

# Handlers of functions that CuPy computes with the device's libraries, or with atomic additions.
OF_LIBRARIES = ("linalg", "einsum", "products", "scatter")
OUR_OWN = (np.outer,)
WAITS = "the host would wait for what the device computes here"


class DeviceRules:
    """``computed``: the variables whose values are on the device."""

    def __init__(self) -> None:
        self.computed: set[str] = set()
        self.changing: set[str] = set()

    @contextmanager
    def inside(
        self,
        definition: ast.FunctionDef,
        scope: dict[str, Any],
        functions: dict[str, ast.FunctionDef],
    ) -> Iterator[None]:
        """The names of a function that is read now."""
        outer, self.changing = self.changing, changing_names(definition, scope, functions)
        try:
            yield
        finally:
            self.changing = outer

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
            if isinstance(stmt, (Product, Reserve)):
                raise Unsupported("a product of matrices, or a list that grows")

    def of_host(self, e: Any) -> bool:
        return is_of_host(e, self.computed)

    def check_held(self, value: Any, name: str) -> None:
        """Refuse the view of an item that is in use while its array is written to."""
        if name in self.changing and any(n.weak is not True for n in numbers_in(value)):
            raise Unsupported(f"`{name}` is a view of what is written to")

    def check_call(self, fn: Any, handler: Callable[..., Any] | None, text: str) -> None:
        """Leave to the libraries of the device what is theirs."""
        module = (getattr(handler, "__module__", None) or "").rpartition(".")[2]
        if module in OF_LIBRARIES and fn not in OUR_OWN:
            raise Unsupported(f"{text}, which the device's libraries compute")


def numbers_in(value: Any) -> Iterator[Scalar]:
    if isinstance(value, Items):
        for item in value.values:
            yield from numbers_in(item)
    elif isinstance(value, Scalar):
        yield value
