"""A sum that breaks off when its terms become small."""
# differentiate: series wrt x


def series(x, tolerance):
    total = 0.0
    term = 1.0
    for k in range(1, 100):
        total += term
        term = term * x / k
        if abs(term) < tolerance:
            break
    return total


def arguments():
    return 0.7, 1e-9


# output
"""Derivative of `series` in break_accumulate.py: reverse mode, with respect to x.

For arguments x: float, tolerance: float.

Written by retrograd 0.2.0 (source cb54e59c). Change the function, not this file.
"""


def series_grad(x, tolerance):
    # forward
    term = 1.0
    tape = []
    for k in range(1, 100):
        term_prev = term
        term = term * x / k
        tape.append(term_prev)
        if abs(term) < tolerance:
            break
    # backward
    term_bar = x_bar = 0.0
    for k, term_prev in zip(reversed(range(len(tape))), reversed(tape)):
        # `term = term * x / k`
        mul_bar = term_bar / (1 + k)
        x_bar += term_prev * mul_bar
        # `total += term`
        term_bar = mul_bar * x + 1.0
    return x_bar
