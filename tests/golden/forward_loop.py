"""Forward mode through a loop and a branch needs no tape."""
# differentiate: collatz_like wrt x
# mode: forward


def collatz_like(x, steps):
    for k in range(steps):
        if k % 2 == 0:
            x = 0.5 * x * x
        else:
            x = 3 * x + 1
    return x


def arguments():
    return 0.9, 4


# output
"""Derivative of `collatz_like` in forward_loop.py: forward mode, with respect to x.

For arguments x: float, steps: int.

Written by retrograd 0.2.0 (source b66a0376). Change the function, not this file.
"""


def collatz_like_jvp(x, steps, x_dot):
    for k in range(steps):
        if k % 2 == 0:
            x_2 = 0.5 * x * x
            x_dot *= x
        else:
            x_dot = 3 * x_dot
            x_2 = 3 * x + 1
        x = x_2
    return x, x_dot
