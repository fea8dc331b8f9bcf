"""Every test run has a cache folder of its own, and checks the IR after every stage."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator

import pytest

os.environ["RETROGRAD_VERIFY"] = "1"
os.environ.pop("RETROGRAD_CHECK", None)
os.environ["RETROGRAD_CACHE"] = tempfile.mkdtemp(prefix="retrograd-tests-")


@pytest.fixture(scope="session", autouse=True)
def remove_cache() -> Iterator[None]:
    """The folder stands before the first import of retrograd, and goes with the session."""
    yield
    shutil.rmtree(os.environ["RETROGRAD_CACHE"], ignore_errors=True)


@pytest.fixture
def unchecked() -> Iterator[None]:
    """Derivatives are handed out as they are: the test itself judges them."""
    from retrograd import get_check, set_check

    set_check(None)
    yield
    set_check("default")
    assert get_check() == "first", "a test that set RETROGRAD_CHECK left it behind"
