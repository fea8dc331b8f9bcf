"""An array of a callee has the name of a dict of the caller that is written to."""

import math

import numpy as np

TABLE = np.array([0.3, -0.6, 1.1])


def helper0(rt):
    rt[1, -1] = abs((max(np.mean(TABLE), 1.053) / (1.5 + (-0.804) ** 2)))
    return (np.cos(math.erf(np.mean(rt))) * -((0.78 - np.mean(rt))))


def make(c):
    offset = 0.226

    def inner(u):
        return min(np.mean(np.full((2, 3), TABLE.mean())), float(c))

    return inner


scaled = make(0.8)


def main(u, rt, q, d):
    out: object = ((np.log1p((np.full((3, 3), TABLE.mean())) ** 2) @ (np.full((3, 3), 0.7) - np.sum(np.full((3, 3), 0.7), axis=None, keepdims=True))) @ (np.abs(np.full((3, 3), TABLE.mean())) @ (q * np.linspace(-1.0, 1.277, 9).reshape((3, 3)))))
    out /= 1.5 + (out)
    if not (not (q >= 0.719)):
        k = 1.0 * (((u[1])[:, None] * np.full((1,), out.mean())) @ (np.full((1, 3), out.mean()) @ TABLE))
        if math.cos(q) <= 0.273:
            assert np.isfinite(TABLE[-1]), "finite"
            out /= 1.5 + (out[:])
            print("value", helper0(rt=rt['w']))
    for m, (j, yi) in enumerate(zip(TABLE, TABLE)):
        out[0, :] = (out[-2])
        out[-3, -1] = ((q + -(yi)))
        q = (np.sum(np.where(TABLE > -0.239, TABLE, TABLE)) if TABLE[-2] <= 0.976 else np.sqrt(0.1 + np.var((TABLE @ out))))
        out[[-2, 0, -1]] *= (((out.mean() * np.linspace(-1.0, 1.013, 6).reshape((3, 2))) @ (np.full((2, 3), q))[::-1, :]))
    return 0.3 * (2)


ARGS = ((np.array([-0.894, 1.112, -0.692]), np.array([-1.184, 1.18])), {'w': np.array([1.392, -1.145]).reshape((2, 1)), 'b': np.array([-0.953, 1.051])}, 1.251, [-0.752, -0.833],)
WRT = (0, 1, 2, 3)
