"""The memory under tensors: parts by size and step, memory formats, ``out=``, tangents that show the same places."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from .surface import ORACLE, raises, warns

# size, step, offset of a view of nine numbers
STRIDED = [
    ((3, 3), (3, 1), None),
    ((3, 3), (1, 2), 0),
    ((2, 2), (2, 2), 1),
    ((4,), (0,), 3),
    ((2, 3, 2), (1, 0, 4), None),
    ((0, 2), (1, 1), 0),
    ((), (), 8),
]


@pytest.mark.parametrize(("size", "step", "offset"), STRIDED)
def test_gradients_of_strided_views(torch: Any, size: Any, step: Any, offset: Any) -> None:
    x = torch.randn(9, dtype=torch.float64, requires_grad=True)

    def f(x: Any) -> Any:
        return (x * 2).as_strided(size, step, offset) ** 2

    check = torch.autograd.gradcheck
    assert check(f, (x,), check_forward_ad=True)
    assert torch.autograd.gradgradcheck(f, (x,))
    node = x.as_strided(size, step, offset).grad_fn
    assert type(node).__name__ == "AsStridedBackward0"
    assert (node._saved_size, node._saved_stride, node._saved_storage_offset) == (
        size,
        step,
        offset,
    )


@pytest.mark.parametrize("turned", [False, True])
def test_strided_views_are_written_through(torch: Any, turned: bool) -> None:
    x = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
    y = x.t().contiguous().t() if turned else x * 1
    part = y.as_strided((2,), (2,), 1)
    part.mul_(3)
    y.sum().backward()
    expected = [1.0] * 6
    for place in (1, 3):
        k = (place % 2) * 3 + place // 2 if turned else place
        expected[k] = 3.0
    assert x.grad.reshape(-1).tolist() == expected
    assert part.grad_fn is not None and part._base is (y._base if turned else y)


def test_a_tensor_becomes_a_strided_view_of_itself(torch: Any) -> None:
    x = torch.arange(6.0, requires_grad=True)
    y = x * 2
    part = y[:2]
    y.as_strided_((2, 2), (2, 1), 1)
    assert y.tolist() == [[2, 4], [6, 8]]
    (y * y).sum().backward()
    assert x.grad.tolist() == [0, 8, 16, 24, 32, 0] and part.tolist() == [0, 2]


REFUSED = [
    (
        ((3, 3), (4, 1)),
        "setStorage: sizes [3, 3], strides [4, 1], storage offset 0, and itemsize 4",
    ),
    (((2,), (1,), 8), "setStorage: sizes [2], strides [1], storage offset 8, and itemsize 4"),
    (
        ((2,), (-1,)),
        "as_strided: Negative strides are not supported at the moment, got strides: [-1]",
    ),
    (((2, 2), (1,)), "mismatch in length of strides and shape"),
]


@pytest.mark.parametrize(("given", "text"), REFUSED)
def test_places_that_are_not_there(torch: Any, given: Any, text: str) -> None:
    with raises(RuntimeError, text):
        torch.arange(9, dtype=torch.float32).as_strided(*given)


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
def test_tangents_have_memory_as_their_primal(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    primal, tangent = torch.randn(5)[:4].detach(), torch.ones(4)
    assert len(primal.storage()) == 5
    with fw.dual_level():
        x = fw.make_dual(primal, tangent)
        assert fw.unpack_dual(x.as_strided((5,), (1,), 0)).tangent.tolist() == [1, 1, 1, 1, 0]
        fw.unpack_dual(x).tangent.mul_(2)
        assert tangent.tolist() == [1, 1, 1, 1]
        same = torch.ones(4)
        y = fw.make_dual(torch.randn(4), same)
        assert fw.unpack_dual(y).tangent is same


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
def test_what_shares_memory_says_so(torch: Any) -> None:
    x = torch.ones(3, 4)
    assert x[1:].storage().data_ptr() == x.storage().data_ptr() != x.clone().storage().data_ptr()
    assert len(x[1:].storage()) == 12 and x.untyped_storage().nbytes() == 48


FORMATS: list[tuple[str, tuple[int, ...]]] = [
    ("contiguous_format", (60, 20, 5, 1)), ("channels_last", (60, 1, 15, 3)), ("preserve_format", (60, 20, 5, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "steps"), FORMATS)
def test_memory_formats(torch: Any, name: str, steps: Any) -> None:
    wanted = getattr(torch, name)
    x = torch.randn(2, 3, 4, 5, requires_grad=True)
    y = x.clone(memory_format=wanted)
    assert y.stride() == steps and torch.equal(x, y)
    y.sum().backward()
    assert x.grad.tolist() == torch.ones(2, 3, 4, 5).tolist()
    if name != "preserve_format":
        assert y.is_contiguous(memory_format=wanted)
        assert x.contiguous(memory_format=wanted).stride() == steps
        assert x.to(memory_format=wanted).stride() == steps


def test_gradients_have_the_format_of_their_leaf(torch: Any) -> None:
    x = torch.randn(2, 3, 4, 5).contiguous(memory_format=torch.channels_last).requires_grad_()
    x[:, torch.tensor([0, 2])].sum().backward()
    assert x.grad.stride() == x.stride()
    with raises(RuntimeError, "required rank 4 tensor to use channels_last format"):
        torch.ones(2).contiguous(memory_format=torch.channels_last)


# -- out= ---------------------------------------------------------------------------------------------

OUT: list[tuple[str, Callable[[Any, Any, Any], Any], tuple[int, ...]]] = [
    ("mul", lambda t, w, out: t.mul(w, w, out=out), (3, 3)),
    ("add", lambda t, w, out: t.add(w, w, alpha=2, out=out), (3, 3)),
    ("sin", lambda t, w, out: t.sin(w, out=out), (3, 3)),
    ("matmul", lambda t, w, out: t.matmul(w, w, out=out), (3, 3)),
    ("mm", lambda t, w, out: t.mm(w, w, out=out), (3, 3)),
    ("sum", lambda t, w, out: t.sum(w, 0, out=out), (3,)),
    ("cumsum", lambda t, w, out: t.cumsum(w, 0, out=out), (3, 3)),
    ("cat", lambda t, w, out: t.cat([w, w], out=out), (6, 3)),
    ("stack", lambda t, w, out: t.stack([w, w], out=out), (2, 3, 3)),
]


@pytest.mark.parametrize(("name", "call", "shape"), OUT, ids=[case[0] for case in OUT])
def test_out_where_nothing_is_recorded(torch: Any, name: str, call: Any, shape: Any) -> None:
    w, given = torch.rand(3, 3, requires_grad=True), torch.empty(*shape)
    with raises(
        RuntimeError, f"{name}(): functions with out=... arguments don't support automatic"
    ):
        call(torch, w, given)
    with torch.no_grad():
        version = given._version
        assert call(torch, w, given) is given and given._version == version + 1
    assert torch.allclose(given, call(torch, w, None))
    with raises(
        RuntimeError, f"{name}(): functions with out=... arguments don't support automatic"
    ):
        call(torch, w.detach(), torch.empty(*shape, requires_grad=True))


def test_inference_tensors_are_not_written_to(torch: Any) -> None:
    with torch.inference_mode():
        c = torch.ones(1, 2, 3)
    text = "Inplace update to inference tensor outside InferenceMode is not allowed"
    x = torch.ones(1, 2, 3)
    for write in (
        lambda: torch.mul(x, x, out=c), lambda: c.transpose_(0, 1), lambda: c.unsqueeze_(0), lambda: c.add_(1),
    ):  # fmt: skip
        with raises(RuntimeError, text):
            write()
    assert c.shape == (1, 2, 3) or ORACLE == "torch"  # which changes the shape, and refuses then


@pytest.mark.parametrize("requires", [True, False])
def test_inference_tensors_are_written_to_in_the_mode(torch: Any, requires: bool) -> None:
    with torch.inference_mode():
        for write in (
            lambda x: x.add_(2), lambda x: x.transpose_(0, 1), lambda x: x.resize_(1, 2),
            lambda x: x.resize_as_(torch.ones(1, 2)), lambda x: x.copy_(torch.ones(1, 2, 3)),
        ):  # fmt: skip
            x = torch.ones(1, 2, 3, requires_grad=requires)
            write(x)
            assert x.is_inference() and x.requires_grad is requires


def test_another_memory_is_another_leaf(torch: Any) -> None:
    x = torch.rand(2, requires_grad=True)
    edge, y = torch.autograd.graph.get_gradient_edge(x), x.clone()
    with torch.no_grad():
        x.set_(torch.rand(2))
    with raises(RuntimeError, "The differentiated Tensor at index 0 appears to not have been used"):
        torch.autograd.grad(y.sum(), x, retain_graph=True)
    assert torch.autograd.grad(y.sum(), edge)[0].tolist() == [1, 1]


@pytest.mark.skipif(ORACLE == "torch", reason="torch warns once in a process")
def test_a_gradient_in_another_layout_is_told_of(torch: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(import_module("retrograd.runtime.eager.warned"), "given", set())
    x = torch.rand(3, 4, requires_grad=True)
    x.grad = torch.rand(4, 3).t()
    text = "grad and param do not obey the gradient layout contract...grad.sizes() = [3, 4], strides() = [1, 3]"
    with warns(UserWarning, text):
        (x * 2).sum().backward()
    y = torch.rand(3, 4, requires_grad=True)
    y.grad = torch.rand(4, 3).t()
    (y * 2).sum().backward()  # once is enough: warnings are errors here
