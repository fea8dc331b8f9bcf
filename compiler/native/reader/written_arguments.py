"""Arguments that are written to: a kernel works on copies, whose elements they get when it returns.

Until then it may be left, and the text begins anew with the arguments as they were.
"""

from __future__ import annotations

import ast
from typing import Any

from ..loop_ir.values import Items, View
from .reader import Reader

__all__ = ["copied_in", "is_argument", "named_as_written"]

SAYS = ("check_distinct", "check_single")


def named_as_written(definition: ast.FunctionDef, names: list[str], params: list[Any]) -> set[str]:
    """The memory of arguments of which the text says at once that it is going to write to them."""
    calls = [
        stmt.value
        for stmt in definition.body
        if isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Call)
    ]
    said = {
        call.args[0].id
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr in SAYS
        and call.args
        and isinstance(call.args[0], ast.Name)
    }
    found = {n: p for n, p in zip(names, params, strict=True) if n in said}
    return {p.buffer.name for p in found.values() if isinstance(p, View) and p.buffer is not None}


def copied_in(r: Reader, params: list[Any]) -> list[Any]:
    """The values of parameters, with memory of their own where they are written to."""
    return [copied(r, p) for p in params]


def copied(r: Reader, param: Any) -> Any:
    if isinstance(param, Items):
        return Items(tuple(copied(r, v) for v in param.values), param.keys, param.kind)
    if (
        not isinstance(param, View)
        or param.buffer is None
        or param.buffer.name not in (r.written or ())
    ):
        return param
    own = r.copied(param, param.buffer.name.replace("a_", "w_", 1))
    assert own.buffer is not None and r.written is not None
    own.buffer.role = "written"
    r.written[param.buffer.name] = param.buffer, own.buffer
    return own


def is_argument(x: View) -> bool:
    """True of all of an argument, or of the copy in its place: memory that is looked at before a kernel runs."""
    return x.buffer is not None and x.whole and x.buffer.role in ("argument", "written")
