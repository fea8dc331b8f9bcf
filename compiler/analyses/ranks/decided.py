"""What a function decides of the ranks of its arguments, for somebody who checks them.

>>> from tests.before_after import lowered
>>> function = lowered("def f(w, x): return w @ w + sum(x)", "")
>>> decided(function, scalar=True)["w"]  # a vector: bit 1 of the set
2
"""

from __future__ import annotations

from ...ir.operations import Function, Value
from .inference import Inference, Ranks, TooLong
from .rank_sets import ANY, MOST, Items, set_of, unknown_rank
from .sequences import Sequences

__all__ = ["decided", "exact"]


def decided(function: Function, scalar: bool) -> dict[str, int | Items]:
    """The ranks of parameters that the function bounds; ``scalar``: it has to give one number."""
    asked = Inference(presume=True, scalar=scalar)
    try:
        ranks = asked.of(function)
    except TooLong:
        return {}
    ranks = {v: s for inner in asked.in_callees().values() for v, s in inner.items()} | ranks
    found = {}
    for p in function.body.params:
        known = bounded(p, ranks, asked.sequences) if unknown_rank(p.type) else None
        if known is not None and p.hint:
            found[p.hint] = known
    return found


def bounded(v: Value, ranks: Ranks, sequences: Sequences) -> int | Items | None:
    items = sequences.items(v)
    if items:
        several = {bounded(item, ranks, sequences) for item in items}
        each = several.pop() if len(several) == 1 and sequences.are_all(v) else None
        return None if each is None else Items(each)
    known = set_of(v, ranks)
    return None if known == ANY or known >> MOST else known


def exact(ranks: int) -> int | None:
    """The one rank in a set."""
    return (
        ranks.bit_length() - 1 if ranks and not ranks & (ranks - 1) and not ranks >> MOST else None
    )
