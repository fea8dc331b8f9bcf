"""Functions of one number that read methods, objects, containers: what was compiled anew too often."""

import dataclasses
import enum
from types import SimpleNamespace

import numpy as np
from scipy import special


class Net:
    def __init__(self, a):
        self.a = a

    def m(self, x):
        return self.a * x

    @property
    def p(self):
        return self.a * 2.0

    @staticmethod
    def s(x):
        return 2.0 * x

    @classmethod
    def c(cls, x):
        return x * x


@dataclasses.dataclass
class P:
    a: float
    k: float = 2.0


class E(enum.Enum):
    A = 2.0


N = Net(2.0)
cfg = SimpleNamespace(k=2.0, g=np.sin)
G = {"m": N.m, "r": np.add.reduce}
W = list(range(300))


def made(x):
    return Net(x).m(x)


def glob(x):
    return N.m(x) * N.p * N.s(x) + N.c(x)


def data(x):
    return P(x).k * P(x).a * x


def gives(x):
    return P(x, x)


def whole(p):
    return p.a * p.k


def conf(x):
    return cfg.k * cfg.g(x)


def en(x):
    return E.A.value * x * x


def red(x):
    return np.add.reduce(x * np.ones(3))


def outer(x):
    return np.sum(np.multiply.outer(x * np.ones(2), np.ones(3)))


def acc(x):
    return np.add.accumulate(x * np.ones(3))[-1]


def mini(x):
    return np.minimum.reduce(x * np.ones(3))


def held(x):
    return G["m"](x) + G["r"](x * np.ones(2))


def long(x):
    s = 0.0
    for w in W:
        s = s + w * x
    return s


def factory():
    class Local:
        def __init__(self, a):
            self.a = a

        def m(self, x):
            return self.a * x

    def inner(x):
        return x * x

    def f(x):
        return Local(x).m(inner(x))

    return f


local = factory()


def lam(k):
    return lambda x: k * x * x


lm = lam(3.0)


def spec(x):
    return special.gammaln(x)


def atref(x):
    y = np.zeros(3)
    np.add.at(y, np.array([0, 1]), x)
    return np.sum(y * y)


def rand(x):
    rng = np.random.default_rng(0)
    return np.sum(rng.normal(size=3) * x)


RNG = np.random.default_rng(3)


def rand2(x):
    return np.sum(RNG.normal(size=3) * x)


NAMES = "made glob data conf en red outer acc mini held long local lm spec atref rand rand2".split()
