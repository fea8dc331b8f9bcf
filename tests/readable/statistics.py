"""Likelihoods and losses of statistics, and the gradients that a person would write."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def logistic(w, x, y, lam=0.1):  # type: ignore[no-untyped-def]
    z = x @ w
    return np.sum(np.logaddexp(0.0, z) - y * z) + lam * (w @ w)


def logistic_by_hand(w: Array, x: Array, y: Array, lam: float = 0.1) -> Array:
    p = 1 / (1 + np.exp(-(x @ w)))
    return x.T @ (p - y) + 2 * lam * w


LOGISTIC = "w: f8[d], x: f8[n, d], y: f8[n], lam: float"


def poisson(w, x, y):  # type: ignore[no-untyped-def]
    eta = x @ w
    return np.mean(np.exp(eta) - y * eta)


def poisson_by_hand(w: Array, x: Array, y: Array) -> Array:
    return x.T @ (np.exp(x @ w) - y) / y.size


POISSON = "w: f8[d], x: f8[n, d], y: f8[n]"


def huber(theta, x, y, delta=1.0):  # type: ignore[no-untyped-def]
    slope, offset = theta
    r = slope * x + offset - y
    a = np.abs(r)
    return np.sum(np.where(a < delta, 0.5 * r**2, delta * (a - 0.5 * delta)))


def huber_by_hand(theta: Array, x: Array, y: Array, delta: float = 1.0) -> Array:
    slope, offset = theta
    r = slope * x + offset - y
    r_bar = np.where(np.abs(r) < delta, r, delta * np.sign(r))
    return np.array([r_bar @ x, np.sum(r_bar)])


HUBER = "theta: f8[2], x: f8[n], y: f8[n], delta: float"


def student_t(theta, x):  # type: ignore[no-untyped-def]
    mu, log_sigma = theta
    nu = 4.0
    z = (x - mu) / np.exp(log_sigma)
    return np.sum(0.5 * (nu + 1) * np.log1p(z**2 / nu) + log_sigma)


def student_t_by_hand(theta: Array, x: Array) -> Array:
    mu, log_sigma = theta
    nu = 4.0
    sigma = np.exp(log_sigma)
    z = (x - mu) / sigma
    z_bar = (nu + 1) * z / (nu + z**2)
    return np.array([-np.sum(z_bar) / sigma, x.size - z_bar @ z])


STUDENT_T = "theta: f8[2], x: f8[n]"


def gaussian_process(theta, x, y):  # type: ignore[no-untyped-def]
    ell, sf, sn = np.exp(theta)
    d2 = (x[:, None] - x[None, :]) ** 2
    K = sf**2 * np.exp(-0.5 * d2 / ell**2) + sn**2 * np.eye(len(y))
    L = np.linalg.cholesky(K)
    alpha = np.linalg.solve(K, y)
    return 0.5 * y @ alpha + np.sum(np.log(np.diag(L)))


def gaussian_process_by_hand(theta: Array, x: Array, y: Array) -> Array:
    ell, sf, sn = np.exp(theta)
    d2 = (x[:, None] - x[None, :]) ** 2
    E = sf**2 * np.exp(-0.5 * d2 / ell**2)
    K = E + sn**2 * np.eye(len(y))
    alpha = np.linalg.solve(K, y)
    K_bar = 0.5 * (np.linalg.inv(K) - np.outer(alpha, alpha))
    E_bar = K_bar * E
    return np.array([np.sum(E_bar * d2) / ell**2, 2 * np.sum(E_bar), 2 * sn**2 * np.trace(K_bar)])


GAUSSIAN_PROCESS = "theta: f8[3], x: f8[n], y: f8[n]"


def gaussian_mixture(mu, log_sigma, log_w, x):  # type: ignore[no-untyped-def]
    diff = x[:, None, :] - mu
    scale = np.exp(-2 * log_sigma)
    q = log_w - mu.shape[1] * log_sigma - 0.5 * np.sum(diff**2, axis=2) * scale
    top = np.max(q, axis=1, keepdims=True)
    return -np.sum(top[:, 0] + np.log(np.sum(np.exp(q - top), axis=1)))


def gaussian_mixture_by_hand(mu: Array, log_sigma: Array, log_w: Array, x: Array) -> Array:
    diff = x[:, None, :] - mu
    scale = np.exp(-2 * log_sigma)
    q = log_w - mu.shape[1] * log_sigma - 0.5 * np.sum(diff**2, axis=2) * scale
    e = np.exp(q - np.max(q, axis=1, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    return -np.einsum("nk,nkd->kd", p * scale, diff)


GAUSSIAN_MIXTURE = "mu: f8[k, d], log_sigma: f8[k], log_w: f8[k], x: f8[n, d]"


def garch(theta, r):  # type: ignore[no-untyped-def]
    omega, alpha, beta = theta
    h = np.var(r)
    total = 0.0
    for t in range(1, len(r)):
        h = omega + alpha * r[t - 1] ** 2 + beta * h
        total += np.log(h) + r[t] ** 2 / h
    return 0.5 * total


def garch_by_hand(theta: Array, r: Array) -> Array:
    omega, alpha, beta = theta
    h = np.empty(len(r))
    h[0] = np.var(r)
    for t in range(1, len(r)):
        h[t] = omega + alpha * r[t - 1] ** 2 + beta * h[t - 1]
    theta_bar = np.zeros(3)
    h_bar = 0.0
    for t in reversed(range(1, len(r))):
        h_bar += 0.5 * (1 / h[t] - r[t] ** 2 / h[t] ** 2)
        theta_bar += h_bar * np.array([1.0, r[t - 1] ** 2, h[t - 1]])
        h_bar = beta * h_bar
    return theta_bar


GARCH = "theta: f8[3], r: f8[n]"
