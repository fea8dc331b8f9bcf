"""A tangent is called complex for its value's sake, though it is real: a complex part was written into it."""

import numpy as np

def scaled(a):
    for k in range(2):
        a = a
    return a

def main(x):
    y = x
    u = y
    d = {'q': u[::-1], 'r': u * np.conj(x)}
    for k in range(1):
        d['q'] = d['r'] * k + 1j * d['r']
    d['r'] = d['r'] + 0j
    y = scaled(d['r'])
    for n in range(1, len(y)):
        y[n] += y[n - 1] * 0.5 + d['q'][n]
    out = np.sum((y * 0.5) ** 3)
    return out.real

ARGS = (np.array([1.079, -0.328, -0.894, 0.628]),)
WRT = (0,)
