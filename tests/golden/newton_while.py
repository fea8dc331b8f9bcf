"""A while loop that runs until it has converged: Newton's iteration for a cube root."""
# differentiate: cube_root wrt a


def cube_root(a):
    x = a
    while abs(x * x * x - a) > 1e-12 * a:
        x = x - (x * x * x - a) / (3 * x * x)
    return x


def arguments():
    return (5.0,)


# output
"""Derivative of `cube_root` in newton_while.py, line 5: reverse mode, with respect to
a.

For arguments a: float.

Written by retrograd 0.1.0 (source 355bfd3f). Change the function, not this file.
"""


def cube_root_grad(a):
    # forward
    x = a
    tape = []
    while abs(x * x * x - a) > 1e-12 * a:  # line 7
        ratio = (x * x * x - a) / (3 * x * x)  # line 8
        tape.append((x, ratio))
        x = x - ratio
    # backward
    x_bar = 1.0
    a_bar = 0.0
    for x, ratio in reversed(tape):
        product = 3 * x
        ratio_2 = x_bar / (product * x)
        product = product * (ratio * ratio_2)
        a_bar = a_bar + ratio_2
        x_bar = x_bar + product + product - x * x * ratio_2 + -2 * (ratio_2 * x) * x
    return a_bar + x_bar
