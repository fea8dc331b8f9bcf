"""NumPy's functions of tensors: what shows memory is a view, what the way back reads is as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from .surface import raises

VIEWS: dict[str, Callable[[Any], Any]] = {
    "reshape": lambda y: np.reshape(y, (3, 2)),
    "ravel": np.ravel,
    "transpose": np.transpose,
    "permute_dims": lambda y: np.permute_dims(y, (1, 0)),
    "matrix_transpose": np.matrix_transpose,
    "swapaxes": lambda y: np.swapaxes(y, 0, 1),
    "moveaxis": lambda y: np.moveaxis(y, [0], [1]),
    "rollaxis": lambda y: np.rollaxis(y, 1),
    "squeeze": lambda y: np.squeeze(np.expand_dims(y, 1)),
    "broadcast_to": lambda y: np.broadcast_to(y, (2, 2, 3)),
    "broadcast_arrays": lambda y: np.broadcast_arrays(y, y[0])[1],
    "split": lambda y: np.split(y, 3, 1)[1],
    "array_split": lambda y: np.array_split(y, 2, 1)[0],
    "hsplit": lambda y: np.hsplit(y, 3)[2],
    "one part": lambda y: np.split(y, 1)[0],
    "unstack": lambda y: np.unstack(y)[1],
    "diagonal": np.diagonal,
    "diag": np.diag,
    "atleast_1d": np.atleast_1d,
    "atleast_3d": np.atleast_3d,
    "flip": np.flip,
    "fliplr": np.fliplr,
    "rot90": np.rot90,
    "real": np.real,
    "einsum": lambda y: np.einsum("ij->ji", y),
    "einsum, a diagonal": lambda y: np.einsum("ii->i", y[:, :2]),
    "windows": lambda y: np.lib.stride_tricks.sliding_window_view(y, 2, 1),
    "meshgrid": lambda y: np.meshgrid(np.ravel(y), np.ones(2), copy=False)[0],
    "copied: roll": lambda y: np.roll(y, 1),
    "copied: concatenate": lambda y: np.concatenate([y]),
    "copied: tril": np.tril,
}


def weighted(v: Any, weights: Any) -> Any:
    return (v * weights(v)).sum() + (v * v).sum()


def doubled(written: Any, read: Callable[[], Any], weights: Any) -> Any:
    written *= 2
    return weighted(read(), weights)


def saved(written: Any, z: Any) -> Any:
    written *= 2
    return z


WRITES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "the base": lambda f, y, w: (lambda v: doubled(y, lambda: v, w))(f(y)),
    "the view": lambda f, y, w: doubled(f(y), lambda: y, w),
    "the view of what is read": lambda f, y, w: (lambda z: saved(f(y), z))((y * y).sum()),
    "the base of what is read": lambda f, y, w: (lambda v: saved(y, (v * v).sum()))(f(y)),
}


def slope(of: Callable[[Any], float], a: Any) -> Any:
    made = np.zeros_like(a)
    for k in np.ndindex(a.shape):
        step = np.zeros_like(a)
        step[k] = 1e-6
        made[k] = (of(a + step) - of(a - step)) / 2e-6
    return made


@pytest.mark.filterwarnings("ignore:future versions will not create a writeable array")
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("name", VIEWS)
def test_writes_are_seen_through_views_of_numpy(torch: Any, name: str, write: str) -> None:
    a = np.arange(1.0, 7.0).reshape(2, 3)

    def numbers(v: Any) -> Any:
        return np.cos(np.arange(v.size)).reshape(v.shape)

    def weights(v: Any) -> Any:
        return torch.from_numpy(numbers(v._array))

    def plain(b: Any) -> float:
        return float(WRITES[write](writable, b.copy(), numbers))

    def writable(b: Any) -> Any:
        v = VIEWS[name](b)
        if not v.flags.writeable and name.startswith("diag"):
            v.setflags(write=True)
        return v

    allowed = (
        "modified by an inplace",
        "is a view and",
        "more than one element",
    )
    x = torch.tensor(a, requires_grad=True)
    forward = torch.autograd.forward_ad
    with forward.dual_level():
        dual = forward.make_dual(torch.tensor(a), torch.tensor(np.sin(a)))
        try:
            z = WRITES[write](VIEWS[name], x * 1, weights)
            z.backward()
        except RuntimeError as error:
            if not any(text in str(error) for text in allowed):
                raise
            return
        value = WRITES[write](VIEWS[name], dual * 1, weights)
        tangent = forward.unpack_dual(value).tangent
    assert np.isclose(z.item(), plain(a))
    wanted = slope(plain, a)
    assert np.allclose(x.grad._array, wanted, atol=1e-4)
    assert np.isclose(tangent.item(), (wanted * np.sin(a)).sum(), atol=1e-4)


@pytest.mark.parametrize("name", ["reshape", "ravel", "transpose", "flip", "diagonal", "rot90"])
def test_a_leaf_is_not_written_to_through_a_view_of_numpy(torch: Any, name: str) -> None:
    x = torch.ones(2, 3, requires_grad=True)
    with raises(RuntimeError, "a view of a leaf Variable"):
        VIEWS[name](x).mul_(2)


IN_PLACE: dict[str, Callable[[Any], Any]] = {
    "copyto": lambda y: np.copyto(y, np.ones(2)),
    "put": lambda y: np.put(y, [0], [9.0]),
    "place": lambda y: np.place(y, [True, False], [9.0]),
    "putmask": lambda y: np.putmask(y, [True, False], [9.0]),
    "put_along_axis": lambda y: np.put_along_axis(y, np.array([0]), 9.0, 0),
    "fill_diagonal": lambda y: np.fill_diagonal(y.reshape(1, 2), 9.0),
    "add.at": lambda y: np.add.at(y, [0], 9.0),
    "nan_to_num": lambda y: np.nan_to_num(y, copy=False),
    "out=": lambda y: np.sum(np.ones((2, 2)), 0, out=y),
}


@pytest.mark.parametrize("requires", [True, False])
@pytest.mark.parametrize("name", IN_PLACE)
def test_functions_of_numpy_do_not_write_unseen(torch: Any, name: str, requires: bool) -> None:
    y = torch.tensor([1.0, float("nan")], requires_grad=requires) * 1
    with pytest.raises(RuntimeError, match="writes into a tensor|no rule|no out="):
        IN_PLACE[name](y)
    assert np.array_equal(y._array, [1, np.nan], equal_nan=True)


# -- what the way back reads ------------------------------------------------------------------------

TRUE = [True, False, True]
READ: dict[str, tuple[Any, Callable[[Any, Any, Any], Any]]] = {
    "x * w": (np.ones(3), lambda t, x, w: x * w),
    "w * x": (np.ones(3), lambda t, x, w: w * x),
    "x / w": (np.ones(3), lambda t, x, w: x / w),
    "w / x": (np.ones(3), lambda t, x, w: w / x),
    "x ** w": (np.ones(3), lambda t, x, w: x**w),
    "x *= w": (np.ones(3), lambda t, x, w: (x * 1).__imul__(w)),
    "np.multiply": (np.ones(3), lambda t, x, w: np.multiply(x, w)),
    "torch.mul": (np.ones(3), lambda t, x, w: t.mul(x, w)),
    "w @ x": (np.ones((2, 3)), lambda t, x, w: w @ x),
    "x @ w": (np.ones((3, 2)), lambda t, x, w: x @ w),
    "np.dot": (np.ones((2, 3)), lambda t, x, w: np.dot(w, x)),
    "np.einsum": (np.ones((2, 3)), lambda t, x, w: np.einsum("ij,j", w, x)),
    "np.where": (np.array(TRUE), lambda t, x, w: np.where(w, x, 0.0)),
    "np.clip": (np.full(3, 3.5), lambda t, x, w: np.clip(x, 0.0, w)),
    "np.take": ([0, 0], lambda t, x, w: np.take(x, w)),
    "np.average": (np.ones(3), lambda t, x, w: np.average(x, weights=w)),
    "x[w]": (np.array([0, 0]), lambda t, x, w: x[w]),
    "x[w], a list": ([0, 0], lambda t, x, w: x[w]),
    "x[w], a mask": (np.array(TRUE), lambda t, x, w: x[w]),
    "x[:, w]": (np.array([0, 0]), lambda t, x, w: x[None][:, w]),
    "x[:, w], a list": ([0, 0], lambda t, x, w: x[None][:, w]),
    "y[w] = x": (np.array([0, 1, 2]), lambda t, x, w: put(t.zeros(4, dtype=x.dtype), w, x)),
    "y[:, w] = x": ([0, 1, 2], lambda t, x, w: put(t.zeros(1, 4, dtype=x.dtype), (slice(None), w), x)),
    "roll": ([1], lambda t, x, w: x.roll(w, [0]) * t.arange(3)),
    "sum": ([0], lambda t, x, w: x.outer(x).sum(w) * t.arange(3)),
    "movedim": ([2, 0], lambda t, x, w: x.expand(1, 2, 3).movedim([0, 1], w)),
    "repeat": (np.array([1, 2, 1]), lambda t, x, w: np.repeat(x, w)),
    "reshape": ([3, 1], lambda t, x, w: x.reshape(w) * t.arange(3)),
}  # fmt: skip


def put(y: Any, index: Any, value: Any) -> Any:
    y[index] = value
    return y


@pytest.mark.parametrize("name", READ)
def test_arrays_and_lists_are_read_as_they_were(torch: Any, name: str) -> None:
    given, function = READ[name]

    def gradient(change: bool) -> Any:
        x = torch.tensor([1.0, 2.0, 4.0], dtype=torch.float64, requires_grad=True)
        w = given.copy()
        z = function(torch, x, w)
        if change:
            w[:] = np.zeros_like(w) if isinstance(w, np.ndarray) else [0] * len(w)
            if isinstance(w, list) and len(w) > 1:
                w[-1] = 1
        (z * z).sum().backward()
        return x.grad._array

    assert np.allclose(gradient(True), gradient(False))


def test_an_array_that_is_only_read_forwards_is_not_copied(torch: Any) -> None:
    w = np.zeros(3)
    with torch.no_grad():
        assert np.shares_memory(np.reshape(torch.from_numpy(w), (3, 1))._array, w)
