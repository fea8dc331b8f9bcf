"""What else rows T167 to T205 say of tensors, sentence by sentence."""

from __future__ import annotations

import copy
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

from .surface import raises, row, same, warns


def leaf(torch: Any, *values: float, **options: Any) -> Any:
    return torch.tensor(list(values), requires_grad=True, **options)


# -- variables and attributes -----------------------------------------------------------------------


@row("T167")
@row("T169")
@row("T172")
def test_t167_t169_t172_shared_memory(torch: Any) -> None:
    Variable = torch.autograd.Variable
    t = torch.ones(2)
    v = Variable(t)
    v.add_(1)
    assert same(t, [2.0, 2.0]) and v.is_leaf
    y = leaf(torch, 1.0) * 2
    w = Variable(y)
    assert w.is_leaf and w.grad_fn is None and not w.requires_grad and y.requires_grad
    assert w.data_ptr() == y.data_ptr()
    d = v.data
    before = v._version
    d.mul_(2)
    assert v._version == before and d._version == 1 and same(v, [4.0, 4.0])


@row("T170")
@row("T171")
def test_t170_t171_of_every_tensor(torch: Any) -> None:
    Variable = torch.autograd.Variable
    for t in (
        leaf(torch, 1.0),
        leaf(torch, 1.0) * 2,
        torch.tensor(1),
        torch.nn.Parameter(torch.ones(1)),
    ):
        assert isinstance(t, Variable)
    for other in (1.0, [1.0], np.ones(1), None):
        assert not isinstance(other, Variable)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not Variable(torch.ones(1), volatile=True).requires_grad


@row("T173")
def test_t173_as_the_methods_of_tensors(torch: Any) -> None:
    v = torch.autograd.Variable(torch.ones(2), requires_grad=True)
    d = v.detach()
    assert d.data_ptr() == v.data_ptr() and d.grad_fn is None
    h = v.register_hook(lambda g: g * 2)
    v.sum().backward()
    assert same(v.grad, [2.0, 2.0])
    h.remove()
    v.sum().backward()
    assert same(v.grad, [3.0, 3.0])


@row("T174")
def test_t174_and_the_others_that_make_tensors(torch: Any) -> None:
    x = torch.ones(2)
    for made in (
        torch.zeros_like(x, requires_grad=True), torch.ones_like(x, requires_grad=True),
        torch.rand_like(x, requires_grad=True), torch.randn_like(x, requires_grad=True),
        torch.full_like(x, 3.0, requires_grad=True), torch.logspace(0, 1, 3, requires_grad=True),
        torch.tensor([1.0], requires_grad=True), x.new_zeros(2, requires_grad=True),
    ):  # fmt: skip
        assert made.requires_grad and made.is_leaf
    assert not torch.zeros(2).requires_grad


@row("T176")
def test_t176_the_whole_message(torch: Any) -> None:
    text = (
        "If you indeed want the .grad field to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf "
        "Tensor. If you access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
        "github.com/pytorch/pytorch/pull/30531 for more information"
    )
    y = leaf(torch, 2.0) * 2
    with warns(UserWarning, text):
        assert y.grad is None
    y = leaf(torch, 2.0) * 2
    y.backward()
    with warns(UserWarning, "The .grad attribute of a Tensor that is not a leaf Tensor"):
        assert y.grad is None


@row("T177")
def test_t177_the_whole_message(torch: Any) -> None:
    x = leaf(torch, 1.0)
    text = (
        "attempting to assign a gradient with dtype 'double' to a tensor with grad_dtype 'Float'. The gradient must match "
        "the tensor's grad_dtype (defaults to the tensor's dtype). You can set the tensor's grad_dtype attribute with a "
        "specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and "
        "its gradient may break downstream systems that assume they match."
    )
    with raises(RuntimeError, text):
        x.grad = torch.ones(1, dtype=torch.double)
    g = torch.ones(1)
    x.grad = g
    assert x.grad is g
    x.grad = None
    assert x.grad is None


@row("T178")
@row("T179")
def test_t178_t179_settable_on_leaves_only(torch: Any) -> None:
    x = torch.ones(2)
    for value in (True, False, True):
        x.requires_grad = value
        assert x.requires_grad is value
    y = x * 2
    text = "you can only change requires_grad flags of leaf variables."
    with raises(RuntimeError, text):
        y.requires_grad_(False)
    with raises(RuntimeError, text):
        y.requires_grad = False
    assert y.requires_grad
    assert not (x > 1).requires_grad and not x.long().requires_grad and not x.argmax().requires_grad
    assert (x * torch.ones(2, dtype=torch.long)).requires_grad


@row("T180")
def test_t180_no_other_type(torch: Any) -> None:
    for value in (0, 1.0, "yes", None):
        with raises(RuntimeError, "requires_grad must be a bool"):
            torch.ones(1).requires_grad = value


@row("T183")
def test_t183_of_every_tensor(torch: Any) -> None:
    for t in (torch.ones(1), leaf(torch, 1.0), leaf(torch, 1.0) * 2):
        before = t.grad_fn
        with pytest.raises(AttributeError, match="attribute 'grad_fn' of"):
            t.grad_fn = None
        assert t.grad_fn is before


@row("T185")
@row("T187")
def test_t185_t187_without_history(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    y = x * 2
    v = y[:1].detach()
    assert not v._is_view() and v._base is None
    v.mul_(5)
    assert same(y, [10.0, 4.0]) and y._version == 1
    assert y.detach_() is y and not y.requires_grad and y.is_leaf
    (y * x).sum().backward()
    assert same(x.grad, [10.0, 4.0])
    text = (
        "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, "
        "and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be "
        "called on these gradients."
    )
    for view in ((x * 2)[:1], torch.ones(2)[:1], (x * 2).view(2)):
        with raises(RuntimeError, text):
            view.detach_()


@row("T192")
@row("T189")
def test_t189_t192_messages_name_the_hook(torch: Any) -> None:
    def grows(g: Any) -> Any:
        return torch.ones(2)

    x = leaf(torch, 1.0)
    with x.register_hook(grows) as handle:
        with raises(RuntimeError, "hook 'grows' has changed the size of value"):
            (x * 2).backward()
    assert handle is not None
    x.grad = None
    (x * 2).backward()
    assert same(x.grad, [2.0])


@row("T193")
@row("T194")
def test_t193_t194_once_in_grad_with_the_sum(torch: Any) -> None:
    x, seen = leaf(torch, 1.0), []
    y = x * 1
    x.register_hook(lambda g: seen.append(("x", g.item())))
    y.register_hook(lambda g: seen.append(("y", g.item())) or g * 10)
    (g,) = torch.autograd.grad(y * 2 + y * 3 + x, x)
    assert seen == [("y", 5.0), ("x", 51.0)] and same(g, [51.0])


@row("T196")
@row("T199")
def test_t196_t199_of_leaves_and_views(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    x.retain_grad()
    assert not x.retains_grad and x.output_nr == 0
    y = x.clone()
    assert not y.retains_grad
    y.retain_grad()
    y.retain_grad()
    (y * 2).sum().backward()
    assert y.retains_grad and same(y.grad, [2.0, 2.0])
    view = y[1:][:1]
    assert view._base is y and y._base is None and view._version == y._version == 0


@row("T197")
@row("T198")
def test_t197_t198_after_the_sum(torch: Any) -> None:
    x, seen = leaf(torch, 1.0), []
    handle = x.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad.item()))
    (x * 2 + x * 3).backward()
    handle.remove()
    (x * 2).backward()
    assert seen == [5.0]
    for wrong in (lambda t: torch.ones(1), lambda t: t.grad):
        y = leaf(torch, 1.0)
        y.register_post_accumulate_grad_hook(wrong)
        with raises(RuntimeError, "Tensor post accumulate grad hooks should return None."):
            (y * 2).backward()


@row("T200")
@row("T205")
def test_t200_t205_data_and_the_type_of_gradients(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    y = x * x
    x.data = torch.tensor([3.0, 4.0])
    assert x._version == 0 and x.requires_grad and not x.data.requires_grad
    (x * x).sum().backward()
    assert same(x.grad, [6.0, 8.0])
    assert y.requires_grad
    x = leaf(torch, 1.0)
    x.grad_dtype = torch.float64
    (x * 2).backward()
    assert x.grad.dtype == torch.float64
    x.grad = None
    x.grad_dtype = None
    assert x.grad_dtype is None
    for kind in (torch.float16, torch.float64):
        x.grad = torch.ones(1, dtype=kind)
        assert x.grad.dtype == kind
    with raises(RuntimeError, "grad_dtype can only be set on leaf tensors."):
        (x * 2).grad_dtype = torch.float64


@row("T203")
def test_t203_gradient_and_flags(torch: Any) -> None:
    x = leaf(torch, 1.0)
    (x * 2).backward()
    c = copy.deepcopy(x)
    assert c.is_leaf and c.requires_grad and same(c.grad, [2.0]) and c.grad is not x.grad
    text = "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment. "
    with raises(RuntimeError, text):
        copy.deepcopy([x * 2])
    assert not copy.deepcopy(x.detach()).requires_grad


@row("T204")
def test_t204_the_whole_message(torch: Any) -> None:
    text = (
        f"import {torch.__name__} as torch, warnings\n"
        "with warnings.catch_warnings(record=True) as c:\n"
        "    warnings.simplefilter('always')\n"
        "    float(torch.tensor([1.5])); torch.tensor([1.5], requires_grad=True).item()\n"
        "    assert not c\n"
        "    float(torch.tensor([1.5], requires_grad=True))\n"
        "print(len(c), c[0].category.__name__, c[0].message)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(
        "1 UserWarning Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
        "Consider using tensor.detach() first."
    )
