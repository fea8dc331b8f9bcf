"""An array of one element is one number: it has a gradient, and its value stays the array that it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.array([0.4, 1.3, 0.7])
ONE = np.array([0.4])
RESULTS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "array of a list": (lambda x: np.array([x * x]), (0.3,)),
    "product of matrices": (lambda x: (x * x).reshape(1, -1) @ np.ones((3, 1)), (X,)),
    "row times vector": (lambda w, x: w @ (x * x), (np.ones((1, 3)), X)),
    "keepdims": (lambda x: np.sum(x**3, keepdims=True), (X,)),
    "slice": (lambda x: x[:1] ** 2 * x[1], (X,)),
    "slice of unknown length": (lambda x, k: x[k:] ** 2, (X, 2)),
    "mask": (lambda x: x[x > 1.0] ** 3, (X,)),
    "argument": (lambda x: x**3, (ONE,)),
    "argument of rank two": (lambda x: x**3, (ONE.reshape(1, 1),)),
}


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("name", RESULTS)
def test_compiled_and_on_the_tape(name: str) -> None:
    f, args = RESULTS[name]
    value, bar = rg.value_and_grad(f, strict=True)(*args)
    np.testing.assert_array_equal(value, f(*args))
    assert np.shape(value) == np.shape(f(*args))
    assert np.shape(bar) == np.shape(args[0])
    scalar = lambda *given: np.sum(f(*given))
    np.testing.assert_allclose(bar, rg.grad(scalar)(*args), rtol=1e-12)
    np.testing.assert_allclose(rg.hessian(f)(*args), rg.hessian(scalar)(*args), rtol=1e-12)

    @rg.differentiate(fallback="tape")
    def untext(*given):
        return eval("1.0") * f(*given)

    np.testing.assert_allclose(untext.grad(*args), bar, rtol=1e-12)
    np.testing.assert_allclose(untext.hessian(*args), rg.hessian(f)(*args), rtol=1e-12)


@pytest.mark.parametrize("f", [lambda x: x * x, lambda x: x[x > 0.5], lambda x: x[x > 9.0]])
def test_more_or_less_than_one_is_refused(f: Any) -> None:
    with pytest.raises(rg.RetrogradError, match="scalar"):
        rg.grad(f)(X)
