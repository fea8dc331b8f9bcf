"""Forward mode: an array of constants that one branch returns, before a loop that may return."""
import numpy as np
SCALE = 1.079

def main(x):
    return part(x).sum()

def part(x):
    if SCALE:
        if SCALE <= 0.789:
            return np.ones(3)
        else:
            pass
    for k in range(1, 4):
        return x * k

ARGS = (np.array([-1.176, 0.679, 0.3]),)
WRT = (0,)
