"""Lists beside NumPy's numbers, lists that are augmented under two names, and methods of texts that are known when they run."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.both_modes import agrees
from tests.written import written

X = np.array([0.7, 1.3, -0.6, 2.1])
ITEMS = X[:3].tolist()
TIMES = """[x[0], x[1]] * np.sum(n); np.sum(n) * [x[0], x[1]]; [x[0], x[1]] * np.array(3); [x[0], x[1]] * np.array([2.0, 3.0])
[v for v in x] * np.sum(n); (x[0], x[1]) * np.max(n); [x[0], x[1]] * np.array(2.0); [x[0]] * n[1]; n * [x[0]]
[x[0], x[1]] * np.argmax(x); [x[0]] * len(n); (len(n) - 4) * [x[0]] + [x[1]]; [x[0]] + list(x[1] * x)""".replace(
    "\n", ";"
)


@pytest.mark.parametrize("made", [t.strip() for t in TIMES.split(";")])
def test_a_list_times_a_number(made: str) -> None:
    f = written(f"def f(x, n):\n    q = {made}\n    return sum(v * v for v in q) * len(q)\n")
    agrees(f, X, np.array([1, 2]))


ALIASES = {
    "local": "x = [v for v in x]",
    "written out": "x = [x[0], x[1]]",
    "argument": "x",
}
AUGMENTED = (
    "x *= 2", "x *= len(n)", "x *= np.sum(n)", "x += [x[0]]", "x += (x[1],)", "x += [v * v for v in x]", "x /= np.linalg.norm(x)",
    "x -= np.ones(len(x))", "x += np.ones(len(x))", "x *= np.ones(len(x)) * 2", "x *= np.array(2)", "x += x", "x *= 0; x += [y]",
)  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("augmented", AUGMENTED)
@pytest.mark.parametrize("made", ALIASES)
def test_augmented_under_two_names(made: str, augmented: str) -> None:
    first = augmented.replace("[y]", "[z]")
    f = written(
        f"def f(x, n):\n    z = x[0] * x[1]\n    {ALIASES[made]}\n    y = x\n    {first}\n"
        "    return x[-1] * x[0] * (len(y) + 1) * y[-1] * len(x)\n"
    )
    agrees(f, ITEMS, np.array([1, 2]))


def test_a_tuple_is_bound_anew() -> None:
    for augmented in ("x += (x[0],)", "x /= np.array([1.0, 2.0, 3.0])", "x *= 2"):
        f = written(
            f"def f(x):\n    y = x\n    {augmented}\n    return x[-1] * x[1] * len(y) * len(x)\n"
        )
        agrees(f, tuple(ITEMS))


@pytest.mark.parametrize("other", ["np.sum(x)", "x[0]", "np.float64(2.0)"])
def test_no_number_that_is_not_whole(other: str) -> None:
    f = written(f"def f(x):\n    q = [x[0], x[1]] * {other}\n    return q[0] * q[1]\n")
    with pytest.raises(TypeError):
        f(X)
    with pytest.raises(RetrogradError):
        rg.grad(f, strict=True)(X)


TEXTS = (
    "w.lower() == 'x'", "w.startswith('Y')", "w.upper() in ('X', 'Z')", "w.strip().lower()[0] == 'x'", "w.replace('q', 'x') == 'x'",
    "w.isupper()", "w.find('x') >= 0", "w.lower() in {'x', 'y'}", "{'x': 1}.get(w.lower(), 0) == 1", "w.endswith(('x', 'y'))",
    "w.index('x') == 0 if 'x' in w else False", "w.encode() == b'x'", "isinstance(w.lower(), str)", "w.join(['a', 'b']) == 'axb'",
    "w.lower() + 'a' == 'xa'",
)  # fmt: skip


@pytest.mark.parametrize("asked", TEXTS)
def test_a_text_that_is_known_when_it_runs(asked: str) -> None:
    text = f"""
def turned(w, t):
    if {asked}:
        return t * t
    return np.sin(t)
def f(x, axes):
    t = 1.0
    for i in range(len(axes) - 1, -1, -1):
        t = turned(axes[i], x[i]) * t
    return t
"""
    agrees(written(text), X, ["x", "Y", "q", "z"])
