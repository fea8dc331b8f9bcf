"""``torch`` in the tests of the surface is the module under test."""

from __future__ import annotations

import functools
import warnings
from typing import Any

import pytest

from .surface import ORACLE, module


@functools.cache
def loaded() -> Any:
    """The module; what the real torch loads with its first dual tensor, and warns of, is loaded."""
    found = module()
    if ORACLE == "torch":
        with warnings.catch_warnings(), found.autograd.forward_ad.dual_level():
            warnings.simplefilter("ignore")
            found.autograd.forward_ad.make_dual(found.ones(1), found.ones(1))
    return found


@pytest.fixture
def torch() -> Any:
    found = loaded()
    found.autograd.set_detect_anomaly(False)
    return found
