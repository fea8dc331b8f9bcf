"""A statement under a condition that is certain to fail if it runs: the text raises what Python raises, then."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

TABLE = {"near": 2.0, "far": 3.0}
PAIR = (1.5, 2.5)


def wrapped(x, low):
    x = x * 3.0
    outside = x < low
    if np.any(outside):
        x[outside] = 2.0 * low - x[outside]
    return x * x


def looked_up(x, low):
    scale = 1.0
    if x < low:
        scale = TABLE["none"]
    return scale * x * x


def of_a_pair(x, low):
    y = x
    if x < low:
        y = x * PAIR[2]
    else:
        y = x * PAIR[1]
    return y * y


def of_a_list_made_here(x, low):
    xs = [x, 2.0 * x]
    for k in range(3):
        if k * x < low:
            xs[0] = xs[5]
        xs[1] = xs[1] * x
    return xs[0] + xs[1]


def in_a_helper(x, low):
    return of_a_pair(x, low) + wrapped(x, low)


def filled_on_the_way(x, low):
    """The entry is not there in the first round, and is in later ones."""
    made = {}
    y = x
    for k in range(3):
        if k > 0:
            y = y * made["a"]
        made["a"] = x + k
    return y - low


PROGRAMS = [
    (wrapped, TypeError), (looked_up, KeyError), (of_a_pair, IndexError), (of_a_list_made_here, IndexError),
    (in_a_helper, IndexError),
]  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize(("program", "kind"), PROGRAMS, ids=lambda p: p.__name__)
def test_it_is_compiled_and_raises_as_python_does(program: Any, kind: type[Exception]) -> None:
    derive = rg.grad(program, strict=True)
    at = (0.7, -0.5)
    expected = (program(0.7 + 1e-6, -0.5) - program(0.7 - 1e-6, -0.5)) / 2e-6
    np.testing.assert_allclose(derive(*at), expected, rtol=1e-6)
    for call in (program, derive, lambda x, low: rg.jvp(program, (x, low), (1.0, 0.0))):
        with pytest.raises(kind):
            call(0.7, 3.0)


def test_an_entry_that_comes_later_is_there() -> None:
    expected = (filled_on_the_way(0.7 + 1e-6, 0.0) - filled_on_the_way(0.7 - 1e-6, 0.0)) / 2e-6
    np.testing.assert_allclose(rg.grad(filled_on_the_way)(0.7, 0.0), expected, rtol=1e-6)


def test_what_always_fails_is_an_error_of_the_compiler() -> None:
    def always(x):
        return x * TABLE["none"]

    with pytest.raises(rg.RetrogradError, match="no item 'none'"):
        rg.grad(always, strict=True)(0.7)


KNOWN = {"a": 2.0}


def tried(x, name="b"):
    try:
        scale = KNOWN[name]
    except KeyError:
        scale = 5.0
    return scale * x * x


def tried_for_all(x, name="a"):
    try:
        scale = KNOWN[name] * x
        y = scale * x
    except KeyError:
        y = 5.0 * x * x
    return y


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("program", [tried, tried_for_all], ids=lambda f: f.__name__)
def test_an_entry_comes_and_goes(
    program: Any, strict: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    derive = rg.grad(program, strict=strict)
    for entries in ({"a": 2.0}, {"a": 2.0, "b": 3.0}, {}, {"b": 4.0, "a": 1.0}, {"a": 7.0}):
        KNOWN.clear()
        KNOWN.update(entries)
        assert derive(1.5) == pytest.approx(program(1.5 + 0.5) - program(1.5 - 0.5)), entries
    KNOWN.clear()
    KNOWN.update({"a": 2.0})


def test_an_entry_that_comes_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    derive = rg.grad(looked_up, strict=True)
    with pytest.raises(KeyError):
        derive(0.7, 3.0)
    monkeypatch.setitem(TABLE, "none", 4.0)
    assert derive(0.7, 3.0) == pytest.approx(5.6)
