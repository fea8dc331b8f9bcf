"""``gmm``: the log posterior of a mixture of Gaussians with a Wishart prior on the precisions."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import math

import numpy as np

import retrograd as rg

from ..function import Function


def logsumexp(x, axis):
    largest = np.max(x, axis=axis, keepdims=True)
    return np.log(np.sum(np.exp(x - largest), axis=axis)) + np.squeeze(largest, axis)


def log_gamma(a, d):
    """The logarithm of the multivariate gamma function."""
    return 0.25 * d * (d - 1) * math.log(math.pi) + sum(math.lgamma(a - 0.5 * j) for j in range(d))


def log_prior(q, below, gamma, m):
    k, d = q.shape
    n = d + m + 1
    constant = n * d * (math.log(gamma) - 0.5 * math.log(2)) - log_gamma(0.5 * n, d)
    frobenius = np.sum(np.exp(q) ** 2) + np.sum(below**2)
    return k * constant - 0.5 * gamma**2 * frobenius + m * np.sum(q)


def factors(q, below):
    """Lower triangular matrices: the logarithms of their diagonals, and what is below, by columns."""
    k, d = q.shape
    columns, rows = np.triu_indices(d, 1)
    lower = np.zeros((k, d, d))
    lower[:, np.arange(d), np.arange(d)] = np.exp(q)
    lower[:, rows, columns] = below
    return lower


def objective(alpha, mu, q, below, x, gamma, m):
    n, d = x.shape
    centred = x - mu[:, None]
    scaled = centred @ np.swapaxes(factors(q, below), 1, 2)
    exponents = -0.5 * np.sum(scaled**2, axis=2)
    densities = logsumexp((alpha + np.sum(q, axis=1))[:, None] + exponents, axis=0)
    likelihood = np.sum(densities) - n * logsumexp(alpha, axis=0)
    return likelihood - 0.5 * n * d * math.log(2 * math.pi) + log_prior(q, below, gamma, m)


def arguments(given):
    k, d = given["k"], given["d"]
    arrays = [np.array(given[name]) for name in ("alpha", "mu", "q")]
    below = np.array(given["l"]).reshape(k, d * (d - 1) // 2)
    return *arrays, below, np.array(given["x"]), given["gamma"], given["m"]


def named(gradients):
    names = ("alpha", "mu", "q", "l")
    return {name: gradient.tolist() for name, gradient in zip(names, gradients, strict=True)}


FUNCTIONS = {
    "objective": Function(lambda backend: objective, arguments),
    "jacobian": Function(
        lambda backend: rg.grad(objective, (0, 1, 2, 3), backend=backend), arguments, named
    ),
}
