"""`@differentiate`: the function unchanged, its derivatives beside it; what Python expects of a function."""

from __future__ import annotations

import inspect
import linecache
import multiprocessing
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import (
    CompileError,
    NotDifferentiable,
    SignatureMismatch,
    SourceUnavailable,
)


@rg.differentiate
def area(r: float, scale: float = 3.0) -> float:
    """The area of something."""
    return scale * r * r


@rg.differentiate(wrt=("x", "y"))
def product(x: Any, y: Any) -> Any:
    return np.sum(x * y)


@rg.differentiate(wrt="y", sig="x: f8[n], y: f8[n]")
def weighted(x: Any, y: Any) -> Any:
    return np.sum(x * y * y)


class Model:
    rate = 2.0

    def __init__(self) -> None:
        self.power = 3.0

    @rg.differentiate
    def loss(self, x: Any) -> Any:
        return x * x

    @staticmethod
    @rg.differentiate
    def fixed(x: Any) -> Any:
        return x * x * x

    def plain(self, x: Any) -> Any:
        return self.power * x


def test_the_function_itself_is_unchanged() -> None:
    assert area(2.0) == 12.0
    assert area(2.0, scale=1.0) == 4.0
    assert area.__name__ == "area"
    assert area.__doc__ == "The area of something."
    assert area.__module__ == __name__
    assert list(inspect.signature(area).parameters) == ["r", "scale"]
    assert inspect.unwrap(area).__code__.co_name == "area"


def test_the_derivatives_are_functions_with_signature_and_documentation() -> None:
    assert list(inspect.signature(area.grad).parameters) == ["r", "scale"]
    assert inspect.signature(area.grad).parameters["scale"].default == 3.0
    assert "gradient of area" in str(area.grad.__doc__)
    assert area.grad.__name__ == "area_grad"
    assert area.grad is area.grad


def test_every_method_of_the_decorator() -> None:
    assert area.grad(2.0) == 12.0
    assert area.grad(2.0, scale=1.0) == 4.0
    assert area.value_and_grad(2.0) == (12.0, 12.0)
    assert area.jvp((2.0, 3.0), (1.0, None)) == (12.0, 12.0)
    value, pullback = area.vjp(2.0)
    assert (value, pullback(1.0)) == (12.0, (12.0, 4.0))
    value, tangent = area.linearize(2.0, 3.0)
    assert (value, tangent(1.0, 0.0)) == (12.0, 12.0)
    assert area.hvp((2.0,), 1.0) == 6.0
    assert area.jacobian(2.0) == 12.0
    assert area.hessian(2.0) == 6.0


def test_the_transforms_take_a_decorated_function() -> None:
    assert rg.grad(area)(2.0) == 12.0
    assert rg.grad(area.grad)(2.0) == 6.0
    assert rg.grad(lambda r: area(r) * r)(2.0) == pytest.approx(36.0)
    x, y = np.ones(3), np.arange(3.0)
    bars = product.grad(x, y)
    np.testing.assert_array_equal(bars[0], y)
    np.testing.assert_array_equal(bars[1], x)
    np.testing.assert_array_equal(weighted.grad(x, y), 2 * x * y)


def test_the_source_is_python() -> None:
    for text in (
        area.source("grad"),
        area.source("grad", 2.0),
        area.source("jvp", sig="r: float"),
        weighted.source(),
    ):
        compile(text, "<text>", "exec")
    assert "def area_grad(r, scale" in area.source("grad", 2.0)
    assert area.source("grad", 2.0) == area.source("grad", 2.0)


def test_options_are_checked_at_once() -> None:
    with pytest.raises(SignatureMismatch):
        rg.differentiate(wrt="nothing")(lambda x: x)
    with pytest.raises(TypeError):
        rg.differentiate(3)  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        rg.differentiate(lambda x: x, nothing=1)  # type: ignore[call-overload]


def test_methods_take_derivatives_after_self() -> None:
    model = Model()
    assert model.loss(3.0) == 9.0
    assert model.loss.grad(3.0) == 6.0
    assert model.loss.value_and_grad(3.0) == (9.0, 6.0)
    assert model.loss.jvp((3.0,), (1.0,)) == (9.0, 6.0)
    assert model.loss.hvp((3.0,), 1.0) == 2.0
    assert Model.fixed.grad(2.0) == 12.0
    assert model.fixed.grad(2.0) == 12.0


def test_a_bound_method_is_right_or_refused() -> None:
    model = Model()
    try:
        got = rg.grad(model.plain)(2.0)
    except rg.RetrogradError:
        return
    assert got == 3.0
    model.power = 4.0
    assert rg.grad(model.plain)(2.0) == 4.0


def test_a_method_that_reads_the_instance_sees_it_change() -> None:
    class Line:
        def __init__(self, slope: Any) -> None:
            self.slope = slope

    def f(line: Any, x: Any) -> Any:
        return line.slope * x

    gradient = rg.grad(f, "x")
    try:
        assert gradient(Line(2.0), 1.0) == 2.0
    except rg.RetrogradError:
        return
    assert gradient(Line(3.0), 1.0) == 3.0
    np.testing.assert_array_equal(
        rg.grad(lambda x, line: np.sum(f(line, x)))(np.ones(2), Line(np.arange(2.0))), [0, 1]
    )


# -- pickling ------------------------------------------------------------------------------------------


def test_a_decorated_function_is_pickled_by_name() -> None:
    again = pickle.loads(pickle.dumps(area))
    assert again is area
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.loads(pickle.dumps(rg.differentiate(lambda x: x)))


SCRIPT = """
import multiprocessing
import retrograd as rg

@rg.differentiate
def area(r):
    return 3.0 * r * r

def slope(r):
    return area.grad(r)

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(pool.map(area, [1.0, 2.0]), pool.map(slope, [1.0, 2.0]))
"""


def test_a_decorated_function_reaches_spawned_processes(tmp_path: Path) -> None:
    path = tmp_path / "spawned.py"
    path.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[3.0, 12.0] [6.0, 12.0]", done.stderr
    assert "spawn" in multiprocessing.get_all_start_methods()


# -- where functions come from ----------------------------------------------------------------------------


def cell(text: str, filename: str) -> dict[str, Any]:
    """Run a text as IPython runs a cell: its lines are in `linecache`, and nowhere else."""
    lines = [line + "\n" for line in text.splitlines()]
    linecache.cache[filename] = (len(text), None, lines, filename)
    scope: dict[str, Any] = {"np": np, "__name__": "__main__"}
    exec(compile(text, filename, "exec"), scope)
    return scope


def test_functions_in_notebook_cells() -> None:
    first = cell("def f(x):\n    return x * x\n", "<ipython-input-1-abc>")
    second = cell("\n\ndef f(x):\n    return 3.0 * x\n", "<ipython-input-2-def>")
    again = cell("def f(x):\n    return 7.0 * x\n", "<ipython-input-1-abc>")
    assert rg.grad(second["f"])(2.0) == 3.0
    assert rg.grad(again["f"])(2.0) == 7.0
    del first


def test_without_source_the_error_says_what_to_do() -> None:
    scope: dict[str, Any] = {}
    exec("def f(x):\n    return x * x\n", scope)
    with pytest.raises(SourceUnavailable, match="source") as caught:
        rg.grad(scope["f"])(1.0)
    assert caught.value.fix
    done = subprocess.run(
        [sys.executable, "-c", "import retrograd as rg\ndef f(x): return x * x\nprint(rg.grad(f)(1.0))"],
        capture_output=True, text=True,
    )  # fmt: skip
    if sys.version_info >= (3, 13):  # this Python keeps the text of -c
        assert done.stdout.strip() == "2.0"
        return
    assert "SourceUnavailable" in done.stderr
    assert "what to do" in done.stderr


def test_a_file_edited_under_the_running_program_is_not_mixed_up(tmp_path: Path) -> None:
    path = tmp_path / "edited.py"
    path.write_text("def f(x):\n    return x * x\n")
    scope: dict[str, Any] = {"__name__": "edited"}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    path.write_text("def f(x):\n    return x * x * x + 1.0\n")
    try:
        got = rg.grad(scope["f"])(3.0)
    except CompileError:
        return
    assert got == 6.0  # of the function that runs, not of the file as it is now


@pytest.mark.parametrize("f", [abs, np.sin, np.sum, len, int, "text", 3, None, np])
def test_what_is_not_a_python_function_is_right_or_refused_by_type(f: Any) -> None:
    try:
        got = rg.grad(f)(0.5)
    except (CompileError, SignatureMismatch):
        return
    want = {abs: 1.0, np.sin: np.cos(0.5), np.sum: 1.0}[f]
    assert got == pytest.approx(want)


def test_a_callable_object_is_right_or_refused() -> None:
    class Square:
        def __call__(self, x: Any) -> Any:
            return x * x

    try:
        assert rg.grad(Square())(3.0) == 6.0
    except (NotDifferentiable, CompileError, SignatureMismatch):
        pass


def test_positional_only_and_keyword_only() -> None:
    def f(x: Any, /, y: Any = 2.0, *, z: Any = 3.0) -> Any:
        return x * y * z

    gradient = rg.grad(f)
    assert gradient(1.0) == 6.0
    assert gradient(1.0, z=5.0) == 10.0
    assert gradient(1.0, y=3.0) == 9.0
    with pytest.raises(TypeError):
        gradient(x=1.0)
    assert rg.jvp(f, (1.0, 2.0), (1.0, None))[1] == 6.0


def test_generators_and_coroutines_are_refused() -> None:
    def generator(x: Any) -> Any:
        yield x

    async def coroutine(x: Any) -> Any:
        return x

    for f in (generator, coroutine):
        with pytest.raises((CompileError, SignatureMismatch)):
            rg.grad(f)(1.0)


# -- threads -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [rg.grad, rg.value_and_grad], ids=["grad", "value_and_grad"])
def test_eight_threads_call_a_fresh_gradient_at_once(make: Any) -> None:
    def f(x: Any, k: Any) -> Any:
        return np.sum(np.tanh(x) * k)

    gradient = make(f)
    inputs = [
        1.5,
        np.ones(3),
        np.ones((2, 2)),
        np.ones(1),
        np.ones((3, 1)),
        np.float32(2.0),
        np.ones(4),
        0.5,
    ]
    failed: list[str] = []
    start = threading.Barrier(8)

    def work(offset: int) -> None:
        start.wait()
        for round_ in range(24):
            x = inputs[(offset + round_) % len(inputs)]
            got = gradient(x, 2.0)
            bar = got if make is rg.grad else got[1]
            want = 2.0 / np.cosh(x) ** 2
            if np.shape(bar) != np.shape(x) or not np.allclose(bar, want, rtol=1e-5):
                failed.append(f"{x!r}: {got!r}")

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


class Spring:
    def __init__(self, stiffness: float) -> None:
        self.stiffness = stiffness

    @rg.differentiate
    def energy(self, x):
        return self.stiffness * x * x


def test_a_decorated_method_given_to_the_functions_of_the_module() -> None:
    energy = Spring(3.0).energy
    assert energy.grad(2.0) == rg.grad(energy)(2.0) == rg.jacobian(energy)(2.0) == 12.0
    assert rg.value_and_grad(energy)(2.0) == (12.0, 12.0)
    assert rg.vjp(energy, 2.0)[1](1.0) == (12.0,)
    assert rg.jvp(energy, (2.0,), (1.0,)) == (12.0, 12.0)
    assert rg.hessian(energy)(2.0) == 6.0
