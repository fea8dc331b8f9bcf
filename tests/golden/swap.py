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
"""Derivative of `weave` in swap.py: reverse mode, with respect to a and b.

For arguments a: float, b: float, steps: int.

Written by retrograd 0.2.0 (source 06c8b7cd). Change the function, not this file.
"""


def weave_grad(a, b, steps):
    # forward
    tape = []
    for _ in range(steps):
        b_prev = b
        product = 0.5 * a
        tape.append((b, product))
        b = a + product * b
        a = b_prev
    # backward
    # `(c, d), e = ((a, b), a * b)`
    b_bar = 2.0 * b + a
    a_bar = -1.0 + b
    for b, product in reversed(tape):
        # `a, b = (b, a + 0.5 * a * b)`
        b_bar_2 = a_bar + product * b_bar
        a_bar = b_bar + 0.5 * (b_bar * b)
        b_bar = b_bar_2
    return a_bar, b_bar
