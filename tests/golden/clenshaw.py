"""A Chebyshev series by Clenshaw's recurrence."""
# differentiate: series wrt coefficients, x


def series(coefficients, x):
    b1, b2 = 0.0, 0.0
    for c in reversed(coefficients[1:]):
        b1, b2 = 2 * x * b1 - b2 + c, b1
    return x * b1 - b2 + coefficients[0]


def arguments():
    return [0.5, -0.3, 0.8, 0.1], 0.35


# output
"""Derivative of `series` in clenshaw.py: reverse mode, with respect to coefficients and
x.

For arguments coefficients: [float, float, float, float], x: float.

Written by retrograd 0.2.0 (source 52e16774). Change the function, not this file.
"""

from retrograd import runtime as rt


def series_grad(coefficients, x):
    # forward
    coefficients_part = coefficients[1:]
    length = len(coefficients_part)
    difference = length - 1
    product = 2 * x
    b1 = b2 = 0.0
    tape = []
    for k in range(length):
        b1_prev = b1
        tape.append(b1_prev)
        c = coefficients_part[difference - k]
        b1 = product * b1 - b2 + c
        b2 = b1_prev
    # backward
    getitem_bar = rt.zeros_like(coefficients_part)
    b1_bar = x
    b2_bar = -1.0
    mul_bar = 0.0
    for k, b1_prev in zip(reversed(range(length)), reversed(tape)):
        # `b1, b2 = (2 * x * b1 - b2 + c, b1)`
        b2_bar_2 = -b1_bar
        b1_bar_2 = b2_bar + product * b1_bar
        getitem_bar[difference - k] += b1_bar
        b2_bar = b2_bar_2
        mul_bar = mul_bar + b1_bar * b1_prev
        b1_bar = b1_bar_2
    # `b1, b2 = (2 * x * b1 - b2 + c, b1)`
    x_bar = b1 + 2 * mul_bar
    coefficients_bar = rt.scatter(getitem_bar, coefficients, slice(1, None))
    coefficients_bar_part = rt.add(coefficients_bar, [1.0, 0.0, 0.0, 0.0])
    coefficients_bar = rt.match(coefficients_bar_part, coefficients)
    return coefficients_bar, x_bar
