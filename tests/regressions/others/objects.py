"""Objects with protocols of their own, dicts, iterators: W3, W6, C13, C14, C15, C16."""

from __future__ import annotations

import collections
import functools
import itertools
import math
import types

import numpy as np

from .judge import Program, case

X = np.array([1.3, 0.4, 2.1, 0.8])


class Batches:
    def __init__(self, x, size):
        self.x, self.size = x, size

    def __iter__(self):
        for k in range(0, len(self.x), self.size):
            yield self.x[k : k + self.size]


class Pieces:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items[::-1])


def epoch(w, x):
    s = 0.0
    for b in Batches(x, 2):
        s += np.mean((b - w) ** 2)
    return s


class Items:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __len__(self):
        return 2

    def __getitem__(self, k):
        if k > 1:
            raise IndexError(k)
        return (self.b, self.a)[k]


class Below:
    """What is contained, and what is true, is for the class to say."""

    def __init__(self, most):
        self.most = most

    def __contains__(self, v):
        return v < self.most

    def __bool__(self):
        return bool(self.most > 0.3)


class Doubled(list):
    def __iter__(self):
        return iter([2.0 * v for v in list.__iter__(self)])


class Scaled:
    """Its operators are its own."""

    def __init__(self, rate):
        self.rate = rate

    def __rmul__(self, x):
        return self.rate * x**2

    def __radd__(self, x):
        return self.rate + x**3

    def __rsub__(self, x):
        return x**2 - self.rate

    def __rtruediv__(self, x):
        return x**2 / self.rate

    def __rpow__(self, x):
        return x**self.rate


def items_of_an_object(x):
    s = 0.0
    for v in Items(x[0], x[1] ** 2):
        s = 0.5 * s + v
    a, b = Items(x[2], x[3])
    return s + a * b**2


def contained(x):
    d = Below(x[1] * 2.0)
    return x[0] ** 2 if 1.0 in d else x[1] ** 2


def true_or_not(x):
    return x[0] ** 2 if Below(x[1]) else x[1] ** 2


def by_for(x, d):
    s = 0.0
    for r in d:
        s = 0.5 * s + r * x[0]
    return s


def by_enumerate(x, d):
    s = 0.0
    for k, r in enumerate(d):
        s = s + (k + 1) * r * x[0]
    return s


def by_zip(x, d):
    s = 0.0
    for r, v in zip(d, x, strict=False):
        s = s + r * v**2
    return s


def by_comprehension(x, d):
    return sum([r * x[0] ** 2 for r in d])


def by_unpacking(x, d):
    a, b, c = d
    return a * x[0] + b * x[1] ** 2 + c


def by_sorted(x, d):
    return sorted(d)[0] * x[0] ** 2


def by_list(x, d):
    items = list(d)
    return items[0] * x[0] ** 2


def by_tuple(x, d):
    return tuple(d)[-1] * x[0] ** 2


def add3(a, b, c):
    return a + 2.0 * b + 3.0 * c


def by_star(x, d):
    return add3(*d) * x[0]


def by_in(x, d):
    return x[0] ** 2 if 1 in d else x[1] ** 2


def by_truth(x, d):
    return x[0] ** 2 if d else x[1] ** 2


def row_sums(x, d):
    s = 0.0
    for _, row in d.iterrows():
        s = s + row["a"] * x[0] ** 2
    return s


def with_default(x, d):
    return getattr(d, "nope", 3.0) * x[0] ** 2


def multiplied(x, d):
    return np.sum(x[0] * d)


def added(x, d):
    return x[0] + d


def subtracted(x, d):
    return x[0] - d


def divided(x, d):
    return x[0] / d


def raised(x, d):
    return x[0] ** d


def next_then_for(x):
    it = iter((2.0, 3.0))
    first = next(it)
    s = first * x[0]
    for r in it:
        s = s + r * x[1] ** 2
    return s


def slice_of_a_cycle(x):
    s = 0.0
    for v in list(itertools.islice(itertools.cycle(x), 5)):
        s = 0.5 * s + v**2
    return s


def relative_import(x):
    from .helper import squared

    return squared(x[0])


def squeezed(x):
    y = x.reshape(1, 4, 1)
    found = [k for k, n in enumerate(y.shape) if n == 1]
    return np.sum(np.squeeze(y, axis=tuple(found)) ** 2)


def last_entry(x):
    at = []
    for n in x.shape:
        if n > 1:
            at.append(n - 2)
    return np.sum(x[tuple(at)] ** 2)


def mean_over_found(x):
    axes = []
    for k, n in enumerate(x.shape):
        if n == 4:
            axes.append(k)
    return np.sum(np.expand_dims(np.mean(x**2, axis=tuple(axes)), 0) ** 2)


TABLE = np.array([(1.5, 2), (0.5, 1)], dtype=[("a", float), ("b", int)])


def structured(x, t):
    return np.sum(t["a"] * x[0] ** 2) + t["b"][0] * x[1]


def structured_of_the_module(x):
    return np.sum(TABLE["a"] * x[0] ** 2) + TABLE["b"][0] * x[1]


def list_by_a_slice(x):
    s = slice(1, 3)
    parts = [x[0], x[1] ** 2, x[2] * 3.0, x[3]]
    return sum(parts[s])


def fl(v):
    if isinstance(v, np.ndarray):
        return np.ravel(v), lambda w: w
    return np.concatenate([fl(p)[0] for p in v]), None


def flattened(tree):
    return np.sum(fl(tree)[0] ** 2)


@functools.lru_cache
def cached(v):
    return math.sin(v) * v


def through_a_cache(x):
    return cached(x) * 2.0


def from_an_iterator(x):
    return np.sum(np.fromiter((v * v for v in x), float) * 2.0)


def as_a_key(x):
    return {1.3: 2.0, 0.4: 3.0}[x] * x


def seen_as_memory(x):
    return np.sum(np.asarray(memoryview(x)) * 2.0)


def set_in_a_matrix(x):
    m = np.zeros((2, 2))
    for i in range(2):
        for j in range(2):
            m[i, j] = x[i] * x[j]
    return np.sum(m**3)


ORDER = {2: 1.5, 0: 0.5, 1: 2.0}
KINDS = {
    "dict": lambda: dict(ORDER),
    "OrderedDict": lambda: collections.OrderedDict(ORDER),
    "defaultdict": lambda: collections.defaultdict(float, ORDER),
    "Counter": lambda: collections.Counter({2: 3, 0: 5, 1: 4}),
    "MappingProxyType": lambda: types.MappingProxyType(dict(ORDER)),
    "UserDict": lambda: collections.UserDict(ORDER),
    "deque": lambda: collections.deque([1.5, 0.5, 2.0]),
    "list subclass": lambda: Doubled([1.5, 0.5, 2.0]),
    "set": lambda: {2, 0, 1},
    "keys": lambda: dict(ORDER).keys(),
    "map": lambda: map(float, [1.5, 0.5, 2.0]),
    "generator": lambda: (v for v in [1.5, 0.5, 2.0]),
    "Pieces": lambda: Pieces([1.5, 0.5, 2.0]),
    "Items": lambda: Items(1.5, 0.5),
}
CONSTRUCTS = {
    f.__name__[3:]: f
    for f in (
        by_for, by_enumerate, by_zip, by_comprehension, by_unpacking, by_sorted, by_list, by_tuple, by_star, by_in,
        by_truth,
    )
}  # fmt: skip

ITEMS = "going over a Items is not supported"

PROGRAMS: list[Program] = [
    case("W3 made in the function", epoch, 0.5, np.arange(6.0)),
    case("W3 items", items_of_an_object, X, reverse=ITEMS, forward=ITEMS),
    case("W3 in", contained, X),
    case("W3 truth", true_or_not, X),
    *[
        case(f"W6 {f.__name__}", f, X, Scaled(1.7))
        for f in (multiplied, added, subtracted, divided, raised)
    ],
    case("C13 getattr", with_default, X, Batches(X, 2)),
    case("C14 next", next_then_for, X),
    case("C14 cycle", slice_of_a_cycle, X),
    case("C14 import", relative_import, X),
    case("C14 squeeze", squeezed, X),
    case("C14 structured", structured, X, TABLE),
    case("C14 structured of the module", structured_of_the_module, X),
    case("C14 slice", list_by_a_slice, X),
    case("C15", flattened, [np.ones(2), np.array([[0.5, 2.0]])]),
    case("C16 lru_cache", through_a_cache, 0.7),
    case("C16 fromiter", from_an_iterator, X, tape="cut off the derivative"),
    case(
        "C16 memoryview",
        seen_as_memory,
        X,
        reverse="no rule",
        forward="no rule",
        tape="does not know it",
    ),
    case("C16 items", set_in_a_matrix, X),
]
