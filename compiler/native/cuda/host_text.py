"""Values that the host knows, as Python."""

from __future__ import annotations

import math
from typing import Any

from ..c_text.expressions import Expressions
from ..loop_ir.ir import Lit, Op
from ..loop_ir.operation_traits import scalar_operation

__all__ = ["HostText"]

OPERATORS = {"&&": "and", "||": "or"}


class HostText(Expressions):
    """Python for expressions of sizes and numbers; ``names`` are those that variables have in the module."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def variable(self, e: Any) -> str:
        return str(self.names.get(e.name, e.name))

    def expression(self, e: Any) -> str:
        return literal(e) if isinstance(e, Lit) else super().expression(e)

    def operation(self, e: Op) -> str:
        args = [self.expression(a) for a in e.args]
        name, x = e.name, args[0]
        if name == "cast":
            return (
                f"({x} != 0)"
                if e.dtype == "b1"
                else f"{'float' if e.dtype == 'f8' else 'int'}({x})"
            )
        if name == "where":
            return f"({args[1]} if {x} else {args[2]})"
        if name == "wrap":
            return f"({x} + {args[1]} if {x} < 0 else {x})"
        if name == "negative":
            return f"(-{x})"
        if name == "logical_not":
            return f"(not {x})"
        if name == "isfinite":
            return f"math.isfinite({x})"
        if name in ("maximum", "minimum", "absolute"):
            return f"{name[:3]}({', '.join(args)})"
        if name in ("square", "cube", "fourth"):
            return {"square": f"({x} * {x})", "cube": f"({x} * {x} * {x})"}.get(
                name, f"(({x} * {x}) * ({x} * {x}))"
            )
        infix = {"imul": "*", "floor_divide": "//", "remainder": "%"}.get(name)
        infix = infix or scalar_operation(name).infix or ""
        return f"({x} {OPERATORS.get(infix, infix)} {args[1]})"


def literal(e: Lit) -> str:
    if e.dtype == "b1":
        return str(bool(e.value))
    value = float(e.value) if e.dtype[0] == "f" else int(e.value)
    if not math.isfinite(value):
        return f'float("{value}")'
    return f"({value!r})" if value < 0 else repr(value)
