"""Rows T167 to T205: variables, and the attributes and methods of tensors."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
import pytest

from .surface import close, raises, row, same, warns


def leaf(torch: Any, *values: float, **options: Any) -> Any:
    return torch.tensor(list(values), requires_grad=True, **options)


@row("T167")
def test_t167_variable_of_a_tensor(torch: Any) -> None:
    t = torch.ones(2)
    v = torch.autograd.Variable(t)
    assert type(v) is torch.Tensor
    assert v is not t
    assert v.data_ptr() == t.data_ptr()
    assert not v.requires_grad
    v.add_(1)
    assert same(t, [2.0, 2.0])


@row("T168")
def test_t168_requires_grad(torch: Any) -> None:
    assert torch.autograd.Variable(torch.ones(2), True).requires_grad
    assert torch.autograd.Variable(torch.ones(2), requires_grad=True).requires_grad
    assert torch.autograd.Variable(torch.ones(2), requires_grad=True).is_leaf
    assert not torch.autograd.Variable(torch.ones(2), False).requires_grad


@row("T169")
def test_t169_of_a_tensor_with_history(torch: Any) -> None:
    v = torch.autograd.Variable(leaf(torch, 1.0) * 2)
    assert v.is_leaf
    assert not v.requires_grad
    assert v.grad_fn is None and same(v, [2.0])
    assert not torch.autograd.Variable(leaf(torch, 1.0)).requires_grad


@row("T170")
def test_t170_isinstance(torch: Any) -> None:
    Variable = torch.autograd.Variable
    assert isinstance(torch.ones(1), Variable)
    assert not isinstance(1, Variable)
    assert Variable is not torch.Tensor
    assert isinstance(leaf(torch, 1.0) * 2, Variable)
    assert not isinstance(np.ones(1), Variable) and not isinstance("x", Variable)


@row("T171")
def test_t171_volatile(torch: Any) -> None:
    text = "volatile was removed and now has no effect. Use `with torch.no_grad():` instead."
    with warns(UserWarning, text):
        torch.autograd.Variable(torch.ones(1), volatile=True)


@row("T172")
def test_t172_data(torch: Any) -> None:
    v = leaf(torch, 1.0)
    d = v.data
    assert not d.requires_grad
    assert d.data_ptr() == v.data_ptr()
    d.add_(1)
    assert v._version == 0
    assert d._version == 1 and d.is_leaf and same(v, [2.0])


@row("T173")
def test_t173_methods(torch: Any) -> None:
    v, seen = torch.autograd.Variable(torch.ones(1), True), []
    v.register_hook(seen.append)
    (v * 2).backward()
    assert same(v.grad, [2.0])
    assert len(seen) == 1
    assert not v.detach().requires_grad
    assert same(seen[0], [2.0]) and v.detach().data_ptr() == v.data_ptr()


@row("T174")
def test_t174_factories(torch: Any) -> None:
    made = [
        torch.randn((2, 3, 4), requires_grad=True), torch.zeros(2, requires_grad=True),
        torch.ones(2, requires_grad=True), torch.rand(2, requires_grad=True),
        torch.full((2,), 1.0, requires_grad=True), torch.empty(2, requires_grad=True),
        torch.eye(2, requires_grad=True), torch.arange(3.0, requires_grad=True),
        torch.linspace(0, 1, 3, requires_grad=True),
    ]  # fmt: skip
    assert all(t.requires_grad and t.is_leaf for t in made)
    assert tuple(made[0].shape) == (2, 3, 4)


@row("T175")
def test_t175_grad(torch: Any) -> None:
    x = leaf(torch, 2.0)
    assert x.grad is None
    (x * x).backward()
    g = x.grad
    assert isinstance(g, torch.Tensor)
    (x * x).backward()
    assert x.grad is g
    assert same(g, [8.0])
    assert not g.requires_grad


@row("T176")
def test_t176_grad_of_a_result(torch: Any) -> None:
    y = leaf(torch, 2.0) * 2
    text = (
        "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
        "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf "
        "Tensor, use .retain_grad() on the non-leaf Tensor. "
    )
    with warns(UserWarning, text):
        assert y.grad is None
    y.retain_grad()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert y.grad is None


@row("T177")
def test_t177_assigning(torch: Any) -> None:
    x = leaf(torch, 1.0)
    with raises(
        TypeError, "assigned grad expected to be a Tensor or None but got grad of type int"
    ):
        x.grad = 1
    text = (
        "attempting to assign a gradient of size '[2]' to a tensor of size '[1]'. Please ensure that the gradient and "
        "the tensor are the same size"
    )
    with raises(RuntimeError, text):
        x.grad = torch.ones(2)
    text = (
        "attempting to assign a gradient with dtype 'double' to a tensor with grad_dtype 'Float'. "
    )
    with raises(RuntimeError, text):
        x.grad = torch.ones(1, dtype=torch.double)
    with raises(RuntimeError, "can't assign Variable as its own grad"):
        x.grad = x
    x.grad = torch.ones(1)
    del x.grad
    assert x.grad is None
    x.grad = torch.ones(1)
    x.grad = None
    assert x.grad is None


@row("T178")
def test_t178_requires_grad(torch: Any) -> None:
    x, c = leaf(torch, 1.0), torch.ones(1)
    assert (x * c).requires_grad
    assert not (c * c).requires_grad
    assert not (x > c).requires_grad
    with torch.no_grad():
        assert not (x * c).requires_grad
    c.requires_grad = True
    assert (c * c).requires_grad
    assert (x * 1.0).requires_grad and not (x.detach() * 1).requires_grad
    c.requires_grad = False
    assert not c.requires_grad


@row("T179")
def test_t179_of_a_result(torch: Any) -> None:
    y = leaf(torch, 1.0) * 2
    text = (
        "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a "
        "subgraph that doesn't require differentiation use var_no_grad = var.detach()."
    )
    with raises(RuntimeError, text):
        y.requires_grad = False
    assert y.requires_grad_() is y
    with raises(RuntimeError, "you can only change requires_grad flags of leaf variables."):
        y.requires_grad = True


@row("T180")
def test_t180_only_booleans(torch: Any) -> None:
    with raises(RuntimeError, "requires_grad must be a bool"):
        torch.ones(1).requires_grad = 1


@row("T181")
def test_t181_returns_itself(torch: Any) -> None:
    t = torch.ones(1)
    assert t.requires_grad_() is t


@row("T182")
def test_t182_leaves(torch: Any) -> None:
    assert torch.rand(2, requires_grad=True).is_leaf
    assert not torch.rand(2, requires_grad=True).double().is_leaf
    assert not (torch.rand(2, requires_grad=True) + 2).is_leaf
    assert torch.rand(2).double().is_leaf
    assert torch.rand(2).double().requires_grad_().is_leaf
    assert torch.rand(2, requires_grad=True, device="cpu").is_leaf


@row("T183")
def test_t183_grad_fn_is_read_only(torch: Any) -> None:
    text = "attribute 'grad_fn' of 'torch._C.TensorBase' objects is not writable"
    with raises(AttributeError, text):
        torch.ones(1).grad_fn = None


@row("T184")
def test_t184_backward(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    g = torch.ones(2, requires_grad=True)
    y = x * x
    y.backward(g, retain_graph=True, inputs=[x])
    assert same(x.grad, [2.0, 4.0])
    assert not x.grad.requires_grad
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y.backward(gradient=g, create_graph=True)
    assert x.grad.requires_grad
    x.grad = None
    (x * x).sum().backward(None, False, False, [x])
    assert same(x.grad, [2.0, 4.0])


@row("T185")
def test_t185_detach(torch: Any) -> None:
    y = leaf(torch, 1.0) * 2
    d = y.detach()
    assert not d.requires_grad
    assert d.grad_fn is None
    assert d.is_leaf
    assert d.data_ptr() == y.data_ptr()
    d.add_(1)
    assert y._version == 1
    assert not d._is_view()
    assert d._base is None
    assert same(y, [3.0]) and d is not y


@row("T186")
def test_t186_metadata_of_the_detached(torch: Any) -> None:
    x = torch.ones(2, 3, requires_grad=True)
    d = x.detach()
    d.t_()
    assert tuple(x.shape) == (2, 3)
    assert tuple(d.shape) == (3, 2)
    x.detach().resize_(1)
    assert tuple(x.shape) == (2, 3)


@row("T187")
def test_t187_detach_in_place(torch: Any) -> None:
    y = leaf(torch, 1.0, 2.0) * 2
    y.detach_()
    assert y.is_leaf
    assert y.grad_fn is None
    x = leaf(torch, 1.0)
    assert not x.detach_().requires_grad
    v = (leaf(torch, 1.0, 2.0) * 2)[:1]
    text = (
        "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for "
        "training, "
    )
    with raises(RuntimeError, text):
        v.detach_()


@row("T188")
def test_t188_detaching_what_is_saved(torch: Any) -> None:
    a = leaf(torch, 1.0) * 1
    y = a * a
    a.detach_()
    text = (
        "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not supported, "
        "please use out-of-place `.detach()` instead"
    )
    with raises(RuntimeError, text):
        y.backward()
    x = leaf(torch, 1.0)
    b = x.exp()
    y = b * 2
    b.detach_()
    y.backward()
    assert close(x.grad, [5.4366])


@row("T189")
def test_t189_register_hook(torch: Any) -> None:
    v = leaf(torch, 0.0, 0.0, 0.0)
    h = v.register_hook(lambda grad: grad * 2)
    v.backward(torch.tensor([1.0, 2.0, 3.0]))
    assert same(v.grad, [2.0, 4.0, 6.0])
    assert type(h).__name__ == "RemovableHandle"
    h.remove()
    v.backward(torch.tensor([1.0, 2.0, 3.0]))
    assert same(v.grad, [3.0, 6.0, 9.0])
    assert type(h.id).__name__ == "int"


@row("T190")
def test_t190_hooks_in_order(torch: Any) -> None:
    v, seen = leaf(torch, 0.0), []
    v.register_hook(lambda g: g * 2)
    v.register_hook(lambda g: seen.append(g.item()))
    v.register_hook(lambda g: g + 1)
    v.backward(torch.tensor([1.0]))
    assert seen == [2.0]
    assert same(v.grad, [3.0])
    w = leaf(torch, 0.0)
    w.register_hook(lambda g: None)
    w.backward(torch.tensor([4.0]))
    assert same(w.grad, [4.0])


@row("T191")
def test_t191_hook_without_grad(torch: Any) -> None:
    with raises(RuntimeError, "cannot register a hook on a tensor that doesn't require gradient"):
        torch.ones(1).register_hook(print)


@row("T192")
def test_t192_what_hooks_return(torch: Any) -> None:
    def run(hook: Any) -> None:
        x = leaf(torch, 1.0)
        x.register_hook(hook)
        (x * 2).backward()

    with raises(TypeError, "expected Variable, but hook returned 'int'"):
        run(lambda g: 1)
    with raises(RuntimeError, "hook '<lambda>' has changed the size of value"):
        run(lambda g: torch.ones(2))
    text = "hook '<lambda>' has changed the type of value (was torch.FloatTensor got torch.DoubleTensor)"
    with raises(RuntimeError, text):
        run(lambda g: g.double())
    with pytest.raises(ZeroDivisionError):
        run(lambda g: 1 / 0)

    class Mine(Exception):
        pass

    def fail(g: Any) -> None:
        raise Mine("told")

    with raises(Mine, "told"):
        run(fail)


@row("T193")
def test_t193_called_once(torch: Any) -> None:
    x, seen = leaf(torch, 1.0), []
    x.register_hook(lambda g: seen.append(g.item()))
    (x * 2 + x * 3).backward()
    assert seen == [5.0]


@row("T194")
def test_t194_in_grad(torch: Any) -> None:
    x, seen = leaf(torch, 1.0), []
    x.register_hook(lambda g: seen.append(g.item()))
    torch.autograd.grad(x * 2, x)
    assert seen == [2.0]


@row("T195")
def test_t195_hooks_and_writes(torch: Any) -> None:
    x, seen = leaf(torch, 1.0), []
    y = x * 1
    y.register_hook(lambda g: seen.append(("old", g.item())))
    y.retain_grad()
    y.mul_(3)
    y.register_hook(lambda g: seen.append(("new", g.item())))
    (y * 2).backward()
    assert seen == [("new", 2.0), ("old", 6.0)]
    assert same(y.grad, [2.0])
    y = leaf(torch, 1.0) * 1
    y.retain_grad()
    z = y
    z.mul_(2)
    z.mul_(5)
    (z * 7).backward()
    assert same(y.grad, [7.0])


@row("T196")
def test_t196_retain_grad(torch: Any) -> None:
    x = leaf(torch, 1.0)
    y = x * 2
    y.retain_grad()
    assert y.retains_grad
    z = y * 3
    z.backward(retain_graph=True)
    z.backward(retain_graph=True)
    assert same(y.grad, [6.0])
    y.grad = None
    torch.autograd.grad(z, x)
    assert same(y.grad, [3.0])
    x.retain_grad()
    assert not x.retains_grad
    with raises(RuntimeError, "can't retain_grad on Tensor that has requires_grad=False"):
        torch.ones(1).retain_grad()


@row("T197")
def test_t197_post_accumulate(torch: Any) -> None:
    x, seen = leaf(torch, 1.0), []
    x.register_post_accumulate_grad_hook(lambda t: seen.append((t is x, t.grad.item())))
    (x * 2).backward()
    (x * 2).backward()
    torch.autograd.grad(x * 2, x)
    assert seen == [(True, 2.0), (True, 4.0)]
    text = "post accumulate grad hooks cannot be registered on non-leaf tensors"
    with raises(RuntimeError, text):
        (x * 2).register_post_accumulate_grad_hook(print)
    with raises(RuntimeError, "cannot register a hook on a tensor that doesn't require gradient"):
        torch.ones(1).register_post_accumulate_grad_hook(print)


@row("T198")
def test_t198_post_accumulate_returns_none(torch: Any) -> None:
    x = leaf(torch, 1.0)
    h = x.register_post_accumulate_grad_hook(lambda t: t * 2)
    with raises(RuntimeError, "Tensor post accumulate grad hooks should return None."):
        (x * 2).backward()
    h.remove()
    x.register_post_accumulate_grad_hook(lambda t: t)
    (x * 2).backward()


@row("T199")
def test_t199_attributes(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    a, b = x.clone().unbind()
    assert (a.output_nr, b.output_nr) == (0, 1)
    base = torch.zeros(4)
    v = base[1:][1:]
    assert v._base is base
    assert v._is_view()
    assert not base._is_view()
    assert (x.clone() * 1).output_nr == 0 and base._base is None and not base.retains_grad
    w = x.clone()
    w.retain_grad()
    assert w.retains_grad and base._version == 0


@row("T200")
def test_t200_data(torch: Any) -> None:
    x = leaf(torch, 1.0)
    x.data.add_(1)
    with torch.no_grad():
        x.add_(1)
    assert x._version == 1
    x.data = torch.zeros(1)
    assert x._version == 1
    assert same(x, [0.0])
    text = "data set to a tensor that requires gradients must be floating point or complex dtype"
    with raises(RuntimeError, text):
        x.data = torch.tensor([1])
    with raises(RuntimeError, "Deleting tensor data is not allowed. Delete tensor instead!"):
        del x.data
    d = x.data
    assert not d.requires_grad and d.data_ptr() == x.data_ptr()


@row("T201")
def test_t201_numpy(torch: Any) -> None:
    x = leaf(torch, 1.0)
    text = "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
    with raises(RuntimeError, text):
        x.numpy()
    assert isinstance(x.detach().numpy(), np.ndarray)
    with torch.no_grad():
        assert x.numpy().tolist() == [1.0]


@row("T202")
def test_t202_repr(torch: Any) -> None:
    x = leaf(torch, 1.0)
    assert repr(x) == "tensor([1.], requires_grad=True)"
    assert repr(x * 2) == "tensor([2.], grad_fn=<MulBackward0>)"
    d = torch.zeros(3)
    d.add_(leaf(torch, 1.0, 2.0, 3.0).sum())
    with torch.no_grad():
        v = d[:1]
        v.mul_(2)
    assert repr(v) == "tensor([12.], grad_fn=<Invalid>)"


@row("T203")
def test_t203_deepcopy(torch: Any) -> None:
    x = leaf(torch, 1.0)
    c = copy.deepcopy(x)
    assert c.requires_grad
    assert c.data_ptr() != x.data_ptr()
    text = "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment. "
    with raises(RuntimeError, text):
        copy.deepcopy(x * 2)
    assert c.is_leaf and same(c, [1.0]) and c is not x


@row("T204")
def test_t204_numbers(torch: Any) -> None:
    import subprocess
    import sys

    x = leaf(torch, 1.5)
    assert x.item() == 1.5
    text = (
        f"import {torch.__name__} as torch, warnings\n"
        "x = torch.tensor([1.5], requires_grad=True)\n"
        "with warnings.catch_warnings(record=True) as c:\n"
        "    warnings.simplefilter('always')\n"
        "    a, b = float(x), float(x)\n"
        "print(a, b, len(c), c[0].message)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(
        "1.5 1.5 1 Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior."
    )
    assert float(leaf(torch, 1.5).detach()) == 1.5 and int(torch.tensor(2)) == 2


@row("T205")
def test_t205_grad_dtype(torch: Any) -> None:
    x = leaf(torch, 1.0)
    assert x.grad_dtype == torch.float32
    x.grad_dtype = torch.float64
    x.grad = torch.ones(1, dtype=torch.float64)
    x.grad_dtype = None
    x.grad = None
    with pytest.raises(RuntimeError):
        (x * 2).grad_dtype = torch.float64
    y = leaf(torch, 1.0)
    y.grad_dtype = torch.float64
    (y * 2).sum().backward()
    assert y.grad.dtype == torch.float64
