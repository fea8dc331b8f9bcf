"""Newton's method for two equations, with backtracking."""
# differentiate: root wrt p

import numpy as np


def residual(x, p):
    return np.array([x[0] ** 2 + x[1] - p[0], x[0] - x[1] ** 3 + p[1]])


def jacobian(x):
    return np.array([[2 * x[0], 1.0], [1.0, -3 * x[1] ** 2]])


def root(p, x, tolerance):
    r = residual(x, p)
    size = np.max(np.abs(r))
    while size > tolerance:
        step = np.linalg.solve(jacobian(x), r)
        damping = 1.0
        for _ in range(10):
            trial = x - damping * step
            r_trial = residual(trial, p)
            size_trial = np.max(np.abs(r_trial))
            if size_trial < size:
                break
            damping /= 2
        x, r, size = trial, r_trial, size_trial
    return x[0] * x[1]


def arguments():
    return np.array([2.0, 0.5]), np.array([0.2, 0.4]), 1e-9


# output
"""Derivative of `root` in damped_newton.py, line 15: reverse mode, with respect to p.

For arguments p: f8[p_0], x: f8[x_0], tolerance: float.

Written by retrograd 0.1.0 (source 794fca29). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def root_grad(p, x, tolerance):
    # forward
    x_part = x[0]                        # line 16
    x_part_2 = x[1]
    p_part = p[0]
    p_part_2 = p[1]
    r = np.array([x_part ** 2 + x_part_2 - p_part, x_part - x_part_2 ** 3 + p_part_2])
    size = np.maximum.reduce(np.abs(r))  # line 17
    x_2 = x
    tape = []
    while size > tolerance:  # line 18
        x_part = x_2[1]  # line 19
        array = np.array([[2 * x_2[0], 1.0], [1.0, -3 * x_part ** 2]])
        step = np.linalg.solve(array, r)
        r_trial = 0.0
        damping = 1.0
        tape_2 = []
        tape_3 = []
        tape_4 = []
        n = 0
        for _ in range(10):  # line 21
            n += 1
            trial = x_2 - damping * step  # line 22
            trial_part = trial[0]         # line 23
            trial_part_2 = trial[1]
            r_trial = np.array(
                [
                    trial_part ** 2 + trial_part_2 - p_part,
                    trial_part - trial_part_2 ** 3 + p_part_2,
                ]
            )
            size_trial = np.maximum.reduce(np.abs(r_trial))  # line 24
            if size_trial < size:  # line 25
                tape_2.append(damping)
                tape_3.append(trial_part)
                tape_4.append(trial_part_2)
                break
            damping_2 = damping / 2  # line 27
            tape_2.append(damping)
            tape_3.append(trial_part)
            tape_4.append(trial_part_2)
            damping = damping_2
        tape.append((x_part, array, step, n, tape_2, tape_3, tape_4))
        x_2 = trial
        r = r_trial
        size = size_trial
    # backward
    x_shape = x.shape         # line 29
    x_bar = np.zeros(x_shape)
    x_bar[1] = x_2[0]
    x_bar[0] = x_2[1]
    r_bar = rt.zeros_like(r)  # line 18
    getitem_bar = 0.0
    getitem_bar_2 = 0.0
    for x_part, array, step, _, tape_2, tape_3, tape_4 in reversed(tape):
        x_bar_2 = np.zeros(x_shape)  # line 21
        step_bar = np.zeros(step.shape)
        trial_bar = x_bar
        r_trial_bar = r_bar
        for damping, trial_part, trial_part_2 in zip(
            reversed(tape_2), reversed(tape_3), reversed(tape_4)
        ):
            sub_bar = r_trial_bar[0]      # line 23
            add_bar = r_trial_bar[1]
            trial_bar = rt.copy(trial_bar)
            trial_bar[1] += sub_bar - 3 * trial_part_2 ** 2 * add_bar
            trial_bar[0] += add_bar + 2 * trial_part * sub_bar
            x_bar_2 += trial_bar          # line 22
            product = damping * trial_bar
            step_bar = step_bar - product
            trial_bar = np.zeros(x_shape)
            r_trial_bar = rt.zeros_like(r_bar)
            getitem_bar = getitem_bar + add_bar
            getitem_bar_2 = getitem_bar_2 - sub_bar
        r_bar = np.linalg.solve(array.T, step_bar)  # line 19
        array_bar = (-r_bar)[:, None] * step
        x_bar_2[1] += -6 * x_part * array_bar[1, 1]
        x_bar_2[0] += 2 * array_bar[0, 0]
        x_bar = x_bar_2
    p_bar = np.zeros(p.shape)  # line 16
    p_bar[1] = getitem_bar + r_bar[1]
    p_bar[0] = getitem_bar_2 - r_bar[0]
    return p_bar
