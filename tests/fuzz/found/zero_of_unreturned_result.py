"""The tangent of a result that is returned on one path only is not looked at on the others."""

import numpy as np

TABLE = 0.3
STEPS = 2


def helper0(chosen):
    pass


def main(result):
    if STEPS:
        pass
    elif helper0(STEPS):
        pass
    else:
        result = helper0(3)
        return (-0.175 + result) / (1.5 + (result / (1.5 + np.mean(TABLE) ** 2)) ** 2)
    while 4:
        return 1.073 / (1.5 + (result - result) ** 2)


ARGS = (-0.671,)
WRT = (0,)
