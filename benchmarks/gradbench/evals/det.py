"""``det``: a determinant by the recursion over minors, a stack of all minors of a size at a time."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

import retrograd as rg

from ..function import Function


def determinants(stack):
    """Of many square matrices, each expanded by the minors of its first row."""
    m, n = len(stack), stack.shape[1]
    if n == 1:
        return stack[:, 0, 0]
    minors = np.stack([np.delete(stack[:, 1:], j, axis=2) for j in range(n)], axis=1)
    expanded = determinants(minors.reshape(m * n, n - 1, n - 1)).reshape(m, n)
    signs = (-1.0) ** np.arange(n)
    return np.sum(signs * stack[:, 0] * expanded, axis=1)


def determinant(a):
    return determinants(a[None])[0]


def arguments(given):
    return (np.array(given["A"]).reshape(given["ell"], given["ell"]),)


FUNCTIONS = {
    "primal": Function(lambda backend: determinant, arguments),
    "gradient": Function(
        lambda backend: rg.grad(determinant, backend=backend),
        arguments,
        lambda gradient: gradient.ravel().tolist(),
    ),
}
