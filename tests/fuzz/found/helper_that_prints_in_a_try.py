"""Forward mode called a helper of a `try` twice: once for its value, once for its tangent; it printed twice."""

import math
import numpy as np


def helper0(v, sum_=0.047):
    print("value", sum_)
    return 1.0


def main(x_dot, returned, total):
    try:
        x_dot -= helper0(np.full((3,), x_dot))
    except ValueError:
        pass
    for i in total:
        total = total + total
        total += x_dot * math.erf(i)
    else:
        pass
    return np.var(np.sqrt(1.0 + np.arcsinh(total) ** 2))


ARGS = (
    -0.335,
    [np.array([-0.152]), -0.018],
    np.array([-0.03, 0.746]),
)
WRT = (0, 1, 2)
