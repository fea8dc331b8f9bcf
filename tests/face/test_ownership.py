"""Gradients belong to the caller: no alias of an argument, of each other, of anything kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.objects.pytree import flatten

X = np.array([0.5, -1.0, 2.0])
Y = np.array([1.5, 0.25, -0.5])
A = np.arange(9.0).reshape(3, 3)

# Functions whose gradient is an argument, a constant, or the same array twice.
FUNCTIONS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "sum": (lambda x: np.sum(x), (X,)),
    "mean": (lambda x: np.mean(x), (X,)),
    "dot": (lambda x, y: x @ y, (X, Y)),
    "dot with itself": (lambda x: x @ x, (X,)),
    "add": (lambda x, y: np.sum(x + y), (X, Y)),
    "subtract": (lambda x, y: np.sum(x - y), (X, Y)),
    "unused": (lambda x, y: np.sum(x), (X, Y)),
    "unused scalar": (lambda x, k: np.sum(x), (X, 2.0)),
    "transposed": (lambda a: np.sum(a.T * A), (A,)),
    "reshaped": (lambda a: np.sum(a.reshape(-1)), (A,)),
    "reshaped weights": (lambda a, w: np.sum(a.reshape(-1) * w), (A, np.arange(9.0))),
    "element": (lambda x: x[1], (X,)),
    "slice": (lambda x: np.sum(x[1:]), (X,)),
    "slice times": (lambda x, y: np.sum(x[1:] * y[1:]), (X, Y)),
    "row": (lambda a, x: np.sum(a[0] * x), (A, X)),
    "broadcast": (lambda k, x: np.sum(k + x), (np.float64(2.0), X)),
    "broadcast array": (lambda k, x: np.sum(k + x), (np.ones(1), X)),
    "stacked": (lambda x, y: np.sum(np.stack([x, y])), (X, Y)),
    "concatenated": (lambda x, y: np.sum(np.concatenate([x, y]) * np.arange(6.0)), (X, Y)),
    "list": (lambda p: np.sum(p[0] + p[1]), ([X, Y],)),
    "one array twice": (lambda p: np.sum(p[0] * p[1]), ([X, X],)),
    "dict": (lambda p: p["a"] @ p["b"], ({"a": X, "b": Y},)),
    "no grad": (lambda x, y: np.sum(x * np.sign(y)), (X, Y)),
    "constant": (lambda x: 3.0, (X,)),
    "quadratic": (lambda x, a: x @ a @ x, (X, A)),
    "outer": (lambda x, y: np.sum(np.outer(x, y) * A), (X, Y)),
    "where": (lambda x, y: np.sum(np.where(x > 0, x, y)), (X, Y)),
}


def arrays(tree: Any) -> Iterator[np.ndarray]:
    for leaf in flatten(tree)[0]:
        if isinstance(leaf, np.ndarray):
            yield leaf


def numeric(f: Callable[..., Any], args: tuple[Any, ...], k: int) -> np.ndarray:
    from retrograd.runtime.objects.pytree import basis, map_leaves

    slopes = []
    for _, _, direction in basis(args[k]):
        ends = []
        for t in (1e-6, -1e-6):
            steps = iter(flatten(direction)[0])
            moved = map_leaves(lambda v, steps=steps, t=t: v + t * next(steps), args[k])
            ends.append(float(f(*args[:k], moved, *args[k + 1 :])))
        slopes.append((ends[0] - ends[1]) / 2e-6)
    return np.array(slopes)


def flat(tree: Any) -> np.ndarray:
    return np.concatenate([np.ravel(v) for v in flatten(tree)[0]])


@pytest.mark.parametrize(("f", "args"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_gradients_are_owned_and_writable(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    wrt = tuple(range(len(args)))
    gradient = rg.grad(f, wrt)
    before = [flat(a).copy() for a in args]
    bars = gradient(*args)
    for bar, k in zip(bars, wrt, strict=True):
        np.testing.assert_allclose(flat(bar), numeric(f, args, k), atol=1e-6)
        assert np.shape(bar) == np.shape(args[k]) if isinstance(args[k], np.ndarray) else True
    check_owned(list(arrays(list(bars))), [*arrays(list(args)), A])
    again = gradient(*args)
    check_owned([*arrays(list(again)), *arrays(list(bars))], list(arrays(list(args))))
    for bar in arrays(list(bars)):
        bar += 7.0
    for a, was in zip(args, before, strict=True):
        np.testing.assert_array_equal(flat(a), was)
    for bar, k in zip(gradient(*args), wrt, strict=True):
        np.testing.assert_allclose(flat(bar), numeric(f, args, k), atol=1e-6)


def check_owned(bars: list[np.ndarray], others: list[np.ndarray]) -> None:
    for bar in bars:
        assert bar.flags.writeable
        assert not any(np.may_share_memory(bar, other) for other in others)
    for one, two in combinations(bars, 2):
        assert not np.may_share_memory(one, two)


@pytest.mark.parametrize(("f", "args"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_pullbacks_and_tangents_are_owned_too(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    wrt = tuple(range(len(args)))
    want = [numeric(f, args, k) for k in wrt]
    _, pullback = rg.vjp(f, *args, wrt=wrt)
    first, second = pullback(1.0), pullback(2.0)
    check_owned([*arrays(list(first)), *arrays(list(second))], [*arrays(list(args)), A])
    for k in wrt:
        np.testing.assert_allclose(flat(first[k]), want[k], atol=1e-6)
        np.testing.assert_allclose(flat(second[k]), 2 * want[k], atol=1e-6)
    for k in wrt:
        dot = rg.jvp(f, args, [args[j] if j == k else None for j in wrt])[1]
        np.testing.assert_allclose(dot, flat(args[k]) @ want[k], atol=1e-5)


def test_a_tangent_shares_memory_only_where_the_value_does() -> None:
    direction = np.ones(3)
    for f in (
        lambda x: x,
        lambda x: x[1:],
        lambda x: x * 1.0,
        lambda x: x + 0.0,
        lambda x: np.stack([x, x]),
    ):
        value, dot = rg.jvp(f, (X,), (direction,))
        assert np.may_share_memory(dot, direction) <= np.may_share_memory(value, X)
        np.testing.assert_array_equal(dot, f(direction))
        np.testing.assert_array_equal(value, f(X))


def test_cotangents_are_not_written_to_nor_handed_back() -> None:
    cotangent = np.array([1.0, 2.0, 3.0])
    kept = cotangent.copy()
    for f in (
        lambda x: x,
        lambda x: x + x,
        lambda x: x + 1.0,
        lambda x: x[::-1],
        lambda x: x.reshape(3),
    ):
        _, pullback = rg.vjp(f, X)
        (bar,) = pullback(cotangent)
        check_owned([bar], [cotangent, X])
        bar += 1.0
        np.testing.assert_array_equal(cotangent, kept)


def test_a_read_only_cotangent_will_do() -> None:
    cotangent = np.broadcast_to(2.0, (3,))
    (bar,) = rg.vjp(lambda x: x * Y + x, X)[1](cotangent)
    np.testing.assert_allclose(bar, 2 * (Y + 1))


def test_two_leaves_of_one_gradient_do_not_share() -> None:
    a, b = rg.vjp(lambda x, y: x + y, X, Y)[1](np.ones(3))
    check_owned([a, b], [X, Y])


@pytest.mark.parametrize(
    "f",
    [
        lambda x: (x * 2, x * 2),
        lambda x: [np.sin(x), np.sin(x)],
        lambda x: {"a": x + 1, "b": x + 1},
    ],
)
def test_equal_values_are_as_many_arrays_as_the_function_returns(f: Callable[..., Any]) -> None:
    for value in (rg.vjp(f, X)[0], *rg.jvp(f, (X,), (np.ones(3),))):
        one, two = arrays([value])
        assert not np.may_share_memory(one, two)
        np.testing.assert_array_equal(one, two)
