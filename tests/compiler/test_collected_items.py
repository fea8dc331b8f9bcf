"""Adjoints of lists that loops go over: collected item by item, never an array that something else holds."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.objects.pytree import flatten

R = np.random.default_rng(0)
X, Y = R.normal(size=(5, 4)), R.normal(size=(5, 4))
SQUARE = [(R.normal(size=(4, 4)), R.normal(size=4)) for _ in range(3)]
ROWS = [R.normal(size=4) for _ in range(3)]


def dense(layers, x):
    for w, b in layers:
        x = np.tanh(x @ w + b)
    return np.sum(x**2)


def but_the_last(layers, x):
    for w, b in layers[:-1]:
        x = np.tanh(x @ w + b)
    w, b = layers[-1]
    return np.sum((x @ w + b) ** 2)


def but_the_first(layers, x):
    x = x @ layers[0][0]
    for w, b in layers[1:]:
        x = np.sin(x @ w) + b
    return np.sum(x)


def read_twice(layers, x):
    total = 0.0
    for w, b in layers:
        x = np.tanh(x @ w + b)
        total += 0.1 * np.sum(w**2)
    for w, _ in layers:
        total += np.sum(np.sin(w))
    return total + np.sum(x)


def numbered(layers, x):
    for k, (w, b) in enumerate(layers):
        x = np.tanh(x @ w + k * b)
    return np.sum(x)


def in_pairs(layers, rows, x):
    for (w, b), r in zip(layers, rows):  # noqa: B905
        x = np.tanh(x @ w + b) * r
    return np.sum(x)


def some_of_them(layers, x):
    for w, b in layers:
        if np.sum(b) > 0.1:
            x = np.tanh(x @ w + b)
    return np.sum(x)


def until(layers, x):
    for w, b in layers:
        x = np.tanh(x @ w + b)
        if np.sum(x) > 1e3:
            break
    return np.sum(x)


def handed_on(rows, x):
    """The adjoint of each row is the one that the next iteration gets."""
    total = np.zeros(4)
    for r in rows:
        total = total + r
    return total @ x[0]


def of_an_argument(rows, x):
    """The adjoint of each row is an argument."""
    total = 0.0
    for r in rows:
        total += r @ x[0]
    return total


def the_same_for_two(layers, x):
    """Both parts of an item have one adjoint."""
    total = 0.0
    for a, b in layers:
        total += np.sum(np.sin(a + b))
    return total


PAIRS = [(R.normal(size=4), R.normal(size=4)) for _ in range(2)]
CASES: list[tuple[Any, tuple[Any, ...]]] = [
    (dense, (SQUARE, X)),
    (but_the_last, (SQUARE, X)),
    (but_the_first, (SQUARE, X)),
    (read_twice, (SQUARE, X)),
    (numbered, (SQUARE, X)),
    (in_pairs, (SQUARE, ROWS, X)),
    (some_of_them, (SQUARE, X)),
    (until, (SQUARE, X)),
    (handed_on, (ROWS, X)),
    (of_an_argument, (ROWS, X)),
    (the_same_for_two, (PAIRS, X)),
]


@pytest.mark.parametrize(("f", "args"), CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_right_to_second_order(f, args) -> None:
    rg.check_grads(f, args, order=2)
    rg.check_grads(f, ([*args[0][:1]], *args[1:]), order=1)
    for backend in ("c",):
        found, wanted = (rg.grad(f, backend=b)(*args) for b in (backend, "numpy"))
        for a, b in zip(flatten(found)[0], flatten(wanted)[0], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-10)


@pytest.mark.parametrize(("f", "args"), CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_no_two_results_are_one_array(f, args) -> None:
    gradients = rg.grad(f, tuple(range(len(args))))(*args)
    leaves = flatten(gradients)[0]
    for k, leaf in enumerate(leaves):
        others = [*leaves[:k], *flatten(args)[0]]
        assert not any(np.shares_memory(leaf, other) for other in others)


def test_an_empty_list() -> None:
    assert rg.grad(dense)([], X) == []
    assert rg.grad(handed_on)([], X) == []


def test_what_is_added_to_zeros_is_collected() -> None:
    text = rg.differentiate(sig="layers: [(f8[n, n], f8[n]), (f8[n, n], f8[n])], x: f8[m, n]")(
        but_the_last
    ).source("grad")
    assert "layers_bar = [(x.T @ " in text
    assert "return layers_bar[::-1]" in text
    assert "rt.zeros_like" not in text
    assert "rt.match" not in text


def nested(params, x):
    (w, b), v = params
    return np.sum(np.tanh(x @ w + b) @ v)


def by_name(p, x):
    return p["scale"] * np.sum(np.tanh(x @ p["w"] + p["b"]))


@pytest.mark.parametrize(
    ("f", "params", "sig"),
    [
        (nested, ((SQUARE[0][0], SQUARE[0][1]), ROWS[0]), "params: ((f8[n, m], f8[m]), f8[m])"),
        (
            by_name,
            {"w": SQUARE[0][0], "b": ROWS[0], "scale": 0.7},
            "p: {'w': f8[n, m], 'b': f8[m], 'scale': float}",
        ),
    ],
)
def test_containers_of_parameters_are_written_out(f, params, sig) -> None:
    rg.check_grads(f, (params, X), order=2)
    text = rg.differentiate(sig=f"{sig}, x: f8[k, n]")(f).source("grad")
    assert "rt.match" not in text
    scope: dict[str, Any] = {}
    exec(text, scope)
    found, wanted = scope[f"{f.__name__}_grad"](params, X), rg.grad(f)(params, X)
    for a, b in zip(flatten(found)[0], flatten(wanted)[0], strict=True):
        assert type(a) is type(b)
        np.testing.assert_allclose(a, b)


def side_by_side(a, b, c):
    s = c
    for x, y in zip(a, b):  # noqa: B905
        s = np.sin(s * x) + c * y
    return np.sum(s)


def with_an_index(a, b, c):
    s = c
    for k in range(min(len(a), len(b))):
        s = np.sin(s * a[k]) + c * b[k]
    return np.sum(s)


@pytest.mark.parametrize("wrt", [(2,), (0,), (1, 2), (0, 1, 2)], ids=str)
@pytest.mark.parametrize("f", [side_by_side, with_an_index])
def test_sequences_of_several_lengths(f, wrt) -> None:
    """One text for all of them: going backwards, the ends of two sequences do not belong together."""
    gradient = rg.grad(f, wrt)
    for m, n in ((3, 3), (4, 2), (2, 4), (1, 3)):
        args = R.normal(size=(m, 4)), R.normal(size=(n, 4)), R.normal(size=4)
        found = gradient(*args)
        for k, bar in zip(wrt, found, strict=True):
            direction = R.normal(size=args[k].shape)
            ends = [
                f(*[x + h * direction if at == k else x for at, x in enumerate(args)])
                for h in (1e-6, -1e-6)
            ]
            np.testing.assert_allclose(
                np.sum(bar * direction), (ends[0] - ends[1]) / 2e-6, rtol=1e-5, atol=1e-8
            )
