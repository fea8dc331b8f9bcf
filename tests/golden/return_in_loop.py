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
    tape = []
    for _ in range(most):  # line 9
        z_2 = z * z + c  # line 10
        tape.append(z)
        z = z_2
        if z_2 > 2.0:  # line 11
            returned = True
            break
    # backward
    if returned:  # line 12
        z_bar = -1.0 / math.log(z) / z  # line 12
    else:
        z_bar = 1.0
    c_bar = 0.0
    for z in reversed(tape):
        c_bar = c_bar + z_bar  # line 10
        z_bar = 2 * z_bar * z
    return c_bar
