"""``try`` and generators: the first programs of `python -m tests.fuzz.tries`."""

from __future__ import annotations

import pytest

from .tries import judged, program

pytestmark = [
    pytest.mark.usefixtures("unchecked", "taped"),
    pytest.mark.filterwarnings("ignore"),
]


@pytest.mark.parametrize("seed", [*range(60), 232, 445])
def test_it_is_right_or_refused(seed: int) -> None:
    assert not judged(seed).startswith("failed"), program(seed)[0]
