"""``np.array(rows)`` of no rows has one dimension, whatever the rows are when there are some."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

SOME, NONE = np.array([1.3, 0.7, 2.1]), np.array([0.3, 0.7, -0.1])


def pairs(x):
    rows = []
    for v in x:
        if v > 1.0:
            rows.append([v, v * v])
    return np.array(rows)


def by_ndim(x):
    c = pairs(x)
    if c.ndim == 2:
        return np.sum(c[:, 0] * c[:, 1])
    return np.sum(x**3)


def by_length_of_shape(x):
    c = pairs(x)
    return np.sum(c[:, 0]) * x[1] if len(c.shape) == 2 else np.sum(x**3)


def by_shape(x):
    return np.sum(x**2) * (2.0 if pairs(x).shape == (0,) else 3.0)


def by_number(x):
    return np.sum(x**2) * np.ndim(pairs(x).T)


def at_least_two(x):
    c = np.atleast_2d(pairs(x))
    return np.sum(x**2) * c.shape[0] + np.sum(c) * c.shape[1]


def at_least_three(x):
    c = np.atleast_3d(pairs(x))
    return np.sum(x**2) * np.sum(c.shape)


def one_axis_more(x):
    c = pairs(x)[None]
    return np.sum(x**2) * np.sum(c.shape) + np.sum(c)


def computed_before(x):
    c = np.sqrt(2.0 * pairs(x) + 1.0)
    return np.sum(c) + np.sum(x**2) * c.ndim


def of_a_comprehension(x):
    c = np.array([np.outer(v, x) for v in x if v > 1.0])
    if c.ndim < 3:
        return np.sum(x**2)
    return np.sum(c[:, 0])


def of_a_count(x):
    c = np.asarray([[x[k], x[0]] for k in range(int(np.sum(x > 1.0)))])
    try:
        return np.sum(c[:, 0] * x[1])
    except IndexError:
        return np.sum(x**2)


def of_two_lists(x):
    first, second = pairs(x), pairs(-x)
    both = [c for c in (first, second) if c.ndim == 2]
    return np.sum(np.concatenate(both)) if both else np.prod(x)


def in_the_mean(x):
    rows = []
    for v in x:
        if v > 1.0:
            rows.append(v * x)
    return np.sum(np.std(rows)) if rows else np.sum(x**2)


PROGRAMS = [
    by_ndim, by_length_of_shape, by_shape, by_number, at_least_two, at_least_three, one_axis_more,
    computed_before, of_a_comprehension, of_a_count, of_two_lists, in_the_mean,
]  # fmt: skip


def slopes(program: Any, x: np.ndarray) -> np.ndarray:
    e = 1e-6 * np.eye(len(x))
    return np.array([(program(x + d) - program(x - d)) / 2e-6 for d in e])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("order", [(SOME, NONE, SOME), (NONE, SOME, NONE)], ids=["some", "none"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_with_and_without(program: Any, order: Any) -> None:
    gradient = rg.grad(program, strict=True)
    for x in order:
        expected = slopes(program, x)
        np.testing.assert_allclose(gradient(x.copy()), expected, rtol=1e-6, atol=1e-7)
        v = np.array([0.3, -1.1, 0.7])
        value, tangent = rg.jvp(program, (x.copy(),), (v,))
        np.testing.assert_allclose(value, program(x))
        np.testing.assert_allclose(tangent, expected @ v, rtol=1e-6, atol=1e-7)
        second = (slopes(program, x + 1e-3 * v) - slopes(program, x - 1e-3 * v)) / 2e-3
        np.testing.assert_allclose(rg.hvp(program, (x.copy(),), v), second, rtol=1e-3, atol=1e-3)


def test_kernels() -> None:
    def steps(x):
        c = np.array([np.sin(k * x) for k in range(len(x))])
        return np.sum(c[:, 0] if c.ndim == 2 else c) + np.sum(x)

    gradient = rg.grad(steps, backend="c")
    for x in (SOME, SOME, np.zeros(0), SOME):
        np.testing.assert_allclose(gradient(x), slopes(steps, x).reshape(x.shape), rtol=1e-6)


def started(x):
    states = [x]
    for k in range(len(x)):
        states.append(states[-1] * x[k])
    return np.sum(np.array(states)[:, 0])


def repeated(x):
    rows = [np.sin(k * x) for k in range(3)]
    rows.append(x)
    return np.sum(np.array(rows)[:, 0])


def in_branches(x):
    rows = [x, x]
    while len(rows) < 9:
        if x[0] > 0:
            rows.append(2.0 * rows[-1])
        else:
            rows = rows + [x]  # noqa: RUF005
    return np.sum(np.array(rows)[:, 0])


def numbers(x):
    return np.sum(np.array([v * v for v in x if v > 1.0]))


@pytest.mark.parametrize(
    "program", [started, repeated, in_branches, numbers], ids=lambda f: f.__name__
)
def test_what_has_items_for_certain_is_not_asked(program: Any) -> None:
    gradient = rg.differentiate(program)
    text = gradient.source("grad", SOME)
    assert "check_rows" not in text
    np.testing.assert_allclose(
        rg.grad(program, strict=True)(SOME), slopes(program, SOME), rtol=1e-6
    )


def test_a_text_that_is_committed_refuses_none() -> None:
    text = rg.differentiate(by_ndim).source("grad", SOME)
    scope: dict[str, Any] = {}
    exec(text, scope)
    derivative = next(v for n, v in scope.items() if n.endswith("_grad"))
    np.testing.assert_allclose(derivative(SOME), slopes(by_ndim, SOME), rtol=1e-6)
    with pytest.raises(rg.RetrogradError, match="has none"):
        derivative(NONE)


LOG: list[int] = []


def counted(x):
    LOG.append(len(x))
    return by_ndim(x)


def written(x):
    x[1] = x[0] * 0.5
    return by_ndim(x)


def drawn(x, rng):
    return by_ndim(x) * rng.normal()


@pytest.mark.parametrize("program", [counted, written, drawn], ids=lambda f: f.__name__)
def test_what_a_call_has_done_is_not_done_twice(program: Any) -> None:
    """The call that finds no rows is refused, and calls are right from the next one on."""
    gradient = rg.grad(program, strict=True)

    def call(x):
        more = (np.random.default_rng(1),) if program is drawn else ()
        return gradient(x.copy(), *more)

    call(SOME)
    LOG.clear()
    with pytest.raises(rg.RetrogradError, match="call it again"):
        call(NONE)
    assert len(LOG) == (program is counted)
    factor = np.random.default_rng(1).normal() if program is drawn else 1.0
    expected = slopes(
        lambda x: program(x.copy(), Fixed()) if program is drawn else program(x.copy()), NONE
    )
    np.testing.assert_allclose(call(NONE), expected * factor, rtol=1e-6, atol=1e-8)


def columns(x):
    return np.sum(pairs(x)[:, 0])


def asked(x):
    c = pairs(x)
    if c.ndim < 2:
        raise LookupError("no pairs")
    return np.sum(c)


@pytest.mark.parametrize(("program", "kind"), [(columns, IndexError), (asked, LookupError)])
def test_what_the_function_raises_without_rows(program: Any, kind: Any) -> None:
    gradient = rg.grad(program, strict=True)
    for _ in range(2):
        np.testing.assert_allclose(gradient(SOME), slopes(program, SOME), rtol=1e-6)
        with pytest.raises(kind):
            gradient(NONE)


class Fixed:
    def normal(self):
        return 1.0
