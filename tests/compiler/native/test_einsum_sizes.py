"""Operands of `np.einsum` of size 1, repeated for the others, in kernels and their regions."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import retrograd as rg

needs_c = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)


def rows(a, b):
    return np.sum(np.sin(np.einsum("ij,j->i", a, b) * 0.7))


def product(a, b):
    return np.sum(np.sin(np.einsum("ij,jk->ik", a, b) * 0.7))


def flat(a, b):
    return np.sin(np.vdot(a, a * b[0]) * 0.3)


A = np.random.default_rng(0).normal(size=(2, 3))


@needs_c
@pytest.mark.parametrize(
    ("f", "b"), [(rows, np.array([0.7])), (product, np.array([[0.7, 0.2]])), (flat, A)]
)
def test_sizes_of_one_are_repeated(f, b):
    wanted = rg.value_and_grad(f, wrt=(0, 1))(A, b)
    kernel = rg.value_and_grad(f, wrt=(0, 1), backend="c")
    for _ in range(4):  # later calls run other kernels
        value, gradients = kernel(A, b)
        np.testing.assert_allclose(value, wanted[0])
        for got, want in zip(gradients, wanted[1], strict=True):
            assert got.shape == want.shape
            np.testing.assert_allclose(got, want, rtol=1e-12)
