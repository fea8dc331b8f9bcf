"""Every operation of the rule book, found by itself: one test each, with all its aspects and samples inside.

What fails is raised together, each failure with the aspect and the sample it is of.
"""

from __future__ import annotations

from typing import Any

import pytest

from retrograd.runtime.rules.book import book
from tests import scope

from . import aspects
from .examination import ASPECTS, Examination
from .harness import name_of, samples, where_samples_go

OPERATIONS = sorted(book.rules.keys() | samples().keys(), key=name_of)


@pytest.mark.quick
@pytest.mark.parametrize("operation", OPERATIONS, ids=name_of)
def test_operation(operation: Any) -> None:
    assert aspects is not None  # they register themselves
    examined = Examination(operation)
    if not examined.samples:
        pytest.fail(where_samples_go(operation), pytrace=False)
    for aspect in ASPECTS:
        if aspect.quick or not scope.is_quick():
            aspect.examine(examined)
    examined.report()
