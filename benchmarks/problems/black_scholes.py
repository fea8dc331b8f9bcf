"""The price of call options, elementwise: exp, log, sqrt, the normal distribution."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ndtr

from benchmarks.problem import Problem, over, peer, sized

SQRT_2_PI = 2.5066282746310002


def price(s, k, t, sigma, rate):
    spread = sigma * np.sqrt(t)
    d1 = (np.log(s / k) + (rate + 0.5 * sigma * sigma) * t) / spread
    d2 = d1 - spread
    return np.sum(s * ndtr(d1) - k * np.exp(-rate * t) * ndtr(d2))


def arguments(seed: int, n: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    s, k = rng.uniform(50, 150, size=n), rng.uniform(50, 150, size=n)
    return s, k, rng.uniform(0.2, 2, size=n), rng.uniform(0.1, 0.5, size=n), 0.03


def hand_written(s: Any, k: Any, t: Any, sigma: Any, rate: float) -> tuple[Any, tuple[Any, ...]]:
    root = np.sqrt(t)
    spread = sigma * root
    drift = rate + 0.5 * sigma * sigma
    d1 = (np.log(s / k) + drift * t) / spread
    d2 = d1 - spread
    n1, n2 = ndtr(d1), ndtr(d2)
    discounted = k * np.exp(-rate * t)
    value = np.add.reduce(s * n1 - discounted * n2)
    d2_bar = discounted * np.exp(-0.5 * d2 * d2) * (-1 / SQRT_2_PI)
    d1_bar = s * np.exp(-0.5 * d1 * d1) * (1 / SQRT_2_PI) + d2_bar
    sum_bar = d1_bar / spread
    spread_bar = -d2_bar - d1 * sum_bar
    s_bar = n1 + sum_bar / s
    t_bar = rate * discounted * n2 + drift * sum_bar + 0.5 * sigma * spread_bar / root
    sigma_bar = sigma * t * sum_bar + spread_bar * root
    return value, (s_bar, t_bar, sigma_bar)


def hand_tuned(s: Any, k: Any, t: Any, sigma: Any, rate: float) -> tuple[Any, tuple[Any, ...]]:
    """Two sensitivities cancel: s * density(d1) = discounted * density(d2); 8192 options at a time."""
    s_bar, t_bar, sigma_bar = np.empty_like(s), np.empty_like(s), np.empty_like(s)
    value = 0.0
    for i in range(0, len(s), 8192):
        part = slice(i, i + 8192)
        a, b, c = s[part], t[part], sigma[part]
        root = np.sqrt(b)
        spread = c * root
        d1 = np.log(a / k[part])
        drift = c * c
        drift *= 0.5
        drift += rate
        drift *= b
        d1 += drift
        d1 /= spread
        n1 = ndtr(d1, s_bar[part])
        density = np.multiply(d1, d1, drift)
        density *= -0.5
        np.exp(density, density)
        d1 -= spread
        n2 = ndtr(d1, d1)
        n2 *= k[part]
        b = b * -rate
        n2 *= np.exp(b, b)
        value += a.dot(n1) - np.add.reduce(n2)
        density *= a
        density /= SQRT_2_PI
        np.multiply(density, root, sigma_bar[part])
        n2 *= rate
        density *= c
        density /= root
        density *= 0.5
        np.add(n2, density, t_bar[part])
    return value, (s_bar, t_bar, sigma_bar)


def in_autograd() -> Any:
    return over(peer("autograd.numpy"), price, ndtr=peer("autograd.scipy.stats").norm.cdf)


def in_jax() -> Any:
    return over(peer("jax.numpy"), price, ndtr=peer("jax.scipy.special").ndtr)


def in_torch() -> Any:
    return over(peer("torch"), price, ndtr=peer("torch").special.ndtr)


PROBLEMS = sized(
    Problem(
        name="black-scholes",
        function=price,
        wrt=(0, 2, 3),
        arguments=arguments,
        hand_written=hand_written,
        hand_tuned=hand_tuned,
        in_autograd=in_autograd,
        in_jax=in_jax,
        in_torch=in_torch,
    ),
    tiny=10,
    small=1_000,
    medium=100_000,
    large=1_000_000,
    huge=10_000_000,
)
