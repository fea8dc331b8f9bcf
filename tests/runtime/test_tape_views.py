"""Overlapping views on the tape: a write through one of them is seen by all, whatever writes.

``python -m tests.runtime.test_tape_views 5000`` runs so many programs.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retrograd.runtime.errors import TapeError
from retrograd.runtime.tape.calls import pushed, taped

X = np.array([[0.7, -1.2, 0.4], [1.5, 0.3, -0.8], [0.9, 1.1, -0.6]])
STARTS = ("2.0 * x", "np.asfortranarray(x * 1.5)", "np.zeros((3, 3)) + x", "x.copy()", "(x * x).T", "np.stack([x, x], axis=-1)[..., 0]",
          "np.array(x)", "np.outer(x[0], x[1])", "x @ x", "(x + 1j * x.T).real", "np.eye(3)")  # fmt: skip
VIEWS = ("{}[1:]", "{}[:2]", "{}[::-1]", "{}[..., 1]", "{}[0]", "{}.T", "{}[None]", "{}.reshape(-1)", "{}.ravel()", "np.ravel({})",
         "{}[:, 1:]", "np.flip({})", "np.swapaxes({}, 0, -1)", "np.atleast_2d({})", "{}[..., ::2]", "np.reshape({}, -1)", "{}[...]",
         "np.squeeze({})", "np.moveaxis({}, 0, -1)", "np.asarray({})", "{}.view()", "np.real({})", "{}[...,0]", "np.split({}, 1)[0]")  # fmt: skip
VALUES = ("x[0, 1]", "np.sum(x)", "2.0", "x[1, 2] ** 2", "np.sin(x[2, 2])", "3")
WRITES = (
    "{} *= V", "{} += V", "{} -= V", "{}[0] = V", "{}[-1] += V", "{}[...] = V", "{}[0] *= V", "{}.fill(V)", "{}.sort()", "np.copyto({}, V)",
    "np.multiply({}, V, out={})", "np.add({}, {}, out={})", "np.put({}, [0, 2], V)", "{}.flat[1] = V", "{}.flat[:2] = V", "{}.flat = V",
    "np.place({}, {} > 0, [V])", "np.putmask({}, {} < 0, V)", "np.add.at({}, [0, 0], V)", "{}.real = V", "np.copyto({}, V, where={} > 0)",
    "{}[{} > 0] = V", "{}[[0, -1]] = V", "{} += {}[::-1]", "{} /= 2.0 + V ** 2", "{}.put([1], V)", "np.negative({}, out={})",
)  # fmt: skip


def program(seed: int) -> str:
    """Names of overlapping memory, written and read in turn."""
    rng = random.Random(f"views {seed}")
    lines, names, total = [], ["y"], 0
    lines.append(f"y = {rng.choice(STARTS)}")
    for _ in range(rng.randint(4, 10)):
        name = rng.choice(names)
        kind = rng.random()
        if kind < 0.45:
            names.append(f"v{len(names)}")
            lines.append(f"{names[-1]} = {rng.choice(VIEWS).format(name)}")
        elif kind < 0.85:
            lines.append(rng.choice(WRITES).replace("V", rng.choice(VALUES)).replace("{}", name))
        else:
            total += 1
            lines.append(f"t = t + np.sum({name} * {name}) * {total}")
    lines += [f"t = t + np.sum(np.sin({name}) * {k + 1})" for k, name in enumerate(names)]
    return (
        "def f(x):\n    t = 0.0\n" + "".join(f"    {line}\n" for line in lines) + "    return t\n"
    )


def made(text: str) -> Callable[..., Any]:
    scope: dict[str, Any] = {"np": np, "__name__": "views"}
    exec(text, scope)
    found: Callable[..., Any] = scope["f"]
    return found


def outcome(text: str, second: bool = False) -> str:
    """``ok``, ``refused`` or ``discarded`` (NumPy itself refuses it, or it has a kink here); else it asserts."""
    f = made(text)
    try:
        with np.errstate(all="ignore"):
            value = f(X.copy())
            slope, again = slopes(f, 1e-6), slopes(f, 4e-6)
    except (ValueError, IndexError, TypeError, AttributeError):
        return "discarded"
    if (
        not np.isfinite(value)
        or abs(value) > 1e5
        or not np.allclose(slope, again, rtol=1e-4, atol=1e-4)
    ):
        return "discarded"
    try:
        found, pull = taped(f, X)
        gradient = pull(1.0)
        tangent = pushed(f, (W,), X)[1]
    except TapeError:
        return "refused"
    np.testing.assert_array_equal(found, value, err_msg=text)
    scale = 1.0 + np.max(np.abs(slope))
    np.testing.assert_allclose(gradient, slope, rtol=1e-4, atol=2e-5 * scale, err_msg=text)
    np.testing.assert_allclose(
        tangent, np.sum(gradient * W), rtol=1e-9, atol=1e-9 * scale, err_msg=text
    )
    if second:
        mixed = pushed(lambda x: taped(f, x)[1](1.0), (W,), X)[1]
        twice = taped(lambda x: np.sum(taped(f, x)[1](1.0) * W), X)[1](1.0)
        np.testing.assert_allclose(mixed, twice, rtol=1e-8, atol=1e-8 * scale, err_msg=text)
    return "ok"


W = np.cos(np.arange(9.0)).reshape(3, 3)


def slopes(f: Any, h: float) -> np.ndarray:
    found = np.zeros((3, 3))
    for place in np.ndindex(3, 3):
        step = np.zeros((3, 3))
        step[place] = h
        found[place] = (f(X + step) - f(X - step)) / (2 * h)
    return found


@pytest.mark.parametrize("block", range(4))
def test_random_views_and_writes(block: int) -> None:
    found = [outcome(program(seed), seed % 5 == 0) for seed in range(25 * block, 25 * block + 25)]
    assert found.count("ok") >= 8, found
    assert found.count("refused") <= 5, found


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_sees_and_is_seen(view: str) -> None:
    text = "def f(x):\n    y = 2.0 * x\n    a = y[1:]\n    v = {}\n    a *= x[0, 1]\n    v[0] = x[1, 1] ** 2\n    v += x[2, 0]\n"
    text += "    return np.sum(np.sin(y)) + np.sum(a * 2) + np.sum(v * v)\n"
    assert outcome(text.format(view.format("y")), second=True) == "ok"


@pytest.mark.parametrize("write", WRITES)
def test_every_write_is_seen(write: str) -> None:
    text = "def f(x):\n    y = 2.0 * x\n    v = y[1]\n    b = y[:, 1:]\n    " + write.replace(
        "V", "x[0, 1]"
    ).replace("{}", "v")
    text += "\n    return np.sum(np.sin(y)) + np.sum(b * b) + np.sum(v)\n"
    assert outcome(text, second=True) == "ok"


if __name__ == "__main__":
    counts: dict[str, int] = {}
    for seed in range(int(sys.argv[1])):
        try:
            verdict = outcome(program(seed), seed % 4 == 0)
        except AssertionError as error:
            verdict = "WRONG"
            print(seed, str(error)[-900:])
        except Exception as error:
            verdict = "CRASH"
            print(seed, type(error).__name__, error, program(seed))
        counts[verdict] = counts.get(verdict, 0) + 1
    print(counts)


SHAPES = {
    "reshape": lambda y, given: y.reshape(given),
    "np.reshape": lambda y, given: np.reshape(y, given),
    "transpose": lambda y, given: np.transpose(y.reshape(3, 2), [n - 2 for n in given]),
    "split": lambda y, given: np.split(y, given)[1],
}


@pytest.mark.parametrize("made", SHAPES)
def test_a_list_that_says_what_a_view_shows_may_change(made: str) -> None:
    def f(x):
        given = [3, 2]
        y = x * 1.0
        part = SHAPES[made](y, sorted(given) if made == "split" else given)
        given.reverse()
        y *= 2.0
        return np.sum(part[0] ** 3)

    x = np.arange(1.0, 7.0)
    wanted = [(f(x + e) - f(x - e)) / 2e-6 for e in 1e-6 * np.eye(6)]
    value, pull = taped(f, x)
    assert value == f(x)
    np.testing.assert_allclose(pull(1.0), wanted, rtol=1e-6)
