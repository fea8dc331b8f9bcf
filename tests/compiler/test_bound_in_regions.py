"""Names that one branch inside a `with` or a `try` binds, read after it: they carry their derivative out of the region."""

from __future__ import annotations

from typing import Any

import pytest

import retrograd as rg
from tests.written import written

REGIONS = {
    "errstate": '    with np.errstate(divide="raise"):\n{body}',
    "two": '    with np.errstate(divide="raise"):\n        with np.errstate(over="ignore"):\n{deeper}',
    "in a branch": '    if x < 9:\n        with np.errstate(divide="ignore"):\n{deeper}',
    "in a loop": '    for k in range(1):\n        with np.errstate(divide="ignore"):\n{deeper}',
    "try": '    try:\n{body}    except ZeroDivisionError as e:\n        raise ValueError("zero") from e\n',
    "try in with": '    with np.errstate(divide="raise"):\n        try:\n{deeper}        except KeyError:\n            raise\n',
    "with in try": '    try:\n        with np.errstate(divide="raise"):\n{deeper}    except FloatingPointError:\n        z = x\n        fine = True\n',
}
BODIES = {
    "if": "if x > 1:\n    z = 3.0 / x\n    fine = True\nelse:\n    fine = False\n",
    "if in if": "fine = False\nif x > 0:\n    if x > 1:\n        z = 3.0 / x\n        fine = True\n",
    "try": "try:\n    z = 3.0 / x\n    fine = True\nexcept FloatingPointError:\n    fine = False\n",
    "several": "fine = False\nif x > 1:\n    w = x * x\n    z = 3.0 / w\n    fine = True\n",
    "through another": "fine = x > 1\nif fine:\n    w = 3.0 / x\nif x > 1.2:\n    z = w * x\n",
}
AFTER = {
    "returned early": "    if not fine:\n        return x\n    return z * x * x\n",
    "in the other side": "    if fine:\n        return z * x * x\n    else:\n        return x\n",
    "read": "    y = x * x\n    return z * y * x\n",
    "bound again": "    if x < 0.5:\n        z = x\n    return z * x * x\n",
}


def indented(text: str, by: int) -> str:
    return "".join(" " * by + line + "\n" for line in text.splitlines())


def program(region: str, body: str, after: str) -> Any:
    text = REGIONS[region].format(body=indented(BODIES[body], 8), deeper=indented(BODIES[body], 12))
    return written("def f(x):\n    x = np.asarray(x)\n" + text + AFTER[after])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("region", REGIONS)
def test_the_derivative_goes_through_the_region(region: str, body: str, after: str) -> None:
    f, x = program(region, body, after), 1.5
    expected = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    assert rg.grad(f, strict=True)(x) == pytest.approx(expected, rel=1e-6)
    assert rg.jvp(f, (x,), (1.0,), strict=True)[1] == pytest.approx(expected, rel=1e-6)


def test_the_other_way() -> None:
    f = program("errstate", "if", "returned early")
    assert rg.grad(f, strict=True)(0.5) == 1.0
    f = program("in a branch", "if", "returned early")
    assert rg.grad(f, strict=True)(1.5) == pytest.approx(3.0)


ARRAYS = """
def f(x):
    y = np.array([x, x])
    with np.errstate(divide="raise"):
        if x > 1:
            z = {made}
            fine = True
        else:
            fine = False
    {write}
    if not fine:
        return x
    return z @ z + y @ y * x
"""


@pytest.mark.parametrize("made", ["y * x", "y", "y[:1]", "y.copy()", "y[::-1]"])
@pytest.mark.parametrize("write", ["pass", "y[0] = 5.0 * x", "z[0] = 5.0 * x", "z *= x", "y += x"])
def test_memory_of_what_is_brought_out(made: str, write: str) -> None:
    f, x = written(ARRAYS.format(made=made, write=write)), 1.5
    expected = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    try:
        found = rg.grad(f, strict=True)(x)
    except (rg.errors.MutationError, rg.errors.UnsupportedSyntax):
        return
    assert found == pytest.approx(expected, rel=1e-6)
    assert rg.jvp(f, (x,), (1.0,), strict=True)[1] == pytest.approx(expected, rel=1e-6)


def test_containers_are_brought_out() -> None:
    f = written(
        """
def f(x):
    with np.errstate(divide="raise"):
        if x > 1:
            z = [3.0 / x, {"a": (x, 2.0)}]
            fine = True
        else:
            fine = False
    if not fine:
        return x
    z.append(x * x)
    return z[0] * z[1]["a"][0] * z[2]
"""
    )
    assert rg.grad(f, strict=True)(1.5) == pytest.approx(9.0)
    assert rg.grad(f, strict=True)(0.5) == 1.0
