"""``np.dot``, ``np.inner`` and ``np.tensordot``: the derivative of each pair of ranks, and what it is written with."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.transforms.api import source

from ..written import written

PRODUCTS = {
    "dot": "np.dot(a, b)",
    "method": "a.dot(b)",
    "inner": "np.inner(a, b)",
    "outer": "np.tensordot(a, b, 0)",
    "one axis": "np.tensordot(a, b, 1)",
    "two axes": "np.tensordot(a, b)",
    "the first axes": "np.tensordot(a, b, (0, 0))",
    "the first and the second": "np.tensordot(a, b, axes=([0], [1]))",
    "crosswise": "np.tensordot(a, b, axes=((0, 1), (1, 0)))",
}  # fmt: skip
RANKS = list(itertools.product(range(4), range(4)))
SIZES = "k, l, m"


def taken(product: str, ranks: tuple[int, int]) -> bool:
    a, b = (np.ones((3,) * n) for n in ranks)
    try:
        eval(product)
    except (ValueError, IndexError):
        return False
    return True


CASES = [(name, ranks) for name, p in PRODUCTS.items() for ranks in RANKS if taken(p, ranks)]


def loss(name: str) -> Any:
    return written(f"def f(a, b):\n    return np.sum(np.sin({PRODUCTS[name]}) ** 2)\n")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "ranks"), CASES)
def test_first_and_second_derivatives(name: str, ranks: tuple[int, int], unchecked: None) -> None:
    f, rng = loss(name), np.random.default_rng(0)
    x, v = (tuple(np.asarray(rng.normal(size=(3,) * n)) for n in ranks) for _ in range(2))
    gradient = rg.grad(f, wrt=(0, 1))
    slope = sum(np.sum(g * d) for g, d in zip(gradient(*x), v, strict=True))
    np.testing.assert_allclose(slope, rg.jvp(f, x, v)[1], rtol=1e-10)
    ahead, behind = (
        gradient(*(np.asarray(a + h * d) for a, d in zip(x, v, strict=True))) for h in (1e-5, -1e-5)
    )
    for p, m, found in zip(ahead, behind, rg.hvp(f, x, v, wrt=(0, 1)), strict=True):
        np.testing.assert_allclose(found, (p - m) / 2e-5, rtol=1e-5, atol=1e-7)
        assert np.shape(found) == np.shape(p)


@pytest.mark.parametrize(("name", "ranks"), CASES)
def test_of_vectors_and_matrices_it_is_a_product_in_the_text(
    name: str, ranks: tuple[int, int]
) -> None:
    sig = ", ".join(
        f"{x}: f8[{', '.join(SIZES[: 3 * n : 3])}]" for x, n in zip("ab", ranks, strict=True)
    )
    text = source(loss(name), "grad", (0, 1), sig=sig)
    plain = set(ranks) <= {1, 2} and name != "outer"
    assert ("tensordot_pull" in text) <= (not plain)
    assert "_axes(" not in text
