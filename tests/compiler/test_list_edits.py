"""Lists of every origin, edited in every way: right in both modes, or refused; what callers see is what Python leaves."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import InternalError
from tests.written import written

LISTS = {
    "written out": "xs = [x[0], x[1] * x[2], x[2], x[3] * x[3]]",
    "of an array": "xs = list(x * x)",
    "collected": "xs = []\n    for v in x:\n        xs.append(v * v)",
    "comprehension": "xs = [v * v for v in x]",
    "another name": "ys = list(x * x)\n    xs = ys",
    "in a dict": "d = {'k': list(x * x)}\n    xs = d['k']",
    "argument": "xs = given",
}
EDITS = {
    "del first": "del xs[0]",
    "del last": "del xs[-1]",
    "del middle": "del xs[1:3]",
    "del rest": "del xs[2:]",
    "del nothing": "del xs[2:1]",
    "del every other": "del xs[::2]",
    "del computed": "del xs[int(x[0] > 100.0)]",
    "put list": "xs[1:3] = [x[0] * x[1]]",
    "put array": "xs[1:2] = x[:2] * 3.0",
    "put tuple": "xs[:1] = (x[1], x[2])",
    "put nothing": "xs[:1] = []",
    "put in": "xs[2:2] = [x[3], x[3] * x[0]]",
    "put behind": "xs[9:] = [x[0] * x[1]]",
    "put before the end": "xs[-2:-1] = [x[0], x[0] * x[2]]",
    "put crossed": "xs[3:1] = [x[0] * x[1]]",
    "put strided": "xs[::2] = [x[0], x[1]]",
    "put itself": "xs[1:1] = xs",
    "extend array": "xs.extend(x[:2] * 2.0)",
    "extend list": "xs += [x[0] * x[3]]",
    "in a loop": "for k in range(2):\n        del xs[0]\n        xs[1:1] = [x[k] * x[3]]",
    "in a branch": "if x[1] > 0.0:\n        del xs[0]\n    else:\n        xs[:1] = [x[0]]",
    "in a helper": "cut(xs)",
}
TEXT = """import numpy as np

def cut(ys):
    del ys[0]
    ys[:1] = [ys[0] * 2.0, ys[1]]

def f(x, given):
    {made}
    {edit}
    total = 0.0
    for k, v in enumerate(xs):
        total = total + v * (k + 1.5)
    return total * len(xs)
"""
X = np.array([0.7, 1.3, -0.6, 2.1])
GIVEN = [0.5, 1.5, 2.5, 3.5]


def function(made: str, edit: str) -> Any:
    text = TEXT.format(made=made, edit=edit)
    return written(text)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("made", LISTS)
@pytest.mark.usefixtures("unchecked")
def test_edits(made: str, edit: str) -> None:
    f = function(LISTS[made], EDITS[edit])
    left = copy.copy(GIVEN)
    value = f(X, left)
    wanted = [
        (f(X + h, copy.copy(GIVEN)) - f(X - h, copy.copy(GIVEN))) / 2e-6 for h in np.eye(4) * 1e-6
    ]
    try:
        given = copy.copy(GIVEN)
        found, gradient = rg.value_and_grad(f)(X, given)
    except InternalError:
        raise
    except rg.RetrogradError:
        return
    assert found == value
    assert given == left
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-6)
    try:
        tangent = rg.jvp(f, (X, copy.copy(GIVEN)), (np.ones(4), [0.0] * 4))[1]
    except rg.RetrogradError:
        return
    assert np.isclose(tangent, np.sum(wanted), rtol=1e-6)


@pytest.mark.slow
def test_most_of_them_are_compiled() -> None:
    refused = []
    for made in LISTS:
        for edit in EDITS:
            try:
                rg.grad(function(LISTS[made], EDITS[edit]))(X, copy.copy(GIVEN))
            except rg.RetrogradError:
                refused.append((made, edit))
    assert len(refused) < 0.2 * len(LISTS) * len(EDITS), refused
