"""Programs that are run on the tape: objects, containers, writes to arrays; functions of three numbers."""

from __future__ import annotations

import collections
import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

DATA = np.array([1.0, 2.0, 3.0])
PROGRAMS: list[Callable[..., Any]] = []


def program(f: Callable[..., Any]) -> Callable[..., Any]:
    PROGRAMS.append(f)
    return f


class Cell:
    def __init__(self, w):
        self.w = w
        self.hist = []

    def run(self, x):
        return math.exp(x[0]) * self.w + self.norm(x)

    def norm(self, x):
        return math.sqrt(sum(v * v for v in x))

    @property
    def area(self):
        return math.pi * math.sin(self.w)


@program
def method_math(x):
    return Cell(2.0).run(x)


@program
def object_made(x):
    c = Cell(x[0])
    c.hist.append(x[1])
    c.w = c.w * x[1]
    return c.w * c.hist[0] + x[2]


@program
def prop(x):
    return Cell(x[0]).area * x[1]


@program
def nonlocal_(x):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v * v

    for v in x:
        add(v)
    return total


@program
def nonlocal_math(x):
    total = 0.0

    def add(v):
        nonlocal total
        total += math.sin(v)

    for v in x:
        add(v)
    return total


@program
def sorted_inplace(x):
    y = x * 1.0
    y.sort()
    return y[0] * y[1] + y[2] ** 2


@program
def np_sort(x):
    y = np.sort(x)[::-1]
    return y[0] * y[1] + y[2] ** 2


@program
def list_sort(x):
    row = [x[0] * x[1], x[2], x[1] ** 2]
    row.sort()
    return row[0] * row[1] + 2 * row[2]


@program
def list_sort_key(x):
    row = sorted([x[0] * x[1], x[2], x[1] ** 2], key=lambda v: -v)
    return row[0] * row[1] + 2 * row[2]


@program
def plain_copy_write(x):
    b = DATA.copy()
    b[0] = x[0] * x[1]
    return np.sum(b * b)


@program
def plain_arange(x):
    b = np.arange(3.0)
    b[1:] = x[:2]
    return np.sum(b * b)


@program
def plain_array(x):
    b = np.array([1.0, 2.0, 3.0])
    b[1] = x[0]
    return np.sum(b * b)


@program
def plain_empty_like(x):
    b = np.empty_like(DATA)
    b[:] = x
    return np.sum(b * b)


@program
def plain_op(x):
    b = DATA * 2.0
    b[1] = x[0]
    return np.sum(b * b)


@program
def plain_reshape(x):
    b = np.linspace(0, 1, 6).reshape(2, 3).copy()
    b[0] = x
    return np.sum(b * b)


@program
def plain_ones_mult(x):
    b = 3 * np.ones(3)
    b[1] = x[0]
    return np.sum(b * b)


@program
def plain_iadd(x):
    b = DATA * 1.0
    b += x
    return np.sum(b * b)


@program
def plain_row(x):
    A = np.eye(3)
    A[0] += x
    A[1, 2] = x[0]
    return np.sum(A @ A)


@program
def dicts(x):
    d = {}
    for i, v in enumerate(x):
        d[f"k{i}"] = v * v
    d.update(a=x[0])
    d["k0"] += d.pop("a")
    return sum(d.values())


@program
def deq(x):
    q = collections.deque(maxlen=2)
    for v in x:
        q.append(v * v)
    return q[0] * q[1]


@program
def defdict(x):
    d = collections.defaultdict(float)
    for i, v in enumerate(x):
        d[i % 2] += v * v
    return d[0] * d[1]


@program
def gen(x):
    def g():
        for v in x:
            yield v * v

    return sum(g()) * next(g())


@program
def itert(x):
    return sum(a * b for a, b in itertools.combinations(x, 2)) + list(itertools.accumulate(x))[-1]


@program
def fmt_max(x):
    return max(x) * min(x[0], x[1]) + max(x, key=lambda v: -v)


@program
def reduce_(x):
    return functools.reduce(lambda a, b: a * b, x)


@program
def math_of_item(x):
    return math.sin(x[0]) * math.hypot(x[1], x[2]) + math.pow(x[0], 2)


@program
def tolist(x):
    return sum(v**2 for v in x.tolist())


@program
def item(x):
    return x[0].item() * x.sum().item()


@program
def float_(x):
    return float(x[0]) * float(np.sum(x))


@program
def float_math(x):
    return math.exp(float(x[0]))


@program
def flat(x):
    s = 0.0
    for v in np.outer(x, x).flat:
        s += v
    return s


@program
def nditer(x):
    s = 0.0
    for v in np.nditer(x):
        s += v * v
    return s


@program
def ndenum(x):
    s = 0.0
    for (i,), v in np.ndenumerate(x):
        s += i * v * v
    return s


@program
def where_write(x):
    y = np.zeros(3)
    m = x > 0.5
    y[m] = x[m] ** 2
    y[~m] = 1.0 * x[~m]
    return np.sum(y * y)


@program
def out_arg(x):
    y = np.empty(3)
    np.multiply(x, x, out=y)
    return np.sum(y)


@program
def add_at(x):
    y = np.zeros(2)
    np.add.at(y, [0, 1, 0], x)
    return y[0] * y[1]


@program
def fill(x):
    y = np.zeros(3)
    y.fill(x[0])
    y[1] *= x[1]
    return np.sum(y)


@program
def full(x):
    return np.sum(np.full(3, x[0]) * x)
