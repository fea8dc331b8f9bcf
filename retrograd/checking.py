"""``check_grads``: derivatives against finite differences and against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from retrograd.runtime.errors import GradientMismatch

from .transforms import chain_of, is_float, jvp, transformed, vjp
from .trees import flatten, map_leaves

__all__ = ["check_grads"]


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
    rng = np.random.default_rng(seed)
    wrt = [k for k, a in enumerate(args) if is_float(a)]
    directions: list[Any] = [random_like(a, rng) if k in wrt else None for k, a in enumerate(args)]
    step, tolerance = steps(args, eps, rtol)
    value = f(*copies(args))
    numeric = difference(f, args, directions, step)
    if "fwd" in modes:
        compare("tangent", jvp(f, copies(args), directions)[1], numeric, tolerance)
    if "rev" in modes:
        check_pullback(f, args, wrt, directions, value, numeric, tolerance, rng)
    if order > 1:
        further(f, args, wrt, value, order, modes, eps, rtol, rng)


def steps(args: Sequence[Any], eps: float | None, rtol: float | None) -> tuple[float, float]:
    """The finite step and the tolerance: coarser in float32."""
    single = any(
        getattr(v, "dtype", None) in (np.float32, np.complex64) for v in flatten(list(args))[0]
    )
    return eps or (1e-2 if single else 1e-5), rtol or (1e-2 if single else 1e-5)


def random_like(tree: Any, rng: np.random.Generator) -> Any:
    def draw(x: Any) -> Any:
        if isinstance(x, float):
            return float(rng.normal())
        made = rng.normal(size=np.shape(x))
        if np.iscomplexobj(x):
            made = made + 1j * rng.normal(size=np.shape(x))
        typed = np.asarray(made, dtype=np.asarray(x).dtype)
        return typed if isinstance(x, np.ndarray) else typed[()]

    return map_leaves(draw, tree)


def copies(args: Sequence[Any]) -> list[Any]:
    """Arguments the function may write to."""
    return [map_leaves(lambda x: x.copy() if isinstance(x, np.ndarray) else x, a) for a in args]


def moved(args: Sequence[Any], directions: Sequence[Any], t: float) -> list[Any]:
    out = []
    for a, d in zip(args, directions, strict=True):
        if d is None:
            out += copies([a])
            continue
        out.append(map_leaves(partial(next_shifted, iter(flatten(d)[0]), t), a))
    return out


def next_shifted(directions: Iterator[Any], t: float, x: Any) -> Any:
    return shifted(x, next(directions), t)


def shifted(x: Any, d: Any, t: float) -> Any:
    moved_x = x + t * d
    return moved_x.astype(x.dtype) if hasattr(x, "dtype") else moved_x


def difference(f: Any, args: Sequence[Any], directions: Sequence[Any], step: float) -> list[Any]:
    above, _ = flatten(f(*moved(args, directions, step)))
    below, _ = flatten(f(*moved(args, directions, -step)))
    return [(np.asarray(a) - np.asarray(b)) / (2 * step) for a, b in zip(above, below, strict=True)]


def compare(what: str, tree: Any, numeric: list[Any], tolerance: float) -> None:
    """The worst entry, if it is too bad."""
    for got, want in zip(flatten(tree)[0], numeric, strict=True):
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
    f: Any,
    args: Any,
    wrt: list[int],
    directions: Any,
    value: Any,
    numeric: Any,
    tolerance: float,
    rng: Any,
) -> None:
    """``<c, J v> == <J^T c, v>`` for a random cotangent."""
    cotangent = random_like(value, rng)
    bars = vjp(f, *copies(args), wrt=wrt)[1](cotangent)
    left = sum(inner(c, n) for c, n in zip(flatten(cotangent)[0], numeric, strict=True))
    right = sum(
        inner(b, d)
        for k, bar in zip(wrt, bars, strict=True)
        for b, d in zip(flatten(bar)[0], flatten(directions[k])[0], strict=True)
    )
    compare("pullback along a random direction", right, [np.asarray(left)], tolerance)


def inner(a: Any, b: Any) -> Any:
    return np.real(np.sum(np.conj(a) * b))


def further(
    f: Any,
    args: Any,
    wrt: list[int],
    value: Any,
    order: int,
    modes: Any,
    eps: Any,
    rtol: Any,
    rng: Any,
) -> None:
    """The same checks on the derivative: the gradient of a scalar, or the tangent otherwise."""
    chain = chain_of(f)
    if not isinstance(value, (tuple, list, dict)) and np.ndim(value) == 0:
        derivative = transformed(chain.then("grad", tuple(wrt), False), "")
        check_grads(derivative, args, order - 1, modes, eps, rtol)
        return
    derivative = transformed(chain.then("jvp", tuple(wrt)), "")
    check_grads(
        derivative, [*args, *[random_like(args[k], rng) for k in wrt]], order - 1, modes, eps, rtol
    )
