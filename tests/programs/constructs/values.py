"""Assignments and expressions: rows of the table of constructs."""

from .row import XS, add

# --- values and names -------------------------------------------------------------------

G = "Assignments and names"
add(
    G,
    "assignment, several targets",
    """
    def f(x):
        a = b = x * x
        return a + 2 * b
""",
)
add(
    G,
    "tuple unpacking, swap",
    """
    def f(x):
        a, (b, c) = x, (2 * x, x * x)
        a, b = b, a
        return a * b + c
""",
)
add(
    G,
    "unpacking an array",
    """
    def f(x):
        a, b, c = x
        return a * b * c
""",
    args=XS,
)
add(
    G,
    "augmented assignment of a number",
    """
    def f(x):
        x += 1.0
        x **= 2
        return x
""",
)
add(
    G,
    "augmented assignment of an array made here",
    """
    def f(x):
        y = np.exp(x)
        y += x
        return np.sum(y)
""",
    args=XS,
)
add(
    G,
    "augmented assignment of an argument",
    """
    def f(x):
        x += 1.0
        return np.sum(x * x)
""",
    args=XS,
)
add(
    G,
    "annotated assignment",
    """
    def f(x):
        y: float = x * x
        return y
""",
)
add(
    G,
    "assignment expression",
    """
    def f(x):
        return (y := x * x) + y
""",
)
add(
    G,
    "global numbers and arrays, read",
    """
    RATE = 0.5
    TABLE = np.array([1.0, 2.0])

    def f(x):
        return RATE * x + TABLE[1] * x
""",
)
add(
    G,
    "global tuples of plain values, looped over and taken apart",
    """
    PAIRS = ((0, 1.5), (1, 0.5))

    def f(x):
        y = 0.0
        for k, (power, weight) in enumerate(PAIRS):
            y = y + weight * x ** (power + k)
        return y
""",
)
add(
    G,
    "closures, read",
    """
    def made(k):
        def f(x):
            return k * x * x
        return f

    f = made(3.0)
""",
)
add(
    G,
    "a name that one branch alone binds, read after it: where it is not bound, this raises as Python does",
    """
    def f(x):
        if x > 0.5:
            y, parts = x * x, {"a": x}
        elif x > 0:
            y = x
        if x > 0.2:
            y = y * parts["a"]
        return y
""",
)
add(
    G,
    "a view that one branch alone binds, of an array that is written to before the view is read",
    """
    def f(x):
        y = 2 * x
        if x[0] > 0:
            part = y[1:]
        y[1] = x[0]
        return np.sum(part)
""",
    "UnsupportedSyntax",
    "bind `part` before the `if`, or after the write",
    XS,
)

# --- expressions ------------------------------------------------------------------------

G = "Expressions"
add(
    G,
    "arithmetic, powers, unary minus",
    """
    def f(x):
        return -x ** 3 + 2 * x / (1 + x) - x % 0.5
""",
)
add(
    G,
    "matrix product",
    """
    def f(x):
        return x @ x
""",
    args=XS,
)
add(
    G,
    "comparisons, also chained",
    """
    def f(x):
        return x * x if 0.0 < x < 1.0 else x
""",
)
add(
    G,
    "`and`, `or`, `not`",
    """
    def f(x):
        return x * x if x > 0 and not x > 9 else 2 * x
""",
)
add(
    G,
    "conditional expression",
    """
    def f(x):
        return np.sin(x) if x > 0 else x
""",
)
add(
    G,
    "subscripts: index, slice, ellipsis, None, mask, integer array",
    """
    def f(x):
        picked = x[np.array([0, 0, 2])]
        return x[0] * np.sum(x[1:]) + np.sum(x[x > 0.5]) + np.sum(picked) + np.sum(x[..., None])
""",
    args=XS,
)
add(
    G,
    "methods and attributes of arrays",
    """
    def f(x):
        return x.reshape(3, 1).T.sum() * x.mean() + x.size
""",
    args=XS,
)
add(
    G,
    "f-strings (in what is printed or raised)",
    """
    def f(x):
        assert x > 0, f"{x:.3f} is not positive"
        return x * x
""",
)
add(
    G,
    "lambda",
    """
    def f(x):
        double = lambda v: 2 * v
        return double(x) * double(x)
""",
)
add(
    G,
    "`in`, `is`",
    """
    def f(x):
        mode = "square"
        return x * x if mode in ("square", "cube") and x is not None else x
""",
)
add(
    G,
    "sets: what is in them, and how many",
    """
    def f(x):
        seen, squares = set(), {k * k for k in range(3)}
        for k in (1, 4, 1, 2):
            if k not in seen and k in squares:
                x = x * k + len(seen)
            seen.add(k)
        return x * len(seen)
""",
)
add(
    G,
    "sets: methods and operators",
    """
    def f(x):
        known, asked = {"sin", "exp"}, set(["exp", "exp"])
        known |= {"log"}
        if asked.issubset(known) and {"cos"}.isdisjoint(known):
            x = x * len(known - asked)
        return x * x * (sorted(known) == ["exp", "log", "sin"])
""",
)
add(
    G,
    "a loop over a set of numbers: `set(range(x.ndim)) - {k}`, `{1.5, 40}`",
    """
    def f(x):
        return sum(x * k for k in set(range(1, 4)) - {2})
""",
)
add(
    G,
    "a loop over a set whose order cannot matter",
    """
    def f(x):
        options, total = {"scale": x, "shift": x * x, "unit": 2.0}, 0.0
        for key in set(options) - {"scale", "shift"}:
            options.pop(key)
        for key in options.keys() & {"scale", "shift"}:
            total += options[key] ** 2
        return total
""",
)
add(
    G,
    "a loop over a set whose order matters",
    """
    def f(x):
        for name in {"sin", "exp"}:
            x = np.sin(x) if name == "sin" else np.exp(x)
        return x
""",
    "UnsupportedSyntax",
    'for name in ("sin", "exp"):',
)
add(
    G,
    "a set of literals that is asked for an item",
    """
    def f(x):
        return x * x if "sin" in {"sin", "exp"} else x
""",
)
add(
    G,
    "a conditional expression of two kinds of things",
    """
    def f(x):
        y = x if x > 0 else (x, x)
        return x
""",
    "UnsupportedSyntax",
    "the same containers on both sides",
)
add(
    G,
    "an f-string with a computed format",
    """
    def f(x):
        digits, width = 3, int(10 * x)
        print(f"{x!r:>{width}}, {x * x:{width}.{digits}f}")
        return x * x
""",
)
