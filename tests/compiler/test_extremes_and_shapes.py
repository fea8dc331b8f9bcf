"""`min`, `max`, `any`, `all` and their like of shapes, lists and tuples; arrays that are broadcast and unpacked."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.both_modes import agrees
from tests.written import written

X = np.array([0.7, 1.3, -0.6, 2.1])
WHOLE = np.array([1, 2, 3, 4])
OF_SHAPES = """max(x.shape); min(x.shape); sum(x.shape); sorted(x.shape)[-1]; any(x.shape); all(x.shape); max(x.shape[0], 2)
max(x.shape, default=1); max(np.shape(x)); sum(x.shape[:-1]); max(max(x.shape), 3); x.shape[::-1][0]; max([n for n in x.shape])"""
OF_ITEMS = """max(x); min(x); max(x) * x[0]; max(x[0:2]) * x[0]; max(x[0], 1) * x[-1]; max(x[:1]) * x[0]; max(x, key=abs) * x[0]
x[0] * max(len(x), 2); x[0] ** max(len(x), 2); float(any(x)) * x[0]; float(all(v > -1 for v in x)) * x[1]; max(list(x)) * x[2]
sum([1.0] * max(len(x), 2)) * x[0]; x[0] * len([0.0] * max(len(x) - 9, -3)); max([(x[0], x[1]), (x[2], x[3])], key=lambda p: p[0])[1]
x[0] ** 2 if isinstance(any(x), bool) else x[1]"""
OF_CONTAINERS = """max((v * v, i) for i, v in enumerate(x))[0]; min([v * v, v] for v in x)[1]; max((x[0], x[1]), (x[2], x[3]))[1]; min([(v, v * v) for v in x if v > 0.5])[1]
max([(v, 2.0) for v in x if v > 9], default=(x[0], x[1] * x[0]))[1]; max([(v, v * x[0]) for v in x if v > 1], default=(2.0, x[1]))[1]; min({k: (v, k) for k, v in zip("abcd", x)}.values())[0]
max((0.0, x[0] * x[1]), (0.0, x[1]))[1]; max(((x[0], 1), x[1]), ((x[1], 1), x[2] * x[1]))[1]; max([(x[0], x[1])])[1] * x[2]; min((abs(v - x[1]), v * v) for v in x[2:])[1] * x[0]
max([(v * x[1], v) for v in x], key=lambda p: p[1])[0]; max([v for v in x if v > 1], default=0.0) * x[0]; min((v for v in x if v > 9), default=x[0]) * x[1]; max((v for v in x if v < 2), key=abs, default=1.0) ** 2
sum(p[1] for p in sorted((v * v, v) for v in x)[:2])"""
GIVEN = {"array": X, "list": X.tolist(), "tuple": tuple(X.tolist())}


def listed(text: str) -> list[str]:
    return [part.strip() for part in text.replace("\n", ";").split(";")]


@pytest.mark.parametrize("asked", listed(OF_SHAPES))
@pytest.mark.parametrize("x", [X, np.outer(X, X[:2])], ids=["vector", "matrix"])
def test_of_a_shape(x: np.ndarray, asked: str) -> None:
    agrees(
        written(f"def f(x):\n    n = {asked}\n    return np.sum(x * x) * n + x.ravel()[1] ** n\n"),
        x,
    )


@pytest.mark.parametrize("asked", listed(OF_ITEMS))
@pytest.mark.parametrize("given", GIVEN)
def test_of_items(given: str, asked: str) -> None:
    agrees(written(f"def f(x):\n    return {asked}\n"), GIVEN[given])


@pytest.mark.parametrize("asked", listed(OF_CONTAINERS))
@pytest.mark.parametrize("given", GIVEN)
def test_of_containers(given: str, asked: str) -> None:
    """Containers are compared as Python compares them: by their first items that differ."""
    agrees(written(f"def f(x):\n    return {asked}\n"), GIVEN[given])


def test_polynomials_of_two_lengths() -> None:
    text = """
def f(p, q):
    n = max(len(p), len(q))
    r = [0.0] * n
    for i in range(n):
        a = p[i] if i < len(p) else 0.0
        b = q[i] if i < len(q) else 0.0
        r[i] = a * a + b
    return r[0] * r[1] + r[-1]
"""
    for p in GIVEN.values():
        for q in ([1.0, 2.0], np.array([1.0, 2.0]), [1, 2, 3, 4, 5]):
            agrees(written(text), p, q)


ROWS = "r = [[x[0], x[1]], [x[2], x[3]]]\n    i = int(x[0] > 0)\n    a = r[0]\n    "
CHOSEN = {
    "max": "z = max(r, key=lambda p: p[0])",
    "sorted": "z = sorted(r, key=lambda p: p[0])[0]",
    "sort": "r.sort(key=lambda p: p[0]); z = r[0]",
    "an item": "z = r[i]",
    "of a tuple": "z = (r[0], r[1])[i]",
    "of a dict": "z = {0: r[0], 1: r[1]}[i]",
}
WRITES = (
    "z[0] = x[3] * 2",
    "r[1][0] = x[3] * 2",
    "r[0].append(x[0])",
    "a[0] = x[3]",
    "b = list(z); b[0] = x[3]",
)


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("chosen", CHOSEN)
def test_a_list_that_is_chosen_is_the_one_it_was(chosen: str, write: str) -> None:
    f = written(
        f"def f(x):\n    {ROWS}{CHOSEN[chosen]}\n    {write}\n"
        "    return z[0] * z[1] * r[0][0] + r[1][0] * r[0][1] + a[0] * len(a)\n"
    )
    try:
        rg.grad(f, strict=True)(X)
    except RetrogradError:
        return
    agrees(f, X)


SECOND = {
    "whole": 3,
    "number": 3.0,
    "whole numbers": WHOLE,
    "truths": WHOLE > 2,
    "array": X * 2,
    "one": X[:1] * 1.0,
    "list": [1.0, 2.0, 3.0, 4.0],
    "column of whole numbers": WHOLE[:, None],
    "rank 0": np.array(2),
    "scalar": np.int64(3),
}
BROADCAST = (
    "a, b = np.broadcast_arrays(x, y)", "b, a = np.broadcast_arrays(y, x)", "q = np.broadcast_arrays(x, y); a = q[0]; b = q[1]",
    "b, a = np.broadcast_arrays(y, x[0]); b = b + 0", "a, b, c = np.broadcast_arrays(x, y, x[::2][:1]); a = a * c",
    "b, = np.broadcast_arrays(y); a = x", "a, b = np.broadcast_arrays(x, y); a = a.copy(); a[..., 0] = 2.0",
    "a, b = map(np.asanyarray, (x, y)); a, b = np.broadcast_arrays(a, b); m = max(a.shape); a = a * m",
    "a, b = np.meshgrid(x, y)", "b, a = np.meshgrid(y, x)", "b, a = np.meshgrid(y, x, sparse=True); a = a + 0 * b; b = a",
)  # fmt: skip


@pytest.mark.sampled(4)
@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("make", BROADCAST)
@pytest.mark.parametrize("second", SECOND)
def test_broadcast_and_unpacked(second: str, make: str) -> None:
    if "mesh" in make and "column" in second:
        return
    f = written(
        f"def f(x, y):\n    {make}\n    return np.sum(a * b) + np.sum(b * b) * x[0] + np.sum(a**2)\n"
    )
    agrees(f, X, SECOND[second], second=True)


@pytest.mark.parametrize("x", ["y", "y[:1]", "x[:1]"])
def test_what_is_broadcast_shows_what_is_written_later(x: str) -> None:
    f = written(
        f"def f(x, y):\n    x = x * 1.0\n    a, b = np.broadcast_arrays(x, {x})\n    x[0] = x[1] * 5\n    return np.sum(a * b)\n"
    )
    with pytest.raises(RetrogradError):
        rg.grad(f, strict=True)(X, WHOLE)
