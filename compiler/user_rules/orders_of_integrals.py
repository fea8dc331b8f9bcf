"""How many derivatives are taken of an integral: its places are the closer for a second one.

>>> from retrograd.compiler.ir.operations import Block
>>> tell_order(Function("f", Block(), None), 1)  # without integrals
"""

from __future__ import annotations

from retrograd.runtime.rules.scipy import registry

from ..ir.operations import Apply, Const, Function, reachable, walk

__all__ = ["tell_order"]


def tell_order(function: Function, more: int, least: int = 2) -> None:
    """Integrals are told how many derivatives are taken of them, ``more`` than before, where these are so many at least."""
    if "scipy.integrate" not in registry.loaded:
        return
    from .scipy_integrals import NODES  # it imports SciPy, which few programs need

    places = {nodes for nodes, _ in NODES.values()}
    for op in (op for f in reachable(function) for op in walk(f.body)):
        if not (isinstance(op, Apply) and op.fn in places):
            continue
        before = op.kwargs.get("order", Const(0))
        if isinstance(before, Const) and before.value + more >= least:
            op.kwargs = {**op.kwargs, "order": Const(before.value + more)}
