"""Branches by what is known at the call: the first programs of `python -m tests.fuzz.known`, which take every entry of its tables."""

from __future__ import annotations

import pytest

from .known import judged, program

pytestmark = [
    pytest.mark.usefixtures("unchecked"),
    pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning"),
]


@pytest.mark.parametrize("k", range(26))
def test_each_value_has_its_text(k: int) -> None:
    assert judged(k, "decorated" if k % 7 == 0 else "plain") == "ok", program(k)[0]
