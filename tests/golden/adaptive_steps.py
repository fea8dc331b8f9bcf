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
"""Derivative of `end` in adaptive_steps.py, line 11: reverse mode, with respect to y
and rate.

For arguments y: float, rate: float, t_end: float, tolerance: float.

Written by retrograd 0.1.0 (source 7ea7521d). Change the function, not this file.
"""

import math


def end_grad(y, rate, t_end, tolerance):
    # forward
    minus = -rate  # line 15
    h = 0.5
    t = 0.0
    tape = []
    while t < t_end:  # line 13
        h = min(h, t_end - t)             # line 14
        k1 = minus * y + math.sin(t)      # line 15
        t_2 = t + h                       # line 16
        total = y + h * k1
        k2 = minus * total + math.sin(t_2)
        product = 0.5 * h                 # line 17
        error = abs(product * (k2 - k1))
        above = error > tolerance         # line 18
        tape.append((y, h, total, above))
        if above:
            h = h * 0.5  # line 19
        else:
            y = y + product * (k1 + k2)  # line 22
            if error < 0.1 * tolerance:  # line 23
                h = h * 2.0  # line 24
            t = t_2
    # backward
    y_bar = 1.0
    neg_bar = 0.0
    for y, h, total, above in reversed(tape):
        if not above:
            add_bar = 0.5 * h * y_bar                # line 22
            product = rate * add_bar                 # line 16
            k1_bar = add_bar - h * product
            y_bar = y_bar - product - rate * k1_bar  # line 15
            neg_bar = neg_bar + add_bar * total + k1_bar * y
    rate_bar = -neg_bar  # line 15
    return y_bar, rate_bar
