"""Rows T206 to T247: functions with a derivative of the user's own, and their context."""

from __future__ import annotations

from typing import Any

import pytest

from .surface import close, raises, row, same, warns


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


@row("T206")
def test_t206_exp(torch: Any) -> None:
    Exp = exp_of(torch)
    x = leaf(torch, 1.0)
    y = Exp.apply(x)
    assert y.grad_fn.name() == "ExpBackward"
    assert "grad_fn=<ExpBackward>" in repr(y)
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    assert close(g, [2.7183])
    (h,) = torch.autograd.grad(g, x)
    assert close(h, [2.7183])


@row("T207")
def test_t207_forward_in_no_grad(torch: Any) -> None:
    seen = []

    def forward(ctx: Any, x: Any, k: float = 1.0) -> Any:
        seen.append(torch.is_grad_enabled())
        return x * k

    F = function(torch, forward, lambda ctx, g: (g, None))
    assert same(F.apply(leaf(torch, 2.0), 3.0), [6.0])
    assert seen == [False]


@row("T208")
def test_t208_forward_is_needed(torch: Any) -> None:
    F = type("F", (torch.autograd.Function,), {})
    text = "You must implement the forward function for custom autograd.Function."
    with raises(NotImplementedError, text):
        F.apply(torch.ones(1))


@row("T209")
def test_t209_as_many_gradients(torch: Any) -> None:
    F = function(torch, lambda ctx, a, b: a + b, lambda ctx, g: g)
    text = "function MyFBackward returned an incorrect number of gradients (expected 2, got 1)"
    with raises(RuntimeError, text):
        F.apply(leaf(torch, 1.0), leaf(torch, 1.0)).backward()
    x = leaf(torch, 1.0)
    function(torch, lambda ctx, a: a * 2, lambda ctx, g: (g * 2, None, None)).apply(x).backward()
    assert same(x.grad, [2.0])


@row("T210")
def test_t210_backward_is_needed(torch: Any) -> None:
    F = function(torch, lambda ctx, a: a * 2)
    text = (
        "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
        "backward mode AD."
    )
    with raises(NotImplementedError, text):
        F.apply(leaf(torch, 1.0)).backward()
    G = function(torch, lambda ctx, a: a * 2, lambda ctx, g: g, vjp=lambda ctx, g: g)
    text = (
        "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement one "
        "of them."
    )
    with raises(RuntimeError, text):
        G.apply(leaf(torch, 1.0)).backward()


@row("T211")
def test_t211_vjp(torch: Any) -> None:
    x = leaf(torch, 1.0)
    function(torch, lambda ctx, a: a * 2, vjp=lambda ctx, g: g * 2).apply(x).backward()
    assert same(x.grad, [2.0])


@row("T212")
def test_t212_shapes(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    text = (
        "Function MyFBackward returned an invalid gradient at index 0 - got [3, 3] but expected shape compatible with "
        "[2]"
    )
    with raises(RuntimeError, text):
        function(torch, lambda ctx, a: a * 2, lambda ctx, g: torch.ones(3, 3)).apply(x).sum().backward()
    function(torch, lambda ctx, a: a * 2, lambda ctx, g: torch.ones(3, 2)).apply(x).sum().backward()
    assert same(x.grad, [3.0, 3.0])


@row("T213")
def test_t213_types(torch: Any) -> None:
    x = leaf(torch, 1.0)
    function(torch, lambda ctx, a: a * 2, lambda ctx, g: g.double() * 2).apply(x).backward()
    assert x.grad.dtype == torch.float32


@row("T214")
def test_t214_none(torch: Any) -> None:
    x, seen = leaf(torch, 1.0), []
    y = x * 1
    y.register_hook(seen.append)
    function(torch, lambda ctx, a: a * 2, lambda ctx, g: None).apply(y).backward()
    assert x.grad is None
    assert seen == [None]


@row("T215")
def test_t215_not_a_tensor(torch: Any) -> None:
    F = function(torch, lambda ctx, a: a * 2, lambda ctx, g: 1.0)
    with raises(RuntimeError, "expected Variable or None (got float)"):
        F.apply(leaf(torch, 1.0)).backward()


@row("T216")
def test_t216_for_what_is_no_tensor(torch: Any) -> None:
    F = function(torch, lambda ctx, a, k: a * k, lambda ctx, g: (g, g))
    text = (
        "function MyFBackward returned a gradient different than None at position 2, but the corresponding forward "
        "input was not a Variable"
    )
    with raises(RuntimeError, text):
        F.apply(leaf(torch, 1.0), 2).backward()


@row("T217")
def test_t217_needs_input_grad(torch: Any) -> None:
    seen = []

    def forward(ctx: Any, x: Any, c: Any, s: str) -> Any:
        seen.append(ctx.needs_input_grad)
        return x * c

    def backward(ctx: Any, g: Any) -> Any:
        seen.append(ctx.needs_input_grad)
        return g, None, None

    x = leaf(torch, 1.0)
    function(torch, forward, backward).apply(x, torch.ones(1), "s").backward(inputs=[x])
    assert seen == [(True, False, False)] * 2


@row("T218")
def test_t218_results_that_are_no_tensors(torch: Any) -> None:
    seen = []

    def backward(ctx: Any, *g: Any) -> Any:
        seen.append([v is None for v in g])
        return g[0]

    x = leaf(torch, 1.0)
    found = function(torch, lambda ctx, a: (a * 2, 3, "s", None), backward).apply(x)
    assert found[1:] == (3, "s", None)
    found[0].backward()
    assert seen == [[False, True, True, True]]
    listed = function(torch, lambda ctx, a: [a * 2], backward).apply(x)
    assert isinstance(listed, list)
    assert listed[0].grad_fn is None


@row("T219")
def test_t219_returning_an_input(torch: Any) -> None:
    ran = []

    def backward(ctx: Any, g: Any) -> Any:
        ran.append(1)
        return g

    F = function(torch, lambda ctx, a: a, backward)
    x = leaf(torch, 1.0)
    y = F.apply(x)
    assert y is not x
    assert y._is_view()
    y.backward()
    assert ran == [1]
    v = F.apply(x.clone())
    text = (
        "Output 0 of MyF... is a view and is being modified inplace. This view was created inside a custom Function "
        "(or because an input was returned as-is) and the autograd logic to handle view+inplace would override the "
        "custom backward "
    )
    with raises(RuntimeError, text):
        v.mul_(2)


@row("T220")
def test_t220_integer_results(torch: Any) -> None:
    F = function(torch, lambda ctx, a: (a * 2, a > 0, a.long()), lambda ctx, g, *_: g)
    y, b, k = F.apply(leaf(torch, 1.0))
    assert y.requires_grad
    assert not b.requires_grad
    assert not k.requires_grad


@row("T221")
def test_t221_mode_inside_backward(torch: Any) -> None:
    seen = []

    def backward(ctx: Any, g: Any) -> Any:
        seen.append(torch.is_grad_enabled())
        return g * 2

    F, x = function(torch, lambda ctx, a: a * 2, backward), leaf(torch, 1.0)
    F.apply(x).backward()
    torch.autograd.grad(F.apply(x), x, create_graph=True)
    assert seen == [False, True]


@row("T222")
def test_t222_respects_the_mode(torch: Any) -> None:
    with torch.no_grad():
        assert exp_of(torch).apply(leaf(torch, 1.0)).grad_fn is None


@row("T223")
def test_t223_instances(torch: Any) -> None:
    F = exp_of(torch)
    with warns(DeprecationWarning, "should not be instantiated. "):
        f = F()
    text = (
        "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd "
        "function with static forward method. "
    )
    with raises(RuntimeError, text):
        f(torch.ones(1))


@row("T224")
def test_t224_forward_called_directly(torch: Any) -> None:
    class Ctx:
        def save_for_backward(self, *_: Any) -> None:
            pass

    with torch.no_grad():
        assert exp_of(torch).forward(Ctx(), leaf(torch, 1.0)).grad_fn is None


@row("T225")
def test_t225_order(torch: Any) -> None:
    x, order = leaf(torch, 1.0), []
    a, b = x * 2, x * 3
    c = a + b
    for name, t in (("x", x), ("a", a), ("b", b), ("c", c)):
        t.register_hook(lambda g, name=name: order.append(name))
    c.backward()
    assert order == ["c", "b", "a", "x"]


@row("T226")
@pytest.mark.filterwarnings("ignore")
def test_t226_jvp(torch: Any) -> None:
    fwAD = torch.autograd.forward_ad
    seen = []

    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.x, ctx.y = x, y
        return x * y

    def jvp(ctx: Any, dx: Any, dy: Any) -> Any:
        seen.append(dy)
        return dx * ctx.y + ctx.x * dy

    F = function(torch, forward, jvp=jvp)
    with fwAD.dual_level():
        x = fwAD.make_dual(torch.tensor(2.0), torch.tensor(1.0))
        out = fwAD.unpack_dual(F.apply(x, torch.tensor(3.0)))
        assert out.primal.item() == 6.0
        assert out.tangent.item() == 3.0
        assert seen[0].item() == 0.0
        text = "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        with raises(NotImplementedError, text):
            function(torch, lambda ctx, a: a * 2).apply(x)
        G = function(torch, lambda ctx, a: (a * 2, a * 3), jvp=lambda ctx, d: d * 2)
        text = "Function's jvp returned an invalid number of forward gradients (expected 2 but got 1)"
        with raises(RuntimeError, text):
            G.apply(x)


@row("T229")
def test_t229_setup_context(torch: Any) -> None:
    class F(torch.autograd.Function):
        @staticmethod
        def forward(x: Any, k: float = 3.0) -> Any:
            return x * k

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            x, ctx.k = inputs
            ctx.save_for_backward(x)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            assert len(ctx.saved_tensors) == 1
            return g * ctx.k, None

    x = leaf(torch, 1.0)
    F.apply(x).backward()
    assert same(x.grad, [3.0])


@row("T230")
def test_t230_class_methods(torch: Any) -> None:
    class F(torch.autograd.Function):
        @classmethod
        def forward(cls, x: Any) -> Any:
            return x * 2

        @classmethod
        def setup_context(cls, ctx: Any, inputs: Any, output: Any) -> None:
            pass

        @classmethod
        def backward(cls, ctx: Any, g: Any) -> Any:
            return g * 2

    x = leaf(torch, 1.0)
    F.apply(x).backward()
    assert same(x.grad, [2.0])


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


@row("T243")
def test_t243_names(torch: Any) -> None:
    module = torch.autograd.function
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


@row("T245")
def test_t245_backward_c_function(torch: Any) -> None:
    B = torch.autograd.function.BackwardCFunction
    Exp = exp_of(torch)
    assert issubclass(Exp._backward_cls, B)
    assert issubclass(B, torch.autograd.graph.Node)
    assert B.apply
    assert B.apply_jvp


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


