"""Options of the caller, of the module and of a class, brought together in one dict and spread: `update`, ``|``, ``|=``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.written import written

HEAD = """
import numpy as np
DEFAULTS = {"gain": 3.0}


def scaled(y, gain=1.0, bias=0):
    return np.sum(y * gain + bias * y ** 2)


def together(base, *more, **options):
    out = dict(base)
    for each in more:
        out.update(each)
    out.update(options)
    return out


class Scale:
    defaults = {"gain": 2.0, "bias": 0.5}

    def __init__(self, **options):
        self.options = dict(self.defaults)
        self.options.update(options)

    def __call__(self, x):
        return scaled(x, **self.options)


def f(x, more):
    s = np.sum(x ** 3)
"""
BODIES = {
    "update": "o = dict(gain=1, bias=0.0)\no.update(more)\nreturn scaled(x, **o)",
    "update of a display": "o = {'gain': s}\no.update(more)\nreturn scaled(x, **o)",
    "update of a copy": "o = dict(more)\no.update({'bias': s})\nreturn scaled(x, **o)",
    "update of the module's": "o = {'bias': s}\no.update(DEFAULTS)\no.update(more)\nreturn scaled(x, **o)",
    "update by name": "o = {'bias': s}\no.update(more, bias=3.0)\nreturn scaled(x, **o)",
    "update of pairs": "o = {'bias': s}\no.update([('gain', s), ('bias', 2.0)])\nreturn scaled(x, **o)",
    "update in turn": "return scaled(x, **together(DEFAULTS, more, {'bias': s}))",
    "update of what is spread": "return scaled(x, **together(DEFAULTS, **more))",
    "defaults of a class": "return Scale(**more)(x)",
    "|=": "o = {'bias': s}\no |= more\nreturn scaled(x, **o)",
    "|= of the module's": "o = {'bias': s}\no |= DEFAULTS\nreturn scaled(x, **o)",
    "|": "return scaled(x, **(DEFAULTS | more))",
    "| the other way round": "return scaled(x, **(more | DEFAULTS))",
    "| of a display": "return scaled(x, **({'bias': s} | DEFAULTS | more))",
    "read one by one": "o = {'bias': s}\no.update(more)\nreturn sum(v * np.sum(x) for v in o.values())",
    "asked for": "o = {'bias': s}\no.update(more)\nreturn s * o['gain'] if 'gain' in o else s ** 2",
}
GIVEN: tuple[dict[str, Any], ...] = ({}, {"gain": 0.7}, {"gain": 2, "bias": 0.1}, {"bias": -1})


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("first", range(2))
def test_brought_together(body: str, first: int) -> None:
    """One derivative for all that is given, whichever comes first, and the caller's dict is what it was."""
    f = written(HEAD + "".join(f"    {line}\n" for line in BODIES[body].splitlines()))
    gradient = rg.grad(f, strict=True)
    x, v = np.array([0.7, -0.4, 1.1]), np.array([0.3, 1.0, -0.6])
    for more in GIVEN[first:] + GIVEN[:first]:
        before = dict(more)
        slope = (f(x + 1e-6 * v, more) - f(x - 1e-6 * v, more)) / 2e-6
        assert gradient(x, more) @ v == pytest.approx(slope, rel=1e-6)
        assert more == before


def test_what_is_given_may_be_differentiated() -> None:
    f = written(HEAD + "    o = {'gain': 1.0}\n    o.update(more)\n    return scaled(x, **o)\n")
    x = np.array([0.7, -0.4])
    found = rg.grad(f, wrt=1, strict=True)(x, {"gain": 2.0, "bias": 0.1})
    assert found == pytest.approx({"gain": np.sum(x), "bias": np.sum(x**2)})
