"""Functions and writes: rows of the table of constructs."""

from .row import XS, add

# --- functions --------------------------------------------------------------------------

G = "Functions and calls"
add(
    G,
    "functions of your own",
    """
    def bump(x, height=2.0, *, width):
        y = x / width
        return height * np.exp(-y * y)

    def f(x):
        return bump(x, width=3.0) + bump(2 * x, 1.0, width=x)
""",
)
add(
    G,
    "a function whose arguments only are kept",
    """
    import retrograd as rg

    @rg.checkpoint
    def step(x):
        y = np.sin(x)
        return y * y

    def f(x):
        for _ in range(3):
            x = x + step(x)
        return x
""",
)
add(
    G,
    "recursion",
    """
    def power(x, n):
        if n == 0:
            return 1.0
        return x * power(x, n - 1)

    def f(x):
        return power(x, 4)
""",
)
add(
    G,
    "recursion that gives lists",
    """
    def halves(x):
        if len(x) <= 1:
            return list(x)
        m = len(x) // 2
        return [0.5 * v for v in halves(x[m:])] + halves(x[:m])

    def f(x):
        y = halves([x, x * x, 2.0 * x])
        return y[0] * y[1] + y[2]
""",
)
add(
    G,
    "derivatives of other functions: `rg.grad`, `value_and_grad`, `jvp`, `vjp`, `linearize`, `hvp`, `jacobian`, `hessian`",
    """
    import retrograd as rg

    def potential(q):
        return q ** 4 / 4

    force = rg.grad(potential)

    def f(x):
        p = 0.5 * force(x) + rg.grad(lambda t: np.sin(t * x))(2.0)
        value, slope = rg.jvp(potential, (x,), (p,))
        return value * slope + rg.hvp(potential, (x,), p)
""",
)
add(
    G,
    "a function that calls its own derivative",
    """
    import retrograd as rg

    def f(x):
        return x if x < 0.5 else rg.grad(f)(x / 2) * x
""",
    "UnsupportedOperation",
    "a derivative of another function, or a loop",
)
add(
    G,
    "inner functions",
    """
    def f(x):
        def scaled(v):
            return x * v
        return scaled(x) + scaled(2.0)
""",
)
add(
    G,
    "`*` and `**` of tuples, lists and dicts in calls",
    """
    def g(a, b):
        return a * b

    def f(x):
        return g(*(x, 2.0)) + g(**{"a": x, "b": x})
""",
)
add(
    G,
    "`*args` and `**kwargs` of a helper",
    """
    def total(*values, **more):
        y = more["c"]
        for v in values:
            y += v
        return y

    def f(x):
        return total(x, x * x, c=2 * x)
""",
)
add(
    G,
    "`*` of an array or a list whose length only the run knows",
    """
    def model(t, a, b):
        return a * np.exp(-b * t)

    def total(*values):
        return sum(values)

    def f(x):
        ways = [x * k for k in range(4) if x * k > 0]
        return total(*ways) + model(0.5, *np.sqrt(ways[:2]))
""",
)
add(
    G,
    "a function given as an argument to a helper",
    """
    def twice(g, x):
        return g(g(x))

    def f(x):
        return twice(np.sin, x)
""",
)
add(
    G,
    "defaults, `is None`, options given as text",
    """
    def scaled(x, factor=None, mode="square"):
        if factor is None:
            factor = 2.0
        return factor * x * x if mode == "square" else factor * x

    def f(x):
        return scaled(x) + scaled(x, 3.0, mode="linear")
""",
)
add(
    G,
    "`abs`, `min`, `max`, `sum`, `len`, `float`",
    """
    def f(x):
        return abs(x) * max(x, 0.5) + sum((x, x * x)) * len((1, 2)) - min(x, 2.0) * float(x)
""",
)
add(
    G,
    "imports in the function",
    """
    def f(x):
        import math
        return math.exp(x) * math.sin(x)
""",
)
add(
    G,
    "methods of objects, and their attributes",
    """
    class Spring:
        def __init__(self, k):
            self.k = k

        def energy(self, x):
            return self.k * x * x / 2

    SPRING = Spring(3.0)

    def f(x):
        return SPRING.energy(x) * SPRING.k
""",
)
add(
    G,
    "a decorated inner function",
    """
    import functools

    def twice(function):
        @functools.wraps(function)
        def call(*args):
            return 2.0 * function(*args)
        return call

    def f(x):
        @twice
        def square(v):
            return v * v
        return square(x)
""",
)
add(
    G,
    "recursive inner functions",
    """
    def f(x):
        def power(n):
            return 1.0 if n == 0 else x * power(n - 1)
        return power(3)
""",
)
add(
    G,
    "functions that call each other",
    """
    def even(x, n):
        return x if n == 0 else odd(x * x, n - 1)

    def odd(x, n):
        return 2.0 * x if n == 0 else even(3.0 * x, n - 1)

    def f(x):
        return even(x, 3)
""",
)
add(
    G,
    "a function given to a call of another library that nothing differentiated goes into",
    """
    import bisect
    import numpy as np

    def f(x):
        power = np.ndim(x) + 2
        place = bisect.bisect_left([1.0, 2.0, 3.0], 3.5, key=lambda v: v**power)
        return x**2 * place
""",
)
add(
    G,
    "inner functions and lambdas as arguments and results",
    """
    def newton(g, z):
        for _ in range(8):
            z = z - 1e-3 * g(z) / (g(z + 1e-3) - g(z))
        return z

    def power(n):
        return lambda z: z**n

    def f(x):
        square = power(2)
        return newton(lambda z: square(z) - x, 1.0)
""",
)
add(
    G,
    "`functools.partial`, `reduce`, `map`, `filter`, `np.vectorize`",
    """
    import functools

    def scaled(k, v):
        return k * v

    def f(x):
        total = functools.reduce(lambda a, b: a * b + x, [x, 2.0, x])
        doubled = sum(map(functools.partial(scaled, 2.0), [x, total]))
        large = list(filter(lambda v: v > 1.0, np.arange(3.0) * x))
        bent = np.vectorize(lambda v, w: v * w if v < w else v + x)
        return doubled + sum(large) + np.sum(bent(np.arange(3.0), x))
""",
)
add(
    G,
    "`itertools`",
    """
    import itertools

    def f(x):
        y = 0.0
        for a, b in itertools.combinations(x, 2):
            y = y + (a - b) ** 2
        for total in itertools.accumulate(x, initial=1.0):
            y = y * total
        for k, v in zip(itertools.count(1), itertools.chain(x, [2.0, y])):
            y = y + v * k
        return y + sum(itertools.starmap(pow, [(y, 2), (x[0], 3)]))
""",
    args=XS,
)
add(
    G,
    "`sorted`, `xs.sort()`, `min` and `max` with keys",
    """
    def f(x):
        low, middle, high = sorted(v * v for v in x)
        pairs = sorted(zip(x, x[1:]), key=lambda p: -p[0])
        best = max([low, middle, high], key=lambda v: abs(v - 1.0))
        return low * high**2 + pairs[0][1] * best
""",
    args=XS,
)
add(
    G,
    "`copy.copy`, `copy.deepcopy`",
    """
    import copy

    def f(x):
        state = {"x": x * 2, "log": [x[0]]}
        saved = copy.deepcopy(state)
        state["x"][0] = 0.0
        state["log"].append(x[1])
        return np.sum(saved["x"] * state["x"]) * len(state["log"]) * saved["log"][0]
""",
    args=XS,
)
add(
    G,
    "`a.flat`, `np.ndenumerate`, `np.nditer`, `x.tolist()`",
    """
    def f(x):
        a = np.outer(x, x)
        y = 0.0
        for v in a.flat:
            y = y * 0.5 + v
        for (i, j), v in np.ndenumerate(a):
            y = y + v * (i + 2 * j)
        for v in np.nditer(x):
            y = y * v
        return y + sum(v * v for v in a.tolist()[0])
""",
    args=XS,
)
add(
    G,
    "functions of `math` and `operator` on lists",
    """
    import math
    import operator

    def f(x):
        first, last = operator.itemgetter(0, -1)(x)
        far = math.dist(x, [1.0, 2.0, last]) + math.hypot(first, last, 2.0)
        return math.fsum(x) * math.prod(x) + operator.add(far, operator.neg(first))
""",
    args=XS,
)
add(
    G,
    "decorated functions (`functools.wraps`)",
    """
    import functools

    def twice(g):
        @functools.wraps(g)
        def wrapper(*args):
            return 2.0 * g(*args)
        return wrapper

    @twice
    def square(x):
        return x * x

    def f(x):
        return square(x)
""",
)
add(
    G,
    "a function that keeps its results (`functools.lru_cache`)",
    """
    import functools

    @functools.lru_cache
    def square(x):
        return x * x

    def f(x):
        return square(x)
""",
)
add(
    G,
    "functions in tables of the module",
    """
    STEPS = {"grow": lambda x: x * x, "bend": np.sin}

    def f(x):
        for _, step in STEPS.items():
            x = step(x)
        bend = STEPS["bend"]
        return x + bend(x)
""",
)
add(
    G,
    "`*args` and `**kwargs` of the differentiated function",
    """
    def f(x, *factors, power=2.0, **terms):
        y = x**power
        for factor in factors:
            y = y * factor
        if "shift" in terms:
            y = y + terms["shift"]
        return y + sum(terms.values())
""",
)
add(
    G,
    "random numbers: `rng.normal(...)`, `np.random.rand(...)`",
    """
    def f(x):
        rng = np.random.default_rng(0)
        noise = rng.normal(size=3)
        if rng.random() < 0.9:
            noise[0] = x
        return np.mean((x + 0.1 * noise) ** 2) * rng.permutation(4)[0]
""",
)
add(
    G,
    "random numbers whose parameters are differentiated: the same draw, from the standard one",
    """
    def f(x):
        rng = np.random.default_rng(0)
        return x * rng.normal(x, 1.0) + np.sum(rng.uniform(0.0, x, size=3)) + rng.gamma(2.0, x)
""",
)
add(
    G,
    "random numbers whose shape parameter is differentiated",
    """
    def f(x):
        return x * np.random.default_rng(0).gamma(x)
""",
    "UnsupportedOperation",
    "a family with a standard one: rng.normal, rng.uniform, ...",
)
add(
    G,
    "histograms of what is differentiated: the counts stay as they are",
    """
    def f(x):
        counts, edges = np.histogram(x, bins=3, weights=x)
        return counts @ edges[1:]
""",
    args=XS,
)
add(
    G,
    "a class in a function",
    """
    def f(x):
        class Point:
            pass
        return x * x
""",
    "UnsupportedSyntax",
    "define it at module level",
)
add(
    G,
    "calling what is only known at run time",
    """
    def f(x):
        g = {0: np.sin, 1: np.cos}.get(int(x), np.tan)
        return g(x)
""",
    "UnsupportedSyntax",
    "np.sin(x) if x < 1 else np.cos(x)",
)
add(
    G,
    "one of several functions, chosen when it runs",
    """
    def f(x):
        g = [np.sin, np.cos][int(x > 1)]
        h = np.sqrt if x > 0 else np.square
        return g(x) * h(x)
""",
)
add(
    G,
    "a function or None",
    """
    def f(x, callback=None):
        if x > 0.1:
            callback = np.exp
        if callback is not None:
            x = callback(x)
        return x
""",
)
add(
    G,
    "an operation without a rule",
    """
    def f(x):
        return np.sum(np.unique_values(x))
""",
    "UnsupportedOperation",
    "operations with rules: `retrograd rules` lists them",
    XS,
)
add(
    G,
    "an operation with a keyword its rule does not know",
    """
    def f(x):
        return np.nanstd(x, mean=0.5)
""",
    "UnsupportedOperation",
    "np.sqrt(np.nanmean((x - 0.5) ** 2))",
    XS,
)
add(
    G,
    "an operation without a rule, on values that carry no derivative",
    """
    def f(x):
        steps = np.union1d(np.arange(3.0), 1.0)
        return np.sum(x * steps)
""",
    args=XS,
)

# --- writing ----------------------------------------------------------------------------

G = "Writing into arrays"
add(
    G,
    "containers of the module that are changed: what is read of them keeps its place",
    """
    SEEN = []

    def f(x):
        SEEN.append(2.0)
        y = x * x * len(SEEN) + sum(SEEN) * x
        SEEN.pop()
        return y
""",
)
add(
    G,
    "writing to attributes of objects of the module",
    """
    class Store:
        count, last = 0, 0.0

        def note(self, v):
            self.count += 1
            self.last = v

    STORE = Store()

    def f(x):
        for k in range(3):
            STORE.note(x * k)
        return x * STORE.last
""",
)
add(
    G,
    "writing to an object that a function which is not compiled may look at",
    """
    class Store:
        count = 0

    STORE = Store()

    def noted(x):
        return [STORE.count, locals()["x"]]

    def f(x):
        STORE.count += 1
        return x * len(noted(x))
""",
    "MutationError",
    "return the new value too, and store it outside",
)
