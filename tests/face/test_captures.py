"""Globals, closures and helpers that change: the gradient is always that of what the name means now."""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from retrograd.transforms.specialise import compile as compiled


@pytest.fixture
def build_count(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One entry for every kind of arguments that was looked up or compiled."""
    built: list[str] = []
    original = compiled.compile_chain

    def counted(fn: Any, *rest: Any) -> Any:
        built.append(fn.__name__)
        return original(fn, *rest)

    monkeypatch.setattr("retrograd.transforms.transformed_function.compile_chain", counted)
    return built


def module(tmp_path: Path, name: str, text: str) -> ModuleType:
    path = tmp_path / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made


# -- compile once per kind ---------------------------------------------------------------------------


def test_one_compilation_per_kind(build_count: list[str]) -> None:
    gradient = rg.grad(lambda x: np.sum(x * x))
    for n in (2, 3, 5, 0, 100):
        gradient(np.ones(n))
    assert len(build_count) == 1
    for x in (np.ones(1), np.ones((2, 2)), np.ones((2, 1)), np.ones(3, np.float32), 1.5):
        gradient(x)
        gradient(x)
    assert len(build_count) == 6
    for x in (np.ones(4), np.ones((3, 3)), 2.5):
        gradient(x)
    assert len(build_count) == 6


def test_more_kinds_than_the_dispatcher_remembers_are_still_right(build_count: list[str]) -> None:
    gradient = rg.grad(lambda x: np.sum(x * x))
    kinds = [np.full((2,) * n, 1.5, dtype) for n in range(5) for dtype in (np.float64, np.float32)]
    for _ in range(3):
        for x in kinds:
            got = gradient(x)
            np.testing.assert_array_equal(got, 2 * x)
            assert got.dtype == x.dtype


def test_each_pullback_is_compiled_once(build_count: list[str]) -> None:
    def f(x: Any) -> Any:
        return x * x

    for n in (2, 3, 4):
        rg.vjp(f, np.ones(n))[1](np.ones(n))
        rg.jvp(f, (np.ones(n),), (np.ones(n),))
    assert len(build_count) == 2


# -- globals --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [("2.0", "3.0"), ("2", "3"), ("2.0", "2"), ("True", "2"), ("0.0", "-0.0"), ("np.ones(3)", "2 * np.ones(3)"),
     ("2.0", "np.ones(3)"), ("np.ones(3)", "np.ones((3, 1))"), ("np.float64(2)", "np.float32(2)")],
)  # fmt: skip
def test_a_global_that_changes(tmp_path: Path, first: str, second: str) -> None:
    text = f"import numpy as np\nRATE = {first}\ndef f(x):\n    return np.sum(RATE * x * x + RATE * x)\n"
    m = module(tmp_path, "changing_global", text)
    gradient = rg.grad(m.f)
    x = np.array([0.5, 1.0, 2.0])
    for value in (first, second, first, second):
        m.RATE = eval(value)
        rate = np.sum(
            np.broadcast_to(m.RATE, np.broadcast_shapes(np.shape(m.RATE), (3,))).reshape(-1, 3),
            axis=0,
        )
        np.testing.assert_allclose(gradient(x), 2 * rate * x + rate)


def test_a_global_that_changes_sign_decides_a_branch(tmp_path: Path) -> None:
    m = module(
        tmp_path,
        "branching",
        "FLAG = True\ndef f(x):\n    if FLAG:\n        return x * x\n    return 5.0 * x\n",
    )
    gradient = rg.grad(m.f)
    assert gradient(3.0) == 6.0
    m.FLAG = False
    assert gradient(3.0) == 5.0
    m.FLAG = True
    assert gradient(3.0) == 6.0


def test_a_global_container_that_is_changed_in_place(tmp_path: Path) -> None:
    text = (
        "import numpy as np\nW = [2.0, 3.0]\nD = {'a': 2.0}\nA = np.array([2.0, 3.0])\n"
        "def f(x):\n    return W[0] * x\ndef g(x):\n    return D['a'] * x\ndef h(x):\n    return A[1] * x\n"
    )
    m = module(tmp_path, "containers", text)
    before = [rg.grad(f) for f in (m.f, m.g, m.h)]
    assert [g(1.0) for g in before] == [2.0, 2.0, 3.0]
    m.W[0], m.D["a"], m.A[1] = 20.0, 30.0, 40.0
    assert [g(1.0) for g in before] == [20.0, 30.0, 40.0]


def test_an_attribute_of_a_global_object(tmp_path: Path) -> None:
    text = (
        "from types import SimpleNamespace\nconfig = SimpleNamespace(rate=2.0)\n"
        "def f(x):\n    return config.rate * x\n"
    )
    m = module(tmp_path, "configured", text)
    gradient = rg.grad(m.f)
    try:
        assert gradient(1.0) == 2.0
    except RetrogradError:
        return
    m.config.rate = 3.0
    assert gradient(1.0) == 3.0
    m.config = SimpleNamespace(rate=4.0)
    assert gradient(1.0) == 4.0


def test_a_name_from_another_module(tmp_path: Path) -> None:
    other = module(tmp_path, "constants_of", "RATE = 2.0\n")
    m = module(
        tmp_path, "user_of", "import constants_of\ndef f(x):\n    return constants_of.RATE * x\n"
    )
    gradient = rg.grad(m.f)
    assert gradient(1.0) == 2.0
    other.RATE = 3.0
    assert gradient(1.0) == 3.0


# -- closures ------------------------------------------------------------------------------------------------


def power_function(n: Any) -> Callable[[Any], Any]:
    def power(x: Any) -> Any:
        return x**n

    return power


def test_closures_of_one_function_do_not_share_their_cells() -> None:
    square, cube = rg.grad(power_function(2)), rg.grad(power_function(3))
    half = rg.grad(power_function(0.5))
    for _ in range(2):
        assert square(3.0) == 6.0
        assert cube(3.0) == 27.0
        assert half(4.0) == 0.25


def test_a_cell_that_is_rebound() -> None:
    rate: Any = 2.0

    def f(x: Any) -> Any:
        return rate * x * x

    gradient = rg.grad(f)
    assert gradient(1.0) == 4.0
    rate = 3.0
    assert gradient(1.0) == 6.0
    rate = np.array([1.0, 2.0])
    np.testing.assert_array_equal(rg.grad(lambda x: np.sum(f(x)))(np.ones(2)), [2.0, 4.0])
    _, pullback = rg.vjp(f, 1.0)
    np.testing.assert_array_equal(pullback(np.ones(2))[0], 6.0)
    rate = 5.0
    assert rg.vjp(f, 1.0)[1](1.0)[0] == 10.0
    assert rg.jvp(f, (1.0,), (1.0,))[1] == 10.0


def test_closures_over_functions() -> None:
    def compose(f: Any, g: Any) -> Any:
        return lambda x: f(g(x))

    assert rg.grad(compose(np.sin, np.exp))(0.5) == pytest.approx(np.cos(np.exp(0.5)) * np.exp(0.5))
    assert rg.grad(compose(np.exp, np.sin))(0.5) == pytest.approx(np.exp(np.sin(0.5)) * np.cos(0.5))
    assert rg.grad(compose(power_function(3), power_function(2)))(1.5) == pytest.approx(6 * 1.5**5)


def test_lambdas_on_one_line() -> None:
    first, second = (lambda x: x * x), (lambda x: x * x * x)
    assert (rg.grad(first)(2.0), rg.grad(second)(2.0)) == (4.0, 12.0)
    table = {
        "a": lambda x: 2.0 * x,
        "b": lambda x: 3.0 * x,
        "c": lambda x: (lambda y: y * y)(x) * 5.0,
    }
    assert [rg.grad(table[k])(2.0) for k in "ab"] == [2.0, 3.0]
    outer = lambda k: lambda x: k * x
    assert rg.grad(outer(7.0))(1.0) == 7.0
    assert [rg.grad(f)(2.0) for f in (lambda x: x, lambda x: x * x, lambda x: x * x)] == [
        1.0,
        4.0,
        4.0,
    ]


def test_a_lambda_over_several_lines() -> None:
    f = (
        lambda x:
        x * x  # the square
        + 2.0 * x
    )  # fmt: skip
    assert rg.grad(f)(3.0) == 8.0


# -- helpers --------------------------------------------------------------------------------------------------


def test_a_helper_that_is_redefined(tmp_path: Path) -> None:
    m = module(
        tmp_path,
        "redefined",
        "def helper(x):\n    return x * x\ndef f(x):\n    return helper(x) + x\n",
    )
    gradient = rg.grad(m.f)
    assert gradient(3.0) == 7.0
    other = module(tmp_path, "redefined_2", "def helper(x):\n    return x * x * x\n")
    m.helper = other.helper
    assert gradient(3.0) == 28.0
    m.helper = np.sin
    assert gradient(3.0) == pytest.approx(np.cos(3.0) + 1)


def test_a_helpers_helper_and_a_helpers_global(tmp_path: Path) -> None:
    text = "K = 2.0\ndef low(x):\n    return K * x\ndef mid(x):\n    return low(x) * x\ndef f(x):\n    return mid(x)\n"
    m = module(tmp_path, "levels", text)
    gradient = rg.grad(m.f)
    assert gradient(3.0) == 12.0
    m.K = 5.0
    assert gradient(3.0) == 30.0
    m.low = module(tmp_path, "levels_2", "def low(x):\n    return x * x\n").low
    assert gradient(3.0) == 27.0


def test_two_modules_with_the_same_names(tmp_path: Path) -> None:
    one = module(tmp_path, "same_a", "K = 2.0\ndef f(x):\n    return K * x\n")
    two = module(tmp_path, "same_b", "K = 3.0\ndef f(x):\n    return K * x\n")
    assert (rg.grad(one.f)(1.0), rg.grad(two.f)(1.0), rg.grad(one.f)(1.0)) == (2.0, 3.0, 2.0)


def test_a_helper_from_a_module_with_a_global_of_the_same_name(tmp_path: Path) -> None:
    low = module(tmp_path, "lower_module", "K = 2.0\ndef helper(x):\n    return K * x\n")
    up = module(
        tmp_path,
        "upper_module",
        "from lower_module import helper\nK = 5.0\ndef f(x):\n    return helper(x) * K\n",
    )
    gradient = rg.grad(up.f)
    assert gradient(1.0) == 10.0
    low.K = 3.0
    assert gradient(1.0) == 15.0
    up.K = 7.0
    assert gradient(1.0) == 21.0


def test_the_same_function_defined_again(tmp_path: Path) -> None:
    one = module(tmp_path, "again", "def f(x):\n    return x * x\n")
    assert rg.grad(one.f)(3.0) == 6.0
    path = tmp_path / "again.py"
    path.write_text("def f(x):\n    return x ** 3 + 0\n")
    two = module(tmp_path, "again", path.read_text())
    assert rg.grad(two.f)(3.0) == 27.0


# -- wrappers ----------------------------------------------------------------------------------------------------


def twice(f: Any) -> Any:
    @functools.wraps(f)
    def wrapper(x: Any) -> Any:
        return 2.0 * f(x)

    return wrapper


def test_a_wrapper_is_not_what_it_wraps() -> None:
    @twice
    def square(x: Any) -> Any:
        return x * x

    assert rg.grad(square)(3.0) == 12.0
    assert rg.grad(lambda x: square(x) + x)(3.0) == 13.0
    assert rg.jvp(square, (3.0,), (1.0,)) == (18.0, 12.0)


def test_a_wrapper_that_hides_its_arguments_is_refused() -> None:
    def loud(f: Any) -> Any:
        @functools.wraps(f)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return 3.0 * f(*args, **kwargs)

        return wrapper

    @loud
    def square(x: Any) -> Any:
        return x * x

    try:
        got = rg.grad(square)(3.0)
    except RetrogradError:
        return
    assert got == 18.0


def test_a_cached_function_is_differentiated_as_the_function() -> None:
    @functools.lru_cache
    def square(x: Any) -> Any:
        return x * x

    assert rg.grad(square)(3.0) == 6.0


def test_a_partial_is_right_or_refused() -> None:
    def f(x: Any, k: Any) -> Any:
        return k * x * x

    try:
        assert rg.grad(functools.partial(f, k=3.0))(2.0) == 12.0
    except RetrogradError as error:
        assert "function" in str(error)  # noqa: PT017
