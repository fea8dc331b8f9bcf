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
"""Derivative of `root` in damped_newton.py: reverse mode, with respect to p.

For arguments p: f8[p_0], x: f8[x_0], tolerance: float.

Written by retrograd 0.2.0 (source 794fca29). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def root_grad(p, x, tolerance):
    # forward
    x_0 = x[0]
    x_1 = x[1]
    p_0 = p[0]
    p_1 = p[1]
    r = np.array([x_0**2 + x_1 - p_0, x_0 - x_1**3 + p_1])
    size = np.max(np.abs(r))
    x_2 = x
    tape = []
    while size > tolerance:
        x_1 = x_2[1]
        array = np.array([[2 * x_2[0], 1.0], [1.0, -3 * x_1**2]])
        step = np.linalg.solve(array, r)
        r_trial = 0.0
        damping = 1.0
        tape_2 = []
        tape_3 = []
        tape_4 = []
        n = 0
        for _ in range(10):
            n += 1
            damping_prev = damping
            trial = x_2 - damping * step
            trial_0 = trial[0]
            trial_1 = trial[1]
            r_trial = np.array([trial_0**2 + trial_1 - p_0, trial_0 - trial_1**3 + p_1])
            size_trial = np.max(np.abs(r_trial))
            if size_trial < size:
                tape_2.append(damping_prev)
                tape_3.append(trial_0)
                tape_4.append(trial_1)
                break
            damping /= 2
            tape_2.append(damping_prev)
            tape_3.append(trial_0)
            tape_4.append(trial_1)
        tape.append((x_1, array, step, n, tape_2, tape_3, tape_4))
        x_2 = trial
        r = r_trial
        size = size_trial
    # backward
    # `return x[0] * x[1]`
    x_shape = x.shape
    x_bar = np.zeros(x_shape)
    x_bar[1] = x_2[0]
    x_bar[0] = x_2[1]
    zeros_like_r = rt.zeros_like(r)
    r_bar = zeros_like_r
    getitem_bar = getitem_bar_2 = 0.0
    for x_1, array, step, _, tape_2, tape_3, tape_4 in reversed(tape):
        x_bar_2 = np.zeros(x_shape)
        step_bar = np.zeros(step.shape)
        trial_bar = x_bar
        r_trial_bar = r_bar
        for damping_prev, trial_0, trial_1 in zip(
            reversed(tape_2), reversed(tape_3), reversed(tape_4)
        ):
            # `r_trial = residual(trial, p)`
            sub_bar, add_bar = r_trial_bar
            trial_bar = rt.copy(trial_bar)
            trial_bar[1] += sub_bar - 3 * trial_1**2 * add_bar
            trial_bar[0] += add_bar + 2 * trial_0 * sub_bar
            # `trial = x - damping * step`
            x_bar_2 += trial_bar
            step_bar -= damping_prev * trial_bar
            trial_bar = np.zeros(x_shape)
            r_trial_bar = rt.zeros_like(zeros_like_r)
            getitem_bar = getitem_bar + add_bar
            getitem_bar_2 = getitem_bar_2 - sub_bar
        # `step = np.linalg.solve(jacobian(x), r)`
        r_bar = np.linalg.solve(array.T, step_bar)
        array_bar = (-r_bar)[:, None] * step
        x_bar_2[1] += -6 * x_1 * array_bar[1, 1]
        x_bar_2[0] += 2 * array_bar[0, 0]
        x_bar = x_bar_2
    # `r = residual(x, p)`
    sub_bar_2, add_bar_2 = r_bar
    p_bar = np.zeros(p.shape)
    p_bar[1] = getitem_bar + add_bar_2
    p_bar[0] = getitem_bar_2 - sub_bar_2
    return p_bar
