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
