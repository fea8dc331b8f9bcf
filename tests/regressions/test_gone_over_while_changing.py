"""What a loop goes over may be written to meanwhile, and an iterator is gone over once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError, UnsupportedSyntax
from tests.both_modes import agrees

X = np.array([0.5, -1.2, 0.7])


def list_written_to(x):
    items, s = [x[0], x[1], x[2]], 0.0
    for v in items:
        items[2] = v * x[1]
        s = s * 0.5 + v
    return s


def list_of_arrays(x):
    items, s = [x * 1.0, x * 2.0], 0.0
    for v in items:
        items[1] = v * x
        s = s * 0.5 + np.sum(v * x)
    return s


def left_early(x):
    items = [x[0], x[1], x[2]]
    for v in items:
        items[2] = v * 3
        if v < 0:
            break
    return sum(items) * items[2]


def enumerated(x):
    items, s = [x[0], x[1], x[2]], 0.0
    for k, v in enumerate(items):
        items[2] = v * 2
        items[k] = v * x[k]
        s = s * 0.5 + v * items[0]
    return s


def zipped(x):
    items, s = [x[0], x[1], x[2]], 0.0
    for v, w in zip(items, reversed(items), strict=True):
        items[1] = v * 2
        s = s * 0.5 + v * w
    return s


def entries(x):
    table, s = {"a": x[0], "b": x[1]}, 0.0
    for _, v in table.items():
        table["b"] = v * x[2]
        s = s * 0.5 + v
    for v in table.values():
        table["b"] = v * x[2]
        s = s * 0.5 + v
    return s


def at_run_time(x):
    items, s = [], 0.0
    for v in x:
        items.append(v)
    for k, v in enumerate(items):
        items[2] = v * 2
        if v > 0:
            items[k] = v * v
        s = s * 0.5 + v * items[0]
    return s


def repeated(x):
    rows = [[x[0]]] * 2 + 2 * [{"k": x[1]}]
    rows[0].append(x[2])
    rows[2]["k"] = x[2] * x[0]
    return sum(rows[1]) * rows[3]["k"]


def one_default(x):
    def kept(items=[]):  # noqa: B006 (that it is one list is the point)
        items.append(x[0] * (len(items) + 1))
        return sum(items)

    return kept() + x[1] * kept()


def total(values):
    s = 0.0
    for v in values:
        s = s * 0.5 + v
    return s


def used_once(x):
    rows = zip([x[0], x[1]], [x[1], x[2]], strict=True)
    s = 0.0
    for a, b in rows:
        s = s * 0.5 + a * b
    squares = (v * v for v in x)
    s = s + sum(squares)
    return s * total(reversed([x[0], x[1]]))


@pytest.mark.parametrize(
    "f",
    [
        list_written_to, list_of_arrays, left_early, enumerated, zipped, entries, at_run_time, repeated,
        one_default, used_once,
    ],
)  # fmt: skip
def test_right(f: Callable[..., Any]) -> None:
    assert rg.value_and_grad(f)(X)[0] == f(X)
    rg.check_grads(f, (X,), order=2)


def appended_to(x):
    items = [x[0], x[1]]
    for v in items:
        if len(items) < 3:
            items.append(v * x[2])
    return sum(items)


def popped(x):
    items, s = [x[0], x[1], x[2]], 0.0
    for v in items:
        items.pop()
        s = s + v
    return s


def appended_to_at_run_time(x):
    items, s = [], 0.0
    for v in x:
        items.append(v)
    for v in items:
        if len(items) < 6:
            items.append(v * 2)
        s = s * 0.5 + v
    return s


def mapped(x):
    items, s = [x[0], x[1]], 0.0
    for v in map(lambda v: v * v, items):
        items[1] = v
        s = s * 0.5 + v
    return s


@pytest.mark.parametrize("f", [appended_to, popped, appended_to_at_run_time, mapped])
def test_what_changes_too_much_is_refused(f: Callable[..., Any]) -> None:
    with pytest.raises(MutationError, match="during iteration"):
        rg.grad(f)(X)


def gone_over_twice(x):
    rows, s = enumerate(x), 0.0
    for k, v in rows:
        s = s + k * v
    for k, v in rows:
        s = s * k * v
    return s


def generator_twice(x):
    squares = (v * v for v in x)
    return sum(squares) + sum(squares)


def mapped_with_what_changes(x):
    factor = 2.0
    scaled = map(lambda v: v * factor, x)
    factor = 3.0
    return sum(scaled)


def generated_with_what_changes(x):
    factor = 2.0

    def scaled():
        for v in x:
            yield v * factor

    items = scaled()
    factor = 3.0
    return sum(items)


def twice(values):
    return sum(values) * len(list(values))


def given_to_one_that_goes_over_it_twice(x):
    return twice(v * v for v in x)


@pytest.mark.parametrize(
    "f",
    [
        gone_over_twice,
        generator_twice,
        mapped_with_what_changes,
        generated_with_what_changes,
        given_to_one_that_goes_over_it_twice,
    ],
)
def test_kept_iterators_are_refused(f: Callable[..., Any]) -> None:
    with pytest.raises(UnsupportedSyntax, match="storing an iterator or dict view"):
        rg.grad(f)(X)


def changed_before(x):
    items = [x[0], x[1]]
    pairs = zip(items, items, strict=True)
    items[0] = 5.0
    return sum(a * b for a, b in pairs)


def view_of_a_dict(x):
    table = {"a": x[0]}
    values = table.values()
    table["b"] = x[1]
    return sum(values)


@pytest.mark.parametrize("f", [changed_before, view_of_a_dict])
def test_kept_iterators_that_one_statement_goes_over(f: Callable[..., Any]) -> None:
    agrees(f, X)
