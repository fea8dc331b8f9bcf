"""From a function of an emitted module and its arguments to a kernel of the loop IR."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from .loop_ir import Alloc, Kernel, Var, affine, change_exprs, integer
from .passes import optimised
from .reader import Reader
from .statements import DONE, ENDED, run
from .values import Constant, Items, Scalar, Unsupported, View, code_of, plain_view

__all__ = ["kernel_of"]

SMALL = 32  # sizes that are taken as constants, the first time
TINY = 4  # a last axis that always is


def kernel_of(
    text: str, name: str, scope: dict[str, Any], args: tuple[Any, ...], fixed: bool = True
) -> Kernel:
    """The function ``name`` of a module, for arguments like ``args``; ``fixed``: of their small sizes."""
    functions = {
        node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)
    }
    definition = functions[name]
    r = Reader(scope, functions)
    r.small = SMALL if fixed else 1
    names = [a.arg for a in [*definition.args.posonlyargs, *definition.args.args]]
    if definition.args.vararg or definition.args.kwarg or definition.args.kwonlyargs:
        raise Unsupported("starred parameters")
    if len(names) != len(args):
        raise Unsupported("arguments that are left out")
    params = [parameter(r, value, n) for n, value in zip(names, args, strict=True)]
    r.env = dict(zip(names, params, strict=True))
    found = run(r, definition.body, set())
    if found is ENDED:
        raise Unsupported("a break outside of a loop")
    result = returned(r, Constant(None) if found is DONE else found)
    body = [*r.entry_sets, *settled(r)]
    kernel = Kernel(name, params, [*r.entry, *body], result)
    return optimised(kernel)


def settled(r: Reader) -> list[Any]:
    """The body, with equal sizes written alike."""

    def change(e: Any) -> Any:
        return r.equal.get(e, e) if isinstance(e, Var) else e

    if r.equal:
        change_exprs(r.body, change)
        from .loop_ir import rewrite, walk

        for stmt in walk(r.body):
            if isinstance(stmt, Alloc):
                stmt.buffer.dims = tuple(rewrite(n, change) for n in stmt.buffer.dims)
        for buffer in r.arena_buffers:
            buffer.dims = tuple(rewrite(n, change) for n in buffer.dims)
    return r.body


def parameter(r: Reader, value: Any, name: str) -> Any:
    """What an argument like ``value`` is while the function is read."""
    hint = f"a_{name}"
    if isinstance(value, np.ndarray):
        return argument_array(r, value, name)
    if type(value) is float:
        return Scalar(r.fresh(hint, "f8"))
    if type(value) is int:
        if abs(value) >= 2**31:
            raise Unsupported("an integer beyond 2**31")
        return Scalar(affine(r.fresh(hint)))
    if type(value) in (tuple, list):
        items = tuple(parameter(r, v, f"{name}_{k}") for k, v in enumerate(value))
        return Items(items, kind=type(value).__name__)
    if type(value) is dict:
        values = tuple(parameter(r, v, f"{name}_{k}") for k, v in value.items())
        return Items(values, tuple(value), "dict")
    if value is None:
        return Constant(None)
    raise Unsupported(f"an argument that is a {type(value).__name__}")


def argument_array(r: Reader, value: Any, name: str) -> View:
    if type(value) is not np.ndarray or value.ndim == 0 or not value.dtype.isnative:
        raise Unsupported("such an array as an argument")
    from .loop_ir import Buffer

    last = value.ndim - 1
    dims = tuple(
        integer(n)
        if n <= (max(r.small, TINY) if 0 < k == last else r.small)
        else affine(r.fresh(f"n_{name}_{k}"))
        for k, n in enumerate(value.shape)
    )
    buffer = Buffer(r.fresh(f"a_{name}").name, code_of(value.dtype), dims, "argument")
    return plain_view(buffer)


def returned(r: Reader, value: Any) -> Any:
    """Results: arrays in memory of their own, made outside of loops."""
    if isinstance(value, Items):
        return Items(tuple(returned(r, v) for v in value.values), value.keys, value.kind)
    if isinstance(value, Scalar):
        return Scalar(r.named(value.expr, "out"), value.weak)
    if isinstance(value, Constant):
        return value
    if not isinstance(value, View):
        raise Unsupported("such a result")
    value = r.materialised(value)
    top = {id(s.buffer) for s in r.body if isinstance(s, Alloc)}
    buffer = value.buffer
    if not (
        value.whole and id(buffer) in top and buffer.role == "local" and buffer.dims == value.dims
    ):
        value = r.copied(value)
        buffer = value.buffer
    buffer.role = "result"
    return plain_view(buffer)
