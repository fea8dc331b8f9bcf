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
"""Derivative of `series` in break_accumulate.py, line 5: reverse mode, with respect to
x.

For arguments x: float, tolerance: float.

Written by retrograd 0.1.0 (source cb54e59c). Change the function, not this file.
"""


def series_grad(x, tolerance):
    # forward
    term = 1.0
    tape = []
    for k in range(1, 100):  # line 8
        term_2 = term * x / k  # line 10
        tape.append(term)
        term = term_2
        if abs(term_2) < tolerance:  # line 11
            break
    # backward
    term_bar = 0.0
    x_bar = 0.0
    for k, term in zip(reversed(range(len(tape))), reversed(tape)):
        mul_bar = term_bar / (1 + k)  # line 10
        x_bar = x_bar + term * mul_bar
        term_bar = mul_bar * x + 1.0  # line 9
    return x_bar
