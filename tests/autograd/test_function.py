"""Rows T206 to T230: functions with a derivative of the user's own."""

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
    values = torch.tensor([0.3, 0.7], dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(Exp.apply, (values,))
    assert torch.autograd.gradgradcheck(Exp.apply, (values,))


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
    got: list[int] = []
    G = function(
        torch, lambda ctx, a: (a * 2, a * 3), lambda ctx, *g: got.append(len(g)) or g[0] + g[1]
    )
    first, second = G.apply(x)
    (first + second).backward()
    assert got == [2]


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
    F = function(torch, lambda ctx, a: a * 2, vjp=lambda ctx, g: g * 2)
    values = torch.tensor([0.3], dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(F.apply, (values,))


@row("T212")
def test_t212_shapes(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    text = (
        "Function MyFBackward returned an invalid gradient at index 0 - got [3, 3] but expected shape compatible with "
        "[2]"
    )
    with raises(RuntimeError, text):
        function(torch, lambda ctx, a: a * 2, lambda ctx, g: torch.ones(3, 3)).apply(
            x
        ).sum().backward()
    function(torch, lambda ctx, a: a * 2, lambda ctx, g: torch.ones(3, 2)).apply(x).sum().backward()
    assert same(x.grad, [3.0, 3.0])


@row("T213")
def test_t213_types(torch: Any) -> None:
    x = leaf(torch, 1.0)
    function(torch, lambda ctx, a: a * 2, lambda ctx, g: g.double() * 2).apply(x).backward()
    assert x.grad.dtype == torch.float32
    assert same(x.grad, [2.0])


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
    V = function(torch, lambda ctx, a: a.view(1, 1), lambda ctx, g: ran.append(2) or g.view(1))
    y = V.apply(x)
    assert y._is_view() and tuple(y.shape) == (1, 1)
    y.sum().backward()
    assert ran == [1, 2]
    with raises(RuntimeError, text):
        V.apply(x.clone()).mul_(2)


@row("T220")
def test_t220_integer_results(torch: Any) -> None:
    F = function(torch, lambda ctx, a: (a * 2, a > 0, a.long()), lambda ctx, g, *_: g)
    y, b, k = F.apply(leaf(torch, 1.0))
    assert y.requires_grad
    assert not b.requires_grad
    assert not k.requires_grad
    y.backward()


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
        assert not exp_of(torch).apply(leaf(torch, 1.0)).requires_grad

        class Same(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                return x

        assert not Same.apply(leaf(torch, 1.0)).requires_grad


def test_what_is_written_to_unrecorded_has_no_history(torch: Any) -> None:
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.mark_dirty(x)
            return x.mul_(2)

    x = leaf(torch, 1.0)
    for y in (x * 1, (x.view(1) * 1)[:1], leaf(torch, 1.0)):
        with torch.no_grad():
            made = Doubled.apply(y)
        assert made is not y and not made.requires_grad
        assert same(made.sum(), 2.0) and same(y.detach().sum(), 2.0)
    plain = torch.ones(1)
    assert Doubled.apply(plain) is plain


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
        text = (
            "Function's jvp returned an invalid number of forward gradients (expected 2 but got 1)"
        )
        with raises(RuntimeError, text):
            G.apply(x)
        H = function(
            torch,
            lambda ctx, a, b: ctx.set_materialize_grads(False) or a * b,
            jvp=lambda ctx, a, b: seen.append(b) or a,
        )
        H.apply(x, torch.tensor(3.0))
        assert seen[-1] is None


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
