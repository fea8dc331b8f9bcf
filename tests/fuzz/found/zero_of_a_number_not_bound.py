"""A zero was made of a number that a failed `try` leaves unbound."""

import math
import numpy as np
SCALE = 0.894

def helper1(minus, stop=2):
    pass

def main(value):
    for i in range(3):
        try:
            value = i
            value = math.log(np.prod(SCALE * np.linspace(-1.0, 0.769, 2)) + 0.0137)
        except ValueError as error:
            return np.exp(-(SCALE + SCALE) ** 2)
        else:
            pass
        value -= value if i else np.prod(SCALE * np.linspace(-1.0, 1.103, 3))
    tmp = value
    value = helper1(tmp, i)
    return value

ARGS = (0.234,)
WRT = (0,)
