"""A function whose `__module__` is no text: the module itself, as functions of C have it, None, or a number."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.objects.own_attributes import home_of

HOMES = [math, None, 3, ""]


def named(home):
    def helper(x):
        return np.sin(x) * x

    helper.__module__ = home
    return helper


def calls_it(helper):
    return lambda x: helper(x) + 1.0


def wraps_it(helper):
    @functools.wraps(helper)
    def outer(x):
        return 2.0 * helper(x)

    return outer


@pytest.mark.parametrize("home", HOMES, ids=repr)
@pytest.mark.parametrize("program", [calls_it, wraps_it])
def test_the_home_of_a_function_may_be_no_text(program, home):
    f = program(named(home))
    slope = rg.grad(f, strict=True)(0.7)
    assert slope == pytest.approx((f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6, rel=1e-7)


@pytest.mark.parametrize("home", HOMES, ids=repr)
def test_what_is_no_text_is_no_home(home):
    assert home_of(named(home)) == ""
