"""``(w, b), v = params``: unpackings that follow each other as one, where an item is taken apart and nothing else.

>>> from tests.before_after import after
>>> from retrograd.compiler.passes.redundancy.tuple_unpacking import unpack
>>> after('''
... def f(params, x):
...     (w, b), v = params
...     return np.sum(np.tanh(x @ w + b) * v)
... ''', "params: ((f8[n, m], f8[m]), f8[m]), x: f8[n]", unpack)
def f(params, x):
    (w, b), v = params
    return np.sum(np.tanh(x @ w + b) * v)
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable

from ...ir.operations import Apply, Block, Value, walk
from ...ir.primitives import UNPACK

__all__ = ["target_of", "unpacked_inside"]


def unpacked_inside(body: Block, uses: Counter[Value]) -> dict[Value, Apply]:
    """Items of an unpacking, and the unpackings right after it that are all that is done with them."""
    found: dict[Value, Apply] = {}
    for block in (body, *(inner for op in walk(body) for inner in op.blocks)):
        open_items: set[Value] = set()
        for op in block.ops:
            if not isinstance(op, Apply) or op.fn is not UNPACK:
                open_items = set()
                continue
            base = op.args[0]
            if isinstance(base, Value) and base in open_items and uses[base] == 1:
                found[base] = op
            open_items.update(op.results)
    return found


def target_of(op: Apply, inside: dict[Value, Apply], name: Callable[[Value], str]) -> ast.Tuple:
    """The target of an unpacking, with those of its items in it."""
    parts: list[ast.expr] = [
        target_of(inside[r], inside, name) if r in inside else ast.Name(name(r), ast.Store())
        for r in op.results
    ]
    return ast.Tuple(parts, ast.Store())
