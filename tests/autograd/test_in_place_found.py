"""Mistakes of one kind each in the eager API: results that are kept, indices, slopes at edges."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from .calls import Call, parts
from .surface import close, raises, same
from .tables import TABLES
from .tables_more import TABLES_MORE

MODIFIED = "one of the variables needed for gradient computation has been modified"
TEXTS = [
    line for text in (TABLES | TABLES_MORE).values() for line in text.strip().splitlines() if line
]


def of_several(text: str) -> bool:
    names = "mean(?=.*_mean)|eig|svd|qr|slogdet|lu|max_pool|lstsq|ex\\(|sort|topk|aminmax|median|mode|cummax|max\\("
    return re.search(names, text) is not None


def leaf(torch: Any, *numbers: float) -> Any:
    return torch.tensor(list(numbers), dtype=torch.float64, requires_grad=True)


SEVERAL = [
    *filter(of_several, TEXTS),
    "np.linalg.eigh(spd(3, 3))",
    "np.linalg.svd(x(3, 2), full_matrices=False)",
    "np.linalg.qr(x(3, 2))",
    "F.max_pool1d(x(1, 1, 6), 2, return_indices=True)",
    "F.max_pool2d(x(1, 1, 4, 4), 2, return_indices=True)",
    "F.adaptive_max_pool1d(x(1, 1, 6), 2, return_indices=True)",
]


@pytest.mark.parametrize("text", SEVERAL)
def test_one_of_several_results_is_written_to(torch: Any, text: str) -> None:
    """Then the gradients of the others are as before, or refused."""

    grad = torch.autograd.grad

    def gradients(written: int | None) -> list[Any]:
        call = Call(text)
        made = [p for p in parts(call.run(torch)) if isinstance(p, torch.Tensor)]
        with torch.no_grad():
            for p in made[:0] if written is None else [made[written]]:
                p.zero_()
        found: list[Any] = []
        for k, p in enumerate(made):
            if k == written or not p.requires_grad:
                found.append(None)
                continue
            try:
                found.append(grad(p.abs().sum(), call.leaves, retain_graph=True, allow_unused=True))
            except RuntimeError as error:
                if written is None or not str(error).startswith(MODIFIED):
                    raise
                found.append(None)
        return found

    right = gradients(None)
    for written in range(len(right) if len(right) > 1 else 0):
        for bars, wanted in zip(gradients(written), right, strict=True):
            for bar, one in zip(bars or (), wanted or (), strict=False):
                assert (bar is None) == (one is None)
                assert bar is None or np.allclose(bar._array, one._array)


# -- indices ---------------------------------------------------------------------------------------

INDICES = [
    ":,[0,2]", "t([0,1]),0", "t([1,0]),:", "t([True,False]),1", "...,t([2,0])", "t([0,1])[:,None],t([0,1,2])",
    "[0],None,[0,2]", "[0,1],[1,2]", "t(1),t([0,2])", "t([True,False])", "True", "False", "t(True)", "None,[1]",
    "np.array([0,1]),np.array([1,1])", "np.array([1]),0:2", "[True,False],1", "t([True,False]),[0]",
    ":,t([True,False,True])", "t(1)", "np.int64(1)", "(0,1),:", "True,1", "[],:", ":,[]", "np.array(1)",
    ":,range(2)", "0:1,None,t([0,1])", "t([[0,1]])", "t([[0,1]]),1", "t([0]),", "0,...,[0,1]", "np.True_",
]  # fmt: skip


@pytest.mark.parametrize("requires", [True, False])
@pytest.mark.parametrize("use", ["get", "set", "augmented", "tensor"])
@pytest.mark.parametrize("text", INDICES)
def test_every_spelling_of_an_index(torch: Any, text: str, use: str, requires: bool) -> None:
    class Spelled:
        def __getitem__(self, index: Any) -> Any:
            return index

    index = eval(f"s[{text}]", {"s": Spelled(), "t": torch.tensor, "np": np})
    plain = eval(f"s[{text}]", {"s": Spelled(), "t": np.array, "np": np})
    a = np.arange(1.0, 7.0).reshape(2, 3)
    x = torch.tensor(a, requires_grad=requires)
    slope = np.ones_like(a)
    y = x * 1
    wanted: Any = a.copy()
    if use == "get":
        y, wanted, slope = y[index], wanted[plain], slope * 0
        np.add.at(slope, plain, 1)
    elif use == "augmented":
        y[index] += 1
        wanted[plain] += 1
    else:
        number = torch.tensor(7.0, dtype=torch.float64, requires_grad=True)
        y[index] = number if use == "tensor" else 7.0
        wanted[plain] = 7
        slope[plain] = 0
    assert y.shape == wanted.shape and np.array_equal(y._array, wanted)
    if requires:
        y.sum().backward()
        assert np.array_equal(x.grad._array, slope)


@pytest.mark.parametrize(
    ("text", "first", "then"),
    [
        ("0,:,[1,0,1]", "0", ":,[1,0,1]"), ("-1,1:,t([2,0])", "-1", "1:,[2,0]"), ("0,2:,[1]", "0", "2:,[1]"),
        ("1,None,[0,1]", "1", "None,[0,1]"), ("0,...,[1]", "0", "...,[1]"), ("[2,0],:,1", "...,1", "[2,0]"),
        ("t(1),:,t([True,False,True,False])", "1", ":,[0,2]"), ("None,0,:,[1]", "0", "None,:,[1]"),
        ("t([[True,False]]*3),2", "...,2", "[0,1,2],[0,0,0]"),
    ],
)  # fmt: skip
def test_numbers_beside_lists_are_taken_first(torch: Any, text: str, first: str, then: str) -> None:
    a = np.arange(24.0).reshape(3, 2, 4)
    x = torch.tensor(a, requires_grad=True)
    part = eval(f"a[{first}][{then}]", {"a": a})
    read = eval(f"x[{text}]", {"x": x, "t": torch.tensor})
    assert read.shape == part.shape and same(read, part.tolist())
    (read * read).sum().backward()
    slope = np.zeros_like(a)
    eval(f"np.add.at(a[{first}], index[{then}], 2 * part)", {
        "np": np, "a": slope, "index": np.s_, "part": part,
    })  # fmt: skip
    assert same(x.grad, slope.tolist())
    y = x * 1
    exec(f"y[{text}] = values", {"y": y, "t": torch.tensor, "values": torch.tensor(-part)})
    exec(f"a[{first}][{then}] = -part", {"a": a, "part": part})
    assert same(y, a.tolist())


# -- numbers that are complex ----------------------------------------------------------------------

OF_ONE: dict[str, Callable[[Any, Any], Any]] = {
    "real * imag": lambda t, a: a.real * a.imag,
    "imag": lambda t, a: a.imag,
    "imag twice": lambda t, a: a.imag * a.imag + a.imag,
    "view_as_real": lambda t, a: (t.view_as_real(a) ** 2).sum(),
    "abs": lambda t, a: a.abs() * a.imag,
    "angle": lambda t, a: a.angle() + a.imag,
    "np.imag": lambda t, a: np.imag(a) * np.real(a),
    "slogdet": lambda t, a: sum(p.abs() for p in t.linalg.slogdet(a.reshape(1, 1))),
}


@pytest.mark.parametrize("name", OF_ONE)
def test_numbers_have_the_gradients_of_vectors_of_one(torch: Any, name: str) -> None:
    found = []
    for shape in ((), (1,)):
        a = torch.tensor(1 + 2j, dtype=torch.complex128).reshape(shape).requires_grad_()
        found.append(torch.autograd.grad(OF_ONE[name](torch, a).sum(), a)[0]._array)
    assert np.allclose(found[0], found[1])


# -- what has no derivative ------------------------------------------------------------------------


def test_unique_refuses_the_way_back(torch: Any) -> None:
    for name, called in (("unique", "_unique2"), ("unique_consecutive", "unique_consecutive")):
        made = getattr(torch, name)(leaf(torch, 1.0, 1.0, 2.0))
        with raises(RuntimeError, f"derivative for aten::{called} is not implemented"):
            made.sum().backward()
        forward = torch.autograd.forward_ad
        with forward.dual_level(), raises(NotImplementedError, "Trying to use forward AD with"):
            getattr(torch, name)(forward.make_dual(torch.ones(2), torch.ones(2)))


def test_a_view_as_the_same_type_is_a_view(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    (x.view(torch.float64) * 3).sum().backward()
    assert same(x.grad, [3.0, 3.0])


# -- checkpoints, norms, windows, and others -------------------------------------------------------


@pytest.mark.parametrize(
    ("spelled", "reentrant"),
    [(lambda y: (y,), True), (lambda y: (y,), False), (lambda y: ([y],), False)],
)
def test_what_a_checkpoint_is_given_is_not_written_to(
    torch: Any, reentrant: bool, spelled: Any
) -> None:
    from retrograd.runtime.eager.checkpoints.checkpoint import checkpoint

    y = leaf(torch, 1.0, 2.0) * 1
    z = checkpoint(
        lambda t: ((t if isinstance(t, torch.Tensor) else t[0]) ** 2).sum(),
        *spelled(y),
        use_reentrant=reentrant,
    )
    y.mul_(3)
    with raises(RuntimeError, MODIFIED):
        z.backward()


NORMS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "norm": lambda t, x, p: x.norm(p),
    "torch.norm": lambda t, x, p: t.norm(x, p=p),
    "an axis": lambda t, x, p: x.norm(p, 0),
    "kept": lambda t, x, p: x.norm(p, [0], True),
    "dist": lambda t, x, p: t.dist(x, t.zeros(2, dtype=x.dtype), p),
}


@pytest.mark.parametrize("p", [0, 0.5, 1, 1.5, 2, 3, -1, -2.0, float("inf"), -float("inf")])
@pytest.mark.parametrize("name", NORMS)
def test_all_norms_are_one(torch: Any, name: str, p: float) -> None:
    for numbers in ([0.0, 0.0], [0.0, 2.0], [1.0, -2.0]):
        found = []
        for norm in (NORMS[name], lambda t, x, p: t.linalg.vector_norm(x, p)):
            x = leaf(torch, *numbers)
            made = norm(torch, x, p).sum()
            made.backward()
            found.append([made.item(), *x.grad.tolist()])
        assert np.allclose(*found)
        assert np.isfinite(found[0]).all()
        assert numbers != [0.0, 0.0] or found[0] == [0, 0, 0]


def test_the_nuclear_norm(torch: Any) -> None:
    x = torch.tensor([[3.0, 0.0], [0.0, 4.0]], requires_grad=True)
    x.norm(p="nuc").backward()
    assert close(x.grad, [[1.0, 0.0], [0.0, 1.0]])
    with raises(RuntimeError, "norm: the nuclear norm is of matrices"):
        torch.ones(2).norm("nuc")


@pytest.mark.parametrize(("size", "step"), [(2, 2), (2, 1), (3, 2), (1, 1)])
def test_windows_of_a_part_follow_their_base(torch: Any, size: int, step: int) -> None:
    x = leaf(torch, *range(1, 13))
    y = x * 1
    u = y[:5].unfold(0, size, step)
    y.mul_(2)
    (u**2).sum().backward()
    other = leaf(torch, *range(1, 13))
    ((other * 2)[:5].unfold(0, size, step) ** 2).sum().backward()
    assert same(x.grad, other.grad.tolist())


def test_a_write_made_of_several_operations(torch: Any) -> None:
    grads = []
    for write in (lambda y: y.renorm_(2, 0, 1.0), lambda y: y.renorm(2, 0, 1.0)):
        x = torch.tensor([[3.0, 4.0], [0.1, 0.2]], requires_grad=True)
        (write(x * 1) * torch.tensor([1.0, 2.0])).sum().backward()
        grads.append(x.grad.tolist())
    assert np.allclose(*grads)


def test_the_first_of_two_equal_ones_has_the_gradient(torch: Any) -> None:
    nan = float("nan")
    for name, slopes in (("fmax", [1, 0, 1, 1, 0]), ("fmin", [1, 1, 0, 1, 0])):
        x, y = leaf(torch, 1.0, 1.0, 2.0, 1.0, nan), leaf(torch, 1.0, 2.0, 1.0, nan, 1.0)
        getattr(torch, name)(x, y).sum().backward()
        assert same(x.grad, slopes) and same(y.grad, [1 - s for s in slopes])


def test_numbers_have_one_axis(torch: Any) -> None:
    assert torch.tensor(1.0).mode().indices == 0 and torch.tensor(2.0).mode().values == 2
    assert same(torch.hstack([torch.tensor(1.0), torch.tensor(2.0)]), [1.0, 2.0])
    assert torch.tensor(1.0).movedim([0], [0]).shape == ()
