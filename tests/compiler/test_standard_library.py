"""Functions of Python's library that work on lists: `heapq`, `bisect`, `statistics`."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from tests.both_modes import agrees
from tests.written import written

X = np.array([0.9, 0.35, 0.6, 1.4, 0.1])
GIVEN = {"array": X, "list": X.tolist(), "tuple": tuple(X.tolist())}
IMPORTS = "import bisect\nimport heapq\nimport statistics\nfrom heapq import heappush, heappop\n"
POPPED = "s = 0.0\nwhile h:\n    s = s * 0.7 + heappop(h) * x[0]\nreturn s"
PROGRAMS = {
    "pushed and popped": f"h = []\nfor v in x:\n    heappush(h, v * v)\n{POPPED}",
    "made a heap": f"h = [v * x[1] for v in x]\nheapq.heapify(h)\n{POPPED}",
    "replaced": f"h = [x[4], x[1]]\nheapq.heapify(h)\na = heapq.heapreplace(h, x[2])\nx = [a * v for v in x]\n{POPPED}",
    "pushed, then popped": f"h = [x[1]]\na = heapq.heappushpop(h, x[4]) + heapq.heappushpop(h, x[0])\nx = [a * v for v in x]\n{POPPED}",
    "of pairs": "h = []\nfor k, v in enumerate(x):\n    heappush(h, (v, k))\nv, k = heappop(h)\nw, j = heappop(h)\nreturn v * (k + 1) + w * w * j",
    "that tie": "h = []\nfor k, v in enumerate(x):\n    heappush(h, (k % 2, v))\ns = 0.0\nwhile h:\n    k, v = heappop(h)\n    s = s * 0.5 + v * v * (k + 1)\nreturn s",
    "nlargest": "return sum(v * v * (k + 1) for k, v in enumerate(heapq.nlargest(2, x)))",
    "nsmallest": "return heapq.nsmallest(2, x, key=lambda v: -v)[1] * heapq.nsmallest(1, x)[0]",
    "shortest path": """graph = {0: [(1, x[0]), (2, x[1])], 1: [(2, x[2]), (3, 2.0)], 2: [(3, x[3] * x[1])], 3: []}
best = {0: 0.0}
todo = [(0.0, 0)]
while todo:
    d, u = heappop(todo)
    if d > best[u]:
        continue
    for v, w in graph[u]:
        if v not in best or d + w < best[v]:
            best[v] = d + w
            heappush(todo, (d + w, v))
return best[3] + best[2]""",
    "table": """at = [0.0, 0.5, 1.0, 2.0]
y = [x[1], x[2] * x[3], x[3], x[4]]
k = bisect.bisect_right(at, x[0]) - 1
w = (x[0] - at[k]) / (at[k + 1] - at[k])
return y[k] * (1 - w) + y[k + 1] * w""",
    "counted": "s = sorted(x)\nreturn bisect.bisect_left(s, 0.5) * x[0] + bisect.bisect(s, x[1]) * x[1]",
    "found by a key": "return x[0] * (1 + bisect.bisect_left([1.0, 2.0, 3.0], x[3], key=lambda v: v * x[0]))",
    "none of them": "return x[0] + sum(heapq.nlargest(-1, x)) + sum(heapq.nsmallest(0, x))",
    "insorted": "s = []\nfor v in x:\n    bisect.insort(s, v * x[0])\nreturn s[0] * s[1] + s[4] * s[2]",
    "insort_left": "s = [0.5, 1.0]\nbisect.insort_left(s, x[2])\nreturn s[1] * s[2] * x[0]",
    "mean": "return statistics.mean(x) ** 2 + statistics.fmean(x)",
    "weighted": "return statistics.fmean(x, weights=[1.0, 2.0, x[0], 1.0, 0.5])",
    "spread": "return statistics.stdev(x) * statistics.pvariance(x) + statistics.variance(x, 0.5) * statistics.pstdev(x)",
    "medians": "return statistics.median(x) + statistics.median(list(x)[:4]) ** 2 + statistics.median_low(x) * statistics.median_high(x)",
    "other means": "return statistics.geometric_mean(x) * statistics.harmonic_mean(x) + statistics.harmonic_mean(x, weights=x)",
    "line": "r = statistics.linear_regression([1.0, 2.0, 4.0, 5.0, 7.0], x)\nreturn r.slope * r.intercept",
    "correlated": "return statistics.correlation(x, [1.0, 0.0, 2.0, 1.0, 3.0]) * statistics.covariance(x, [v * v for v in x])",
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("given", GIVEN)
def test_as_python(given: str, name: str) -> None:
    body = PROGRAMS[name].replace("\n", "\n    ")
    agrees(written(f"{IMPORTS}def f(x):\n    {body}\n"), GIVEN[given])


UNDEFINED = [
    "stdev([v for v in x if v > 1])", "mean([v for v in x if v > 9])", "fmean(x, weights=[x[0], 1.0])", "harmonic_mean([x[0], -x[1]])",
    "covariance(x, [1.0, 2.0])", "correlation(x, [1.0] * 5)", "linear_regression([2.0] * 5, x).slope", "geometric_mean([x[0], -x[1]])",
]  # fmt: skip


@pytest.mark.parametrize("call", UNDEFINED)
def test_it_raises_where_python_does(call: str) -> None:
    f = written(f"{IMPORTS}def f(x):\n    return statistics.{call}\n")
    with pytest.raises(ValueError, match=".") as expected:
        f(X)
    with np.errstate(all="ignore"), pytest.raises(ValueError, match=".") as found:
        rg.grad(f, strict=True)(X)
    assert issubclass(found.type, expected.type) or call.startswith("geometric")
