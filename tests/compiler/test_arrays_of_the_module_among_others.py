"""Arrays of the module, of rank 0 as well, that come to a name in a roundabout way: no write to them is lost.

Such a program is refused, unless what is written to is not the array.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.written import namespace

pytestmark = pytest.mark.usefixtures("unchecked")
WAYS = {
    "itself": "y = KEPT",
    "by a helper": "y = same(KEPT)",
    "of two": "y = KEPT if x[0] > 0 else x[1]",
    "of a branch": "y = x[1]\nif x[0] > 0:\n    y = KEPT",
    "of a loop": "y = x[1]\nfor _ in range(2):\n    y = KEPT",
    "out of a tuple": "_, y = (x[0], KEPT)",
    "out of a list": "a = [x[0], KEPT]\ny = a[1]",
    "out of a list, at a place that is computed": "a = [KEPT, KEPT]\ny = a[len(x) - 2]",
    "out of a list of lists": "a = [[KEPT, x[1]], [KEPT, KEPT]]\ny = a[len(x) - 2][0]",
    "out of a list of lists, collected": "a = [[KEPT, x[1]], [KEPT, KEPT]]\nb = [a[i][0] for i in range(len(x) - 1)]\ny = b[0]",
    "out of a comprehension": "y = [KEPT for _ in range(len(x))][1]",
    "out of what was appended": "a = []\nfor _ in range(len(x)):\n    a.append(KEPT)\ny = a[0]",
    "out of a dict": "a = {'u': KEPT, 'v': x[1]}\nfor name in a:\n    y = a[name]\n    break",
    "of a loop over a list": "for y in [x[1], KEPT]:\n    pass",
    "of zip": "for y, _ in zip([KEPT, KEPT], x):\n    pass",
    "repeated": "y = ([KEPT] * len(x))[1]",
    "an attribute": "box = Box()\nbox.kept = KEPT\ny = box.kept",
    "a default": "def inner(a, b=KEPT):\n    return b\ny = inner(x)",
    "np.asarray": "y = np.asarray(KEPT)",
    "a view": "y = KEPT[...]",
    "a copy": "y = KEPT.copy()",
    "a sum": "y = KEPT + 0.0",
}
WRITES = {
    "augmented": "y -= x[0]",
    "multiplied": "y *= x[0]",
    "an item": "y[...] = x[0]",
    "augmented item": "y[()] += x[0]",
    "in a helper": "change(y, x)",
    "a list's entry": "b = [y, x[1]]\nfor k in range(len(x) - 2):\n    b[k] -= x[0]",
}
KINDS = {
    "rank 0": np.array(0.6),
    "rank 1": np.array([0.6, 0.7]),
    "whole numbers": np.array(2),
    "float32": np.array(0.5, "f4"),
}
HEAD = """
class Box:
    pass

def same(v):
    return v

def change(y, x):
    y[...] = x[0]

def f(x):
"""
X = np.array([0.43, 0.71, 1.3])


def program(way: str, write: str, kept: Any) -> Any:
    body = f"{WAYS[way]}\n{WRITES[write]}\nreturn np.sum(y) * x[1] + np.sum(KEPT) * x[2]"
    return namespace(HEAD + "\n".join(f"    {line}" for line in body.splitlines()), KEPT=kept)["f"]


def slopes(f: Any, kept: Any) -> Any:
    """Differences, ``KEPT`` as it was before each call; the class of what Python raises."""
    before = kept.copy()

    def called(x: Any) -> Any:
        kept[...] = before
        return f(x)

    try:
        return np.array([(called(X + e) - called(X - e)) / 2e-4 for e in 1e-4 * np.eye(3)])
    except Exception as error:
        return type(error)
    finally:
        kept[...] = before


@pytest.mark.sampled(6)
@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("way", WAYS)
def test_right_or_refused(way: str, write: str, kind: str, strict: bool) -> None:
    kept = KINDS[kind].copy()
    f = program(way, write, kept)
    expected = slopes(f, kept)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = rg.grad(f, strict=strict)(X.copy())
    except rg.RetrogradError as error:
        assert not isinstance(error, rg.errors.InternalError)  # noqa: PT017
        return
    except Exception as error:
        assert type(error) is expected  # noqa: PT017
        return
    assert not isinstance(expected, type)
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)
