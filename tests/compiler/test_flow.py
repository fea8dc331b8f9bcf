"""Control flow: comprehensions, ``else`` on loops, ``try``, ``with``, ``match``; every path, every derivative."""

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
from retrograd.runtime.errors import CompileError, NotDifferentiable

HEAD = """import contextlib
import math
import threading
from dataclasses import dataclass

import numpy as np

LOCK = threading.Lock()
SEEN = []


@contextlib.contextmanager
def noted():
    SEEN.append("in")
    try:
        yield 3.0
    finally:
        SEEN.append("out")


@contextlib.contextmanager
def swallowing():
    try:
        yield
    except ValueError:
        pass


@dataclass
class Line:
    length: float


@dataclass
class Box:
    width: float
    height: float


"""
numbers = itertools.count()
XS = np.array([0.4, 1.3, 0.7])


def module(tmp_path: Path, text: str) -> ModuleType:
    path = tmp_path / f"flow_{next(numbers)}.py"
    path.write_text(HEAD + textwrap.dedent(text).lstrip("\n"))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def body(text: str) -> str:
    return "def f(x):\n" + textwrap.indent(textwrap.dedent(text).strip("\n"), "    ") + "\n"


# Bodies of f(x), x an array of three.
LISTS: dict[str, str] = {
    "a sum": "return sum(np.sin(v) * x[0] for v in x)",
    "a sum of a list": "return sum([v * v for v in x])",
    "a sum with a start": "return sum((v * v for v in x), x[0])",
    "a sum of arrays": "return np.sum(sum(x * v for v in x) ** 2)",
    "an empty sum": "return x[0] * (1 + sum(v for v in x if v > 100))",
    "a filter": "return sum(v * v * v for v in x if v > 0.5)",
    "two filters": "return sum(v * v for v in x if v > 0.5 if v < 1.0) * x[1]",
    "a filter of known items": "return sum([v * v for v in (x[0], x[1]) if v > 0.5])",
    "an array": "return np.sum(np.array([np.tanh(v * x[1]) for v in x]) ** 2)",
    "a filter of one item": "r = np.sum([2 * x[1] for r in range(1) if x[1] > 0.5])\nreturn r * x[1]",
    "a filtered array": "return np.prod(np.array([v * x[0] for v in x if v > 0.5]))",
    "a list that is indexed": "ys = [v * v for v in x]\nreturn ys[0] * ys[-1] * len(ys)",
    "a list that is unpacked": "a, b, c = [v * v for v in x]\nreturn a * b + c",
    "a list that is iterated": "ys = [v * v for v in x]\nt = 0.0\nfor y, v in zip(ys, x):\n    t = t * y + v\nreturn t",
    "a list of tuples": "return sum(a * b for a, b in [(v, v * v) for v in x])",
    "a list in an array expression": "return np.sum(x * [2.0 * v for v in x])",
    "a list handed on": "def total(ys):\n    return sum([y * y for y in ys])\nreturn total([v * x[0] for v in x])",
    "nested lists": "m = np.array([[a * b * b for a in x] for b in x])\nreturn np.sum(m @ m)",
    "two sequences": "return np.sum([a * b * b for a in x for b in x])",
    "stack and concatenate": "return np.sum(np.stack([x * v for v in x]) ** 2) * np.sum(np.concatenate([x + v for v in x]) ** 2)",
    "max and min": "return max(v * v for v in x) * min([v * x[0] for v in x])",
    "any": "return x[0] * x[1] if any(v > 1 for v in x) else x[2]",
    "any, false": "return x[0] * x[1] if any(v > 9 for v in x) else x[2]",
    "all of two": "return x[0] * x[1] if all(a * b > 0 for a in x for b in x) else x[2]",
    "enumerate": "return sum(k * v * v for k, v in enumerate(x, 1))",
    "zip and reversed": "return sum(a * b * b for a, b in zip(x, reversed(x)))",
    "a range": "return sum(x[i] * x[i - 1] for i in range(len(x)))",
    "a short range": "a, b = [x[i] ** 2 for i in range(2)]\nreturn a * b",
    "a target that does not leak": "v = 2.0\ny = sum(v * v for v in x)\nreturn v * y",
    "a name bound inside": "y = [last := v * v for v in x]\nreturn y[0] * last",
    "a dict": "d = {k: x * v for k, v in {'a': 1.0, 'b': 2.0}.items()}\nreturn np.sum(d['a'] * d['b'])",
    "a filtered dict": "d = {k: x[k] for k in (0, 1, 2) if k != 1}\nreturn d[0] * d[2] * len(d)",
    "a starred list": "return max(*[v * v for v in (x[0], x[1])])",
    "a lambda inside": "return sum((lambda a: a * v)(x[0]) for v in x)",
    "a list in a loop": "t = 0.0\nfor k in range(3):\n    t = t + sum(v * k for v in x) * x[k]\nreturn t",
    "a list in a branch": "ys = [v * v for v in x]\nif x[0] > 0:\n    return sum(ys)\nreturn ys[0]",
    "rows in a loop": "rows = [x * v for v in x]\nt = 0.0\nfor k in range(3):\n    t = t + sum([r[k] for r in rows]) * np.sum(rows[k])\nreturn t",
    "math.fsum": "return math.fsum(v * v for v in x)",
}
LOOPS: dict[str, str] = {
    "for, else, break": "y = x[0]\nfor v in x:\n    y = y * v\n    if y > LIMIT:\n        break\nelse:\n    y = y * y\nreturn y * x[1]",
    "while, else, break": "y = x[0]\nwhile y < 5:\n    y = y * 1.7\n    if y * x[1] > LIMIT:\n        break\nelse:\n    y = y * x[2]\nreturn y * y",
    "else that returns": "for v in x:\n    if v > LIMIT:\n        break\nelse:\n    return x[0] * x[1]\nreturn v * x[2]",
    "else in a nested loop": "y = x[0]\nfor i in range(3):\n    for v in x:\n        y = y * 1.3\n        if y * i > LIMIT:\n            break\n    else:\n        continue\n    y = y * x[1]\n    break\nelse:\n    y = y + x[2] ** 2\nreturn y * y",
    "break of literals": "y = x[0]\nfor c in (0.5, x[1], 1.5):\n    if y * c > LIMIT:\n        break\n    y = y * c + x[2]\nreturn y",
    "continue of literals": "y = x[0]\nfor c in [0.5, x[1], 1.5]:\n    if y * c > LIMIT:\n        continue\n    y = y * c + x[2]\nelse:\n    y = y * x[1]\nreturn y",
    "return of literals": "y = x[0]\nfor c in (0.5, x[1], 1.5):\n    y = y * c + x[2]\n    if y > LIMIT:\n        return y * y\nreturn y",
    "literals in a loop": "y = x[0]\nfor k in range(4):\n    for c in (0.9, 1.2):\n        if y * c > LIMIT:\n            break\n        y = y * c + x[1] * k\nreturn y",
    "a walrus in while": "y = x[0]\nwhile (y := y * 1.5) < LIMIT:\n    y = y + x[1]\nreturn y * y",
    "a walrus in and": "if (s := np.sum(x)) > LIMIT and (t := s * x[0]) > 0.1:\n    return s * t\nreturn s * s",
}
TRIES: dict[str, str] = {
    "a value": "try:\n    y = math.sqrt(x[0] - SHIFT)\nexcept ValueError:\n    y = x[1] * x[2]\nreturn y * x[0]",
    "a value kept from before": "y = x[1]\ntry:\n    y = math.log(x[0] - SHIFT) * x[0]\nexcept ValueError:\n    pass\nreturn y * y",
    "what the body computes is read": "try:\n    z = x[0] * x[0] - SHIFT\n    y = math.sqrt(z) * math.sqrt(z)\nexcept ValueError:\n    y = x[1] * x[1]\nreturn y * x[0]",
    "return": "try:\n    return math.log(x[0] - SHIFT) * x[1]\nexcept (ValueError, KeyError):\n    return x[0] * x[1]",
    "return in the body only": "try:\n    return math.log(x[0] - SHIFT) * x[1]\nexcept ValueError:\n    y = x[0]\nreturn y * y * x[2]",
    "suppress": "y = x[1] * x[0]\nwith contextlib.suppress(ValueError):\n    y = math.sqrt(x[0] - SHIFT) * x[2]\nreturn y * y",
    "suppress, and more": "y = x[1]\nwith np.errstate(all='ignore'), contextlib.suppress(KeyError, ValueError):\n    y = math.log(x[0] - SHIFT)\nreturn y * y",
    "several handlers": "try:\n    y = 1 / (1 if SHIFT else 0) * math.sqrt(x[0] - SHIFT)\nexcept ZeroDivisionError:\n    y = x[1] * x[1]\nexcept ValueError as error:\n    print(error)\n    y = x[2] * x[0]\nreturn y",
    "else": "try:\n    u = math.sqrt(x[0] - SHIFT)\nexcept ValueError:\n    y = x[1]\nelse:\n    y = u * x[2]\nreturn y * y",
    "finally": "try:\n    y = math.sqrt(x[0] - SHIFT)\nexcept ValueError:\n    y = x[1]\nfinally:\n    x = 2 * x\nreturn y * x[0]",
    "finally after return": "try:\n    return math.sqrt(x[0] - SHIFT) * x[1]\nexcept ValueError:\n    return x[0] * x[1]\nfinally:\n    SEEN.clear()",
    "a flag": "try:\n    y = math.sqrt(x[0] - SHIFT)\n    ok = True\nexcept ValueError:\n    y, ok = x[1], False\nreturn y * x[0] if ok else y * y",
    "raise in the body": "try:\n    if x[0] < SHIFT:\n        raise KeyError(x[0])\n    y = x[0] * x[1]\nexcept KeyError:\n    y = x[2] * x[2]\nreturn y * y",
    "in a loop": "t = x[0]\nfor k in range(4):\n    try:\n        u = math.sqrt(x[0] - SHIFT + 0.3 - 0.25 * k)\n    except ValueError:\n        if k == 3:\n            break\n        u = x[1]\n        t = t + u\n        continue\n    t = t * u + x[2]\nreturn t",
    "a loop inside": "try:\n    t = x[0]\n    for k in range(4):\n        t = t + math.sqrt(x[0] - 0.1 * k - SHIFT)\nexcept ValueError:\n    t = x[1] * x[2]\nreturn t * x[0]",
    "nested": "try:\n    try:\n        y = math.sqrt(x[0] - SHIFT)\n    except KeyError:\n        y = x[0]\nexcept ValueError:\n    y = x[1] * x[1]\nreturn y * y",
    "a failing handler": "try:\n    try:\n        y = math.sqrt(x[0] - SHIFT)\n    except ValueError:\n        raise KeyError('no') from None\nexcept KeyError:\n    y = x[1] * x[1]\nreturn y * y",
    "a helper": "def g(v):\n    try:\n        return math.log(v - SHIFT)\n    except ValueError:\n        return v * x[1]\nreturn g(x[0]) * g(x[1])",
    "errors of NumPy": "try:\n    with np.errstate(invalid='raise'):\n        y = np.sum(np.sqrt(x - SHIFT))\nexcept FloatingPointError:\n    y = np.sum(x * x)\nreturn y * x[0]",
    "cholesky": "a = np.outer(x, x) + (0.9 - 5 * SHIFT) * np.eye(3)\ntry:\n    y = np.sum(np.linalg.cholesky(a))\nexcept np.linalg.LinAlgError:\n    y = np.sum(a * a)\nreturn y",
}
WITHS: dict[str, str] = {
    "errstate": "with np.errstate(all='ignore'):\n    y = np.log(x) * x\nreturn np.sum(y * y)",
    "a lock": "with LOCK:\n    y = x * x\nreturn np.sum(y * x)",
    "managers of one's own": "with noted() as c, contextlib.nullcontext():\n    y = x * c\nreturn np.sum(y * x)",
    "return inside": "with np.errstate(all='ignore'):\n    if x[0] > 0:\n        return np.sum(x * x)\n    y = x[0]\nreturn y",
    "in a loop": "t = 0.0\nfor v in x:\n    with np.errstate(all='ignore'):\n        if v > 1:\n            continue\n        u = np.log(v) * v\n    t = t + u * u\nreturn t",
}
MATCHES: dict[str, str] = {
    "values": "t = x[0]\nfor k in range(4):\n    match k:\n        case 0:\n            t = t * x[1]\n        case 1 | 2:\n            t = t + x[2]\n        case n if n > 2:\n            t = t * n\nreturn t * t",
    "exits": "t = x[0]\nfor k in range(4):\n    match k:\n        case 1:\n            continue\n        case 3:\n            break\n        case _:\n            t = t * x[1]\nreturn t * t",
    "shapes": "match x.shape:\n    case (n,):\n        return np.sum(x * x) * n\n    case (n, m):\n        return np.sum(x) * m",
    "classes": "t = 0.0\nfor shape in (Line(x[0]), Box(x[1], x[2]), Box(height=x[0], width=1.0)):\n    match shape:\n        case Line(length=a):\n            t = t + a * a\n        case Box(1.0, h):\n            t = t + h\n        case Box(w, height=h):\n            t = t + w * h\nreturn t",
    "sequences": "t = 0.0\nfor s in ([x[0]], (x[1], x[2]), (x[0], x[1], x[2], x[0])):\n    match s:\n        case [a]:\n            t = t + a * a\n        case (a, b):\n            t = t + a * b\n        case (a, *others):\n            t = t + a * len(others) * others[0]\nreturn t",
    "mappings": "match {'kind': 'disc', 'r': x[0], 's': x[1]}:\n    case {'kind': 'box', 'w': w}:\n        return w\n    case {'kind': 'disc', 'r': r, **rest}:\n        return r * r * rest['s']",
    "types": "match x[0] * 2.0:\n    case str() | bool():\n        return x[1]\n    case float(v) if v < 0:\n        return v\n    case float(v):\n        return v * v\n    case _:\n        return x[2]",
    "nothing fits": "y = x[0]\nmatch 7:\n    case 1:\n        y = x[1]\nreturn y * y",
}
WRITES: dict[str, str] = {
    "in a with": "y = np.zeros(3)\nwith np.errstate(all='ignore'):\n    for k in range(3):\n        y[k] = np.log(x[k]) * x[0]\ny[1] = y[1] * x[2]\nreturn np.sum(y * y)",
    "in a try, not read after": "y = x * 2\ntry:\n    y[0] = math.sqrt(x[0] - 1)\nexcept ValueError:\n    z = x[1] * x[1]\nelse:\n    z = x[2]\nreturn z * x[0]",
    "after a try": "y = np.zeros(3)\nfor k in range(3):\n    try:\n        u = math.sqrt(x[k] - 0.5)\n    except ValueError:\n        y[k] = x[k] * x[1]\n        continue\n    y[k] = u * x[0]\nreturn np.sum(y * y)",
    "in a loop over literals": "y = np.zeros(3)\nfor k in (0, 1, 2):\n    if x[k] > 1:\n        continue\n    y[k] = x[k] ** 2\n    if k == 2:\n        break\nelse:\n    y[0] = 3.0\nreturn np.sum(y * y)",
    "beside lists": "m = np.outer(x, x)\nrows = [r * 1.0 for r in m]\nm[0] = x\ny = np.zeros(3)\nfor k, r in enumerate(rows):\n    y[k] = np.sum(r) * m[0, k]\n    if y[k] > 2:\n        break\nelse:\n    y[0] = y[1] * 2\nmatch len(rows) % 2:\n    case 1:\n        y[2] *= x[0]\n    case _:\n        y[1] = 3.0\nreturn np.sum(y * y)",
}


def check(f: Any) -> None:
    """Value, gradient against differences, forward against reverse, second order, generic and known types."""
    x = XS.copy()
    value, bar = rg.value_and_grad(f)(x)
    assert value == f(x)
    steps = np.eye(3) * 1e-6
    differences = [(f(x + e) - f(x - e)) / 2e-6 for e in steps]
    np.testing.assert_allclose(bar, differences, rtol=1e-6, atol=1e-7)
    tangent = rg.jvp(f, (x,), (np.array([1.0, -2.0, 0.5]),))[1]
    np.testing.assert_allclose(tangent, bar @ [1.0, -2.0, 0.5], rtol=1e-9, atol=1e-12)
    rg.check_grads(f, (x,), order=2)
    np.testing.assert_array_equal(x, XS)


def loaded(text: str, tmp_path: Path, **names: float) -> Any:
    for name, value in names.items():
        text = text.replace(name, repr(value))
    return module(tmp_path, body(text)).f


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", LISTS)
def test_comprehensions(name: str, tmp_path: Path) -> None:
    check(loaded(LISTS[name], tmp_path))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("limit", [0.05, 0.65, 3.0, 100.0])
@pytest.mark.parametrize("name", LOOPS)
def test_loops(name: str, limit: float, tmp_path: Path) -> None:
    check(loaded(LOOPS[name], tmp_path, LIMIT=limit))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("shift", [0.0, 0.25, 9.0])
@pytest.mark.parametrize("name", TRIES)
def test_try(name: str, shift: float, tmp_path: Path) -> None:
    check(loaded(TRIES[name], tmp_path, SHIFT=shift))


@pytest.mark.parametrize("name", WITHS)
def test_with(name: str, tmp_path: Path) -> None:
    check(loaded(WITHS[name], tmp_path))


@pytest.mark.parametrize("name", MATCHES)
def test_match(name: str, tmp_path: Path) -> None:
    check(loaded(MATCHES[name], tmp_path))


@pytest.mark.parametrize("name", WRITES)
def test_writes(name: str, tmp_path: Path) -> None:
    check(loaded(WRITES[name], tmp_path))


def test_a_manager_is_entered_once_and_left(tmp_path: Path) -> None:
    m = module(tmp_path, body(WITHS["managers of one's own"]))
    rg.value_and_grad(m.f)(XS)
    assert m.SEEN == ["in", "out"]


def test_an_exception_that_nobody_catches_escapes(tmp_path: Path) -> None:
    m = module(
        tmp_path, body("try:\n    y = math.sqrt(x[0])\nexcept KeyError:\n    y = x[1]\nreturn y")
    )
    with pytest.raises(ValueError, match="math domain"):
        rg.grad(m.f)(-XS)


def test_a_tangent_does_not_decide_which_path_ran(tmp_path: Path) -> None:
    text = "try:\n    y = math.sqrt(x[0])\nexcept ZeroDivisionError:\n    y = x[1]\nreturn y"
    m = module(tmp_path, body(text))
    at = np.array([0.0, 1.0, 2.0])
    assert m.f(at) == 0.0
    for derivative in (lambda: rg.jvp(m.f, (at,), (at,)), lambda: rg.grad(m.f)(at)):
        try:
            with np.errstate(all="ignore"):
                found = derivative()
        except NotDifferentiable as error:
            assert "no finite value" in str(error)  # noqa: PT017
            continue
        assert not np.all(np.isfinite(found[1] if isinstance(found, tuple) else found))


# Refused: the body, and words of the reason.
REFUSED: dict[str, tuple[str, str]] = {
    "a torn name in a handler": ("try:\n    z = math.sqrt((y := x[0]) - 1)\nexcept ValueError:\n    return y\nreturn z", "`y` is bound in a `try`"),
    "a list of views of what is written to": ("m = np.outer(x, x)\nrows = [r for r in m]\nm[0] = 0.0\nreturn np.sum(rows[0])", "was written to"),
    "a manager that swallows": ("with swallowing():\n    x = x * x\nreturn x[0]", "may swallow exceptions"),
    "finally that leaves": ("for k in range(2):\n    try:\n        x = x * x\n    finally:\n        break\nreturn x[0]", "leaving a `finally`"),
    "an array of a generator": ("return np.sum(np.array(v for v in x))", "of a generator expression is no array"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_names_the_line_and_a_way_out(name: str, tmp_path: Path) -> None:
    text, reason = REFUSED[name]
    f = module(tmp_path, body(text)).f
    for derivative in (lambda: rg.grad(f)(XS), lambda: rg.jvp(f, (XS,), (XS,))):
        with pytest.raises(CompileError) as caught:
            derivative()
        assert reason in str(caught.value)
        assert caught.value.place is not None
        assert caught.value.fix


TRIED = {
    "a list in a loop": """
def f(x):
    log = []
    for k in range(3):
        try:
            log.append(math.sqrt(x - k / 2))
        except ValueError:
            pass
    return sum(log) * x
""",
    "a dict, and another entry in the handler": """
def f(x):
    out = {"n": 1.0, "a": 2.0}
    try:
        out["a"] = math.log(x - 0.5)
    except ValueError:
        out["n"] = x
    return out["n"] * out["a"] * x
""",
    "appended on either side": """
def f(x):
    log = [x]
    try:
        v = math.sqrt(x - 0.6)
        log.append(v * x)
    except ValueError:
        log.append(x * x * x)
    return log[0] * log[1]
""",
    "written before all that may fail": """
def f(x):
    log = [x]
    try:
        log.append(2.0)
        v = math.sqrt(x - 0.6)
    except ValueError:
        v = 3.0 * x
    return log[0] * log[1] * v * len(log)
""",
    "an object": """
def f(x):
    box = Box(1.0, 0.0)
    for k in range(3):
        try:
            box.width = box.width * math.sqrt(x - k / 2)
        except ValueError:
            box.height += x
    return box.width * x + box.height
""",
    "read by the handler": """
def f(x):
    w = {"a": 1.5}
    try:
        w["a"] = math.sqrt(x - 0.6)
        y = w["a"] * 2.0
    except ValueError:
        y = w["a"] * x
    return w["a"] * y
""",
}


@pytest.mark.parametrize("x", [0.3, 0.7, 1.9])
@pytest.mark.parametrize("name", TRIED)
def test_containers_written_to_in_a_try(name: str, x: float, tmp_path: Path) -> None:
    f = module(tmp_path, TRIED[name]).f
    value, bar = rg.value_and_grad(rg.differentiate(strict=True)(f))(x)
    assert value == f(x)
    np.testing.assert_allclose(bar, (f(x + 1e-6) - f(x - 1e-6)) / 2e-6, rtol=1e-6)
    rg.check_grads(f, (x,), order=2)
