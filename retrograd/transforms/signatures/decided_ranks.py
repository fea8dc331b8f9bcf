"""The ranks of arguments that nobody told the types of, where the function decides them; and their guard."""

from __future__ import annotations

from typing import Any

from retrograd.compiler.driver.recursion_depth import deeply
from retrograd.compiler.ir.target import asked_library
from retrograd.compiler.ir.types import Array, Dim, Type
from retrograd.runtime.errors import CompileError

from ..specialise.compile import targeted
from ..specialise.internal_errors import built

__all__ = ["decided_ranks", "ranks_in_words", "types_of_ranks"]

SCALAR = ("grad", "value_and_grad")  # of a function that gives one number


@built
@deeply
@targeted
def decided_ranks(
    fn: Any, types: dict[str, Type], steps: tuple[Any, ...], unwrap: Any, tape: bool
) -> dict[str, Any]:
    """The ranks that a function bounds, of parameters without types."""
    from retrograd.compiler import pipeline
    from retrograd.compiler.analyses.ranks.decided import decided

    focus = tuple(place for step in steps for place in step.wrt if place.keys)
    wrt = {place.at for step in steps for place in step.wrt}
    try:
        _, function = pipeline.lower(fn, types, unwrap, tape, focus, wrt, False)
    except CompileError:
        return {}
    return decided(function, steps[0].kind in SCALAR)


def types_of_ranks(ranks: dict[str, Any], wanted: set[str]) -> dict[str, Type]:
    """The types of those of one rank."""
    from retrograd.compiler.analyses.ranks.decided import exact

    found: dict[str, Type] = {}
    for name, known in ranks.items():
        rank = exact(known) if isinstance(known, int) else None
        if rank is not None:
            dims = tuple(Dim(f"{name}_{k}") for k in range(rank))
            least = None if name in wanted else "b"
            found[name] = Array(None, dims, "f", least, library=asked_library())
    return found


def ranks_in_words(kind: str, known: Any) -> str:
    """A kind for `rt.expects` of these ranks.

    >>> ranks_in_words("real", 0b110), ranks_in_words("floating", 0b111)
    ('real of rank 1 or 2', 'floating of rank at most 2')
    """
    from retrograd.compiler.analyses.ranks.rank_sets import Items, ranks_in

    if isinstance(known, Items):
        return f"sequence of {ranks_in_words(kind, known.each)}"
    ranks = list(ranks_in(known))
    if len(ranks) > 1 and ranks == list(range(len(ranks))):
        return f"{kind} of rank at most {ranks[-1]}"
    return f"{kind} of rank {' or '.join(map(str, ranks))}"
