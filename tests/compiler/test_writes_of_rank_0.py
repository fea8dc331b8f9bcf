"""Writes to what has rank 0: an array is written to, NumPy's scalar and a number raise TypeError, as in Python.

Each way to make one is held against each way to write to it, in the text and on the tape: nothing but NumPy says
which of the two it makes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.written import namespace

pytestmark = [
    pytest.mark.usefixtures("taped", "unchecked"),
    pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning"),
]
WAYS = """
s
np.zeros(())
np.array(s)
np.asarray(s)
np.asanyarray(x[0])
x[0, ...]
x[..., 0]
x[0]
x[:1].reshape(())
np.reshape(x[:1], ())
np.squeeze(x[:1])
x[:1].squeeze()
x[:1].squeeze()[()]
np.full((), s)
np.empty(()) * 0 + s
np.zeros_like(np.array(s))
np.ones_like(s)
np.full_like(s, 2.0)
np.array(s).copy()
np.copy(s)
np.copy(x[0])
np.where(x[0] > 0, s, x[1])
np.where(True, np.array(s), x[1])
np.select([x[0] > 0], [s], 0.0)
np.transpose(np.array(s))
np.array(s).T
np.array(s).real
np.real(np.array(s))
np.real(s)
np.atleast_1d(s)[0]
np.take(x, 0)
np.take(x, np.array(0))
x.take(0)
np.einsum('i->', x)
np.dot(x, x)
np.clip(np.array(s), 0, 1)
np.nan_to_num(np.array(s))
np.nan_to_num(s)
np.flip(np.array(s))
np.roll(np.array(s), 1)
np.broadcast_arrays(s, 1.0)[0].copy()
np.broadcast_to(s, ()).copy()
np.meshgrid(s)[0][0]
np.ascontiguousarray(s).reshape(())
np.add(s, x[0])
np.negative(np.array(s))
np.sin(np.array(s))
np.array(s) + 0
+np.array(s)
np.positive(np.array(s))
np.abs(np.array(s))
np.sum(x)
x.sum()
np.sum(x, keepdims=False)
np.mean(x)
np.median(x)
np.cumsum(x)[-1]
x.max()
np.linalg.norm(x)
np.linalg.det(np.eye(2) * s)
np.trace(np.eye(2) * s)
np.float64(s)
np.array([s, s])[0]
np.piecewise(np.array(s), [True], [lambda v: v])
np.choose(0, [s, s])
np.vectorize(lambda v: v * 1.0)(s)
np.apply_along_axis(np.sum, 0, x)
np.split(x, 3)[0].reshape(())
[np.array(s)][0]
{'a': np.array(s)}['a']
(lambda v: v)(np.array(s))
made(s)
np.array(s) if x[0] > 0 else np.array(0.0)
np.array(s) if x[0] > 0 else s
np.array(s).astype(float)
np.array(s).view()
np.array(s).flat[0]
np.array(s).ravel()[0]
np.array(s).item()
np.array(s)[()]
np.array(s)[...]
np.expand_dims(np.array(s), 0)[0]
np.tensordot(x, x, 1)
np.inner(x, x)
np.vdot(x, x)
np.matmul(x, x)
x @ x
np.outer(s, s)[0, 0]
np.prod(x)
np.ptp(x)
np.std(x)
np.percentile(x, 50)
np.quantile(x, 0.5)
np.average(x)
np.trapezoid(x)
np.polyval(x, s)
np.convolve(x, x)[0]
np.partition(x, 1)[0]
np.sort(x)[0]
np.diag(np.eye(2)*s)[0]
np.minimum(np.array(s), 1.0)
np.hypot(np.array(s), 1.0)
np.add.reduce(x)
np.maximum.reduce(x)
np.lib.stride_tricks.as_strided(x, (), ()).copy()
np.moveaxis(np.array(s), [], [])
np.unstack(x)[0]
np.concatenate([x, x])[0]
np.block([[s]])[0, 0]
np.stack([s, s])[0]
np.isclose(s, 1.0) * s
x.mean(axis=0)
np.sum(x, axis=0)
np.sum(x.reshape(1, 3), axis=1)[0]
x.reshape(1, 3)[0, 1]
next(iter(x))
max(x)
sum(x)
np.nansum(x)
np.ma.getdata(np.array(s))
np.array(s)[None][0]
np.asarray(s)[np.newaxis].squeeze()
np.divide(s, 2.0)
divmod(np.array(s), 2.0)[1]
np.modf(np.array(s))[0]
np.frexp(np.array(s))[0]
np.linalg.slogdet(np.eye(2) * s)[1]
np.linalg.solve(np.eye(1) * s, np.ones(1)).reshape(())
np.fft.fft(x)[0].real
np.heaviside(np.array(s), 0.5) * s
np.array(s).conj()
np.conjugate(np.array(s))
np.array(s).clip(0, 1)
np.array(s).round(3) * s
np.array(s).sum()
np.array(s).squeeze()
np.array(s).reshape(())
np.array(s).transpose()
np.swapaxes(np.ones((1, 1)) * s, 0, 1)[0, 0]
np.require(np.array(s))
np.asarray_chkfinite(s)
np.fromiter([s], float)[0]
np.array(s).__copy__()
""".strip().splitlines()
FORMS = {
    "tried": "y = {way}\ntry:\n    y[...] = 3.0 * x[1]\nexcept TypeError:\n    y = 5.0 * s\nreturn np.sum(y) * s",
    "tried in a helper": "return np.sum(put({way}, x, s)) * s",
    "in a branch": "y = {way}\nif x[0] > 0.0:\n    y[...] = 3.0 * x[1]\nreturn np.sum(y) * s",
    "augmented": "y = {way}\nz = y\ny += 3.0 * x[1]\nreturn np.sum(z * s + y * y)",
    "augmented item": "y = {way}\nz = y\ny[...] += 3.0 * x[1]\nreturn np.sum(z * s + y * y)",
    "through a row": "y = {way}\nt = np.atleast_1d(y)\nt[0] = 3.0 * x[1]\nreturn np.sum(t) * s + np.sum(y) * x[0]",
    "through a view, and itself": "y = {way}\nt = np.reshape(y, (1,))\nt *= x[1]\ny[...] = x[2]\nreturn np.sum(t) * s",
    "out of a list of lists": (
        "y = {way}\na = [[y, x[1]], [y, y]]\nv = [a[i][0] for i in range(len(x) - 1)]\nv[0] += x[2]\n"
        "return np.sum((v[1] + v[0] * x[0]) * s + a[1][0])"
    ),
    "augmented in a helper": "y = {way}\nq = add(y, x)\nreturn np.sum(q * s + y)",
}
HEAD = """
def made(v):
    return np.array(v * 1.0)

def put(y, x, s):
    try:
        y[()] = 3.0 * x[1]
    except TypeError:
        y = 5.0 * s
    return y

def add(y, x):
    y += 3.0 * x[1]
    return y * y

def main(x, s):
"""
X = np.array([0.43, 0.71, 1.3])


def program(form: str, way: str) -> Any:
    body = FORMS[form].format(way=way)
    return namespace(HEAD + "\n".join("    " + line for line in body.splitlines()))["main"]


def slopes(f: Any, s: Any) -> Any:
    """Differences, or the class of what Python raises."""
    try:
        of_x = [(f(X + e, s) - f(X - e, s)) / 2e-6 for e in 1e-6 * np.eye(3)]
        return np.array([*of_x, (f(X.copy(), s + 1e-6) - f(X.copy(), s - 1e-6)) / 2e-6])
    except TypeError as error:
        return type(error)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("s", [0.9, np.float64(0.9)], ids=["float", "float64"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("way", WAYS)
def test_right_or_refused(way: str, form: str, s: Any) -> None:
    f = program(form, way)
    expected = slopes(f, s)
    try:
        of_x, of_s = rg.grad(f, wrt=(0, 1))(X.copy(), s)
    except rg.RetrogradError as error:
        assert not isinstance(error, rg.errors.InternalError)  # noqa: PT017
        return
    except TypeError:
        assert expected is TypeError
        return
    assert expected is not TypeError
    np.testing.assert_allclose([*of_x, of_s], expected, rtol=1e-5, atol=1e-6)
