"""What a call of NumPy or SciPy writes its result to: ``out=``, ``output=``, by name or in its place."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import CompileError, MutationError

from ..both_modes import agrees
from ..written import written

pytestmark = [pytest.mark.usefixtures("unchecked"), pytest.mark.filterwarnings("ignore")]
W = "np.array([-1.0, 0.5, 2.0])"

CALLS = {
    "a name": f"nd.correlate1d(x, {W}, output=o)",
    "in its place": f"nd.correlate1d(x, {W}, -1, o)",
    "others after it": f"nd.correlate1d(x, {W}, -1, o, 'constant', 0.25)",
    "others by name": f"nd.correlate1d(x, {W}, output=o, mode='wrap', origin=1)",
    "correlate": f"nd.correlate(x, {W}, o, 'nearest')",
    "convolve": f"nd.convolve(x, {W}, output=o)",
    "convolve1d": f"nd.convolve1d(x, {W}, 0, o)",
    "a filter": "nd.gaussian_filter(x, 1.0, 0, o)",
    "uniform": "nd.uniform_filter(x, 3, output=o)",
    "shift": "nd.shift(x, 0.5, o, 1)",
    "take": "np.take(x, np.array([0, 7, 2, 1, -9]), 0, o, 'clip')",
    "clip": "np.clip(x, 0.5, 1.5, o)",
    "cumsum": "np.cumsum(x, 0, None, o)",
    "a ufunc": "np.multiply(x, x, o)",
    "a sum": "np.sum(np.outer(x, x), 0, None, o)",
}  # fmt: skip
USES = {
    "what was written to": "CALL\n    return o @ x",
    "what it gives": "return CALL @ x",
    "both": "r = CALL\n    r[1] = x[0]\n    return o @ x + np.sum(r)",
    "written before": "o[:] = x * x\n    s = np.sum(o)\n    CALL\n    return s + o @ x",
    "written again": "CALL\n    o *= x\n    return np.sum(o)",
    "a part": "p = np.zeros((2, 5))\n    o = p[1]\n    CALL\n    return np.sum(p * p)",
    "in a loop": "for k in range(3):\n        CALL\n        o[k] = o[k] * k\n    return o @ x",
    "one side": "if x[0] > 0:\n        CALL\n    return o @ x",
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("call", CALLS)
def test_what_is_written_to_is_differentiated(call: str, use: str) -> None:
    ndimage = pytest.importorskip("scipy.ndimage")
    body = USES[use].replace("CALL", CALLS[call])
    f = written(f"def f(x):\n    o = np.zeros(5)\n    {body}\n", nd=ndimage)
    agrees(f, np.array([0.3, 1.7, 0.9, 2.2, 1.3]))


@pytest.mark.parametrize(
    "output", ["np.float64", "x.dtype", "'float64'", "np.dtype('float64')", "None"]
)
def test_a_dtype_is_not_written_to(output: str) -> None:
    ndimage = pytest.importorskip("scipy.ndimage")
    f = written(f"def f(x):\n    return nd.correlate1d(x, {W}, output={output}) @ x\n", nd=ndimage)
    x = np.array([0.3, 1.7, 0.9, 2.2, 1.3])
    try:
        agrees(f, x)
    except CompileError:
        assert output != "None"


OF_ANOTHER_RANK = (
    "np.cumsum(x, out=o)", "x.cumsum(out=o)", "np.sum(np.outer(x, x), 0, out=o)", "np.outer(x, x).mean(0, out=o)",
    "np.dot(np.outer(x, x), x, o)", "np.take(x, [0, 1, 2, 3, 4], out=o)", "np.concatenate([x[:2], x[2:]], out=o)",
    "np.median(np.outer(x, x), 0, out=o)", "np.einsum('i,i->i', x, x, out=o)", "np.add.reduce(np.outer(x, x), 0, None, o)",
    "np.add.accumulate(x, 0, None, o)", "np.choose([0, 1, 0, 1, 0], [x, x * 2], o)", "np.compress(x > -1, x, 0, o)",
    "np.std(np.outer(x, x), 0, out=o)", "np.ptp(np.outer(x, x), 0, o)", "np.nansum(np.outer(x, x), 0, None, o)",
    "np.stack([x[0], x[1], x[2], x[3], x[4]], out=o)", "nd.gaussian_filter(x, 1.0, output=o)",
    "np.linalg.multi_dot([np.outer(x, x), np.outer(x, x), x], out=o)", "nd.shift(x, 0.5, o, 1)",
)  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("shape", [(1, 5), (2, 5)])
@pytest.mark.parametrize("call", OF_ANOTHER_RANK)
def test_what_python_does_not_spread_is_not_spread(call: str, shape: tuple[int, int]) -> None:
    ndimage = pytest.importorskip("scipy.ndimage")
    text = f"def f(x):\n    o = np.zeros({shape})\n    {call}\n    return np.sum(o) + x[0]\n"
    f, x = written(text, nd=ndimage), np.array([0.3, 1.7, 0.9, 2.2, 1.3])
    with pytest.raises((ValueError, TypeError, RuntimeError)):
        f(x)
    with pytest.raises((MutationError, ValueError)):  # ValueError: NumPy's, of the write itself
        rg.grad(f, strict=True)(x)


@pytest.mark.parametrize("call", ["np.add(x, x, o)", "np.matmul(M, x, o)"])
def test_what_python_spreads_is_spread(call: str) -> None:
    text = f"def f(x):\n    o = np.zeros((2, 5))\n    {call}\n    return np.sum(o * o[0])\n"
    agrees(written(text, M=np.arange(25.0).reshape(5, 5)), np.array([0.3, 1.7, 0.9, 2.2, 1.3]))


def test_without_a_rule_it_is_refused() -> None:
    ndimage = pytest.importorskip("scipy.ndimage")
    f = written(
        "def f(x):\n    o = np.zeros(5)\n    nd.generic_filter(x, max, 3, output=o)\n    return o @ x\n",
        nd=ndimage,
    )
    with pytest.raises(CompileError):
        rg.grad(f, strict=True)(np.ones(5))
