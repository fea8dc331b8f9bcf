"""``torch`` in the tests of the surface is the module under test."""

from __future__ import annotations

from typing import Any

import pytest

from .surface import module


@pytest.fixture
def torch() -> Any:
    found = module()
    found.autograd.set_detect_anomaly(False)
    return found
