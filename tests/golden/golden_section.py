"""Golden-section search: the value of a function at the minimum it finds."""
# differentiate: lowest wrt p

import math


def height(x, p):
    return (x - p) ** 2 + 0.3 * math.sin(3 * x) * p


def lowest(p, a, b, steps):
    ratio = (math.sqrt(5) - 1) / 2
    c, d = b - ratio * (b - a), a + ratio * (b - a)
    fc, fd = height(c, p), height(d, p)
    for _ in range(steps):
        if fc < fd:
            b, d, fd = d, c, fc
            c = b - ratio * (b - a)
            fc = height(c, p)
        else:
            a, c, fc = c, d, fd
            d = a + ratio * (b - a)
            fd = height(d, p)
    return min(fc, fd)


def arguments():
    return 0.7, -1.0, 2.0, 6


# output
"""Derivative of `lowest` in golden_section.py, line 11: reverse mode, with respect to
p.

For arguments p: float, a: float, b: float, steps: int.

Written by retrograd 0.1.0 (source a5e6557e). Change the function, not this file.
"""

import math
from retrograd import runtime as rt


def lowest_grad(p, a, b, steps):
    # forward
    ratio = (math.sqrt(5) - 1) / 2  # line 12
    product = ratio * (b - a)       # line 13
    c = b - product
    d = a + product
    difference = c - p              # line 14
    product = 0.3 * math.sin(3 * c)
    fc = difference ** 2 + product * p
    difference_2 = d - p
    product_2 = 0.3 * math.sin(3 * d)
    fd = difference_2 ** 2 + product_2 * p
    tape = []
    for _ in range(steps):  # line 15
        below = fc < fd  # line 16
        if below:
            c_2 = d - ratio * (d - a)  # line 18
            difference_3 = c_2 - p     # line 19
            product_3 = 0.3 * math.sin(3 * c_2)
            fc_2 = difference_3 ** 2 + product_3 * p
            b = d
            d_2 = c
            fd_2 = fc
            product_4 = None
            difference_4 = None
        else:
            d_2 = c + ratio * (b - c)  # line 22
            difference_4 = d_2 - p     # line 23
            product_4 = 0.3 * math.sin(3 * d_2)
            fd_2 = difference_4 ** 2 + product_4 * p
            a = c
            c_2 = d
            fc_2 = fd
            product_3 = None
            difference_3 = None
        tape.append((below, product_3, difference_3, product_4, difference_4))
        d = d_2
        fd = fd_2
        c = c_2
        fc = fc_2
    # backward
    unpick = rt.unpick(1.0, (fc, fd), min(fc, fd))  # line 24
    fc_bar = unpick[0]
    fd_bar = unpick[1]
    p_bar = 0.0
    for below, product_3, difference_3, product_4, difference_4 in reversed(tape):
        if below:  # line 16
            p_bar = p_bar + product_3 * fc_bar - 2 * difference_3 * fc_bar  # line 19
            fc_bar = fd_bar
            fd_bar = 0.0
        else:
            p_bar = p_bar + product_4 * fd_bar - 2 * difference_4 * fd_bar  # line 23
            fd_bar = fc_bar
            fc_bar = 0.0
    # line 14
    p_bar = p_bar + product_2 * fd_bar - 2 * difference_2 * fd_bar + product * fc_bar
    p_bar = p_bar - 2 * difference * fc_bar
    return float(p_bar)
