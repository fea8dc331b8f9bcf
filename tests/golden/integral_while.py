"""A while True loop with a break: numerical integration, the data decides how many steps."""
# differentiate: integral wrt rate, upper

import math


def integral(rate, upper):
    t = 0.0
    area = 0.0
    step = 0.5
    while True:
        if t + step > upper:
            step = upper - t
        left, right = math.exp(-rate * t), math.exp(-rate * (t + step))
        area += 0.5 * step * (left + right)
        t += step
        if t >= upper:
            break
        step *= 0.9
    return area


def arguments():
    return 0.7, 1.6


# output
"""Derivative of `integral` in integral_while.py, line 7: reverse mode, with respect to
rate and upper.

For arguments rate: float, upper: float.

Written by retrograd 0.1.0 (source 13ac9e21). Change the function, not this file.
"""

import math


def integral_grad(rate, upper):
    # forward
    minus = -rate  # line 14
    step = 0.5
    t = 0.0
    left = False
    tape = []
    while True:  # line 11
        above = t + step > upper  # line 12
        if above:
            step = upper - t  # line 13
        left_2 = math.exp(minus * t)  # line 14
        t_2 = t + step
        right = math.exp(minus * t_2)
        left = t_2 >= upper           # line 17
        if left:
            tape.append((t, above, left_2, right, 0.5 * step))
            t = t_2
            break
        step_2 = step * 0.9  # line 19
        tape.append((t, above, left_2, right, 0.5 * step))
        step = step_2
        t = t_2
    # backward
    n = len(tape)
    step_bar = 0.0
    t_bar = 0.0
    neg_bar = 0.0
    upper_bar = 0.0
    for k, (t_2, above, left_2, right, product) in zip(
        reversed(range(n)), reversed(tape)
    ):
        left_3 = left and k == n - 1
        if not left_3:
            step_bar = step_bar * 0.9  # line 19
        mul_bar = right * product  # line 14
        t_bar = t_bar - rate * mul_bar
        step_bar = step_bar + 0.5 * (left_2 + right) + t_bar
        mul_bar_2 = left_2 * product
        t_bar = t_bar - rate * mul_bar_2
        if above:  # line 12
            upper_bar = upper_bar + step_bar  # line 13
            t_bar = t_bar - step_bar
            step_bar = 0.0
        neg_bar = neg_bar + mul_bar * t + mul_bar_2 * t_2
        t = t_2
    rate_bar = -neg_bar  # line 14
    return rate_bar, upper_bar
