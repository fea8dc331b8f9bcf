"""Containers and objects: rows of the table of constructs."""

from .row import XS, add

# --- containers -------------------------------------------------------------------------

G = "Containers"
add(
    G,
    "tuples, lists and dicts of values",
    """
    def f(x):
        state = {"a": x, "b": [x * x, (2 * x, 1.0)]}
        return state["a"] * state["b"][1][0] + state["b"][0]
""",
)
add(
    G,
    "named tuples and dataclasses",
    """
    import dataclasses

    @dataclasses.dataclass
    class Line:
        slope: float
        offset: float

        def at(self, x):
            return self.slope * x + self.offset

    def f(x):
        return Line(x, 2.0).at(x)
""",
)
add(
    G,
    "functions, texts and None in the arguments",
    """
    def f(x, layer={"act": np.tanh, "norm": "l2", "bias": None}):
        activate = layer["act"]
        y = activate(x)
        if layer["norm"] == "l2":
            y = y * y
        return y if layer["bias"] is None else y + layer["bias"]
""",
)
add(
    G,
    "items of lists and dicts, written",
    """
    def f(x):
        parts, table = [x, x], {"a": x}
        parts[0] = x * x
        table["b"] = 2 * x
        return parts[0] * table["b"]
""",
)
add(
    G,
    "`append` and its like, outside loops",
    """
    def f(x):
        parts = [x]
        parts.append(x * x)
        return np.sum(np.stack(parts))
""",
)
add(
    G,
    "objects of one's own in a list of run-time length",
    """
    class Spring:
        def __init__(self, k):
            self.k = k
            self.used = 0.0

        def force(self, x):
            return self.k * x

    def f(x):
        springs = [Spring(k) for k in x]
        for spring in springs:
            spring.used = spring.used + spring.force(x[0])
        return sum(spring.used * spring.k for spring in springs)
""",
    args=XS,
)
add(
    G,
    "`append` in a loop",
    """
    def f(x):
        parts = []
        for k in range(3):
            parts.append(x**k)
        return np.sum(np.stack(parts)) + parts[-1] * len(parts)
""",
)
add(
    G,
    "lists of a length known at run time",
    """
    def f(x):
        path = [x]
        while path[-1] < 20.0:
            path.append(path[-1] * 2 + x)
        path.pop(0)
        path[0] = x * x
        return sum(path) * path[0] + sum(path[1:] + [x])
""",
)
add(
    G,
    "two names of one container",
    """
    def f(x):
        p = {"w": x}
        q = p
        for _ in range(3):
            p["w"] = p["w"] * x
        return q["w"]
""",
)
add(
    G,
    "containers that a callee writes to",
    """
    def note(log, v):
        log["last"] = v
        log["all"].append(v)

    def f(x):
        log = {"last": 0.0, "all": []}
        for k in range(3):
            note(log, x * k)
        return log["last"] * sum(log["all"])
""",
)
add(
    G,
    "dicts updated functionally",
    """
    def f(x):
        p = {"w": x, "b": 2.0}
        q, r = {**p, "w": 2 * x}, p | {"c": x * x}
        return q["w"] * dict(p, b=x)["b"] + r["c"]
""",
)
add(
    G,
    "writing to what may be one of several containers",
    """
    def f(x):
        p, q = {"w": x}, {"w": 2.0}
        r = p if x > 0 else q
        r["w"] = x * x
        return p["w"]
""",
    "MutationError",
    "r = dict(p) if x > 0 else dict(q)",
)
add(
    G,
    "dict keys that are computed",
    """
    def f(x):
        sums, names = {}, {}
        for k, v in enumerate(x):
            sums[k % 2] = sums.get(k % 2, 0.0) + v * v
            names[f"v{k}"] = v
        for key, value in sums.items():
            names["v1"] *= key + value
        return names["v1"] * sums[0] * len(names)
""",
    args=XS,
)
add(
    G,
    "a list repeated as often as a number says",
    """
    def f(x):
        y = [0.0] * len(x)
        y[0] = x[0]
        for k in range(1, len(x)):
            y[k] = y[k - 1] * x[k] + 1.0
        return sum(y) * y[1]
""",
    args=XS,
)
add(
    G,
    "lists of lists, written to at places that are computed",
    """
    def f(x):
        n = len(x)
        table = [[0.0] * n for _ in range(n)]
        groups = [[] for _ in range(2)]
        for i in range(n):
            row = table[i]
            for j in range(i + 1):
                row[j] = x[i] * x[j] + table[i - 1][j]
            groups[i % 2].append(table[i][0])
        return table[2][1] * table[1][1] + sum(groups[0]) * groups[1][0]
""",
    args=XS,
)
add(
    G,
    "lists of lists that a helper writes to",
    """
    def eliminate(a):
        for j in range(len(a)):
            for i in range(j + 1, len(a)):
                factor = a[i][j] / a[j][j]
                for k in range(j, len(a)):
                    a[i][k] -= factor * a[j][k]

    def f(x):
        a = [[2.0 + x[0], x[1]], [x[2], 1.0 + x[0] * x[1]]]
        eliminate(a)
        return a[0][0] * a[1][1]
""",
    args=XS,
)
add(
    G,
    "`deque`, `defaultdict`, `Counter`, `OrderedDict`, `ChainMap`",
    """
    from collections import ChainMap, Counter, defaultdict, deque

    def f(x):
        last, groups = deque(maxlen=2), defaultdict(list)
        for k, v in enumerate(x):
            last.append(v * v)
            groups[k % 2].append(v)
        counts = Counter(k % 2 for k in range(3))
        rates = ChainMap({"a": x[0]}, {"a": 0.0, "b": 2.0})
        return last[0] * sum(groups[0]) * counts[0] + last.popleft() * rates["a"] * rates["b"]
""",
    args=XS,
)
add(
    G,
    "runs and stacks: lists that are put away and begun anew, or asked whether they are empty",
    """
    def f(x):
        runs, cur, stack, s = [], [x[0]], [], x[0]
        for v in x[1:]:
            if v < cur[-1]:
                runs.append(cur)
                cur = []
            cur.append(v)
            while stack and stack[-1] < v:
                s += stack.pop() * v
            stack.append(v)
        return sum(sum(run) ** 2 for run in [*runs, cur]) + s * stack[-1]
""",
    args=XS,
)
add(
    G,
    "groups and counts by a key",
    """
    def f(x):
        groups, totals = {}, {}
        for name, v in zip("aba", x):
            groups.setdefault(name, []).append(v * v)
            if name in totals:
                totals[name] += v
            else:
                totals[name] = v
        return sum(max(group) for group in groups.values()) * totals["a"]
""",
    args=XS,
)
add(
    G,
    "`heapq`, `bisect`, `statistics`; the least of several tuples",
    """
    import bisect
    import heapq
    import statistics

    def f(x):
        heap = []
        for k, v in enumerate(x):
            heapq.heappush(heap, (v, k))
        least, k = heapq.heappop(heap)
        cost, name = min((v * v, name) for v, name in zip(x, "abc"))
        place = bisect.bisect([0.0, 0.5, 1.0], x[1])
        return least * (k + 1) + cost * x[ord(name) - ord("b")] + place * statistics.stdev(x)
""",
    args=XS,
)
add(
    G,
    "a `deque` that is returned",
    """
    from collections import deque

    def f(x):
        return x[0], deque(x)
""",
    "UnsupportedSyntax",
    "return x[0], list(q)",
    args=XS,
)
add(
    G,
    "writing to a list that two lists may hold",
    """
    def f(x):
        rows = [[v, v] for v in x]
        kept = rows[:]
        rows[0][1] = x[2]
        return kept[0][1]
""",
    "MutationError",
    "kept = [row[:] for row in rows]",
    args=XS,
)
add(
    G,
    "two kinds of things in two branches",
    """
    def f(x):
        if x > 0:
            y = (x, x)
        else:
            y = x
        return y
""",
    "UnsupportedSyntax",
    "the same containers in both branches",
)

# --- objects ----------------------------------------------------------------------------

G = "Objects"
add(
    G,
    "objects made in the function: `__init__`, methods, attributes written",
    """
    class Account:
        rate = 0.5

        def __init__(self, start):
            self.balance = start
            self.history = []

        def step(self, amount):
            self.balance = self.balance * (1 + self.rate) + amount
            self.history.append(self.balance)

    def f(x):
        account = Account(x)
        for k in range(3):
            account.step(x * k)
        return account.balance + sum(account.history)
""",
)
add(
    G,
    "operator methods, `__call__`, `__getitem__`, properties",
    """
    class Pair:
        def __init__(self, a, b):
            self.a, self.b = a, b

        def __add__(self, other):
            return Pair(self.a + other.a, self.b + other.b)

        def __call__(self, t):
            return self.a * t + self.b

        def __getitem__(self, k):
            return self.a if k == 0 else self.b

        @property
        def norm(self):
            return np.sqrt(self.a**2 + self.b**2)

    def f(x):
        v = Pair(x, 2.0) + Pair(1.0, x)
        return v(x) * v[0] + v.norm
""",
)
add(
    G,
    "unary operators, `abs`, `sum` and comparisons of the user's objects",
    """
    class Pair:
        def __init__(self, a, b):
            self.a, self.b = a, b

        def __neg__(self):
            return Pair(-self.a, self.b)

        def __invert__(self):
            return Pair(self.b, self.a)

        def __sub__(self, other):
            return self + (-other)

        def __add__(self, other):
            if not isinstance(other, Pair):
                return NotImplemented
            return Pair(self.a + other.a, self.b * other.b)

        def __radd__(self, other):
            return Pair(self.a + other, self.b)

        def __abs__(self):
            return np.sqrt(self.a**2 + self.b**2)

        def __lt__(self, other):
            return abs(self) < abs(other)

        def __eq__(self, other):
            return self.a == other.a

        def __contains__(self, value):
            return value == 3

    def f(x):
        u, v = Pair(x, 2.0), Pair(x * x, -x)
        w = -u - ~v
        total = sum([u, v, w])
        y = w.a * 2 + total.b if u < v else w.b
        y += x if v > u else x**3
        y += 5 * x if u != v else x
        y += x if u == v else 2 * x
        if 3 in u and not (4 in v):
            y *= total.a
        return y + abs(w)
""",
)
add(
    G,
    "operators of objects that were made outside",
    """
    class Pair:
        def __init__(self, a, b):
            self.a, self.b = a, b

        def __mul__(self, k):
            return Pair(self.a * k, self.b * k)

        def __neg__(self):
            return Pair(-self.a, self.b)

        def __isub__(self, other):
            self.a = self.a - other.a
            return self

    KNOWN = Pair(2.0, 3.0)

    def f(x):
        u = -KNOWN * x
        v = KNOWN
        v *= x * x
        v -= u
        return u.a * v.b + v.a
""",
)
add(
    G,
    "a subclass is asked before its base",
    """
    class Base:
        def __init__(self, k):
            self.k = k

        def __mul__(self, other):
            return self.k * other.k

    class Above(Base):
        def __rmul__(self, other):
            return self.k ** 2 * other.k

    def f(x):
        return Base(x) * Above(x) + Above(x) * Base(x) + Base(x) * Base(x)
""",
)
add(
    G,
    "an array beside the user's object",
    """
    class Scale:
        def __init__(self, k):
            self.k = k

        def __rmul__(self, other):
            return self.k * other

    def f(x):
        return np.sum(np.ones(3) * x * Scale(x))
""",
    "UnsupportedSyntax",
    "write `__array_ufunc__ = None` in the class Scale",
)
add(
    G,
    "an array beside the user's object that takes it",
    """
    class Scale:
        __array_ufunc__ = None

        def __init__(self, k):
            self.k = k

        def __rmul__(self, other):
            return self.k * other

    def f(x):
        return np.sum(np.ones(3) * x * Scale(x))
""",
)
add(
    G,
    "inheritance and `super()`",
    """
    class Base:
        def __init__(self, k):
            self.k = k

        def out(self, x):
            return self.k * x

    class Shifted(Base):
        def __init__(self, k, m):
            super().__init__(k)
            self.m = m

        def out(self, x):
            return super().out(x) + self.m

    def f(x):
        return Shifted(x, x * x).out(x)
""",
)
add(
    G,
    "`dataclasses.replace` and `_replace`",
    """
    import dataclasses
    from typing import NamedTuple

    @dataclasses.dataclass(frozen=True)
    class Line:
        slope: float
        offset: float = 1.0

    class Point(NamedTuple):
        a: float
        b: float = 2.0

    def f(x):
        line = dataclasses.replace(Line(x), offset=x * x)
        point = Point(x)._replace(b=x)
        return line.slope * line.offset + point.a * point.b
""",
)
add(
    G,
    "writing to a frozen object",
    """
    import dataclasses

    @dataclasses.dataclass(frozen=True)
    class Line:
        slope: float

    def f(x):
        line = Line(x)
        line.slope = 2.0 * x
        return line.slope
""",
    "MutationError",
    "line = dataclasses.replace(line, slope=2.0 * x)",
)
