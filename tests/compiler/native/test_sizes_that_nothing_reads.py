"""Sizes that the function needs, in a part that its derivative leaves out: kernels ask for them, too."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import retrograd as rg

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)


def left_out_of_a_branch(w, s):
    total = s
    if s > 0.1:
        w + 0.5 * w.T
        total = total + 0.1
    return total + np.mean(w)


def left_out(w, s):
    w @ w
    return s * np.mean(w)


@pytest.mark.parametrize("f", [left_out_of_a_branch, left_out])
@pytest.mark.parametrize("backend", ["c", "numba"])
def test_sizes_that_do_not_fit_raise_what_the_function_raises(f, backend):
    if backend == "numba":
        pytest.importorskip("numba")
    gradient = rg.grad(f, (0, 1), backend=backend)
    for n in (6, 40):
        square = np.ones((n, n))
        for a, b in zip(gradient(square, 0.7), rg.grad(f, (0, 1))(square, 0.7), strict=True):
            np.testing.assert_array_equal(a, b)
        with pytest.raises(ValueError, match="shapes|mismatch"):
            gradient(np.ones((n + 1, n)), 0.7)


def test_a_size_of_one_fits_where_numpy_stretches_it():
    gradient = rg.grad(left_out_of_a_branch, (0, 1), backend="c")
    for shape in ((4, 4), (1, 4), (4, 1)):
        w = np.ones(shape)
        found, wanted = gradient(w, 0.7), rg.grad(left_out_of_a_branch, (0, 1))(w, 0.7)
        np.testing.assert_array_equal(found[0], wanted[0])


def test_they_are_not_asked_for_on_the_other_way():
    gradient = rg.grad(left_out_of_a_branch, (0, 1), backend="c")
    gradient(np.ones((4, 4)), 0.7)
    assert gradient(np.ones((5, 4)), 0.05)[0].shape == (5, 4)
