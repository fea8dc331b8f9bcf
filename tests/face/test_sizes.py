"""Sizes that do not fit: a derivative that drops what would notice refuses them as the function does."""

from __future__ import annotations

import dataclasses
import re
import shutil
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.transforms.api import chain_of


def product(x, y):
    return np.sum(x * y)


def linear_model(a, x, y):
    return np.sum(a @ x - y)


def inner(x, y):
    return x @ y


def choice(x, y):
    return np.sum(np.where(x > 0, x, y))


def unused(x, y):
    x * y
    return np.sum(x)


def in_a_dict(p):
    return np.sum(p["a"] * p["b"])


@dataclasses.dataclass
class Pair:
    a: Any
    b: Any


def in_an_object(p):
    return np.sum(p.a - p.b)


def starred(*xs, **named):
    return np.sum(xs[0] * xs[1] + named["k"])


def unpacked(p):
    x, y = p
    return x * y


def helper(y):
    a, b = np.sin(y)
    return a * b


def unpacked_by_a_helper(p):
    return helper(p["k"])


def unpacked_in_a_loop(rows):
    total = 0.0
    for a, b in rows:
        total += a * b
    return total


def unpacked_columns(m):
    u, v = m.T
    return u @ v


def one(n: int) -> Any:
    return np.linspace(1.0, 2.0, n)


CASES: list[tuple[Any, Any, Any]] = [
    (product, (one(3), one(3)), (one(3), one(4))),
    (linear_model, (np.ones((2, 3)), one(3), one(2)), (np.ones((2, 3)), one(3), one(4))),
    (linear_model, (np.ones((2, 3)), one(3), one(2)), (np.ones((2, 3)), one(2), one(2))),
    (inner, (one(3), one(3)), (one(4), one(3))),
    (choice, (one(3), one(3)), (one(3), one(4))),
    (unused, (one(3), one(3)), (one(3), one(4))),
    (in_a_dict, ({"a": one(3), "b": one(3)},), ({"a": one(3), "b": one(4)},)),
    (in_an_object, (Pair(one(3), one(3)),), (Pair(one(3), one(4)),)),
    (unpacked, (one(2),), (one(3),)),
    (unpacked_by_a_helper, ({"k": one(2)},), ({"k": one(3)},)),
    (unpacked_in_a_loop, (np.ones((3, 2)),), (np.ones((3, 3)),)),
    (unpacked_columns, (np.ones((3, 2)),), (np.ones((3, 3)),)),
]
COMPLAINTS = "shape|size|to unpack"
ON_CASES = pytest.mark.parametrize(
    ("f", "right", "wrong"), CASES, ids=[f"{f.__name__}{k}" for k, (f, *_) in enumerate(CASES)]
)


@ON_CASES
@pytest.mark.parametrize("transform", [rg.grad, rg.value_and_grad, rg.jacobian, rg.hessian])
def test_sizes_that_do_not_fit(transform: Any, f: Any, right: Any, wrong: Any) -> None:
    """Before and after there is code for arguments of this kind."""
    with pytest.raises(ValueError, match=COMPLAINTS):
        f(*wrong)
    for _ in range(2):
        with pytest.raises(ValueError, match=COMPLAINTS):
            transform(f)(*wrong)
        transform(f)(*right)
    with pytest.raises(ValueError, match=COMPLAINTS):
        rg.vjp(f, *wrong)


def test_starred_arguments_and_methods() -> None:
    class Model:
        def __init__(self, w: Any) -> None:
            self.w = w

        def loss(self, x):
            return np.sum(self.w * x)

    np.testing.assert_array_equal(rg.grad(Model(one(3)).loss)(one(3)), one(3))
    for call in (
        lambda: rg.grad(Model(one(3)).loss)(one(4)),
        lambda: rg.grad(starred)(one(3), one(4), k=1.0),
    ):
        with pytest.raises(ValueError, match="broadcast"):
            call()
    np.testing.assert_array_equal(rg.grad(starred)(one(3), one(3), k=1.0), one(3))


@pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler")
def test_kernels_see_it_too() -> None:
    gradient = rg.grad(product, (0, 1), backend="c")
    for n, m in ((3, 3), (3, 4), (300, 4), (4, 300), (300, 300)):
        if n == m:
            np.testing.assert_array_equal(gradient(one(n), one(m)), [one(n), one(n)])
        else:
            with pytest.raises(ValueError, match="broadcast"):
                gradient(one(n), one(m))


@pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler")
def test_kernels_count_what_is_unpacked() -> None:
    gradient = rg.grad(unpacked, backend="c")
    for n in (2, 3, 2, 300, 2):
        if n == 2:
            np.testing.assert_array_equal(gradient(one(n)), one(n)[::-1])
        else:
            with pytest.raises(ValueError, match="to unpack"):
                gradient(one(n))
    assert [part.compiled for part in gradient.__native__.parts()] == [True]  # type: ignore[attr-defined]


def equal(f: Any, kind: str, *args: Any) -> Any:
    chain = chain_of(f).then(kind, (0,))
    return chain.load(chain.types(args)).equal


def test_nothing_is_compared_twice() -> None:
    """Where an operation of the text compares the sizes itself."""
    x = one(3)
    assert [set(pair) for pair in equal(product, "grad", x, x)] == [{"x_0", "y_0"}]
    assert not equal(product, "value_and_grad", x, x)

    def squares(a, x, y):
        return np.sum((a @ x - y) ** 2)

    assert not equal(squares, "grad", np.ones((2, 3)), x, one(2))
    assert len(equal(linear_model, "grad", np.ones((2, 3)), x, one(2))) == 2


WEIGHTS = np.array([1.0, 2.0, 3.0])


def of_the_module_left(x):
    return WEIGHTS @ x


def of_the_module_right(x):
    return x @ WEIGHTS


def of_the_module_dot(x):
    return np.dot(x, WEIGHTS)


def of_the_module_inner(x):
    return np.inner(WEIGHTS, x)


def of_the_module_stretched(x):
    return np.sum(x * WEIGHTS)


def of_the_module_inside(x):
    return np.sum((2 * x) @ (1 * WEIGHTS))


OF_THE_MODULE = [
    of_the_module_left, of_the_module_right, of_the_module_dot, of_the_module_inner, of_the_module_stretched,
    of_the_module_inside,
]  # fmt: skip


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("f", OF_THE_MODULE)
def test_arrays_of_the_module(f: Any, n: int) -> None:
    x = np.ones(n)
    try:
        f(x)
    except ValueError as error:
        for derive in (rg.grad, rg.value_and_grad):
            with pytest.raises(ValueError, match=re.escape(str(error))):
                derive(f)(x)
    else:
        assert rg.grad(f)(x).shape == x.shape


@pytest.mark.parametrize("f", OF_THE_MODULE)
def test_texts_with_arrays_of_the_module(f: Any) -> None:
    """A text of its own refuses what the function refuses."""
    scope: dict[str, Any] = {"WEIGHTS": WEIGHTS}
    exec(rg.differentiate(f).source("grad", sig="x: f8[n]"), scope)
    gradient = scope[f"{f.__name__}_grad"]
    assert gradient(np.ones(3)).shape == (3,)
    for n in (0, 4):
        with pytest.raises((ValueError, rg.RetrogradError)):
            gradient(np.ones(n))


def mixed(a: Any, b: Any) -> Any:
    return a + b if np.sum(a) > 0.3 else a - b


def in_a_helper(x: Any, v: Any) -> Any:
    """What the helper joins, and nobody reads, has sizes that no argument tells."""
    for k in range(3):
        if k > 0:
            x, v = v * 2.0, x
        v = np.maximum(x, v)
    mixed(v, x)
    return np.sum(v**3)


def test_the_function_is_not_asked_for_sizes_that_no_argument_tells() -> None:
    x = np.array([[0.3, 1.2], [-0.7, 0.4]])
    for kind in ("grad", "value_and_grad"):
        assert "~" not in "".join(f"{a}{b}" for a, b, *_ in equal(in_a_helper, kind, x, x))
