"""What a function can depend on, and every way in which that can change, as a table of small modules.

A case is the text of a module with a function ``f`` of one number, and the statements that change it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["CASES", "Case"]


class Case(NamedTuple):
    """A module and a change; ``f(1.5)`` and its derivative are others afterwards."""

    thing: str
    change: str
    text: str
    statements: str

    @property
    def name(self) -> str:
        return f"{self.thing}: {self.change}"


HEAD = """import dataclasses, enum, functools
from types import SimpleNamespace
import numpy as np
import retrograd as rg
"""
SQUARE = "lambda x: x * x"

# thing -> (text, {change: statements})
THINGS: dict[str, tuple[str, dict[str, str]]] = {}


def thing(name: str, text: str, **changes: str) -> None:
    THINGS[name] = (text, {k.replace("_", " "): v for k, v in changes.items()})


# -- values ------------------------------------------------------------------------------------

thing(
    "global number",
    "K = 2.0\ndef f(x):\n    return K * x * x",
    rebind="K = 3.0", other_kind="K = 3", array="K = np.array(3.0)", delete="del K",
)  # fmt: skip
thing(
    "global array",
    "K = np.array([1.0, 2.0])\ndef f(x):\n    return np.sum(K * x * x)",
    rebind="K = np.array([1.0, 3.0])",
    in_place="K[1] = 5.0",
    size="K = np.ones(3)",
    rank="K = np.ones((2, 2))",
    reshaped_in_place="import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n    K.shape = (2, 1)\nK[1] = 7.0",
)
thing(
    "global flag",
    "FLAG = True\ndef f(x):\n    if FLAG:\n        return x * x\n    return 5.0 * x",
    rebind="FLAG = False", number="FLAG = 0",
)  # fmt: skip
thing(
    "global text",
    "KIND = 'square'\ndef f(x):\n    return x * x if KIND == 'square' else 5.0 * x",
    rebind="KIND = 'line'",
)
thing(
    "closure cell",
    "def make():\n    k = 2.0\n    def f(x):\n        return k * x * x\n    def change(v):\n        nonlocal k\n"
    "        k = v\n    def drop():\n        nonlocal k\n        del k\n    return f, change, drop\nf, change, drop = make()",
    rebind="change(3.0)", other_kind="change(3)", array="change(np.array(3.0))", delete="drop()",
    contents="f.__closure__[0].cell_contents = 4.0",
)  # fmt: skip
thing(
    "closure function",
    "def make():\n    def g(x):\n        return x * x\n    def f(x):\n        return g(x) + x\n    def change(v):\n"
    "        nonlocal g\n        g = v\n    return f, change, g\nf, change, g = make()",
    rebind=f"change({SQUARE[:-5]}x * x * x)",
    code="g.__code__ = (lambda x: 7.0 * x).__code__",
)
thing(
    "default",
    "def f(x, k=2.0):\n    return k * x * x",
    defaults="f.__defaults__ = (3.0,)",
    other_kind="f.__defaults__ = (3,)",
    code="def new(x, k=2.0): return k * x\nf.__code__ = new.__code__",
    code_and_defaults="def new(x, k): return k * x\nf.__code__ = new.__code__\nf.__defaults__ = (5.0,)",
)
thing(
    "whole default",
    "def f(x, k=2):\n    return k * x ** k",
    defaults="f.__defaults__ = (3,)",
)
thing(
    "list default",
    "def f(x, k=[2.0]):\n    return k[0] * x * x",
    defaults="f.__defaults__ = ([3.0],)",
    in_place="f.__defaults__[0][0] = 3.0",
)
thing(
    "keyword default",
    "def f(x, *, k=2.0):\n    return k * x * x",
    kwdefaults="f.__kwdefaults__ = {'k': 3.0}",
    in_place="f.__kwdefaults__['k'] = 3.0",
)
thing(
    "the function",
    "def f(x):\n    return x * x",
    code="f.__code__ = (lambda x: x * x * x).__code__",
    code_of_a_def="def new(x):\n    y = x * x\n    return y * 5.0\nf.__code__ = new.__code__",
    more_parameters="def new(x, k=3.0): return k * x\nf.__code__ = new.__code__\nf.__defaults__ = (3.0,)",
)

# -- functions that are called -------------------------------------------------------------------

thing(
    "callee",
    "def g(x):\n    return x * x\ndef f(x):\n    return g(x) + x",
    rebind="g = lambda x: x * x * x",
    numpy="g = np.sin",
    code="g.__code__ = (lambda x: 7.0 * x).__code__",
    delete="del g",
)
thing(
    "callee of a callee",
    "def h(x):\n    return x * x\ndef g(x):\n    return h(x) * x\ndef f(x):\n    return g(x) + x",
    rebind="h = lambda x: 3.0 * x",
    code="h.__code__ = (lambda x: 7.0 * x).__code__",
)
thing(
    "callee with a default",
    "def g(x, k=2.0):\n    return k * x * x\ndef f(x):\n    return g(x) + x",
    defaults="g.__defaults__ = (3.0,)",
    code="def new(x, k=2.0): return k * x\ng.__code__ = new.__code__",
)
thing(
    "callee with a keyword default",
    "def g(x, *, k=2.0):\n    return k * x * x\ndef f(x):\n    return g(x) + x",
    kwdefaults="g.__kwdefaults__ = {'k': 3.0}",
    in_place="g.__kwdefaults__['k'] = 3.0",
)
thing(
    "decorated callee",
    "@rg.differentiate\ndef g(x):\n    return x * x\ndef f(x):\n    return g(x) + x",
    rebind="g = rg.differentiate(lambda x: x * x * x)",
    code="g.fn.__code__ = (lambda x: 7.0 * x).__code__",
)
thing(
    "wrapped callee",
    "def twice(g):\n    @functools.wraps(g)\n    def inner(x):\n        return 2.0 * g(x)\n    return inner\n"
    "@twice\ndef g(x):\n    return x * x\ndef f(x):\n    return g(x) + x",
    rebind="g = twice(lambda x: x * x * x)",
    code_of_the_inner="g.__wrapped__.__code__ = (lambda x: 7.0 * x).__code__",
    cell="g.__closure__[0].cell_contents = lambda x: 5.0 * x",
)
thing(
    "partial",
    "def h(k, x):\n    return k * x * x\ng = functools.partial(h, 2.0)\ndef f(x):\n    return g(x) + x",
    rebind="g = functools.partial(h, 3.0)",
    code="h.__code__ = (lambda k, x: k * x).__code__",
)
thing(
    "lambda in a dict",
    "G = {'a': lambda x: x * x}\ndef f(x):\n    return G['a'](x) + x",
    entry="G['a'] = lambda x: x * x * x",
    rebind="G = {'a': lambda x: 5.0 * x}",
    code="G['a'].__code__ = (lambda x: 7.0 * x).__code__",
    delete="del G['a']",
)
thing(
    "lambdas in a list",
    "G = [lambda x: x * x, lambda x: 3.0 * x]\ndef f(x):\n    for g in G:\n        x = g(x)\n    return x",
    append="G.append(lambda x: x * x)",
    entry="G[0] = lambda x: x * x * x",
    delete="del G[1]",
    swap="G.reverse()\nG[0] = lambda x: x + 1.0",
)
thing(
    "numpy function",
    "from numpy import sin as g\ndef f(x):\n    return g(x)",
    rebind="g = np.cos",
)
thing(
    "numpy function through a module of the user's",
    "tools = SimpleNamespace(act=np.sin)\ndef f(x):\n    return tools.act(x)",
    rebind="tools.act = np.exp",
)
thing(
    "custom gradient",
    "@rg.custom_gradient\ndef g(x):\n    return x * x\n@g.vjp\ndef pull(c, z, x):\n    return c * 2.0 * x\n"
    "def f(x):\n    return g(x) + x",
    rule="@g.vjp\ndef pull(c, z, x):\n    return c * 2.0 * x + 0.0 * c\ng.__code__ = (lambda x: 5.0 * x).__code__\n"
    "@g.vjp\ndef pull(c, z, x):\n    return 5.0 * c",
)

# -- modules -----------------------------------------------------------------------------------------

thing(
    "module attribute",
    "import stale_other\nstale_other.K = 2.0\nstale_other.g = lambda x: x * x\n"
    "def f(x):\n    return stale_other.K * stale_other.g(x)",
    number="stale_other.K = 3.0",
    function="stale_other.g = lambda x: x * x * x",
    code="stale_other.g.__code__ = (lambda x: 7.0 * x).__code__",
)
thing(
    "numpy's own module",
    "def f(x):\n    return np.tanh(x)",
    monkeypatch="OLD = np.tanh\nnp.tanh = np.sin",
)

# -- objects ---------------------------------------------------------------------------------------------

METHODS = """class Base:
    K = 2.0
    def m(self, x):
        return x * x
    @property
    def p(self):
        return self.a * 2.0
    @staticmethod
    def s(x):
        return 2.0 * x * x
    @classmethod
    def c(cls, x):
        return cls.K * x * x
    def __call__(self, x):
        return self.a * x * x
    def __add__(self, x):
        return self.a + x * x
class Net(Base):
    def __init__(self, a):
        self.a = a
class Other:
    K = 7.0
    def __init__(self, a):
        self.a = a
    def m(self, x):
        return 5.0 * x
    @property
    def p(self):
        return self.a * 5.0
    @staticmethod
    def s(x):
        return 5.0 * x
    @classmethod
    def c(cls, x):
        return cls.K * x
    def __call__(self, x):
        return 5.0 * x
    def __add__(self, x):
        return 5.0 * x
"""
USES = {"m": "n.m(x)", "p": "n.p * x * x", "s": "n.s(x)", "c": "n.c(x)", "call": "n(x)", "add": "n + x", "K": "n.K * x * x",
        "super": "n.m(x)"}  # fmt: skip
OWNERS = {"made": ("", "    n = Net(1.5)\n"), "global": ("N = Net(1.5)\n", "    n = N\n"),
          "in an object": ("H = SimpleNamespace(n=Net(1.5))\n", "    n = H.n\n"),
          "in a dict": ("H = {'n': Net(1.5)}\n", "    n = H['n']\n")}  # fmt: skip
NEW = {"m": "lambda self, x: 5.0 * x", "p": "property(lambda self: 7.0)", "s": "staticmethod(lambda x: 5.0 * x)",
       "c": "classmethod(lambda cls, x: 5.0 * x)", "call": "lambda self, x: 5.0 * x", "add": "lambda self, x: 5.0 * x",
       "K": "7.0", "super": "lambda self, x: 5.0 * x"}  # fmt: skip
ATTR = {"call": "__call__", "add": "__add__", "super": "m"}
CODE = {"m": "Base.m", "p": "Base.p.fget", "s": "Base.s", "c": "Base.c.__func__", "call": "Base.__call__",
        "add": "Base.__add__", "super": "Base.m"}  # fmt: skip
SUPER = METHODS.replace(
    "self.a = a\nclass Other",
    "self.a = a\n    def m(self, x):\n        return super().m(x)\nclass Other",
)


def objects() -> Iterator[tuple[str, str, dict[str, str]]]:
    for use, expression in USES.items():
        attr, new = ATTR.get(use, use), NEW[use]
        for owner, (before, first) in OWNERS.items():
            text = f"{SUPER if use == 'super' else METHODS}{before}def f(x):\n{first}    return {expression} + x\n"
            changes = {
                "setattr on the base": f"Base.{attr} = {new}",
                "del on the base": f"del Base.{attr}",
            }
            if use != "super":
                changes["setattr on the class"] = f"Net.{attr} = {new}"
            changes["other bases"] = "Net.__bases__ = (Other,)"
            if use in CODE:
                arity = {"p": "self", "s": "x"}.get(use, "self, x")
                body = "7.0" if use == "p" else "9.0 * x"
                changes["code"] = (
                    f"def new({arity}): return {body}\n{CODE[use]}.__code__ = new.__code__"
                )
            if owner == "global":
                changes["class of the object"] = "N.__class__ = Other"
                changes["attribute"] = (
                    "N.a = 4.0; Base.K = 8.0; Base.m = lambda self, x: self.a * x"
                )
            if owner == "global" and use in "msc":
                changes["attribute of the object"] = f"N.{attr} = lambda x: 8.0 * x"
            if owner == "made":
                changes["init"] = (
                    f"Net.__init__ = lambda self, a: setattr(self, 'a', 4.0 * a)\nBase.{attr} = {new}"
                )
            yield f"{use} of an object {owner}", text, changes


for _name, _text, _changes in objects():
    THINGS[_name] = _text, _changes

thing(
    "init of an object made",
    METHODS + "def f(x):\n    return Net(x).a * x\n",
    replaced="def new(self, a):\n    self.a = 3.0 * a\nNet.__init__ = new",
    code="def new(self, a):\n    self.a = 3.0 * a\nNet.__init__.__code__ = new.__code__",
    rebind="Net = Other\nOther.__init__ = lambda self, a: setattr(self, 'a', a * a)",
)
thing(
    "operator that was not there",
    "class V:\n    def __init__(self, a):\n        self.a = a\n    def __add__(self, b):\n        return self.a + b\n"
    "def f(x):\n    v = V(x)\n    w = V(2.0)\n    return (v + w.a) * x",
    mirrored="V.__mul__ = lambda self, b: b",
    added="V.__add__ = lambda self, b: 3.0 * self.a",
)
thing(
    "attribute of a global object",
    "cfg = SimpleNamespace(k=2.0, g=np.sin)\ndef f(x):\n    return cfg.k * x * cfg.g(x)",
    number="cfg.k = 3.0", other_kind="cfg.k = 3", function="cfg.g = np.exp", rebind="cfg = SimpleNamespace(k=4.0, g=np.cos)",
    delete="del cfg.k",
)  # fmt: skip
thing(
    "attribute of an attribute",
    "cfg = SimpleNamespace(inner=SimpleNamespace(k=2.0))\ndef f(x):\n    return cfg.inner.k * x * x",
    number="cfg.inner.k = 3.0",
    rebind="cfg.inner = SimpleNamespace(k=5.0)",
)
thing(
    "class attribute",
    "class C:\n    K = 2.0\n    def g(x):\n        return x * x\nclass D(C):\n    pass\ndef f(x):\n    return D.K * D.g(x)",
    base="C.K = 3.0", own="D.K = 4.0", function="C.g = lambda x: x * x * x",
    code="C.g.__code__ = (lambda x: 7.0 * x).__code__",
)  # fmt: skip
thing(
    "dataclass",
    "@dataclasses.dataclass\nclass P:\n    a: float\n    k: float = 2.0\ndef f(x):\n    return P(x).k * P(x).a * x",
    defaults="P.__init__.__defaults__ = (3.0,)",
    init="P.__init__ = lambda self, a: (setattr(self, 'a', a), setattr(self, 'k', 5.0)) and None",
    class_value="P.k = 5.0",
)
thing(
    "post init",
    "@dataclasses.dataclass\nclass P:\n    a: float\n    def __post_init__(self):\n        self.b = self.a * 2.0\n"
    "def f(x):\n    return P(x).b * x",
    replaced="def new(self):\n    self.b = self.a * 5.0\nP.__post_init__ = new",
    code="def new(self):\n    self.b = self.a * 5.0\nP.__post_init__.__code__ = new.__code__",
)
thing(
    "named tuple",
    "from collections import namedtuple\nP = namedtuple('P', 'a k', defaults=(2.0,))\ndef f(x):\n    return P(x).k * P(x).a * x",
    rebind="P = namedtuple('P', 'a k', defaults=(3.0,))",
    defaults="P.__new__.__defaults__ = (3.0,)",
)
thing(
    "enum",
    "class E(enum.Enum):\n    A = 2.0\nclass F(enum.Enum):\n    A = 5.0\ndef f(x):\n    return E.A.value * x * x",
    rebind="E = F",
    value="E.A._value_ = 3.0",
)
thing(
    "list of numbers",
    "W = [2.0, 3.0]\ndef f(x):\n    return W[0] * x + W[1] * x * x",
    entry="W[1] = 5.0", rebind="W = [4.0, 5.0]", kind="W[1] = np.array(7.0)", append="W.append(1.0); W[0] = 9.0",
)  # fmt: skip
thing(
    "dict of numbers",
    "W = {'a': 2.0}\ndef f(x):\n    return W['a'] * x * x",
    entry="W['a'] = 5.0", rebind="W = {'a': 4.0}", delete="del W['a']",
)  # fmt: skip
thing(
    "loop over a dict",
    "W = {'a': 2.0, 'b': 3.0}\ndef f(x):\n    s = 0.0\n    for k, w in W.items():\n        s = s + w * x * x\n    return s",
    entry="W['a'] = 5.0",
    more="W['c'] = 5.0",
    exchanged="del W['b']; W['c'] = 9.0",
)
thing(
    "argument's method",
    METHODS + "N = Net(2.0)\ndef f(x, n=N):\n    return n.m(x) + x",
    setattr="Base.m = lambda self, x: 5.0 * x",
    override="Net.m = lambda self, x: 5.0 * x",
    code="def new(self, x): return 9.0 * x\nBase.m.__code__ = new.__code__",
    on_the_object="N.m = lambda x: 8.0 * x",
    class_of_the_object="N.__class__ = Other",
    bases="Net.__bases__ = (Other,)",
)
thing(
    "argument's property and class value",
    METHODS + "N = Net(2.0)\ndef f(x, n=N):\n    return n.p * n.K * x * x",
    setattr="Base.p = property(lambda self: 5.0)",
    value="Base.K = 9.0",
    override="Net.K = 9.0",
    on_the_object="N.K = 4.0",
)
thing(
    "reloaded module",
    "import stale_reloaded\ndef f(x):\n    return stale_reloaded.g(x) * stale_reloaded.K",
    reload="import importlib, pathlib, os\np = pathlib.Path(stale_reloaded.__file__)\n"
    "p.write_text('K = 5.0\\ndef g(x):\\n    return x * x * x\\n')\nos.utime(p, (1, 2))\nimportlib.reload(stale_reloaded)",
)

# -- bound methods, methods of library objects, other containers, what arrays lie in ------------------

NET = "class Net:\n    def __init__(self, k):\n        self.k = k\n    def m(self, x):\n        return self.k * x * x\n    __call__ = m\n"
thing(
    "bound method",
    NET + "net = Net(2.0)\ng = net.m\ndef f(x):\n    return g(x) + x",
    rebind="g = Net(3.0).m", attribute="net.k = 5.0", attribute_of_self="g.__self__.k = 6.0",
    code="def new(self, x): return 9.0 * x\nNet.m.__code__ = new.__code__", other_function="g = np.sin",
)  # fmt: skip
thing(
    "bound method in a list",
    NET + "G = [Net(2.0).m, Net(3.0).m]\ndef f(x):\n    return sum(g(x) for g in G)",
    entry="G[0] = Net(9.0).m", attribute="G[1].__self__.k = 5.0", append="G.append(Net(1.0).m)",
)  # fmt: skip
thing(
    "callable object",
    NET + "net = Net(2.0)\ndef f(x):\n    return net(x) + x",
    rebind="net = Net(3.0)", attribute="net.k = 5.0", setattr="Net.__call__ = lambda self, x: 7.0 * x",
    a_function="net = np.sin",
)  # fmt: skip
thing(
    "method of a library's object",
    "P = np.polynomial.Polynomial([1.0, 2.0, 3.0])\ng = P.deriv\ndef f(x):\n    return P(x) + x",
    rebind="P = np.polynomial.Polynomial([1.0, 5.0])", coefficient="P.coef[1] = 7.0", coefficients="P.coef = np.ones(3)",
)  # fmt: skip
thing(
    "poly1d",
    "P = np.poly1d([1.0, 2.0, 3.0])\ndef f(x):\n    return P(x) + x",
    rebind="P = np.poly1d([5.0, 1.0])", coefficient="P[1] = 7.0",
)  # fmt: skip
thing(
    "method of a ufunc",
    "op = np.add\ndef f(x):\n    return op.reduce(np.array([x, x * x]))",
    rebind="op = np.multiply",
)
thing(
    "bound method of a ufunc",
    "fold = np.add.reduce\ndef f(x):\n    return fold(np.array([x, x * x, 2.0 * x]))",
    rebind="fold = np.multiply.reduce",
)
thing(
    "method of an array",
    "W = np.array([1.0, 2.0])\ntotal = W.sum\ndef f(x):\n    return total() * x * x",
    in_place="W[0] = 5.0", rebind="total = np.array([7.0]).sum",
)  # fmt: skip
thing(
    "method of a list",
    "W = [1.0, 2.0]\ncount = W.count\ndef f(x):\n    return (1.0 + count(2.0)) * x * x",
    append="W.append(2.0)", rebind="count = [].count",
)  # fmt: skip
thing(
    "set",
    "W = {1.0, 2.0}\ndef f(x):\n    return x ** len(W) if 2.0 in W else 5.0 * x",
    add="W.add(3.0)", discard="W.discard(2.0)", rebind="W = {2.0}",
)  # fmt: skip
thing(
    "deque",
    "from collections import deque\nW = deque([2.0, 1.0])\ndef f(x):\n    return W[0] * x * x + len(W) * x",
    append="W.append(3.0)", left="W.appendleft(5.0)", rotate="W.rotate(1)", rebind="W = deque([4.0])",
)  # fmt: skip
thing(
    "defaultdict",
    "from collections import defaultdict\nW = defaultdict(lambda: 2.0)\ndef f(x):\n    return W['a'] * x * x",
    entry="W['a'] = 5.0", factory="W.clear(); W.default_factory = lambda: 7.0",
)  # fmt: skip
thing(
    "list in a list",
    "W = [[2.0], [3.0]]\ndef f(x):\n    return W[0][0] * x * x + W[1][0] * x",
    entry="W[0][0] = 5.0", row="W[1] = [7.0]", append="W[0].insert(0, 4.0)",
)  # fmt: skip
thing(
    "array in a list",
    "W = [np.array([2.0, 1.0]), 3.0]\ndef f(x):\n    return np.sum(W[0]) * x * x + W[1] * x",
    in_place="W[0][0] = 5.0", row="W[0] = np.ones(3)", a_number="W[0] = 4.0", other="W[1] = np.ones(())",
)  # fmt: skip
thing(
    "array of an object",
    "cfg = SimpleNamespace(w=np.array([2.0, 1.0]))\ndef f(x):\n    return np.sum(cfg.w * x * x)",
    in_place="cfg.w[0] = 5.0", rebind="cfg.w = np.array([3.0, 3.0])", size="cfg.w = np.ones(3)", a_number="cfg.w = 4.0",
    int_array="cfg.w = np.array([2, 5])", complex_part="cfg.w = np.array([1 + 1j, 2.0]).real",
)  # fmt: skip
thing(
    "view",
    "base = np.array([1.0, 2.0, 3.0])\nW = base[1:]\ndef f(x):\n    return np.sum(W * x * x)",
    base="base[1] = 5.0", view="W[...] = 7.0", rebind="W = base[:1]",
)  # fmt: skip
thing(
    "property of a global object",
    "class C:\n    k = 2.0\n    @property\n    def twice(self):\n        return 2.0 * self.k\nc = C()\n"
    "def f(x):\n    return c.twice * x * x",
    attribute="c.k = 5.0", of_the_class="C.k = 7.0", setattr="C.twice = property(lambda self: 9.0)",
)  # fmt: skip
thing(
    "getattr of a class",
    "class C:\n    def __init__(self, d):\n        self.__dict__['d'] = d\n    def __getattr__(self, name):\n"
    "        return self.d[name]\nc = C({'k': 2.0})\ndef f(x):\n    return c.k * x * x",
    entry="c.d['k'] = 5.0", attribute="c.__dict__['k'] = 7.0", setattr="C.__getattr__ = lambda self, name: 9.0",
)  # fmt: skip
thing(
    "frozen dataclass",
    "@dataclasses.dataclass(frozen=True)\nclass P:\n    k: float = 2.0\np = P()\ndef f(x):\n    return p.k * x * x",
    anyway="object.__setattr__(p, 'k', 5.0)", rebind="p = dataclasses.replace(p, k=7.0)",
)  # fmt: skip
thing(
    "single dispatch",
    "@functools.singledispatch\ndef g(x):\n    return x * x\ndef f(x):\n    return g(x) + x",
    register="g.register(float, lambda x: 5.0 * x)",
)
thing(
    "cached table",
    "K = 2.0\n@functools.lru_cache\ndef table(n):\n    return tuple(K * k for k in range(n))\n"
    "def f(x):\n    return sum(t * x * x for t in table(3))",
    cleared="K = 5.0\ntable.cache_clear()", rebind="table = lambda n: (7.0,)",
)  # fmt: skip
thing(
    "function in a class of settings",
    "class S:\n    act = staticmethod(np.sin)\n    @classmethod\n    def g(cls, x):\n        return cls.act(x)\n"
    "class T(S):\n    pass\ndef f(x):\n    return T.g(x) + S.act(x)",
    setattr="S.act = staticmethod(np.cos)", override="T.act = staticmethod(np.tanh)",
    method="T.g = classmethod(lambda cls, x: 5.0 * x)",
)  # fmt: skip


def cases() -> Iterator[Case]:
    for name, (text, changes) in THINGS.items():
        for change, statements in changes.items():
            yield Case(name, change, f"{HEAD}{text}\n", statements)


CASES = list(cases())
