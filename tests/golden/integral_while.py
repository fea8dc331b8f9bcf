"""A while True loop with a break: numerical integration, the data decides how many steps."""
# differentiate: integral wrt rate, upper

import math


def integral(rate, upper):
    t = 0.0
    area = 0.0
    step = 0.5
    while True:
        if t + step > upper:
            step = upper - t
        left, right = math.exp(-rate * t), math.exp(-rate * (t + step))
        area += 0.5 * step * (left + right)
        t += step
        if t >= upper:
            break
        step *= 0.9
    return area


def arguments():
    return 0.7, 1.6
