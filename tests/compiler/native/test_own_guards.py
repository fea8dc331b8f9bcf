"""What may vary between two calls of a kernel, which looks at its guards itself: each time what the text gives."""

from __future__ import annotations

import builtins
import gc
import inspect
import math
import pickle
import shutil
import threading
import traceback
import types
import weakref
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native.c import own_guards
from tests.fuzz.native import same
from tests.written import namespace

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)

WORLD = """
import math
K = 2.0
def doubled(x):
    return x * 2.0
TABLE = {"of": doubled}
def helper(x, scale=1.0):
    return x * scale
def squared(x, scale=1.0):
    return x * x * scale
def made(k):
    def inner(x):
        return x * k
    def set_k(to):
        nonlocal k
        k = to
    return inner, set_k
INNER, SET = made(3.0)
def f(x, y, p=1.0):
    a = max(x, y) * K + TABLE["of"](y) + helper(y) * np.exp(-x)
    return a + INNER(x) + HOME.rate * HOME.sin(p * y)
def g(x, y, p=3.0):
    return x * y * p
PLAIN = helper.__code__, f.__code__
"""
CHANGES = {  # what is done between two calls, and what undoes it
    "K=2.5": "K=2.0",
    "K=float('2.0')": "K=2.0",
    "K=3": "K=2.0",
    "K=np.float64(2)": "K=2.0",
    "del K": "K=2.0",
    "TABLE['of']=squared": "TABLE['of']=doubled",
    "TABLE={'of': squared}": "TABLE={'of': doubled}",
    "del TABLE['of']": "TABLE['of']=doubled",
    "helper.__defaults__=(2.0,)": "helper.__defaults__=(1.0,)",
    "helper.__code__=squared.__code__": "helper.__code__=PLAIN[0]",
    "helper, squared = squared, helper": "helper, squared = squared, helper",
    "SET(4.0)": "SET(3.0)",
    "HOME.rate=0.7": "HOME.rate=0.5",
    "del HOME.rate": "HOME.rate=0.5",
    "HOME.__class__=Doubled": "HOME.__class__=type(math)",
    "HOME=Doubled('home')": "HOME=OWN",
    "max=min": "del max",
    "HOME.sin=math.cos": "HOME.sin=math.sin",
    "f.__code__=g.__code__": "f.__code__=PLAIN[1]",
    "f.__defaults__=(2.0,)": "f.__defaults__=(1.0,)",
    "UNREAD=1": "del UNREAD",
}


class Doubled(types.ModuleType):
    """A module whose attribute is computed."""

    rate = property(lambda self: 2.0)


class Float(float):
    """A number that is no plain one."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))


def world() -> dict[str, Any]:
    home = types.ModuleType("home")
    home.rate, home.sin = 0.5, math.sin  # type: ignore[attr-defined]
    return namespace(WORLD, HOME=home, OWN=home, Doubled=Doubled)


def compiled(f: Any, wrt: Any = (0, 1)) -> Any:
    return rg.value_and_grad(f, wrt, backend="c", check=None)


def outcome(run: Callable[[], Any]) -> Any:
    try:
        return run()
    except Exception as error:
        return type(error)


def alone(kernel: Any) -> bool:
    """Whether the kernel looks at all guards, and nothing stands before it."""
    lines = kernel.__native__.front.body()
    return len(lines) == 1 and lines[0].lstrip().startswith("return target_")


def looked_at(kernel: Any) -> Any:
    """The keys of dicts, and what else a kernel looks at."""
    *_, counts, entries, owners = own_guards.cell_of(kernel.__native__.family.front).cell_contents  # type: ignore[union-attr]
    assert bool(counts) == own_guards.counts_changes()
    return entries[1::3], {type(owner) for owner in owners}


@pytest.mark.parametrize("counts", [True, False])
def test_what_changes_around_a_function(counts: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a count of changes of each dict, and without: entries are then read in each call."""
    if not counts:
        monkeypatch.setattr(own_guards, "counts_changes", lambda: False)
    scope = world()
    f = scope["f"]
    kernel, text = compiled(f), rg.value_and_grad(f, (0, 1), check=None)
    args = 0.4, 1.3
    kernel(*args)
    assert alone(kernel)
    names, kinds = looked_at(kernel)
    assert {"count", "K", "max", "of", "np", "exp", "rate", "sin"} <= set(names)
    assert {types.FunctionType, types.CellType, types.ModuleType} <= kinds
    for change, undo in CHANGES.items():
        for statement in (change, undo):
            exec(statement, scope)
            value = outcome(lambda: f(*args))
            for _ in range(2):
                found, wanted = (outcome(partial(run, *args)) for run in (kernel, text))
                assert same(found, wanted, 1e-12), (statement, found, wanted)
                if not isinstance(found, type):
                    assert found[0] == pytest.approx(value, rel=1e-14), statement


def test_a_rule_that_is_given_later() -> None:
    scope = namespace("def h(x):\n    return x * x\ndef f(x):\n    return h(x) * 3.0\n")
    kernel = compiled(scope["f"], 0)
    assert kernel(2.0) == (12.0, 12.0) == kernel(2.0)

    def hundredfold(z: Any, x: Any, *, dx: Any) -> Any:
        return 100.0 * x * dx

    rg.rule(scope["h"])(hundredfold)
    for _ in range(2):
        assert (
            kernel(2.0)
            == (12.0, 600.0)
            == kernel(2.0)
            == rg.value_and_grad(scope["f"], check=None)(2.0)
        )


def test_a_builtin_that_is_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    f = namespace("def f(x):\n    return abs(x) * x\n")["f"]
    kernel = compiled(f, 0)
    assert kernel(-2.0) == (-4.0, 4.0) == kernel(-2.0)
    with monkeypatch.context() as other:
        other.setattr(builtins, "abs", lambda x: x * 3.0)
        assert kernel(-2.0) == (12.0, -12.0) == kernel(-2.0)
    assert kernel(-2.0) == (-4.0, 4.0) == kernel(-2.0)


ARGUMENTS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((0.4, 1.3), {}), ((1, 1.3), {}), ((0.4, 2), {}), ((0.4, 1.3, 2), {}), ((0.4, 1.3, True), {}),
    ((np.float64(0.4), 1.3), {}), ((0.4, np.float64(1.3)), {}), ((np.float32(0.4), 1.3), {}),
    ((np.array(0.4), 1.3), {}), ((np.array([0.4]), 1.3), {}), ((Float(0.4), 1.3), {}), ((0.4, "1"), {}),
    ((0.4, None), {}), ((0.4,), {"y": 1.3}), ((), {"y": 1.3, "x": 0.4}), ((0.4, 1.3), {"p": 2.0}),
    ((0.4,), {}), ((0.4, 1.3, 1.0, 2.0), {}), ((0.4, 1.3), {"q": 1.0}), ((0.4, 1.3), {"x": 1.0}),
    ((float("nan"), 1.3), {}), ((0.4, 10**400), {}), ((-0.0, 0.0), {}),
]  # fmt: skip


def test_what_is_given() -> None:
    f = world()["f"]
    kernel, text = compiled(f), rg.value_and_grad(f, (0, 1), check=None)
    with np.errstate(all="ignore"):
        for args, named in ARGUMENTS:
            for given in ((args, named), ARGUMENTS[0]):
                for _ in range(2):
                    found, wanted = (
                        outcome(partial(run, *given[0], **given[1])) for run in (kernel, text)
                    )
                    assert same(found, wanted, 1e-12), (given, found, wanted)
    assert alone(kernel)


class Key(str):
    """A name that looks like `K` to a dict, until it is compared with it: whatever that does."""

    compared: Callable[[], None] = staticmethod(lambda: None)

    def __hash__(self) -> int:
        return hash("K")

    def __eq__(self, other: object) -> bool:
        Key.compared()
        return False


def fails_once() -> None:
    Key.compared = staticmethod(lambda: None)  # type: ignore[method-assign]
    raise ValueError("no comparison")


@pytest.mark.parametrize("how", ["another table", "an error"])
def test_keys_that_are_no_strings(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    f = world()["f"]
    kernel: Any = compiled(f)
    scope = f.__globals__
    del scope["K"]
    scope |= {Key("first"): 1, "K": 2.0}
    wanted = {}
    for k in (2.0, 5.0):
        scope["K"] = k
        wanted[k] = kernel(0.4, 1.3)
    assert wanted[2.0] != wanted[5.0]

    def puts_another_one() -> None:
        Key.compared = staticmethod(lambda: None)  # type: ignore[method-assign]
        kernel.__native__.still()

    done = puts_another_one if how == "another table" else fails_once
    for k in (2.0, 2.0, 5.0, 5.0, 2.0, 2.0):
        scope["K"] = k
        with monkeypatch.context() as while_called:
            while_called.setattr(Key, "compared", staticmethod(done))
            assert kernel(0.4, 1.3) == wanted[k] == kernel(0.4, 1.3)


def test_checks_are_seen() -> None:
    f = world()["f"]
    kernel = rg.value_and_grad(f, (0, 1), backend="c")
    kernel(0.4, 1.3)
    assert alone(kernel)
    rg.set_check("always")
    try:
        assert not alone(kernel)
        kernel(0.4, 1.3)
        assert not alone(kernel)
    finally:
        rg.set_check("default")
    kernel(0.4, 1.3)
    assert alone(kernel)


def test_errors_show_the_lines_of_the_function() -> None:
    f = namespace("def f(x):\n    if x > 5:\n        raise ValueError('far')\n    return x * x\n")[
        "f"
    ]
    kernel, text = compiled(f, 0), rg.value_and_grad(f, check=None)
    kernel(1.0), text(1.0)
    shown = []
    for run in (kernel, text):
        with pytest.raises(ValueError, match="far") as caught:
            run(7.0)
        frames = traceback.extract_tb(caught.value.__traceback__)
        shown.append([frame.line for frame in frames if "test_own_guards" not in frame.filename])
    assert shown[0] == shown[1] != []


def cubed(x: Any, y: Any = 2.0) -> Any:
    return x**3 * y


def test_what_is_said_of_it() -> None:
    kernel, text = compiled(cubed, 0), rg.value_and_grad(cubed, 0, check=None)
    for _ in range(2):
        assert kernel(2.0) == (16.0, 24.0)
        assert str(inspect.signature(kernel)) == str(inspect.signature(text)) == "(x, y=2.0)"
        assert (kernel.__name__, kernel.__doc__) == (text.__name__, text.__doc__)
        assert pickle.loads(pickle.dumps(kernel))(2.0) == kernel(2.0)
        assert type(kernel) is types.FunctionType


def test_threads_see_what_was_or_what_is() -> None:
    scope = namespace("K = 2.0\ndef f(x):\n    return x * K\n")
    kernel = compiled(scope["f"], 0)
    wanted = {2.0: (6.0, 2.0), 5.0: (15.0, 5.0)}
    for k in (5.0, 2.0):
        scope["K"] = k
        assert kernel(3.0) == wanted[k]
    found: set[Any] = set()
    done = threading.Event()

    def call() -> None:
        while not done.is_set():
            found.add(kernel(3.0))

    callers = [threading.Thread(target=call) for _ in range(2)]
    for caller in callers:
        caller.start()
    for k in range(300):
        scope["K"] = (2.0, 5.0)[k % 2]
        found.add(kernel(3.0))
        assert kernel(3.0) == wanted[scope["K"]]
    done.set()
    for caller in callers:
        caller.join()
    assert found == set(wanted.values())


def test_a_kernel_keeps_nothing_alive() -> None:
    f = world()["f"]
    kernel = compiled(f)
    kernel(0.4, 1.3)
    gone = weakref.ref(f)
    del f, kernel
    gc.collect()
    assert gone() is None


def test_more_dicts_than_a_table_has_room_for() -> None:
    n = own_guards.MOST + 4
    modules = {f"m{k}": types.ModuleType(f"m{k}") for k in range(n)}
    for k, module in enumerate(modules.values()):
        module.a = float(k)  # type: ignore[attr-defined]
    terms = " + ".join(f"{name}.a * x" for name in modules)
    kernel = compiled(namespace(f"def f(x):\n    return {terms}\n", **modules)["f"], 0)
    assert kernel(1.0)[0] == sum(range(n))
    assert not alone(kernel)
    for module in list(modules.values())[::6]:
        module.a += 1.0  # type: ignore[attr-defined]
        wanted = sum(module.a for module in modules.values())  # type: ignore[attr-defined]
        assert kernel(1.0) == (wanted, wanted) == kernel(1.0)
