"""``x.flat[i] = v`` and ``x.flat[i] += v`` of arrays in every layout, by every index."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg

from ..written import written

ARRAYS = {
    "vector": "a[0] * 2.0", "whole": "a * 2.0", "product": "a.T @ a", "turned": "(a * 2.0).T", "columns": "(a * 2.0)[:, ::2]", "rows": "(a * 2.0)[1:]",
    "moved": "np.moveaxis(np.multiply.outer(a, a), 0, 2)", "chosen": "a.T @ a if a[0, 0] > 0 else a * 3.0",
}  # fmt: skip
INDICES = ["0", "-1", "1:3", "::3", "::a.shape[1] + 1", "[0, 2]", "[1, 1]", "np.array([2, 0])", "np.arange(c.size) % 2 == 0", "..."]  # fmt: skip
WRITES = ["=", "+=", "*="]
TEXT = """
import numpy as np
def f(a, s):
    c = {array}
    c.flat[{index}] {write} s
    return np.sum(c ** 3) + np.sum(np.sin(c[:1]))
"""


@pytest.mark.parametrize("array", ARRAYS)
def test_writes_by_the_number_in_c_order(array: str) -> None:
    a = np.random.default_rng(3).uniform(0.5, 1.5, (4, 3))
    for k, index in enumerate(INDICES, list(ARRAYS).index(array)):
        text = TEXT.format(array=ARRAYS[array], index=index, write=WRITES[k % 3])
        rg.check_grads(written(text), (a, 0.7), order=1)


@pytest.mark.parametrize("index", ["1:5", "::3", "[0, 2, 1]", "a > 1.0", "3"])
@pytest.mark.parametrize("value", ["a[0]", "[a[0, 0], 2.0]", "a[0, :1]", "a[:2]", "a.T"])
@pytest.mark.parametrize("array", ["vector", "whole", "turned", "product"])
def test_values_that_numpy_goes_over_again(array: str, value: str, index: str) -> None:
    """``x.flat[1:5] = [p, q]`` writes p, q, p, q; of more values the first are taken."""
    text = TEXT.format(array=ARRAYS[array], index=index, write="=")
    f, a = written(text.replace("] = s", f"] = {value}")), np.random.default_rng(3).uniform(0.5, 1.5, (4, 3))  # fmt: skip
    try:
        f(a, 0.7)
    except Exception:
        pytest.skip("NumPy refuses it")
    rg.check_grads(f, (a, 0.7), order=1)
