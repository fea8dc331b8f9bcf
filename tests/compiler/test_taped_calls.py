"""Calls of functions that cannot be compiled: taped, in every place a call can stand."""

from __future__ import annotations

import importlib.util
import math
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import (
    SignatureMismatch,
    TapeError,
    TapeWarning,
    UnsupportedOperation,
    UnsupportedSyntax,
)
from retrograd.transforms import api

X = np.array([0.4, -1.3, 0.7])


def wave(x, k):
    _ = locals()
    try:
        return math.sin(x) * k
    except ValueError:
        return 0.0 * x


def scaled(x, *, by):
    _ = locals()
    with np.errstate(all="ignore"):
        return np.exp(x) * by


def both(x, y):
    _ = locals()
    try:
        return x * y, {"sum": x + y}
    finally:
        pass


def once(x):
    return wave(x * x, 2.0) + x


def returned(x):
    return wave(x, 2.0)


def returned_by_name(x):
    y = wave(x * x, 2.0)
    return y


def in_a_loop(x):
    for k in range(3):
        x = wave(x, 2.0) + x * k
    return x


def in_a_branch(x):
    y = x
    if x > 0:
        y = wave(x, 3.0)
    else:
        y = x * x
    return y * x


def until(x):
    while x < 3.0:
        x = x + wave(x, 0.5) ** 2 + 0.5
    return x


def by_name(x):
    return np.sum(scaled(x[:2], by=x[2]) * x[0])


def several(x):
    a, b = both(x, 2.0 * x)
    return a * b["sum"]


def helper(x, y):
    return wave(x * y, 1.5) * x


def through_a_callee(x):
    return helper(x, 2.0) + helper(2.0, x)


def same_array_twice(x):
    a, b = both(x, x)
    return np.sum(a * b["sum"])


class Scaler:
    rate = 0.5

    def scale(self, v):
        _ = locals()
        return np.exp(v) * self.rate

    def halves(self, v):
        _ = locals()
        v /= 2.0
        return v


SCALER = Scaler()


def in_a_method(x):
    return np.sum(SCALER.scale(x * x) * x)


def in_a_method_of_its_own(x):
    return np.sum(Scaler().scale(x))


def in_a_try(x):
    y = x
    for k in range(3):
        try:
            y = wave(y, 2.0) * math.sqrt(x + k - 1.0)
        except ValueError:
            y = wave(x, 0.5) + y
    return y * x


def in_a_loop_in_a_try(x):
    y = x
    try:
        for k in range(3):
            y = wave(y, 2.0 + k)
    except ValueError:
        return x
    return y * x


CALLS = [
    (once, 0.7), (returned, 0.7), (returned_by_name, 0.7), (in_a_loop, 0.7), (in_a_branch, 0.7), (in_a_branch, -0.7), (until, 0.3), (by_name, X),
    (several, 0.7), (through_a_callee, 0.7), (same_array_twice, X),
    (in_a_method, X),
    (in_a_try, 0.7),
    (in_a_loop_in_a_try, 0.7),
]  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize(("f", "x"), CALLS, ids=lambda v: getattr(v, "__name__", None))
def test_derivatives_of_every_order_and_mode(f: Any, x: Any) -> None:
    value, bar = rg.value_and_grad(f)(x)
    np.testing.assert_array_equal(value, f(x))
    assert type(bar) is type(x)
    rg.check_grads(f, (x,), order=3)


def of_a_kind(x, made):
    _ = locals()
    return made(x)


def returned_as_it_is(x, made):
    return of_a_kind(x, made)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("order", [rg.grad, rg.hessian])
@pytest.mark.parametrize("made", ["list", "dict", "str", "None", "np.exp", "1j * np.sum"])
def test_what_is_returned_is_seen_to_be_one_number_when_it_is_there(order: Any, made: str) -> None:
    makers = {"list": lambda x: [x[0]], "dict": lambda x: {"a": x[0]}, "str": lambda x: "a"}
    makers |= {"None": lambda x: None, "np.exp": np.exp, "1j * np.sum": lambda x: 1j * np.sum(x)}
    with pytest.raises(
        SignatureMismatch, match="a gradient needs a function that returns a (real )?scalar"
    ):
        order(returned_as_it_is)(X, makers[made])


def test_the_text_calls_the_function_on_the_tape() -> None:
    text = api.source(once)
    assert "wave_product, wave_product_pull = rt.taped(wave, " in text or "rt.taped(wave, " in text
    assert "_pull(" in text
    assert "Needs the tape at run time for `wave`" in text
    assert "rt.pushed(wave, (" in api.source(once, "jvp")


def test_one_warning_for_each_call(tmp_path: Path) -> None:
    module = loaded(tmp_path, "taped_model", MODEL)
    with pytest.warns(
        TapeWarning, match=r"`risky`, called in line 11 of .*: `locals` reads"
    ) as caught:
        rg.grad(module.f)(2.0)
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rg.grad(module.f)(3.0) == pytest.approx(27.0 * 3)
        assert module.strict_value(3.0) == 27.0 * 3


MODEL = """
import retrograd as rg
def risky(x):
    _ = locals()
    try:
        return x ** 3
    except ValueError:
        return x
def f(x):
    scale = 3.0
    return risky(x) * scale
@rg.differentiate(strict=True)
def strictly(x):
    return risky(x) * 3.0
def strict_value(x):
    return strictly(x)
"""


def loaded(folder: Path, name: str, text: str) -> Any:
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_strict_is_the_error_that_kept_it_from_being_compiled(tmp_path: Path) -> None:
    module = loaded(tmp_path, "strict_model", MODEL)
    for derivative in (module.strictly.grad, lambda x: module.strictly.jvp((x,), (1.0,))):
        with pytest.raises(UnsupportedSyntax, match=r"`locals` reads the names") as caught:
            derivative(2.0)
        assert caught.value.place is not None
        assert caught.value.place.line == 4


def test_functions_without_text_are_taped() -> None:
    scope: dict[str, Any] = {"np": np}
    exec("def typed(x):\n    return np.sum(x * x * np.array([1.0, 2.0, 3.0]))", scope)
    typed = scope["typed"]

    def f(x: Any) -> Any:
        return typed(x) * 2.0

    with pytest.warns(TapeWarning, match="no source text"):
        bar = rg.grad(f)(X)
    np.testing.assert_allclose(bar, 4.0 * X * [1.0, 2.0, 3.0])


def try_and_write(x):
    _ = locals()
    try:
        x[0] = 1.0
    finally:
        pass
    return np.sum(x)


def caller_of_a_hidden_writer(x):
    y = x * 1.0
    return try_and_write(y) + np.sum(y)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_a_function_that_writes_into_its_argument_is_refused() -> None:
    with pytest.raises(TapeError, match="written to in place"):
        rg.grad(caller_of_a_hidden_writer)(X)


def unruled(x):
    return np.sum(np.unique_values(x))


def test_numpy_without_a_rule_stays_refused() -> None:
    with pytest.raises(UnsupportedOperation, match="unique_values: no rule"):
        rg.grad(unruled)(X)


def logged(x):
    _ = locals()
    try:
        print(x.sum())
    finally:
        pass


def observes(x):
    logged(x)
    return np.sum(x * x)


def test_an_unknown_function_that_could_change_an_active_array_stays_refused() -> None:
    with pytest.raises(UnsupportedOperation, match="could change an array"):
        rg.grad(observes)(X)


def weighted(v, w):
    _ = locals()
    try:
        return v * v * w
    finally:
        pass


def arrays_written_after_the_call(x):
    y = x * 1.0
    k = np.ones(3)
    s = 0.0
    for i in range(3):
        z = weighted(y, k).copy()
        s = s + np.sum(z)
        y[i] = y[i] * 3.0
        k[i] = 5.0
    z[0] = 7.0
    y[:] = y * z
    return s + np.sum(y)


@pytest.mark.usefixtures("taped")  # a call that may keep an array which is written to later
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_arrays_that_are_written_to_after_the_call() -> None:
    value, _ = rg.value_and_grad(arrays_written_after_the_call)(X)
    assert value == arrays_written_after_the_call(X)
    rg.check_grads(arrays_written_after_the_call, (X,), order=3)


def test_an_object_made_here_cannot_be_given_to_what_is_not_compiled() -> None:
    with pytest.raises(UnsupportedSyntax, match="`locals` reads the names"):
        rg.grad(in_a_method_of_its_own)(X)


def told(x):
    print("at", x)
    return x


def tells(x):
    _ = locals()
    print("cube of", x)
    return told(x * x) * x


def calls_what_tells(x):
    return x * tells(x)


def tells_in_a_try(x):
    y = 1.0
    try:
        for _ in range(1):
            y = y * tells(x)
    except ValueError:
        return x
    return y * x


TOLD = "cube of 2.0\nat 4.0\n"


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("f", [calls_what_tells, tells_in_a_try])
def test_what_runs_again_for_a_higher_order_prints_once(
    f: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    grad = rg.grad(f)
    assert rg.jvp(f, (2.0,), (1.0,))[1] == grad(2.0) == 32.0
    assert capsys.readouterr().out == TOLD * 2
    assert rg.hvp(f, (2.0,), 1.0) == 48.0
    assert capsys.readouterr().out == TOLD
    assert rg.vjp(grad, 2.0)[1](1.0) == (48.0,)
    assert capsys.readouterr().out == TOLD
    assert rg.grad(rg.grad(grad))(2.0) == 48.0
    assert capsys.readouterr().out == TOLD


def gives_its_own(x):
    return np.sum(SCALER.halves(x * 1.0))


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_a_refused_write_names_the_argument() -> None:
    with pytest.raises(TapeError, match="argument `v` of `halves` is written to in place"):
        rg.grad(gives_its_own)(X)
