"""``np.histogram`` between edges that are differentiated: the counts stay, the edges are what was given."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from tests.both_modes import agrees, differences
from tests.written import written

CALLS = {
    "sorted": "np.histogram(x, bins=np.sort(2 * x))",
    "of another histogram": "np.histogram(x[:4], bins=np.histogram(x, bins=3)[1])",
    "a list": "np.histogram(x, bins=[0.0, x[1], 1.0, 2.0])",
    "of what is fixed": "np.histogram(np.arange(5.0), bins=np.sort(4 * x))",
    "densities": "np.histogram(x, bins=np.sort(2 * x), density=True)",
    "weights": "np.histogram(x, bins=np.sort(2 * x), weights=np.arange(6.0))",
    "given": "np.histogram(x, bins=np.array([0.0, 0.5, 1.0, 2.0]))",
}
X = np.array([0.11, 0.42, 0.53, 0.9, 0.97, 1.5])


def text_of(call: str) -> str:
    return f"\ndef f(x):\n    counts, edges = {call}\n    return edges @ edges + counts @ counts + np.sum(x)\n"


@pytest.mark.parametrize("call", CALLS)
def test_compiled(call: str) -> None:
    agrees(written(text_of(CALLS[call])), X)


@pytest.mark.usefixtures("taped")
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("call", CALLS)
def test_on_the_tape(call: str) -> None:
    names = {"np": np}
    exec(text_of(CALLS[call]), names)  # no text to read
    f = names["f"]
    np.testing.assert_allclose(rg.grad(f)(X), differences(f, (X,)), rtol=1e-6, atol=1e-7)
