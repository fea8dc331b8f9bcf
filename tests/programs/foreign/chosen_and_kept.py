"""Programs of others: functions that are chosen, what is kept in caches, containers of their own."""

import contextlib
import functools
import heapq
import itertools
from collections.abc import KeysView, ValuesView

import numpy as np

rng = np.random.default_rng(7)
A_ = rng.normal
A_ = rng.normal


def opt_callback(x, callback=None, n=3):
    cb = callback
    total = 0.0
    for i in range(n):
        total = total + np.sum(x ** (i + 1))
        if cb is not None:
            total = cb(total)
    return total


def none_or_fn(x, use):
    scale = None
    if use > 0:
        scale = lambda v: v * 2
    y = x * x
    if scale is not None:
        y = scale(y)
    return np.sum(y)


class Lin:
    def __init__(self, k):
        self.k = k

    def f(self, x):
        return self.k * x


class Quad:
    def __init__(self, k):
        self.k = k

    def f(self, x):
        return self.k * x * x


def bound_in_branch(x, t):
    if t[0] > 0:
        g = Lin(x[0]).f
    else:
        g = Quad(x[1]).f
    return np.sum(g(x))


def obj_in_branch(x):
    m = Lin(x[0]) if x[1] > 0 else Quad(x[0])
    return np.sum(m.f(x))


class Model:
    def __init__(self, act="tanh", reg=None):
        self.act = {"tanh": np.tanh, "relu": lambda v: np.maximum(v, 0)}[act]
        self.reg = reg
        self.link = np.exp if act == "tanh" else np.log1p

    def __call__(self, w, X):
        out = self.link(self.act(X @ w)).sum()
        if self.reg is not None:
            out += self.reg(w)
        return out


def fn_attrs(x, X):
    return Model("tanh", reg=lambda w: 0.1 * w @ w)(x, X) + Model("relu")(x, X)


def euler(f, x, t, h):
    return x + h * f(x, t)


def ab2_first(f, x, t, h):
    return x + h * f(x + h / 2 * f(x, t), t + h / 2)


def changing_step(x):
    step = ab2_first
    y = x
    for k in range(5):
        y = step(lambda v, t: -v * np.cos(t), y, k * 0.1, 0.1)
        step = euler
    return np.sum(y**2)


def changing_rt(x):
    step = np.sin
    y = x
    while np.sum(y * y) > 0.5:
        y = step(y) * 0.8
        step = np.tanh
    return np.sum(y)


CACHE = {}


def cached_leg(n):
    key = (n,)
    if key not in CACHE:
        CACHE[key] = np.polynomial.legendre.leggauss(n)
    return CACHE[key]


def quad_cached(x):
    n, w = cached_leg(5)
    return np.sum(w * np.exp(-x[0] * n) * x[1])


@functools.cache
def binom(n, k):
    return 1 if k in (0, n) else binom(n - 1, k - 1) + binom(n - 1, k)


def bernstein(x, t=0.3):
    n = len(x) - 1
    return sum(binom(n, k) * t**k * (1 - t) ** (n - k) * x[k] for k in range(n + 1)) ** 2


@functools.cache
def nodes(n):
    return np.cos(np.pi * (np.arange(n) + 0.5) / n)


def cheb(x):
    return np.sum(np.polynomial.chebyshev.chebval(nodes(6), x) ** 2)


MEMO = {}


def memo_fact(n):
    if n in MEMO:
        return MEMO[n]
    MEMO[n] = 1 if n < 2 else n * memo_fact(n - 1)
    return MEMO[n]


def taylor(x):
    return np.sum([x[0] ** k / memo_fact(k) for k in range(6)]) * x[1]


class Interp:
    _table = {}

    @classmethod
    def weights(cls, n):
        if n not in cls._table:
            cls._table[n] = np.array([(-1) ** j * binom(n, j) for j in range(n + 1)], float)
        return cls._table[n]


def bary(x):
    w = Interp.weights(len(x) - 1)
    t = np.linspace(0, 1, len(x))
    d = 0.33 - t
    return (np.sum(w / d * x) / np.sum(w / d)) ** 2


def as_list(v):
    if isinstance(v, (KeysView, ValuesView)):
        return list(v)
    if isinstance(v, (list, tuple)):
        return list(v)
    return [v]


def views(p):
    d = {"a": p[0], "b": p[1] ** 2}
    return np.sum(np.array(as_list(d.values()))) * len(as_list(d.keys())) + sum(as_list(p[2]))


@contextlib.contextmanager
def timer(log, name):
    log[name] = 0.0
    try:
        yield log
    finally:
        log[name] += 1


def with_timer(x):
    log = {}
    with timer(log, "a"):
        y = np.sum(x**2)
    with timer(log, "b") as l:
        y = y * 2 + len(l)
    return y + log["a"]


class AttrDict(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError as e:
            raise AttributeError(name) from e

    def __setattr__(self, name, value):
        self[name] = value


def attrdict(x):
    p = AttrDict(w=x[:2], b=x[2])
    p.c = x[0] * 3
    q = AttrDict(p)
    return np.sum(p.w * 2) + p.b**2 + q.c * p["b"]


def events(x):
    q = [(0.5, 0, 1.0)]
    cnt = itertools.count(1)
    t_total = 0.0
    done = []
    while q and len(done) < 8:
        t, _, w = heapq.heappop(q)
        done.append(t)
        t_total += t * w
        for r in x:
            heapq.heappush(q, (t + r, next(cnt), w * 0.5))
    return t_total


CASES = {
    "opt_callback": (opt_callback, (np.array([0.5, 0.7]),)),
    "none_or_fn": (none_or_fn, (np.array([0.5, 0.7]), 1.0)),
    "bound_in_branch": (bound_in_branch, (np.array([0.5, 0.7]), np.array([1.0]))),
    "obj_in_branch": (obj_in_branch, (np.array([0.5, 0.7]),)),
    "fn_attrs": (fn_attrs, (np.array([0.5, 0.7]), rng.normal(size=(3, 2)))),
    "changing_step": (changing_step, (np.array([0.5, 0.7]),)),
    "changing_rt": (changing_rt, (np.array([1.5, 1.7]),)),
    "quad_cached": (quad_cached, (np.array([0.5, 0.7]),)),
    "bernstein": (bernstein, (np.array([0.5, 0.7, 0.1]),)),
    "cheb": (cheb, (np.array([0.5, 0.7, 0.1]),)),
    "taylor": (taylor, (np.array([0.5, 0.7]),)),
    "bary": (bary, (np.array([0.5, 0.7, 0.1]),)),
    "views": (views, (np.array([0.5, 0.7, 0.1]),)),
    "with_timer": (with_timer, (np.array([0.5, 0.7, 0.1]),)),
    "attrdict": (attrdict, (np.array([0.5, 0.7, 0.1]),)),
    "events": (events, (np.array([0.5, 0.72]),)),
}
