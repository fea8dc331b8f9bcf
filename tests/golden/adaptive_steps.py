"""Heun's method with an error estimate: steps that are too long are rejected."""
# differentiate: end wrt y, rate

import math


def slope(t, y, rate):
    return -rate * y + math.sin(t)


def end(y, rate, t_end, tolerance):
    t, h = 0.0, 0.5
    while t < t_end:
        h = min(h, t_end - t)
        k1 = slope(t, y, rate)
        k2 = slope(t + h, y + h * k1, rate)
        error = abs(0.5 * h * (k2 - k1))
        if error > tolerance:
            h *= 0.5
            continue
        t += h
        y += 0.5 * h * (k1 + k2)
        if error < 0.1 * tolerance:
            h *= 2.0
    return y


def arguments():
    return 1.0, 1.5, 2.0, 0.02


# output
"""Derivative of `end` in adaptive_steps.py: reverse mode, with respect to y and rate.

For arguments y: float, rate: float, t_end: float, tolerance: float.

Written by retrograd 0.2.0 (source 7ea7521d). Change the function, not this file.
"""

import math


def end_grad(y, rate, t_end, tolerance):
    # forward
    minus = -rate
    h = 0.5
    t = 0.0
    tape = []
    while t < t_end:
        t_prev = t
        h = min(h, t_end - t)
        k1 = minus * y + math.sin(t)
        t += h
        total = y + h * k1
        k2 = minus * total + math.sin(t)
        product = 0.5 * h
        error = abs(product * (k2 - k1))
        above = error > tolerance
        tape.append((y, h, total, above))
        if above:
            h *= 0.5
            t = t_prev
        else:
            y += product * (k1 + k2)
            if error < 0.1 * tolerance:
                h *= 2.0
    # backward
    y_bar = 1.0
    neg_bar = 0.0
    for y, h, total, above in reversed(tape):
        if not above:
            # `y += 0.5 * h * (k1 + k2)`
            add_bar = 0.5 * h * y_bar
            # `k2 = slope(t + h, y + h * k1, rate)`
            y_bar_part = rate * add_bar
            k1_bar = add_bar - h * y_bar_part
            # `k1 = slope(t, y, rate)`
            y_bar = y_bar - y_bar_part - rate * k1_bar
            neg_bar = neg_bar + add_bar * total + k1_bar * y
    # `k1 = slope(t, y, rate)`
    rate_bar = -neg_bar
    return y_bar, rate_bar
