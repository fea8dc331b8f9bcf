"""The inline functions as text for numba: the same bounds as in C."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from retrograd.compiler.native.math.to_numba import BOUNDS, BOUNDS_F, HEAD, math_text

from . import test_math_c as in_c
from .inline_math import NAMES, TWO, arguments, base, check

LOOP = """

@numba.njit(error_model="numpy")
def v_{name}(y, {inputs}):
    for i in range(y.size):
        y[i] = {name}({elements})
"""


def program(accuracy: str = "inline", names: list[str] = NAMES) -> str:
    text = [HEAD, "\n\n", math_text(set(names), accuracy)]
    for name in names:
        inputs = ["x", "z"] if base(name) in TWO else ["x"]
        elements = ", ".join(f"{one}[i]" for one in inputs)
        text.append(LOOP.format(name=name, inputs=", ".join(inputs), elements=elements))
    return "".join(text)


def loaded(path: Path, text: str) -> ModuleType:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    pytest.importorskip("numba")
    return loaded(tmp_path_factory.mktemp("math") / "inline.py", program())


@pytest.mark.sampled(7)
@pytest.mark.parametrize("name", NAMES)
def test_within_the_bound(module: ModuleType, name: str) -> None:
    inputs = arguments(name)
    found = np.empty_like(inputs[0])
    getattr(module, f"v_{name}")(found, *inputs)
    check(name, found)


def test_the_loop_is_vector_code(module: ModuleType) -> None:
    x = np.linspace(-1.0, 1.0, 1000)
    module.v_rg_tanh(np.empty_like(x), x)
    (assembly,) = module.v_rg_tanh.inspect_asm().values()
    assert "call" not in assembly.split("v_rg_tanh")[1] or "pd\t" in assembly
    (code,) = module.v_rg_tanh.inspect_llvm().values()
    assert "x double> @llvm.fma" in code


def test_strict_is_the_library(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    names = ["rg_exp", "rg_arctan2f", "rg_sigmoid", "rg_exp2", "rg_cbrt"]
    text = program("libm", names)
    assert "rg_exp = math.exp\n" in text
    assert "rg_arctan2f = math.atan2\n" in text
    strict = loaded(tmp_path / "strict.py", text)
    x = np.linspace(0.1, 3.0, 1001)
    for name, function in {"rg_exp": np.exp, "rg_exp2": np.exp2, "rg_cbrt": np.cbrt}.items():
        y = np.empty_like(x)
        getattr(strict, f"v_{name}")(y, x)
        np.testing.assert_allclose(y, function(x), rtol=1e-15)
    y = np.empty_like(x)
    strict.v_rg_sigmoid(y, x)
    np.testing.assert_allclose(y, 1 / (1 + np.exp(-x)), rtol=1e-15)


def test_the_names_and_bounds_are_those_of_c() -> None:
    assert BOUNDS == in_c.BOUNDS
    assert BOUNDS_F == in_c.BOUNDS_F
