"""Batches whose examples have values of several shapes, lengths and structures, or lack some: held against loops."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import SignatureMismatch, UnsupportedOperation
from retrograd.runtime.helpers.batches import examples
from retrograd.runtime.traits.lookup import traits_of

X = np.random.default_rng(0).normal(size=(6, 3)) + np.array([0.3, 0.0, 0.4])


def masked(x: Any) -> Any:
    y = x[x > 0.1]
    return np.sum(y * y) + x[0] * x[1]


def masked_in_place(x: Any) -> Any:
    y = 1.5 * x
    y[y > 0.2] = y[y > 0.2] ** 2
    part = x[x > 0.0] * 2.0
    part *= 1.0 + np.sum(part)
    return np.sum(y * x) + np.sum(part)


def as_many_as_said(x: Any) -> Any:
    k = int(abs(x[0]) * 3)
    return np.sum(np.arange(k) * x[1]) + np.sum(x[:k] ** 2)


def without_a_rule(x: Any) -> Any:
    found = np.unique(np.round(x))
    return np.sum(found) * x[0] + len(found) * x[1]


def places(x: Any) -> Any:
    return np.sum(x[np.nonzero(x > 0.0)[0]] * x[0])


def lists_in_a_loop(x: Any) -> Any:
    a, rows = 1.0 * x, [[v, v * v, 1.0] for v in x]
    for _ in range(3):
        a[0] += sum([v for row in rows for v in row if v > 0.2])
    return sum(a) * a[1]


def grouped(x: Any) -> Any:
    below: list[Any] = []
    above: list[Any] = []
    for v in x:
        if v > 0.0:
            above.append(v * v)
        else:
            below.append(v)
    return sum(below) - 2.0 * sum(above)


def pair_out_of_a_loop(x: Any, n: int = 2) -> Any:
    for i in range(n + 1):
        if x[0] > 0.2:
            return np.sin(x[2]), np.sin(x[1])
        for j in range(3):
            a = x[j]
        if np.sum(x) > 0.1 * i:
            return a, np.sin(x[j])
    return x[1], x[2]


def left_early(x: Any) -> Any:
    return pair_out_of_a_loop(x)[1]


def kept_on_one_way(x: Any) -> Any:
    kept, total = np.max(x), np.sort(np.clip(x, -0.8, 0.9))
    if np.prod(x) < 0.1:
        for _ in range(2):
            total = total * 0.3 + 0.5
            if np.sum(total) > 1.5:
                continue
            if x[0] < 0.4:
                kept = x[1]
            else:
                t = x[:2]
                return np.prod(x[1:] + t)
    return np.log1p(np.min(x[:2]) ** 2) + kept


def perhaps_held(x: Any) -> Any:
    held, s = None, x[0]
    if 0.5 * s < 0.2:
        held = [s + 0.2, s * x[1]]
    for i in range(3):
        s = s * x[i]
        if s < -0.23:
            return s * x[0]
    if held is not None:
        s = s + held[1] - 0.3 * held[0]
    return s * x[1]


PROGRAMS = [
    masked, masked_in_place, as_many_as_said, without_a_rule, places, lists_in_a_loop, grouped, left_early,
    kept_on_one_way, perhaps_held,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.BatchWarning")
def test_examples_that_are_unlike(f: Callable[[Any], Any]) -> None:
    slope = rg.grad(f, strict=True)
    values, slopes = [f(x.copy()) for x in X], [slope(x.copy()) for x in X]
    np.testing.assert_allclose(rg.vmap(f, strict=True)(X), values, rtol=1e-10)
    np.testing.assert_allclose(rg.vmap(slope)(X), slopes, rtol=1e-9, atol=1e-12)
    _, pull = rg.vjp(rg.vmap(f), X, strict=True)
    np.testing.assert_allclose(pull(np.ones(len(X)))[0], slopes, rtol=1e-9, atol=1e-12)


@pytest.mark.filterwarnings("ignore")
def test_lists_of_examples_are_written_to_alone() -> None:
    x = X.copy()
    rg.vmap(masked_in_place, strict=True)(x)
    np.testing.assert_array_equal(x, X)


UNLIKE: dict[str, tuple[Callable[[Any], Any], str]] = {
    "shapes": (lambda x: x[x > 0.0], r"an array of the shape \(\d,\), and an array of the shape"),
    "nothing": (lambda x: None if x[0] > 0.5 else x, r"nothing, and an array|, and nothing"),
    "parts": (lambda x: (x, None if x[0] > 0.5 else x), "nothing"),
    "lengths": (lambda x: [x[0]] * (1 + int(x[0] > 0.5)), r"list\(0: a value, 1: a value\)"),
    "ranks": (lambda x: x if x[0] > 0.5 else x[0], "a value"),
}


@pytest.mark.parametrize("name", UNLIKE)
@pytest.mark.parametrize("strict", [True, False])
def test_results_that_are_unlike_are_refused(name: str, strict: bool) -> None:
    f, words = UNLIKE[name]
    with pytest.raises(UnsupportedOperation, match=f"give no one result: .*({words})"):
        rg.vmap(f, strict=strict)(X)


def halved(x: Any) -> Any:
    s = x[0]
    while s > 1.0:
        s = s / 2
    return s


def of_several_kinds(x: Any) -> Any:
    s, k = 0.0, 0
    for v in x:
        if v < 0:
            break
        s += v * v
        k += 1
    y = np.log1p(x) if x[0] > 0.0 else x * x
    return {"s": s, "k": k, "y": y, "pair": (x[:2], y > 0.5)}


UNTYPED = (
    lists_in_a_loop,
    kept_on_one_way,
    perhaps_held,
)  # the shape of a gradient, or more, is not known
NONE = [
    *(f for f in PROGRAMS if f not in UNTYPED),
    halved,
    lambda x: np.sum(np.convolve(x, np.ones(2))),
]


@pytest.mark.parametrize("f", NONE, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.BatchWarning")
def test_batches_of_no_examples(f: Callable[[Any], Any]) -> None:
    for before in (0, 4):  # the first call, and one that is known
        made, slopes = rg.vmap(f), rg.vmap(rg.grad(f))
        if before:
            made(X[:before]), slopes(X[:before])
        assert made(X[:0]).shape == (0,)
        assert slopes(X[:0]).shape == (0, 3)


def test_kinds_of_no_examples() -> None:
    none, some = rg.vmap(of_several_kinds)(X[:0]), rg.vmap(of_several_kinds)(X)
    for a, b in zip([*none.values(), *none["pair"]], [*some.values(), *some["pair"]], strict=True):
        if not isinstance(a, tuple):
            assert (a.shape, a.dtype) == ((0, *b.shape[1:]), b.dtype)


def test_no_examples_of_an_unknown_shape() -> None:
    with pytest.raises(SignatureMismatch, match="no examples: nothing tells the shape"):
        rg.vmap(lambda x: x[x > 0.0])(X[:0])
    with pytest.raises(ValueError, match="zero-size array"):
        rg.vmap(lambda x: np.max(x) * 2.0)(X[:, :0])


# -- containers of examples -----------------------------------------------------------------


def pair_and_list(x):
    items = [x[0], x[1] * x[2], 0.3]
    if x[2] > 100:
        return x[1], items[0]  # another type: the tape takes the call
    return x[1], items


def of_a_list(x):
    r = pair_and_list(x)
    return r[0] * 0.5 + sum(r[1]) + r[1][1] ** 2


@pytest.mark.filterwarnings("ignore")
def test_adjoints_of_containers_are_added_leaf_by_leaf() -> None:
    xs = np.array([[0.8, -0.6, 1.3], [1.2, 0.5, -0.7]])
    want = [rg.grad(of_a_list)(x) for x in xs]
    np.testing.assert_allclose(rg.vjp(rg.vmap(of_a_list), xs)[1](np.ones(2))[0], want)
    np.testing.assert_allclose(rg.vmap(rg.grad(of_a_list))(xs), want)


CONTAINER = [np.ones(2), np.ones(2)]


@pytest.mark.parametrize(
    ("helper", "given"),
    [
        (examples.example, (0,)),
        (examples.put_example, ([np.ones((3, 2)), np.ones((3, 2))], 0)),
        (examples.examples_like, (CONTAINER,)),
        (examples.repeated_examples, (2,)),
        (examples.summed_examples, ()),
        (examples.examples_moved, (0,)),
        (examples.examples_first, (0, 2)),
    ],
)
def test_what_gives_containers_says_so(helper: Any, given: Any) -> None:
    assert isinstance(helper(CONTAINER, *given), list)
    assert traits_of(helper).gives == "container"


def test_every_helper_of_batches_is_asked() -> None:
    """A list of arrays among what each takes: what gives one says so."""
    for helper in (getattr(examples, name) for name in examples.__all__):
        for given in ((), (0,), (CONTAINER,), (CONTAINER, 0), (0, 2), (2,)):
            with contextlib.suppress(Exception):
                found = helper(CONTAINER, *given)
                known = traits_of(helper).gives == "container" or helper is examples.aligned
                assert known or not isinstance(found, list), helper.__name__
