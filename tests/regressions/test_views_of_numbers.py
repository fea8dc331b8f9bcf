"""Of a number there are no views: a text for any arguments that writes through one looks at what it has."""

from __future__ import annotations

import numpy as np
import pytest

from retrograd.runtime.errors import MutationError
from retrograd.transforms.api import chain_of, unwrap
from retrograd.transforms.specialise.compile import render
from tests.written import written

MADE = ["np.trace(A) * 1.5", "np.sin(A[0, 0])", "np.sum(A, axis=0)"]
VIEWS = ["np.atleast_1d({})", "np.reshape({}, -1)", "np.ravel({})", "np.atleast_2d({})"]
WRITES = ["t[t > 0] *= 2.0", "t[0] = 3.0", "t[...] += 1.0"]


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("made", MADE)
def test_generic(made: str, view: str, write: str) -> None:
    body = f"p = {made}\n    t = {view.format('p')}\n    {write}\n    return np.sum(t * t)"
    f = written(f"def f(A):\n    {body}\n")
    A, d = np.array([[0.5, 0.2], [0.3, 0.4]]), np.array([[1.0, -0.5], [0.3, 0.7]])
    try:
        text = render(f, {}, chain_of(f).then("value_and_grad", (0,), True).steps, unwrap)[0]
        scope = dict(text.captured)
        exec(compile(text.text, "<generic>", "exec"), scope)
        value, bar = scope[text.names[0]](A.copy())
    except MutationError:
        return
    assert value == f(A.copy())
    np.testing.assert_allclose(
        np.sum(bar * d), (f(A + 1e-6 * d) - f(A - 1e-6 * d)) / 2e-6, rtol=1e-6
    )
