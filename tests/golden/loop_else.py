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
"""Derivative of `root` in loop_else.py, line 5: reverse mode, with respect to a.

For arguments a: float, x: float.

Written by retrograd 0.1.0 (source 49dfdc10). Change the function, not this file.
"""


def root_grad(a, x):
    # forward
    broke = False
    tape = []
    for _ in range(50):  # line 6
        step = (x * x - a) / (2 * x)  # line 7
        x_2 = x - step                # line 8
        tape.append((x, step))
        x = x_2
        if abs(step) < 1e-09:  # line 9
            broke = True
            break
    if broke:  # line 12
        x_2 = x
    else:
        x_2 = x * a  # line 12
    # backward
    x_bar = 3 * (x_2 * x_2)  # line 13
    if broke:  # line 12
        a_bar = 0.0
    else:
        a_bar = x * x_bar  # line 12
        x_bar = x_bar * a
    for x, step in reversed(tape):
        ratio = x_bar / (2 * x)  # line 7
        a_bar = a_bar + ratio
        x_bar = x_bar + 2 * (step * ratio) - x_bar / x * x
    return a_bar
