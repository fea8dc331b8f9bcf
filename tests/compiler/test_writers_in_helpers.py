"""What a call of unknown code may write to is seen in helpers, too, whether anybody asks for their results or not."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError

from ..both_modes import differences
from ..written import written

pytestmark = [pytest.mark.usefixtures("unchecked"), pytest.mark.filterwarnings("ignore")]

HELPERS = """
def put(y, v):
    place(y, ALL, v)

def put_and_give(y, v):
    place(y, ALL, v)
    return y

def gives_it(y, v):
    return place(y, ALL, v)

def twice(y, v):
    put(y, v)

def beside(a, y, v):
    place(y, ALL, v)
    return 2 * a

class Buffer:
    def put(self, y, v):
        place(y, ALL, v)
        return self
"""
BODIES = {
    "itself": "place(y, ALL, x)",
    "a helper": "put(y, x)",
    "of a part": "put(y, x[::-1].copy())",
    "its result is read": "y = put_and_give(y, x)",
    "its result is not": "put_and_give(y, x)",
    "it gives what C gives": "gives_it(y, x)",
    "a helper's helper": "twice(y, x)",
    "beside a derivative": "z = beside(x, y, x)",
    "beside another": "z = beside(x[0], y, x)",
    "a method": "Buffer().put(y, x)",
    "in a loop": "for k in range(2):\n        put(y, x)",
    "in a branch": "if x[0] > 0:\n        put(y, x)",
    "a closure": "(lambda: put(y, x))()",
    "a comprehension": "[put(y, v) for v in [x]]",
}


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("body", BODIES)
def test_a_write_is_seen_or_refused(body: str, strict: bool) -> None:
    inner = pytest.importorskip("numpy.lib._function_base_impl")
    f = written(
        f"{HELPERS}\ndef f(x):\n    y = np.zeros(3)\n    z = 0.0\n    {BODIES[body]}\n    return y @ x + np.sum(z)\n",
        place=inner._place,
        ALL=np.ones(3, bool),
    )
    x = np.array([0.3, 1.7, 0.9])
    want = differences(f, (x,))
    for way in (
        lambda: rg.grad(f, strict=strict)(x),
        lambda: rg.jvp(f, (x,), (np.ones(3),), strict=strict)[1],
    ):
        try:
            found = way()
        except RetrogradError:
            continue
        np.testing.assert_allclose(found, want if np.ndim(found) else want.sum(), rtol=1e-5)
