"""Rows about calls that carry no derivative."""

from __future__ import annotations

from .row import XS, add

G = "Calls that carry no derivative"
add(
    G,
    "objects of other people's classes, and what they give",
    """
    import configparser

    CONFIG = configparser.ConfigParser()
    CONFIG.read_string("[model]\\nrate = 0.5\\norders = 1 2")

    def f(x):
        y = CONFIG.getfloat("model", "rate") * x
        for order in CONFIG["model"]["orders"].split():
            y = y + x ** int(order)
        return y
""",
)
add(
    G,
    "functions of other people's packages on what is not differentiated",
    """
    import json
    import re

    def f(x):
        p = json.loads('{"a": 1.5, "b": [1, 2]}')
        k = int(re.match("([a-z])([0-9]+)", "a2").group(2))
        return p["a"] * x ** k + p["b"][1] * x
""",
)
add(
    G,
    "a namespace or a function that a call gives",
    """
    def namespace(*arrays):
        kinds = {type(a) for a in arrays}
        return np

    def f(x):
        xp = namespace(x)
        return xp.sin(x) * x
""",
)
add(
    G,
    "a helper that is not compiled, and gets nothing that is differentiated",
    """
    def count(names):
        return len({name.lower() for name in names})

    def f(x):
        return count(("a", "A", "b")) * x * x
""",
)
add(
    G,
    "a loop over what an object gives",
    """
    def weights(n):
        for k in range(n):
            yield 0.5 * k

    def f(x):
        y = 0.0
        for k, w in enumerate(weights(3)):
            y = y + w * x ** k
        return y
""",
)
add(
    G,
    "`np.finfo` and dtypes",
    """
    def f(x):
        tiny = np.finfo(x.dtype).tiny
        return np.sum(np.log(x + tiny) * x) if x.dtype.kind == "f" else 0.0
""",
    args=XS,
)
add(
    G,
    "an array that such a call may keep, written to with what is differentiated",
    """
    KEPT = []

    def keep(a):
        KEPT[:] = [v for v in {0: a}.values()]

    def f(x):
        buffer = np.zeros(2)
        keep(buffer)
        buffer[0] = x
        return buffer[0] * x
""",
    "MutationError",
    "keep(buffer.copy())",
)
