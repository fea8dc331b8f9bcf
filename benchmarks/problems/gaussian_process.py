"""The likelihood of a Gaussian process: a kernel matrix, its Cholesky factor, a triangular system."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from benchmarks.problem import Problem, over, peer, sized


def loss(log_scale, log_amplitude, log_noise, x, y):
    z = x * np.exp(-log_scale)
    z2 = np.sum(z * z, axis=1)
    k = np.exp(log_amplitude + z @ z.T - 0.5 * (z2[:, None] + z2))
    k = k + np.exp(log_noise) * np.eye(len(y))
    factor = np.linalg.cholesky(k)
    a = solve_triangular(factor, y, lower=True)
    return 0.5 * (a @ a) + np.sum(np.log(np.diag(factor)))


def arguments(seed: int, n: int, d: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(n, d)), rng.normal(size=n)
    return 0.1 * rng.normal(size=d), 0.2, -1.0, x, y


def kernel(log_scale: Any, log_amplitude: float, log_noise: float, x: Any) -> tuple[Any, ...]:
    shrink = np.exp(-log_scale)
    z = x * shrink
    z2 = np.add.reduce(z * z, axis=1)
    smooth = np.exp(log_amplitude + z @ z.T - 0.5 * (z2[:, None] + z2))
    noise = np.exp(log_noise)
    return z, smooth, noise, smooth + noise * np.eye(len(x))


def pulled(k_bar: Any, z: Any, smooth: Any, noise: Any, both: bool) -> tuple[Any, Any, Any]:
    """From the adjoint of the kernel matrix to those of its parameters."""
    noise_bar = noise * np.add.reduce(np.diag(k_bar))
    g = k_bar * smooth
    rows = np.add.reduce(g, axis=1)
    columns = np.add.reduce(g) if both else rows
    z_bar = g @ z + (g.T @ z if both else g @ z) - (rows + columns)[:, None] * z
    return -np.add.reduce(z_bar * z), np.add.reduce(rows), noise_bar


def hand_written(
    log_scale: Any, log_amplitude: float, log_noise: float, x: Any, y: Any
) -> tuple[Any, tuple[Any, ...]]:
    """The adjoint of the factor as Murray gives it."""
    z, smooth, noise, k = kernel(log_scale, log_amplitude, log_noise, x)
    factor = np.linalg.cholesky(k)
    a = solve_triangular(factor, y, lower=True)
    diagonal = np.diag(factor)
    value = 0.5 * (a @ a) + np.add.reduce(np.log(diagonal))
    pull = solve_triangular(factor, a, lower=True, trans=1)
    factor_bar = np.tril(-pull[:, None] * a)
    n = len(y)
    factor_bar.reshape(-1)[:: n + 1] += 1 / diagonal
    inner = np.tril(factor.T @ factor_bar)
    inner.reshape(-1)[:: n + 1] *= 0.5
    half = solve_triangular(factor, inner, lower=True, trans=1)
    k_bar = solve_triangular(factor, half.T, lower=True, trans=1)
    k_bar = 0.5 * (k_bar + k_bar.T)
    return value, pulled(k_bar, z, smooth, noise, both=True)


def hand_tuned(
    log_scale: Any, log_amplitude: float, log_noise: float, x: Any, y: Any
) -> tuple[Any, tuple[Any, ...]]:
    """The closed form, half of (inverse of k less outer product of its solution)."""
    from scipy.linalg.lapack import dpotri

    z, smooth, noise, k = kernel(log_scale, log_amplitude, log_noise, x)
    factor = np.linalg.cholesky(k)
    a = solve_triangular(factor, y, lower=True, check_finite=False)
    value = 0.5 * (a @ a) + np.add.reduce(np.log(np.diag(factor)))
    pull = solve_triangular(factor, a, lower=True, trans=1, check_finite=False)
    lower = np.tril(dpotri(factor, lower=1)[0])
    k_bar = lower + lower.T
    k_bar.reshape(-1)[:: len(y) + 1] *= 0.5
    k_bar -= pull[:, None] * pull
    k_bar *= 0.5
    return value, pulled(k_bar, z, smooth, noise, both=False)


def in_autograd() -> Any:
    solve = peer("autograd.scipy.linalg").solve_triangular
    return over(peer("autograd.numpy"), loss, solve_triangular=solve)


def in_jax() -> Any:
    solve = peer("jax.scipy.linalg").solve_triangular
    return over(peer("jax.numpy"), loss, solve_triangular=solve)


def in_torch() -> Any:
    torch = peer("torch")

    def loss(log_scale: Any, log_amplitude: Any, log_noise: Any, x: Any, y: Any) -> Any:
        z = x * torch.exp(-log_scale)
        z2 = (z * z).sum(1)
        k = torch.exp(log_amplitude + z @ z.T - 0.5 * (z2[:, None] + z2))
        k = k + torch.exp(log_noise) * torch.eye(len(y), dtype=y.dtype)
        factor = torch.linalg.cholesky(k)
        a = torch.linalg.solve_triangular(factor, y[:, None], upper=False)[:, 0]
        return 0.5 * (a @ a) + torch.log(torch.diag(factor)).sum()

    return loss


PROBLEMS = sized(
    Problem(
        name="gaussian-process",
        function=loss,
        wrt=(0, 1, 2),
        arguments=arguments,
        hand_written=hand_written,
        hand_tuned=hand_tuned,
        in_autograd=in_autograd,
        in_jax=in_jax,
        in_torch=in_torch,
    ),
    tiny=(5, 2),
    small=(50, 3),
    medium=(200, 5),
    large=(1_000, 5),
)
