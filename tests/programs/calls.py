"""Programs of one float about calls: functions as arguments and results, objects, decorators."""

from __future__ import annotations

import dataclasses
import functools
import operator
from typing import Any, NamedTuple

import numpy as np

__all__ = ["PROGRAMS"]

PROGRAMS: dict[str, Any] = {}


def program(fn: Any) -> Any:
    PROGRAMS[fn.__name__] = fn
    return fn


def rk4(f, y, h, n):
    for _ in range(n):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


def newton(g, x):
    for _ in range(20):
        d = (g(x + 1e-4) - g(x - 1e-4)) / 2e-4
        x = x - g(x) / d
    return x


@program
def integrated(x):
    return rk4(lambda y: -x * y * y, 1.0, 0.1, 5)


@program
def solved(x):
    return newton(lambda z: z * z - x, 1.0)


@program
def recursive_inner(x):
    def power(n):
        return 1.0 if n == 0 else x * power(n - 1)

    return power(3)


@program
def mutual_inner(x):
    def even(n):
        return x if n == 0 else odd(n - 1)

    def odd(n):
        return x * x if n == 0 else even(n - 1) * x

    return even(5)


def make(a):
    def inner(b):
        return a * b * b

    return inner


@program
def returned_closure(x):
    return make(x)(x * 2) + make(2.0)(x)


@program
def partial_and_reduce(x):
    total = functools.reduce(lambda a, b: a * b + x, [x, 2.0, x])
    run_time = functools.reduce(lambda a, b: a + b * x, np.arange(3.0), x)
    return functools.partial(operator.mul, x)(x) + total + run_time


@program
def mapped(x):
    fixed = sum(map(lambda v: v * x, [1.0, x]))
    return fixed + np.sum(np.array(list(map(lambda v: v * x, np.arange(3.0)))))


OPS = {"sin": np.sin, "square": lambda t: t * t}
FUNCTIONS = (np.sin, np.cos, lambda t: t * t)


@program
def functions_in_tables(x):
    y = OPS["sin"](x) + OPS["square"](x) + FUNCTIONS[1](x)
    for fn in FUNCTIONS:
        y = fn(y)
    for _, fn in OPS.items():
        y = fn(y)
    return y


def doubling(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return 2.0 * f(*args, **kwargs)

    return wrapper


@doubling
def volume(a, b=2.0):
    return a * a * b


@program
def decorated_callee(x):
    return volume(x) + volume(x, b=x)


@program
def vectorized(x):
    f = np.vectorize(lambda v: v * v if v > 1 else v * x)
    return np.sum(f(np.arange(4.0).reshape(2, 2) * x))


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __add__(self, other):
        return Pair(self.a + other.a, self.b + other.b)

    def __mul__(self, k):
        return Pair(self.a * k, self.b * k)

    def __matmul__(self, other):
        return self.a * other.a + self.b * other.b

    def __getitem__(self, i):
        return self.a if i == 0 else self.b

    def __call__(self, t):
        return self.a * t + self.b

    @property
    def norm(self):
        return np.sqrt(self.a**2 + self.b**2)

    def scale(self, k):
        self.a = self.a * k
        return self


@program
def operator_methods(x):
    v = Pair(x, 2.0) + Pair(1.0, x) * x
    w = v
    w.scale(x)
    return v(x) + v[0] * v.norm + v @ w


class Base:
    gain = 2.0

    def __init__(self, k):
        self.k = k

    def out(self, x):
        return self.k * x * self.gain


class Derived(Base):
    def __init__(self, k, m):
        super().__init__(k * m)
        self.m = m

    def out(self, x):
        return super().out(x) + self.m


@program
def inheritance(x):
    return Derived(x, 3.0).out(x) + Base.out(Derived(2.0, x), x)


@dataclasses.dataclass(frozen=True)
class Fixed:
    a: float
    b: float = 2.0
    rest: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Checked:
    a: float
    b: float = 0.0

    def __post_init__(self):
        self.b = self.a * self.b


class Named(NamedTuple):
    u: float
    v: float = 1.0


@program
def replaced_fields(x):
    p = Fixed(x)
    q = dataclasses.replace(p, b=x * x)
    n = Named(x)._replace(v=x * 3)
    c = Checked(x, x)
    c.a *= 2
    return p.a * q.b + n.u * n.v + c.a * c.b + len(q.rest)


def tree_sum(f, n, x):
    return f(x) if n < 2 else tree_sum(f, n - 1, x) + tree_sum(f, n - 2, x * f(x))


@program
def recursion_with_function(x):
    return tree_sum(lambda v: v * v + x, 4, x)


def is_even(n, x):
    return x if n == 0 else is_odd(n - 1, x * x)


def is_odd(n, x):
    return x * 2 if n == 0 else is_even(n - 1, x * 3)


@program
def mutual_recursion(x):
    return is_even(3, x) + is_odd(2, x)


class Tally:
    def __init__(self):
        self.items = []
        self.total = 0.0

    def add(self, v):
        self.items.append(v)
        self.total = self.total + v


@program
def object_with_state(x):
    tally = Tally()
    for k in range(4):
        tally.add(x * k)
    return tally.total * x + np.sum(np.array(tally.items) ** 2)


@program
def functions_in_a_list(x):
    y = x
    for f in [lambda v: v * x, lambda v: v + x]:
        y = f(y)
    return y


@program
def late_binding(x):
    def f(v):
        return v * a

    a = x
    y = f(x)
    a = 2 * x
    return y + f(x)


@program
def bound_method_as_argument(x):
    return rk4(Pair(-x, 1.0), 1.0, 0.1, 3) + newton(Pair(x, -1.0).__call__, 0.3)


@program
def closure_over_container(x):
    seen = []

    def note(v):
        seen.append(v)
        return v * x

    y = note(x) + note(2.0)
    return y * seen[0] * len(seen)


class Lattice:
    def __init__(self, depth, value):
        self.value = value
        self.children = []
        if depth > 0:
            self.children = [Lattice(depth - 1, value * 2), Lattice(depth - 1, value + 1)]

    def total(self):
        y = self.value
        for child in self.children:
            y = y + child.total() * self.value
        return y


@program
def tree_of_objects(x):
    return Lattice(2, x).total()


@program
def choice_of_closures(x):
    def scaled(k):
        return lambda v: k * v * v

    f = scaled(x) if x > 0 else scaled(2.0)
    return f(x)
