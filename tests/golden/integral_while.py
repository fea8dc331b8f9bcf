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
"""Derivative of `integral` in integral_while.py: reverse mode, with respect to rate and
upper.

For arguments rate: float, upper: float.

Written by retrograd 0.2.0 (source 13ac9e21). Change the function, not this file.
"""

import math


def integral_grad(rate, upper):
    # forward
    minus = -rate
    step = 0.5
    t = 0.0
    left = False
    tape = []
    while True:
        t_prev = t
        above = t + step > upper
        if above:
            step = upper - t
        left_2 = math.exp(minus * t)
        t += step
        right = math.exp(minus * t)
        left = t >= upper
        if left:
            tape.append((t_prev, above, left_2, right, 0.5 * step))
            break
        step_2 = step * 0.9
        tape.append((t_prev, above, left_2, right, 0.5 * step))
        step = step_2
    # backward
    n = len(tape)
    step_bar = t_bar = neg_bar = upper_bar = 0.0
    for k, (t_prev, above, left_2, right, product) in zip(
        reversed(range(n)), reversed(tape)
    ):
        left_3 = left and k == n - 1
        if not left_3:
            # `step *= 0.9`
            step_bar *= 0.9
        # `left, right = (math.exp(-rate * t), math.exp(-rate * (t + step)))`
        mul_bar = right * product
        t_bar -= rate * mul_bar
        step_bar = step_bar + 0.5 * (left_2 + right) + t_bar
        mul_bar_2 = left_2 * product
        t_bar -= rate * mul_bar_2
        if above:
            # `step = upper - t`
            upper_bar += step_bar
            t_bar -= step_bar
            step_bar = 0.0
        neg_bar = neg_bar + mul_bar * t + mul_bar_2 * t_prev
        t = t_prev
    # `left, right = (math.exp(-rate * t), math.exp(-rate * (t + step)))`
    rate_bar = -neg_bar
    return rate_bar, upper_bar
