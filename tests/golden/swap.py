"""Tuple unpacking and a swap without a temporary."""
# differentiate: weave wrt a, b


def weave(a, b, steps):
    for _ in range(steps):
        a, b = b, a + 0.5 * a * b
    (c, d), e = (a, b), a * b
    c, d = d, c
    return c * c - d + e


def arguments():
    return 0.3, 0.7, 5


# output
"""Derivative of `weave` in swap.py, line 5: reverse mode, with respect to a and b.

For arguments a: float, b: float, steps: int.

Written by retrograd 0.1.0 (source 06c8b7cd). Change the function, not this file.
"""


def weave_grad(a, b, steps):
    # forward
    tape = []
    for _ in range(steps):  # line 6
        product = 0.5 * a  # line 7
        tape.append((b, product))
        b_2 = a + product * b
        a = b
        b = b_2
    # backward
    b_bar = 2.0 * b + a  # line 8
    a_bar = -1.0 + b
    for b, product in reversed(tape):
        b_bar_2 = a_bar + product * b_bar  # line 7
        a_bar = b_bar + 0.5 * (b_bar * b)
        b_bar = b_bar_2
    return a_bar, b_bar
