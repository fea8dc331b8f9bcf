"""``check="first"``: a derivative is held against finite differences when it is first computed.

One random direction (always the same) costs two calls of the function; only a mismatch makes it look at
every entry, to name the worst.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import numpy as np

from retrograd.compiler.places import Place
from retrograd.runtime.errors import GradientMismatch

from .chains import Chain
from .checking import Directions, difference, inner, random_like, steps
from .transforms import on_all
from .trees import basis, flatten

__all__ = ["check_first", "check_first_pullback"]

MANY = 400  # entries looked at one by one when something is wrong


def check_first(chain: Chain, args: Sequence[Any], result: Any) -> None:
    """Raise `GradientMismatch` if ``result``, of the last transformation of ``chain``, is wrong."""
    last = chain.steps[-1]
    base = chain.changed(steps=chain.steps[:-1])
    wrt = [place._replace(at=place.at - len(chain.bound)) for place in last.wrt]
    if last.kind == "jvp":
        dots = args[len(args) - len(last.wrt) :]
        own = list(args[: len(args) - len(last.wrt)])
        return check_tangent(base, own, dict(zip(wrt, dots, strict=True)), result[1])
    gradients = result[1] if last.kind == "value_and_grad" else result
    bars = (gradients,) if last.single else gradients
    check_bars(base, list(args), wrt, bars, 1.0)


def check_first_pullback(
    chain: Chain,
    args: Sequence[Any],
    wrt: Sequence[Place],
    value: Any,
    pullback: Callable[..., Any],
) -> None:
    """The same for a pullback, with a random cotangent."""
    cotangent = random_like(value, np.random.default_rng(1))
    check_bars(chain, list(args), wrt, pullback(cotangent), cotangent)


def check_tangent(base: Chain, args: list[Any], directions: Directions, tangent: Any) -> None:
    measured = slopes(base, args, directions)
    for k, (got, (want, sure)) in enumerate(zip(flatten(tangent)[0], measured, strict=False)):
        error = np.abs(np.asarray(got) - want)
        wrong = ~(error <= np.asarray(tolerance(args) * (1 + np.abs(want)))) & sure
        if np.any(wrong):
            at = np.unravel_index(int(np.argmax(np.where(wrong, error, -1.0))), error.shape)
            raise mismatch(base, f"tangent of result {k}", at, np.asarray(got)[at], want[at])


def check_bars(
    base: Chain, args: list[Any], wrt: Sequence[Place], bars: Sequence[Any], cotangent: Any
) -> None:
    """``<c, J v> == <J^T c, v>`` for one direction; then, if it does not hold, entry by entry."""
    rng = np.random.default_rng(0)
    directions = {place: random_like(place.of(args), rng) for place in wrt}
    got = sum(along(bar, directions[place]) for place, bar in zip(wrt, bars, strict=True))
    want, sure = projected(base, args, directions, cotangent)
    if not sure or close(got, want, tolerance(args)):
        return
    worst: tuple[float, Any] | None = None
    for k, bar in zip(wrt, bars, strict=True):
        for _, path, unit in islice(basis(k.of(args)), MANY):
            here, (want, sure) = along(bar, unit), projected(base, args, {k: unit}, cotangent)
            error = abs(here - want)
            if sure and not close(here, want, tolerance(args)) and (not worst or error > worst[0]):
                what = f"gradient with respect to `{k.text(base.parameters)}`"
                worst = (error, mismatch(base, what, path, here, want))
    raise worst[1] if worst else mismatch(base, "gradient along a random direction", (), got, want)


def along(bar: Any, direction: Any) -> Any:
    pairs = zip(flatten(bar)[0], flatten(direction)[0], strict=True)
    return sum(inner(b, d) for b, d in pairs)


def tolerance(args: Sequence[Any]) -> float:
    return steps(args, None, None)[1] * 10


def close(got: Any, want: Any, rtol: float) -> bool:
    return bool(abs(got - want) <= rtol * (1 + abs(want)))


def projected(base: Chain, args: list[Any], directions: Directions, cotangent: Any) -> Any:
    """``<c, J v>`` by differences, and whether it is certain."""
    measured = slopes(base, args, directions)
    flat = flatten(cotangent)[0]
    total = sum(inner(c, slope) for c, (slope, _) in zip(flat, measured, strict=False))
    return total, bool(measured) and all(np.all(sure) for _, sure in measured)


def slopes(base: Chain, args: list[Any], directions: Directions) -> list[tuple[Any, Any]]:
    """Central differences with two steps: where they disagree (a kink, rounding), nothing is certain."""

    f = on_all(base)
    step, rtol = steps(args, None, None)
    try:
        with np.errstate(all="ignore"):
            wide, narrow = (difference(f, args, directions, h) for h in (step, step / 4))
    except (ArithmeticError, ValueError) as error:
        warnings.warn(f"{base.name} could not be checked: {error}", UserWarning, stacklevel=2)
        return []
    return [
        (a, np.isfinite(a) & (np.abs(a - b) <= 3 * rtol * (1 + np.abs(a))))
        for a, b in zip(wide, narrow, strict=True)
    ]


def mismatch(base: Chain, what: str, at: Any, got: Any, want: Any) -> GradientMismatch:
    where = f" at {place(at)}" if len(at) else ""
    return GradientMismatch(
        f"{base.name}: the {what} is {got:.8g}{where}, finite differences say {want:.8g}"
    )


def place(at: Any) -> str:
    return str(tuple(int(i) for i in at))
