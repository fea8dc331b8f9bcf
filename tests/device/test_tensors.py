"""The functions of tensors on the device: each call of the table gives there what it gives on the host, and nobody waits."""

from __future__ import annotations

from typing import Any

import pytest

from ..autograd.test_calls import CALLS
from ..autograd.tables_second import SECOND
from .tensors_on_device import compared

pytestmark = pytest.mark.cupy
MORE = [(family, line) for family, text in SECOND.items() for line in text.strip().splitlines()]
NAMED = pytest.mark.parametrize(
    ("family", "text"), CALLS + MORE, ids=[f"{f}: {t}" for f, t in CALLS + MORE]
)


@pytest.mark.sampled(4)
@NAMED
def test_values_and_gradients(family: str, text: str) -> None:
    compared(text, ())
