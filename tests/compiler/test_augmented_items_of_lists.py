"""``acc[j] += v`` of a list that starts with numbers and holds arrays then: those are changed themselves, whoever holds them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

from ..written import written

W = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
X = np.array([0.7, 1.3, 2.1])
STARTS = {
    "times": "[0.0] * 2",
    "comprehension": "[0.0 for _ in range(2)]",
    "of arrays": "[np.zeros(3) for _ in range(2)]",
    "of products": "[1.0 * x for _ in range(2)]",
    "a dict": "{k: 0.0 for k in range(2)}",
}  # fmt: skip
STEPS = {
    "one loop": "for j in range(2):\n        acc[j] += W[j, 0] * x",
    "two loops": "for i in range(3):\n        for j in range(2):\n            acc[j] += W[j, i] * x * x",
    "a test": "for i in range(3):\n        for j in range(2):\n            if W[j, i] > 2:\n                acc[j] += W[j, i] * x",
    "less": "for i in range(3):\n        for j in range(2):\n            acc[j] -= W[j, i] * x",
    "times": "for i in range(2):\n        for j in range(2):\n            acc[j] = acc[j] + x\n            acc[j] *= W[j, i] * x",
    "of the other": "for i in range(1, 4):\n        for j in range(2):\n            acc[j] += acc[1 - j] * 0.5 + x",
    "of itself": "for i in range(3):\n        for j in range(2):\n            acc[j] += x\n            acc[j] += acc[j]",
    "read between": "s = 0.0\n    for i in range(3):\n        for j in range(2):\n            acc[j] += W[j, i] * x\n            s = s + acc[j].sum()\n    acc[0] = acc[0] * s",
}  # fmt: skip
HOLDERS = {
    "a name": "t = acc[0]\n    for j in range(2):\n        acc[j] += x\n    r = t",
    "a name in the loop": "t = x * 0.0\n    for i in range(3):\n        for j in range(2):\n            acc[j] += x * (i + 1)\n        r = t * 1.0\n        t = acc[0]\n    r = r + t",
    "a name of the step before": "t = x * 0.0\n    r = x * 0.0\n    for i in range(3):\n        for j in range(2):\n            r = r + t\n            acc[j] += x * (i + 1)\n            t = acc[j]",
    "another slot": "acc[1] = acc[0]\n    for j in range(2):\n        acc[j] += x\n    r = x",
    "another slot, run": "for k in range(1):\n        acc[k + 1] = acc[k]\n    for j in range(2):\n        acc[j] += x\n    r = x",
    "another list": "other = list(acc)\n    for j in range(2):\n        acc[j] += x\n    r = other[0]",
    "a slice": "other = acc[:]\n    for j in range(2):\n        acc[j] += x\n    r = other[1]",
    "a list of lists": "other = [acc, acc]\n    for j in range(2):\n        acc[j] += x\n    r = other[0][1]",
    "a second name": "other = acc\n    for j in range(2):\n        acc[j] += x\n    r = other[1]",
    "a tuple": "other = (acc[0], 1.0)\n    for j in range(2):\n        acc[j] += x\n    r = other[0]",
    "a view": "other = np.atleast_1d(acc[1])[1:]\n    for j in range(2):\n        acc[j] += x\n    r = other.sum()",
    "a put name": "y = x * 1.0\n    acc[1] = y\n    for j in range(2):\n        acc[j] += x\n    r = y",
    "the argument": "acc[1] = x\n    for j in range(2):\n        acc[j] += W[0]\n    r = x",
    "the argument, gone": "acc[1] = x\n    x = x * 2\n    for j in range(2):\n        acc[j] += W[0]\n    r = x",
    "an array of the module": "acc[1] = W[0]\n    for j in range(2):\n        acc[j] += x\n    r = W[0]",
    "an iterator": "r = x\n    for k, a in enumerate(acc):\n        acc[1] += x\n        r = r + a",
    "a closure": "def more(j):\n        acc[j] += x\n        return 1.0\n    r = x\n    for j in range(2):\n        r = r + acc[j] * more(j)",
    "an expression": "def more(j):\n        acc[j] += x\n        return 1.0\n    r = x\n    for j in range(2):\n        r = r + [acc[j], more(j)][0]",
    "a callee": "def more(a, j):\n        a[j] += x\n    t = acc[1]\n    for j in range(2):\n        more(acc, j)\n    r = t",
    "a branch": "t = acc[0] if x[0] > 0.5 else x\n    for j in range(2):\n        acc[j] += x\n    r = t",
    "an object": "class Holder:\n        pass\n    o = Holder()\n    o.a = acc[0]\n    for j in range(2):\n        acc[j] += x\n    r = o.a",
    "a generator": "g = (a for a in acc)\n    first = next(g)\n    for j in range(2):\n        acc[j] += x\n    r = first",
    "a sum": "t = sum(acc[:1])\n    for j in range(2):\n        acc[j] += x\n    r = t",
    "a maximum": "t = max(acc, key=np.sum)\n    for j in range(2):\n        acc[j] += x\n    r = t",
    "asarray": "t = np.asarray(acc[0])\n    for j in range(2):\n        acc[j] += x\n    r = t",
    "reversed": "other = acc[::-1]\n    for j in range(2):\n        acc[j] += x\n    r = other[1]",
    "popped": "t = acc.pop()\n    acc.append(t)\n    for j in range(2):\n        acc[j] += x\n    r = t",
    "extended": "other = []\n    other.extend(acc)\n    for j in range(2):\n        acc[j] += x\n    r = other[0]",
}  # fmt: skip
FILLS = {
    "arrays": "acc = [0.0] * 2\n    for j in range(2):\n        acc[j] += W[j] * x",
    "fresh arrays": "acc = [W[j] * x for j in range(2)]",
    "appended": "acc = []\n    for j in range(2):\n        acc.append(W[j] * x)",
    "numbers": "acc = [x[0] * j for j in range(2)]",
}  # fmt: skip


def differences(f: Any, x: Any) -> Any:
    return np.array([(f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(x.size)])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("start", STARTS)
def test_augmented(start: str, steps: str) -> None:
    text = f"def f(x):\n    acc = {STARTS[start]}\n    {STEPS[steps]}\n    return (acc[0] * acc[1]).sum()\n"
    f = written(text, W=W)
    try:
        derivative = rg.grad(f, strict=True)
        found = derivative(X)
    except rg.RetrogradError:
        assert start in ("of arrays", "of products", "a dict")
        return
    for x in (X, X[::-1] * 0.5):
        expected = differences(f, x)
        assert derivative(x) == pytest.approx(expected, rel=1e-6)
        assert rg.jvp(f, (x,), (X,))[1] == pytest.approx(expected @ X, rel=1e-6)
        curve = (rg.grad(f)(x + 1e-6 * X) - rg.grad(f)(x - 1e-6 * X)) / 2e-6
        assert rg.hvp(f, (x,), X) == pytest.approx(curve, rel=1e-5)
    assert found == pytest.approx(differences(f, X), rel=1e-6)


@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize("holder", HOLDERS)
def test_held_elsewhere(holder: str, fill: str) -> None:
    """Another holder sees the change: the right derivative, or a refusal, or Python's own error."""
    text = f"def f(x):\n    {FILLS[fill]}\n    {HOLDERS[holder]}\n    return (acc[0] * acc[1] * r).sum()\n"
    f = written(text, W=W)
    try:
        expected = differences(f, X)
    except (TypeError, IndexError, AttributeError):
        return
    W[:] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    try:
        found = rg.grad(f, strict=True)(X * 1.0)
    except rg.RetrogradError:
        return
    assert found == pytest.approx(expected, rel=1e-5)
