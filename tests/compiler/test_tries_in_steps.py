"""``try``: names, arrays and containers that tell how far its body got, in handlers and after it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import UnsupportedSyntax

from ..written import written

X = np.array([0.3, 0.7, 1.1])
POINTS = (X, -X, X - 0.8, 3.0 * X)


class Much(Exception):
    pass


def checked(v: Any) -> Any:
    if np.sum(v) < 0.0:
        raise ValueError("below")
    if np.sum(v) > 9.0:
        raise Much
    return v * 3.0


def rows(v: Any) -> Any:
    for k in range(3):
        yield v * (k - 0.5)


BODIES = {
    "two steps": "try:\n    y = x * 2\n    z = float('a')\nexcept ValueError:\n    z = 1.0\nreturn np.sum(y**2) * z",
    "a name bound again and again": (
        "y = x\ntry:\n    y = x * 2\n    z = checked(y)\n    y = z * y\n    w = checked(z - 2)\n    y = y + w\n"
        "except (ValueError, Much):\n    z = y * 5\nreturn np.sum(y**2) + np.sum(z)"
    ),
    "a loop over a range": (
        "s, out = 0.0, np.zeros(3)\ntry:\n    for i in range(3):\n        out[i] = x[i]**2\n        checked(x[i:i+1] + 0.1)\n"
        "        s = s + x[i] * out[i]\nexcept ValueError as e:\n    out[0] = s\nreturn np.sum(out * np.arange(1, 4)) + s"
    ),
    "a while loop that returns": (
        "k, y = 0, x\ntry:\n    while k < 4:\n        y = y * 1.5 - 0.4\n        checked(y)\n        k += 1\n"
        "        if k == 3:\n            return np.sum(y) * k\nexcept ValueError:\n    return np.sum(y**2) * (k + 1)\nreturn np.sum(y)"
    ),
    "a branch, `else` and `finally`": (
        "try:\n    y = x**2\n    if x[0] > 0:\n        y = y * x\n        checked(x - 0.9)\n        y = y + 1\n    else:\n"
        "        checked(x)\n        y = y - 1\n    y = y * 2\nexcept (ValueError, Much):\n    y = y * 7\nelse:\n    y = y + x\n"
        "finally:\n    q = 3\nreturn np.sum(y) * q"
    ),
    "suppress": (
        "y = x\nwith contextlib.suppress(ValueError):\n    y = x * 2\n    checked(y)\n    y = y * x\nreturn np.sum(y**2)"
    ),
    "a list that grows": (
        "xs = []\ntry:\n    xs.append(checked(x + 1))\n    xs.append(checked(x))\n    xs.append(checked(x - 0.1))\n"
        "except (ValueError, Much):\n    pass\nr = 0.0\nfor v in xs:\n    r = r + np.sum(v * v)\nreturn r * len(xs)"
    ),
    "in a loop that is left": (
        "r = 0.0\nfor j in range(4):\n    try:\n        y = x - 0.3 * j\n        if j == 3:\n            break\n        checked(y)\n"
        "        r = r + np.sum(y * x)\n        checked(y - 0.2)\n        if j == 1:\n            continue\n        r = r * 1.1\n"
        "    except ValueError as e:\n        r = r + np.sum(y**3)\n        if j == 2:\n            break\nreturn r"
    ),
    "a try in a try, its exception raised again": (
        "try:\n    try:\n        y = x * 2\n        checked(x)\n        y = y * 2\n        checked(x - 0.5)\n    except KeyError:\n        y = x\n"
        "    z = y * 3\nexcept ValueError as e:\n    if str(e) == 'below':\n        return np.sum(y) * 4\n    raise\nreturn np.sum(z * y)"
    ),
    "unbound where the first step fails": (
        "try:\n    checked(x)\n    y = x * 2\n    checked(x - 0.5)\n    q = 1\nexcept ValueError:\n    pass\nreturn np.sum(y)"
    ),
    "a try with `else` in a loop of a try": (
        "s = 0.0\ntry:\n    for i in range(3):\n        s = s + x[i] * 2\n        try:\n            checked(x[i:i+1])\n            s = s * 1.5\n"
        "        except KeyError:\n            s = s - 1\n        else:\n            s = s * 1.25\n        checked(x[i:i+1] - 0.5)\n"
        "except ValueError as e:\n    s = s * len(str(e))\nelse:\n    s = s * 100\nreturn s * x[0]"
    ),
    "what the body raises itself": (
        "r = 0.0\nfor k in range(3):\n    try:\n        y = checked(x[k:k+1])[0]\n        if y > 2:\n            raise IndexError('much')\n"
        "        r = r + y * x[k]\n    except ValueError:\n        r = r + x[k]**2\n        continue\n    except IndexError as e:\n"
        "        r = r + 10 * x[k]\n        if str(e) != 'much':\n            raise\n    finally:\n        r = r * 1.01\n    r = r + 1\nreturn r"
    ),
    "a handler in a try that fails": (
        "y = x\ntry:\n    y = x * 3\n    try:\n        y = y * x\n        checked(y - 0.3)\n        y = y + x\n        checked(x)\n"
        "    except ValueError:\n        y = y * y\n        checked(x - 0.7)\n        y = y + 5 * x\n    y = y * 2\n"
        "except (ValueError, Much):\n    return np.sum(y) * 3\nreturn np.sum(y)"
    ),
    "a dict": (
        "d = {'a': x[0]}\ntry:\n    d['b'] = x[1]\n    checked(x)\n    d['c'] = x[2]\n    d['q'] = d['zz']\n"
        "except (KeyError, ValueError):\n    d['e'] = x[0] * x[1]\ns = 0.0\nfor k in d:\n    s = s + d[k]**2\nreturn s * len(d)"
    ),
    "writes to an array": (
        "y = x.copy()\ntry:\n    y[0] = 3 * x[1]\n    y[1:] *= 2\n    checked(x)\n    y += x\n    checked(x - 0.6)\n    y[2] = 0.0\n"
        "except (ValueError, Much):\n    y[1] = y[0] * y[2]\nreturn np.sum(y**2)"
    ),
    "names that are swapped": (
        "a, b = x, x * 2\ntry:\n    a, b = b, a\n    checked(x)\n    a, b = a * b, a + b\n    checked(x - 1.0)\n    b, a = a, b\n"
        "except ValueError:\n    a = a * 3\nreturn np.sum(a * b * b)"
    ),
    "a loop over a list": (
        "y = x\ntry:\n    for v in [x, checked(x + 0.4), x * 2]:\n        y = y * v\n        checked(y - 0.1)\n        y = y + 1\n"
        "except (ValueError, Much):\n    y = y * 3\nreturn np.sum(y)"
    ),
    "a loop over the rows of an array": (
        "y, m = x, np.outer(x, x)\ntry:\n    for row in m:\n        y = y + row\n        checked(y - 0.3)\n        y = y * 2\n"
        "except (ValueError, Much):\n    y = y * 3\nreturn np.sum(y * y)"
    ),
    "loops over pairs": (
        "y = x\ntry:\n    for i, (a, b) in enumerate(zip(x, reversed(x))):\n        y = y * a + b * i\n        checked(y - 0.3)\n"
        "        for k in range(i + 1):\n            y = y * 1.2\n            checked(y - 0.8 * k)\n"
        "except (ValueError, Much):\n    y = y * 3\nreturn np.sum(y)"
    ),
    "no `else` after a `return` in a loop": (
        "r = 0.0\ntry:\n    for i in range(2):\n        r = r + x[i]\n        if r > 0.2:\n            return np.sum(x) * r\n"
        "except KeyError:\n    r = r * 5\nelse:\n    if x[0] > -0.6:\n        r = r / checked(np.zeros(1) - (x[0] > 0.2))[0]\nreturn r + np.sum(x)"
    ),
    "a condition that fails": (
        "y = x\ntry:\n    y = x * x\n    if np.sum(checked(x)) > 3.0:\n        y = y + x\n    elif checked(x - 0.2)[0] > 0.2:\n        y = y * 3\n"
        "    y = y * 2\nexcept (ValueError, Much):\n    y = y * 11\nreturn np.sum(y)"
    ),
    "names that both sides of a branch in the handler bind": (
        "try:\n    q = checked(x)\n    y = q * x\n    y = checked(y - 0.3) * y\nexcept (ValueError, Much):\n    if x[0] > 0.5:\n"
        "        y = x * 2\n    else:\n        y = x**3\nreturn np.sum(y)"
    ),
    "names that one side of a branch in the handler binds": (
        "y = x\ntry:\n    q = checked(x)\n    y = q * x\n    y = checked(y - 0.3) * y\nexcept (ValueError, Much):\n    if x[0] > 0.5:\n"
        "        y = x * 2\nreturn np.sum(y)"
    ),
    "names that a loop in the handler binds": (
        "try:\n    y = checked(x)\n    y = checked(y - 0.3) * y\nexcept (ValueError, Much):\n    for k in range(2):\n        y = x * x + k\n"
        "return np.sum(y)"
    ),
    "names that a try in the handler binds": (
        "try:\n    y = checked(x)\n    y = checked(y - 0.3) * y\nexcept (ValueError, Much):\n    try:\n        y = checked(x + 0.4)\n"
        "    except (ValueError, Much):\n        with np.errstate(all='ignore'):\n            y = x**3\nreturn np.sum(y)"
    ),
    "a manager in the body": (
        "y = x\ntry:\n    with np.errstate(divide='ignore', invalid='ignore'):\n        y = y / x * y\n        checked(y)\n        y = y * y\n"
        "        y = y * checked(x - 0.5)\n    y = y * checked(x - 0.6)\nexcept (ValueError, Much):\n    pass\nreturn np.sum(y)"
    ),
    "managers in a loop, and one whose exception is caught inside": (
        "y = x\ntry:\n    for k in range(3):\n        with np.errstate(over='ignore'), warnings.catch_warnings():\n            y = y * 1.5 - 0.2\n"
        "            checked(y)\n            try:\n                y = y + 1\n                y = y * checked(y - 1.5)\n"
        "            except Much:\n                y = y / 8\nexcept ValueError:\n    y = y * 3\nreturn np.sum(y)"
    ),
}  # fmt: skip


def slopes(f: Any, x: np.ndarray) -> Any:
    try:
        f(x.copy())
    except Exception as error:
        return type(error)
    return np.array([(f(x + e) - f(x - e)) / 2e-6 for e in 1e-6 * np.eye(3)])


@pytest.mark.parametrize("name", BODIES)
def test_how_far_a_body_got(name: str) -> None:
    lines = BODIES[name].replace("\n", "\n    ")
    f = written(
        f"import contextlib, warnings\n\ndef f(x):\n    {lines}\n",
        checked=checked,
        rows=rows,
        Much=Much,
    )
    compiled = rg.differentiate(strict=True)(f)
    for x in POINTS:
        expected = slopes(f, x)
        if isinstance(expected, type):
            with pytest.raises(expected):
                compiled.grad(x)
            continue
        size = 1.0 + np.max(np.abs(expected))
        assert compiled.grad(x) == pytest.approx(expected, abs=1e-5 * size)
        tangents = [rg.jvp(compiled, (x,), (e,))[1] for e in np.eye(3)]
        assert tangents == pytest.approx(expected, abs=1e-5 * size)


def test_what_cannot_fail_is_no_step() -> None:
    f = written(
        "def f(x):\n    y = x\n    try:\n        y = x * x\n        z = np.linalg.inv(y)\n        y = z * y\n"
        "    except np.linalg.LinAlgError:\n        y = y * 2.0\n    return np.sum(y)\n"
    )
    text = rg.differentiate(strict=True, sig="x: float[3, 3]")(f).source("grad")
    before, _, after = text.partition("try:")
    assert "y = x * x" in before  # which raises no LinAlgError
    assert "np.linalg.inv(y)" in after


def test_what_a_handler_does_with_a_sure_error_is_done_with_python_s() -> None:
    f = written(
        "def f(x):\n    r, d = 0.0, {'a': x}\n    for i in range(2):\n        try:\n            r = r + d['b'] * x\n"
        "        except LookupError as error:\n            r = r + x * len(str(error))\n    return r\n"
    )
    with pytest.raises(
        UnsupportedSyntax, match="there is no item"
    ):  # whose text would not be Python's
        rg.differentiate(strict=True)(f).grad(2.0)


def test_of_two_errors_the_one_of_python_is_raised() -> None:
    table = {0: 1.5}
    f = written(
        "def f(x, k):\n    w = PAIR[k] * x\n    r = 0.0\n    while r < 2.0:\n        w = TABLE[k] * x\n        r = r + 1.0\n"
        "    return w * TABLE[k]\n",
        PAIR=(1.0,), TABLE=table,
    )  # fmt: skip
    assert rg.grad(f)(2.0, 0) == 2.25
    with pytest.raises(IndexError):
        rg.grad(f)(2.0, 2)


def test_what_a_loop_goes_over_may_fail_between_its_iterations() -> None:
    f = written(
        "def f(x):\n    y = x\n    try:\n        for v in rows(x):\n            y = y + v\n            checked(y - 0.5)\n"
        "    except ValueError:\n        y = y * 3\n    return np.sum(y)\n",
        rows=rows, checked=checked,
    )  # fmt: skip
    with pytest.raises(UnsupportedSyntax, match="`y`"):
        rg.differentiate(strict=True)(f).grad(X)
