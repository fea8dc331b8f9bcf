"""Rows T231 to T247: what functions keep for the way back, and their kinds."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from .surface import raises, row, same, warns


def leaf(torch: Any, *values: float, **options: Any) -> Any:
    return torch.tensor(list(values), requires_grad=True, **options)


def exp_of(torch: Any) -> Any:
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, i: Any) -> Any:
            result = i.exp()
            ctx.save_for_backward(result)
            return result

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            (result,) = ctx.saved_tensors
            return grad_output * result

    return Exp


def function(torch: Any, forward: Any, backward: Any = None, **more: Any) -> Any:
    """A Function called MyF of these methods."""
    methods = {"forward": staticmethod(forward), **{k: staticmethod(v) for k, v in more.items()}}
    if backward is not None:
        methods["backward"] = staticmethod(backward)
    return type("MyF", (torch.autograd.Function,), methods)


# -- the context ----------------------------------------------------------------------------------


@row("T231")
def test_t231_save_for_backward(torch: Any) -> None:
    seen: dict[str, Any] = {}

    def forward(ctx: Any, x: Any) -> Any:
        y = x * 2
        ctx.save_for_backward(torch.ones(1))
        ctx.save_for_backward(x, y, None)
        return y

    def backward(ctx: Any, g: Any) -> Any:
        seen["x"], seen["y"], seen["none"] = ctx.saved_tensors
        return g * 2

    x = leaf(torch, 1.0)
    y = function(torch, forward, backward).apply(x)
    node = y.grad_fn
    y.backward()
    assert seen["x"] is x
    assert seen["y"] is not y
    assert seen["y"].grad_fn is node
    assert seen["none"] is None

    def wrong(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(1)
        return x * 2

    text = "save_for_backward can only save variables, but argument 0 is of type int"
    with raises(TypeError, text):
        function(torch, wrong, backward).apply(x)


@row("T232")
def test_t232_checked(torch: Any) -> None:
    a = leaf(torch, 1.0) * 1

    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 2

    y = function(torch, forward, lambda ctx, g: g * ctx.saved_tensors[0]).apply(a)
    a.add_(1)
    text = "one of the variables needed for gradient computation has been modified by an inplace operation"
    with raises(RuntimeError, text):
        y.backward()


@row("T233")
def test_t233_freed(torch: Any) -> None:
    x = leaf(torch, 1.0)
    y = exp_of(torch).apply(x)
    y.backward()
    with raises(RuntimeError, "Trying to backward through the graph a second time "):
        y.backward()
    z = function(torch, lambda ctx, a: a * 2, lambda ctx, g: g).apply(x)
    z.backward()
    z.backward()


@row("T234")
def test_t234_saved_variables(torch: Any) -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 2

    F = function(torch, forward, lambda ctx, g: g * ctx.saved_variables[0])
    with warns(DeprecationWarning, "'saved_variables' is deprecated; use 'saved_tensors'"):
        F.apply(leaf(torch, 1.0)).backward()


def doubled(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    return function(torch, forward, lambda ctx, g: g * 2)


@row("T235")
def test_t235_mark_dirty(torch: Any) -> None:
    x = leaf(torch, 1.0)
    c = x.clone()
    y = doubled(torch).apply(c)
    assert y is c
    assert c._version == 2
    assert c.grad_fn.name() == "MyFBackward"
    c.backward()
    assert same(x.grad, [2.0])


@row("T236")
def test_t236_a_dirty_leaf(torch: Any) -> None:
    text = "a leaf Variable that requires grad has been used in an in-place operation."
    with raises(RuntimeError, text):
        doubled(torch).apply(leaf(torch, 1.0))


@row("T237")
def test_t237_not_returned(torch: Any) -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        return x * 2

    text = (
        "Some elements marked as dirty during the forward method were not returned as output. The inputs that are "
        "modified inplace must all be outputs of the Function."
    )
    with raises(RuntimeError, text):
        function(torch, forward, lambda ctx, g: g).apply(leaf(torch, 1.0).clone())


@row("T238")
def test_t238_not_an_input(torch: Any) -> None:
    def forward(ctx: Any, x: Any) -> Any:
        y = x * 2
        ctx.mark_dirty(y)
        return y

    text = (
        "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated should be "
        "passed to ctx.mark_dirty()."
    )
    with warns(UserWarning, text):
        function(torch, forward, lambda ctx, g: g).apply(leaf(torch, 1.0))


@row("T239")
def test_t239_dirty_views(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    base = x.clone()
    doubled(torch).apply(base[:1])
    base.sum().backward()
    assert same(x.grad, [2.0, 1.0])

    def forward(ctx: Any, x: Any) -> Any:
        x.mul_(2)
        ctx.mark_dirty(x)
        return x, x * 3

    text = (
        "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more "
        "than one Tensor. This is not supported by the current autograd engine. "
    )
    with raises(RuntimeError, text):
        function(torch, forward, lambda ctx, g, h: g).apply(x.clone()[:1])


@row("T240")
def test_t240_mark_non_differentiable(torch: Any) -> None:
    seen = []

    def forward(ctx: Any, x: Any) -> Any:
        a, b = x * 2, x * 3
        ctx.mark_non_differentiable(b)
        return a, b

    def backward(ctx: Any, g: Any, h: Any) -> Any:
        seen.append(h.tolist())
        return g

    a, b = function(torch, forward, backward).apply(leaf(torch, 1.0))
    assert a.requires_grad
    assert not b.requires_grad
    a.backward()
    assert seen == [[0.0]]


@row("T241")
def test_t241_set_materialize_grads(torch: Any) -> None:
    for materialize in (True, False):
        seen = []

        def forward(ctx: Any, x: Any, materialize: bool = materialize) -> Any:
            ctx.set_materialize_grads(materialize)
            return x * 2, x * 3

        def backward(ctx: Any, g: Any, h: Any, seen: Any = seen) -> Any:
            seen.append(None if h is None else h.tolist())
            return g

        function(torch, forward, backward).apply(leaf(torch, 1.0))[0].backward()
        assert seen == [[0.0] if materialize else None]


@row("T242")
@pytest.mark.filterwarnings("ignore")
def test_t242_save_for_forward(torch: Any) -> None:
    fwAD = torch.autograd.forward_ad

    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_backward(x, y)
        ctx.save_for_forward(x, y)
        return x * y

    def jvp(ctx: Any, dx: Any, dy: Any) -> Any:
        x, y = ctx.saved_tensors
        return dx * y + x * dy

    with fwAD.dual_level():
        x = fwAD.make_dual(torch.tensor(2.0), torch.tensor(1.0))
        out = function(torch, forward, jvp=jvp).apply(x, torch.tensor(3.0))
        assert fwAD.unpack_dual(out).tangent.item() == 3.0

        def other(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_forward(y)
            return x * y

        def told(ctx: Any, dx: Any, dy: Any) -> Any:
            (y,) = ctx.saved_tensors
            return dx * y

        out = function(torch, other, jvp=told).apply(x, torch.tensor(3.0))
        assert fwAD.unpack_dual(out).tangent.item() == 3.0


@row("T243")
def test_t243_names(torch: Any) -> None:
    module = import_module(f"{torch.__name__}.autograd.function")
    assert module is torch.autograd.function
    assert module.FunctionCtx
    assert module._ContextMethodMixin


# -- kinds of functions -----------------------------------------------------------------------------


@row("T244")
def test_t244_once_differentiable(torch: Any) -> None:
    seen = []

    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, g: Any) -> Any:
        seen.append(torch.is_grad_enabled())
        return g * 2

    F, x = function(torch, lambda ctx, a: a * 2, backward), leaf(torch, 1.0)
    v = leaf(torch, 1.0)
    (g,) = torch.autograd.grad(F.apply(x), x, v, create_graph=True)
    assert seen == [False]
    assert type(g.grad_fn).__name__ == "Error"
    text = "trying to differentiate twice a function that was marked with @once_differentiable"
    with raises(RuntimeError, text):
        g.backward()
    (g,) = torch.autograd.grad(F.apply(x), x, torch.ones(1), create_graph=True)
    assert not g.requires_grad


@row("T245")
def test_t245_backward_c_function(torch: Any) -> None:
    B = torch.autograd.function.BackwardCFunction
    Exp = exp_of(torch)
    assert issubclass(Exp._backward_cls, B)
    assert issubclass(B, torch.autograd.graph.Node)
    assert B.apply
    assert B.apply_jvp
    node = Exp.apply(leaf(torch, 1.0)).grad_fn
    assert isinstance(node, B) and type(node).__name__ == "ExpBackward"


@row("T246")
@pytest.mark.filterwarnings("ignore")
def test_t246_inplace_function(torch: Any) -> None:
    I = torch.autograd.function.InplaceFunction  # noqa: E741
    assert I(inplace=True).inplace is True
    assert issubclass(I, torch.autograd.Function)


@row("T247")
@pytest.mark.filterwarnings("ignore")
def test_t247_nested_io_function(torch: Any) -> None:
    f = torch.autograd.function.NestedIOFunction()
    with pytest.raises(NotImplementedError):
        f.forward_extended()
    with pytest.raises(NotImplementedError):
        f.backward_extended()
