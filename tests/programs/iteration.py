"""Programs with ``map``, ``filter``, ``reduce``, ``np.vectorize`` and ``itertools``."""

from __future__ import annotations

__all__ = ["PROGRAMS"]

# each f takes an array of three numbers
PROGRAMS: dict[str, str] = {
    "vectorize active arg": """
def f(x):
    return np.sum(np.vectorize(lambda v: v*v if v > 0.5 else np.sin(v))(x))
""",
    "vectorize module": """
@np.vectorize
def h(v, k=2.0):
    return v*v*k if v > 0.5 else v
def f(x):
    return np.sum(h(x)) + np.sum(h(x, 3.0))
""",
    "vectorize 2args": """
h = np.vectorize(lambda a, b: a*b if a > b else a)
def f(x):
    return np.sum(h(x, x[::-1]))
""",
    "vectorize outer": """
h = np.vectorize(lambda a, b: a*b if a > b else a)
def f(x):
    return np.sum(h(x[:, None], x))
""",
    "map lambda": """
def f(x):
    return sum(map(lambda v: v*v, x))
""",
    "map two": """
def f(x):
    return sum(map(lambda v, w: v*w, x, x[::-1]))
""",
    "map list": """
def f(x):
    ys = list(map(np.sin, x))
    return ys[0]*ys[1] + sum(ys)
""",
    "map mul": """
import operator
def f(x):
    return sum(map(operator.mul, x, x))
""",
    "filter active": """
def f(x):
    return sum(filter(lambda v: v > 0.5, x))
""",
    "filter list": """
def f(x):
    return sum(v*v for v in filter(lambda v: v > 0.5, [x[0], x[1], x[2]]))
""",
    "filter none": """
def f(x):
    return sum(filter(None, [x[0], 0.0, x[2]]))
""",
    "reduce array": """
from functools import reduce
def f(x):
    return reduce(lambda a, b: a*b + a, x)
""",
    "reduce init": """
from functools import reduce
def f(x):
    return reduce(lambda a, b: a*b + 1.0, x, 2.0)
""",
    "reduce mul": """
import functools, operator
def f(x):
    return functools.reduce(operator.mul, x, 1.0)
""",
    "itertools product known": """
import itertools
def f(x):
    y = 0.0
    for i, j in itertools.product(range(3), repeat=2):
        y = y + x[i]*x[j]*(i+1)
    return y
""",
    "itertools product arrays": """
import itertools
def f(x):
    y = 0.0
    for a, b in itertools.product(x, x[1:]):
        y = y*0.5 + a*b*b
    return y
""",
    "itertools combinations": """
import itertools
def f(x):
    y = 0.0
    for i, j in itertools.combinations(range(len(x)), 2):
        y = y + x[i]*x[j]**2
    return y
""",
    "itertools combinations vals": """
from itertools import combinations
def f(x):
    y = 0.0
    for a, b in combinations(x, 2):
        y = y + (a-b)**2*a
    return y
""",
    "itertools combinations list": """
from itertools import combinations
def f(x):
    pts = [x[0], x[1]*2, x[2]]
    return sum((a-b)**2*a for a, b in combinations(pts, 2))
""",
    "itertools permutations": """
from itertools import permutations
def f(x):
    return sum(a*b*b*c for a, b, c in permutations([x[0], x[1], x[2]]))
""",
    "itertools permutations arr": """
from itertools import permutations
def f(x):
    y = 0.0
    for a, b in permutations(x, 2):
        y += a*b*b
    return y
""",
    "itertools chain": """
import itertools
def f(x):
    y = 0.0
    for v in itertools.chain(x, x[::-1], [2.0, x[0]]):
        y = y*0.5 + v*v
    return y
""",
    "itertools chain from": """
import itertools
def f(x):
    y = 1.0
    for v in itertools.chain.from_iterable([x, x[1:]]):
        y = y*v + v
    return y
""",
    "itertools chain lists": """
import itertools
def f(x):
    a, b = [x[0], x[1]], [x[2]]
    return sum(v*v*k for k, v in enumerate(itertools.chain(a, b), 1))
""",
    "itertools accumulate": """
import itertools
def f(x):
    y = 0.0
    for s in itertools.accumulate(x):
        y = y + s*s
    return y
""",
    "itertools accumulate fn": """
import itertools
def f(x):
    out = list(itertools.accumulate(x, lambda a, b: a*b + 1))
    return out[-1]*out[1]
""",
    "itertools accumulate init": """
import itertools, operator
def f(x):
    return sum(itertools.accumulate(x, operator.mul, initial=2.0))
""",
    "itertools zip longest": """
import itertools
def f(x):
    y = 0.0
    for a, b in itertools.zip_longest(x, x[1:], fillvalue=2.0):
        y = y + a*b*b
    return y
""",
    "itertools zip longest list": """
import itertools
def f(x):
    return sum(a*b for a, b in itertools.zip_longest([x[0], x[1]], [x[2]], fillvalue=1.5))
""",
    "itertools islice of what does not end": """
import itertools
def f(x):
    total = 0.0
    for a, b, k in zip(x, itertools.islice(itertools.cycle(x), 1, None), itertools.islice(itertools.count(1.0), 2, None, 3)):
        total = total + a * b * k
    for k, v in enumerate(itertools.islice(itertools.islice(itertools.cycle(x), 1, None, 2), 2, None)):
        total = total + v * k
        if k > 4:
            break
    return total
""",
    "itertools islice": """
import itertools
def f(x):
    y = 0.0
    for v in itertools.islice(x, 1, None):
        y = y + v*v
    for v in itertools.islice(x, 2):
        y = y*v
    for v in itertools.islice(x, 0, 3, 2):
        y = y*v
    return y
""",
    "itertools pairwise": """
import itertools
def f(x):
    y = 0.0
    for a, b in itertools.pairwise(x):
        y = y + (b-a)**2*a
    return y
""",
    "itertools pairwise list": """
from itertools import pairwise
def f(x):
    return sum((b-a)**2*a for a, b in pairwise([x[0], x[1], x[2]]))
""",
    "itertools starmap": """
import itertools, operator
def f(x):
    return sum(itertools.starmap(operator.mul, zip(x, x[::-1])))
""",
    "itertools starmap pow": """
import itertools
def f(x):
    y = 0.0
    for v in itertools.starmap(pow, [(x[0], 2), (x[1], 3)]):
        y = y + v
    return y
""",
    "itertools takewhile": """
import itertools
def f(x):
    y = 0.0
    for v in itertools.takewhile(lambda v: v < 1.0, x):
        y = y + v*v
    return y
""",
    "itertools dropwhile": """
import itertools
def f(x):
    y = 0.0
    for v in itertools.dropwhile(lambda v: v < 1.0, x):
        y = y + v*v
    return y
""",
    "itertools repeat": """
import itertools
def f(x):
    y = 0.0
    for v, k in zip(x, itertools.repeat(2.0)):
        y = y + v**k
    for k in itertools.repeat(1.5, 2):
        y = y*k
    return y
""",
    "itertools count": """
import itertools
def f(x):
    y = 0.0
    for k, v in zip(itertools.count(1), x):
        y = y + v**k
    for k in itertools.count():
        if k > 3: break
        y = y * x[0]
    return y
""",
    "itertools cycle": """
import itertools
def f(x):
    y = 0.0
    for v, k in zip(x, itertools.cycle([1.0, -2.0])):
        y = y + v*v*k
    return y
""",
}
