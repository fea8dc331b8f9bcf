"""``check_grads``: derivatives against finite differences and against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from retrograd.compiler.driver.progress import progress
from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.arrays.transfers import beside, dtype_of, is_ndarray, on_host
from retrograd.runtime.errors import GradientMismatch, NotDifferentiable
from retrograd.runtime.objects.pytree import floats, is_float, leaves, map_leaves

from ..api import chain_arguments, given_at, has_gradient, is_spread, on_all, pulled, pushed
from ..public.door import public
from ..transformed_function import Chain, chain_of

__all__ = ["check_grads"]

Directions = dict[Place, Any]


@public
def check_grads(
    f: Callable[..., Any],
    args: Sequence[Any],
    order: int = 2,
    modes: Sequence[str] = ("fwd", "rev"),
    eps: float | None = None,
    rtol: float | None = None,
    seed: int = 0,
) -> None:
    """Raise `GradientMismatch` unless the derivatives of ``f`` at ``args`` are right.

    Tangents are held against central differences, pullbacks against tangents, and up to
    ``order`` the same again for the derivative itself.

    >>> def wave(x):
    ...     return np.sum(np.sin(x))
    >>> check_grads(wave, (np.array([0.3, 1.2]),))
    """
    chain = chain_of(f)
    full = chain_arguments(chain, args)
    given = args if is_spread(chain) else full
    wrt = [given_at(chain, k) for k, a in enumerate(given) if has_gradient(a)]
    if not wrt:
        raise NotDifferentiable(f"{chain.name}: no argument is a float", fix="pass floats")
    with progress(f"checking {chain.name}"):
        check_chain(chain, full, wrt, order, modes, eps, rtol, np.random.default_rng(seed))


def check_all(chain: Chain, full: list[Any], order: int, seed: int) -> None:
    """The same with respect to every float, given one argument for each parameter."""
    wrt = [Place(k) for k, a in enumerate(full) if has_gradient(a)]
    rng = np.random.default_rng(seed)
    with progress(f"checking {chain.name}"):
        check_chain(chain, full, wrt, order, ("fwd", "rev"), None, None, rng)


def check_chain(
    chain: Chain,
    args: list[Any],
    wrt: list[Place],
    order: int,
    modes: Sequence[str],
    eps: float | None,
    rtol: float | None,
    rng: np.random.Generator,
) -> None:
    """The same of a chain, given one argument for each parameter."""
    f = on_all(chain)
    directions = {place: random_like(place.of(args), rng) for place in wrt}
    step, tolerance = steps(args, eps, rtol)
    value = f(*copies(args))
    numeric = difference(f, args, directions, step)
    if "fwd" in modes:
        tangent = pushed(chain, copies(args), wrt, list(directions.values()))[1]
        compare("tangent", float_leaves(tangent, value), numeric, tolerance)
    if "rev" in modes:
        check_pullback(chain, args, directions, value, numeric, tolerance, rng)
    if order > 1:
        further(chain, args, wrt, value, order - 1, modes, eps, rtol, rng)


def steps(args: Sequence[Any], eps: float | None, rtol: float | None) -> tuple[float, float]:
    """The finite step and the tolerance: coarser in float32."""
    single = any(
        getattr(v, "dtype", None) in (np.float32, np.complex64) for v in leaves(list(args))
    )
    return eps or (1e-2 if single else 1e-5), rtol or (1e-2 if single else 1e-5)


def random_like(tree: Any, rng: np.random.Generator) -> Any:
    def draw(x: Any) -> Any:
        if type(x) is float:
            return float(rng.normal())
        if not is_float(x):
            return x
        made = rng.normal(size=np.shape(x))
        if np.iscomplexobj(x):
            made = made + 1j * rng.normal(size=np.shape(x))
        typed = np.asarray(made, dtype=dtype_of(x))
        return beside(x, typed) if is_ndarray(x) else typed[()]

    return map_leaves(draw, tree)


def copies(args: Sequence[Any]) -> list[Any]:
    """Arguments the function may write to."""
    return [map_leaves(lambda x: x.copy() if is_ndarray(x) else x, a) for a in args]


def moved(args: Sequence[Any], directions: Directions, t: float) -> list[Any]:
    out = copies(args)
    for place, direction in directions.items():
        shift = partial(next_shifted, iter(leaves(direction)), t)
        out = place.put(out, map_leaves(shift, place.of(out)))
    return out


def next_shifted(directions: Iterator[Any], t: float, x: Any) -> Any:
    return shifted(x, next(directions), t)


def shifted(x: Any, d: Any, t: float) -> Any:
    if not is_float(x):
        return x
    moved_x = x + t * d
    return moved_x.astype(x.dtype) if hasattr(x, "dtype") else moved_x


def difference(f: Any, args: Sequence[Any], directions: Directions, step: float) -> list[Any]:
    above, below = (floats(f(*moved(args, directions, t))) for t in (step, -step))
    pairs = zip(map(on_host, above), map(on_host, below), strict=True)
    return [(np.asarray(a) - np.asarray(b)) / (2 * step) for a, b in pairs]


def float_leaves(tree: Any, like: Any) -> list[Any]:
    """The leaves of a derivative that stand beside floats."""
    pairs = zip(leaves(tree), leaves(like), strict=True)
    return [leaf for leaf, x in pairs if is_float(x)]


def compare(what: str, tree: list[Any], numeric: list[Any], tolerance: float) -> None:
    """The worst entry, if it is too bad."""
    for got, want in zip(map(on_host, tree), numeric, strict=True):
        error = np.abs(np.asarray(got) - want) / (1 + np.abs(want))
        if not np.all(error <= tolerance):
            worst = np.unravel_index(
                int(np.nanargmax(np.where(np.isnan(error), np.inf, error))), error.shape
            )
            where = f" at {tuple(int(i) for i in worst)}" if error.ndim else ""
            raise GradientMismatch(
                f"the {what} is {np.asarray(got)[worst]:.8g}{where}, finite differences say "
                f"{np.asarray(want)[worst]:.8g}"
            )


def check_pullback(
    chain: Chain,
    args: list[Any],
    directions: Directions,
    value: Any,
    numeric: Any,
    tolerance: float,
    rng: Any,
) -> None:
    """``<c, J v> == <J^T c, v>`` for a random cotangent."""
    cotangent = random_like(value, rng)
    bars = pulled(chain, copies(args), list(directions))[1](cotangent)
    left = sum(inner(c, n) for c, n in zip(floats(cotangent), numeric, strict=True))
    right = sum(
        inner(b, d)
        for direction, bar in zip(directions.values(), bars, strict=True)
        for b, d in zip(float_leaves(bar, direction), floats(direction), strict=True)
    )
    compare("pullback along a random direction", [right], [np.asarray(left)], tolerance)


def inner(a: Any, b: Any) -> Any:
    return np.real(np.sum(np.conj(on_host(a)) * on_host(b)))


def further(
    chain: Chain,
    args: list[Any],
    wrt: list[Place],
    value: Any,
    order: int,
    modes: Any,
    eps: Any,
    rtol: Any,
    rng: Any,
) -> None:
    """The same checks on the derivative: the gradient of a real scalar, or the tangent otherwise."""
    scalar = not isinstance(value, (tuple, list, dict)) and np.ndim(value) == 0
    if scalar and not np.iscomplexobj(value):
        derivative = chain.then("grad", wrt, False)
        return check_chain(derivative, args, wrt, order, modes, eps, rtol, rng)
    derivative = chain.then("jvp", wrt)
    dots = [random_like(place.of(args), rng) for place in wrt]
    both = [*wrt, *(Place(len(args) + k) for k in range(len(dots)))]
    check_chain(derivative, [*args, *dots], both, order, modes, eps, rtol, rng)
