"""The text of an exception may say any number: it is a text where it is one, and no number is made of it."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError

X = np.array([0.3, 0.7, 1.1])


def in_another_message(x):
    try:
        if x[0] < 0:
            raise ValueError(f"negative: {x[0]}")
        y = np.sum(x * x)
    except ValueError as error:
        raise ArithmeticError(re.sub("negative", "below zero", str(error))) from error
    return y


def beside_the_value(x):
    try:
        if x[0] < 0:
            raise ValueError("negative")
        y, said = np.sum(x * x), ""
    except ValueError as error:
        y, said = np.sum(x), str(error)
    return y, said


def parsed(x):
    try:
        if x[0] < 0:
            raise ValueError(f"{x[0]}")
        y = np.sum(x * x)
    except ValueError as error:
        y = float(str(error))
    return y


def parsed_by_a_library(x):
    try:
        if x[0] < 0:
            raise ValueError(f"{x[0]}")
        y = np.sum(x * x)
    except ValueError as error:
        y = json.loads(str(error)) * 1.0
    return y


def test_it_is_a_text() -> None:
    np.testing.assert_allclose(rg.grad(in_another_message, strict=True)(X), 2 * X)
    with pytest.raises(ArithmeticError, match="below zero"):
        rg.grad(in_another_message, strict=True)(-X)
    for x, slope, said in ((X, 2 * X, ""), (-X, np.ones(3), "negative")):
        value, pullback = rg.vjp(beside_the_value, x, strict=True)
        assert value[1] == said
        np.testing.assert_allclose(pullback((1.0, None))[0], slope)


@pytest.mark.parametrize("f", [parsed, parsed_by_a_library])
def test_no_number_is_made_of_it(f, unchecked: None) -> None:
    for x in (X, -X):
        with pytest.raises(RetrogradError):
            rg.grad(f, strict=True)(x)
