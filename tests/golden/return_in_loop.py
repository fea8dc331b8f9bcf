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
"""Derivative of `escape` in return_in_loop.py: reverse mode, with respect to c.

For arguments c: float, most: int.

Written by retrograd 0.2.0 (source ab2437a0). Change the function, not this file.
"""

import math


def escape_grad(c, most):
    # forward
    z = 0.0
    returned = False
    tape = []
    for _ in range(most):
        z_prev = z
        z = z * z + c
        tape.append(z_prev)
        if z > 2.0:
            returned = True
            break
    # backward
    # `return k + 1 - math.log(math.log(z))`
    if returned:
        # `return k + 1 - math.log(math.log(z))`
        z_bar = -1.0 / math.log(z) / z
    else:
        z_bar = 1.0
    c_bar = 0.0
    for z_prev in reversed(tape):
        # `z = z * z + c`
        c_bar += z_bar
        z_bar = 2 * z_bar * z_prev
    return c_bar
