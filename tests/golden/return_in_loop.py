"""A return from the middle of a loop: only the last iteration can take it."""
# differentiate: escape wrt c

import math


def escape(c, most):
    z = 0.0
    for k in range(most):
        z = z * z + c
        if z > 2.0:
            return k + 1 - math.log(math.log(z))
    return z


def arguments():
    return 0.4, 20


# output
"""Derivative of `escape` in return_in_loop.py, line 7: reverse mode, with respect to c.

For arguments c: float, most: int.

Written by retrograd 0.1.0 (source ab2437a0). Change the function, not this file.
"""

import math


def escape_grad(c, most):
    # forward
    z = 0.0
    returned = False
    left = False
    tape = []
    for _ in range(most):  # line 9
        z_2 = z * z + c   # line 10
        left = z_2 > 2.0  # line 11
        if left:
            tape.append((z, math.log(z_2)))
            z = z_2
            returned = True
            break
        tape.append((z, None))
        z = z_2
    # backward
    if returned:  # line 9
        result_bar = 1.0
        z_bar = 0.0
    else:
        result_bar = 0.0
        z_bar = 1.0
    n = len(tape)
    c_bar = 0.0
    for k, (z_2, log_z) in zip(reversed(range(n)), reversed(tape)):
        left_2 = left and k == n - 1
        if left_2:  # line 11
            z_bar = z_bar - result_bar / log_z / z  # line 12
            result_bar = 0.0
        c_bar = c_bar + z_bar  # line 10
        z_bar = 2 * z_bar * z_2
        z = z_2
    return c_bar
