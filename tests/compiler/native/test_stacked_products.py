"""Products of stacks, matrices and vectors, and the ways back through them, as whole kernels."""

from __future__ import annotations

import shutil
from typing import Any

import numpy as np
import pytest

import retrograd as rg

needs_c = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)
SHAPES = [
    ((2, 3, 4), (4, 5)), ((3, 4), (2, 4, 5)), ((2, 3, 4), (2, 4, 5)), ((1, 3, 4), (2, 4, 5)),
    ((2, 1, 3, 4), (3, 4, 5)), ((2, 3, 4), (4,)), ((4,), (2, 4, 5)), ((2, 2, 3, 4), (4,)), ((1, 3, 4), (4,)),
    ((3, 4), (4,)), ((4,), (4, 5)), ((3, 2, 0), (0,)), ((0,), (3, 0, 2)), ((0, 3, 4), (4,)),
]  # fmt: skip


def squares(a: Any, b: Any) -> Any:
    return np.sum(np.tanh(a @ b) ** 2)


@needs_c
@pytest.mark.parametrize("complex_", [False, True])
@pytest.mark.parametrize(("left", "right"), SHAPES)
def test_the_kernel_is_whole_and_right(left: Any, right: Any, complex_: bool) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=left), rng.normal(size=right)

    def of_complex(a: Any, b: Any) -> Any:
        return np.sum(np.abs(a @ b) ** 2)

    f = of_complex if complex_ else squares
    a, b = (a + 1j * rng.normal(size=left), b * (1 + 0j)) if complex_ else (a, b)
    kernel = rg.value_and_grad(f, (0, 1), backend="c")
    wanted, slopes = rg.value_and_grad(f, (0, 1))(a, b)
    for _ in range(2):
        value, found = kernel(a, b)
    assert kernel.__native__.notes == []  # type: ignore[attr-defined]
    np.testing.assert_allclose(value, wanted, rtol=1e-12)
    for x, y in zip(found, slopes, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-13)
