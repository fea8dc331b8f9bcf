"""Arrays of lists whose length is not known: their rank is that of the items and one, and what is written to a row stays there."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.analyses.shapes.creation import is_flat_of_none

from ..written import written

LISTS = {
    "along the last axis": "[x[..., k] for k in range(x.shape[-1])]",
    "rows": "[row * row for row in x]",
    "numbers": "[np.sum(x) * k for k in range(len(x))]",
    "whole numbers": "[k for k in range(len(x))]",
    "truth values": "[np.sum(row) > 0.5 for row in x]",
    "some": "[row for row in x if np.sum(row) > 0.5]",
    "none": "[row for row in x if np.sum(row) > 1e9]",
    "lists": "[[np.sum(row), 2.0] for row in x]",
    "mixed": "[np.sum(x) if k else 1.0 for k in range(len(x))]",
}  # fmt: skip
USES = {
    "unpacked": "p, q, r = a\n    p -= 1\n    q *= 2\n    return np.sum(p * q * r) + np.sum(a * a)",
    "written": "a[0] = 2.0 * a[1]\n    return np.sum(a * a)",
    "a row written": "p = a[0]\n    p += 1\n    return np.sum(a * a) + np.sum(p)",
    "summed": "return np.sum(np.sum(a * a, axis=0) ** 2) * a.ndim",
    "turned": "return np.sum(a.T[..., 0] * 3.0) + a.size",
    "mean": "return np.sum(np.mean(a * a, axis=-1))",
    "asked": "return np.sum(a * a) if a.dtype.kind == 'f' and a.ndim == 2 else 3.0 * np.sum(a)",
}  # fmt: skip
SHAPES = [(3,), (3, 3), (3, 2), (1,), (0,), (0, 2)]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("made", LISTS)
def test_right_or_refused(made: str, use: str) -> None:
    f = written(f"def f(x):\n    a = np.array({LISTS[made]})\n    {USES[use]}\n")
    for shape in SHAPES:
        x = np.linspace(0.3, 1.4, int(np.prod(shape))).reshape(shape)
        agrees(f, x)


def agrees(f: Any, x: np.ndarray) -> None:
    """The gradient is that of differences; what Python raises is raised, or refused."""
    steps = [1e-6 * e.reshape(x.shape) for e in np.eye(x.size)]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            value = f(x.copy())
            slopes = [(f(x + s) - f(x - s)) / 2e-6 for s in steps]
        except Exception:
            if x.size:  # of nothing there is no derivative, whatever is read of it
                with pytest.raises(Exception):  # noqa: B017, PT011
                    rg.grad(f, strict=True)(x.copy())
            return
        if not np.isfinite(value):
            return
        try:
            found = rg.grad(f, strict=True)(x.copy())
        except rg.RetrogradError:
            return
    np.testing.assert_allclose(np.ravel(found), slopes, rtol=1e-6, atol=1e-7)


def test_no_function_of_numpy_warns_when_it_is_asked_what_it_makes_of_nothing() -> None:
    is_flat_of_none.cache_clear()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        made = {name for name in dir(np) if callable(f := getattr(np, name)) and is_flat_of_none(f)}
    assert not said
    assert "array" in made
    assert "mean" not in made
