"""Shortest paths, matched pairs, filters by recursion, contractions."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import jax.numpy as jnp
from jax import lax
from jax.nn import logsumexp


def floyd_warshall(path):
    def through(k, path):
        return jnp.minimum(path, jnp.add.outer(path[:, k], path[k, :]))

    return jnp.sum(lax.fori_loop(0, path.shape[0], through, path))


def floyd_warshall_rows(path):
    def through(k, path):
        def row(i, path):
            return path.at[i].set(jnp.minimum(path[i], path[i, k] + path[k]))

        return lax.fori_loop(0, path.shape[0], row, path)

    return jnp.sum(lax.fori_loop(0, path.shape[0], through, path))


def nussinov(gain):
    n = gain.shape[0]
    places = jnp.arange(n)

    def row(k, table):
        i = n - 1 - k

        def column(j, table):
            below = table[jnp.minimum(i + 1, n - 1)]
            best = jnp.maximum(table[i, j - 1], below[j])
            best = jnp.where(i < j - 1, jnp.maximum(best, below[j - 1] + gain[i, j]), best)
            split = table[i] + jnp.roll(table[:, j], -1)
            split = jnp.where((places > i) & (places < j), split, 0.0)
            best = jnp.maximum(best, jnp.max(split))
            return table.at[i, j].set(jnp.where(j > i, best, table[i, j]))

        return lax.fori_loop(1, n, column, table)

    return jnp.sum(lax.fori_loop(0, n, row, jnp.zeros((n, n))))


def soft_paths(cost):
    def row(above, costs):
        def element(left, given):
            cost, corner, up = given
            new = cost - logsumexp(-jnp.stack([corner, up, left]))
            return new, new

        _, new = lax.scan(element, 1e3, (costs, above[:-1], above[1:]))
        return jnp.concatenate([jnp.full(1, 1e3), new]), None

    first = jnp.full(cost.shape[1] + 1, 1e3).at[0].set(0.0)
    return lax.scan(row, first, cost)[0][-1]


def doitgen(A, C4):
    return jnp.sum(A @ C4)


def recursion(own, first, second, b1, b2):
    """Each row of `own` and two before it, by scan."""

    def step(carry, row):
        last, before = carry
        new = row + b1 * last + b2 * before
        return (new, last), new

    return lax.scan(step, (first, second), own)[1]


def deriche(alpha, imgIn):
    k = (1.0 - jnp.exp(-alpha)) ** 2 / (1.0 + alpha * jnp.exp(-alpha) * 2.0 - jnp.exp(2.0 * alpha))
    a2 = k * jnp.exp(-alpha) * (alpha - 1.0)
    a3 = k * jnp.exp(-alpha) * (alpha + 1.0)
    a4 = -k * jnp.exp(-2.0 * alpha)
    b1, b2 = 2.0 ** (-alpha), -jnp.exp(-2.0 * alpha)

    def both(x):
        zero = jnp.zeros_like(x[:1])
        one = jnp.concatenate([zero, x[:-1]])
        ahead = recursion(k * x + a2 * one, zero[0], zero[0], b1, b2)
        turned = x[::-1]
        one = jnp.concatenate([zero, turned[:-1]])
        two = jnp.concatenate([zero, zero, turned[:-2]])
        return ahead + recursion(a3 * one + a4 * two, zero[0], zero[0], b1, b2)[::-1]

    return jnp.sum(both(both(imgIn.T).T))
