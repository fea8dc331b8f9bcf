"""The check at birth at points where a function has slopes to every side and no derivative: no verdict, unless they explain nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import integrate

import retrograd as rg
from retrograd import runtime as rt
from tests.written import written

W = np.array([1.0, -2.0, 3.0, 0.5])
CASES = (
    "np.median(x)",
    "np.median(x[:3]) ** 2",
    "np.percentile(x, 30)",
    "np.sum(np.sort(x) * W)",
    "np.sum(x[np.argsort(x)] * W)",
    "np.sum(np.maximum.accumulate(x) * W)",
    "np.sum(np.clip(x, 1.0, 3.0) * W)",
    "np.sum(np.where(x > 1.0, x, 1.0) * W)",
    "np.sum(np.abs(x - 1.0) * W)",
    "np.sum(np.maximum(x, x[::-1]) * W)",
    "np.max(x) - np.min(x) + np.ptp(x)",
    "np.sum(np.sort(x)[:2])",
    "np.max(np.outer(x, x)) + np.linalg.norm(x - 1.0)",
)


@pytest.fixture(autouse=True)
def _checked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    monkeypatch.delenv("RETROGRAD_CHECK", raising=False)


@pytest.mark.parametrize("text", CASES)
@pytest.mark.parametrize("x", [np.ones(4), np.array([1.0, 1.0, 3.0, 3.0])], ids=["one", "two"])
def test_no_alarm_at_a_tie(text: str, x: Any) -> None:
    f = written(f"def f(x):\n    return {text}\n", W=W)
    assert rg.grad(f)(x).shape == (4,)
    assert np.isfinite(rg.jvp(f, (x,), (W,))[1])
    g = written(f"def g(x):\n    return np.array([{text}, np.sum(x)])\n", "g", W=W)
    assert rg.jacobian(g)(x).shape == (2, 4)


def test_a_tie_explains_no_more_than_it_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    right = rt.norm_weight
    monkeypatch.setattr(rt, "norm_weight", lambda *a: 3.0 * right(*a))
    f = written("def f(x):\n    return np.sum(np.linalg.norm(x, axis=1)) + 0.01 * np.median(x)\n")
    with pytest.raises(rg.GradientMismatch):
        rg.grad(f)(np.ones((3, 2)))


def test_a_jump_in_one_argument_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    right = rt.norm_weight
    monkeypatch.setattr(rt, "norm_weight", lambda *a: 3.0 * right(*a))
    f = written("def f(x, w):\n    return np.sum(np.linalg.norm(x, axis=1)) * np.floor(w)\n")
    with pytest.raises(rg.GradientMismatch, match="`x`"):
        rg.grad(f, (0, 1))(np.arange(6.0).reshape(3, 2), 2.0)


def decayed(a: Any) -> Any:
    return integrate.solve_ivp(lambda t, y: -a * y, (0.0, 1.0), [1.0]).y[0, -1]


def test_adapted_steps_are_held_fixed_and_that_is_said() -> None:
    assert rg.grad(decayed)(2.0) == pytest.approx(-np.exp(-2.0), rel=1e-2)
    assert "holds fixed the steps" in str(rg.differentiate(decayed).explain(2.0))
