"""Programs with sorted lists, copies, ``a.flat``, functions of ``math`` and ``operator``."""

from __future__ import annotations

__all__ = ["PROGRAMS"]

# each f takes an array of three numbers
PROGRAMS: dict[str, str] = {
    "sorted array": """
def f(x):
    a = sorted(x)
    return a[0]*2 + a[1]*a[2]**2
""",
    "sorted list": """
def f(x):
    a, b, c = sorted([x[2], x[0], x[1]*2])
    return a*2 + b*c**2
""",
    "sorted rev key": """
def f(x):
    a = sorted([x[2], x[0], x[1]*2], key=lambda v: -v)
    return a[0]*2 + a[1]*a[2]**2
""",
    "sorted reverse": """
def f(x):
    a = sorted(x, reverse=True)
    return a[0]*2 + a[1]*a[2]**2
""",
    "sorted pairs": """
def f(x):
    pts = sorted([(x[0], x[1]), (x[1], x[2])], key=lambda p: p[0])
    return pts[0][0]*pts[1][1]**2
""",
    "list sort": """
def f(x):
    a = [x[2], x[0], x[1]*2]
    a.sort()
    return a[0]*2 + a[1]*a[2]**2
""",
    "minmax key": """
def f(x):
    return max([x[0], x[1], x[2]], key=lambda v: -abs(v)) * min(x, key=lambda v: -v)
""",
    "minmax default": """
def f(x):
    return max([x[0], x[1]], default=0.0) * 2
""",
    "copy copy": """
import copy
def f(x):
    y = copy.copy(x)
    y[0] = 2*x[1]
    return np.sum(y*x)
""",
    "copy deepcopy dict": """
import copy
def f(x):
    p = {"a": x*2, "b": [x[0], 1.0]}
    q = copy.deepcopy(p)
    q["a"][0] = 0.0
    q["b"][0] = x[1]
    return np.sum(p["a"]*q["a"]) + p["b"][0]*q["b"][0]
""",
    "copy copy dict": """
import copy
def f(x):
    p = {"a": x*2, "b": 3.0}
    q = copy.copy(p)
    q["b"] = x[0]
    q["a"][0] = x[1]
    return np.sum(p["a"])*q["b"]*p["b"]
""",
    "flat loop": """
def f(x):
    a = np.outer(x, x)
    y = 0.0
    for t in a.flat:
        y = y*0.5 + t*t
    return y
""",
    "flat index": """
def f(x):
    a = np.outer(x, x)
    return a.flat[4]*a.flat[1] + np.sum(a.flat[2:5])
""",
    "ndenumerate": """
def f(x):
    y = 0.0
    for (i, j), v in np.ndenumerate(np.outer(x, x)):
        y = y + v*(i+2*j)
    return y
""",
    "ndenumerate 1": """
def f(x):
    y = 0.0
    for idx, v in np.ndenumerate(x):
        y = y + v*v*idx[0]
    return y
""",
    "nditer": """
def f(x):
    y = 0.0
    for v in np.nditer(x):
        y = y + v*v
    return y
""",
    "mprod": """
import math
def f(x):
    return math.prod(x) + math.prod([x[0], x[1]], start=2.0)
""",
    "dist": """
import math
def f(x):
    return math.dist(x, x[::-1]*2) + math.dist([x[0], x[1]], [0.0, x[2]])
""",
    "hypot3": """
import math
def f(x):
    return math.hypot(x[0], x[1], x[2]) + math.hypot(x[0], x[1])
""",
    "operator fns": """
import operator as op
def f(x):
    a, b = x[0], x[1]
    y = op.add(a, b)*op.sub(a, b) + op.truediv(a, b) + op.pow(a, b) + op.neg(a) + op.abs(b) + op.pos(a)
    y = op.iadd(y, a); y = op.imul(y, b)
    return y + op.getitem(x, 2) + op.matmul(x, x) + op.itemgetter(1)(x) + op.mod(a, b)
""",
    "itemgetter two": """
import operator as op
def f(x):
    a, b = op.itemgetter(0, 2)(x)
    return a*b
""",
    "attrgetter": """
import operator as op
def f(x):
    return np.sum(op.attrgetter("T")(np.outer(x, x))[0])
""",
    "methodcaller": """
import operator as op
def f(x):
    return op.methodcaller("sum")(x*x)
""",
    "operator cmp": """
import operator as op
def f(x):
    return x[0]*x[0] if op.lt(x[0], x[1]) and op.not_(op.gt(x[0], 5)) else x[1]
""",
    "partial pow": """
import functools
cube = functools.partial(pow, exp=3)
def f(x):
    return cube(x[0]) * x[1]
""",
    "enumerate map": """
def f(x):
    return sum(k*v for k, v in enumerate(map(lambda v: v*v, x)))
""",
    "reversed list": """
def f(x):
    y = 0.0
    for v in reversed([x[0], x[1]]):
        y = y*x[2] + v
    for k, v in reversed(list(enumerate(x))):
        y = y*v + k
    return y
""",
    "compress": """
import itertools
def f(x):
    return sum(v*v for v in itertools.compress(x, [1, 0, 1]))
""",
    "math comb": """
import math
def f(x):
    return sum(math.comb(2, k)*x[0]**k*x[1]**(2-k) for k in range(3)) + math.factorial(3)*x[2]
""",
    "tolist": """
def f(x):
    a = x.tolist()
    return sum(v*v for v in a) + a[0]*a[1]
""",
    "flat zip": """
def f(x):
    a = np.outer(x, x)
    y = 0.0
    for k, (s, t) in enumerate(zip(a.flat, a.T.flat)):
        y = y + s*t*k
    return y
""",
    "flat live": """
def f(x):
    a = np.outer(x, x)
    y = 0.0
    for t in a.T.flat:
        a[0, 1] = t * 2
        y = y + t*t
    return y
""",
    "flat sum": """
def f(x):
    a = np.outer(x, x)
    s = a.flat[1:4]
    a[0, 2] = 5.0
    return np.sum(a.flat) * np.sum(s)
""",
    "tolist append": """
def f(x):
    a = x.tolist()
    a.append(a[0]*a[1])
    x = x * 2
    return sum(a) * len(a)
""",
    "tolist after write": """
def f(x):
    y = x.copy()
    a = y.tolist()
    y[0] = 7.0
    return sum(a) * a[0] + np.sum(y)
""",
    "tolist2": """
def f(x):
    a = np.outer(x, x).tolist()
    return sum(sum(r)*r[0] for r in a) * a[1][2]
""",
    "sort inplace rev": """
def f(x):
    a = [v*v for v in x]
    b = a
    a.sort(reverse=True)
    return b[0]*2 + b[1]*b[2]**2
""",
    "sorted dict": """
def f(x):
    d = {"a": x[1], "b": x[0]}
    ks = sorted(d)
    (k, v), *rest = sorted(d.items(), key=lambda kv: kv[1])
    return d[ks[0]]*2 + v*v
""",
    "deepcopy shared": """
import copy
def f(x):
    inner = [x[0]]
    p = [inner, inner]
    q = copy.deepcopy(p)
    q[0][0] = x[1]*x[2]
    return q[1][0]*p[0][0]
""",
    "vec otypes": """
def f(x):
    g = np.vectorize(lambda v: 0 if v < 0.5 else v*v, otypes=[float])
    return np.sum(g(x))
""",
    "map zip": """
def f(x):
    return sum(map(lambda p: p[0]*p[1], zip(x, x[1:])))
""",
    "comb3": """
import itertools
def f(x):
    y = np.concatenate([x, x*2])
    return sum(a*b*b*c for a, b, c in itertools.combinations(y, 3))
""",
    "for map": """
import math
def f(x):
    y = 1.0
    for v in map(math.sin, x):
        if v > 0.9: break
        y = y * v
    return y
""",
}
