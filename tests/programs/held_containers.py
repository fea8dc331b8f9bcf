"""Programs in which a container is held, changed, and used then: what holds it, what it is, how it changes.

Each defines ``f(a, b)``.  Python reads a container where it is used, whatever holds it meanwhile.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterator

__all__ = ["PRELUDE", "programs"]

PRELUDE = """
import copy
import functools
import numpy as np


class Box:
    def __init__(self, l):
        self.l = l

    def total(self):
        return self.l[0] * 3.0 + self.l[-1] * len(self.l)


class Pair:
    def __init__(self, p, q):
        self.p, self.q = p, q

    def total(self):
        return self.p * 3.0 + self.q


def of_list(c):
    return c[0] * 3.0 + c[-1] * len(c)


def of_dict(c):
    return c["p"] * 3.0 + c["q"] * len(c)


def of_pair(c):
    return c.total()


def same(c):
    return c


def first(c, *rest, **more):
    return c
"""

# what it is: how it is made, its name, what reads it, and what changes it
CONTAINERS = {
    "list": ("c = [a, b]", "c", "of_list", (
        "c.append(a * b)", "c[0] = a * b", "c += [a]", "c.pop()", "c.extend([b * b, a])",
        "c.clear(); c.append(b)", "c.insert(0, b * b)", "c.reverse()", "del c[0]", "c[0] *= b",
    )),
    "dict": ('c = {"p": a, "q": b}', "c", "of_dict", (
        'c["p"] = a * b', 'c["q"] += a', 'c.update(p=b * b)', 'c["r"] = a', 'c["p"] = c.pop("q"); c["q"] = a',
        'c.clear(); c.update(p=b, q=a)',
    )),
    "object": ("c = Pair(a, b)", "c", "of_pair", ("c.p = a * b", "c.q += a * a", "c.p, c.q = c.q, c.p")),
    "array": ("c = np.array([a, b])", "c", "of_list", ("c[0] = a * b", "c += a", "c[:] = b * b", "c *= c[0]")),
    "list in an object": ("o = Box([a, b])", "o.l", "of_list", (
        "o.l.append(a * b)", "o.l[0] = b * b", "o.l = [b, a * a, a]", "o.l.pop()", "o.l += [a]",
    )),
    "list in a list": ("n = [[a, b], a]", "n[0]", "of_list", (
        "n[0].append(a * b)", "n[0][1] = b * b", "n[0] = [b, a * a, a]", "n[0] += [a]",
    )),
    "object with a list": ("c = Box([a, b])", "c", "of_pair", ("c.l.append(a * b)", "c.l = [a * a, b]", "c.l[0] *= a")),
    "tuple that is bound anew": ("c = (a, b)", "c", "of_list", ("c = (b, a * a)", "c += (a * b,)")),
}  # fmt: skip

# where the change is made
PLACES = {
    "here": "{change}",
    "in a loop": "for _ in range(2):\n    {change}",
    "in a long loop": "for _ in range(int(4 * a) + 1):\n    {change}",
    "in a branch": "if a > b:\n    {change}",
    "in an inner function": "def change():\n    {outside}\n    {change}\nchange()",
    "in a loop that calls": "def change():\n    {outside}\n    {change}\nfor _ in range(3):\n    change()",
}

# what holds it, and what is read of it afterwards
HOLDERS = {
    "a name": ("k = {c}", "{total}(k)"),
    "a lambda": ("k = lambda: {total}({c})", "k() * a"),
    "an inner function": ("def k(s):\n    return s * {total}({c})", "k(a)"),
    "a factory's closure": ("k = maker({c})", "k() * a"),
    "a default": ("def k(d={c}):\n    return {total}(d)", "k()"),
    "a partial": ("k = functools.partial({total}, {c})", "k()"),
    "a partial of an inner function": (
        "def g(s):\n    return s * {total}({c})\nk = functools.partial(g, a)",
        "k()",
    ),
    "a tuple": ("k = ({c}, a)", "{total}(k[0]) * k[1]"),
    "a list": ("k = [b, {c}]", "{total}(k[1]) * k[0]"),
    "a dict": ('k = {{"it": {c}}}', '{total}(k["it"])'),
    "an object": ("k = Box({c})", "{total}(k.l)"),
    "a walrus": ("s = {total}(k := {c})", "{total}(k) * s"),
    "a function that gives it back": ("k = same({c})", "{total}(k)"),
    "one of two": ("k = {c} if a > b else {c}", "{total}(k)"),
    "a copy": ("k = {c}.copy", "{total}(k())"),
    "a method": ("k = {c}.total", "k() * b"),
    "a sum": ("k = {c}.sum", "k() * b"),
    "items": ("k = {c}.items", "sum(len(i) * v for i, v in k())"),
    "a generator": ("k = (v * v for v in {c})", "sum(k)"),
    "a map": ("k = map(lambda v: v * v, {c})", "sum(k)"),
    "a list of closures": ("k = [lambda: {total}({c}), lambda: b]", "k[0]() * k[1]()"),
}

# what waits for another operand, whose evaluation changes it
OPERANDS = {
    "an argument": "{total}(first({c}, change()))",
    "a starred argument": "{total}(first(*[{c}], change()))",
    "a keyword": "{total}(first(c={c}, z=change()))",
    "a list": "{total}([{c}, change()][0])",
    "a tuple": "{total}(({c}, change())[0])",
    "a dict": '{total}({{"k": {c}, "z": change()}}["k"])',
    "a subscript": "{c}[change()] * a",
    "a sum": "sum({c} + [b, change()])",
    "a sum with itself": "sum({c} + (change() or {c}))",
    "a product": "sum({c} * (change() + 2))",
    "a comparison": "b if {c} == [change(), a] else {total}({c})",
    "a function that is made": "maker({c})() + maker({c})(*[change()][:0])",
    "a method's argument": "len({c}.copy(*[change()][1:])) * {total}({c})",
    "a comprehension": "sum([{total}(k) for k in [{c} for _ in range(2) if change() == 0]])",
    "a filter": "sum([{total}({c}) * v for v in np.array([a, b, a]) if change() == 0 and v > 0.1])",
    "a filter of a generator": "sum({total}({c}) * v for v in np.array([a, b, a]) if v + change() > b)",
    "an array": "np.sum(np.array([{total}({c}), change(), {total}({c})]) * a)",
    "the longest": "max(({total}(k) for k in ({c}, {c}) if change() == 0), default=a)",
}
TARGETS = {
    "an item": "{c}[change()] = b * b",
    "an item that is added to": "{c}[change()] += b",
    "a list that is added to": "k = {c}\nk += [b, change()]",
    "what is unpacked": "k, {c}[0] = {c}, a * b",
}


def programs() -> Iterator[tuple[str, str]]:
    """The name and the text of every program, without its prelude."""
    for kind, (setup, name, total, changes) in CONTAINERS.items():
        maker = f"def maker(c):\n    def k():\n        return {total}(c)\n    return k\n"
        words = {"c": name, "total": total}
        for change, place, holder in itertools.product(changes, PLACES, HOLDERS):
            hold, use = (t.format(**words) for t in HOLDERS[holder])
            body = [setup, hold, placed(change, place), f"return {use}"]
            yield f"{kind}, {change}, {place}: {holder}", maker + function("f(a, b)", body)
        for change, place in itertools.product(changes, PLACES):
            inner = [declared(change), placed(change, place)]
            put, get = function("put()", inner), function("get(s)", [f"return s * {total}({name})"])
            pair = function("pair(a, b)", [setup, put, get, "return put, get"])
            used = ["put, get = pair(a, b)", "put()", "u = get(a)", "put()", "return u + get(b)"]
            yield f"{kind}, {change}, {place}: a pair of closures", pair + function("f(a, b)", used)
        for change, (word, use) in itertools.product(changes, (OPERANDS | TARGETS).items()):
            made = function("change()", [declared(change), change, "return 0"])
            end = [f"return {use}"] if word in OPERANDS else [use, f"return {total}({name})"]
            body = [setup, made, *(line.format(**words) for line in end)]
            yield f"{kind}, {change}: beside {word}", maker + function("f(a, b)", body)


def placed(change: str, place: str) -> str:
    lines = change.replace("; ", "\n")
    made = PLACES[place]
    for word, text in (("{outside}", declared(change)), ("{change}", lines)):
        at = next((line for line in made.split("\n") if word in line), "")
        made = made.replace(at, textwrap.indent(text, at.partition("{")[0])) if at else made
    return made


def declared(change: str) -> str:
    """What an inner function says of the name that it binds."""
    return "nonlocal c" if change.startswith(("c = ", "c += ", "c *= ")) else "pass"


def function(head: str, body: list[str]) -> str:
    return f"def {head}:\n" + textwrap.indent("\n".join(body), "    ") + "\n"
