"""A Jacobian of a function that changes something: as of one run, and what is left is as after one run."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import InternalError, RetrogradError

pytestmark = [
    pytest.mark.usefixtures("unchecked"),
    pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning"),
]

X = np.array([1.0, 2.0])


class Model:
    def __init__(self) -> None:
        self.u, self.n = np.zeros(2), 0.0

    def step(self, a):
        self.u = self.u * 0.5 + a
        return self.u * self.u * a

    def to_argument(self, a, b):
        b += a
        return b * b


LISTED, NAMED, ARRAY, OBJECT, COUNT = [1.0], {"n": 1.0}, np.ones(2), Model(), 0.0


def itself(x):
    x += 1.0
    return x * x


def array(x, a):
    a += x
    return a * a


def part(x, a):
    a[0] += 1.0
    return x * x * a[0]


def into(x, a):
    np.multiply(a, x, out=a)
    return a * x


def listed(x, a):
    a[0] += 1
    return x * x * a[0]


def longer(x, a):
    a.append(2.0)
    return x * x * len(a)


def named(x, d):
    d["n"] = d["n"] + 1.0
    return x * x * d["n"]


def nested(x, d):
    d["a"][0] += 1.0
    return x * x * d["a"][0]


def of_object(x, o):
    o.n += 1.0
    return x * x * o.n


def lent(a, x):
    a *= x


def by_callee(x, a):
    lent(a, x)
    return a * a


def pair(x, a):
    a += x
    return {"v": a * a, "w": np.sum(a)}


def global_list(x):
    LISTED[0] += 1.0
    return x * x * LISTED[0]


def global_append(x):
    LISTED.append(1.0)
    return x * x


def global_dict(x):
    NAMED["n"] += 1.0
    return x * x * NAMED["n"]


def global_array(x):
    ARRAY[:] += x
    return x * x * ARRAY


def global_object(x):
    OBJECT.n += 1.0
    return x * x * OBJECT.n


def global_number(x):
    global COUNT
    COUNT += 1.0
    return x * x * COUNT


def not_compiled(x):
    LISTED.append(1.0)
    exec("pass")
    return x * x * len(LISTED)


def by_tape(x):
    return x * not_compiled(x)


def closure() -> Callable[..., Any]:
    held = [0.0]

    def run(x):
        held[0] += 1.0
        return x * x * held[0]

    return run


IN_ARGUMENTS: dict[str, tuple[Callable[..., Any], Callable[[], list[Any]]]] = {
    "itself": (itself, list),
    "array": (array, lambda: [np.ones(2)]),
    "part": (part, lambda: [np.ones(2)]),
    "into": (into, lambda: [np.ones(2)]),
    "list": (listed, lambda: [[1]]),
    "longer list": (longer, lambda: [[1.0]]),
    "dict": (named, lambda: [{"n": 1.0}]),
    "in a dict": (nested, lambda: [{"a": [1.0]}]),
    "object": (of_object, lambda: [Model()]),
    "callee": (by_callee, lambda: [np.ones(2)]),
}
ELSEWHERE = {
    "self": lambda: Model().step,
    "argument of a method": lambda: Model().to_argument,
    "global list": lambda: global_list,
    "global list, longer": lambda: global_append,
    "global dict": lambda: global_dict,
    "global array": lambda: global_array,
    "global object": lambda: global_object,
    "global number": lambda: global_number,
    "closure": closure,
    "a call on the tape": lambda: by_tape,
}
REFUSED = {"global list", "global dict", "global array", "global number", "closure"}
MODES = [None, "forward", "reverse"]


def begin() -> None:
    """What is global, as it was."""
    global COUNT
    LISTED[:], ARRAY[:], OBJECT.n, COUNT = [1.0], 1.0, 0.0, 0.0
    NAMED["n"] = 1.0


def state(*held: Any) -> str:
    """All that a run may have changed."""
    inner = [vars(x) if isinstance(x, Model) else x for x in held]
    return repr([inner, LISTED, NAMED, ARRAY, OBJECT.n, COUNT])


def slopes(run: Callable[[Any], Any], x: Any) -> Any:
    """Central differences, each run from the same state."""
    columns = [(run(x + d) - run(x - d)) / 2e-5 for d in 1e-5 * np.eye(len(x))]
    return np.stack(columns, -1)


def total(f: Callable[..., Any]) -> Callable[..., Any]:
    def run(*args: Any) -> Any:
        return np.sum(f(*args))

    return run


def summed(x, a):
    a += x
    return np.sum(a**3)


def summed_list(x, a):
    a.append(np.sum(x))
    return np.sum(x**3) * len(a)


def once(f: Callable[..., Any], args: list[Any]) -> tuple[Any, str]:
    """The value of one plain run, and what it leaves."""
    begin()
    value = f(*args)
    return value, state(*args, getattr(f, "__self__", None))


def judged(derive: Callable[[], Any], f: Any, args: list[Any], want: Any, left: str) -> bool:
    """Whether a derivative is right and leaves what one run leaves; False where it is refused."""
    begin()
    before = state(*args, getattr(f, "__self__", None))
    try:
        got = derive()
    except InternalError:
        raise
    except RetrogradError:
        assert state(*args, getattr(f, "__self__", None)) == before
        return False
    np.testing.assert_allclose(got, want, atol=1e-6)
    assert state(*args, getattr(f, "__self__", None)) == left
    return True


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("mode", "decorated"), [*((mode, False) for mode in MODES), (None, True)])
@pytest.mark.parametrize("name", IN_ARGUMENTS)
def test_arguments(name: str, mode: str | None, decorated: bool) -> None:
    f, others = IN_ARGUMENTS[name]
    want = slopes(lambda x: f(x.copy(), *others()), X)
    _, left = once(f, [X.copy(), *others()])
    args = [X.copy(), *others()]
    asked = rg.differentiate(f) if decorated else f
    assert judged(lambda: rg.jacobian(asked, mode=mode)(*args), f, args, want, left)


@pytest.mark.parametrize("name", ["itself", "array", "longer list"])
def test_compiled_by_a_back_end(name: str, recwarn: Any) -> None:
    f, others = IN_ARGUMENTS[name]
    want = slopes(lambda x: f(x.copy(), *others()), X)
    _, left = once(f, [X.copy(), *others()])
    for mode in MODES:
        args = [X.copy(), *others()]
        run = rg.jacobian(f, mode=mode, backend="c")
        assert judged(lambda: run(*args), f, args, want, left)  # noqa: B023
    assert not recwarn.list


@pytest.mark.sampled(3)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ELSEWHERE)
def test_elsewhere(name: str, mode: str | None) -> None:
    def fresh(x: Any) -> Any:
        begin()
        f = ELSEWHERE[name]()
        return f(x.copy(), *([np.ones(2)] if "method" in name else []))

    want = slopes(fresh, X)
    f, g = ELSEWHERE[name](), ELSEWHERE[name]()
    others = [np.ones(2)] if "method" in name else []
    _, left = once(f, [X.copy(), *copy.deepcopy(others)])
    args = [X.copy(), *others]
    found = judged(lambda: rg.jacobian(g, mode=mode)(*args), g, args, want, left)
    assert found is (name not in REFUSED)


@pytest.mark.parametrize(("f", "other"), [(summed, np.ones(2)), (summed_list, [1.0])])
def test_hessian(f: Any, other: Any) -> None:
    _, left = once(f, [X.copy(), copy.deepcopy(other)])
    slope = lambda x: slopes(lambda y: np.array(f(y.copy(), copy.deepcopy(other))), x)
    args = [X.copy(), copy.deepcopy(other)]
    begin()
    got = rg.hessian(f)(*args)
    np.testing.assert_allclose(got, slopes(slope, X), atol=1e-3)
    assert state(*args, None) == left


def test_hessian_of_a_method() -> None:
    class Sum(Model):
        def loss(self, a):
            self.u = self.u + a
            return np.sum(self.u**3)

    model = Sum()
    got = rg.hessian(model.loss)(X)
    np.testing.assert_allclose(got, np.diag(6 * X))
    np.testing.assert_array_equal(model.u, X)


def test_sparse() -> None:
    args = [X.copy(), np.ones(2)]
    got = rg.jacobian(array, sparse=True, pattern=np.eye(2))(*args)
    np.testing.assert_allclose(got.toarray(), np.diag(2 * (X + 1)))
    np.testing.assert_array_equal(args[1], X + 1)
    args = [X.copy(), np.ones(2)]
    got = rg.jacobian(array, sparse=True, pattern="probe")(*args)
    np.testing.assert_allclose(got.toarray(), np.diag(2 * (X + 1)))
    np.testing.assert_array_equal(args[1], X + 1)


def test_sparse_of_a_method() -> None:
    model = Model()
    got = rg.jacobian(model.step, sparse=True, pattern=np.eye(2))(X)
    np.testing.assert_allclose(got.toarray(), np.diag(3 * X**2))
    np.testing.assert_array_equal(model.u, X)


def test_containers_of_results() -> None:
    args = [X.copy(), np.ones(2)]
    got = rg.jacobian(pair)(*args)
    np.testing.assert_allclose(got["v"], np.diag(2 * (X + 1)))
    np.testing.assert_allclose(got["w"], np.ones(2))
    np.testing.assert_array_equal(args[1], X + 1)


def test_complex_results() -> None:
    def turned(x, a):
        a += x
        return a * a * 1j

    args = [X.copy(), np.ones(2)]
    np.testing.assert_allclose(rg.jacobian(turned)(*args), np.diag(2j * (X + 1)))
    np.testing.assert_array_equal(args[1], X + 1)


def test_complex_results_of_one_run() -> None:
    class Turning(Model):
        def turned(self, x):
            self.u = self.u + x
            return self.u * self.u * (1.0 + 2.0j)

    model = Turning()
    np.testing.assert_allclose(rg.jacobian(model.turned)(X), np.diag((2.0 + 4.0j) * X))
    np.testing.assert_array_equal(model.u, X)


def test_linearize() -> None:
    args = [X.copy(), np.ones(2)]
    value, tangent = rg.linearize(array, *args)
    np.testing.assert_array_equal(args[1], X + 1)
    for _ in range(2):
        np.testing.assert_allclose(tangent(X, np.ones(2)), 2 * (X + 1) * (X + 1))
    np.testing.assert_array_equal(args[1], X + 1)
    np.testing.assert_array_equal(value, (X + 1) ** 2)
    model = Model()
    with pytest.raises(RetrogradError):
        rg.linearize(model.step, X)
    assert not model.u.any()


@pytest.mark.parametrize("held", [[1.0], np.ones(2)], ids=["list", "array"])
@pytest.mark.parametrize("decorated", [False, True])
def test_on_the_tape(decorated: bool, held: Any) -> None:
    def run(x, a):
        exec("pass")
        a[0] += 1.0
        return x * x * a[0]

    args = [X.copy(), copy.deepcopy(held)]
    with pytest.raises(RetrogradError) as refusal:
        rg.jacobian(rg.differentiate(run) if decorated else run)(*args)
    assert not isinstance(refusal.value, InternalError)
    assert repr(args[1]) == repr(held)


def test_pure_functions_are_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    from retrograd.transforms import stateful_functions as module

    def pure(x):
        total = 0.0
        for k in range(2):
            total += x[k] * x
        return total

    monkeypatch.setattr(module, "fresh", None)
    want = slopes(pure, X)
    for mode in MODES:
        np.testing.assert_allclose(rg.jacobian(pure, mode=mode)(X), want, atol=1e-6)
