"""Conjugate gradients that stop early when the residual is small."""
# differentiate: minimum wrt A, b

import numpy as np


def minimum(A, b, tolerance):
    x = np.zeros_like(b)
    r = b.copy()
    p = r.copy()
    rr = r @ r
    for _ in range(2 * len(b)):
        Ap = A @ p
        alpha = rr / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        new = r @ r
        if np.sqrt(new) < tolerance:
            break
        p = r + new / rr * p
        rr = new
    return 0.5 * x @ A @ x - b @ x + np.sum(x**3)


def arguments():
    rng = np.random.default_rng(6)
    m = rng.normal(size=(4, 4))
    return m @ m.T + 4 * np.eye(4), rng.normal(size=4), 1e-3


# output
"""Derivative of `minimum` in conjugate_gradients.py, line 7: reverse mode, with respect
to A and b.

For arguments A: f8[A_0, A_1], b: f8[b_0], tolerance: float.

Written by retrograd 0.1.0 (source 83598144). Change the function, not this file.
"""

import numpy as np


def minimum_grad(A, b, tolerance):
    # forward
    x = np.zeros_like(b)  # line 8
    r = b.copy()          # line 9
    r_2 = r.copy()
    p = r.copy()          # line 10
    rr = r @ r            # line 11
    left = False
    tape = []
    for _ in range(2 * len(b)):  # line 12
        Ap = A @ p                       # line 13
        product = p @ Ap                 # line 14
        alpha = rr / product
        x += alpha * p                   # line 15
        r -= alpha * Ap                  # line 16
        r_3 = r.copy()
        new = r @ r                      # line 17
        left = np.sqrt(new) < tolerance  # line 18
        if left:
            tape.append((p, rr, Ap, product, alpha, r_3, None))
            break
        ratio = new / rr  # line 20
        p_2 = r + ratio * p
        tape.append((p, rr, Ap, product, alpha, r_3, ratio))
        p = p_2
        rr = new
    product = 0.5 * x           # line 22
    # backward
    x_bar = 3.0 * x ** 2
    x_bar -= b
    x_bar += product @ A
    A_bar = product[:, None] * x
    x_bar += 0.5 * (A @ x)
    b_shape = b.shape           # line 12
    p_bar = np.zeros(b_shape)
    r_bar = np.zeros(b_shape)
    n = len(tape)
    rr_bar = 0.0
    for k, (p, rr, Ap, product, alpha, r_3, ratio) in zip(
        reversed(range(n)), reversed(tape)
    ):
        left_2 = left and k == n - 1
        if not left_2:  # line 18
            r_bar += p_bar                         # line 20
            p_bar_2 = ratio * p_bar
            ratio_2 = np.add.reduce(p_bar * p) / rr
            rr_bar_2 = -(ratio * ratio_2)
            new_bar = rr_bar + ratio_2
            r_bar += 2 * new_bar * r_3             # line 17
            p_bar = p_bar_2
            rr_bar = rr_bar_2
        product_2 = alpha * r_bar    # line 16
        p_bar += alpha * x_bar       # line 15
        alpha_bar = np.add.reduce(x_bar * p) - np.add.reduce(r_bar * Ap)
        ratio = alpha_bar / product  # line 14
        product = alpha * ratio
        rr_bar = rr_bar + ratio
        product_2 += p * product
        Ap_bar = -product_2
        p_bar -= product * Ap
        p_bar -= A.T @ product_2     # line 13
        A_bar += Ap_bar[:, None] * p
    r_bar += 2 * rr_bar * r_2  # line 11
    r_bar += p_bar             # line 10
    r_bar -= x                 # line 9
    return A_bar, r_bar
