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
"""Derivative of `lowest` in golden_section.py: reverse mode, with respect to p.

For arguments p: float, a: float, b: float, steps: int.

Written by retrograd 0.2.0 (source a5e6557e). Change the function, not this file.
"""

import math
from retrograd import runtime as rt


def lowest_grad(p, a, b, steps):
    # forward
    ratio = (math.sqrt(5) - 1) / 2
    product = ratio * (b - a)
    c = b - product
    d = a + product
    c_minus_p = c - p
    product_2 = 0.3 * math.sin(3 * c)
    fc = c_minus_p**2 + product_2 * p
    d_minus_p = d - p
    product_3 = 0.3 * math.sin(3 * d)
    fd = d_minus_p**2 + product_3 * p
    tape = []
    for _ in range(steps):
        below = fc < fd
        if below:
            c_2 = d - ratio * (d - a)
            c_minus_p_2 = c_2 - p
            product_4 = 0.3 * math.sin(3 * c_2)
            fc_2 = c_minus_p_2**2 + product_4 * p
            b = d
            d_2 = c
            fd_2 = fc
            product_5 = None
            d_minus_p_2 = None
        else:
            d_2 = c + ratio * (b - c)
            d_minus_p_2 = d_2 - p
            product_5 = 0.3 * math.sin(3 * d_2)
            fd_2 = d_minus_p_2**2 + product_5 * p
            a = c
            c_2 = d
            fc_2 = fd
            product_4 = None
            c_minus_p_2 = None
        tape.append((below, product_4, c_minus_p_2, product_5, d_minus_p_2))
        d = d_2
        fd = fd_2
        c = c_2
        fc = fc_2
    # backward
    # `return min(fc, fd)`
    fc_bar, fd_bar = rt.unpick(1.0, (fc, fd), min(fc, fd))
    p_bar = 0.0
    for below, product_4, c_minus_p_2, product_5, d_minus_p_2 in reversed(tape):
        if below:
            # `fc = height(c, p)`
            p_bar = p_bar + product_4 * fc_bar - 2 * c_minus_p_2 * fc_bar
            fc_bar = fd_bar
            fd_bar = 0.0
        else:
            # `fd = height(d, p)`
            p_bar = p_bar + product_5 * fd_bar - 2 * d_minus_p_2 * fd_bar
            fd_bar = fc_bar
            fc_bar = 0.0
    # `fc, fd = (height(c, p), height(d, p))`
    p_bar = p_bar + product_3 * fd_bar - 2 * d_minus_p * fd_bar + product_2 * fc_bar
    return p_bar - 2 * c_minus_p * fc_bar
