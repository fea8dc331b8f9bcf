"""Generator functions: lists of what they yield, where it does not show; else on the tape."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.array([0.3, 0.7, 1.1])
LOG: list[int] = []


def squares(x):
    for v in x:
        yield v * v


def flatten(tree):
    for v in tree:
        if isinstance(v, (list, tuple)):
            yield from flatten(v)
        else:
            yield v


def pairs(x):
    for k in range(len(x) - 1):
        yield x[k], x[k + 1]


def until_one(x):
    for v in x:
        if v > 1.0:
            return
        yield v


def running(x):
    total = 0.0
    for v in x:
        total += v
        yield total


class Path:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        for v in self.x:
            yield v * 2.0

    def parts(self):
        yield from self.x


def total(items):
    s = 0.0
    for v in items:
        s = s + v
    return s


def summed(x):
    return sum(squares(x)) * max(squares(x))


def as_an_array(x):
    return np.sum(np.array(list(squares(x))) * np.arange(3.0)) + np.sum(
        np.fromiter(squares(x), float)
    )


def gone_over(x):
    s = 0.0
    for k, v in enumerate(squares(x)):
        s = s + k * v
    for v, w in zip(squares(x), x, strict=True):
        s = s + v * w
    return s


def of_pairs(x):
    return sum(p * q for p, q in pairs(x))


def cut_short(x):
    return sum(until_one(x)) + sum(t * t for t in running(x))


def inner(x):
    def terms():
        yield x[0] ** 2
        yield x[1]
        if x[2] > 0.0:
            yield x[2] * 3.0

    def counted():
        k = 0
        while k < 3:
            yield x[k] * k
            k += 1

    return sum(terms()) * sum(counted())


def unpacked(x):
    a, b, c = squares(x)
    return a * b + c


def of_an_object(x):
    path = Path(x)
    return sum(path.parts()) * sum(v * v for v in path)


def named(x):
    made = squares(x)
    return sum(made)


def handed_on(x):
    return (
        total(squares(x))
        + sum(map(np.sin, squares(x)))
        + sum(itertools.chain(squares(x), squares(2 * x)))
    )


def entries(x):
    table = {}
    for key, v in zip("abc", squares(x), strict=True):
        table[key] = v
    return table["a"] * table["c"]


def nested(x):
    return sum(v * v for v in flatten([x[0], [x[1], (x[2], x[0])]]))


COMPILED = [
    summed, as_an_array, gone_over, of_pairs, cut_short, inner, unpacked, of_an_object, named, handed_on, entries,
    nested,
]  # fmt: skip


def slope(f: Any) -> np.ndarray:
    def at(x: Any) -> Any:
        LOG.clear()
        return f(x)

    return np.array([(at(X + s) - at(X - s)) / 2e-6 for s in 1e-6 * np.eye(3)])


@pytest.mark.parametrize("program", COMPILED, ids=lambda f: f.__name__)
def test_compiled(program: Any) -> None:
    np.testing.assert_allclose(
        rg.grad(program, strict=True)(X), slope(program), rtol=1e-6, atol=1e-8
    )
    rg.check_grads(program, (X,), order=2)


def test_a_tree_of_any_depth() -> None:
    def f(tree: Any) -> Any:
        return sum(v * v for v in flatten(tree))

    assert rg.grad(f, strict=True)([1.0, [2.0, (3.0,)]]) == [2.0, [4.0, (6.0,)]]


# -- where the order would show ----------------------------------------------------------------


def left_early(x):
    s = 0.0
    for v in squares(x):
        if v > 0.4:
            break
        s = s + v
    return s


def left_early_by_number(x):
    s = 0.0
    for k, v in enumerate(squares(x)):
        if k == 1:
            return s * v
        s = s + v
    return s


def one_buffer(x):
    def rows():
        row = np.zeros(2)
        for v in x:
            row[0], row[1] = v, v * v
            yield row

    s = 0.0
    for row in rows():
        s = s + row[0] * row[1]
    return s


def written_by_the_loop(x):
    y = x * 1.0

    def items():
        for k in range(3):
            yield y[k]

    s = 0.0
    for v in items():
        y[2] = 0.5
        s = s + v
    return s


def writes_on_the_way(x):
    y = x * 1.0

    def filled():
        for k in range(3):
            y[k] = y[k] * 2.0
            yield y[k]

    s = 0.0
    for v in filled():
        s = s + v * y[2]
    return s


def draws(x):
    def noisy():
        rng = np.random.default_rng(1)
        for v in x:
            yield v * rng.normal()

    s = 0.0
    for v in noisy():
        s = s + v
    return s


def counts(x):
    def counted():
        for v in x:
            LOG.append(1)
            yield v * len(LOG)

    s = 0.0
    for v in counted():
        s = s + v * len(LOG)
    return s


def endless(x):
    def multiples():
        k = 0
        while True:
            yield x[0] * k
            k += 1

    s = 0.0
    for v in multiples():
        if v > 2.0:
            break
        s = s + v
    return s


class Noisy:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        for v in self.x:
            LOG.append(1)
            yield v * len(LOG)


def of_an_object_that_counts(x):
    s = 0.0
    for v in Noisy(x):
        s = s + v * len(LOG)
    return s


def of_an_object_left_early(x):
    s = 0.0
    for v in Path(x):
        if v > 1.0:
            break
        s = s + v
    return s


def one_item(x):
    return next(squares(x)) * x[1]


def twice(x):
    made = squares(x)
    return sum(made) + sum(made)


def by_hand(x):
    made = iter(squares(x))
    first = next(made)
    return first * sum(made)


ON_THE_TAPE = [
    left_early, left_early_by_number, one_buffer, written_by_the_loop, writes_on_the_way, draws, counts, endless,
    one_item, twice, by_hand, of_an_object_that_counts, of_an_object_left_early,
]  # fmt: skip


@pytest.mark.usefixtures("taped")
@pytest.mark.parametrize("program", ON_THE_TAPE, ids=lambda f: f.__name__)
def test_the_order_shows(program: Any) -> None:
    LOG.clear()
    with pytest.raises(rg.RetrogradError):
        rg.grad(program, strict=True)(X)
    LOG.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = rg.grad(program)(X)
    np.testing.assert_allclose(found, slope(program), rtol=1e-6, atol=1e-8)
