"""The loop IR, run by Python: what a pass must not change."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from retrograd.compiler.native.loop_ir.ir import (
    Accumulate,
    Affine,
    Alloc,
    Bail,
    For,
    Get,
    If,
    Kernel,
    Let,
    Lit,
    Op,
    Parts,
    Product,
    Set,
    Stmt,
    Store,
    Var,
)  # fmt: skip

__all__ = ["Left", "ran"]

OPERATIONS: dict[str, Any] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "minimum": min,
    "maximum": max, "floor_divide": operator.floordiv, "remainder": operator.mod,
    "greater": operator.gt, "divide": operator.truediv, "negative": operator.neg,
    "less": operator.lt, "less_equal": operator.le, "equal": operator.eq,
    "logical_and": lambda a, b: a and b, "not_equal": operator.ne, "cast": int,
}  # fmt: skip


class Left(Exception):
    """The kernel was left."""


def ran(kernel: Kernel, numbers: dict[str, Any], arrays: dict[str, Any]) -> dict[str, Any]:
    """The scalars afterwards; ``arrays`` hold what was written."""
    env = dict(numbers)
    run(kernel.body, env, arrays)
    return env


def value(e: Any, env: dict[str, Any], arrays: dict[str, Any]) -> Any:
    if isinstance(e, Lit):
        return e.value
    if isinstance(e, Var):
        return env[e.name]
    if isinstance(e, Affine):
        return e.const + sum(k * value(atom, env, arrays) for atom, k in e.terms)
    if isinstance(e, Get):
        return arrays[e.buffer.name][place(e.index, env, arrays)]
    assert isinstance(e, Op)
    return OPERATIONS[e.name](*(value(a, env, arrays) for a in e.args))


def place(index: Any, env: dict[str, Any], arrays: dict[str, Any]) -> tuple[int, ...]:
    found = tuple(int(value(i, env, arrays)) for i in index)
    assert min(found, default=0) >= 0, "before the beginning"
    return found


def run(stmts: list[Stmt], env: dict[str, Any], arrays: dict[str, Any]) -> None:
    for s in stmts:
        if isinstance(s, (Let, Set)):
            env[s.var.name] = value(s.value, env, arrays)
        elif isinstance(s, Accumulate):
            env[s.var.name] = OPERATIONS[s.op](env[s.var.name], value(s.value, env, arrays))
        elif isinstance(s, Store):
            at, new = place(s.index, env, arrays), value(s.value, env, arrays)
            held = arrays[s.buffer.name]
            held[at] = OPERATIONS[s.op](held[at], new) if s.op else new
        elif isinstance(s, For):
            steps = range(int(value(s.lo, env, arrays)), int(value(s.hi, env, arrays)))
            last_first = s.backwards or isinstance(s, Parts)  # parts may run in any order
            for i in reversed(steps) if last_first else steps:
                env[s.var.name] = i
                run(s.body, env, arrays)
        elif isinstance(s, If):
            run(s.then if value(s.cond, env, arrays) else s.orelse, env, arrays)
        elif isinstance(s, Alloc):
            dims = [int(value(n, env, arrays)) for n in s.buffer.dims]
            arrays[s.buffer.name] = np.zeros(dims)
        elif isinstance(s, Product):
            run(s.loops, env, arrays)
        elif isinstance(s, Bail):
            if value(s.cond, env, arrays):
                raise Left
        else:
            raise AssertionError(type(s).__name__)
