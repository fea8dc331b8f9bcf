"""if, elif and else that bind the same name."""
# differentiate: activation wrt x, slope

import math


def activation(x, slope):
    if x > 3.0:
        y = x
    elif x > 0.0:
        y = x * math.tanh(x)
    else:
        y = slope * math.expm1(x)
    return y * y + slope


def arguments():
    return 1.3, 0.2
