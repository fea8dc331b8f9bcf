"""Values of arguments that decide branches are guarded: no call reaches a text that was made for another value."""

from __future__ import annotations

import enum
import itertools
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import SignatureMismatch, TapeWarning
from retrograd.transforms.specialise.known_arguments import MOST
from tests.written import namespace, written


class Mode(enum.Enum):
    FAST = 1
    EXACT = 2


class Layer:
    def __init__(self, act: str) -> None:
        self.act, self.name = act, f"layer of {act}"


PAIRS: dict[str, tuple[str, list[Any]]] = {  # a test, and values for which it holds, or does not
    "text": ("k.upper() == 'LINEAR'", ["linear", "Linear", "square", ""]),
    "bytes": ("k.upper() == b'A'", [b"a", b"b"]),
    "flag": ("k", [True, False]),
    "whole number": ("k == 2", [2, 3, -1]),
    "number of NumPy's": ("k == 2", [np.int64(2), np.int64(3)]),
    "member": ("k is k.FAST", list(Mode)),
    "member's name": ("k.name == 'FAST'", list(Mode)),
    "item of a dict": ("k['act'].upper() == 'A'", [{"act": "a"}, {"act": "b"}]),
    "item of a list": ("k[1].upper() == 'B'", [["a", "b"], ["a", "a"]]),
    "attribute": ("k.act.upper() == 'A'", [Layer("a"), Layer("b"), Layer("a")]),
    "class": ("k is float", [float, np.float32]),
    "dtype": ("k.kind == 'f'", [np.dtype("f4"), np.dtype("i4")]),
    "class of rank 0": ("isinstance(k, float)", [np.float64(1.0), np.array(1.0)]),
}
TEXT = "def f(x, k):\n    if {test}:\n        r = x, 2.0 * x * x\n    else:\n        r = x.real\n    return r[1] if {test} else r * x * x\n"
X = 0.5


def right(test: str, k: Any) -> float:
    return 4 * X if eval(test, {"k": k}) else 3 * X**2


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("how", ["plain", "decorated", "unchecked", "numba", "value_and_grad"])
def test_another_value_is_another_text(
    name: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    test, values = PAIRS[name]
    f = written(TEXT.format(test=test))
    asked: Callable[..., Any] = rg.grad(f)
    if how == "decorated":
        asked = rg.differentiate(f, strict=True).grad
    elif how == "value_and_grad":
        both = rg.value_and_grad(f)
        asked = lambda x, k: both(x, k)[1]
    elif how == "numba":
        pytest.importorskip("numba")
        asked = rg.grad(f, backend="numba")
    if how == "unchecked":
        monkeypatch.setattr("retrograd.transforms.check.policy._chosen", None)
    with warnings.catch_warnings():
        warnings.simplefilter("error", TapeWarning)
        for first, second in itertools.product(values, repeat=2):
            for k in (first, second, first):
                assert asked(X, k) == pytest.approx(right(test, k)), (name, k)


def test_what_no_branch_asks_for_is_free() -> None:
    f = written(
        "def f(x, mode, steps, other):\n"
        "    r = (x, x * x) if mode == 2 else x\n"
        "    for _ in range(steps):\n        x = x * 1.0\n"
        "    return r[1] * steps\n"
    )
    g = rg.grad(f)
    assert g(X, 2, 2, 1) == 4 * X
    lines = len(g.__retrograd__.watch.pinned)
    (pinned,) = g.__retrograd__.watch.pinned.values()
    assert pinned.paths == {("mode", ())}
    before = pinned.made
    assert [g(X, 2, n, k) for n, k in ((3, 7), (5, 8))] == [6 * X, 10 * X]
    assert (len(g.__retrograd__.watch.pinned), pinned.made) == (lines, before)


def test_a_function_that_compiles_for_every_value_is_compiled_once() -> None:
    f = written("def f(x, mode):\n    return x * x if mode == 'square' else x\n")
    g = rg.grad(f)
    assert [g(X, m) for m in ("square", "linear", "other")] == [2 * X, 1.0, 1.0]
    assert not g.__retrograd__.watch.pinned


@pytest.mark.usefixtures("taped")
def test_many_values_end_on_the_tape() -> None:
    f = written(TEXT.format(test="k % 2 == 0"))
    decorated = rg.differentiate(f)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = [decorated.grad(X, n) for n in range(MOST + 8)]
    assert found == pytest.approx([4 * X if n % 2 == 0 else 3 * X**2 for n in range(MOST + 8)])
    assert len(caught) == 1 and "depend on the value of `k`" in str(caught[0].message)


def test_a_function_of_the_module_by_a_known_name_is_looked_up_again() -> None:
    scope = namespace(
        "ACT = {'sin': np.sin, 'id': lambda v: v}\ndef f(x, act):\n    return ACT[act](x) * x\n"
    )
    g = rg.grad(scope["f"])
    assert g(X, "id") == 2 * X
    scope["ACT"]["id"] = lambda v: v * v
    assert g(X, "id") == pytest.approx(3 * X**2)
    scope["ACT"]["id"] = np.exp
    assert g(X, "id") == pytest.approx(np.exp(X) * (1 + X))


def test_a_flag_of_the_module_is_read_again() -> None:
    scope = namespace(
        "PAIR = True\ndef f(x):\n    r = (x, x * x) if PAIR else x\n    return r[1] if PAIR else r\n"
    )
    g = rg.grad(scope["f"])
    assert g(X) == 2 * X
    scope["PAIR"] = False
    assert g(X) == 1.0


def test_containers_of_the_module_are_guarded_by_what_is_in_them() -> None:
    scope = namespace(
        "NAMES = ['a']\ndef f(x, k):\n    r = (x, x * x) if k in NAMES else x\n    return r[1] if k in NAMES else r\n"
    )
    g = rg.grad(scope["f"])
    assert (g(X, "a"), g(X, "b")) == (2 * X, 1.0)
    scope["NAMES"].append("b")
    assert (g(X, "a"), g(X, "b")) == (2 * X, 2 * X)


def test_what_a_call_may_write_to_is_not_known() -> None:
    scope = namespace(
        "def change(m):\n    exec('m.act = m.other')\n"
        "def f(x, m):\n    change(m)\n    r = (x, x * x) if m.act.upper() == 'A' else x\n    return r[1]\n"
    )
    layer = Layer("a")
    layer.other = "b"  # type: ignore[attr-defined]
    with pytest.raises(rg.RetrogradError):
        rg.grad(scope["f"])(X, layer)


def test_two_objects_of_one_class_have_values_of_their_own() -> None:
    f = written(
        "def of(m, x):\n    r = (x, x * x) if m.act.upper() == 'A' else x\n    return r[1] if m.act == 'a' else r\n"
        "def f(x, one, two):\n    return of(one, x) + 3 * of(two, x)\n"
    )
    for one, two in itertools.product("ab", repeat=2):
        want = sum(w * (2 * X if k == "a" else 1.0) for w, k in ((1, one), (3, two)))
        assert rg.grad(f)(X, Layer(one), Layer(two)) == pytest.approx(want)


# -- texts that stand by themselves ----------------------------------------------------------

SOURCES = [
    ("k.upper() == 'A'", "'a'", "a", "b"),
    ("k == 2", "int = 2", 2, 3),
    ("k", "bool = True", True, False),
    ("k == 2", "i8 = 2", np.int64(2), np.int64(3)),
    ("k is float", "builtins.float", float, np.float64),
    ("k.kind == 'f'", "dtype('float64')", np.dtype("f8"), np.dtype("i4")),
    ("isinstance(k, float)", "f8 = float64", np.float64(1.0), np.array(1.0)),
    ("k is k.FAST", "tests.face.test_values_of_arguments.Mode.FAST", Mode.FAST, Mode.EXACT),
]


@pytest.mark.parametrize(("test", "shown", "given", "other"), SOURCES)
def test_a_text_refuses_other_values(test: str, shown: str, given: Any, other: Any) -> None:
    f = rg.differentiate(written(TEXT.format(test=test)), strict=True)
    text = f.source("grad", X, given)
    assert f"k: {shown}" in " ".join(text.split())
    scope: dict[str, Any] = {}
    exec(text, scope)
    assert scope["f_grad"](X, given) == pytest.approx(right(test, given))
    with pytest.raises(SignatureMismatch):
        scope["f_grad"](X, other)


def test_a_signature_tells_values() -> None:
    f = rg.differentiate(written(TEXT.format(test="k == 2")), strict=True)
    with pytest.raises(rg.RetrogradError):
        f.source(sig="x: float, k: int")
    assert f.source(sig="x: float, k: int = 2") == f.source("grad", X, 2)


def test_another_process_finds_the_text(tmp_path: Path) -> None:
    program = tmp_path / "model.py"
    program.write_text(
        f"import sys\nimport retrograd as rg\n{TEXT.format(test='k.upper() == chr(65)')}\n"
        "print([rg.grad(f)(0.5, k) for k in sys.argv[1:]])\n"
    )
    run = [sys.executable, str(program), "a", "b", "A"]
    said = [
        subprocess.run(run, capture_output=True, text=True, check=True).stdout for _ in range(2)
    ]
    assert said == ["[2.0, 0.75, 2.0]\n"] * 2
