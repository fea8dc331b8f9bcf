"""A function compiled strictly, in both modes, against finite differences; what it leaves in its arguments, too."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np

import retrograd as rg

__all__ = ["agrees", "differences"]

STEP = 1e-6


def agrees(f: Any, *args: Any, second: bool = False) -> None:
    """Assert that value, gradient and tangent with respect to the first argument are right, and the arguments left alike."""
    given, left = copy.deepcopy(args), copy.deepcopy(args)
    want = f(*left)
    value, gradient = rg.value_and_grad(f, strict=True)(*given)
    assert value == want or np.allclose(value, want, rtol=1e-12)
    assert repr(given) == repr(left)
    slopes = differences(f, args)
    np.testing.assert_allclose(list(numbers(gradient)), slopes, rtol=1e-5, atol=1e-7)
    way = np.random.default_rng(0).normal(size=len(slopes))
    tangents = (filled(args[0], iter(way)), *[None] * (len(args) - 1))
    tangent = rg.jvp(f, copy.deepcopy(args), tangents, strict=True)[1]
    np.testing.assert_allclose(tangent, slopes @ way, rtol=1e-5, atol=1e-7)
    if second:
        curvatures(f, args, way)


def curvatures(f: Any, args: tuple[Any, ...], way: Any) -> None:
    """The Hessian of an array, in one direction."""
    hessian = rg.hessian(f, strict=True)(*copy.deepcopy(args))
    up, down = (
        rg.grad(f, strict=True)(args[0] + h * way, *copy.deepcopy(args[1:])) for h in (STEP, -STEP)
    )
    np.testing.assert_allclose(hessian @ way, (up - down) / (2 * STEP), rtol=1e-5, atol=1e-6)


def differences(f: Any, args: tuple[Any, ...]) -> Any:
    values = list(map(float, numbers(args[0])))
    slopes = []
    for k in range(len(values)):
        ends = []
        for h in (STEP, -STEP):
            moved = [v + h * (j == k) for j, v in enumerate(values)]
            ends.append(f(filled(args[0], iter(moved)), *copy.deepcopy(args[1:])))
        slopes.append((ends[0] - ends[1]) / (2 * STEP))
    return np.array(slopes)


def numbers(x: Any) -> Iterator[Any]:
    """The numbers of an array, or of lists, tuples and dicts of them."""
    if isinstance(x, np.ndarray):
        yield from x.ravel()
    elif isinstance(x, dict):
        yield from numbers(list(x.values()))
    elif isinstance(x, (list, tuple)):
        for item in x:
            yield from numbers(item)
    else:
        yield x


def filled(x: Any, values: Iterator[float]) -> Any:
    """The same container with other numbers."""
    if isinstance(x, np.ndarray):
        return np.array([next(values) for _ in range(x.size)]).reshape(x.shape)
    if isinstance(x, dict):
        return {k: filled(v, values) for k, v in x.items()}
    if isinstance(x, (list, tuple)):
        return type(x)(filled(v, values) for v in x)
    return next(values)
