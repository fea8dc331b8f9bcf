"""What the inline functions are tried on and compared with: points, references, errors in ulp."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from retrograd.compiler.native.math.source import BOUNDS, BOUNDS_F, RANGES

Array = Any
Long = np.longdouble
EXTENDED = np.finfo(Long).nmant >= 63
TWO = {"logaddexp", "pow", "arctan2", "hypot"}
NAMES = sorted([*BOUNDS, *BOUNDS_F])
ALL_BOUNDS = {**BOUNDS, **BOUNDS_F}
CALLED = {"rg_sin", "rg_cos", "rg_tan", "rg_sinf", "rg_cosf", "rg_tanf"}  # libm's in any case


def dtype_of(name: str) -> type:
    return np.float64 if name in BOUNDS else np.float32


def base(name: str) -> str:
    """``rg_sin_nearf`` is a ``sin``."""
    plain = name if name in BOUNDS else name.removesuffix("f")
    return plain.removeprefix("rg_").removesuffix("_near")


# -- points -----------------------------------------------------------------------------


def specials(dtype: type) -> Array:
    """Zeros, infinities, nan, the edges of the format and of the functions."""
    of = np.finfo(dtype)
    edges = [0.0, np.inf, of.max, of.tiny, of.smallest_subnormal, of.eps, 1.0, 2.0, 3.0, 0.5]
    edges += [1 + float(of.eps), 1 - float(of.epsneg), 0.84, 0.55, 709.782712893384, 745.13, 745.14]
    edges += [
        708.4,
        710.4758,
        710.476,
        88.72283,
        88.7229,
        103.97,
        103.98,
        89.41,
        26.5,
        27.3,
        1023.0,
    ]
    edges += [1024.0, 1074.0, 1075.0, 127.0, 128.0, 149.0, 150.0, 19.0, 22.0, 1e8, 1e9, 1e300, 1e22]
    with np.errstate(over="ignore"):
        one = np.array(edges).astype(dtype)
    return np.concatenate([one, -one, np.array([np.nan], dtype)])


def points(dtype: type, count: int = 16000) -> Array:
    """Numbers of every exponent, around the places that matter and where most arguments are."""
    rng = np.random.default_rng(7)
    bits = {np.float64: np.uint64, np.float32: np.uint32}[dtype]
    every = rng.integers(0, np.iinfo(bits).max, 2 * count, dtype=bits).view(dtype)
    near = [c + w * rng.standard_normal(count // 8) for c in (0, 1, -1) for w in (1e-8, 1e-3, 0.3)]
    wide = [w * rng.uniform(-1, 1, count // 2) for w in (1, 3, 10, 50, 120, 760, 1100, 1e8)]
    usual = np.concatenate([*near, *wide]).astype(dtype)
    return np.concatenate([every, usual, specials(dtype)])


@cache
def arguments(name: str) -> list[Array]:
    """Points for each parameter: for two of them also every pair of special ones."""
    x = points(dtype_of(name))
    if base(name) not in TWO:
        return [x]
    other = np.random.default_rng(8).permutation(x)
    a, b = (grid.ravel() for grid in np.meshgrid(*2 * [specials(dtype_of(name))]))
    near = np.clip(np.abs(x), 1e-3, 1e3)  # where a power is neither nothing nor all
    return [np.concatenate([x, a, near]), np.concatenate([other, b, other])]


# -- references ----------------------------------------------------------------------------


def sigmoid(x: Array) -> Array:
    t = np.exp(-np.abs(x))
    return np.where(x < 0, t, 1) / (1 + t)


def erf_series(x: Array) -> Array:
    """2/sqrt(pi) e**-x**2 (x + 2 x**3/3 + 4 x**5/15 + ...): no term is negative for x > 0."""
    term = total = x
    for n in range(1, 90):
        term = term * (2 * x * x / (2 * n + 1))
        total = total + term
    return 2 / np.sqrt(pi()) * exp_of_square(x) * total


def exp_of_square(x: Array) -> Array:
    """e**-x**2, the square in two parts of which the first is exact."""
    upper = np.trunc(x * 2**24) / 2**24
    return np.exp(-upper * upper) * np.exp((upper - x) * (upper + x))


def pi() -> Any:
    return 4 * np.arctan(Long(1))


def erfc_fraction(x: Array) -> Array:
    """The continued fraction of Laplace, from its far end."""
    rest = x
    for n in range(160, 0, -1):
        rest = x + Long(n) / 2 / rest
    return exp_of_square(x) / np.sqrt(pi()) / rest


def erfc(x: Array) -> Array:
    a = np.abs(x)
    inner, outer = np.minimum(a, 2), np.clip(a, 2, 40)
    upper = np.where(a < 2, 1 - erf_series(inner), erfc_fraction(outer))
    return np.where(np.isnan(x), x, np.where(x < 0, 2 - upper, upper))


def erf(x: Array) -> Array:
    a = np.abs(x)
    y = np.where(a < 2, erf_series(np.minimum(a, 2)), 1 - erfc_fraction(np.clip(a, 2, 40)))
    return np.where(np.isnan(x), x, np.copysign(y, x))


OWN: dict[str, Callable[..., Array]] = {
    "sigmoid": sigmoid,
    "erf": erf,
    "erfc": erfc,
    "pow": np.power,
}


@cache
def reference(name: str) -> Array:
    """At the ``arguments``."""
    function = OWN.get(base(name)) or getattr(np, base(name))
    with np.errstate(all="ignore"):
        return function(*(x.astype(Long) for x in arguments(name)))


# -- errors ----------------------------------------------------------------------------------


def errors(name: str, found: Array) -> Array:
    """How far ``found`` is from the reference, in ulp of its place; inf where the kind differs."""
    exact, of = reference(name), np.finfo(found.dtype)
    with np.errstate(all="ignore"):
        rounded = exact.astype(found.dtype)
        place = np.abs(rounded)
        if base(name) == "logaddexp":
            sizes = [np.abs(x) for x in arguments(name)]
            place = np.maximum.reduce([place, *sizes, np.full_like(place, 0.69)])
        unit = np.spacing(np.where(np.isfinite(place), place, of.max).astype(found.dtype))
        distance = (np.abs(found.astype(Long) - exact) / unit).astype(float)
        both = np.isfinite(found) & np.isfinite(rounded)
        agree = (found == rounded) | (np.isnan(found) & np.isnan(rounded))
        # a result within the bound of the largest number may round to infinity, and back
        edge = np.isfinite(exact) & (np.abs(exact) > of.max * (1 - Long(of.eps) * ALL_BOUNDS[name]))
        edge &= np.isinf(found) | np.isinf(rounded)
    return np.where(both, distance, np.where(agree | edge, 0.0, np.inf))


def check(name: str, found: Array) -> None:
    """``found`` at the ``arguments``: within the stated bound, every zero of the right sign."""
    inputs, wrong = arguments(name), errors(name, found)
    if name in RANGES:
        far = np.abs(inputs[0]) > RANGES[name]
        assert np.all(np.isnan(found[far])), f"{name} gives a number beyond its range"
        wrong[far] = 0.0
    bound = ALL_BOUNDS[name] + (0.0 if EXTENDED or name in BOUNDS_F else 1.0)
    at = int(np.argmax(wrong))
    here = [x[at] for x in inputs]
    assert wrong[at] <= bound, f"{name}{here} = {found[at]!r} is {wrong[at]:.3f} ulp off"
    with np.errstate(all="ignore"):
        exact = reference(name).astype(found.dtype)
    turned = (found == 0) & (exact == 0) & (np.signbit(found) != np.signbit(exact))
    assert not turned.any(), f"{name} at {[x[turned][:3] for x in inputs]}: sign of zero"
