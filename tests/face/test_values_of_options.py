"""Options that are given what they do not take: an error of ours that names the option, whatever the value is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import SignatureMismatch

ODD: dict[str, Any] = {
    "a word": "ftw",
    "a fraction": 1.5,
    "an empty array": np.zeros(0),
    "an array": np.ones(2),
    "a scalar array": np.array(2.0),
    "an array of objects": np.array([1.0, "a"], object),
    "a record": np.zeros(2, [("a", "f8")]),
    "a complex number": 1j,
    "a buffer": memoryview(bytearray(2)),
    "an interval": np.timedelta64(1, "s"),
    "a function": np.sin,
    "an object": object(),
    "a set": {0.5},
}
OPTIONS = {
    "backend": lambda v: rg.grad(square, backend=v),
    "check": lambda v: rg.differentiate(square, check=v),
    "optimize": lambda v: rg.differentiate(square, optimize=v),
    "checkpoint": lambda v: rg.differentiate(square, checkpoint=v),
    "wrt": lambda v: rg.grad(square, wrt=v),
}


def square(x: Any) -> Any:
    return np.sum(x**2)


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("value", ODD)
def test_refused_by_name(option: str, value: str) -> None:
    with pytest.raises(SignatureMismatch, match=rf"\b{option}\b|no argument `ftw`"):
        OPTIONS[option](ODD[value])(1.0)
