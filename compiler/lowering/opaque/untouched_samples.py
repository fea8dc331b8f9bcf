"""Arguments that tell whether anybody looks at their numbers: what is asked about classes and shapes does not.

::

    isinstance(x, np.ndarray) and x.ndim == 2      # leaves them untouched
    np.allclose(x @ x.T, np.eye(3))                # does not
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Touched", "Touches"]

ASKED = (
    "add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv", "rfloordiv", "mod", "rmod", "divmod",
    "rdivmod", "pow", "rpow", "matmul", "rmatmul", "neg", "pos", "abs", "invert", "and", "rand", "or", "ror", "xor",
    "rxor", "lshift", "rlshift", "rshift", "rrshift", "lt", "le", "eq", "ne", "gt", "ge", "bool", "int", "float",
    "complex", "index", "round", "trunc", "floor", "ceil", "hash", "str", "repr", "format", "reduce", "reduce_ex",
)  # fmt: skip


class Touched(Exception):
    """Somebody looked at a number."""


class Touches:
    """Numbers that count how often they were looked at."""

    def __init__(self) -> None:
        self.count = 0

        def touched(*_: Any) -> Any:
            self.count += 1
            raise Touched

        methods: dict[str, Any] = {f"__{name}__": touched for name in ASKED}
        self.item = type("item", (), methods)
        self.kinds = {
            kind: type(base.__name__, (), methods | {"__class__": claimed(base)})
            for kind, base in {"i": int, "f": float, "c": complex}.items()
        }  # no classes below Python's, whose content functions of C read

    def number(self, kind: str) -> Any:
        """What says that it is one of Python's; there can be no other truth value than its own."""
        return True if kind == "b" else self.kinds[kind]()

    def array(self, dims: tuple[int, ...]) -> Any:
        made = np.empty(dims, object)
        for index in np.ndindex(dims):
            made[index] = self.item()
        return made


def claimed(base: type) -> property:
    """A class that an object says it is of."""
    return property(lambda _: base)
