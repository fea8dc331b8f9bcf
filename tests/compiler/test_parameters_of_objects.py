"""Parameters in containers and objects of every kind, read in every kind of region."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.objects.pytree import flatten, map_leaves
from tests.written import written

pytestmark = pytest.mark.usefixtures("unchecked")


class Named(NamedTuple):
    a: Any
    k: Any


@dataclass
class Fields:
    a: Any
    k: Any


@dataclass(frozen=True)
class Frozen:
    a: Any
    k: Any


@dataclass(slots=True)
class Slots:
    a: Any
    k: Any


A, K = np.array([0.3, 0.4, 0.9]), 1.2
FIELDS, ITEMS, KEYS = ("p.a", "p.k"), ("p[0]", "p[1]"), ("p['a']", "p['k']")
KINDS: dict[str, tuple[Any, tuple[str, str]]] = {
    "named tuple": (Named(A, K), FIELDS),
    "dataclass": (Fields(A, K), FIELDS),
    "frozen": (Frozen(A, K), FIELDS),
    "slots": (Slots(A, K), FIELDS),
    "dict": ({"a": A, "k": K}, KEYS),
    "list": ([A, K], ITEMS),
    "tuple": ((A, K), ITEMS),
    "object in an object": (Fields(Named(A, K), 0.5), ("p.a.a", "p.a.k")),
    "object in a dict": ({"layer": Fields(A, K)}, ("p['layer'].a", "p['layer'].k")),
    "list in an object": (Frozen([A, K], 0.5), ("p.a[0]", "p.a[1]")),
    "objects in a list": ([Slots(A, 2.0), Named(0.1, K)], ("p[0].a", "p[1].k")),
}
REGIONS = {
    "straight": "h = h * np.sum({a}) + {k}",
    "for": "for t in range(n):\n        h = h * np.sum({a}) + {k}",
    "while": "while n > 0:\n        h = h * {k} + np.sum({a} * {a})\n        n -= 1",
    "break": "for t in range(n):\n        h = h * {k} + {a}[t]\n        if h > 3.0:\n            break",
    "branch": "if h < {k}:\n        h = h * np.sum({a}) * {k}\n    else:\n        h = {k}",
    "loop of branches": "for t in range(n):\n        if t == 1:\n            h = h * {k}\n        else:\n            h = h + {a}[t]",
    "comprehension": "h = sum([h * {k} * v for v in {a}])",
    "inner function": "def g(v):\n        return v * {k} + np.sum({a})\n    for t in range(n):\n        h = g(h)",
    "helper": "for t in range(n):\n        h = helper(p, h)",
    "under another name": "q = p\n    for t in range(n):\n        h = h * {k} * np.sum({a})\n    p = q",
    "try": "try:\n        h = h * {k} * np.sum({a})\n    finally:\n        h = h * {k}",
}


def function(region: str, a: str, k: str) -> Any:
    body = REGIONS[region].format(a=a, k=k)
    text = (
        f"def helper(p, h):\n    return h * {k} + np.sum({a})\n\n"
        f"def f(p, n):\n    h = 1.0\n    {body}\n    return h\n"
    )
    return written(text)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_gradients_of_parts(kind: str, region: str) -> None:
    p, (a, k) = KINDS[kind]
    f = function(region, a, k)
    wanted = differences(lambda q: f(q, 3), p)
    for p_bar in (rg.grad(f)(p, 3), rg.vjp(f, p, 3)[1](1.0)[0]):
        assert type(p_bar) is type(p)
        np.testing.assert_allclose(flat(p_bar), wanted, rtol=1e-6, atol=1e-7)


def flat(tree: Any) -> Any:
    return np.concatenate([np.ravel(leaf) for leaf in flatten(tree)[0]])


def differences(f: Any, p: Any) -> Any:
    h = 1e-6
    return np.array(
        [(f(moved(p, n, h)) - f(moved(p, n, -h))) / (2 * h) for n in range(flat(p).size)]
    )


def moved(p: Any, n: int, h: float) -> Any:
    """``p``, with entry ``n`` of all its numbers moved."""
    steps = h * np.eye(flat(p).size)[n]
    taken = iter(np.split(steps, np.cumsum([np.size(leaf) for leaf in flatten(p)[0]])[:-1]))

    def step(leaf: Any) -> Any:
        change = next(taken)
        return leaf + change if np.ndim(leaf) else leaf + float(change[0])

    return map_leaves(step, p)
