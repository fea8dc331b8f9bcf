"""Derivatives are lines: what would be broken gets a name, what is one short expression needs none."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.objects.pytree import flatten, map_leaves

R = np.random.default_rng(0)
X, Y = R.normal(size=(5, 4)), R.normal(size=(5, 4))
LAYERS = [(R.normal(size=(4, 4)), R.normal(size=4)) for _ in range(3)]


def with_keywords(x):
    shifted = x - np.max(x, axis=1, keepdims=True)
    p = np.exp(shifted) / np.sum(np.exp(shifted), axis=1, keepdims=True)
    q = np.exp(-(x**2)) / np.sum(np.exp(-(x**2)), axis=1, keepdims=True)
    return np.sum(p * q - np.mean(p, axis=0, keepdims=True) * np.mean(q, axis=1, keepdims=True))


def with_long_names(observations, other_observations):
    weighted_difference = np.tanh(observations * 2 - np.sin(other_observations))
    another_weighted_difference = np.cos(observations) * weighted_difference
    return np.sum(another_weighted_difference * weighted_difference * other_observations**2)


def but_the_last(layers, x):
    h = x
    for w, b in layers[:-1]:
        h = np.tanh(h @ w + b)
    w, b = layers[-1]
    return np.sum((h @ w + b) ** 2)


def with_a_changed_list(layers, x):
    layers = list(layers)
    h = x
    for w, b in layers[:-1]:
        h = np.tanh(h @ w + b)
    layers.append((layers[0][0] * 2.0, layers[0][1]))
    for w, b in layers[:-1]:
        h = np.sin(h @ w + b)
    return np.sum(h**2)


def one_short_line(x):
    z = np.sin(x)
    return np.sum(z**2)


def one_long_line(x):
    z = np.sin(x) * np.cos(x) * np.tanh(x) + np.arctan(x)
    return np.sum(np.exp(z) * np.cosh(z))


CASES: dict[Callable[..., Any], tuple[Any, ...]] = {
    with_keywords: (X,),
    with_long_names: (X, Y),
    but_the_last: (LAYERS, X),
    with_a_changed_list: (LAYERS, X),
    one_short_line: (X,),
    one_long_line: (X,),
}


def statements(f: Callable[..., Any]) -> list[ast.stmt]:
    """The simple statements of a gradient, without the guard and its like."""
    module = ast.parse(rg.grad(f).source(*CASES[f]))
    made = next(
        n for n in module.body if isinstance(n, ast.FunctionDef) and n.name.endswith("_grad")
    )
    simple = (ast.Assign, ast.AugAssign, ast.Return, ast.Expr)
    return [n for n in ast.walk(made) if isinstance(n, simple)]


@pytest.mark.parametrize("f", [f for f in CASES if f is not with_a_changed_list])
def test_every_statement_is_a_line(f: Callable[..., Any]) -> None:
    assert [ast.unparse(n) for n in statements(f) if n.end_lineno != n.lineno] == []


@pytest.mark.parametrize("f", CASES)
def test_the_gradient_agrees_with_differences(f: Callable[..., Any]) -> None:
    first, *rest = CASES[f]
    along = map_leaves(lambda v: R.normal(size=np.shape(v)), first)

    def moved(h: float) -> float:
        steps = iter(flatten(along)[0])
        return float(f(map_leaves(lambda v: v + h * next(steps), first), *rest))

    slope = (moved(1e-6) - moved(-1e-6)) / 2e-6
    pairs = zip(flatten(rg.grad(f)(*CASES[f]))[0], flatten(along)[0], strict=True)
    np.testing.assert_allclose(sum(np.sum(a * b) for a, b in pairs), slope, rtol=1e-6, atol=1e-6)


def test_a_list_that_is_collected_from_its_end_begins_with_what_stands_there() -> None:
    text = rg.grad(but_the_last).source(*CASES[but_the_last])
    assert "layers_bar = [(h.T @ " in text and "return layers_bar[::-1]" in text
    assert text.count("layers[:-1]") == 2  # once in each loop: it has no other name


def test_a_derivative_that_is_one_short_expression_needs_no_variable() -> None:
    assert len(statements(one_short_line)) == 1
    assert len(statements(one_long_line)) > 1
