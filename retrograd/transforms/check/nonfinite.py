"""``check="nan"``: a derivative that holds NaN or infinity raises, and names the line which made it.

What counts is what is handed to the caller: NaN or infinity in a derivative, NaN in a value.  An infinite value
does not count (the logarithm of a density is -inf outside its support), nor does what is not finite on
the way and is masked, cut off or divided by.  The call is run again with copies of its arguments, in a text
that notes what its expressions give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from retrograd.runtime.arrays.nonfinite import badness
from retrograd.runtime.objects.pytree import leaves

from .argument_copies import CannotCopy, fresh

__all__ = ["watched", "watched_halves"]


def watched(
    chain: Any,
    args: Sequence[Any],
    answer: Callable[..., Any],
    called: Callable[[Any, Sequence[Any]], Any],
) -> Any:
    """``answer(*args)``, the last transformation of a chain; ``called`` calls a text's function as it is called."""
    kept = copies([*chain.bound, *args])
    result = answer(*args)
    bad = next(bad_parts(chain, result), None)
    if bad is None:
        return result
    from .nonfinite_report import explanation  # a call that failed

    k = len(chain.bound)
    again = chain.changed(bound=tuple(kept[:k])) if k else chain
    raise explanation(again, bad[0], bad[1], kept[k:], lambda target: called(target, kept[k:]))


def watched_halves(
    chain: Any, args: list[Any], answer: Callable[[], Any], order: Sequence[int]
) -> tuple[Any, Callable[..., Any]]:
    """The same of a value and its pullback."""
    kept = copies([*chain.bound, *args])
    value, pull = answer()
    k = len(chain.bound)
    again = chain.changed(bound=tuple(kept[:k])) if k else chain

    def explained(what: str, bad: Any, cotangent: Any) -> Exception:
        from .nonfinite_report import explanation_of_halves  # a call that failed

        return explanation_of_halves(again, what, bad, copies(kept[k:]), cotangent)

    part = next(parts_with(value[0] if chain.steps[-1].aux else value, ("nan",)), None)
    if part is not None:
        raise explained("the value", part, None)

    def pullback(cotangent: Any, *more: Any) -> tuple[Any, ...]:
        given = copies([cotangent])[0]
        bars: tuple[Any, ...] = pull(cotangent, *more)
        for at, bar in zip(order, bars, strict=False):
            part = next(parts_with(bar, ("nan", "inf")), None)
            if part is not None:
                raise explained(f"the gradient with respect to {name(chain, at)}", part, given)
        return bars

    return value, pullback


def copies(args: Sequence[Any]) -> list[Any]:
    try:
        return fresh(args)
    except CannotCopy:
        return list(args)


def bad_parts(chain: Any, result: Any) -> Iterator[tuple[str, Any]]:
    """What is not finite in the result of a chain's last transformation, and what it is."""
    last = chain.steps[-1]
    if last.kind == "value_and_grad":
        value, result = result
        yield from (
            ("the value", part) for part in parts_with(value[0] if last.aux else value, ("nan",))
        )
    elif last.kind == "jvp":
        yield from (("the value", part) for part in parts_with(result[0], ("nan",)))
        result = result[1]
    elif last.kind == "grad" and last.aux:
        result = result[0]
    if last.kind in ("jvp", "tangent"):
        yield from (("the tangent", part) for part in parts_with(result, ("nan", "inf")))
        return
    bars = (result,) if last.single else result
    for k, bar in enumerate(bars):
        what = f"the gradient with respect to {name(chain, k)}"
        yield from ((what, part) for part in parts_with(bar, ("nan", "inf")))


def parts_with(tree: Any, kinds: Sequence[str]) -> Iterator[Any]:
    return (part for part in leaves(tree) if badness(part) in kinds)


def name(chain: Any, k: int) -> str:
    place = chain.steps[-1].wrt[k]
    return f"`{place.text(list(chain.full.parameters))}`"
