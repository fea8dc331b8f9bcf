"""``it = iter(xs)``, items taken by ``next``, and the rest gone over: of arrays, lists, ``zip`` and ``enumerate``."""

from __future__ import annotations

import builtins
import itertools
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.traits.lookup import traits_of
from tests.both_modes import agrees
from tests.written import written

X = np.array([0.7, 1.3, -0.6, 0.9])
SOURCES = {
    "array": ("iter(x)", "{}"),
    "view": ("iter(x[::-1])", "{}"),
    "rows": ("iter(np.outer(x, x))", "({} @ x)"),
    "list": ("iter([x[0] * x[1], x[1], x[2] * x[3], x[3], x[0]])", "{}"),
    "list of unknown length": ("iter(kept)", "{}"),
    "zip": ("zip(x, kept)", "({0}[0] * {0}[1])"),
    "enumerate": ("enumerate(x)", "({0}[0] * {0}[1])"),
}
TAKEN = {"none": 0, "one": 1, "two": 2}
REST = {
    "loop": "for v in it:\n        s = s * 0.5 + s * V + V * V",
    "sum": "s = s + sum(V * V for v in it)",
    "list": "squares = [V * V for v in it]\n    s = s + sum(squares)",
    "largest": "s = s * max(V * x[0] for v in it)",
    "in one expression": "s = s + x[1] * sum([V * s for v in it])",
}


def text_of(source: str, taken: str, rest: str) -> str:
    made, value = SOURCES[source]
    steps = "".join(
        f"    s += {value.format('next(it)') if '{0}' not in value else 'of(next(it))'}\n"
        for _ in range(TAKEN[taken])
    )
    return f"""
def of(pair):
    return {value.format("pair")}

def f(x):
    kept = [v * v for v in x if v > -0.5]
    s = x[0]
    it = {made}
{steps}    {REST[rest].replace("V", value.format("v"))}
    return s
"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("source", "taken", "rest"), list(itertools.product(SOURCES, TAKEN, REST)), ids=str
)
def test_in_steps(source: str, taken: str, rest: str) -> None:
    agrees(written(text_of(source, taken, rest)), X)


def test_generator() -> None:
    f = written(
        """
def pairs(values):
    it = iter(values)
    last = next(it)
    for v in it:
        yield last, v
        last = v

def f(x):
    return sum((b - a) ** 2 * a for a, b in pairs(x)) + max(a * b for a, b in pairs(2 * x))
"""
    )
    agrees(f, X, second=True)


def test_written_meanwhile() -> None:
    """An iterator over an array gives what stands there when the turn comes."""
    f = written(
        """
def f(x):
    z = x * 1.0
    it = iter(z)
    first, s = next(it), 0.0
    z[1] = first * first
    for v in it:
        s += v * first
        z[3] = s
    return s
"""
    )
    agrees(f, X)


@pytest.mark.parametrize("change", ["kept.append(x[0])", "kept = kept + [x[0]]", "kept[1] = x[0]"])
def test_list_that_changes(change: str) -> None:
    """What an iterator over a list gives then is not known; what the name holds then does not matter."""
    f = written(
        f"""
def f(x):
    kept = [v * v for v in x if v > -0.5]
    it = iter(kept)
    s = next(it)
    {change}
    for v in it:
        s += v * s
    return s
"""
    )
    if "=" in change.partition("[")[0]:
        agrees(f, X)
    else:
        with pytest.raises(rg.RetrogradError, match="changes during iteration"):
            rg.grad(f, strict=True)(X)


@pytest.mark.parametrize(
    "fn",
    [fn for fn in vars(builtins).values() if traits_of(fn).exhausts],
    ids=lambda fn: fn.__name__,
)
def test_what_takes_all_items(fn: Any) -> None:
    for items in itertools.product((0, 1), repeat=3):
        it = iter(items)
        fn(it)
        assert next(it, None) is None


@pytest.mark.parametrize("fn", [any, all, next])
def test_what_may_stop(fn: Any) -> None:
    assert not traits_of(fn).exhausts
