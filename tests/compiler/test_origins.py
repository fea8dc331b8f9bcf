"""Every statement that is written has an origin: lines of the program that it computes or is derived from."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.emit.line_origins import placed_statements, places
from retrograd.transforms.api import chain_of
from tests.golden_case import Case, cases

CASES = list(cases())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_statements_of_golden_texts(case: Case) -> None:
    made = case.generated(case.kind)
    sources = list(made.program.sources.values())
    placed = placed_statements(ast.parse(made.text), made.definitions)
    without = [p for p in placed if p.origin is None and not isinstance(p.node, ast.Return)]
    assert len(without) <= 0.08 * len(placed), [ast.unparse(p.node) for p in without]
    for p in placed:
        if p.origin is not None:
            found = list(places(p.origin, sources))
            assert [line for _, line in found] == list(p.origin.lines)


def rate(u, k):
    total = u * k
    for _ in range(2):
        total = total * k + u * u
    return total


def model(u, k):
    a = rate(u, k)
    b = np.tanh(
        a
        * k
    )  # fmt: skip
    return np.sum(a * b) + np.sum(rate(b, k))


def origins(fn: Any, kind: str, *args: Any) -> dict[str, list[tuple[str, int, bool]]]:
    """By statement: function, line from its first, made for the derivative."""
    chain = chain_of(fn)
    made = chain.then(kind, chain.positions("k")[0]).module(chain.types(args))
    first = {f.__name__: inspect.getsourcelines(f)[1] for f in (rate, model)}
    found = {}
    for p in placed_statements(ast.parse(made.text), made.definitions):
        if p.origin is not None:
            found[ast.unparse(p.node).partition("\n")[0]] = [
                (p.origin.function, line - first[p.origin.function], p.origin.made)
                for line in p.origin.lines
            ]
    return found


def test_callees_keep_their_own_lines() -> None:
    found = origins(model, "grad", np.ones(3), 0.5)
    of_rate = {entry for entries in found.values() for entry in entries if entry[0] == "rate"}
    assert {(line, made) for _, line, made in of_rate} >= {(1, False), (3, False), (3, True)}
    tanh = next(entries for text, entries in found.items() if "np.tanh(" in text)
    assert ("model", 2, False) in tanh


def test_tangents_are_made_for_the_derivative() -> None:
    found = origins(model, "jvp", np.ones(3), 0.5)
    dots = {text: entries for text, entries in found.items() if text.startswith("b_dot")}
    assert dots
    assert all(made for entries in dots.values() for _, _, made in entries)
