"""What must hold of a function and its derivatives, whatever the function is.

Tangents agree with finite differences, adjoints with tangents: ``<c, J v> == <J^T c, v>``.
Both derivatives are functions again, and the same laws hold of them: that is second order.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from retrograd.compiler.ir.operations import Function

from .harness import Case, Compiled, pull, push

__all__ = [
    "check_adjoint",
    "check_case",
    "check_dtypes",
    "check_primal",
    "check_step",
    "check_tangent",
    "inner",
    "point",
]

STEP = 1e-5


def direction(value: Any, rng: np.random.Generator) -> Any:
    """A random tangent or cotangent of the kind and shape of ``value``."""
    if isinstance(value, (int, float)):
        return float(rng.uniform(-1, 1))
    if isinstance(value, complex):
        return complex(*rng.uniform(-1, 1, 2))
    raw = np.asarray(rng.uniform(-1, 1, np.shape(value)))
    if value.dtype.kind == "c":
        raw = raw + 1j * rng.uniform(-1, 1, np.shape(value))
    if is_hermitian(value):
        raw = (raw + np.conj(np.swapaxes(raw, -1, -2))) / 2
    made = np.asarray(raw).astype(value.dtype)
    return made if isinstance(value, np.ndarray) else made[()]


def is_hermitian(x: Any) -> bool:
    """A Hermitian argument moves among the Hermitian ones: one triangle may not be read."""
    square = np.ndim(x) > 1 and x.shape[-1] == x.shape[-2] > 1
    return bool(square and np.allclose(x, np.conj(np.swapaxes(x, -1, -2)), rtol=1e-12))


def inner(a: Sequence[Any], b: Sequence[Any]) -> float:
    """The real inner product, of lists of arrays."""
    return float(sum(np.sum(np.real(np.conj(x) * y)) for x, y in zip(a, b, strict=True)))


def moved(values: list[Any], wrt: tuple[int, ...], v: list[Any], step: Any) -> list[Any]:
    out = list(values)
    for k, dv in zip(wrt, v, strict=True):
        x = out[k] + step * dv
        out[k] = x.astype(values[k].dtype) if hasattr(values[k], "dtype") and np.isrealobj(x) else x
    return out


def close(a: Any, b: Any, rtol: float, atol: float) -> None:
    assert np.shape(a) == np.shape(b), f"shape {np.shape(a)}, not {np.shape(b)}"
    np.testing.assert_allclose(a, b, rtol=rtol, atol=atol * (1 + scale(b)))


def scale(x: Any) -> float:
    return float(np.max(np.abs(x), initial=0.0))


class Point:
    """A function where it is differentiated, with random directions."""

    def __init__(
        self, function: Function, values: list[Any], wrt: tuple[int, ...], gauge: bool = False
    ) -> None:
        """``gauge``: results are defined up to a phase, so that only their sizes are compared."""
        self.gauge = gauge
        rng = np.random.default_rng(11)
        self.function, self.values, self.wrt = function, values, wrt
        self.run = Compiled(function)
        self.result = self.run(*values)
        self.v = [direction(values[k], rng) for k in wrt]
        self.c = [direction(y, rng) for y in self.result]

    @cached_property
    def pushed(self) -> Compiled:
        """The tangents of the results."""
        return Compiled(push(self.function, self.wrt))

    @cached_property
    def pulled(self) -> Compiled:
        """The adjoints of the arguments."""
        return Compiled(pull(self.function, self.wrt))

    def differences(self) -> list[Any]:
        sides = [self.run(*moved(self.values, self.wrt, self.v, h)) for h in (STEP, -STEP)]
        if self.gauge:
            sides = [[np.abs(y) ** 2 for y in side] for side in sides]
        return [(np.asarray(a) - np.asarray(b)) / (2 * STEP) for a, b in zip(*sides, strict=True)]


@lru_cache(maxsize=64)
def point(case: Case, gauge: bool = False) -> Point:
    """A case where it is differentiated; what is compiled for one law is there for the next."""
    return Point(case.function, case.values, case.wrt, gauge)


def check_primal(case: Case) -> None:
    """The compiled call is the call, and it leaves its arguments alone."""
    before = copy.deepcopy(case.values)
    got = point(case).run(*case.values)
    for a, b in zip(got, case.expected, strict=True):
        np.testing.assert_array_equal(a, b)
    unchanged(case.values, before)


def unchanged(values: list[Any], before: list[Any]) -> None:
    for a, b in zip(values, before, strict=True):
        np.testing.assert_array_equal(a, b, err_msg="an argument was written to")


def check_tangent(at: Point, smooth: bool = True) -> list[Any]:
    """The tangent has the shape of its value, and is the limit of differences."""
    before = copy.deepcopy(at.values)
    tangents = at.pushed(*at.values, *at.v)
    unchanged(at.values, before)
    for t, y in zip(tangents, at.result, strict=True):
        assert np.shape(t) == np.shape(y), f"a tangent of shape {np.shape(t)}, not {np.shape(y)}"
    if at.gauge:
        measured = [2 * np.real(np.conj(y) * t) for y, t in zip(at.result, tangents, strict=True)]
    else:
        measured = tangents
    for t, d in zip(measured, at.differences(), strict=True) if smooth else ():
        close(t, d, 1e-5, 3e-8)
    return tangents


def check_adjoint(at: Point, tangents: list[Any]) -> list[Any]:
    """``<c, J v> == <J^T c, v>``, in memory that is not the argument's."""
    before = copy.deepcopy(at.values)
    bars = at.pulled(*at.values, *at.c)
    unchanged(at.values, before)
    for k, bar in zip(at.wrt, bars, strict=True):
        x = at.values[k]
        assert np.shape(bar) == np.shape(x), (
            f"a gradient of shape {np.shape(bar)}, not {np.shape(x)}"
        )
        assert np.iscomplexobj(x) or not np.iscomplexobj(bar), (
            "a complex gradient of a real argument"
        )
    arrays = [bar for bar in bars if np.ndim(bar)]
    others = [*at.values, *at.c]
    for k, bar in enumerate(arrays):
        assert bar.flags.writeable, "a gradient that may not be written to"
        shared = [y for y in [*others, *arrays[:k]] if np.may_share_memory(bar, y)]
        assert not shared, "a gradient in memory that is not its own"
    left, right = inner(at.c, tangents), inner(bars, at.v)
    size = sum(scale(c) * scale(t) * np.size(t) for c, t in zip(at.c, tangents, strict=True))
    assert abs(left - right) <= tolerance(at) * (1 + size), (
        f"<c, Jv> = {left}, <J^T c, v> = {right}"
    )
    return bars


def tolerance(at: Point) -> float:
    single = [
        np.result_type(y).itemsize // (1 + np.iscomplexobj(y)) < 8 for y in [*at.result, *at.values]
    ]
    return 1e-5 if any(single) else 1e-9


def check_case(case: Case, order: int, smooth: bool = True, gauge: bool = False) -> None:
    """The laws of a call, and of its derivatives up to ``order``."""
    check_primal(case)
    check_point(point(case, gauge), 1 if gauge else order, smooth)


def check_point(at: Point, order: int, smooth: bool) -> None:
    check_adjoint(at, check_tangent(at, smooth))
    if order == 1:
        return
    n = len(at.function.body.params)
    for derive, extra in ((pull, at.c), (push, at.v)):
        more = tuple(range(n, n + len(extra)))
        derived = Point(derive(at.function, at.wrt), [*at.values, *extra], at.wrt + more)
        check_point(derived, order - 1, smooth)


def check_step(case: Case) -> None:
    """A holomorphic call: the tangent is the imaginary part of a complex step."""
    at = point(case)
    tangents = at.pushed(*at.values, *at.v)
    stepped = at.run(*moved(at.values, at.wrt, at.v, 1e-30j))
    for t, y in zip(tangents, stepped, strict=True):
        close(t, np.imag(y) / 1e-30, 1e-11, 1e-13)


def check_dtypes(case: Case) -> None:
    """float32 stays float32: tangents like results, gradients like arguments."""
    at = point(case)
    for t, y in zip(at.pushed(*at.values, *at.v), at.result, strict=True):
        if np.result_type(y) in (np.float32, np.complex64):
            same_dtype(t, y, "tangent")
    for bar, k in zip(at.pulled(*at.values, *at.c), at.wrt, strict=True):
        same_dtype(bar, at.values[k], "gradient")


def same_dtype(a: Any, b: Any, what: str) -> None:
    if hasattr(b, "dtype"):
        assert getattr(a, "dtype", type(a)) == b.dtype, (
            f"a {what} of {getattr(a, 'dtype', type(a))} for {b.dtype}"
        )
