"""Arrays of the module beside one that is being differentiated: NumPy's own operators, in place or not."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from tests.written import written

pytestmark = pytest.mark.usefixtures("unchecked")
W, S = np.array([1.5, 0.5]), np.float64(2.0)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("held", ["W", "S", "{'w': W}['w']", "[W][0]"])
@pytest.mark.parametrize(
    "how",
    ["y = y {op} {w}", "y {op}= {w}", "y[:] = y {op} {w}", "y[...] {op}= {w}", "y = {w} {op} y"],
)
@pytest.mark.parametrize("op", ["+", "-", "*", "/", "**"])
def test_operators(op: str, how: str, held: str) -> None:
    line = how.format(op=op, w=held)
    f = written(f"def f(x):\n    y = x * 1.0\n    {line}\n    return np.sum(y * x)\n", W=W, S=S)
    x, d = np.array([0.4, 1.2]), np.array([1.0, -0.5])
    want = (f(x + 1e-6 * d) - f(x - 1e-6 * d)) / 2e-6
    np.testing.assert_allclose(rg.grad(f)(x) @ d, want, rtol=1e-6)
