"""Nothing that kernels take is left out of the tables that programs are made of, and every line of them runs."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.native.reader import (
    all_handlers,  # noqa: F401
    handlers,
)
from retrograd.compiler.native.reader.python.operators import MATH

from . import numbers, tables
from .functions import DTYPES, FUNCTIONS, VIEWS
from .templates import CHOICE, COMMON, HOLE

LINES = [*COMMON, *FUNCTIONS, *DTYPES, *VIEWS]
TEXT = "\n".join(
    [*LINES, *tables.LIBRARIES, *tables.COMPLEX, *tables.CONTAINERS, *tables.MASKS, *tables.WHILES, *numbers.LINES]
)  # fmt: skip
WORDS = set(re.findall(r"\w+", TEXT))
OTHER = {"conjugate": "conj", "absolute": "abs"}  # two names of one function
NAMES = {"v": ["x", "y"], "m": ["w"], "s": ["s"], "i": ["i"], "c": ["c"], "f": ["f"], "b": ["b"], "p": ["p"]}  # fmt: skip
SHAPES = {"v": (5,), "m": (5, 5), "s": (), "i": (5,), "c": (2, 5, 5), "f": (5,), "b": (5,), "p": ()}


def named(keys: Any) -> set[str]:
    return {getattr(key, "__name__", str(key)) for key in keys}


@pytest.mark.parametrize("name", sorted({*named(handlers.FUNCTIONS), *handlers.METHODS, *MATH}))
def test_every_function_is_in_a_table(name: str) -> None:
    assert name in WORDS or OTHER.get(name) in WORDS


def test_every_method_of_a_ufunc_is_in_a_table() -> None:
    assert {method for _, method in handlers.UFUNC_METHODS} <= WORDS
    assert {ufunc.__name__ for ufunc, _ in handlers.UFUNC_METHODS} <= WORDS


def alternatives(text: str) -> Iterator[str]:
    choice = CHOICE.search(text)
    if choice is None:
        yield text
        return
    for part in choice[1].split("|"):
        yield from alternatives(text[: choice.start()] + part + text[choice.end() :])


def scope() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    v, w, c = rng.normal(size=5), rng.normal(size=(5, 5)), rng.normal(size=(2, 5, 5))
    single, places = rng.normal(size=5).astype(np.float32), rng.integers(0, 5, 5)
    return {
        "np": np, "n": 5, "k": 1, "total": 0.2, "x": v, "y": rng.normal(size=5), "w": w, "i": places, "s": 0.7, "c": c,
        "f": single, "b": v > 0, "p": np.array(0.4),
    }  # fmt: skip


@pytest.mark.parametrize("line", [*FUNCTIONS, *DTYPES, *VIEWS])
def test_a_line_gives_what_it_says(line: str) -> None:
    kind, _, text = line.partition(": ")
    for chosen in alternatives(text):
        filled = HOLE.sub(lambda hole: NAMES[hole[1]][0], chosen)
        filled = filled.replace("{=}", "out").replace("{#}", "1").replace(";;", "\n")
        names = scope()
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            exec(filled, names)
        assert np.shape(names["out"]) == SHAPES[kind], filled
        if kind in "fb":
            assert names["out"].dtype == {"f": np.float32, "b": bool}[kind], filled
