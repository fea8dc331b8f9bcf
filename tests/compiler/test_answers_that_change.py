"""A question of a package that no sample answered as the run does: the derivative is made anew, and asks when it runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
import retrograd.transforms.specialise.compile as compile_module

from ..installed import installed

PACKAGE = """
import numpy as np


def is_long(x):
    return x.shape[0] > 1000


def by_length(x):
    return x**3 if is_long(x) else x**2


def by_length_or_not(x):
    return by_length(x)


def by_blocks(x, n, stack=True):
    if stack:
        from scipy.linalg import block_diag

        return block_diag(*[np.outer(x, x)] * n)
    return x**3
"""


HANDLERS = {
    "Exception": "try:\n    y = WAY\nexcept Exception:\n    y = x * 5.0", "bare": "try:\n    y = WAY\nexcept:\n    y = x * 5.0",
    "several": "try:\n    y = WAY\nexcept (KeyError, Exception) as error:\n    y = x * 5.0",
    "two": "try:\n    y = WAY\nexcept KeyError:\n    y = x\nexcept BaseException:\n    y = x * 5.0",
    "suppress": "y = x * 5.0\nwith contextlib.suppress(Exception):\n    y = WAY",
    "nested": "try:\n    try:\n        y = WAY\n    except Exception:\n        y = x\nexcept Exception:\n    y = x * 5.0",
    "in steps": "y = x\ntry:\n    y = y * 1.0\n    y = WAY\n    y = y / float(x[0] > 0)\nexcept Exception:\n    y = y * 5.0",
    "finally": "try:\n    y = WAY\nexcept Exception:\n    y = x * 5.0\nfinally:\n    z = 1.0",
    "else": "try:\n    z = WAY\nexcept Exception:\n    y = x * 5.0\nelse:\n    y = z",
}  # fmt: skip
WAYS_THERE = ["x**3 if is_long(x) else x**2", "by_length(x)", "by_length_or_not(x)"]


def handled(handler: str, way: str) -> str:
    body = HANDLERS[handler].replace("WAY", way).replace("\n", "\n    ")
    return f"{PACKAGE}\n\nimport contextlib\n\n\ndef guarded(x):\n    {body}\n    return y\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: Any) -> Iterator[Any]:
    yield from installed(PACKAGE, tmp_path, monkeypatch, request)


def of_gradient(f: Any) -> Any:
    return rg.grad(lambda x: np.sum(f(x)), strict=True)


def of_pullback(f: Any) -> Any:
    return lambda x: rg.vjp(f, x, strict=True)[1](np.ones(x.shape))[0]


def of_tangents(f: Any) -> Any:
    return lambda x: rg.jvp(f, (x,), (np.ones(x.shape),), strict=True)[1]


def of_jacobian(mode: str) -> Any:
    def made(f: Any) -> Any:
        jacobian = rg.jacobian(lambda x: f(x)[:3], mode=mode, strict=True)
        return lambda x: np.diag(jacobian(x))

    return made


def of_hessian(f: Any) -> Any:
    hessian = rg.hessian(lambda x: np.sum(f(x)[:3]), strict=True)
    return lambda x: np.diag(hessian(x))[:3]


WAYS = {
    "grad": of_gradient, "vjp": of_pullback, "jvp": of_tangents, "forward": of_jacobian("forward"),
    "reverse": of_jacobian("reverse"), "hessian": of_hessian,
}  # fmt: skip


@pytest.mark.parametrize("sizes", [(3, 1001), (1001, 3)])
@pytest.mark.parametrize("way", WAYS)
def test_an_answer_that_no_longer_holds(package: Any, way: str, sizes: tuple[int, int]) -> None:
    """No sample has a thousand entries: the text is made anew, with both branches, and nothing runs on the tape."""
    derivative = WAYS[way](package.by_length)
    for size in (*sizes, *sizes):
        x = np.linspace(0.5, 2.0, size)
        power = 3 if package.is_long(x) else 2
        expected = power * x ** (power - 1)
        if way == "hessian":
            expected = power * (power - 1) * x ** (power - 2)
        found = derivative(x)
        np.testing.assert_allclose(found, expected[: len(found)])


def test_it_is_made_anew_once(package: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    gradient, times = of_gradient(package.by_length), []
    once = compile_module.derived_once
    monkeypatch.setattr(compile_module, "derived_once", lambda *a: times.append(1) or once(*a))
    for size in (3, 1001, 3, 1001, 4, 1002):
        gradient(np.linspace(0.5, 2.0, size))
    assert len(times) == 2


def test_what_is_known_at_the_call_comes_first(package: Any) -> None:
    """Nothing is left where the values of the arguments settle the length that stood in the way."""
    pytest.importorskip("scipy")
    x = np.array([0.3, 0.7, 1.1])
    gradient = rg.grad(lambda x, n, s: np.sum(package.by_blocks(x, n, s)), strict=True)
    for n in (2, 3):
        np.testing.assert_allclose(gradient(x, n, True), np.full(3, n * 2 * np.sum(x)))


@pytest.mark.parametrize("way", WAYS_THERE)
@pytest.mark.parametrize("handler", HANDLERS)
def test_no_handler_of_the_program_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: Any, handler: str, way: str
) -> None:
    """What a text refuses is not an exception of the program's: it took the handler, with the handler's derivative."""
    for module in installed(handled(handler, way), tmp_path, monkeypatch, request):
        gradient = of_gradient(module.guarded)
        for size in (3, 1001, 3):
            x = np.linspace(0.5, 2.0, size)
            power = 3 if size > 1000 else 2
            np.testing.assert_allclose(gradient(x), power * x ** (power - 1))
