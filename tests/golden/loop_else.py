"""A search: `else` on a loop that has `break`."""
# differentiate: root wrt a


def root(a, x):
    for k in range(50):
        step = (x * x - a) / (2 * x)
        x = x - step
        if abs(step) < 1e-9:
            break
    else:
        x = x * a
    return x * x * x


def arguments():
    return 2.0, 1.0


# output
"""Derivative of `root` in loop_else.py: reverse mode, with respect to a.

For arguments a: float, x: float.

Written by retrograd 0.2.0 (source 49dfdc10). Change the function, not this file.
"""


def root_grad(a, x):
    # forward
    broke = False
    tape = []
    for _ in range(50):
        x_prev = x
        step = (x * x - a) / (2 * x)
        x -= step
        tape.append((x_prev, step))
        if abs(step) < 1e-09:
            broke = True
            break
    if broke:
        x_2 = x
    else:
        x_2 = x * a
    # backward
    # `return x * x * x`
    x_bar = 3 * (x_2 * x_2)
    # `x = x * a`
    if broke:
        a_bar = 0.0
    else:
        # `x = x * a`
        a_bar = x * x_bar
        x_bar *= a
    for x_prev, step in reversed(tape):
        # `step = (x * x - a) / (2 * x)`
        mul_bar_part = x_bar / (2 * x_prev)
        a_bar += mul_bar_part
        x_bar = x_bar + 2 * (step * mul_bar_part) - x_bar / x_prev * x_prev
    return a_bar
