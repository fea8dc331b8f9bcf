"""The loop in the `try` begins with a copy of a result that no `return` has given yet."""

import math


def main(x, n):
    for _ in range(n):
        if n == 2:
            return x * 2
    for _ in range(3):
        try:
            for _ in range(n - 2):
                return math.sqrt(2.0)
        except ValueError:
            pass
    return x**3


ARGS = (0.5, 1)
WRT = (0,)
