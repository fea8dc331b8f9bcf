"""Closures, bound methods, operands, filters and ``next``: each sees what is there when it is used."""

from __future__ import annotations

import pytest

from .test_held import verdict

pytestmark = pytest.mark.usefixtures("unchecked")
CELL = """
def cell(start):
    n, l, b = start, [], Box([start])
    def put(v):
        nonlocal n
        n = v
        l.append(v)
        b.l.append(2.0 * v)
    def get():
        return n + sum(l) * sum(b.l)
    return {given}
"""
INNER = """
def f(a, b):
    l, d = [a, b], {{"p": a, "q": b}}
    def more():
        l.append(a * b)
        d["q"] = d["q"] * a
        return {result}
    {end}
"""
LONG = """
def f(a, b):
    x = np.array([a, b, a * b])
    {body}
"""


def with_cell(given: str, *body: str) -> str:
    return CELL.format(given=given) + "def f(a, b):\n    " + "\n    ".join(body) + "\n"


def beside(result: str, end: str) -> str:
    return INNER.format(result=result, end=end)


def over(body: str) -> str:
    return LONG.format(body=body)


RIGHT = {
    "two closures": with_cell("put, get", "put, get = cell(a)", "put(a * b)", "return get() * a"),
    "closures in a dict": with_cell('{"put": put, "get": get}', "c = cell(a)", 'c["put"](b)', 'return c["get"]()'),
    "a closure and what it changes": with_cell("put, l", "put, l = cell(a)", "put(a)", "put(b)", "return l[0] * l[1]"),
    "two of one factory": with_cell(
        "put, get", "p, g = cell(a)", "q, h = cell(b)", "p(b)", "q(a * b)", "return g() * h()",
    ),
    "closures in a loop": with_cell(
        "put, get", "put, get = cell(a)", "for v in np.array([a, b, a]): put(get() * v)", "return get()",
    ),
    "closures handed on": (
        with_cell("put, get", "put, get = cell(a)", "twice(put, b)", "return get()")
        + "def twice(g, v):\n    g(v)\n    g(v * v)\n"
    ),
    "a partial, and a name bound anew": (
        "def f(a, b):\n    n = a\n    def g(k): return k * n\n    p = functools.partial(g, b)\n    n = a * a\n    return p()\n"
    ),
    "append": over("out = []; add = out.append; add(a); add(b); return sum(out) * a"),
    "append in a loop": over("out = []; add = out.append\n    for v in x: add(v * v)\n    return sum(out) * a"),
    "append in a branch": over(
        "out = []; add = out.append\n    for v in x:\n        if v > b: add(v * v)\n    return sum(out) * a"
    ),
    "pop": over("l = [a, b, a * b]; pop = l.pop; return pop() - pop() * a"),
    "pop of a display": over("pop = [a, b].pop; return pop() + 2.0 * pop()"),
    "insert of a partial": over("l = [a]; put = functools.partial(l.insert, 0); put(b); put(a * b); return of_list(l)"),
    "append of an attribute": over("o = Box([]); add = o.l.append; add(a); add(b); return sum(o.l) * a"),
    "a method given to an inner function": over(
        "l = []\n    def twice(g, v):\n        g(v); g(v * v)\n    twice(l.append, a); return of_list(l)"
    ),
    "a method given to a function": (
        "def twice(g, v):\n    g(v)\n    g(v * v)\ndef f(a, b):\n    l = []\n    twice(l.append, a)\n    return of_list(l)\n"
    ),
    "a method that is returned": (
        "def of(l):\n    return l.append\ndef f(a, b):\n    l = []\n    add = of(l)\n    add(a)\n    add(b)\n    return of_list(l)\n"
    ),
    "items of a dict that grows": over(
        'd = {"p": a}; it = d.items; d["q"] = b; t = 0.0\n    for k, v in it(): t = t + v * v\n    return t'
    ),
    "a sum of lists": beside("l", "return sum(l + more())"),
    "a list that is added to": beside("[b]", "l += more(); return of_list(l)"),
    "an entry that is added to": beside('"p"', 'd[more()] += 1.0; return d["p"] * d["q"]'),
    "an item that is added to": beside("0", "l[more()] += b; return of_list(l)"),
    "an item that is there by now": beside("2", "return l[more()] * b"),
    "an item that is written": beside("0", "l[more()] = b * b; return of_list(l)"),
    "a list display": beside("l", "return sum(sum(t) for t in [l, more()])"),
    "an argument": beside("b", "return of_list(first(l, more()))"),
    "a walrus in a filter": over("return sum([y for v in x if (y := 2 * v) > 0.9])"),
    "a walrus in a generator": over("return sum(y for v in x if (y := 2 * v) > 0.9)"),
    "two walruses": over("return sum([y * z for v in x if (y := 2 * v) > 0.9 if (z := v * v) > 0.2])"),
    "a walrus that is read afterwards": over("s = [z for k in range(4) if (z := a * k) > 0.5]; return sum(s) + z"),
    "nested filters": over("return sum([sum([w * u for w in x if (u := w * v) > 0.28]) for v in x])"),
    "a filter with state": over(
        "l = []\n    def new(v):\n        l.append(v); return len(l) < 3\n    return sum([v * v for v in x if new(v)])"
    ),
    "a filter of what is collected": over(
        "l = []\n    def put(v):\n        l.append(v); return v * b\n    return sum([put(v) for v in x if sum(l) < 0.9])"
    ),
    "a filter known for some": over("return sum([k * a for k in range(4) if k == 1 or a * k > 2])"),
    "next with a default": over("return next((v * v for v in x if v < 0.6), 0.0) * a"),
    "next of nothing": over("return next((v * v for v in x if v > 2.0), b) * a"),
    "next of two loops": over("return next((v * w for v in x for w in x if v < w), 0.0) * a"),
    "next of known items": over("return next(v * v for v in (a, b))"),
    "next stops": over("l = []\n    def put(v):\n        l.append(v); return v\n    return next(put(v) for v in (a, b)) + sum(l)"),
    "next of an empty list": over("return next(iter([]), b) * a"),
    "a function that is kept, in each iteration": over(
        "s = 0.0\n    for v in x:\n        n = v * v\n        h = same(lambda t: t * n)\n        s = s + h(b)\n    return s"
    ),
    "a function that is kept, with a default": (
        "def of(g, h): return lambda t: g(h(t))\ndef f(a, b):\n    h = lambda t: t\n"
        "    for n in (a, b): h = of(lambda t, n=n: t * n, h)\n    return h(a)\n"
    ),
    "a copy of a method": over("l = [a]; copy.deepcopy(l.append)(b); return of_list(l)"),
    "append of a map": over("out = []; list(map(out.append, (a, b))); return of_list(out)"),
    "deep recursion": (
        "def tree(t): return t[0] * t[0] + tree(t[1]) if isinstance(t, tuple) else t\n"
        f"def f(a, b): return tree({'(a, ' * 20}b{')' * 20})\n"
    ),
}  # fmt: skip
REFUSED = {
    "a method of one of two": (
        over("l = [a]; m = [b]; add = l.append if a > b else m.append; add(a); return of_list(l) + of_list(m)"),
        "one of several containers",
    ),
    "a function that was kept, of a name bound anew": (
        "def f(a, b):\n    n = a\n    g = same(lambda: n)\n    n = b\n    return g()\n", "is bound anew after a call kept",
    ),
    "a function that an object keeps": (
        "def put(o, g): o.l = g\ndef f(a, b):\n    o, n = Box(a), a\n    put(o, lambda: n)\n    n = b\n    return o.l()\n",
        "is bound anew after a call kept",
    ),
    "a function that is returned": (
        "def of(a, b):\n    n = a\n    g = same(lambda: n)\n    n = b\n    return g\ndef f(a, b): return of(a, b)()\n",
        "is bound anew after a call kept",
    ),
    "functions of functions in a loop": (
        "def of(g, h): return lambda t: g(h(t))\ndef f(a, b):\n    h = lambda t: t\n"
        "    for n in (a, b): h = of(lambda t: t * n, h)\n    return h(a)\n",
        "is bound anew after a call kept",
    ),
    "another function in each iteration": (
        over("g = lambda t: t\n    for v in x: g = lambda t: t * v\n    return g(a)"), "another function, or iterator",
    ),
    "the class of a method": (over("l = [a]; add = l.append; return a if isinstance(add, list) else b"), "cannot be used"),
    "next that may be nothing": (over("return next(v * v for v in x)"), "may give nothing"),
    "next of a map": (over("return next(map(lambda v: v * v, x))"), "`next` of an iterator"),
    "next of what was computed at once": (over("return next(iter(map(lambda v: v * v, (a, b))))"), "`next` of an iterator"),
    "a recursion that appends": (
        over(
            "l = []\n    def walk(t, n):\n        l.append(t)\n        return t if n == 0 else walk(t * a, n - 1) + t\n"
            "    return walk(a, int(4 * a)) + sum(l)"
        ),
        "arguments of another kind",
    ),
    "a recursion of two, around what they are given": (
        "def even(h, t, n): return t if n == 0 else odd([h], t * t, n - 1)\n"
        "def odd(h, t, n): return t if n == 0 else even([h], t * t, n - 1) + even(h, t, n - 1)\n"
        "def f(a, b): return even([], a, int(4 * a))\n",
        "arguments of another kind",
    ),
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", RIGHT)
def test_right(name: str) -> None:
    assert verdict(RIGHT[name]) == "right"


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, reason = REFUSED[name]
    found = verdict(text)
    assert found.startswith("refused"), found
    assert reason in found
