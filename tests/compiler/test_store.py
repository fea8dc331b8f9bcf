"""What loops and branches keep for the way back: exactly what is read there, once, and nothing cheap."""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np
import pytest

import retrograd as rg


def text_of(f: Any, *args: Any) -> str:
    text = rg.differentiate(f).source("grad", *args)
    scope: dict[str, Any] = {}
    exec(compile(text, "<text>", "exec"), scope)
    np.testing.assert_allclose(scope[f"{f.__name__}_grad"](*args), rg.grad(f)(*args))
    return text


def taped(text: str) -> list[str]:
    """What every `append` of a generated text keeps."""
    kept: list[str] = []
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "append"
        ):
            (value,) = node.args
            items = value.elts if isinstance(value, ast.Tuple) else [value]
            kept += [ast.unparse(item) for item in items]
    return kept


def sums(x: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        s = s + x[i]
    return s


def products(x: Any, n: int) -> Any:
    y = x
    for _ in range(n):
        y = y * x
    return y


def exponentials(x: Any, n: int) -> Any:
    y = x
    for _ in range(n):
        y = np.exp(y)
    return y


def squashes(x: Any, n: int) -> Any:
    y = x
    for _ in range(n):
        y = np.tanh(y)
    return y


def indexed(x: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        s = s + x[i] * x[i] * (i + 1)
    return s


def scaled(x: Any, n: int) -> Any:
    y = x
    for k in range(n):
        y = y * 0.5 + k
    return y


def branched(x: Any, n: int) -> Any:
    y = x
    for k in range(n):
        if k % 2 == 0:
            y = y * 2.0
        else:
            y = y + 1.0
    return y


def stopped(x: Any, n: int) -> Any:
    y = x
    for _ in range(n):
        y = y * 1.5
        if y > 10.0:
            break
    return y


def halved(x: Any) -> Any:
    y = x
    while y > 1.0:
        y = y * 0.5
    return y


X = np.array([0.5, 1.5, 2.0])


@pytest.mark.parametrize(
    ("f", "args"), [(sums, (X,)), (scaled, (1.5, 3)), (halved, (9.0,)), (stopped, (1.0, 20))]
)
def test_linear_loops_keep_nothing(f: Any, args: Any) -> None:
    assert taped(text_of(f, *args)) == []


def test_items_of_arguments_are_read_again() -> None:
    assert taped(text_of(indexed, X)) == []


def test_a_product_keeps_its_factor() -> None:
    assert taped(text_of(products, 1.5, 3)) == ["y"]


@pytest.mark.parametrize("f", [exponentials, squashes])
def test_an_exponential_keeps_its_result_not_its_argument(f: Any) -> None:
    (kept,) = taped(text_of(f, 0.1, 3))
    text = text_of(f, 0.1, 3)
    assert re.search(rf"{kept} = (np|math)\.(exp|tanh)\(y\)|append\((np|math)\.(exp|tanh)", text), (
        text
    )


def test_a_branch_on_the_index_keeps_at_most_its_test() -> None:
    assert len(taped(text_of(branched, 1.5, 4))) <= 1


def test_nothing_is_kept_twice() -> None:
    def f(x: Any, n: int) -> Any:
        y = x
        for _ in range(n):
            y = np.sin(y) * np.cos(y) + y * y
        return y

    kept = taped(text_of(f, 0.3, 3))
    assert len(kept) == len(set(kept))


def saved(f: Any, *args: Any) -> list[str]:
    """What the forward half of a pullback hands to the backward half."""
    text = rg.differentiate(f).source("vjp", *args)
    names: list[str] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "saved":
            assert isinstance(node.value, ast.Tuple)
            names += [ast.unparse(item) for item in node.value.elts]
    value, pullback = rg.vjp(f, *args)
    dot = rg.jvp(f, args, args)[1]
    bars = pullback(np.ones_like(value) if isinstance(value, np.ndarray) else 1.0)
    assert np.sum(dot) == pytest.approx(
        sum(float(np.sum(b * a)) for b, a in zip(bars, args, strict=True))
    )
    return names


def test_what_a_pullback_saves() -> None:
    assert saved(lambda x, y: x + y, 1.5, 2.5) == []
    assert saved(lambda x, y: x * y, 1.5, 2.5) == ["y"]  # by x alone, the decorator's default
    assert len(saved(lambda x: np.exp(x), X)) == 1
    assert len(saved(lambda x: np.tanh(np.exp(x) + x), X)) == 2
    assert saved(lambda x: 3.0 * x, X) == []
