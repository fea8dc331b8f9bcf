"""``np.asarray(h, dtype=np.float64)`` gives an array of floats as it is: what is written to one is read in the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError

CONVERSIONS = (
    "np.asarray(h)", "np.asarray(h, None)", "np.asarray(h, float)", "np.asarray(h, dtype=np.float64)",
    "np.asarray(h, 'f8')", "np.asarray(h, dtype=h.dtype)", "np.asarray(h, dtype='>f8')", "np.asarray(h, dtype=np.float32)",
    "np.asanyarray(h, dtype=np.float64)", "np.asanyarray(h, np.float32)", "np.array(h, dtype=float)",
    "np.array(h, copy=None)", "np.array(h, dtype=float, copy=None)", "np.asarray(h, dtype=float, copy=True)", "np.asarray(h, dtype=float, copy=False)",
    "h.astype(float)", "h.astype(float, copy=False)", "h.astype(np.float32, copy=False)", "h.astype(dtype=float, copy=False)",
    "np.ascontiguousarray(h)", "np.ascontiguousarray(h, dtype=float)", "np.asfortranarray(h)", "np.atleast_1d(h)",
    "np.asarray(h, order=None, dtype=None)", "np.asarray(h, float, None)", "np.asarray(a=h, dtype=float)", "np.array(object=h, dtype=float)", "np.asarray(h, order=None, dtype=h.dtype)", "np.asarray(h, dtype=float, order='F')", "np.asarray(h, order='C')", "np.require(h, float)", "np.ravel(h)", "h[...]",
)  # fmt: skip
SOURCES = (
    "np.sin(x)",
    "np.sin(x)[::2]",
    "np.sin(x.reshape(2, 3)).T",
    "np.sin(x).astype(np.float32)",
    "x",
)
WRITES = {
    "here": "k[k < 0.5] = 0.25\n    return np.sum(k * k) + np.sum(h * h * h)",
    "in a helper": "clamp(k)\n    return np.sum(k * k) + np.sum(h * h * h)",
    "in place": "k *= 2\n    return np.sum(k * k) + np.sum(h * h * h)",
    "the other": "h[h < 0.5] = 0.25\n    return np.sum(k * k) + np.sum(h * h * h)",
}  # fmt: skip
X = np.array([0.3, -0.5, 0.7, 1.1, 0.2, -0.9])


def program(source: str, conversion: str, write: str, tmp_path: Any) -> Any:
    text = (
        "import numpy as np\n\ndef clamp(k):\n    k[k < 0.5] = 0.25\n\n"
        f"def f(x):\n    h = {source}\n    k = {conversion}\n    {WRITES[write]}\n"
    )
    path = tmp_path / "program.py"
    path.write_text(text)
    names: dict[str, Any] = {"__file__": str(path), "__name__": "program"}
    exec(compile(text, str(path), "exec"), names)
    return names["f"]


def slopes(f: Any, x: np.ndarray, step: float) -> np.ndarray:
    steps = (step * np.eye(x.size)).astype(x.dtype)
    return np.array([(f(x + d) - f(x - d)) / (2 * step) for d in steps])


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.sampled(5)
@pytest.mark.parametrize("conversion", CONVERSIONS)
def test_right_or_refused(conversion: str, source: str, write: str, tmp_path: Any) -> None:
    f = program(source, conversion, write, tmp_path)
    step, close = (2e-3, 2e-3) if "32" in source + conversion else (1e-6, 1e-7)
    try:
        want = slopes(lambda x: f(x.copy()), X, step)
    except ValueError:
        pytest.skip("NumPy refuses it")
    try:
        found = rg.grad(f, strict=True)(X.copy())
    except MutationError:
        assert not is_simple(conversion) or source == "x"
        return
    np.testing.assert_allclose(found, want, rtol=close, atol=close)


def is_simple(conversion: str) -> bool:
    """What scientists write: these are compiled."""
    return conversion in CONVERSIONS[:6] and conversion != "np.asarray(h, dtype='>f8')"


@pytest.mark.parametrize("dtype", [">f8", "<f8", "f4"])
@pytest.mark.parametrize("asked", ["float", "np.float64", "'>f8'", "'<f8'", "'f4'"])
def test_byte_orders(dtype: str, asked: str, tmp_path: Any) -> None:
    """An array of the other byte order is copied by a conversion to float64."""
    f = program("x", f"np.asarray(h, dtype={asked})", "here", tmp_path)
    x = X.astype(dtype)
    want = slopes(lambda x: float(f(x.copy())), x, 1e-2 if "4" in dtype + asked else 1e-6)
    try:
        found = rg.grad(f, strict=True)(x.copy())
    except rg.RetrogradError:
        return
    np.testing.assert_allclose(np.asarray(found, float), want, rtol=1e-3, atol=1e-3)
