"""Branches, loops and exits: rows of the table of constructs."""

from .row import XS, add

# --- control flow -----------------------------------------------------------------------

G = "Control flow"
add(
    G,
    "a loop over text, and lists of text",
    """
    def f(x):
        log, y = [], x
        for word in "sin", "exp":
            for k, letter in enumerate(word):
                y = y + k * x if letter in "snp" else y * x
            log.append(f"{word}: {y:.2f}")
        assert len(log) == 2, ", ".join(log)
        return y * len(log)
""",
)
add(
    G,
    "`if`, `elif`, `else`",
    """
    def f(x):
        if x > 1:
            y = x * x
        elif x > 0:
            y = np.sin(x)
        else:
            y = -x
        return y
""",
)
add(
    G,
    "`for` over a range",
    """
    def f(x):
        y = 0.0
        for k in range(1, 4):
            y = x * y + k
        return y
""",
)
add(
    G,
    "`for` over an array",
    """
    def f(x):
        y = 1.0
        for v in x:
            y = np.tanh(y * v)
        return y
""",
    args=XS,
)
add(
    G,
    "`for` over zip, enumerate, reversed",
    """
    def f(x):
        y = 0.0
        for k, (a, b) in enumerate(zip(x, reversed(x))):
            y = y * a + k * b
        return y
""",
    args=XS,
)
add(
    G,
    "`for` over a list that is written to meanwhile",
    """
    def f(x):
        items = [x, x * x, 1.0]
        for k, v in enumerate(items):
            items[k] = v * items[k - 1]
        return sum(items)
""",
)
add(
    G,
    "`for` over a list that grows meanwhile",
    """
    def f(x):
        items = [x]
        for v in items:
            if len(items) < 3:
                items.append(v * x)
        return sum(items)
""",
    "MutationError",
    "for v in list(items):",
)
add(
    G,
    "iterators that are kept and gone over again",
    """
    def f(x):
        rows = zip([x, 2.0], [x, x])
        total = sum(a * b for a, b in rows)
        return total + sum(a * b for a, b in rows)
""",
    "UnsupportedSyntax",
    "rows = list(zip([x, 2.0], [x, x]))",
)
add(
    G,
    "`for` over a tuple, list or dict",
    """
    def f(x):
        weights = {"one": 1.0, "two": 2.0}
        y = 0.0
        for name, weight in weights.items():
            y += weight * x ** len(name)
        return y
""",
)
add(
    G,
    "`while`",
    """
    def f(x):
        y = x
        while abs(y * y - x) > 1e-12:
            y = (y + x / y) / 2
        return y
""",
)
add(
    G,
    "`while True`",
    """
    def f(x):
        y = x
        while True:
            better = (y + x / y) / 2
            if abs(better - y) < 1e-9:
                break
            y = better
        return y
""",
)
add(
    G,
    "`while True`, left by `return`",
    """
    def f(x):
        y = x
        while True:
            better = (y + x / y) / 2
            if abs(better - y) < 1e-9:
                return better
            y = better
""",
)
add(
    G,
    "`while` with `else`, without `break`",
    """
    def f(x):
        y = x
        while y < 10:
            y = y * 2
        else:
            y = y * x
        return y
""",
)
add(
    G,
    "nested loops",
    """
    def f(x):
        y = x
        for i in range(2):
            for j in range(i + 1):
                y = np.sin(y) + x * j
        return y
""",
)
add(
    G,
    "`break`",
    """
    def f(x):
        y = 1.0
        for k in range(100):
            y = y * x
            if y < 0.1:
                break
        return y
""",
)
add(
    G,
    "`continue`",
    """
    def f(x):
        y = 0.0
        for k in range(5):
            if k % 2 == 0:
                continue
            y += x**k
        return y
""",
)
add(
    G,
    "early `return`",
    """
    def f(x):
        if x < 0:
            return -x
        return x * x
""",
)
add(
    G,
    "`return` in a loop",
    """
    def f(x):
        y = x
        for k in range(100):
            y = y * x
            if y < 0.1:
                return y * k
        return y
""",
)
add(
    G,
    "`return` in a loop, of what the loop writes to",
    """
    def swept(x):
        y, steps = [x, x * x], []
        for k in range(20):
            y[0] = 0.5 * (y[0] + y[1])
            steps.append(y[0])
            if abs(y[0] - y[1]) < 0.01:
                return y, steps
        return y, steps

    def f(x):
        y, steps = swept(x)
        return y[0] * len(steps) + steps[0]
""",
)
add(
    G,
    "a name that holds None or a container",
    """
    def f(x):
        best = None
        for k in range(3):
            y = (x - k) ** 2
            if best is None or y < best[0]:
                best = (y, k)
        y, k = best
        return y * (k + 1)
""",
)
add(
    G,
    "`assert`, `raise`, `print`",
    """
    def f(x):
        assert x > 0
        if x > 100:
            raise ValueError("too large")
        if x > 10:
            print("large:", x)
        return x * x
""",
)
add(
    G,
    "a loop that changes the structure of a value",
    """
    def f(x):
        y = (x,)
        for k in range(30):
            y = (y, x)
        return x
""",
    "UnsupportedSyntax",
    "an array, or containers of one structure",
)
add(
    G,
    "`async`, `await`",
    """
    async def f(x):
        return x * x
""",
    "SourceUnavailable",
    "a plain function",
)
add(
    G,
    "a generator function",
    """
    def squares(x):
        for k in range(3):
            yield k * x * x

    def f(x):
        return sum(squares(x)) + max(squares(x))
""",
)
add(
    G,
    "a loop over a generator that may be left before its end",
    """
    def squares(x):
        for k in range(3):
            yield k * x * x

    def f(x):
        s = 0.0
        for v in squares(x):
            if v > 0.5:
                break
            s = s + v
        return s
""",
    "UnsupportedSyntax",
    "a list of what it yields: `list(squares(x))`",
)
add(
    G,
    "`yield` in the function itself",
    """
    def f(x):
        yield x * x
""",
    "UnsupportedSyntax",
    "return the values",
)
add(
    G,
    "a loop with snapshots",
    """
    import retrograd as rg

    def f(x):
        for i in rg.checkpointed(range(9), snapshots=3):
            x = np.sin(x) + 0.1 * i
        while rg.checkpointed(x < 4.0, snapshots=2):
            x = x * (1.1 + x * x)
        return x
""",
)

# --- what is known before the function runs -----------------------------------------------

G = "What is known at the call"
add(
    G,
    "branches by the kind of an argument: `isinstance`, `type`, `hasattr`, `callable`, `np.ndim`, dtypes",
    """
    from collections.abc import KeysView, Mapping

    def f(x):
        if isinstance(x, (KeysView, Mapping)) or callable(x):
            x = list(x)
        pair = (x, x * x) if np.ndim(x) == 0 and not hasattr(x, "units") else x
        return pair[1] * (1 + np.finfo(float).eps)
""",
)
add(
    G,
    "branches by a text, a flag, a whole number or a member of an enumeration",
    """
    TERMS = {"sin": np.sin, "square": lambda v: v * v}

    def f(x, kind="Square", order=2, both=True):
        term = TERMS[kind.lower()]
        y = (x, term(x)) if order == 2 else x
        return y[1] if both and kind.startswith("S") else y
""",
)
add(
    G,
    "branches by a flag of the module",
    """
    PAIR = True

    def f(x):
        y = (x, x * x) if PAIR else x
        return y[1] if PAIR else y
""",
)
