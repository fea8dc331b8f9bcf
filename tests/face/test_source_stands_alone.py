"""Texts that ``source`` gives: every name they read is imported or defined, or the header names it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.transforms.specialise.name_origins import public_name

PROGRAM = """
import math
import numpy as np
import shapes_of_tests as shapes

SCALE = np.float64(1.5)
EPS = np.finfo(float).eps
WEIGHTS = np.arange(3.0)
TABLE = [(0.1 * k, 0.3 * k) for k in range(4)]


class Settings:
    rate = np.float32(0.25)
    offsets = np.arange(3.0)


settings = Settings()


def loss(x):
    s = 0.0
    for k in range(len(TABLE)):
        s = s + TABLE[k][0] * np.sin(TABLE[k][1] * x)
    return np.sum(s * SCALE + EPS + WEIGHTS * x * settings.rate + settings.offsets * shapes.FACTORS * x)


def made():
    scale, factors, big = np.float32(0.5), np.arange(3), np.arange(100.0)

    def inner(x):
        return scale * np.sum(factors * x) + np.sum(big[:3] * x * x)

    return inner


def small():
    weights = np.array([[1.0, 2.0, 3.0]])

    def inner(x):
        return np.sum(weights @ np.sin(x)) ** 2

    return inner
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    (tmp_path / "shapes_of_tests.py").write_text(
        "import numpy as np\nFACTORS = np.array([0.5, 1, 2])\n"
    )
    (tmp_path / "program_of_tests.py").write_text(PROGRAM)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("program_of_tests")
    for name in ("program_of_tests", "shapes_of_tests"):
        sys.modules.pop(name, None)


def run(text: str, x: Any, **given: Any) -> Any:
    namespace = dict(given)
    exec(text, namespace)
    (name,) = [n for n in namespace if n.endswith("_grad")]
    return namespace[name](x)


@pytest.mark.parametrize("x", [np.array([0.3, 0.5, -0.2]), np.array([0.3, 0.5, -0.2], np.float32)])
def test_names_of_a_module_are_imported(program: ModuleType, x: Any) -> None:
    f = rg.differentiate(program.loss)
    for text in (f.source(), f.source("grad", x)):
        np.testing.assert_allclose(run(text, x), rg.grad(program.loss)(x), rtol=1e-6)


def test_numbers_and_small_arrays_of_a_closure_are_defined(program: ModuleType) -> None:
    x = np.array([0.3, 0.5, -0.2])
    f = program.small()
    text = rg.differentiate(f).source()
    assert "weights = np.array([[1.0, 2.0, 3.0]])" in text
    np.testing.assert_allclose(run(text, x), rg.grad(f)(x))


def test_others_are_named_by_the_header(program: ModuleType) -> None:
    x = np.array([0.3, 0.5, -0.2])
    f = program.made()
    text = rg.differentiate(f).source()
    assert "`big` is an object of the program: define it here first." in text.split('"""')[1]
    np.testing.assert_allclose(run(text, x, big=np.arange(100.0)), rg.grad(f)(x))


def test_a_script_is_imported_by_the_name_of_its_file(program: ModuleType) -> None:
    module = ModuleType("__main__")
    module.__dict__.update(__file__=program.__file__, WEIGHTS=program.WEIGHTS)
    assert public_name(module) == "program_of_tests"
    del module.__dict__["__file__"]
    assert public_name(module) is None
