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
"""Derivative of `minimum` in conjugate_gradients.py: reverse mode, with respect to A
and b.

For arguments A: f8[A_0, A_1], b: f8[b_0], tolerance: float.

Written by retrograd 0.2.0 (source 83598144). Change the function, not this file.
"""

import numpy as np


def minimum_grad(A, b, tolerance):
    # forward
    x = np.zeros_like(b)
    r = b.copy()
    r_2 = r.copy()
    p = r.copy()
    rr = r @ r
    left = False
    tape = []
    for _ in range(2 * len(b)):
        p_prev, rr_prev = p, rr
        Ap = A @ p
        p_Ap = p @ Ap
        alpha = rr / p_Ap
        x += alpha * p
        r -= alpha * Ap
        r_3 = r.copy()
        new = r @ r
        left = np.sqrt(new) < tolerance
        if left:
            tape.append((p_prev, rr_prev, Ap, p_Ap, alpha, r_3, None))
            break
        new_over_rr = new / rr
        p = r + new_over_rr * p
        tape.append((p_prev, rr_prev, Ap, p_Ap, alpha, r_3, new_over_rr))
        rr = new
    product = 0.5 * x
    # backward
    # `return 0.5 * x @ A @ x - b @ x + np.sum(x ** 3)`
    x_bar = 3.0 * x**2
    x_bar -= b
    x_bar += product @ A
    A_bar = product[:, None] * x
    x_bar += 0.5 * (A @ x)
    p_bar = np.zeros(b.shape)
    r_bar = np.zeros(b.shape)
    n = len(tape)
    rr_bar = 0.0
    for k, (p_prev, rr_prev, Ap, p_Ap, alpha, r_3, new_over_rr) in zip(
        reversed(range(n)), reversed(tape)
    ):
        left_2 = left and k == n - 1
        if not left_2:
            # `p = r + new / rr * p`
            r_bar += p_bar
            p_bar_2 = new_over_rr * p_bar
            rr_bar_part = np.sum(p_bar * p_prev) / rr_prev
            rr_bar_2 = -(new_over_rr * rr_bar_part)
            new_bar = rr_bar + rr_bar_part
            # `new = r @ r`
            r_bar += 2 * new_bar * r_3
            p_bar = p_bar_2
            rr_bar = rr_bar_2
        # `r -= alpha * Ap`
        Ap_bar_part = alpha * r_bar
        # `x += alpha * p`
        p_bar += alpha * x_bar
        alpha_bar = np.sum(x_bar * p_prev) - np.sum(r_bar * Ap)
        # `alpha = rr / (p @ Ap)`
        Ap_bar_part_2 = alpha_bar / p_Ap
        Ap_bar_part_3 = alpha * Ap_bar_part_2
        rr_bar += Ap_bar_part_2
        Ap_bar_part += p_prev * Ap_bar_part_3
        Ap_bar = -Ap_bar_part
        p_bar -= Ap_bar_part_3 * Ap
        # `Ap = A @ p`
        p_bar -= A.T @ Ap_bar_part
        A_bar += Ap_bar[:, None] * p_prev
    # `rr = r @ r`
    r_bar += 2 * rr_bar * r_2
    # `p = r.copy()`
    r_bar += p_bar
    # `r = b.copy()`
    r_bar -= x
    return A_bar, r_bar
