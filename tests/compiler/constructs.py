"""The constructs of Python, each with a tiny program: supported, or refused with which error.

``docs/supported_python.md`` is this table; ``test_constructs.py`` runs every row.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

__all__ = ["CONSTRUCTS", "GROUPS", "Construct"]


@dataclass(frozen=True)
class Construct:
    """``source`` defines ``f``; with ``error`` it is refused by that class, ``instead`` is what to write."""

    group: str
    name: str
    source: str
    error: str = ""
    instead: str = ""
    args: tuple[Any, ...] = (0.7,)


CONSTRUCTS: list[Construct] = []


def add(group: str, name: str, source: str, error: str = "", instead: str = "", args: Any = (0.7,)) -> None:
    made = Construct(group, name, textwrap.dedent(source).strip() + "\n", error, instead, args)
    CONSTRUCTS.append(made)


XS = ([0.3, 1.2, 0.8],)

# --- values and names -------------------------------------------------------------------

G = "Assignments and names"
add(G, "assignment, several targets", """
    def f(x):
        a = b = x * x
        return a + 2 * b
""")
add(G, "tuple unpacking, swap", """
    def f(x):
        a, (b, c) = x, (2 * x, x * x)
        a, b = b, a
        return a * b + c
""")
add(G, "unpacking an array", """
    def f(x):
        a, b, c = x
        return a * b * c
""", args=XS)
add(G, "starred target", """
    def f(x):
        first, *rest = x
        return first
""", "UnsupportedSyntax", "first, rest = x[0], x[1:]", XS)
add(G, "augmented assignment of a number", """
    def f(x):
        x += 1.0
        x **= 2
        return x
""")
add(G, "augmented assignment of an array made here", """
    def f(x):
        y = np.exp(x)
        y += x
        return np.sum(y)
""", args=XS)
add(G, "augmented assignment of an argument", """
    def f(x):
        x += 1.0
        return np.sum(x)
""", "MutationError", "x = x + 1.0", XS)
add(G, "annotated assignment", """
    def f(x):
        y: float = x * x
        return y
""")
add(G, "assignment expression", """
    def f(x):
        return (y := x * x) + y
""")
add(G, "global numbers and arrays, read", """
    RATE = 0.5
    TABLE = np.array([1.0, 2.0])

    def f(x):
        return RATE * x + TABLE[1] * x
""")
add(G, "closures, read", """
    def made(k):
        def f(x):
            return k * x * x
        return f

    f = made(3.0)
""")
add(G, "`global`", """
    CALLS = 0

    def f(x):
        global CALLS
        CALLS += 1
        return x * x
""", "UnsupportedSyntax", "an argument, and one more result")
add(G, "`nonlocal`", """
    def made():
        calls = 0

        def f(x):
            nonlocal calls
            calls += 1
            return x * x
        return f

    f = made()
""", "UnsupportedSyntax", "an argument, and one more result")
add(G, "`del`", """
    def f(x):
        y = x * x
        z = 2 * y
        del y
        return z
""", "UnsupportedSyntax", "nothing: leave it out")
add(G, "a name bound in one branch (an error only when it is read unbound)", """
    def f(x):
        if x > 0:
            y = x * x
        return y
""")

# --- expressions ------------------------------------------------------------------------

G = "Expressions"
add(G, "arithmetic, powers, unary minus", """
    def f(x):
        return -x ** 3 + 2 * x / (1 + x) - x % 0.5
""")
add(G, "matrix product", """
    def f(x):
        return x @ x
""", args=XS)
add(G, "comparisons, also chained", """
    def f(x):
        return x * x if 0.0 < x < 1.0 else x
""")
add(G, "`and`, `or`, `not`", """
    def f(x):
        return x * x if x > 0 and not x > 9 else 2 * x
""")
add(G, "conditional expression", """
    def f(x):
        return np.sin(x) if x > 0 else x
""")
add(G, "subscripts: index, slice, ellipsis, None, mask, integer array", """
    def f(x):
        picked = x[np.array([0, 0, 2])]
        return x[0] * np.sum(x[1:]) + np.sum(x[x > 0.5]) + np.sum(picked) + np.sum(x[..., None])
""", args=XS)
add(G, "methods and attributes of arrays", """
    def f(x):
        return x.reshape(3, 1).T.sum() * x.mean() + x.size
""", args=XS)
add(G, "f-strings (in what is printed or raised)", """
    def f(x):
        assert x > 0, f"{x:.3f} is not positive"
        return x * x
""")
add(G, "lambda", """
    def f(x):
        double = lambda v: 2 * v
        return double(x) * double(x)
""")
add(G, "list comprehension", """
    def f(x):
        return sum([v * v for v in x])
""", "UnsupportedSyntax", "np.sum(x * x), or a loop", XS)
add(G, "dict comprehension", """
    def f(x):
        powers = {k: x**k for k in (1, 2)}
        return powers[2]
""", "UnsupportedSyntax", "{1: x, 2: x**2}")
add(G, "set comprehension", """
    def f(x):
        return x * len({k for k in (1, 2)})
""", "UnsupportedSyntax", "an array expression")
add(G, "generator expression", """
    def f(x):
        return sum(v * v for v in x)
""", "UnsupportedSyntax", "np.sum(x * x), or a loop", XS)
add(G, "a set", """
    def f(x):
        return x * len({1, 2})
""", "UnsupportedSyntax", "a tuple")

# --- control flow -----------------------------------------------------------------------

G = "Control flow"
add(G, "`if`, `elif`, `else`", """
    def f(x):
        if x > 1:
            y = x * x
        elif x > 0:
            y = np.sin(x)
        else:
            y = -x
        return y
""")
add(G, "`for` over a range", """
    def f(x):
        y = 0.0
        for k in range(1, 4):
            y = x * y + k
        return y
""")
add(G, "`for` over an array", """
    def f(x):
        y = 1.0
        for v in x:
            y = np.tanh(y * v)
        return y
""", args=XS)
add(G, "`for` over zip, enumerate, reversed", """
    def f(x):
        y = 0.0
        for k, (a, b) in enumerate(zip(x, reversed(x))):
            y = y * a + k * b
        return y
""", args=XS)
add(G, "`for` over a tuple, list or dict", """
    def f(x):
        weights = {"one": 1.0, "two": 2.0}
        y = 0.0
        for name, weight in weights.items():
            y += weight * x ** len(name)
        return y
""")
add(G, "`while`", """
    def f(x):
        y = x
        while abs(y * y - x) > 1e-12:
            y = (y + x / y) / 2
        return y
""")
add(G, "`while` with `else`, without `break`", """
    def f(x):
        y = x
        while y < 10:
            y = y * 2
        else:
            y = y * x
        return y
""")
add(G, "nested loops", """
    def f(x):
        y = x
        for i in range(2):
            for j in range(i + 1):
                y = np.sin(y) + x * j
        return y
""")
add(G, "`break`", """
    def f(x):
        y = 1.0
        for k in range(100):
            y = y * x
            if y < 0.1:
                break
        return y
""")
add(G, "`continue`", """
    def f(x):
        y = 0.0
        for k in range(5):
            if k % 2 == 0:
                continue
            y += x**k
        return y
""")
add(G, "early `return`", """
    def f(x):
        if x < 0:
            return -x
        return x * x
""")
add(G, "`return` in a loop", """
    def f(x):
        y = x
        for k in range(100):
            y = y * x
            if y < 0.1:
                return y * k
        return y
""")
add(G, "`assert`, `raise`, `print`", """
    def f(x):
        assert x > 0
        if x > 100:
            raise ValueError("too large")
        return x * x
""")
add(G, "`else` on a loop that has `break`", """
    def f(x):
        for k in range(3):
            if x > k:
                break
        else:
            x = 2 * x
        return x
""", "UnsupportedSyntax", "a flag that is set before `break`, and an `if` after the loop")
add(G, "leaving a loop over a literal container", """
    def f(x):
        for k in (1.0, 2.0):
            if x > k:
                break
            x = x * k
        return x
""", "UnsupportedSyntax", "a loop over range(2), or over an array")
add(G, "a loop that changes the structure of a value", """
    def f(x):
        y = (x,)
        for k in range(3):
            y = (y, x)
        return x
""", "UnsupportedSyntax", "an array, or containers of one structure")
add(G, "a loop over the characters of a text", """
    def f(x):
        for c in "ab":
            x = x * x
        return x
""", "UnsupportedSyntax", "a range, an array, a tuple")
add(G, "`try`", """
    def f(x):
        try:
            return x * x
        except ValueError:
            return x
""", "UnsupportedSyntax", "the `try` around the call of the function")
add(G, "`with`", """
    def f(x):
        with np.errstate(all="ignore"):
            return x * x
""", "UnsupportedSyntax", "the `with` around the call of the function")
add(G, "`match`", """
    def f(x):
        match 2:
            case 2:
                return x * x
        return x
""", "UnsupportedSyntax", "if, elif, else")
add(G, "`async`, `await`", """
    async def f(x):
        return x * x
""", "SourceUnavailable", "a plain function")
add(G, "`yield`", """
    def f(x):
        yield x * x
""", "UnsupportedSyntax", "return the values")

# --- functions --------------------------------------------------------------------------

G = "Functions and calls"
add(G, "functions of your own", """
    def bump(x, height=2.0, *, width):
        y = x / width
        return height * np.exp(-y * y)

    def f(x):
        return bump(x, width=3.0) + bump(2 * x, 1.0, width=x)
""")
add(G, "recursion", """
    def power(x, n):
        if n == 0:
            return 1.0
        return x * power(x, n - 1)

    def f(x):
        return power(x, 4)
""")
add(G, "inner functions", """
    def f(x):
        def scaled(v):
            return x * v
        return scaled(x) + scaled(2.0)
""")
add(G, "`*` and `**` of tuples, lists and dicts in calls", """
    def g(a, b):
        return a * b

    def f(x):
        return g(*(x, 2.0)) + g(**{"a": x, "b": x})
""")
add(G, "`*args` and `**kwargs` of a helper", """
    def total(*values, **more):
        y = more["c"]
        for v in values:
            y += v
        return y

    def f(x):
        return total(x, x * x, c=2 * x)
""")
add(G, "a function given as an argument to a helper", """
    def twice(g, x):
        return g(g(x))

    def f(x):
        return twice(np.sin, x)
""")
add(G, "a decorated inner function", """
    def f(x):
        @np.vectorize
        def inner(v):
            return v
        return inner(x)
""", "UnsupportedSyntax", "define it at module level")
add(G, "a recursive inner function", """
    def f(x):
        def power(n):
            return 1.0 if n == 0 else x * power(n - 1)
        n = len(np.zeros(2))
        return power(n)
""", "UnsupportedSyntax", "define it at module level")
add(G, "`*args` of the differentiated function", """
    def f(*x):
        return x[0]
""", "UnsupportedSyntax", "named parameters, or one list or dict")
add(G, "a class in a function", """
    def f(x):
        class Point:
            pass
        return x * x
""", "UnsupportedSyntax", "define it at module level")
add(G, "calling what is only known at run time", """
    def f(x):
        g = [np.sin, np.cos][int(x)]
        return g(x)
""", "UnsupportedSyntax", "np.sin(x) if x < 1 else np.cos(x)")
add(G, "an operation without a rule", """
    def f(x):
        return np.sum(np.unwrap(x))
""", "UnsupportedOperation", "operations with rules: `retrograd rules` lists them", XS)
add(G, "an operation with a keyword its rule does not know", """
    def f(x):
        return np.sum(x, where=x > 0.5)
""", "UnsupportedOperation", "np.sum(np.where(x > 0.5, x, 0.0))", XS)
add(G, "an operation without a rule, on values that carry no derivative", """
    def f(x):
        steps = np.unwrap(np.arange(3.0))
        return np.sum(x * steps)
""", args=XS)

# --- containers -------------------------------------------------------------------------

G = "Containers"
add(G, "tuples, lists and dicts of values", """
    def f(x):
        state = {"a": x, "b": [x * x, (2 * x, 1.0)]}
        return state["a"] * state["b"][1][0] + state["b"][0]
""")
add(G, "named tuples and dataclasses", """
    import dataclasses

    @dataclasses.dataclass
    class Line:
        slope: float
        offset: float

        def at(self, x):
            return self.slope * x + self.offset

    def f(x):
        return Line(x, 2.0).at(x)
""")
add(G, "items of lists and dicts, written", """
    def f(x):
        parts, table = [x, x], {"a": x}
        parts[0] = x * x
        table["b"] = 2 * x
        return parts[0] * table["b"]
""")
add(G, "`append` and its like, outside loops", """
    def f(x):
        parts = [x]
        parts.append(x * x)
        return np.sum(np.stack(parts))
""")
add(G, "`append` in a loop", """
    def f(x):
        parts = []
        for k in range(3):
            parts.append(x**k)
        return parts[1]
""", "UnsupportedSyntax", "an array expression, such as x ** np.arange(3)")
add(G, "a dict key that is computed", """
    def f(x):
        key = np.sign(x)
        table = {key: x}
        return x
""", "UnsupportedSyntax", "a constant key")
add(G, "two kinds of things in two branches", """
    def f(x):
        if x > 0:
            y = (x, x)
        else:
            y = x
        return y
""", "UnsupportedSyntax", "the same containers in both branches")

# --- writing ----------------------------------------------------------------------------

G = "Writing into arrays"
add(G, "writing to elements", """
    def f(x):
        y = np.zeros(3)
        y[0] = x
        return np.sum(y)
""", "MutationError", "np.stack, np.concatenate, np.where or an expression")
add(G, "adding to elements", """
    def f(x):
        y = np.zeros(3)
        y[0] += x
        return np.sum(y)
""", "MutationError", "np.stack, np.concatenate, np.where or an expression")
add(G, "writing to attributes", """
    class Store:
        last = 0.0

    STORE = Store()

    def f(x):
        STORE.last = x
        return x * x
""", "MutationError", "return the value")
add(G, "in-place arithmetic on what may be seen elsewhere", """
    def f(x):
        y = np.exp(x)
        z = y
        y *= 2
        return np.sum(z)
""", "MutationError", "y = y * 2", XS)
add(G, "`out=`", """
    def f(x):
        y = np.empty(3)
        np.exp(x, out=y)
        return np.sum(y)
""", "MutationError", "y = np.exp(x)", XS)
add(G, "functions of NumPy that write into their argument", """
    def f(x):
        y = np.zeros(3)
        np.copyto(y, x)
        return np.sum(y)
""", "MutationError", "y = x.copy()", XS)
add(G, "methods that write into their array", """
    def f(x):
        y = x * x
        y.sort()
        return y[0]
""", "MutationError", "y = np.sort(y)", XS)

# --- arguments --------------------------------------------------------------------------

G = "What is differentiated"
add(G, "an integer", """
    def f(x):
        return x * x
""", "NotDifferentiable", "a float: 3.0", (3,))
add(G, "a boolean", """
    def f(x):
        return x * 2.0
""", "NotDifferentiable", "a float", (True,))
add(G, "a result that is no scalar", """
    def f(x):
        return x * x
""", "NotDifferentiable", "np.sum(x * x), or rg.jacobian", XS)
add(G, "a function without source text", """
    names = {}
    exec("def f(x): return x * x", names)
    f = names["f"]
""", "SourceUnavailable", "a function in a file or a notebook cell")

GROUPS = list(dict.fromkeys(row.group for row in CONSTRUCTS))
