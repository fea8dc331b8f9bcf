"""What of Python is accepted (and its gradient right) and what is refused (with line, caret and a way out)."""

from __future__ import annotations

import importlib.util
import itertools
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import CompileError, MutationError, UnsupportedSyntax

X = np.array([0.5, 1.5, -0.75])
HEAD = "import math\nimport numpy as np\nfrom collections import namedtuple\nPair = namedtuple('Pair', 'a b')\n"
numbers = itertools.count()


def module(tmp_path: Path, text: str) -> ModuleType:
    path = tmp_path / f"construct_{next(numbers)}.py"
    path.write_text(HEAD + textwrap.dedent(text).lstrip("\n"))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def body(text: str) -> str:
    return (
        "def f(x, n=3, k=2.0):\n"
        + textwrap.indent(textwrap.dedent(text).strip("\n"), "    ")
        + "\n"
    )


# Bodies of f(x, n=3, k=2.0) that return a number; x is an array of three, or a float where marked.
ACCEPTED: dict[str, str] = {
    "operators": "return np.sum(-x + +x * 2 - x / k + x ** 2 + (x * 8) % 7 + x // 1)",
    "matmul": "return x @ (np.outer(x, x) @ x)",
    "comparison chain": "return np.sum(x) if 0.0 < k <= 2.0 < 5 else 0.0 * x[0]",
    "and or not": "return x[0] * k if k > 1 and not n == 4 or False else x[1]",
    "and gives a value": "return np.sum(x) * (n and k)",
    "is none": "y = None\nreturn x[0] if y is None else x[1]",
    "in": "return x[0] if n in (1, 2, 3) else x[1]",
    "conditional expression": "return np.sum(x * x if n > 2 else x)",
    "nested conditional": "return x[0] * (1.0 if n > 5 else 2.0 if n > 2 else 3.0)",
    "walrus": "return (s := np.sum(x * x)) * s",
    "tuple unpacking": "a, b, c = x\nreturn a * b * c",
    "nested unpacking": "(a, b), c = (x[0], x[1]), x[2]\nreturn a * b * c",
    "swap": "a, b = x[0], x[1]\na, b = b, a\nreturn a * a * b",
    "chained assignment": "a = b = x * x\nreturn np.sum(a * b)",
    "annotated assignment": "a: float = x[0] * 2.0\nreturn a * a",
    "augmented": "s = 0.0\ns += x[0]\ns *= x[1]\ns -= x[2] / 2\ns **= 2\nreturn s",
    "augmented array": "y = x * 2.0\ny += x\ny *= y\nreturn np.sum(y)",
    "slices": "return np.sum(x[1:] * x[:-1]) + np.sum(x[::2]) + np.sum(x[::-1] * x) + x[-1] * x[n - 2]",
    "new axis": "return np.sum(x[:, None] * x[None, :] * np.arange(9.0).reshape(3, 3))",
    "mask": "return np.sum(x[x > 0] ** 2)",
    "fancy index": "return np.sum(x[[0, 2, 0]] * np.array([1.0, 2.0, 3.0]))",
    "ellipsis": "return np.sum(x[..., None] ** 2)",
    "attribute and method": "return x.T.sum() * x.mean() + x.reshape(3, 1).shape[0] * x.size * x.max()",
    "list": "parts = [x[0], x[1]]\nparts = parts + [x[2] * 2.0]\nreturn parts[0] * parts[1] * parts[-1]",
    "list append": "parts = []\nparts.append(x[0])\nparts.append(x[1] * 2.0)\nreturn parts[0] * parts[1]",
    "dict": "d = {'a': x[0], 'b': {'c': x[1]}}\nreturn d['a'] * d['b']['c']",
    "dict write": "d = {'a': x[0]}\nd['b'] = x[1]\nd['a'] = d['a'] * 2.0\nreturn d['a'] * d['b']",
    "dict merge": "d = {**{'a': x[0]}, 'b': x[1]}\nreturn d['a'] * d['b']",
    "dict items": "d = {'a': x[0], 'b': x[1]}\ns = 0.0\nfor key, v in d.items():\n    s = s + v * v\nreturn s",
    "starred list": "xs = [x[0], x[1]]\nys = [*xs, x[2]]\nreturn ys[0] * ys[2]",
    "named tuple": "p = Pair(x[0], b=x[1])\nreturn p.a * p.b",
    "if": "if n > 2:\n    y = x * x\nelse:\n    y = x\nreturn np.sum(y)",
    "if without else": "y = x\nif n > 2:\n    y = x * x\nreturn np.sum(y)",
    "elif": "if n > 5:\n    y = x\nelif n > 2:\n    y = x * x\nelse:\n    y = x * 3\nreturn np.sum(y)",
    "if on data": "s = 0.0\nfor v in x:\n    if v > 0:\n        s += v * v\n    else:\n        s -= 3 * v\nreturn s",
    "early return": "if n > 2:\n    return np.sum(x * x)\nreturn x[0]",
    "nested early return": "if n > 2:\n    if k > 5:\n        return x[0]\n    y = x[1] * x[2]\nelse:\n    return x[0] * 2\nreturn y * 3",
    "for range": "s = 0.0\nfor i in range(n):\n    s = s * 0.5 + x[i] ** 2\nreturn s",
    "for range with step": "s = 0.0\nfor i in range(n - 1, -1, -2):\n    s += x[i] * (i + 1)\nreturn s",
    "for array": "s = 1.0\nfor v in x:\n    s = s * v\nreturn s",
    "for enumerate": "s = 0.0\nfor i, v in enumerate(x):\n    s += v ** (i + 1)\nreturn s",
    "for enumerate start": "s = 0.0\nfor i, v in enumerate(x, 2):\n    s += v ** i\nreturn s",
    "for zip": "s = 0.0\nfor a, b in zip(x[1:], x[:-1]):\n    s += a * b * b\nreturn s",
    "for reversed": "s = 0.0\nfor v in reversed(x):\n    s = s * 0.5 + v\nreturn s",
    "for tuple": "s = 0.0\nfor c in (1.0, 2.0, 3.0):\n    s += c * x[0] ** 2\nreturn s",
    "for else": "s = 0.0\nfor i in range(n):\n    s += x[i]\nelse:\n    s *= 2.0\nreturn s",
    "no iterations": "s = x[0]\nfor i in range(0):\n    s = s * 100\nreturn s",
    "loop variable after the loop": "i = 0\ny = x[0]\nfor i in range(n):\n    y = x[i] * (i + 1)\nreturn y * y",
    "while": "y = x[0] * 9\nwhile y > 1.0:\n    y = y * 0.5\nreturn y",
    "while never": "y = x[0]\nwhile y > 100.0:\n    y = y * 0.5\nreturn y * 3",
    "break": "s = 0.0\nfor i in range(10):\n    s += x[0] * i\n    if s > 2.0:\n        break\nreturn s * s",
    "break at the start": "s = x[0]\nfor i in range(10):\n    if i == 2:\n        break\n    s = s * x[1]\nreturn s",
    "continue": "s = 0.0\nfor i in range(n):\n    if i == 1:\n        continue\n    s += x[i] ** 2\nreturn s",
    "break and continue": "s = 0.0\nfor i in range(9):\n    if i % 2:\n        continue\n    if i > 5:\n        break\n    s = s * x[1] + x[0]\nreturn s",
    "return in a loop": "s = x[0]\nfor i in range(9):\n    s = s * 1.5\n    if s > 2.0:\n        return s * x[1]\nreturn s",
    "return in a nested loop": "s = x[0]\nfor i in range(4):\n    for j in range(4):\n        s = s * 1.2\n        if s > 1.5:\n            return s * x[1] * j\nreturn s",
    "while true": "y = x[0]\nwhile True:\n    y = y * 1.5\n    if y > 3.0:\n        break\nreturn y * y",
    "nested loops": "s = 0.0\nfor i in range(n):\n    for j in range(i):\n        s += x[i] * x[j] ** 2\nreturn s",
    "nested loops, inner break": "s = 0.0\nfor i in range(n):\n    t = x[i]\n    for j in range(5):\n        t = t * 1.5\n        if t > 2:\n            break\n    s += t * t\nreturn s",
    "carried tuple": "a, b = x[0], x[1]\nfor _ in range(n):\n    a, b = b, a * b\nreturn a + b",
    "carried array": "h = x\nfor _ in range(n):\n    h = np.tanh(h) * h\nreturn np.sum(h)",
    "type changes in a loop": "s = 0\nfor i in range(n):\n    s = s + x[i]\nreturn s * s",
    "helper with loop": "def step(a, b=2.0):\n    return a * b\ns = 1.0\nfor i in range(n):\n    s = step(s, b=x[i])\nreturn s",
    "inner function and closure": "c = x[0]\ndef g(a):\n    return a * c\nreturn g(x[1]) + g(x[2])",
    "lambda": "g = lambda a, b: a * b\nreturn g(x[0], x[1])",
    "function as value": "g = np.sin\nreturn np.sum(g(x))",
    "assert": "assert n == 3, 'three'\nreturn x[0] ** 2",
    "raise not reached": "if n > 5:\n    raise ValueError(f'n = {n}')\nreturn x[0] ** 2",
    "docstring and pass": "'''Doc.'''\npass\nreturn x[0] ** 2",
    "import inside": "import math as m\nfrom math import tau\nreturn x[0] * m.pi * tau",
    "builtins": "return abs(x[0]) * max(x[1], 0.1) * min(x[1], 9.0) * len(x) + sum([x[0], x[1]]) + float(x[2]) + pow(x[0], 2)",
    "print": "print(n)\nreturn x[0] ** 2",
    "f-string": "print(f'{n:>3} {k!r}')\nreturn x[0] ** 2",
    "keyword call": "return np.sum(a=x, axis=0) * np.mean(x, keepdims=False)",
    "method chain": "return (x * x).reshape(3, 1).sum(axis=0)[0]",
    "integer arithmetic": "m = (n * 7 + 1) // 2 % 5\nreturn x[m % 3] * m",
    "where": "return np.sum(np.where(x > 0, x * x, 2 * x))",
}


def numeric(f: Any) -> np.ndarray:
    slopes = []
    for k in range(3):
        e = np.zeros(3)
        e[k] = 1e-6
        slopes.append((float(f(X + e)) - float(f(X - e))) / 2e-6)
    return np.array(slopes)


@pytest.mark.parametrize("name", ACCEPTED)
def test_an_accepted_construct_has_the_right_gradient(name: str, tmp_path: Path) -> None:
    f = module(tmp_path, body(ACCEPTED[name])).f
    want = numeric(f)
    value, bar = rg.value_and_grad(f)(X.copy())
    np.testing.assert_allclose(value, f(X.copy()), rtol=1e-12)
    np.testing.assert_allclose(bar, want, atol=1e-6)
    np.testing.assert_allclose(rg.jvp(f, (X, 3, 2.0), (X, None, None))[1], want @ X, atol=1e-6)


# Bodies that are refused: the error, the text of the line it points at, the column's character.
REFUSED: dict[str, tuple[str, type[CompileError], str, str]] = {
    "global": ("global total\ntotal = x[0]\nreturn total", MutationError, "total = x", "t"),
    "nonlocal": ("if (c := 1.0):\n    pass\ndef g():\n    nonlocal c\n    c = x[0]\n    return c\nreturn g()", MutationError, "c = x[0]", "c"),
    "class": ("class A:\n    pass\nreturn x[0]", UnsupportedSyntax, "class A:", "c"),
    "yield": ("y = yield x[0]\nreturn x[0]", UnsupportedSyntax, "y = yield", "y"),
    "integer write": ("y = np.zeros(3, int)\ny[0] = x[0]\nreturn np.sum(y)", MutationError, "y[0] = x[0]", "y"),
    "attribute write": ("x.shape = (3, 1)\nreturn np.sum(x)", MutationError, "x.shape =", "x"),
    "alias read": ("y = x.reshape(-1)\ny += 1.0\nreturn np.sum(x * y)", MutationError, "return np.sum", "x"),
    "unknown name": ("return np.sum(x) * missing", UnsupportedSyntax, "return np.sum", "m"),
    "structure changes": ("s = (x[0], x[1])\nfor i in range(len(x)):\n    s = (s[0], s[1], x[0])\nreturn s[0]", UnsupportedSyntax, "for i", "f"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_construct_says_where_and_what_to_do(name: str, tmp_path: Path) -> None:
    text, kind, line, character = REFUSED[name]
    f = module(tmp_path, body(text)).f
    with pytest.raises(kind) as caught:
        rg.grad(f)(X)
    error = caught.value
    assert error.place is not None
    assert error.place.file == f.__code__.co_filename
    source = Path(error.place.file).read_text().splitlines()[error.place.line - 1]
    assert source.strip().startswith(line)
    assert source == error.place.text.rstrip("\n")
    assert source[error.place.column] == character
    assert error.reason
    assert str(error).splitlines()[2].index("^") == 4 + error.place.column - (
        len(source) - len(source.lstrip())
    )
    assert error.fix, "no way out is named"
    with pytest.raises(kind):
        rg.jvp(f, (X, 3, 2.0), (X, None, None))


def test_an_operation_without_a_rule_is_refused_only_where_it_matters(tmp_path: Path) -> None:
    m = module(tmp_path, body("return np.sum(np.unique_values(x)) * k"))
    with pytest.raises(CompileError) as caught:
        rg.grad(m.f)(X)
    assert "unique_values" in str(caught.value)
    assert caught.value.fix
    assert rg.grad(m.f, "k")(X) == pytest.approx(np.sum(np.unique_values(X)))


def test_a_name_that_was_not_bound_is_never_a_zero(tmp_path: Path) -> None:
    m = module(tmp_path, body("if n > 2:\n    y = x[0]\nreturn y"))
    with pytest.raises((UnsupportedSyntax, UnboundLocalError)):
        rg.grad(m.f)(X, 1)


def test_a_loop_that_raises_raises(tmp_path: Path) -> None:
    m = module(
        tmp_path,
        body("for i in range(n):\n    if i == 2:\n        raise ValueError('two')\nreturn x[0]"),
    )
    with pytest.raises(ValueError, match="two"):
        rg.grad(m.f)(X)
    assert rg.grad(m.f)(X, 2)[0] == 1.0


def test_assertions_stay(tmp_path: Path) -> None:
    m = module(tmp_path, body("assert k > 0, 'positive'\nreturn x[0] * k"))
    with pytest.raises(AssertionError, match="positive"):
        rg.grad(m.f)(X, 3, -1.0)
