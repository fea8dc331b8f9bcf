"""The Gaussian mixture of ``gmm``, written with explicit loops over numbers.

The peers have the broadcast form, since loops over the elements of arrays are none of theirs.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.problem import Problem, sized
from benchmarks.problems import gmm


def loss(alpha, mu, log_sigma, x):
    n, d = x.shape
    k = len(alpha)
    total = 0.0
    for i in range(n):
        s = 0.0
        for j in range(k):
            log_p = alpha[j]
            for m in range(d):
                r = (x[i, m] - mu[j, m]) * math.exp(-log_sigma[j, m])
                log_p -= 0.5 * r * r + log_sigma[j, m]
            s += math.exp(log_p)
        total += math.log(s)
    weights = 0.0
    for j in range(k):
        weights += math.exp(alpha[j])
    return math.log(weights) - total / n


def hand_written(alpha: Any, mu: Any, log_sigma: Any, x: Any) -> tuple[Any, tuple[Any, ...]]:
    """Elements are read as the function reads them; a point's exponentials are kept in a list."""
    n, d = x.shape
    k = len(alpha)
    alpha_bar, mu_bar, log_sigma_bar = np.zeros(k), np.zeros((k, d)), np.zeros((k, d))
    total = 0.0
    tape = []
    for i in range(n):
        s = 0.0
        inner = []
        for j in range(k):
            log_p = alpha[j]
            row = []
            for m in range(d):
                e = math.exp(-log_sigma[j, m])
                r = (x[i, m] - mu[j, m]) * e
                log_p -= 0.5 * r * r + log_sigma[j, m]
                row.append((r, e))
            p = math.exp(log_p)
            inner.append((p, row))
            s += p
        tape.append((s, inner))
        total += math.log(s)
    weights = 0.0
    exponentials = []
    for j in range(k):
        e = math.exp(alpha[j])
        exponentials.append(e)
        weights += e
    value = math.log(weights) - total / n
    for j in range(k):
        alpha_bar[j] += exponentials[j] / weights
    for s, inner in reversed(tape):
        s_bar = -1 / (n * s)
        for j in range(k - 1, -1, -1):
            p, row = inner[j]
            log_p_bar = s_bar * p
            for m in range(d - 1, -1, -1):
                r, e = row[m]
                r_bar = -r * log_p_bar
                mu_bar[j, m] -= r_bar * e
                log_sigma_bar[j, m] -= log_p_bar + r_bar * r
            alpha_bar[j] += log_p_bar
    return value, (alpha_bar, mu_bar, log_sigma_bar)


PROBLEMS = sized(
    Problem(
        name="gmm-loops",
        function=loss,
        wrt=(0, 1, 2),
        arguments=gmm.arguments,
        hand_written=hand_written,
        hand_tuned=gmm.hand_written,
        in_autograd=gmm.in_autograd,
        in_jax=gmm.in_jax,
        in_torch=gmm.in_torch,
    ),
    tiny=(5, 3, 2),
    small=(50, 4, 5),
    medium=(1_000, 8, 10),
)
