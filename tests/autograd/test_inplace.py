"""Rows T148 to T166: writes, views and versions."""

from __future__ import annotations

from typing import Any

import pytest

from .surface import raises, row, same


def leaf(torch: Any, *values: float, **options: Any) -> Any:
    return torch.tensor(list(values), requires_grad=True, **options)


MODIFIED = "one of the variables needed for gradient computation has been modified by an inplace operation: "


@row("T148")
def test_t148_versions(torch: Any) -> None:
    a = torch.zeros(3)
    assert a._version == 0
    a.add_(1)
    assert a._version == 1
    b = a[:2]
    b.mul_(2)
    assert a._version == b._version == 2
    a[0] = 5
    assert a._version == 3
    a.detach().add_(1)
    assert a._version == 4
    d = a.data
    d.add_(1)
    assert (a._version, d._version) == (4, 1)
    assert a.clone()._version == 0
    a.numpy()[0] = 7
    assert a._version == 4
    a.zero_()
    a.copy_(torch.ones(3))
    a.unsqueeze_(0)
    assert a._version == 7
    a.requires_grad_()
    assert a._version == 7


@row("T149")
def test_t149_leaf(torch: Any) -> None:
    x = leaf(torch, 1.0)
    with raises(
        RuntimeError, "a leaf Variable that requires grad is being used in an in-place operation."
    ):
        x.add_(1)


@row("T150")
def test_t150_view_of_a_leaf(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    text = "a view of a leaf Variable that requires grad is being used in an in-place operation."
    with raises(RuntimeError, text):
        x[:1].add_(1)


@row("T151")
def test_t151_saved_then_written(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    a = x * 1
    y = a * a
    a.add_(1)
    text = (
        MODIFIED
        + "[torch.FloatTensor [2]], which is output 0 of Add..., is at version 1; expected version 0 instead. "
        "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True"
    )
    with raises(RuntimeError, text):
        y.sum().backward()


@row("T152")
@pytest.mark.filterwarnings("ignore")
def test_t152_under_anomaly_mode(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    text = (
        MODIFIED
        + "...Hint: the backtrace further above shows the operation that failed to compute its gradient. The "
        "variable in question was changed in there or anywhere later. Good luck!"
    )
    with torch.autograd.set_detect_anomaly(True), raises(RuntimeError, text):
        a = x * 1
        y = a * a
        a.add_(1)
        y.sum().backward()


@row("T153")
def test_t153_not_saved(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    a = x * 1
    o = a * 2
    a.add_(1)
    o.sum().backward()
    assert same(x.grad, [2.0, 2.0])


@row("T154")
def test_t154_saved_result(torch: Any) -> None:
    a = leaf(torch, 1.0, 2.0).exp()
    a.mul_(2)
    with raises(RuntimeError, MODIFIED):
        a.sum().backward()


@row("T155")
def test_t155_disjoint_views(torch: Any) -> None:
    a = leaf(torch, 1.0, 2.0, 3.0) * 1
    o = a[:1] ** 2
    a[2:].add_(1)
    with raises(RuntimeError, MODIFIED):
        o.sum().backward()


@row("T156")
def test_t156_detach_and_data(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    y = x * x
    x.detach().zero_()
    with raises(RuntimeError, MODIFIED):
        y.sum().backward()
    x = leaf(torch, 1.0, 2.0)
    y = x * x
    x.data.zero_()
    y.sum().backward()
    assert same(x.grad, [0.0, 0.0])


@row("T157")
def test_t157_no_grad(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    y = x * x
    with torch.no_grad():
        x.add_(1)
    with raises(RuntimeError, MODIFIED):
        y.sum().backward()


@row("T158")
def test_t158_a_write_into_a_view(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    y = x.clone()
    v = y[0:1]
    v.mul_(3)
    assert type(y.grad_fn).__name__ == "CopySlices"
    assert v.grad_fn.name() == "AsStridedBackward0"
    y.sum().backward()
    assert same(x.grad, [3.0, 1.0])


@row("T159")
def test_t159_a_write_into_the_base(torch: Any) -> None:
    x, r = torch.zeros(3), leaf(torch, 1.0, 2.0, 3.0)
    v = x[1]
    x.add_(r)
    assert v.requires_grad
    assert v.grad_fn.name() == "AsStridedBackward0"
    v.backward()
    assert same(r.grad, [0.0, 1.0, 0.0])


@row("T160")
def test_t160_setitem(torch: Any) -> None:
    x, y = torch.zeros(3), leaf(torch, 2.0)
    x[1:2] = y
    assert x.requires_grad
    assert type(x.grad_fn).__name__ == "CopySlices"
    x.sum().backward()
    assert same(y.grad, [1.0])


@row("T161")
def test_t161_several_views(torch: Any) -> None:
    y = leaf(torch, 1.0, 2.0).clone()
    a, _ = y.unbind()
    text = (
        "Output 0 of Unbind... is a view and is being modified inplace. This view is the output of a function that "
        "returns multiple views. Such functions do not allow the output views to be modified inplace. You should "
        "replace the inplace operation by an out-of-place one."
    )
    with raises(RuntimeError, text):
        a.mul_(2)
    for parts in (y.split(1), y.chunk(2)):
        with raises(RuntimeError, "Output 0 of Split... is a view and is being modified inplace."):
            parts[0].mul_(2)
    torch.unsafe_split(y, 1)[0].mul_(2)


@row("T162")
def test_t162_view_made_in_no_grad(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0).clone()
    with torch.no_grad():
        v = x[:1]
    text = (
        "A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that this use "
        "case is ambiguous and error-prone, it is forbidden. "
    )
    with raises(RuntimeError, text):
        v.mul_(2)


@row("T163")
def test_t163_out(torch: Any) -> None:
    x = leaf(torch, 1.0)
    text = (
        "add(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
        "requires grad."
    )
    with raises(RuntimeError, text):
        torch.add(x, x, out=torch.zeros(1))


@row("T164")
def test_t164_overlap(torch: Any) -> None:
    text = (
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
        "Please clone() the tensor before performing the operation."
    )
    with raises(RuntimeError, text):
        torch.zeros(1).expand(3).add_(1)


@row("T165")
def test_t165_types(torch: Any) -> None:
    text = "result type Float can't be cast to the desired output type Int"
    with raises(RuntimeError, text):
        torch.tensor([1], dtype=torch.int32).add_(torch.tensor([1.5]))


@row("T166")
def test_t166_itself(torch: Any) -> None:
    x = leaf(torch, 1.0)
    y = x.clone()
    y += y
    y.sum().backward()
    assert same(x.grad, [2.0])
