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
"""Derivative of `cube_root` in newton_while.py: reverse mode, with respect to a.

For arguments a: float.

Written by retrograd 0.2.0 (source 355bfd3f). Change the function, not this file.
"""


def cube_root_grad(a):
    # forward
    x = a
    tape = []
    while abs(x * x * x - a) > 1e-12 * a:
        ratio = (x * x * x - a) / (3 * x * x)
        tape.append((x, ratio))
        x -= ratio
    # backward
    x_bar = 1.0
    a_bar = 0.0
    for x, ratio in reversed(tape):
        product = 3 * x
        # `x = x - (x * x * x - a) / (3 * x * x)`
        mul_bar_part = x_bar / (product * x)
        x_bar_part = product * (ratio * mul_bar_part)
        a_bar += mul_bar_part
        x_bar = x_bar + x_bar_part + x_bar_part - x * x * mul_bar_part
        x_bar += -2 * (mul_bar_part * x) * x
    return a_bar + x_bar
