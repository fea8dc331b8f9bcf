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
"""Derivative of `solve` in formatted_progress.py: reverse mode, with respect to a.

For arguments a: float, steps: int, digits: int.

Written by retrograd 0.2.0 (source bb6b5fbb). Change the function, not this file.
"""


def solve_grad(a, steps, digits):
    # forward
    x = 1.0
    tape = []
    for k in range(steps):
        a_over_x = a / x
        tape.append((x, a_over_x))
        x = 0.5 * (x + a_over_x)
        print(f"{k:>{digits}}: {x:.{digits}f}, {x * x - a:+.1e}")
    # backward
    x_bar = 1.0
    a_bar = 0.0
    for x, a_over_x in reversed(tape):
        # `x = 0.5 * (x + a / x)`
        add_bar = 0.5 * x_bar
        x_bar_part = add_bar / x
        a_bar += x_bar_part
        x_bar = add_bar - a_over_x * x_bar_part
    return a_bar
