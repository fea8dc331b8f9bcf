"""Context managers that are given what is differentiated: what they do stands around the body.

Each manager is tried with each shape of the body; where one cannot be followed, the function runs on the tape.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import retrograd as rg
from tests.both_modes import agrees, differences
from tests.written import written

CLASSES = '''
import contextlib

import numpy as np


class Scaled:
    def __init__(self, a):
        self.a = a

    def __enter__(self):
        return 2 * self.a

    def __exit__(self, *error):
        return False


class Itself:
    def __init__(self, a):
        self.a = a

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.a = None

    def __mul__(self, other):
        return self.a * other


class Changed:
    """Another entry of an array for a while."""

    def __init__(self, array, value):
        self.array, self.value = array, value

    def __enter__(self):
        self.old, self.array[0] = self.array[0], self.value
        return self.array[0]

    def __exit__(self, *error):
        self.array[0] = self.old


class Closed:
    def __init__(self, a):
        self.a = a

    def close(self):
        self.a = None

    def __mul__(self, other):
        return self.a * other


class Model:
    def __init__(self, w):
        self.w = w

    @contextlib.contextmanager
    def scaled(self, c):
        old, self.w = self.w, self.w * c
        try:
            yield self.w
        finally:
            self.w = old


class Sum:
    total = 0.0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def add(self, v):
        self.total = self.total + v


@contextlib.contextmanager
def doubled(a):
    yield 2 * a


@contextlib.contextmanager
def counted(a, *, by=3.0):
    left = 0
    b = a * by
    try:
        yield b
    finally:
        left += 1
        b = b * left


@contextlib.contextmanager
def kept(array, a):
    leave = array[0]
    array[0] = a
    try:
        yield array[0]
    finally:
        array[0] = leave


def scaled_by(log):
    log.append(1.0)
    return Scaled


@contextlib.contextmanager
def either(a):
    if a > 0:
        yield 2 * a
    else:
        yield 3 * a


@contextlib.contextmanager
def around(a):
    with doubled(a) as b:
        yield b * b


class Swallowing(Scaled):
    def __exit__(self, *error):
        return True
'''  # fmt: skip

MANAGERS = {
    "class": "Scaled(x[0])",
    "itself": "Itself(x[0])",
    "generator": "doubled(x[0])",
    "generator with finally": "counted(x[0], by=1.5)",
    "method": "Model(x[0]).scaled(x[2])",
    "written array": "Changed(z, x[0] * x[0])",
    "names of its own": "kept(z, x[0] * x[0])",
    "null": "contextlib.nullcontext(x[0] * x[0])",
    "closing": "contextlib.closing(Closed(x[0]))",
}
BODIES = {
    "straight": """
    with {manager} as v:
        y = v * x[1]
    return y + z[0]
""",
    "returned": """
    with {manager} as v:
        return v * x[1] * z[0]
""",
    "returned perhaps": """
    with {manager} as v:
        if x[1] > 0:
            return v * x[1]
        y = v * 3.0
    return y * z[0]
""",
    "in a loop": """
    s = 0.0
    for k in range(3):
        with {manager} as v:
            if k == 1:
                continue
            s += v * x[k] * z[0]
    return s + z[0]
""",
    "left": """
    s, k = 0.0, 0
    while True:
        k += 1
        with {manager} as v:
            s = s + v * x[1]
            if k > 2:
                break
    return s * z[0]
""",
    "in a branch": """
    y = z[0]
    if x[1] > 0:
        with {manager} as v:
            y = v * x[1]
    return y * z[0]
""",
    "several": """
    with np.errstate(all="ignore"), {manager} as v, Scaled(x[1]) as w:
        y = v * 1.0 * w
    return y + z[0]
""",
}
MADE_BEFORE = """
    manager = {manager}
    with manager as v:
        y = v * x[1]
    return y + z[0]
"""
ONCE = {
    "popped": "stack = [x[0], x[1], x[2]]\n    with Scaled(stack.pop()) as v:\n        y = v * stack[-1]\n    return y * len(stack)",
    "popped for a generator": "stack = [x[0], x[1], x[2]]\n    with doubled(stack.pop()) as v:\n        y = v * stack[-1]\n    return y * len(stack)",
    "drawn": "rng = np.random.default_rng(0)\n    with Scaled(x[0] * rng.normal()) as v:\n        y = v\n    return y * rng.normal()",
    "maker": "log = []\n    with scaled_by(log)(x[0]) as v:\n        y = v * x[1]\n    return y * len(log)",
    "not followed": "stack = [x[0], x[1]]\n    with Scaled(len(stack)) as n:\n        y = stack.pop() * x[2]\n    return y * len(stack)",
}
POINTS = [1.3, 0.7, 2.1], [0.4, -1.2, 0.9]
NOT_FOLLOWED = "either(x[0])", "around(x[0])", "Swallowing(x[0])"


def text_of(manager: str, body: str) -> str:
    return f"{CLASSES}\n\ndef f(x):\n    z = x * 2.0{body.format(manager=manager)}"


@pytest.mark.parametrize(("manager", "body"), list(itertools.product(MANAGERS, BODIES)))
def test_followed(manager: str, body: str) -> None:
    f = written(text_of(MANAGERS[manager], BODIES[body]))
    for point in POINTS:
        agrees(f, np.array(point))


@pytest.mark.parametrize("manager", ["class", "itself", "written array", "null", "closing"])
def test_made_before(manager: str) -> None:
    agrees(written(text_of(MANAGERS[manager], MADE_BEFORE)), np.array(POINTS[0]), second=True)


@pytest.mark.usefixtures("taped")
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("manager", NOT_FOLLOWED)
@pytest.mark.parametrize("body", ["straight", "in a branch", "in a loop"])
def test_not_followed(manager: str, body: str) -> None:
    """The tape takes them, with a warning that says why; they are refused where nothing may be taped."""
    f, x = written(text_of(manager, BODIES[body])), np.array(POINTS[0])
    with pytest.raises(rg.RetrogradError):
        rg.grad(f, strict=True)(x)
    np.testing.assert_allclose(rg.grad(f)(x), differences(f, (x,)), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("body", ONCE)
def test_made_once(body: str) -> None:
    """What a manager is made of is computed once: it may have effects."""
    agrees(written(f"{CLASSES}\n\ndef f(x):\n    {ONCE[body]}\n"), np.array(POINTS[0]))


def test_given_to_while_it_stands() -> None:
    f = written(
        CLASSES
        + """
def f(x):
    with Sum() as s:
        for v in x:
            s.add(v * v)
    return s.total
"""
    )
    agrees(f, np.array(POINTS[0]), second=True)


def test_stays_what_it_is() -> None:
    """A manager that is given nothing that is differentiated, and gives nothing, is not looked into."""
    f = written(
        CLASSES
        + """
def f(x):
    with Scaled("a"):
        y = x[0] * x[1]
    return y
"""
    )
    assert 'with Scaled("a"):' in rg.differentiate(f).source("grad")
