"""A function whose code was replaced, or compiled from another text: what is read must be what runs."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.frontend import source_freshness
from retrograd.runtime.errors import SourceUnavailable

pytestmark = pytest.mark.usefixtures("unchecked")
TEXT = '''
import functools
import numpy as np

def plain(x, k=2.0):
    return k * x * x

def sibling(x, k=3.0):
    return k * x

def outer(a):
    def inner(x):
        return a * x * x
    return inner

inner = outer(3.0)
line = lambda x: 2.0 * x * x
pair = [lambda x: x + 1.0, lambda x: x * x]
lambda_1, lambda_2 = pair

class Some:
    """Private names and super()."""
    __scale = 2.0

    def method(self, x):
        return self.__scale * x * x

    def made(self):
        def within(x):
            return self.__scale * x * x
        return within

    @staticmethod
    @functools.cache
    def still(x):
        return 2.0 * x * x

method, within = Some.method, Some().made()

def recursive(a):
    def down(x, n):
        return x if n == 0 else a * down(x, n - 1)
    return down

down = recursive(2.0)

def documented(x):
    """A text
that begins at the edge."""
    f = lambda y: [y * t for t in (1.0, 2.0)][1]
    try:
        assert x > 0
        return f(x) * f(x)
    except ValueError:
        raise

def several(x, *rest, n=3, **more):
    return x * x + sum(rest)
'''
NAMES = (
    "plain", "sibling", "inner", "line", "lambda_1", "lambda_2", "method", "within", "down", "documented", "several",
)  # fmt: skip


def loaded(path: Path, loader: Any = None, text: str = TEXT) -> Any:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path, loader=loader)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return loaded(tmp_path_factory.mktemp("replaced") / "a_file_of_code.py")


def read(function: Any) -> Any:
    from retrograd.compiler.frontend.source import Source

    return Source(function)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_alike_is_known_by_its_statement(
    name: str, module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file as a whole is not compiled again."""
    monkeypatch.setattr(source_freshness, "codes", None)
    assert read(getattr(module, name)).tree.body


def constants(code: Any) -> dict[str, Any]:
    return {"co_consts": tuple(c * 5 if isinstance(c, float) else c for c in code.co_consts)}


REPLACED: dict[str, Callable[[Any], dict[str, Any]]] = {
    "constants": constants,
    "names": lambda code: {"co_varnames": ("other", *code.co_varnames[1:])},
    "flags": lambda code: {"co_flags": code.co_flags & ~12},
    "count": lambda code: {"co_argcount": code.co_argcount - 1, "co_kwonlyargcount": 1},
    "table": lambda code: {"co_exceptiontable": code.co_exceptiontable[:-1] + b"\x01"},
    "nothing": lambda code: {},
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("part", REPLACED)
@pytest.mark.parametrize("name", NAMES)
def test_replaced_code_is_seen(name: str, part: str, module: Any) -> None:
    f = getattr(module, name)
    code = f.__code__.replace(**REPLACED[part](f.__code__))
    made = types.FunctionType(code, f.__globals__, name, f.__defaults__, f.__closure__)
    if source_freshness.runs_alike(code, f.__code__):
        assert read(made).tree.body
    else:
        with pytest.raises(SourceUnavailable, match="is not what runs"):
            read(made)


def test_each_part_is_replaced_somewhere(module: Any) -> None:
    for part, change in REPLACED.items():
        codes = [getattr(module, name).__code__ for name in NAMES]
        same = [source_freshness.runs_alike(code.replace(**change(code)), code) for code in codes]
        assert all(same) if part == "nothing" else not all(same), part


def test_code_of_another_function_is_seen(module: Any) -> None:
    """Its own place is kept."""
    place = {
        k: getattr(module.plain.__code__, k)
        for k in ("co_name", "co_firstlineno", "co_linetable", "co_qualname")
    }
    code = module.sibling.__code__.replace(**place)
    with pytest.raises(SourceUnavailable, match="its code was replaced"):
        rg.grad(types.FunctionType(code, vars(module), "plain"))(3.0, 2.0)


def test_no_time_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit is seen on every system, and if the file looks older than the process."""
    path = tmp_path / "looks_old.py"
    f = loaded(path).plain
    path.write_text(TEXT.replace("k * x * x", "k * x * x * x"))
    os.utime(path, (1.0, 1.0))
    monkeypatch.setattr(source_freshness, "IMPORTED", float("inf"))
    with pytest.raises(SourceUnavailable, match="has changed since plain was loaded"):
        rg.grad(f)(3.0)


class Doubling(importlib.machinery.SourceFileLoader):
    """A loader that compiles in its own way, as those of run-time type checkers do."""

    def source_to_code(self, data: Any, path: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        text = data if isinstance(data, str) else data.decode()
        return super().source_to_code(
            text.replace("f = lambda", "int(); f = lambda").encode(), path
        )


def test_what_a_loader_adds_is_its_own(tmp_path: Path) -> None:
    path = tmp_path / "loaded_otherwise.py"
    module = loaded(path, Doubling("loaded_otherwise", str(path)))
    assert "int" in module.documented.__code__.co_names
    assert rg.grad(module.documented)(3.0) == 24.0
    code = module.line.__code__.replace(**constants(module.line.__code__))
    with pytest.raises(SourceUnavailable, match="is not what runs"):
        rg.grad(types.FunctionType(code, vars(module), "<lambda>"))(3.0)


def asserting(x: Any) -> Any:
    assert np.all(x > 0), "positive"
    return np.sum(x * x)


def test_asserts_that_pytest_wrote_anew() -> None:
    assert "source_to_code" not in dir(sys.modules[__name__].__loader__)
    np.testing.assert_array_equal(rg.grad(asserting)(np.ones(2)), 2 * np.ones(2))
