"""Lines of progress whose format is computed."""
# differentiate: solve wrt a


def solve(a, steps, digits):
    x = 1.0
    for k in range(steps):
        x = 0.5 * (x + a / x)
        print(f"{k:>{digits}}: {x:.{digits}f}, {x * x - a:+.1e}")
    return x


def arguments():
    return 2.0, 3, 4


# output
"""Derivative of `solve` in formatted_progress.py, line 5: reverse mode, with respect to
a.

For arguments a: float, steps: int, digits: int.

Written by retrograd 0.1.0 (source bb6b5fbb). Change the function, not this file.
"""


def solve_grad(a, steps, digits):
    # forward
    x = 1.0
    tape = []
    for k in range(steps):  # line 7
        ratio = a / x          # line 8
        tape.append((x, ratio))
        x = 0.5 * (x + ratio)
        print(f"{k:>{digits}}: {x:.{digits}f}, {x * x - a:+.1e}")  # line 9
    # backward
    x_bar = 1.0
    a_bar = 0.0
    for x, ratio in reversed(tape):
        add_bar = 0.5 * x_bar  # line 8
        ratio_2 = add_bar / x
        a_bar = a_bar + ratio_2
        x_bar = add_bar - ratio * ratio_2
    return a_bar
