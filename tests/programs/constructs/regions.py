"""Comprehensions, ``try``, ``with``, ``match`` and names: rows of the table of constructs."""

from .row import XS, add

# --- control flow -----------------------------------------------------------------------

G = "Control flow"
add(
    G,
    "`else` on a loop that has `break`",
    """
    def f(x):
        for k in range(3):
            if x > k:
                break
        else:
            x = 2 * x
        return x * x
""",
)
add(
    G,
    "leaving a loop over a literal container",
    """
    def f(x):
        for k in (1.5, x, 2.0):
            if x > k:
                break
            if k == 2.0:
                return x
            x = x * k
        return x
""",
)
add(
    G,
    "`try`, `except`, `else`, `finally`",
    """
    import math

    def f(x):
        total = 0.0
        for k in range(3):
            try:
                y = math.sqrt(x - k / 2) / k
            except ZeroDivisionError:
                y = x * x
            except ValueError as error:
                print("no root:", error)
                y = x
            else:
                y = 2 * y
            finally:
                print(k)
            total = total + y * x
        return total
""",
)
add(
    G,
    "writing to a container in the last statement of a `try`",
    """
    import math

    def f(x):
        log, best = [], {"value": 0.0, "failures": 0}
        for k in range(3):
            try:
                log.append(math.sqrt(x - k / 2))
            except ValueError:
                best["failures"] += 1
            try:
                best["value"] = math.log(x + k - 1.0) * x
            except ValueError:
                best["value"] = x * k
        return sum(log) * best["value"] * best["failures"]
""",
)
add(
    G,
    "writes to a container before and after what may fail in a `try`",
    """
    import math

    def f(x):
        log = []
        try:
            log.append(math.sqrt(x))
            log.append(math.sqrt(x - 1))
        except ValueError:
            pass
        return sum(log)
""",
)
add(
    G,
    "`return` in a `try`",
    """
    import math

    def f(x):
        try:
            return math.sqrt(x - 1) * x
        except ValueError:
            return x * x
""",
)
add(
    G,
    "a name of a `try` that may have failed before or after binding it",
    """
    import math

    def f(x):
        y = x
        try:
            y = x * x
            z = math.sqrt(y - 1)
            y = y + z
        except ValueError:
            z = x
        return y * z
""",
)
add(
    G,
    "`with np.errstate(...)` in a `try` that may fail inside or after it",
    """
    import math
    import numpy as np

    def f(x):
        y = x
        try:
            with np.errstate(divide="ignore"):
                y = y * x
                y = y + math.sqrt(y - 1)
            y = y * math.sqrt(y - 2)
        except ValueError:
            pass
        return y * x
""",
)
add(
    G,
    "`:=` in the statement of a `try` that may fail after it",
    """
    import math

    def f(x):
        y = x
        try:
            z = math.sqrt((y := x * x) - 1)
        except ValueError:
            z = x
        return y * z
""",
    "UnsupportedSyntax",
    "bind it in a statement of its own",
)
add(
    G,
    "an exception that carries what is differentiated",
    """
    class Done(Exception):
        def __init__(self, value):
            self.value = value

    def f(x):
        try:
            raise Done(x * x)
        except Done as done:
            return done.value * x
""",
    "UnsupportedOperation",
    "bind it to a name before the `raise`",
)
add(
    G,
    "`return` or `break` in a `finally`",
    """
    def f(x):
        for k in range(3):
            try:
                x = x * x
            finally:
                break
        return x
""",
    "UnsupportedSyntax",
    "the statement after the `try`",
)
add(
    G,
    "`with`",
    """
    def f(x):
        with np.errstate(all="ignore"):
            y = np.log(x) * x
        return y * y
""",
)
add(
    G,
    "`with suppress(ValueError)`",
    """
    from contextlib import suppress
    from math import sqrt

    def f(x):
        y = 3.0 * x
        with suppress(ValueError):
            y = sqrt(x - 1.0)
        return x * y
""",
)
add(
    G,
    "`with` a manager of one's own that may swallow exceptions",
    """
    class Forgiving:
        def __enter__(self):
            return self

        def __exit__(self, kind, error, traceback):
            return kind is ValueError

    def f(x):
        with Forgiving():
            x = x * x
        return x
""",
    "UnsupportedSyntax",
    "`try` and `except`, with what happens then",
)
add(
    G,
    "`match`",
    """
    from dataclasses import dataclass

    @dataclass
    class Disc:
        radius: float

    def area(shape, scale):
        match shape:
            case Disc(r) if scale > 10:
                return r
            case Disc(radius=r):
                return np.pi * r * r * scale
            case (a, b, *others):
                return a * b * (1 + len(others))
            case {"side": s}:
                return s * s
            case None | False:
                return 1.0

    def f(x):
        y = 0.0
        for k in range(3):
            match k:
                case 0 | 1:
                    y = y + area(Disc(x), 2.0)
                case n:
                    y = y * n * x
        return y * area((x, x, x), 1) * area({"side": x}, 1) * area(None, 1)
""",
)
add(
    G,
    "`match` of a structure that is not known",
    """
    def parts(x):
        match x:
            case (a, b):
                return a * b
            case _:
                return x

    def f(x):
        return parts(eval("x", {"x": (x, x)}))
""",
    "UnsupportedSyntax",
    "if, elif, else",
)

# --- values and names -------------------------------------------------------------------

G = "Assignments and names"
add(
    G,
    "starred target",
    """
    def f(x):
        first, *rest = x[0], x[1], x[2]
        return first * sum(rest)
""",
    args=XS,
)
add(
    G,
    "starred target for an array",
    """
    def f(x):
        first, *rest = x
        *most, last = rest
        return first * sum(most) + last * len(rest)
""",
    args=XS,
)
add(
    G,
    "assignment expression in a part that may not run",
    """
    def f(x):
        if (y := x * x) > 0.1 and (z := y * x) > 0.1:
            return y * z
        while (x := 2 * x) < 5:
            pass
        return x
""",
)
add(
    G,
    "`global`, `nonlocal`: names that are read",
    """
    RATE = 0.5

    def f(x):
        global RATE
        return RATE * x * x
""",
)
add(
    G,
    "`nonlocal`: names that are bound",
    """
    def f(x):
        total, calls = 0.0, 0

        def add(v):
            nonlocal total, calls
            total += v * v
            calls += 1

        for k in range(3):
            add(x * k)
        return total / calls
""",
)
add(
    G,
    "`global`: names that are bound",
    """
    CALLS = 0

    def f(x):
        global CALLS
        CALLS += 1
        return x * x
""",
    "MutationError",
    "an argument, and one more result",
)
add(
    G,
    "`del` of a name",
    """
    def f(x):
        y = x * x
        z = 2 * y
        del y
        return z
""",
)
add(
    G,
    "`del` of items and slices of lists and dicts",
    """
    def f(x):
        recent = []
        for v in x:
            recent.append(v * v)
            if len(recent) > 2:
                del recent[0]
        recent[1:] = [recent[0], x[1]]
        terms = {"a": recent[0], "b": recent[2]}
        del terms["a"]
        return recent[1] * terms["b"]
""",
    args=XS,
)

# --- expressions ------------------------------------------------------------------------

G = "Expressions"
add(
    G,
    "list comprehension",
    """
    def f(x):
        squares = [v * v for v in x]
        big = np.array([v * x[0] for v in squares if v > 0.5])
        table = np.stack([[a * b for a in x] for b in x])
        return squares[0] * np.sum(big) + np.sum(table * table)
""",
    args=XS,
)
add(
    G,
    "generator expression in sum, min, max, any, all",
    """
    def f(x):
        if any(v > 1 for v in x) and all(v > 0 for v in x):
            return sum(v * w for v in x for w in x) + max(v * v for v in x)
        return min(x)
""",
    args=XS,
)
add(
    G,
    "dict comprehension of known keys",
    """
    def f(x):
        powers = {k: x**k for k in (1, 2)}
        return sum(v * k for k, v in powers.items())
""",
)
add(
    G,
    "dict comprehension of unknown size",
    """
    def f(x):
        table = {k: v * v for k, v in enumerate(x) if v > 0.5}
        pairs = [a * b for a in x for b in x if a < b]
        return table[1] * sum(table.values()) + sum(pairs)
""",
    args=XS,
)
