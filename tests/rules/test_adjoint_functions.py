"""An adjoint leaves what it is given alone, adds to what is held, and gives the same when pulled again."""

from __future__ import annotations

from .adjoint_functions import broken


def test_some_operations() -> None:
    count, wrong = broken(every=10, first=3, some=1)
    assert not wrong
    assert count > 100
