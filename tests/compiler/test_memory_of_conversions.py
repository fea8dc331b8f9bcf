"""What shows an array: ``np.float64(x)`` of an array of that dtype is that array, of any other a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

from ..written import written

TYPES = ["float64", "float32", "complex128"]
WRITES = {
    "a mask": "h[h.real > 1.0] = 0",
    "an item": "h[..., 0] = 2.0 * h[..., 1]",
    "in place": "h *= 2",
}
READS = {
    "both": "return np.sum((h * y).real)",
    "the first": "return np.sum((y * y).real)",
    "the last": "return np.sum((h * h).real)",
}
SHAPES = [(2,), (2, 2), (3, 1, 2)]


@pytest.mark.parametrize("dtype", TYPES)
def test_of_numpy(dtype: str) -> None:
    """Measured: a type of NumPy gives back an array of its dtype."""
    kind = getattr(np, dtype)
    for shape in [*SHAPES, (1,), (1, 1), (0,)]:
        x = np.zeros(shape, dtype)
        assert kind(x) is x
        other = np.zeros(shape, "float16")
        assert not np.shares_memory(kind(other), other)
    assert not isinstance(kind(np.zeros((), dtype)), np.ndarray)


@pytest.mark.parametrize("read", READS.values(), ids=list(READS))
@pytest.mark.parametrize("write", WRITES.values(), ids=list(WRITES))
@pytest.mark.parametrize("dtype", TYPES[:1] + TYPES[2:])
def test_called_types(dtype: str, write: str, read: str) -> None:
    f = written(f"def f(x):\n    y = x * 1.5\n    h = np.{dtype}(y)\n    {write}\n    {read}\n")
    for shape in SHAPES:
        agrees(f, np.linspace(0.3, 1.7, int(np.prod(shape))).reshape(shape))


JOINED = {
    "concatenate": "np.concatenate([v[..., None] for v in x], axis=-1)",
    "concatenate first": "np.concatenate([v[None] for v in x])",
    "concatenate all": "np.concatenate([v * x for v in x], axis=None)",
    "stack": "np.stack([v * 2.0 for v in x])",
    "stack last": "np.stack([v * 2.0 for v in x], axis=-1)",
    "vstack": "np.vstack([v * 2.0 for v in x])",
    "hstack": "np.hstack([v * x[0] for v in x])",
    "dstack": "np.dstack([v * x[0] for v in x])",
    "column_stack": "np.column_stack([v * x[0] for v in x])",
}


@pytest.mark.parametrize("made", JOINED.values(), ids=list(JOINED))
def test_joined_rows(made: str) -> None:
    """A list of any length that is joined has a rank: a view of it is known to be one where it is written to."""
    f = written(
        f"def f(x):\n    y = {made}\n    h = np.asarray(y)\n    h[h > 1.1] = 0\n    return np.sum(h * y) * y.ndim\n"
    )
    for shape in [(3,), (3, 2), (2, 2, 2)]:
        agrees(f, np.linspace(0.3, 1.4, int(np.prod(shape))).reshape(shape))


def test_no_rows() -> None:
    for made in JOINED.values():
        f = written(f"def f(x):\n    return np.sum({made.replace('x[0]', '1.0')})\n")
        with pytest.raises(ValueError, match="need at least one array"):
            rg.grad(f)(np.zeros((0, 2)))


def agrees(f: Any, x: np.ndarray) -> None:
    found = rg.grad(f, strict=True)(x.copy())
    v = np.cos(np.arange(x.size)).reshape(x.shape)
    steps = [1e-6 * e.reshape(x.shape) for e in np.eye(x.size)]
    slopes = np.reshape([(f(x + e) - f(x - e)) / 2e-6 for e in steps], x.shape)
    np.testing.assert_allclose(found, slopes, rtol=2e-5, atol=2e-6)
    np.testing.assert_allclose(
        rg.jvp(f, (x.copy(),), (v,))[1], np.sum(slopes * v), rtol=2e-5, atol=2e-6
    )
    g = rg.grad(f, strict=True)
    second = (g(x + 1e-6 * v) - g(x - 1e-6 * v)) / 2e-6
    np.testing.assert_allclose(rg.hvp(f, (x.copy(),), v), second, rtol=2e-5, atol=2e-5)
