"""The value at the top of one player's hill, climbed by gradient steps: what the other player descends."""
# differentiate: best_reply wrt x

import numpy as np

import retrograd as rg


def payoff(x, y):
    return np.sum(x * x) - np.sum(y * y) + 0.5 * x[0] * y[1]


def climb(f, y):
    value_and_slope = rg.value_and_grad(f)
    value, slope = value_and_slope(y)
    step = 0.1
    while np.sum(slope * slope) > 1e-4:
        moved = y + step * slope
        new, new_slope = value_and_slope(moved)
        if new > value:
            y, value, slope = moved, new, new_slope
        else:
            step = step / 2
    return y


def best_reply(x):
    y = climb(lambda y: payoff(x, y), np.array([0.3, -0.1]))
    return payoff(x, y)


def arguments():
    return (np.array([0.7, -0.4]),)


# output
"""Derivative of `best_reply` in saddle_point.py: reverse mode, with respect to x.

For arguments x: f8[x_0].

Written by retrograd 0.2.0 (source 116a42dd). Change the function, not this file.
"""

import numpy as np


def climb_fwd(f_x, y):
    value, slope, lambda_value_and_grad_saved = lambda_value_and_grad_fwd(y, f_x)
    y_2 = y
    step = 0.1
    tape = []
    while np.sum(slope * slope) > 0.0001:
        moved = y_2 + step * slope
        new, new_slope, lambda_value_and_grad_saved_2 = lambda_value_and_grad_fwd_2(
            moved, f_x
        )
        above = new > value
        tape.append((step, lambda_value_and_grad_saved_2, above))
        if above:
            y_2 = moved
            value = new
            slope = new_slope
        else:
            step /= 2
    saved = f_x, y, tape, lambda_value_and_grad_saved
    return y_2, saved


def lambda_value_and_grad_fwd(y, f_x):
    product = 0.5 * f_x[0]
    y_bar = np.array([0.0, product])
    y_bar = y_bar - 2.0 * y
    saved = (f_x,)
    return np.sum(f_x * f_x) - np.sum(y * y) + product * y[1], y_bar, saved


def lambda_value_and_grad_fwd_2(y, f_x):
    product = 0.5 * f_x[0]
    y_bar = np.array([0.0, product])
    y_bar = y_bar - 2.0 * y
    saved = (f_x,)
    return np.sum(f_x * f_x) - np.sum(y * y) + product * y[1], y_bar, saved


def climb_rev(saved, result):
    f_x, _, tape, lambda_value_and_grad_saved = saved
    f_x_bar = np.zeros(f_x.shape)
    slope_bar = np.zeros(result.shape)
    y_bar = result
    for step, lambda_value_and_grad_saved_2, above in reversed(tape):
        if above:
            # `new, new_slope = value_and_slope(moved)`
            moved_bar, f_x_bar_2 = lambda_value_and_grad_rev(
                lambda_value_and_grad_saved_2, slope_bar
            )
            moved_bar = y_bar + moved_bar
            f_x_bar += f_x_bar_2
            # `moved = y + step * slope`
            slope_bar = step * moved_bar
            y_bar = moved_bar
    # `value, slope = value_and_slope(y)`
    f_x_bar_2 = lambda_value_and_grad_rev_2(lambda_value_and_grad_saved, slope_bar)
    f_x_bar += f_x_bar_2
    return f_x_bar


def lambda_value_and_grad_rev(saved, result):
    (f_x,) = saved
    y_bar = -2.0 * result
    f_x_bar = np.zeros(f_x.shape)
    f_x_bar[0] = 0.5 * result[1]
    return y_bar, f_x_bar


def lambda_value_and_grad_rev_2(saved, result):
    (f_x,) = saved
    f_x_bar = np.zeros(f_x.shape)
    f_x_bar[0] = 0.5 * result[1]
    return f_x_bar


def best_reply_grad(x):
    # forward
    y, climb_saved = climb_fwd(x, np.array([0.3, -0.1]))
    # backward
    # `return payoff(x, y)`
    y_bar = np.array([0.0, 0.5 * x[0]])
    x_bar = np.zeros(x.shape)
    x_bar[0] = 0.5 * y[1]
    y_bar += -2.0 * y
    x_bar += 2.0 * x
    # `y = climb(lambda y: payoff(x, y), np.array([0.3, -0.1]))`
    x_bar_2 = climb_rev(climb_saved, y_bar)
    x_bar += x_bar_2
    return x_bar
