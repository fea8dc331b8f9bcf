"""The dispatcher's promise: no argument ever reaches code that was compiled for another kind."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import NotDifferentiable, SignatureMismatch
from retrograd.transforms.signatures.signature_text import parse_signature
from retrograd.transforms.specialise.argument_types import condition, kind_of_argument


class Meters(float):
    """A float with a unit."""


class Shifted(np.ndarray):
    """An ndarray whose operators might mean something else."""


def read_only() -> np.ndarray:
    x = np.linspace(0.5, 1.5, 3)
    x.flags.writeable = False
    return x


# Pairwise different kinds: none may run in code compiled for another.
DISTINCT: dict[str, Callable[[], Any]] = {
    "float": lambda: 1.5,
    "int": lambda: 2,
    "bool": lambda: True,
    "complex": lambda: 1.5 + 0.5j,
    "none": lambda: None,
    "str": lambda: "linear",
    "bytes": lambda: b"linear",
    "f8 (3,)": lambda: np.ones(3),
    "f8 (1,)": lambda: np.ones(1),
    "f8 (3, 1)": lambda: np.ones((3, 1)),
    "f8 (1, 3)": lambda: np.ones((1, 3)),
    "f8 (1, 1)": lambda: np.ones((1, 1)),
    "f8 (3, 3)": lambda: np.ones((3, 3)),
    "f8 (3, 1, 3)": lambda: np.ones((3, 1, 3)),
    "f8 0-d": lambda: np.array(1.5),
    "f4 0-d": lambda: np.array(1.5, np.float32),
    "f4 (3,)": lambda: np.ones(3, np.float32),
    "f2 (3,)": lambda: np.ones(3, np.float16),
    "i8 (3,)": lambda: np.ones(3, np.int64),
    "i4 (3,)": lambda: np.ones(3, np.int32),
    "u1 (3,)": lambda: np.ones(3, np.uint8),
    "b1 (3,)": lambda: np.ones(3, np.bool_),
    "c16 (3,)": lambda: np.ones(3, np.complex128),
    "object (3,)": lambda: np.ones(3, object),
    "swapped (3,)": lambda: np.ones(3, ">f8"),
    "i8 0-d": lambda: np.array(2),
    "texts (3,)": lambda: np.array(["a", "b", "c"]),
    "dates (3,)": lambda: np.zeros(3, "M8[D]"),
    "swapped i4 (3,)": lambda: np.ones(3, ">i4"),
    "swapped 0-d": lambda: np.array(1.5, ">f8"),
    "list": lambda: [1.0, 2.0, 3.0],
    "tuple": lambda: (1.0, 2.0, 3.0),
    "list of 2": lambda: [1.0, 2.0],
    "list with int": lambda: [1.0, 2, 3.0],
    "nested": lambda: [(1.0, 2.0), 3.0],
    "dict": lambda: {"a": 1.0, "b": 2.0},
    "dict of other keys": lambda: {"a": 1.0, "c": 2.0},
    "dict in another order": lambda: {"b": 2.0, "a": 1.0},
    "dict of 3": lambda: {"a": 1.0, "b": 2.0, "c": 3.0},
    "dict of other values": lambda: {"a": 1.0, "b": 2},
    "ordered dict": lambda: OrderedDict(a=1.0, b=2.0),
    "float subclass": lambda: Meters(1.5),
}


def accepts(kind_from: Any, value: Any) -> bool:
    names: dict[str, Any] = {}
    text = condition(kind_of_argument(kind_from, "x"), "x", names)
    return bool(eval(text, names | {"x": value}))


@pytest.mark.parametrize("name", DISTINCT)
def test_a_guard_takes_its_own_kind_and_no_other(name: str) -> None:
    taken = [other for other, make in DISTINCT.items() if accepts(DISTINCT[name](), make())]
    assert taken == [name]


SAME: dict[str, tuple[Any, Any]] = {
    "another size": (np.ones(3), np.ones(7)),
    "size zero": (np.ones(3), np.ones(0)),
    "not contiguous": (np.ones((3, 3)), np.ones((6, 6))[::2, ::2].T),
    "read-only": (np.ones(3), read_only()),
    "0-d array and NumPy scalar": (np.array(1.5), np.float64(1.5)),
    "unpickled": (np.ones(3), pickle.loads(pickle.dumps(np.ones(3)))),
}


@pytest.mark.parametrize(("first", "second"), SAME.values(), ids=SAME)
def test_what_differs_only_by_size_or_layout_is_one_kind(first: Any, second: Any) -> None:
    assert accepts(first, second)
    assert accepts(second, first)


def test_a_dtype_that_is_not_the_usual_object_is_told_by_its_value() -> None:
    marked = np.dtype("f8", metadata={"unit": "m"})
    assert accepts(np.ones(3, marked), np.ones(3, marked))


def cube(x: Any) -> Any:
    return np.sum(x * x * x)


# -- the same through the whole machine: one gradient function, all kinds in turn ----------------

NUMBERS: dict[str, Any] = {
    "float": 1.5,
    "float64": np.float64(1.5),
    "float32": np.float32(1.5),
    "0-d": np.array(1.5),
    "(3,)": np.array([0.5, 1.0, -2.0]),
    "(1,)": np.array([2.0]),
    "(0,)": np.zeros(0),
    "(3, 1)": np.array([[0.5], [1.0], [2.0]]),
    "(1, 3)": np.array([[0.5, 1.0, 2.0]]),
    "(2, 2)": np.array([[0.5, 1.0], [2.0, 3.0]]),
    "(0, 2)": np.zeros((0, 2)),
    "(2, 1, 2)": np.arange(4.0).reshape(2, 1, 2),
    "float32 (3,)": np.array([0.5, 1.0, 2.0], np.float32),
    "float16 (3,)": np.array([0.5, 1.0, 2.0], np.float16),
    "reversed": np.arange(4.0)[::-1],
    "strided": np.arange(9.0).reshape(3, 3)[:, ::2],
    "fortran": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "read-only": read_only(),
}


def square_gradient(x: Any) -> Any:
    return 3 * x * x


def check_like(got: Any, x: Any, want: Any) -> None:
    """The gradient's values, and that it is the same kind of thing as its argument."""
    np.testing.assert_allclose(got, want, rtol=1e-2 if np.asarray(x).dtype == np.float16 else 1e-6)
    assert np.shape(got) == np.shape(x)
    assert np.asarray(got).dtype == np.asarray(x).dtype
    assert (
        isinstance(got, np.ndarray) == (isinstance(x, np.ndarray) and x.ndim > 0) or np.ndim(x) == 0
    )


def test_one_gradient_function_serves_every_kind_in_any_order() -> None:
    gradient = rg.grad(cube)
    order = list(NUMBERS) * 2 + sorted(NUMBERS, reverse=True)
    for name in order:
        x = NUMBERS[name]
        check_like(gradient(x), x, square_gradient(x))


@pytest.mark.parametrize("name", NUMBERS)
def test_a_gradient_has_the_type_of_its_argument(name: str) -> None:
    x = NUMBERS[name]
    check_like(rg.grad(cube)(x), x, square_gradient(x))


def test_a_python_float_has_a_python_float_as_gradient() -> None:
    assert type(rg.grad(lambda x: x * x * 0.5)(3.0)) is float
    assert type(rg.grad(cube)(1.5)) is float


def test_byte_swapped_arrays_do_not_open_the_door_to_others() -> None:
    gradient = rg.grad(cube)
    swapped = np.array([0.5, 1.0, 2.0], ">f8")
    np.testing.assert_allclose(gradient(swapped), 3 * swapped**2)
    for other in (np.ones(3, np.int64), np.ones(3, bool), np.ones(3, object)):
        with pytest.raises(NotDifferentiable, match="`x`"):
            gradient(other)
    assert gradient(np.ones(3, np.float32)).dtype == np.float32


def test_a_byte_swapped_0d_array_is_right_too() -> None:
    assert rg.grad(cube)(np.array(1.5, ">f8")) == pytest.approx(6.75)


REFUSED: dict[str, tuple[Any, str]] = {
    "int": (3, "an integer"),
    "bool": (True, "a boolean"),
    "str": ("abc", "not a number"),
    "bytes": (b"abc", "not a number"),
    "none": (None, "not a number"),
    "int array": (np.arange(3), "an integer array"),
    "unsigned array": (np.arange(3, dtype=np.uint8), "an integer array"),
    "bool array": (np.ones(3, bool), "a boolean array"),
    "int64 scalar": (np.int64(3), "an integer"),
    "uint8 scalar": (np.uint8(3), ""),
    "bool scalar": (np.bool_(True), "a boolean"),
    "0-d int": (np.array(3), "an integer"),
    "object array": (np.ones(3, object), "not of numbers"),
    "dates": (np.array(["2020-01-01"], "M8[D]"), "not of numbers"),
    "strings": (np.array(["a", "b"]), "not of numbers"),
    "list with an int": ([1.0, 2], r"\[1\]` is an integer"),
    "dict with an int": ({"w": {"k": 2}}, r"\['w'\]\['k'\]` is an integer"),
    "object": (object(), ""),
    "set": ({1.0}, ""),
    "Fraction-like float subclass": (Meters(1.5), ""),
}


@pytest.mark.parametrize(("value", "what"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("after", [None, 1.5, np.ones(3), [1.0, 2.0], {"w": {"k": 2.0}}])
def test_what_has_no_gradient_is_refused_by_name_never_zero(
    value: Any, what: str, after: Any
) -> None:
    def f(x: Any, y: float = 1.0) -> Any:
        return y * 2.0

    gradient = rg.grad(f)
    if after is not None:
        gradient(after)
    with pytest.raises(NotDifferentiable, match=f"`x.*{what}") as caught:
        gradient(value)
    assert caught.value.fix


@pytest.mark.parametrize("transform", [rg.value_and_grad, rg.grad, rg.jacobian, rg.hessian])
@pytest.mark.parametrize("value", [2, True, np.arange(3)])
def test_every_transform_refuses_an_integer(transform: Any, value: Any) -> None:
    with pytest.raises(NotDifferentiable, match="`x`"):
        transform(lambda x: np.sum(x * 1.0))(value)


@pytest.mark.parametrize("value", [2, True, np.arange(3)])
def test_products_refuse_an_integer(value: Any) -> None:
    def f(x: Any) -> Any:
        return np.sum(x * 1.0)

    with pytest.raises(NotDifferentiable, match="`x`"):
        rg.jvp(f, (value,), (np.asarray(value) * 1.0,))
    with pytest.raises(NotDifferentiable):
        rg.vjp(f, value)
    with pytest.raises(NotDifferentiable, match="`x`"):
        rg.vjp(f, value, wrt=0)
    with pytest.raises(NotDifferentiable, match="`x`"):
        rg.hvp(f, (value,), np.asarray(value) * 1.0)


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of np.matrix itself
@pytest.mark.parametrize("kind", ["matrix", "masked", "own"])
def test_subclasses_of_ndarray_are_refused(kind: str) -> None:
    x: Any = np.ones((1, 2)).view(
        {"matrix": np.matrix, "masked": np.ma.MaskedArray, "own": Shifted}[kind]
    )
    gradient = rg.grad(cube)
    gradient(np.ones((1, 2)))
    with pytest.raises(SignatureMismatch, match="subclass of ndarray"):
        gradient(x)
    with pytest.raises(SignatureMismatch, match=r"`k\[0\]`|`k_0`|`k`"):
        rg.grad(lambda x, k: x * np.sum(k[0]))(1.0, [x])


def test_an_integer_argument_that_is_not_asked_for_is_welcome() -> None:
    def f(x: Any, k: Any) -> Any:
        return np.sum(x**k) * k

    gradient = rg.grad(f)
    x = np.array([0.5, 2.0])
    for k in (3, 3.0, np.int64(3), np.float64(3.0), np.array(3), np.uint8(3), 3):
        np.testing.assert_allclose(gradient(x, k), 9 * x**2)
    np.testing.assert_allclose(gradient(x, True), [1.0, 1.0])


def test_an_integer_exponent_array_after_a_float_one() -> None:
    gradient = rg.grad(lambda x, k: np.sum(x**k))
    x = np.array([0.5, 2.0])
    for k in (np.array([2.0, 3.0]), np.array([2, 3]), np.array([[2.0], [3.0]]), np.array([2])):
        exact = np.sum(
            np.broadcast_to(k * x ** (k - 1.0), np.broadcast_shapes(k.shape, (2,))).reshape(-1, 2),
            axis=0,
        )
        np.testing.assert_allclose(gradient(x, k), exact)


def test_broadcasting_changes_between_calls() -> None:
    def f(w: Any, x: Any) -> Any:
        return np.sum((w * x) ** 2)

    gradient = rg.grad(f)
    rng = np.random.default_rng(0)
    shapes = [(3,), (1,), (), (2, 3), (2, 1), (1, 3), (1, 1), (4, 2, 3), (4, 1, 1), (0, 3), (1, 0)]
    for shape_w in shapes:
        for shape_x in shapes:
            try:
                full = np.broadcast_shapes(shape_w, shape_x)
            except ValueError:
                continue
            w, x = rng.normal(size=shape_w), rng.normal(size=shape_x)
            want = np.broadcast_to(2 * w * x * x, full)
            extra = tuple(range(len(full) - w.ndim))
            want = np.sum(want, axis=extra)
            want = np.sum(
                want, axis=tuple(k for k, n in enumerate(w.shape) if n == 1), keepdims=True
            )
            got = gradient(w, x)
            assert np.shape(got) == shape_w
            np.testing.assert_allclose(got, want, atol=1e-12)


def test_shapes_that_do_not_fit_raise_numpys_error_not_a_wrong_gradient() -> None:
    gradient = rg.grad(lambda w, x: np.sum((w * x) ** 2))
    gradient(np.ones(3), np.ones(3))
    with pytest.raises(ValueError, match="broadcast"):
        gradient(np.ones(3), np.ones(4))


@pytest.mark.parametrize(
    "name",
    ["type", "len", "float", "ndarray", "float64", "int", "np", "miss_", "rt", "math", "d_float64"],
)
def test_parameters_may_have_any_name(name: str, tmp_path: Any) -> None:
    path = tmp_path / f"names_{name}.py"
    path.write_text(f"def f({name}, other):\n    return {name}[0] * {name}[0] * other[1]\n")
    scope: dict[str, Any] = {"__name__": f"names_{name}"}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    gradient = rg.grad(scope["f"], wrt=(0, 1))
    for _ in range(2):
        first, second = gradient(np.array([3.0, 1.0]), [2.0, 5.0])
        np.testing.assert_allclose(first, [30.0, 0.0])
        assert second == [0.0, 9.0]


def test_dict_keys_may_be_anything_constant() -> None:
    def f(d: Any) -> Any:
        return d[1] * d["x y"] ** 2 * d[True, 2]

    d = {1: 2.0, "x y": 3.0, (True, 2): 5.0}
    assert rg.grad(f)(d) == {1: 45.0, "x y": 60.0, (True, 2): 18.0}


def test_a_signature_as_text() -> None:
    kinds = parse_signature("x: f8[n, 3], k: int, y: f4, z: f8[...]")
    assert [str(d) for d in kinds["x"].dims] == ["n", "3"]
    assert (kinds["k"].kind, kinds["y"].dtype, kinds["z"].dims) == ("i", "float32", None)
    for wrong in ("x: f8[n", "x f8", "x: notadtype"):
        with pytest.raises(SignatureMismatch):
            parse_signature(wrong)


def test_dicts_in_another_order_have_a_text_of_their_own() -> None:
    """A loop over a dict runs in its order, and was written out in that order."""

    def horner(p: Any) -> Any:
        y = 1.0
        for v in p.values():
            y = y * v + v
        return y

    derivative = rg.value_and_grad(horner)
    assert derivative({"a": 2.0, "b": 3.0}) == (15.0, {"a": 6.0, "b": 5.0})
    assert derivative({"b": 3.0, "a": 2.0}) == (14.0, {"b": 4.0, "a": 7.0})


def test_truth_values_of_python_and_of_numpy_in_any_order() -> None:
    def f(x: Any, flag: Any) -> Any:
        return x * x if flag else x

    gradient = rg.grad(f)
    for flag in (np.bool_(True), True, False, np.bool_(False), np.array(True), True):
        assert gradient(3.0, flag) == (6.0 if flag else 1.0)
