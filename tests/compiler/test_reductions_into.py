"""``out=`` of another dtype: a reduction computes in it, as NumPy does; compiled and on the tape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.written import written

pytestmark = [
    pytest.mark.usefixtures("unchecked"),
    pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning"),
]
X = np.array([[1e8, 1], [1, 1], [-1e8, 1]], "f4")
CALLS = {
    "sum": "np.sum(x, axis=0, out=y)", "method": "x.sum(axis=0, out=y)", "mean": "np.mean(x, axis=0, out=y)",
    "reduce": "np.add.reduce(x, axis=0, out=y)", "prod": "np.prod(x * 1e-3 + 0.1, axis=0, out=y)", "nansum": "np.nansum(x, axis=0, out=y)",
    "running": "np.cumsum(x[:, 0], out=z)", "running product": "np.cumprod(x[:2, 0] * 1e-3 + 0.1, out=y)", "std": "np.std(x, axis=0, out=y)",
    "var": "x.var(axis=0, out=y)", "elementwise": "np.add(x[0], x[2] + 0.1, out=y)", "largest": "np.max(x, axis=0, out=y)",
    "median": "np.median(x, axis=0, out=y)", "range": "np.ptp(x, axis=0, out=y)", "rounded": "(x[0] * 1.1).round(2, out=y)",
    "einsum": "np.einsum('ij,ij->j', x, x, out=y)", "quantile": "np.quantile(x, 0.3, axis=0, out=y)", "nanpercentile": "np.nanpercentile(x, 30.0, axis=0, out=y)",
    "nanmedian": "np.nanmedian(x, axis=0, out=y)", "with a dtype": "np.sum(x, axis=0, dtype=np.float32, out=y)", "accumulate": "np.add.accumulate(x[:, 0], out=z)",
}  # fmt: skip


@pytest.mark.sampled(5)
@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("taped", [False, True], ids=["compiled", "taped"])
@pytest.mark.parametrize("call", CALLS)
def test_values(call: str, taped: bool, dtype: str) -> None:
    text = f"def f(x):\n    y, z = np.zeros(2, '{dtype}'), np.zeros(3, '{dtype}')\n    {CALLS[call]}\n    return np.sum(y) + np.sum(z)\n"
    if taped:
        scope: dict[str, Any] = {"np": np}
        exec(text, scope)  # no text to compile
        f = scope["f"]
        made = rg.differentiate(f, fallback="tape").value_and_grad
    else:
        f = written(text)
        made = rg.value_and_grad(f)
    try:
        value, bar = made(X)
    except rg.RetrogradError as error:
        refused = ("another dtype", "plain array")
        if not any(words in str(error) for words in refused):
            raise
        return
    assert value == f(X)
    assert bar.dtype == X.dtype


@pytest.mark.parametrize(
    "call", ["np.modf(x, y, z)", "np.divmod(x, 0.3, out=(y, z))", "np.frexp(x, out=(y, None))"]
)
def test_what_fills_two_arrays_is_refused(call: str) -> None:
    f = written(
        f"def f(x):\n    y, z = np.zeros(2), np.zeros(2)\n    {call}\n    return np.sum(y) + np.sum(z)\n"
    )
    with pytest.raises(rg.RetrogradError, match="writes into an array"):
        rg.grad(f)(np.ones(2))
