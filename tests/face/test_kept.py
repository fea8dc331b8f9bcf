"""What is made for a function is kept with it: made once, made anew when it is out of date, and let go."""

from __future__ import annotations

import functools
import gc
import pickle
import threading
import types
import weakref
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.transforms import transformed_function
from retrograd.transforms.api import chain_of
from retrograd.transforms.specialise.memo import NAME, Carried, Kept

X = np.array([1.0, 2.0, 3.0])


def cubes(x):
    return np.sum(x * x * x)


def both(x):
    return np.stack([x, x * x])


def doubled(x):
    return 2.0 * x


def through(x):
    return np.sum(doubled(x))


CALLS: dict[str, Any] = {
    "grad": lambda f: rg.grad(f)(X),
    "value_and_grad": lambda f: rg.value_and_grad(f)(X)[1],
    "twice": lambda f: rg.grad(rg.grad(lambda t: f(t * X)))(1.0),
    "jvp": lambda f: rg.jvp(f, (X,), (X,))[1],
    "vjp": lambda f: rg.vjp(f, X)[1](1.0)[0],
    "linearize": lambda f: rg.linearize(f, X)[1](X),
    "hvp": lambda f: rg.hvp(f, (X,), X),
    "jacobian": lambda f: rg.jacobian(f)(X),
    "hessian": lambda f: rg.hessian(f)(X),
    "sparse": lambda f: rg.hessian(f, sparse=True)(X).toarray(),
}
KEPT = {name: call for name, call in CALLS.items() if name != "twice"}  # which has a new lambda


@pytest.mark.parametrize("name", list(KEPT))
def test_nothing_is_compiled_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = KEPT[name](cubes)

    def compiled(*_: Any) -> Any:
        raise AssertionError("compiled again")

    monkeypatch.setattr(transformed_function.Chain, "compiled", compiled)
    np.testing.assert_array_equal(KEPT[name](cubes), first)


def test_the_same_request_gives_the_same_function() -> None:
    def f(x, y):
        return x * y

    assert rg.grad(f) is rg.grad(f)
    assert rg.grad(f, 0) is rg.grad(f, 0) is not rg.grad(f, (0,))
    assert rg.grad(f, [0, 1]) is rg.grad(f, [0, 1]) is not rg.grad(f, [1, 0])
    assert rg.grad(f, "y")(2.0, 3.0) == 2.0
    assert rg.grad(f, (1, 0))(2.0, 3.0) == (2.0, 3.0)
    assert rg.grad(rg.grad(f), "y") is rg.grad(rg.grad(f), "y")
    assert rg.jacobian(f) is rg.jacobian(f) is not rg.jacobian(f, mode="reverse")
    with pytest.raises(TypeError):
        rg.grad(f, 1.0)  # type: ignore[arg-type]  # which equals a position that is known


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", list(CALLS))
def test_a_function_is_let_go_with_its_closure(name: str) -> None:
    def about() -> tuple[Any, Any]:
        weights = np.ones(3)

        def f(x):
            return np.sum(x * x * weights)

        CALLS[name](f)
        return weakref.ref(f), weakref.ref(weights)

    about()  # the first module of a text stays, with what it captured
    refs = about()
    gc.collect()
    assert all(r() is None for r in refs)


# -- out of date -----------------------------------------------------------------------------


def other(x):
    return np.sum(5.0 * x)


def test_another_text() -> None:
    f = types.FunctionType(cubes.__code__, globals(), "f")
    before = rg.grad(f)(X)
    f.__code__ = other.__code__
    np.testing.assert_array_equal(before, 3 * X * X)
    np.testing.assert_array_equal(rg.grad(f)(X), [5.0, 5.0, 5.0])
    np.testing.assert_array_equal(rg.hessian(f)(X), np.zeros((3, 3)))


def tripled(x):
    return 3.0 * x


def test_another_text_of_what_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rg.grad(through)(X)[0] == rg.vjp(through, X)[1](1.0)[0][0] == 2.0
    monkeypatch.setattr(doubled, "__code__", tripled.__code__)
    assert rg.grad(through)(X)[0] == rg.vjp(through, X)[1](1.0)[0][0] == 3.0
    assert rg.jacobian(through)(X)[0] == rg.jvp(through, (X,), (X / X,))[1] / 3 == 3.0


def test_other_defaults() -> None:
    def f(x, k=2.0, *, p=1.0):
        return k * p * x

    assert (rg.grad(f)(1.0), rg.jacobian(f)(1.0)) == (2.0, 2.0)
    f.__defaults__ = (3.0,)
    assert (rg.grad(f)(1.0), rg.jacobian(f)(1.0)) == (3.0, 3.0)
    f.__kwdefaults__["p"] = 2.0
    assert (rg.grad(f)(1.0), rg.vjp(f, 1.0, wrt=0)[1](1.0)[0]) == (6.0, 6.0)
    f.__kwdefaults__ = None
    with pytest.raises(TypeError):
        rg.grad(f)(1.0)


def test_a_derivative_that_is_given_later() -> None:
    def g(x):
        return x * x

    def f(x):
        return g(x)

    assert rg.grad(f)(3.0) == 6.0
    rg.custom_gradient(g, vjp=lambda c, z, x: 10.0 * c)
    assert rg.grad(f)(3.0) == 10.0
    g.vjp(lambda c, z, x: 20.0 * c)
    assert rg.grad(f)(3.0) == rg.jacobian(f, mode="reverse")(3.0) == 20.0


def test_a_global_that_is_bound_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in (2.0, 3.0, 2.0):
        monkeypatch.setitem(globals(), "SCALE", value)
        assert rg.grad(scaled)(1.0) == rg.jacobian(scaled)(1.0) == value
        assert rg.vjp(scaled, 1.0)[1](1.0) == (value,)


SCALE = 1.0


def scaled(x):
    return SCALE * x


# -- beside other things that a function has --------------------------------------------------------


def test_a_wrapper_has_its_own() -> None:
    def f(x):
        return x * x

    rg.grad(f)(2.0)

    @functools.wraps(f)
    def g(x):
        return x * x * x

    assert vars(g)[NAME] is vars(f)[NAME]  # that is what `wraps` does
    assert (rg.grad(g)(2.0), rg.grad(f)(2.0)) == (12.0, 4.0)


def test_it_is_not_pickled() -> None:
    rg.grad(cubes)(X)
    assert isinstance(vars(cubes)[NAME], Kept)
    assert isinstance(pickle.loads(pickle.dumps(vars(cubes)[NAME])), Carried)
    copied = types.FunctionType(cubes.__code__, globals(), "cubes")
    vars(copied).update(pickle.loads(pickle.dumps(vars(cubes))))
    np.testing.assert_array_equal(rg.grad(copied)(X), rg.grad(cubes)(X))


class Model:
    def __init__(self, k: float) -> None:
        self.k = k

    def loss(self, x):
        return self.k * x * x


def test_methods_of_a_few_objects_are_kept() -> None:
    models = [Model(float(k)) for k in range(3 * transformed_function.OBJECTS)]
    for _ in range(2):
        assert [rg.grad(m.loss)(1.0) for m in models] == [2 * m.k for m in models]
        assert [rg.hvp(m.loss, (1.0,), 1.0) for m in models] == [2 * m.k for m in models]
    assert rg.grad(models[-1].loss) is rg.grad(models[-1].loss)
    assert len(chain_of(Model.loss).made["objects"]) == transformed_function.OBJECTS


def test_many_threads() -> None:
    def f(x):
        return np.sum(np.sin(x) * x)

    wanted = np.cos(X) * X + np.sin(X)
    wrong: list[Any] = []

    def work() -> None:
        for _ in range(20):
            if not np.allclose(rg.grad(f)(X), wanted) or not np.allclose(rg.jacobian(f)(X), wanted):
                wrong.append(threading.get_ident())

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_more_kinds_than_a_dispatcher_has_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = [np.ones(shape, dtype) for shape in (3, (2, 2), (1, 2), (2, 1)) for dtype in "fd"]
    wanted = [(rg.grad(cubes)(x), rg.vjp(cubes, x)[1](1.0)[0]) for x in kinds]

    def load(*_: Any) -> Any:
        raise AssertionError("loaded again")

    monkeypatch.setattr(transformed_function.Chain, "load", load)
    for x, (gradient, bar) in zip(kinds, wanted, strict=True):
        np.testing.assert_array_equal(rg.grad(cubes)(x), gradient)
        np.testing.assert_array_equal(rg.vjp(cubes, x)[1](1.0)[0], bar)
