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
"""Derivative of `log_likelihood` in kalman_filter.py, line 7: reverse mode, with
respect to F, Q and R.

For arguments F: f8[F_0, F_1], H: f8[1, H_1], Q: f8[Q_0, Q_1], R: f8[1, 1], m: f8[m_0],
P: f8[P_0, P_1], ys: f8[ys_0, 1].

Written by retrograd 0.1.0 (source 332f0552). Change the function, not this file.
"""

import numpy as np


def log_likelihood_grad(F, H, Q, R, m, P, ys):
    # forward
    tape = []
    for y in ys:  # line 9
        m_2 = F @ m             # line 10
        product = F @ P         # line 11
        P_2 = product @ F.T + Q
        v = y - H @ m_2         # line 12
        H_T = H.T               # line 13
        S = H @ P_2 @ H_T + R
        product_2 = P_2 @ H_T   # line 14
        inv_S = np.linalg.inv(S)
        K = product_2 @ inv_S
        m_2 = m_2 + K @ v       # line 15
        product_3 = K @ S       # line 16
        P_2 = P_2 - product_3 @ K.T
        tape.append(
            (P, m, product, v, S, product_2, inv_S, K, product_3, np.linalg.solve(S, v))
        )
        m = m_2
        P = P_2
    # backward
    R_bar = np.zeros(R.shape)  # line 9
    Q_bar = np.zeros(Q.shape)
    F_bar = np.zeros(F.shape)
    m_bar = np.zeros(m.shape)
    P_bar = np.zeros(P.shape)
    for P, m, product, v, S, product_2, inv_S, K, product_3, solve_S in reversed(tape):
        S_T = S.T                                       # line 18
        solve_solve_bar = np.linalg.solve(S_T, v * -0.5)
        product_4 = P_bar @ K                           # line 16
        K_T = K.T
        v_bar = -0.5 * solve_S + solve_solve_bar + K_T @ m_bar  # line 15
        K_bar = (-(product_3.T @ P_bar)).T - product_4 @ S_T + m_bar[:, None] * v
        inv_S_T = inv_S.T                               # line 14
        S_bar = (
            (-solve_solve_bar)[:, None] * solve_S
            + np.linalg.inv(S).T * -0.5
            - K_T @ product_4
            - inv_S_T @ (product_2.T @ K_bar @ inv_S_T)
        )
        R_bar = R_bar + S_bar                           # line 13
        H_T = H.T
        P_bar = P_bar + K_bar @ inv_S_T @ H + H_T @ (S_bar @ H)
        m_bar_2 = m_bar - H_T @ v_bar                   # line 12
        Q_bar += P_bar                                  # line 11
        matmul_bar = P_bar @ F
        F_bar += (product.T @ P_bar).T
        F_T = F.T
        P_bar = F_T @ matmul_bar
        F_bar += matmul_bar @ P.T
        m_bar = F_T @ m_bar_2                           # line 10
        F_bar += m_bar_2[:, None] * m
    return F_bar, Q_bar, R_bar
