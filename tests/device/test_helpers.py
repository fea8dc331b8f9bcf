"""The runtime on the device has the helpers of the host, under their names."""

from __future__ import annotations

import types
from typing import Any

import pytest

from retrograd import runtime
from retrograd.runtime.device import on_cupy
from retrograd.runtime.device.copied_helpers import OWN
from retrograd.runtime.device.copies import INSTEAD
from retrograd.runtime.helper_index import HOMES

pytestmark = pytest.mark.cupy


def test_no_name_of_the_module_hides_a_helper(cupy: Any) -> None:
    own = {name for name in vars(on_cupy) if not name.startswith("__")}
    assert own == set()
    assert not set(OWN) & set(HOMES)


@pytest.mark.parametrize("name", sorted(HOMES))
def test_a_helper_is_that_of_its_name(cupy: Any, name: str) -> None:
    here, there = getattr(runtime, name), getattr(on_cupy, name)
    if isinstance(here, types.FunctionType):
        stands_for_it = there in INSTEAD.values()
        assert stands_for_it or there.__name__ == here.__name__
    else:
        assert there is here or isinstance(here, types.ModuleType)
