"""More programs that are run on the tape: functions as values, classes in functions, what Python asks of numbers."""

from __future__ import annotations

import collections
import dataclasses
import functools
import math
import types

import numpy as np

import retrograd as rg

from .for_the_tape import DATA, Cell, program


@program
def stack_list(x):
    rows = []
    for v in x:
        rows.append(np.array([v, v * v]))
    return np.sum(np.array(rows) ** 2) + np.vstack(rows)[1, 1]


@program
def np_array_nested(x):
    return np.linalg.det(np.array([[x[0], x[1]], [1.0, x[2]]]))


@program
def class_attr(x):
    class P:
        pass

    p = P()
    p.x = x[0]
    p.y = x[1]
    return p.x * p.y


@dataclasses.dataclass
class Pair:
    a: float
    b: float = 2.0

    def value(self):
        return math.exp(self.a) * self.b


@program
def dc(x):
    return Pair(x[0], x[1]).value() + dataclasses.replace(Pair(x[0]), b=x[2]).b


@program
def namedtup(x):
    P = collections.namedtuple("P", "a b")
    p = P(x[0], x[1])
    return p.a * p.b + sum(p)


@program
def simplens(x):
    n = types.SimpleNamespace(a=x[0])
    n.b = n.a * x[1]
    return n.b


@program
def try_(x):
    try:
        return math.log(x[0] - 10.0)
    except ValueError:
        return math.log(x[0])


@program
def vec(x):
    return np.sum(np.vectorize(lambda t: t * math.sin(t))(x))


@program
def apply_along(x):
    return np.sum(np.apply_along_axis(lambda r: r * r[0], 0, x))


@program
def closures(x):
    fs = [lambda v, k=k: math.sin(v) * k for k in range(3)]
    return sum(f(x[0]) for f in fs)


@program
def func_table(x):
    table = {"sin": math.sin, "sq": lambda v: v * v}
    return table["sin"](x[0]) * table["sq"](x[1])


ACT = {"sin": math.sin, "exp": np.exp}


@program
def glob_table(x):
    return ACT["sin"](x[0]) * ACT["exp"](x[1])


@program
def map_(x):
    return sum(map(math.sin, x)) + sum(map(lambda v: v * v, filter(lambda v: v > 0.5, x)))


@program
def cond_str(x):
    return x[0] if f"{x[0]:.1f}" == "0.4" else x[1]


@program
def swap(x):
    y = x.copy()
    y[0], y[1] = y[1], y[0]
    return y[0] * 2 + y[1] * y[2]


@program
def view_write(x):
    y = x.copy()
    v = y[1:]
    v *= 2.0
    v[0] += x[0]
    return np.sum(y * y)


@program
def transpose_write(x):
    A = np.outer(x, x)
    B = A.T
    B[0, 1] = 5.0 * x[0]
    return np.sum(A * A)


@program
def setdef(x):
    d = {}
    d.setdefault("a", []).append(x[0])
    d.setdefault("a", []).append(x[1])
    return d["a"][0] * d["a"][1]


@program
def memo(x):
    cache = {}

    def f(n):
        if n not in cache:
            cache[n] = x[0] if n < 2 else f(n - 1) * x[1] + f(n - 2)
        return cache[n]

    return f(6)


@program
def heap(x):
    import heapq

    h = []
    for v in x:
        heapq.heappush(h, (v * v, 1))
    return heapq.heappop(h)[0]


@program
def poly(x):
    return np.polynomial.Polynomial([1.0, 2.0, 3.0])(x[0]) * np.poly1d([1.0, 2.0])(x[1])


@program
def interp(x):
    return np.interp(x[0], [0.0, 1.0], [1.0, 3.0]) * x[1]


@program
def sum_axis(x):
    return (np.stack([x, x * x]).sum(axis=0) ** 2).mean()


@program
def round_(x):
    return round(x[0], 1) * x[1] + divmod(x[1], 0.3)[1] + x[2] % 0.4


@program
def complex_(x):
    return abs(complex(x[0], x[1])) ** 2 + (x[0] + 1j * x[1]).real


@program
def isinstance_(x):
    return (
        x[0]
        if isinstance(x[0], float) and isinstance(x, np.ndarray) and np.isscalar(x[0])
        else x[1]
    )


@program
def typ(x):
    return x[0] * 2 if type(x[0]) in (float, np.float64) else x[1]


@program
def hasattr_(x):
    return x[0] * len(x) if hasattr(x, "shape") and x.ndim == 1 and x.dtype == float else x[1]


@program
def dictkey(x):
    d = {0.4: 1.0}
    return d.get(round(float(rg.stop_gradient(x[0])), 1), 0.0) * x[0]


@program
def bisect_(x):
    import bisect

    return bisect.bisect([0.0, 0.5, 1.0], x[0]) * x[0]


@program
def fsum(x):
    return math.fsum(x) * math.prod(x) + math.dist(x, DATA)


@program
def scipyf(x):
    import scipy.linalg as sl
    import scipy.special as sp

    return sp.gammaln(x[0]) + sl.norm(x) + sp.expit(x[1])


@program
def einsum(x):
    return np.einsum("i,ij,j", x, np.outer(x, x), x)


@program
def mgrid_(x):
    Y, Z = np.meshgrid(x, x)
    return np.sum(Y * Z**2)


@program
def recursion(x):
    def rec(v):
        return v[0] if len(v) == 1 else math.sin(v[0]) + rec(v[1:])

    return rec(x)


@program
def augmented_list(x):
    row = [0.0] * 3
    for i in range(3):
        row[i] += x[i] * x[i - 1]
    row += [x[0]]
    return np.sum(np.array(row) ** 2)


@program
def context(x):
    with np.errstate(all="ignore"):
        return np.sum(np.log(x))


@program
def unbound_method(x):
    return np.ndarray.sum(x * x) + Cell.norm(Cell(1.0), x)


@program
def glob_obj(x):
    return GLOB.run(x)


GLOB = Cell(2.0)


@program
def getattr_(x):
    return np.sin(x[0]) * math.cos(x[1]) * x.sum()


@program
def lru(x):
    return cached(x[0]) * cached(x[0])


@functools.lru_cache
def cached(v):
    return math.sin(v)
