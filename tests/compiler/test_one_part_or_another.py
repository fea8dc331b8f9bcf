"""One part or another of an array, by a branch: `v = out[:, 0] if p else out[::-1, 0]`, and what is written to it, or to the whole."""

from __future__ import annotations

import numpy as np
import pytest

from retrograd.runtime.errors import MutationError

from ..both_modes import agrees
from ..written import written

ROW = np.array([0.7, -0.4, 1.2, 0.5])

EITHER = {
    "turned": "v = out[:, 0]\nif x[0] > 0:\n    v = v[::-1]",
    "transposed": "v = (out.T if x[0] > 0 else out[:2])[0][:2]",
    "halves": "v = out[:2, 1] if x[0] > 0 else out[1:, 0]",
    "overlapping": "if x[0] > 0:\n    v = out[0]\nelse:\n    v = out[:2].T[1]",
}
INTO = {
    "an item": "v[0] = x[1] ** 2",
    "all": "v *= x[:2] if len(v) == 2 else x[:3]",
    "the whole, too": "v[0] = x[0] ** 2\nout[2, 0] += 3 * x[1]\nout[0, 0] *= x[2]\nv[1:] *= x[1]\nout += v[0]",
    "the whole first": "out *= x[3]\nv[-1] += x[2]",
    "in a loop": "for k in range(2):\n    v[k] += x[k] ** 2\n    v[0] *= 1.5\n    out[k, 1] += x[3]",
    "on a way": "if x[1] > 0:\n    v[0] = x[1]\nelse:\n    out[0, 0] = x[2]\nv[1] *= x[0]",
    "out=": "np.multiply(v, x[1], out=v)\nnp.add(out, v[1], out=out)",
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("write", INTO)
@pytest.mark.parametrize("either", EITHER)
def test_either_part_of_an_array_is_written_to(either: str, write: str, sign: int) -> None:
    body = f"out = 1 + np.outer(x[:3], [1, 0.5])\n{EITHER[either]}\n{INTO[write]}"
    weights = "np.arange(1, 7.0).reshape(3, 2)"
    lines = body.replace("\n", "\n    ")
    text = f"def f(x):\n    {lines}\n    return (out * {weights}).sum() + (v * v).sum() * x[0]\n"
    agrees(written(text), sign * ROW, second=write == "the whole, too")


NESTED = {
    "a condition in a condition": "v = a * 2 if x[3] > 9 else b if x[0] > 0 else c\nc -= x[:3]",
    "a branch in a branch": "if x[3] > 9:\n    v = a\nelse:\n    v = c\n    if x[0] > 0:\n        v = b\nb *= c",
    "written in it": "if x[3] > 9:\n    v = a\nelse:\n    v = b if x[0] > 0 else c\n    v[0] = x[1]\nc -= x[:3]",
    "in a loop": "for k in range(2):\n    v = a if x[3] > 9 else b if x[k] > 0 else c\n    c *= x[k]",
}


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("nested", NESTED)
def test_of_a_branch_that_is_over_the_condition_is_not_known(nested: str, sign: int) -> None:
    lines = NESTED[nested].replace("\n", "\n    ")
    made = "a, b, c = x[:3] * 2, x[1:] ** 2, x[:3] + x[1:]"
    f = written(f"def f(x):\n    {made}\n    {lines}\n    return (a * b * c).sum()\n")
    try:
        agrees(f, sign * ROW)
    except MutationError:
        assert nested != "a condition in a condition"
