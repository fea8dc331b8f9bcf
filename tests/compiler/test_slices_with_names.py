"""Slices that have a name, are chosen or handed over: of lists, tuples and arrays, read and written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np
import pytest

import retrograd as rg
from tests.written import written

CUTS = {
    "none": "s = slice(None)",
    "stop": "s = slice(2)",
    "start": "s = slice(1, None)",
    "back": "s = slice(None, None, -1)",
    "step": "s = slice(0, None, 2)",
    "computed": "s = slice(k, k + 2)",
    "module": "s = CUT",
    "index": "s = np.s_[1:3]",
    "index of a tuple": "(s,) = np.index_exp[:-1]",
    "chosen": "s = slice(0, 2) if k else slice(1, 3)",
    "one of some": "s = [slice(0, 1), slice(1, 3)][k]",
    "by name": "s = {0: slice(0, 1), 1: slice(1, 3)}[k]",
    "of a function": "s = window(k)",
    "handed over": "s = given",
    "by hand": "s = slice(*bounds)",
}
BASES = {
    "list": "v = xs",
    "tuple": "v = tuple(xs)",
    "written list": "v = [x * x for x in xs]",
    "grown list": "v = []\n    for x in xs:\n        v.append(x * x)",
    "pair": "v = (xs[0], xs[1] * xs[0], xs[2])",
    "array": "v = np.array(xs)",
}
USES = {
    "sum": "return sum(v[s])",
    "first": "y = v[s]\n    return y[0] * len(y)",
    "loop": "out = 0.0\n    for k, y in enumerate(v[s]):\n        out = out + (k + 1.0) * y\n    return out",
    "unpacked": "first, *rest = v[s]\n    return first * (1.0 + len(rest))",
    "spread": "y = [*v[s], 2.0]\n    return sum([a * a for a in y])",
}
WRITES = {
    "written": "v[s] = [0.5 * x for x in v[s]]\n    return sum([y * y for y in v])",
    "deleted": "del v[s]\n    return sum([y * y for y in v], xs[0])",
}
LISTS = ("written list", "grown list")
CALLS = [
    (0, slice(0, 1), (0, 2)),
    (1, slice(1, None), (1, 3)),
    (0, slice(None, None, 2), (0, 3)),
]
HEAD = (
    "CUT = slice(0, 2)\n\n\ndef window(k):\n    return slice(k, k + 2)\n\n\n"
    "def f(xs, k, given, bounds):\n"
)
STEPPED = {
    "back",
    "step",
    "chosen",
    "one of some",
    "by name",
    "handed over",
    "of a function",
    "by hand",
}


XS, V = [0.7, 1.3, 0.4], [0.3, -0.8, 0.5]


def held_against_differences(body: str) -> None:
    """All ways through it, the derivative made at the first call."""
    f = written(HEAD + body)
    derivative = rg.grad(f, strict=True)
    for rest in CALLS:
        f_of = partial(with_rest, f, rest)
        units = np.eye(len(XS)).tolist()
        gradient = [slope(f_of, unit) for unit in units]
        np.testing.assert_allclose(derivative(XS, *rest), gradient, rtol=1e-5, atol=1e-7)
    k, given, bounds = CALLS[-1]
    with_them = partial(f, k=k, given=given, bounds=bounds)
    tangent = rg.jvp(with_them, (XS,), (V,), strict=True)[1]
    np.testing.assert_allclose(tangent, slope(f_of, V), rtol=1e-5, atol=1e-7)


@contextmanager
def suppress_refusal(text: str) -> Iterator[None]:
    """What is refused, is refused for this reason."""
    try:
        yield
    except rg.errors.UnsupportedSyntax as error:
        if text not in str(error):
            raise


def with_rest(f, rest, xs):
    return f(xs, *rest)


def slope(f, direction) -> float:
    """The central difference along a direction."""
    above, below = ([x + t * d for x, d in zip(XS, direction, strict=True)] for t in (1e-6, -1e-6))
    return (f(above) - f(below)) / 2e-6


@pytest.mark.sampled(4)
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("cut", CUTS)
def test_read(cut, base, request):
    """Every use in turn, one of them unless all are asked for."""
    uses = list(USES)
    if not request.config.getoption("full"):
        uses = [uses[(len(cut) + len(base)) % len(uses)]]
    for use in uses:
        held_against_differences(f"    {CUTS[cut]}\n    {BASES[base]}\n    {USES[use]}\n")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("use", WRITES)
@pytest.mark.parametrize("base", LISTS)
@pytest.mark.parametrize("cut", CUTS)
def test_written(cut, base, use):
    body = f"    {CUTS[cut]}\n    {BASES[base]}\n    {WRITES[use]}\n"
    refused = "every other item of a list of run-time length"
    if use == "deleted" and cut in STEPPED:  # it depends on the step, which a branch may decide
        with suppress_refusal(refused):
            held_against_differences(body)
    else:
        held_against_differences(body)


ENDS = [
    "v[at:]",
    "v[:at]",
    "v[at:at + 2]",
    "v[0:3:at]",
    "np.take(v, at)",
    "w[0, at:]",
    "w[at - 1:, at]",
]


@pytest.mark.parametrize("end", ENDS)
def test_a_number_of_the_module_in_a_slice_is_hidden_by_no_loop(end):
    """The loop counts with a name of the module that the text reads, too."""
    text = f"""
at = 1


def part(v, w):
    return np.sum({end})


def f(v, w):
    s = 0.0
    for at in range(3):
        s = s + part(v * (at + 1.0), w) * at
    return s
"""
    f = written(text)
    v, w = np.array([0.4, 1.1, -0.3]), np.array([[0.2, 0.5, 0.7], [0.1, 0.9, 0.3]])
    rg.check_grads(rg.differentiate(strict=True)(f), (v, w))


def test_a_subscript_as_a_value():
    """What is given to `np.index_exp` and is no slice comes back, and its derivative with it."""
    f = written("def f(x):\n    return np.index_exp[x[0]][0] * 2 + np.s_[x[1], 1:][0]")
    np.testing.assert_array_equal(rg.grad(f, strict=True)(np.array([0.3, 0.7])), [2.0, 1.0])


@pytest.mark.parametrize("kind", [tuple, list])
@pytest.mark.parametrize(
    "text",
    [
        "x * sum(ws[:k] + ws[k + 1:])", "x * sum(ws[:k] * 2)", "x * (1.0 if ws[:k] == ws[k:] else 2.0)",
        "x * (1.0 if ws[:k] < ws[k:] else 2.0)",
    ],
)  # fmt: skip
def test_parts_that_no_derivative_goes_through(text, kind):
    """Python's own operators put them together."""
    f = written(f"def f(x, ws, k):\n    return {text}")
    for k in (1, 2):
        ws = kind([1.0, 2.0, 3.0])
        assert rg.grad(f, strict=True)(1.5, ws, k) == f(1.0, ws, k)


@pytest.mark.parametrize("cut", ["none", "start", "computed", "index", "index of a tuple"])
def test_the_text_cuts_where_the_slice_is_used(cut):
    """No slice is made that nobody asks for."""
    f = written(f"{HEAD}    {CUTS[cut]}\n    return np.sum(xs[s])\n")
    text = rg.differentiate(f).source("grad", np.array(XS), *CALLS[0]).partition("def f_grad")[2]
    assert "slice(" not in text
    assert "xs_bar[" in text
