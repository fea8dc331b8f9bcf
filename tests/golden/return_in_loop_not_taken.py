"""The same function, where the loop runs to its end."""
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
    return 0.1, 6
