"""Bottleneck's statistics, differentiated as programs of NumPy: measured against it where it is installed."""

from __future__ import annotations

import sys
import types
import warnings
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.replacements import bottleneck as programs
from tests.fuzz.checks import check_function
from tests.written import written

A = np.array([[0.4, 1.5, -0.3], [0.2, 1.1, 0.7], [-0.6, 0.9, 1.9], [0.1, 0.3, 2.2]])
WHOLE = [name for name in programs.__all__ if not name.startswith("move")]
MOVING = [name for name in programs.__all__ if name.startswith("move")]
SMOOTH = [name for name in WHOLE if name not in ("nanargmax", "nanargmin", "anynan", "allnan")]
CALLS = [
    f"bn.{name}({given})" for name in SMOOTH for given in ("a", "a, 0", "a, axis=-1", "a[:, 1]")
]
CALLS += [f"bn.{name}({given})" for name in MOVING
          for given in ("a, 2", "a, 3, min_count=2", "a, window=2, axis=0")]  # fmt: skip
CALLS += ["bn.nanstd(a, axis=1, ddof=1)", "bn.nanvar(a, 0, 2)", "bn.move_std(a, 3, ddof=1, axis=0)"]


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A module that is called as Bottleneck is, whose functions take arrays of numbers alone."""
    module = types.ModuleType("bottleneck")
    for name in programs.__all__:
        setattr(module, name, of_numbers(name))
    monkeypatch.setitem(sys.modules, "bottleneck", module)
    return module


def of_numbers(name: str) -> Any:
    def own(a: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(programs, name)(np.asarray(a), *args, **kwargs)

    own.__name__, own.__module__ = name, "bottleneck.reduce"
    return own


def at_numbers(call: str) -> str:
    """A program with one number, which has nothing where windows are not full."""
    return f"def f(a):\n    return np.sum(np.sin(np.nan_to_num({call})) * a[0, 0])\n"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("call", CALLS)
def test_derivatives(call: str, pretended: types.ModuleType) -> None:
    found = check_function(written(at_numbers(call), bn=pretended), (A,))
    assert found.verdict == "ok", f"{found.reason}\n{found.detail}"


def test_entries_that_are_not_there(pretended: types.ModuleType) -> None:
    text = "def f(a):\n    return bn.nanmean(a) * bn.nanmax(a) + bn.nansum(bn.nanstd(a, axis=0))\n"
    f = written(text, bn=pretended)
    holed = np.where(A > 1.2, np.nan, A)
    there = ~np.isnan(holed)
    found = rg.grad(f)(holed)
    h = 1e-6
    for place in zip(*np.nonzero(there), strict=True):
        step = np.zeros_like(holed)
        step[place] = h
        assert np.isclose(found[place], (f(holed + step) - f(holed - step)) / (2 * h), atol=1e-7)
    assert not np.any(found[~there])


def test_what_is_not_differentiated_is_its_own(pretended: types.ModuleType) -> None:
    called = []

    def own(a: Any, axis: Any = None) -> Any:
        called.append(axis)
        return 3.0

    own.__name__, own.__module__ = "nanmean", "bottleneck.reduce"
    pretended.nanmean = own  # type: ignore[attr-defined]
    text = "def f(x, a):\n    return x * bn.nanmean(a) * bn.nanargmax(x * a, axis=0)[2]\n"
    assert rg.grad(written(text, bn=pretended))(2.0, A) == 9.0
    assert set(called) == {None}


def test_another_function_of_that_name_is_another(pretended: types.ModuleType) -> None:
    def nanmean(a: Any) -> Any:
        return a * a

    nanmean.__module__ = "bottleneck.mine"
    f = written("def f(x):\n    return nanmean(x)\n", nanmean=nanmean)
    assert rg.grad(f)(3.0) == 6.0


def test_few_entries_of_a_variance(pretended: types.ModuleType) -> None:
    text = "def f(a):\n    return np.sum(bn.move_var(a, 3, 1, ddof=1))\n"
    with pytest.raises(rg.RetrogradError, match="no more than `ddof`"):
        rg.grad(written(text, bn=pretended), strict=True)(A)


@pytest.mark.parametrize("name", programs.__all__)
def test_values_are_those_of_bottleneck(name: str) -> None:
    bn = pytest.importorskip("bottleneck")
    options = (
        [{}]
        if name in WHOLE
        else [{"window": w, "min_count": m} for w in (2, 3) for m in (2, None)]
    )
    for dtype in (np.float64, np.float32):
        for given in (A, A[:, 0], np.where(A > 1.2, np.nan, A), A[None] * np.nan):
            x = given.astype(dtype)
            for axis in (*range(-x.ndim, x.ndim), *([None] if name in WHOLE else [])):
                for option in options:
                    check_same(
                        getattr(bn, name), getattr(programs, name), x, option | {"axis": axis}
                    )


def check_same(theirs: Any, ours: Any, x: np.ndarray, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy tells of what is empty
        try:
            wanted = theirs(x, **options)
        except ValueError:
            with pytest.raises(ValueError, match="window|All-NaN"):
                ours(x, **options)
            return
        found = ours(x, **options)
    assert type(found) is type(wanted)
    assert getattr(found, "dtype", None) == getattr(wanted, "dtype", None)
    close = 1e-10 if x.dtype == np.float64 else 1e-4
    assert np.allclose(found, wanted, rtol=close, atol=close, equal_nan=True)
