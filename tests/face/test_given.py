"""Cotangents and tangents that are given: of any kind of numbers, in any memory, the caller's own arrays among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError, SignatureMismatch

pytestmark = pytest.mark.usefixtures("unchecked")

X = np.array([0.5, -1.0, 2.0])
M = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])


def itself(x: Any) -> Any:
    return x


def twice(x: Any) -> Any:
    y = np.sin(x)
    return {"a": y, "b": [y, y.T]}


def in_parts(x: Any) -> Any:
    y = x.copy()
    for k in range(1, len(y)):
        y[k] = y[k - 1] * y[k]
    return y


def on_the_tape(x: Any) -> Any:
    return x * len({1, 2}) + np.cumsum(x, axis=-1)


KINDS: dict[str, Callable[[Any], Any]] = {
    "whole numbers": lambda c: c.astype(int),
    "booleans": lambda c: c > 0,
    "single precision": lambda c: c.astype(np.float32),
    "long doubles": lambda c: c.astype(np.longdouble),
    "complex numbers that are real": lambda c: c.astype(complex),
    "the other order of bytes": lambda c: c.astype(">f8"),
    "one number": lambda c: np.broadcast_to(2.0, c.shape),
    "the order of Fortran": np.asfortranarray,
    "backwards": lambda c: c[::-1],
}


def changed(change: Callable[[Any], Any], tree: Any) -> Any:
    if isinstance(tree, dict):
        return {k: changed(change, v) for k, v in tree.items()}
    return [changed(change, v) for v in tree] if isinstance(tree, list) else change(tree)


@pytest.mark.sampled(5)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("change", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("f", [itself, twice, in_parts, on_the_tape])
@pytest.mark.parametrize("x", [X, M, M.astype(np.float32)], ids=["row", "table", "single"])
def test_cotangents_of_any_kind(f: Any, x: Any, change: Any) -> None:
    value, pull = rg.differentiate(f, fallback="tape").vjp(x)
    one = np.arange(-1.0, x.size - 1.0).reshape(x.shape)
    given = changed(lambda y: change(one.T if y.shape != one.shape else one), value)
    want = changed(lambda c: np.array(c).astype(x.dtype), given)
    (bar,), (expected,) = pull(given), pull(want)
    assert bar.dtype == x.dtype and bar.flags.writeable
    np.testing.assert_array_equal(bar, expected)


def test_a_number_is_as_precise_as_the_result() -> None:
    def f(a: Any, b: Any) -> Any:
        return np.sum(a * b / (1 + a * a))

    a, b = M.astype(np.float32), M / 3
    _, pull = rg.vjp(f, a, b)
    for c in (1.0, 1, True, np.float32(1.0)):
        bars = pull(c)
        assert [bar.dtype for bar in bars] == [np.float32, np.float64]
        for bar, want in zip(bars, pull(np.float64(1.0)), strict=True):
            np.testing.assert_array_equal(bar, want)


@pytest.mark.parametrize("c", [(1j, X), ("a", X), (1.0, X.astype(object)), (None, X), (1.0, None)])
def test_what_is_no_cotangent_is_refused(c: Any) -> None:
    _, pull = rg.vjp(lambda x: (np.sum(x), 2 * x), X)
    with pytest.raises(SignatureMismatch, match="a cotangent"):
        pull(c)


@pytest.mark.parametrize("c", [[X, X], {"a": X, "c": X}, {"a": X}, (X, X), 1.0, X, None])
def test_cotangents_have_the_keys_of_the_result(c: Any) -> None:
    _, pull = rg.vjp(lambda x: {"a": x, "b": 2 * x}, X)
    with pytest.raises(SignatureMismatch, match="the cotangent must be a dict of 2"):
        pull(c)
    np.testing.assert_array_equal(pull({"b": X, "a": 0 * X})[0], 2 * X)


def scaled(x: Any) -> Any:
    x *= 3.0
    x[0] = x[0] * x[1]
    return np.sum(x * x)


def shifted(x: Any, y: Any) -> Any:
    x += y
    return x * y


def test_tangents_that_are_the_argument_that_is_written_to() -> None:
    def both(call: Callable[..., Any], f: Any, *args: Any) -> None:
        one, two = ([a.copy() for a in args] for _ in range(2))
        mine = call(f, one, [a.copy() for a in args])
        np.testing.assert_array_equal(call(f, two, list(two)), mine)
        np.testing.assert_array_equal(one, two)

    both(lambda f, args, dots: rg.jvp(f, args, dots)[1], scaled, X)
    both(lambda f, args, dots: rg.jvp(f, args, dots)[1], shifted, X, X + 1)
    both(lambda f, args, dots: rg.hvp(f, args, *dots), scaled, X)
    both(lambda f, args, dots: rg.jvp(f, args, [d[::-1] for d in dots])[1], scaled, X)


def test_a_text_refuses_such_tangents() -> None:
    space: dict[str, Any] = {}
    exec(rg.differentiate(scaled).source("jvp", X), space)
    value, dot = space["scaled_jvp"](X.copy(), X.copy())
    assert (value, dot) == rg.jvp(scaled, (X.copy(),), (X,))
    x = X.copy()
    with pytest.raises(MutationError, match="overlaps another argument"):
        space["scaled_jvp"](x, x)


def test_a_tangent_of_what_is_new_shows_nothing_of_the_callers() -> None:
    for f in (
        lambda x: np.broadcast_to(x, (2, 3)) * 1.0,
        lambda x: x[1:] + 0.0,
        lambda x: 1.0 * x[None].T,
    ):
        dot = np.ones(3)
        tangent = rg.jvp(f, (X,), (dot,))[1]
        tangent += 1.0
        np.testing.assert_array_equal(dot, 1.0)


# -- in the kinds of arguments and results -------------------------------------------------------


def product(p: Any) -> Any:
    p = list(p.values()) if isinstance(p, dict) else p
    return p[0] * p[0] * p[1]


@pytest.mark.parametrize("kind", [np.float32, np.float16, np.longdouble])
@pytest.mark.parametrize("put", [list, tuple, lambda p: dict(zip("ab", p, strict=True))])
def test_second_derivatives_of_containers_of_numbers(put: Any, kind: Any) -> None:
    at = put([kind(3.0), kind(2.0)])
    for direction, want in (([1, 0], [4.0, 6.0]), ([0, 1], [6.0, 0.0])):
        found = rg.hvp(product, (at,), put([kind(d) for d in direction]))
        flat = list(found.values()) if isinstance(found, dict) else list(found)
        assert flat == want and {type(v) for v in flat} == {kind}


def test_tangents_in_single_precision_that_are_complex() -> None:
    def steps(z: Any) -> Any:
        for k in range(1, len(z)):
            z[k] = z[k] * z[k - 1]
        return z

    def carried(z: Any) -> Any:
        for _ in range(2):
            z = np.tanh(z)
        return z

    z = (X + 1j).astype(np.complex64)
    for f in (steps, carried):
        value, dot = rg.jvp(f, (z.copy(),), (np.ones_like(z),))
        assert value.dtype == dot.dtype == np.complex64
