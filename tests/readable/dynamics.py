"""Simulators and filters, and the gradients that a person would write."""

# ruff: noqa: B007 B905 E741

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def sir(theta, obs):  # type: ignore[no-untyped-def]
    beta, gamma = theta
    s, i = 0.99, 0.01
    err = 0.0
    for o in obs:
        new = beta * s * i**0.9
        s = s - new
        i = i + new - gamma * i
        err += (i - o) ** 2
    return err / len(obs)


def sir_by_hand(theta: Array, obs: Array) -> Array:
    beta, gamma = theta
    s, i = 0.99, 0.01
    tape = []
    for o in obs:
        tape.append((s, i))
        new = beta * s * i**0.9
        s = s - new
        i = i + new - gamma * i
    s_bar, i_bar, beta_bar, gamma_bar = 0.0, 0.0, 0.0, 0.0
    for o, (s_prev, i_prev) in zip(obs[::-1], reversed(tape)):
        i_bar += 2 * (i - o) / len(obs)
        new_bar = i_bar - s_bar
        gamma_bar -= i_bar * i_prev
        beta_bar += new_bar * s_prev * i_prev**0.9
        s_bar += new_bar * beta * i_prev**0.9
        i_bar = (1 - gamma) * i_bar + 0.9 * new_bar * beta * s_prev * i_prev**-0.1
        i = i_prev
    return np.array([beta_bar, gamma_bar])


SIR = "theta: f8[2], obs: f8[n]"


def heat(u0, c, steps):  # type: ignore[no-untyped-def]
    u = u0.copy()
    for _ in range(steps):
        u[1:-1] += c * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u**2)


def heat_by_hand(u0: Array, c: float, steps: int) -> Array:
    u = u0.copy()
    for _ in range(steps):
        u[1:-1] += c * (u[2:] - 2 * u[1:-1] + u[:-2])
    u_bar = 2 * u
    for _ in range(steps):
        flow_bar = c * u_bar[1:-1]
        u_bar[1:-1] -= 2 * flow_bar
        u_bar[2:] += flow_bar
        u_bar[:-2] += flow_bar
    return u_bar


HEAT = "u0: f8[n], c: float, steps: int"


def kalman(q, ys):  # type: ignore[no-untyped-def]
    n = 4
    F = np.eye(n) + 0.1 * np.eye(n, k=2)
    H = np.eye(2, n)
    x = np.zeros(n)
    P = np.eye(n)
    nll = 0.0
    for y in ys:
        x = F @ x
        P = F @ P @ F.T + q * np.eye(n)
        S = H @ P @ H.T + 0.1 * np.eye(2)
        K = P @ H.T @ np.linalg.inv(S)
        r = y - H @ x
        nll += 0.5 * (r @ np.linalg.solve(S, r) + np.log(np.linalg.det(S)))
        x = x + K @ r
        P = (np.eye(n) - K @ H) @ P
    return nll


def kalman_by_hand(q: float, ys: Array) -> Array:
    n = 4
    F = np.eye(n) + 0.1 * np.eye(n, k=2)
    H = np.eye(2, n)
    x = np.zeros(n)
    P = np.eye(n)
    tape = []
    for y in ys:
        x = F @ x
        P = F @ P @ F.T + q * np.eye(n)
        S_inv = np.linalg.inv(H @ P @ H.T + 0.1 * np.eye(2))
        K = P @ H.T @ S_inv
        r = y - H @ x
        tape.append((P, S_inv, K, r))
        x = x + K @ r
        P = (np.eye(n) - K @ H) @ P
    q_bar = 0.0
    x_bar = np.zeros(n)
    P_bar = np.zeros((n, n))
    for P, S_inv, K, r in reversed(tape):
        K_bar = np.outer(x_bar, r) - P_bar @ P.T @ H.T
        P_bar = (np.eye(n) - K @ H).T @ P_bar
        r_bar = K.T @ x_bar + S_inv @ r
        S_bar = 0.5 * (S_inv - np.outer(S_inv @ r, S_inv @ r))
        S_bar -= S_inv @ H @ P @ K_bar @ S_inv
        x_bar = x_bar - H.T @ r_bar
        P_bar += K_bar @ S_inv @ H + H.T @ S_bar @ H
        q_bar += np.trace(P_bar)
        P_bar = F.T @ P_bar @ F
        x_bar = F.T @ x_bar
    return q_bar


KALMAN = "q: float, ys: f8[n, 2]"


def pendulum(theta0, length, steps):  # type: ignore[no-untyped-def]
    h, g = 0.01, 9.81
    theta, omega = theta0, 0.0
    for _ in range(steps):
        omega -= h * g / length * np.sin(theta)
        theta += h * omega
    return theta**2


def pendulum_by_hand(theta0: float, length: float, steps: int) -> Array:
    h, g = 0.01, 9.81
    theta, omega = theta0, 0.0
    tape = []
    for _ in range(steps):
        tape.append(theta)
        omega -= h * g / length * np.sin(theta)
        theta += h * omega
    theta_bar, omega_bar, length_bar = 2 * theta, 0.0, 0.0
    for theta in reversed(tape):
        omega_bar += h * theta_bar
        length_bar += omega_bar * h * g / length**2 * np.sin(theta)
        theta_bar -= omega_bar * h * g / length * np.cos(theta)
    return theta_bar, length_bar


PENDULUM = "theta0: float, length: float, steps: int"


def springs(x, edges, rest, k):  # type: ignore[no-untyped-def]
    energy = 0.0
    for (i, j), l in zip(edges, rest):
        d = x[i] - x[j]
        energy += 0.5 * k * (np.sqrt(d @ d) - l) ** 2
    return energy


def springs_by_hand(x: Array, edges: Array, rest: Array, k: float) -> Array:
    x_bar = np.zeros(x.shape)
    for (i, j), l in zip(edges, rest):
        d = x[i] - x[j]
        length = np.sqrt(d @ d)
        d_bar = k * (length - l) / length * d
        x_bar[i] += d_bar
        x_bar[j] -= d_bar
    return x_bar


SPRINGS = "x: f8[n, 2], edges: i8[m, 2], rest: f8[m], k: float"


def lennard_jones(x):  # type: ignore[no-untyped-def]
    d = x[:, None, :] - x[None, :, :]
    r2 = np.sum(d**2, axis=2) + np.eye(len(x))
    s6 = 1 / r2**3
    return 2 * np.sum((s6**2 - s6) * (1 - np.eye(len(x))))


def lennard_jones_by_hand(x: Array) -> Array:
    d = x[:, None, :] - x[None, :, :]
    r2 = np.sum(d**2, axis=2) + np.eye(len(x))
    s6 = 1 / r2**3
    r2_bar = -6 * (2 * s6**2 - s6) * (1 - np.eye(len(x))) / r2
    d_bar = 2 * r2_bar[:, :, None] * d
    return d_bar.sum(axis=1) - d_bar.sum(axis=0)


LENNARD_JONES = "x: f8[n, 3]"


def black_scholes(s, k, t, sigma, rate):  # type: ignore[no-untyped-def]
    d1 = (np.log(s / k) + (rate + 0.5 * sigma**2) * t) / (sigma * np.sqrt(t))
    d2 = d1 - sigma * np.sqrt(t)
    cdf1 = 1 / (1 + np.exp(-1.702 * d1))
    cdf2 = 1 / (1 + np.exp(-1.702 * d2))
    return s * cdf1 - k * np.exp(-rate * t) * cdf2


def black_scholes_by_hand(s: float, k: float, t: float, sigma: float, rate: float) -> Array:
    root = sigma * np.sqrt(t)
    d1 = (np.log(s / k) + (rate + 0.5 * sigma**2) * t) / root
    d2 = d1 - root
    cdf1 = 1 / (1 + np.exp(-1.702 * d1))
    cdf2 = 1 / (1 + np.exp(-1.702 * d2))
    d1_bar = 1.702 * s * cdf1 * (1 - cdf1)
    d2_bar = -1.702 * k * np.exp(-rate * t) * cdf2 * (1 - cdf2)
    s_bar = cdf1 + (d1_bar + d2_bar) / (s * root)
    sigma_bar = (d1_bar + d2_bar) * (np.sqrt(t) - d1 / sigma) - d2_bar * np.sqrt(t)
    return s_bar, sigma_bar


BLACK_SCHOLES = "s: float, k: float, t: float, sigma: float, rate: float"
