"""A back end for a function that runs on the tape as a whole: it runs there."""

from __future__ import annotations

import pytest

import retrograd as rg


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("backend", ["c", "numba"])
def test_a_back_end_of_a_function_on_the_tape(backend: str) -> None:
    if backend == "numba":
        pytest.importorskip("numba")

    @rg.differentiate(backend=backend)
    def f(x):
        if x > 0:
            y = x * x * x
        return y

    for _ in range(2):
        assert f.grad(1.0) == 3.0
    assert f.value_and_grad(2.0) == (8.0, 12.0)
    assert f.jvp((1.0,), (1.0,)) == (1.0, 3.0)
    assert f.hessian(1.0) == 6.0
    assert f.hvp((1.0,), 1.0) == 6.0
