"""Code that this call never reaches may say anything: axes that are not there, shapes that do not fit."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

import retrograd as rg

from ..written import written

CALLS = [
    "np.mean(a, axis=2)",
    "np.sum(a,axis=2)",
    "np.max(a,axis=2)",
    "np.min(a,axis=-3)",
    "np.prod(a,axis=2)",
    "np.std(a,axis=2)",
    "np.var(a,axis=2)",
    "np.cumsum(a,axis=2)",
    "np.cumprod(a,axis=2)",
    "np.diff(a,axis=2)",
    "np.sort(a,axis=2)",
    "np.argmax(a,axis=2)*1.0",
    "np.median(a,axis=2)",
    "np.concatenate([a,a],axis=2)",
    "np.stack([a,a],axis=4)",
    "np.swapaxes(a,0,2)",
    "np.moveaxis(a,0,2)",
    "np.rollaxis(a,2)",
    "np.expand_dims(a,5)",
    "np.squeeze(a,axis=2)",
    "np.transpose(a,(2,0,1))",
    "a.transpose(2,0,1)",
    "np.flip(a,axis=2)",
    "np.roll(a,1,axis=2)",
    "np.take(a,[0],axis=2)",
    "np.repeat(a,2,axis=2)",
    "np.tile(a,(2,1))",
    "np.linalg.norm(a,axis=2)",
    "np.linalg.norm(a,axis=(1,2))",
    "np.fft.fft(a,axis=2).real",
    "np.trapezoid(a,axis=2)",
    "np.average(a,axis=2)",
    "np.average(a,axis=2,weights=np.ones(3))",
    "a[:,:,0]",
    "a[0,0,0]",
    "a[:,:,None,0]",
    "a.shape[2]*a",
    "np.split(a,2,axis=2)[0]",
    "np.array_split(a,2,axis=2)[0]",
    "np.insert(a,0,0.0,axis=2)",
    "np.delete(a,0,axis=2)",
    "np.append(a,a,axis=2)",
    "np.gradient(a,axis=2)",
    "np.tensordot(a,a,axes=([2],[2]))",
    "np.einsum('ijk->i',a)",
    "np.einsum('ijk,ijk->ij',a,a)",
    "np.trace(a,axis1=1,axis2=2)",
    "np.diagonal(a,axis1=1,axis2=2)",
    "np.cross(a,a,axis=2)",
    "np.nansum(a,axis=2)",
    "np.nanmean(a,axis=2)",
    "np.ptp(a,axis=2)",
    "np.quantile(a,0.5,axis=2)",
    "np.percentile(a,50,axis=2)",
    "np.count_nonzero(a,axis=2)*1.0",
    "np.apply_along_axis(np.sum,2,a)",
    "np.matmul(a,a[0,0])",
    "a@a[0,0,0]",
    "np.dot(a,np.ones((7,2)))",
    "a@np.ones((7,2))",
    "np.ones((7,2))@a",
    "a+np.ones((5,5))",
    "np.broadcast_to(a,(2,))",
    "a.reshape(7,13)",
    "np.reshape(a,(4,4,4))",
    "np.linalg.inv(a[:,:,0])",
    "np.linalg.solve(a,np.ones(9))",
    "np.outer(a,a,)[50,60,1]",
    "np.vstack([a,np.ones((2,9))])",
    "np.hstack([a,np.ones((9,2))])",
    "np.dstack([a,a])[5,5,5,5]",
    "np.column_stack([a,np.ones(9)])",
    "np.where(np.ones((4,5)),a,a)",
    "np.put_along_axis(a,np.zeros((9,9),int),1.0,2)",
    "np.take_along_axis(a,np.zeros((3,4),int),2)",
    "np.add.reduce(a,axis=2)",
    "np.add.accumulate(a,axis=2)",
    "np.linalg.det(a[0])",
    "np.kron(a,a)[0,0,0]",
    "np.convolve(a,a)",
    "np.interp(a,a,a)",
    "a.sum(2)",
    "a.mean((0,2))",
    "a.max(axis=(1,2))",
    "np.mean(a,axis=(0,0))",
    "np.logspace(a,a,3,axis=9)",
    "np.linspace(a,a,3,axis=9)",
    "np.rot90(a,axes=(1,2))",
    "np.unwrap(a,axis=2)",
    "np.trim_zeros(a)",
    "np.argsort(a,axis=2)*1.0",
    "np.partition(a,1,axis=2)",
    "np.vander(a)",
    "np.polyval(a,a[0,0,0])",
    "np.meshgrid(a,a)[7]",
    "np.ix_(a)",
    "np.pad(a,((1,1),(1,1),(1,1)))",
    "np.block([[a,np.ones((7,7))]])",
    "np.tril(a[0,0])",
    "np.diag(a[0,0,0])",
    "np.atleast_3d(a)[0,0,0,0]",
    "np.lexsort((a,),axis=7)*1.0",
]
TEXT = """import numpy as np


def f(a):
    if a.ndim == 3:
        return np.sum({call})
    return np.sum(a * a)


def g(a, flag=False):
    if flag:
        return np.sum({call})
    return np.sum(a * a)
"""
A = np.arange(6.0).reshape(2, 3) + 1


@pytest.mark.sampled(4)
@pytest.mark.parametrize("call", CALLS)
def test_never_reached(call, tmp_path):
    path = tmp_path / "never_reached.py"
    path.write_text(TEXT.format(call=call))
    spec = importlib.util.spec_from_file_location("never_reached", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    np.testing.assert_array_equal(rg.grad(module.f)(A), 2 * A)
    np.testing.assert_array_equal(rg.grad(lambda a: module.g(a, False))(A), 2 * A)
    np.testing.assert_allclose(rg.jvp(module.g, (A,), (A,))[1], 2 * np.sum(A * A))


CONDITIONS = (
    "x[0] > 0 or True", "x[0] > 0 or x.ndim == 1", "x[0] > 9 or (x[1] > 9 or len(x.shape) == 1)", "not (x[0] > 9 and False)",
    "(1.5 if x[0] > 0 else 2)", "x[0] > 9 or not (x[1] > 9 and x.ndim == 2)",
)  # fmt: skip


@pytest.mark.parametrize("condition", CONDITIONS)
def test_what_is_true_either_way(condition: str) -> None:
    """``a or True`` is true whatever ``a`` is: what is beyond the compiler on the other side is never reached."""
    texts = (
        "def f(x):\n    if {}:\n        return np.sum(x**2)\n    return beyond(x)\n",
        "def f(x):\n    t = {}\n    return beyond(x) if not t else np.sum(x**2)\n",
    )
    for text in texts:
        f = written(text.format(condition) + "def beyond(x):\n    yield x\n")
        for x in (np.array([0.5, 2.0]), np.array([-0.5, 2.0])):
            np.testing.assert_allclose(rg.grad(f, strict=True)(x), 2 * x)


def test_a_list_that_is_filled_meanwhile_is_asked_again() -> None:
    text = "def f(x):\n    t = [] if x[0] > 0 else []\n    t.append(1.0)\n    return np.sum(x**2) if t else np.sum(x**3)\n"
    np.testing.assert_allclose(rg.grad(written(text), strict=True)(np.ones(2)), np.full(2, 2.0))
