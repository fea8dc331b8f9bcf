"""A function that returns what a call on the tape gives: nobody knows what that is before it runs."""

from __future__ import annotations

from typing import Any

import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError

from ..written import namespace


def textless(body: str) -> Any:
    """A function that the compiler cannot read."""
    scope: dict[str, Any] = {}
    exec(f"def inner(v):\n    return {body}", scope)
    return scope["inner"]


CALLER = "def f(x):\n    return inner(x)\ndef g(x):\n    y = inner(x)\n    return y"


@pytest.mark.parametrize("name", ["f", "g"])
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_a_number_has_its_derivatives(name: str) -> None:
    f = namespace(CALLER, inner=textless("v * v * v"))[name]
    assert rg.value_and_grad(f)(2.0) == (8.0, 12.0)
    assert rg.differentiate(f).grad(2.0) == 12.0
    assert rg.hessian(f)(2.0) == 12.0


@pytest.mark.parametrize("body", ["None", "'a'", "[v, v]", "(v,)", "{'a': v}", "v + 0j", "{1, 2}"])
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_anything_else_is_refused(body: str) -> None:
    f = namespace(CALLER, inner=textless(body))["f"]
    for derivative in (rg.grad(f), rg.hessian(f)):
        with pytest.raises(RetrogradError):
            derivative(2.0)
