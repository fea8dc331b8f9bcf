"""Texts on the tape: they are printed as they are, and do not become numbers again unseen."""

from __future__ import annotations

import io
import json
import logging
from typing import Any

import numpy as np
import pytest

from retrograd.runtime.errors import TapeError
from retrograd.runtime.tape.calls import taped

BACK = {
    "str": lambda x: float(str(x)) * x, "repr": lambda x: float(repr(x)) * x,
    "dunder": lambda x: float(x.__str__()) * x, "f": lambda x: float(f"{x}") * x,
    "format": lambda x: float(format(x, ".6f")) * x, "numpy": lambda x: np.float64(str(x)) * x,
    "strip": lambda x: float(str(x).strip("x")) * x, "added": lambda x: float(str(x) + "e0") * x,
    "cut": lambda x: float(str(x)[:5]) * x, "split": lambda x: float(str(x).split()[0]) * x,
    "array": lambda x: np.array([str(x)], float)[0] * x,
}  # fmt: skip


@pytest.mark.parametrize("name", BACK)
def test_not_back_into_numbers(name: str) -> None:
    with pytest.raises(TapeError):
        taped(BACK[name], 1.5)


def test_caught_is_refused_all_the_same() -> None:
    def f(x: Any) -> Any:
        try:
            return float(str(x)) * x
        except Exception:
            return x

    with pytest.raises(TapeError):
        taped(f, 1.5)


@pytest.mark.parametrize("dtype", [str, "U8", object, bytes])
def test_arrays_of_texts(dtype: Any) -> None:
    with pytest.raises(TapeError):
        taped(lambda x: x.astype(dtype).astype(float).sum(), np.ones(2))
    _, pull = taped(lambda x: (x * x.astype(int)).sum(), np.ones(2))
    assert pull(1.0).tolist() == [1.0, 1.0]


def test_messages_are_as_they_are(caplog: pytest.LogCaptureFixture) -> None:
    seen: dict[str, Any] = {}

    def f(x: Any) -> Any:
        file = io.StringIO()
        print(x, "and", [x], file=file)
        logging.getLogger("tape").warning("x is %s", x)
        seen.update(
            printed=file.getvalue(), f=f"x = {x:.2f}", joined=", ".join([str(x), repr(x)]),
            formatted=f"{x:>6.1f}|", key={str(x): 1}["1.5"], json=json.dumps({"x": str(x)}),
            rounded=int(f"{x:.0f}"), same=str(x) == "1.5", kept=str(x),
        )  # fmt: skip
        return x * x

    assert taped(f, 1.5)[1](1.0) == 3.0
    assert caplog.messages == ["x is 1.5"]
    kept = seen.pop("kept")
    assert seen == {
        "printed": "1.5 and [1.5]\n", "f": "x = 1.50", "joined": "1.5, 1.5", "formatted": "   1.5|", "key": 1,
        "json": '{"x": "1.5"}', "rounded": 2, "same": True,
    }  # fmt: skip
    assert float(kept) == 1.5  # its function has returned
