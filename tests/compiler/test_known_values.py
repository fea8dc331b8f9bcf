"""What is known before a function runs decides its branches: kinds of arguments, texts, flags, whole numbers, dtypes."""

from __future__ import annotations

import enum
import numbers
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.lowering.known_values import may_fold
from retrograd.runtime.rules.traits import DECLARED
from tests.written import written

X = np.array([0.3, 1.2, 0.7])


class Mode(enum.Enum):
    FAST = 1
    EXACT = 2


class Word(enum.StrEnum):
    A = "a"


class Layer:
    def __init__(self, act: str = "square", order: int = 2, bias: bool = True) -> None:
        self.act, self.order, self.bias = act, order, bias

    def square(self, x: Any) -> Any:
        return x * x


HEAD = """
import enum, numbers
from collections.abc import *
import numpy as np

ACT = {"sin": np.sin, "square": lambda v: v * v}
STEPS = [np.sin, np.cos]
POWERS = {0: 5, 1: 7}
NAMES = ["linear", "square"]
PAIR = True

class Quantity:
    value = 1.0

def powers(x, order):
    if order == 2:
        return x, x * x
    return x

def named(x, kind="Square"):
    return x * x if kind.lower() == "square" else (x, x)

def tower(x, n):
    return (x,) if n == 0 else (x, *tower(x, n - 1))

def of_layer(layer, x):
    pair = (x, x * x) if layer.order == 2 else (x,)
    return pair[-1] * (3.0 if layer.act.startswith("s") else 1.0)

"""
BRANCH = (
    "    if {test}:\n        r = x, 2.0 * x * x\n    else:\n        r = x.real\n    return r[1]\n"
)
OTHER = (
    "    if {test}:\n        r = x.real\n    else:\n        r = x, 2.0 * x * x\n    return r[1]\n"
)
TRUE = [  # a test that holds, and the arguments after x
    ("isinstance(x, numbers.Real)", 0.5),
    ("isinstance(x, int | float)", 0.5),
    ("isinstance(x, (int, float))", np.float64(0.5)),
    ("type(x) is float", 0.5),
    ("type(x) in (int, float)", 0.5),
    ("np.isscalar(x)", 0.5),
    ("np.ndim(x) == 0", 0.5),
    ("np.ndim(x) == 1 and x.ndim == 1", X),
    ("isinstance(x, Iterable)", X),
    ("hasattr(x, '__len__')", X),
    ("np.issubdtype(x.dtype, np.floating)", X),
    ("x.dtype.kind == 'f' and x.dtype.itemsize == 8", X),
    ("x.dtype == np.float64", X),
    ("kind.lower() == 'linear'", 0.5, "Linear"),
    ("kind.startswith('cub') and kind[0] == 'c'", 0.5, "cubic"),
    ("'a' in kind", 0.5, "abc"),
    ("set(kind) <= set('abcd')", 0.5, "abc"),
    ("len(kind.split('-')) == 2", 0.5, "a-b"),
    ("f'{kind}ear' == 'linear'", 0.5, "lin"),
    ("'%s.%d' % (kind, 3) == 'lin.3'", 0.5, "lin"),
    ("kind in {'lin', 'square'}", 0.5, "lin"),
    ("kind in NAMES and kind in ACT", 0.5, "square"),
    ("kind is not None and kind.strip()", 0.5, " a "),
    ("str(kind) == '3'", 0.5, 3),
    ("kind == 2", 0.5, 2),
    ("kind + 1 == 3 and not kind > 2", 0.5, 2),
    ("POWERS[kind] == 7", 0.5, 1),
    ("kind", 0.5, True),
    ("kind is kind.FAST", 0.5, Mode.FAST),
    ("kind.name == 'FAST' and kind.value == 1", 0.5, Mode.FAST),
    ("kind == 'a'", 0.5, Word.A),
    ("kind['act'].upper() == 'TANH'", 0.5, {"act": "tanh", "rate": 1.0}),
    ("kind[1].upper() == 'B'", 0.5, ["a", "b"]),
    ("kind.act == 'square' and kind.order == 2 and kind.bias", 0.5, Layer()),
    ("PAIR", 0.5),
]  # fmt: skip
FALSE = [
    ("isinstance(x, (KeysView, Mapping))", X),
    ("isinstance(np.arcsin(x), Quantity)", 0.5),
    ("isinstance(x, Sequence) or isinstance(x, str)", X),
    ("callable(x)", 0.5),
    ("hasattr(x, 'units')", 0.5),
    ("np.iscomplexobj(x)", X),
    ("kind is None or kind in ('x', 'y')", 0.5, "z"),
    ("len(kind) > 3", 0.5, (1.0, 2.0)),
]
WHOLE = [  # a program, and the arguments
    ("    if callable(x):\n        x = x()\n    return x * x\n", 0.5),
    ("    if isinstance(x, (KeysView, Mapping)):\n        x = list(x)\n    return np.asarray(x) ** 2\n", X),
    ("    if isinstance(x, Quantity):\n        x = x.value\n    return x * x\n", 0.5),
    ("    return ACT[kind](x) * STEPS[0](x)\n", 0.5, "square"),
    ("    return STEPS[kind](x)\n", 0.5, 1),
    ("    f = np.nanmedian if kind else np.median\n    return f(x * x)\n", X, True),
    ("    return getattr(kind, kind.act)(x)\n", 0.5, Layer()),
    ("    for word in kind:\n        x = x * x if word.upper() == 'SQ' else x\n    return x\n", 0.5, ["a", "sq"]),
    ("    a, b = kind.split('-')\n    terms = {'a': x, 'b': x * x}\n    return terms[a] * terms[b]\n", 0.5, "a-b"),
    ("    return powers(x, 2)[1] * powers(x, 3)\n", 0.5),
    ("    return powers(x, kind)[1]\n", 0.5, 2),
    ("    return named(x) * named(x, kind='Linear')[0]\n", 0.5),
    ("    return sum(tower(x * x, 3))\n", 0.5),
    ("    return of_layer(one, x) + 2 * of_layer(two, x)\n", 0.5, Layer(), Layer("tanh", 3)),
    ("    return x * x * np.finfo(float).eps / np.finfo(float).eps\n", 0.5),
    ("    return x * x / np.maximum(x, np.finfo(x.dtype).tiny) + np.iinfo(np.int8).max\n", X),
    ("    y = x * x\n    try:\n        y.name = 'power'\n    except AttributeError:\n        pass\n    return y\n", X),
    ("    try:\n        x = x.to('m').magnitude\n    except (AttributeError, KeyError):\n        x = x * 2\n    return x * x\n", 0.5),
    ("    try:\n        n = len(x)\n    except TypeError:\n        x, n = np.array([x]), 1\n    return x * x / n\n", 0.5),
    ("    try:\n        n = len(x)\n    except TypeError:\n        x = (x,)\n    else:\n        n += 1\n    return x * x / n\n", X),
    ("    if all(map(np.isscalar, (x, kind))):\n        return x * x * kind\n    return np.broadcast_arrays(x, kind)\n", 0.5, 2.0),
    ("    index = next((a.value for a in (x, 1.0) if isinstance(a, Quantity)), None)\n"
     "    return x * x if index is None else Quantity(x)\n", 0.5),
    ("    return np.asarray(x, dtype=kind) ** 2\n", X, np.float64),
    ("    return getattr(np, kind)(x * x)\n", X, "mean"),
    ("    match kind:\n        case 2:\n            r = x, x * x\n        case _:\n            r = x\n    return r[1]\n", 0.5, 2),
    ("    parts = (x,) * kind\n    return parts[0] * parts[1]\n", 0.5, 2),
    ("    shape = x.shape if x.ndim == 1 else (1, 1)\n    return np.reshape(x, shape) ** 2\n", X),
    ("    if kind not in ('a', 'b') and not kind.startswith('c'):\n        raise ValueError(f'no {kind}')\n"
     "    return x * x\n", 0.5, "cubic"),
]  # fmt: skip


def programs() -> list[Any]:
    found = [(test, BRANCH.format(test=test), args) for test, *args in TRUE]
    found += [(test, OTHER.format(test=test), args) for test, *args in FALSE]
    found += [(body, body, args) for body, *args in WHOLE]
    return [pytest.param(body, args, id=name.strip()) for name, body, args in found]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("body", "args"), programs())
def test_branches_are_taken_by_what_is_known(body: str, args: list[Any]) -> None:
    names = ", ".join(["x", *(["one", "two"] if len(args) == 3 else ["kind"])[: len(args) - 1]])
    text = f"{HEAD}def g({names}):\n{body}\ndef f({names}):\n    return np.sum(g({names}))\n"
    f = written(text)
    x, *rest = args

    def along(t: float) -> Any:
        return f(x + t if isinstance(x, np.ndarray) else type(x)(x + t), *rest)

    slope = (along(1e-6) - along(-1e-6)) / 2e-6
    bend = (along(1e-4) - 2 * along(0.0) + along(-1e-4)) / 1e-8
    v = np.ones_like(x) if isinstance(x, np.ndarray) else type(x)(1.0)
    assert np.sum(rg.grad(f)(*args)) == pytest.approx(slope, rel=1e-6, abs=1e-8)
    assert rg.jvp(f, args, [v, *[None] * len(rest)])[1] == pytest.approx(slope, rel=1e-6, abs=1e-8)
    assert np.sum(rg.hvp(f, args, v)) == pytest.approx(bend, rel=1e-4, abs=1e-5)


# -- what the records claim ----------------------------------------------------------------

ASKED = [
    0.5,
    True,
    3,
    2j,
    np.float64(0.5),
    np.array(0.5),
    X,
    np.ones((2, 2), "f4"),
    np.arange(3),
    "a",
    (1.0, 2.0),
]


@pytest.mark.parametrize(
    "fn",
    [f for f, facts in DECLARED.items() if facts.get("folds") == "kinds"],
    ids=lambda f: f.__name__,
)
def test_a_question_about_kinds_has_one_answer_for_each(fn: Any) -> None:
    asked = {"isinstance": (numbers.Real,), "hasattr": ("shape",)}.get(
        getattr(fn, "__name__", ""), ()
    )
    call = fn if callable(fn) else fn.__get__
    for value in ASKED:
        other = value * 2 if isinstance(value, (float, complex, np.generic)) else value
        if isinstance(value, np.ndarray):
            other = np.concatenate([value, value]) if value.ndim else np.array(2 * value)
        try:
            answer = call(value, *asked)
        except TypeError:
            continue
        assert answer == call(other, *asked), (fn, value)


def test_what_has_effects_is_not_computed_early() -> None:
    assert not any(
        map(may_fold, (print, open, input, np.random.rand, id, hash, iter, next, eval, np.sin))
    )
    assert all(map(may_fold, (isinstance, str.lower, str.join, np.finfo)))
