"""Dicts of the module that are asked for one entry: it is guarded, or that there is none, and nothing else of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

from ..written import written

X = np.array([0.3, 0.7, 1.1])
MANY: dict[Any, Any] = {f"entry {k}": object() for k in range(2000)}
ASKED = {  # the text, what is changed, and the slopes before and after
    "get": ("np.sum(x) * T.get('a', 3.0)", ("a", 5.0), 2.0, 5.0),
    "get without": ("np.sum(x) * (1.0 if T.get('none') is None else 4.0)", ("none", 1.0), 1.0, 4.0),
    "get of a number": ("np.sum(x) * T.get(7, 3.0)", (7, 9.0), 3.0, 9.0),
    "get of a function": ("np.sum(T.get('f', np.cos)(x) * 0.0 + x)", ("f", np.tan), 1.0, 1.0),
    "in": ("np.sum(x) * (2.0 if 'a' in T else 4.0)", ("b", 1.0), 2.0, 2.0),
    "not in": ("np.sum(x) * (2.0 if 'late' not in T else 4.0)", ("late", 1.0), 2.0, 4.0),
    "a default that is differentiated": ("np.sum(T.get('late', x) * x)", ("late", np.ones(3)), 2 * X, np.ones(3)),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_one_entry(name: str) -> None:
    text, (key, value), before, after = ASKED[name]
    table = {"a": 2.0, "f": np.sin, **MANY}
    f = written(f"def f(x):\n    return {text}\n", T=table)
    slope = rg.differentiate(strict=True)(f).grad
    assert slope(X) == pytest.approx(before + 0.0 * X)
    table[key] = value
    assert slope(X) == pytest.approx(after + 0.0 * X)


def test_a_key_that_is_an_argument() -> None:
    f = written("def f(x, k):\n    return np.sum(x) * T.get(k, 3.0)\n", T={"a": 2.0, "b": 4.0})
    assert rg.grad(f)(X, "a") == pytest.approx([2.0, 2.0, 2.0])
    assert rg.grad(f)(X, "none") == pytest.approx([3.0, 3.0, 3.0])
