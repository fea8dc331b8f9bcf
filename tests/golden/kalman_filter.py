"""The log likelihood of a linear Gaussian state space model, by the Kalman filter."""
# differentiate: log_likelihood wrt F, Q, R

import numpy as np


def log_likelihood(F, H, Q, R, m, P, ys):
    total = 0.0
    for y in ys:
        m = F @ m
        P = F @ P @ F.T + Q
        v = y - H @ m
        S = H @ P @ H.T + R
        K = P @ H.T @ np.linalg.inv(S)
        m = m + K @ v
        P = P - K @ S @ K.T
        sign, logdet = np.linalg.slogdet(S)
        total -= 0.5 * (v @ np.linalg.solve(S, v) + logdet + len(v) * np.log(2 * np.pi))
    return total


def arguments():
    rng = np.random.default_rng(0)
    F = np.array([[1.0, 0.1], [0.0, 1.0]])
    H = np.array([[1.0, 0.0]])
    return F, H, 0.1 * np.eye(2), 0.5 * np.eye(1), np.zeros(2), np.eye(2), rng.normal(size=(4, 1))


# output
"""Derivative of `log_likelihood` in kalman_filter.py: reverse mode, with respect to F,
Q and R.

For arguments F: f8[F_0, F_1], H: f8[1, H_1], Q: f8[Q_0, Q_1], R: f8[1, 1], m: f8[m_0],
P: f8[P_0, P_1], ys: f8[ys_0, 1].

Written by retrograd 0.2.0 (source 332f0552). Change the function, not this file.
"""

import numpy as np


def log_likelihood_grad(F, H, Q, R, m, P, ys):
    # forward
    tape = []
    for y in ys:
        m_prev, P_prev = m, P
        m = F @ m
        F_P = F @ P
        P = F_P @ F.T + Q
        v = y - H @ m
        S = H @ P @ H.T + R
        product = P @ H.T
        inv_S = np.linalg.inv(S)
        K = product @ inv_S
        m = m + K @ v
        K_S = K @ S
        P = P - K_S @ K.T
        tape.append(
            (P_prev, m_prev, F_P, v, S, product, inv_S, K, K_S, np.linalg.solve(S, v))
        )
    # backward
    R_bar = np.zeros(R.shape)
    Q_bar = np.zeros(Q.shape)
    F_bar = np.zeros(F.shape)
    m_bar = np.zeros(m.shape)
    P_bar = np.zeros(P.shape)
    for P_prev, m_prev, F_P, v, S, product, inv_S, K, K_S, solve_S in reversed(tape):
        # `total -= 0.5 * (v @ np.linalg.solve(S, v) + logdet + len(v) * np.log(2 ...`
        S_bar_part = np.linalg.solve(S.T, v * -0.5)
        # `sign, logdet = np.linalg.slogdet(S)`
        S_bar = (-S_bar_part)[:, None] * solve_S + np.linalg.inv(S).T * -0.5
        # `P = P - K @ S @ K.T`
        S_bar_part_2 = P_bar @ K
        # `m = m + K @ v`
        v_bar = -0.5 * solve_S + S_bar_part + K.T @ m_bar
        K_bar = (-(K_S.T @ P_bar)).T - S_bar_part_2 @ S.T + m_bar[:, None] * v
        # `K = P @ H.T @ np.linalg.inv(S)`
        S_bar = S_bar - K.T @ S_bar_part_2 - inv_S.T @ (product.T @ K_bar @ inv_S.T)
        # `S = H @ P @ H.T + R`
        R_bar += S_bar
        P_bar = P_bar + K_bar @ inv_S.T @ H + H.T @ (S_bar @ H)
        # `v = y - H @ m`
        m_bar_2 = m_bar - H.T @ v_bar
        # `P = F @ P @ F.T + Q`
        Q_bar += P_bar
        matmul_bar = P_bar @ F
        F_bar += P_bar.T @ F_P
        P_bar = F.T @ matmul_bar
        F_bar += matmul_bar @ P_prev.T
        # `m = F @ m`
        m_bar = F.T @ m_bar_2
        F_bar += m_bar_2[:, None] * m_prev
    return F_bar, Q_bar, R_bar
