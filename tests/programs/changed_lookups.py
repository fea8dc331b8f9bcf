"""Where names and parts of objects are found, and what may stand there later: more modules and changes."""

from __future__ import annotations

from collections.abc import Iterator

from .changed_modules import HEAD, Case

__all__ = ["LOOKUPS"]

# builtin -> (an expression of x with it, what hides it)
BUILTINS = {
    "abs": ("x * abs(-x)", "lambda a: 2.0"),
    "max": ("x * x * max(2.0, 3.0)", "lambda a, b: a"),
    "min": ("x * x * min(2.0, 3.0)", "lambda a, b: b"),
    "len": ("x * x * len((1, 2))", "lambda a: 7"),
    "pow": ("x * pow(x, 3)", "lambda a, b: a"),
    "sum": ("x * sum([x, 2.0])", "lambda a: a[0]"),
    "range": ("sum([x * x for k in range(3)])", "lambda n: [1]"),
    "float": ("x * x * float(3)", "lambda a: 5.0"),
    "int": ("x * x * int(3.5)", "lambda a: 5.0"),
    "round": ("x * x * round(3.7)", "lambda a: 5.0"),
    "bool": ("x * x if bool(3) else x", "lambda a: False"),
    "zip": ("sum([x * a * b for a, b in zip((1.0, 2.0), (3.0, x))])", "lambda a, b: [(1.0, 2.0)]"),
    "enumerate": ("sum([x * x * k for k, a in enumerate((3.0, 4.0))])", "lambda a: [(5, 1.0)]"),
    "reversed": ("sum([x * a for a in reversed((3.0, x))])", "lambda a: [1.0]"),
    "sorted": ("x * x * sorted((3.0, 1.0))[0]", "lambda a: a"),
    "isinstance": ("x * x if isinstance(x, float) else x", "lambda a, b: False"),
    "all": ("x * x if all((True, x > 0)) else x", "lambda a: False"),
    "callable": ("x * x if callable(f) else x", "lambda a: False"),
}


def hidden_builtins() -> Iterator[Case]:
    for name, (expression, other) in BUILTINS.items():
        text = f"{HEAD}def f(x):\n    return {expression}\n"
        yield Case(f"builtin {name}", "global", text, f"{name} = {other}")
        if name == "pow":  # what NumPy and Python do without
            patch = f"import builtins\nbuiltins.{name} = {other}"
            yield Case(f"builtin {name}", "patched", text, patch)


# thing -> (text, {change: statements})
OBJECTS: dict[str, tuple[str, dict[str, str]]] = {
    "builtin in a callee": (
        "def g(x):\n    return x * x * max(2.0, 3.0)\ndef f(x):\n    return g(x)",
        {"global": "def max(a, b):\n    return a"},
    ),
    "builtin in a method": (
        "class C:\n    def g(self, x):\n        return x * x * max(2.0, 3.0)\nc = C()\ndef f(x):\n    return c.g(x)",
        {"global": "def max(a, b):\n    return a"},
    ),
    "builtin behind a global": (
        "def max(a, b):\n    return a\ndef f(x):\n    return x * x * max(2.0, 3.0)",
        {"delete": "del max"},
    ),
    "partial": (
        "def h(x, k, *, j=1.0):\n    return j * k * x * x\np = functools.partial(h, k=2.0)\ndef f(x):\n    return p(x)",
        {
            "keyword": "p.keywords['k'] = 5.0",
            "another_keyword": "p.keywords['j'] = 5.0",
            "state": "p.__setstate__((h, (), {'k': 7.0}, {}))",
            "function": "p.__setstate__((lambda x, k: x * k, (), {'k': 7.0}, {}))",
        },
    ),
    "partial with arguments": (
        "def h(k, x):\n    return k * x * x\np = functools.partial(h, 2.0)\ndef f(x):\n    return p(x)",
        {"state": "p.__setstate__((h, (7.0,), {}, {}))"},
    ),
    "partial of an object": (
        "def h(x, k):\n    return k * x * x\nc = SimpleNamespace(p=functools.partial(h, k=2.0))\n"
        "def f(x):\n    return c.p(x)",
        {"keyword": "c.p.keywords['k'] = 5.0", "rebind": "c.p = functools.partial(h, k=3.0)"},
    ),
    "vectorized function": (
        "v = np.vectorize(lambda x: x * x)\ndef f(x):\n    return np.sum(v(np.array([x, 2.0 * x])))",
        {"function": "v.pyfunc = lambda x: 5.0 * x"},
    ),
    "import in the function": (
        "import stale_other\ndef f(x):\n    from stale_other import K\n    return K * x * x",
        {"rebind": "stale_other.K = 5.0"},
    ),
    "default on the tape": (
        "def f(x, k=2.0):\n    s = {1, 2}\n    return k * x * x",
        {"defaults": "f.__defaults__ = (5.0,)"},
    ),
    "keyword on the tape": (
        "def f(x, *, k=2.0):\n    s = {1, 2}\n    return k * x * x",
        {"entry": "f.__kwdefaults__['k'] = 5.0", "whole": "f.__kwdefaults__ = {'k': 5.0}"},
    ),
    "code on the tape": (
        "def f(x):\n    s = {1, 2}\n    return x * x\ndef g(x):\n    s = {1, 2}\n    return 5.0 * x",
        {"code": "f.__code__ = g.__code__"},
    ),
}  # fmt: skip


def changed_objects() -> Iterator[Case]:
    for name, (text, changes) in OBJECTS.items():
        for change, statements in changes.items():
            yield Case(name, change, f"{HEAD}{text}\n", statements)


LOOKUPS = [*hidden_builtins(), *changed_objects()]
