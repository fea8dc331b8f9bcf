"""A Gaussian mixture, points in dimensions with components: logsumexp of broadcast squares.

The shift by the largest exponent cancels, so it is taken as a constant.  The hand-written adjoint
keeps the function's own arrays, points times components times dimensions, and sums them over the
points by matrix products; the hand-tuned one turns the arrays round as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.problem import Problem, over, peer, sized
from retrograd import stop_gradient


def loss(alpha, mu, log_sigma, x):  # type: ignore[no-untyped-def]
    r = (x[:, None, :] - mu) * np.exp(-log_sigma)
    log_p = alpha - 0.5 * np.sum(r * r, axis=2) - np.sum(log_sigma, axis=1)
    top = stop_gradient(np.max(log_p, axis=1, keepdims=True))
    log_sum = top[:, 0] + np.log(np.sum(np.exp(log_p - top), axis=1))
    return np.log(np.sum(np.exp(alpha))) - np.mean(log_sum)


def arguments(seed: int, n: int, d: int, k: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    shape = (k, d)
    return (
        *(rng.normal(size=k), rng.normal(size=shape), 0.3 * rng.normal(size=shape)),
        rng.normal(size=(n, d)),
    )


def hand_written(alpha: Any, mu: Any, log_sigma: Any, x: Any) -> tuple[Any, tuple[Any, ...]]:
    n = x.shape[0]
    add = np.add.reduce
    precision = np.exp(-log_sigma)
    r = (x[:, None, :] - mu) * precision
    r2 = r * r
    log_p = alpha - 0.5 * add(r2, axis=2) - add(log_sigma, axis=1)
    top = np.maximum.reduce(log_p, axis=1, keepdims=True)
    e = np.exp(log_p - top)
    s = add(e, axis=1)
    e_alpha = np.exp(alpha)
    total = add(e_alpha)
    value = np.log(total) - add(top[:, 0] + np.log(s)) / n
    share = 1 / (n * s)
    weight = share @ e
    p = (e * share[:, None]).T[:, None]
    mu_bar = -precision * (p @ r.swapaxes(0, 1))[:, 0]
    log_sigma_bar = weight[:, None] - (p @ r2.swapaxes(0, 1))[:, 0]
    return value, (e_alpha / total - weight, mu_bar, log_sigma_bar)


def hand_tuned(alpha: Any, mu: Any, log_sigma: Any, x: Any) -> tuple[Any, tuple[Any, ...]]:
    """Points last, so that every inner loop is long."""
    n = x.shape[0]
    add = np.add.reduce
    precision = np.exp(-log_sigma)
    r = np.ascontiguousarray(x.T) - mu[:, :, None]
    r *= precision[:, :, None]
    r2 = r * r
    p = add(r2, 1)
    p *= -0.5
    p += (alpha - add(log_sigma, 1))[:, None]
    top = np.maximum.reduce(p)
    p -= top
    np.exp(p, p)
    s = add(p)
    e = np.exp(alpha)
    total = add(e)
    value = np.log(total) - (add(top) + add(np.log(s))) / n
    s *= n
    p /= s
    weight = add(p, 1)
    mu_bar = (r @ p[:, :, None])[:, :, 0]
    mu_bar *= -precision
    log_sigma_bar = weight[:, None] - (r2 @ p[:, :, None])[:, :, 0]
    return value, (e / total - weight, mu_bar, log_sigma_bar)


def in_autograd() -> Any:
    return over(peer("autograd.numpy"), loss)


def in_jax() -> Any:
    return over(peer("jax.numpy"), loss)


def in_torch() -> Any:
    torch = peer("torch")

    def loss(alpha: Any, mu: Any, log_sigma: Any, x: Any) -> Any:
        r = (x[:, None, :] - mu) * torch.exp(-log_sigma)
        log_p = alpha - 0.5 * (r * r).sum(2) - log_sigma.sum(1)
        return torch.logsumexp(alpha, 0) - torch.logsumexp(log_p, 1).mean()

    return loss


PROBLEMS = sized(
    Problem(
        name="gmm",
        function=loss,
        wrt=(0, 1, 2),
        arguments=arguments,
        hand_written=hand_written,
        hand_tuned=hand_tuned,
        in_autograd=in_autograd,
        in_jax=in_jax,
        in_torch=in_torch,
    ),
    tiny=(10, 3, 2),
    small=(100, 4, 5),
    medium=(1_000, 8, 10),
    large=(10_000, 16, 20),
)
