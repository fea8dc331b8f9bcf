"""What else rows T206 to T247 say of functions, sentence by sentence."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

import pytest

from .surface import close, raises, row, same


def leaf(torch: Any, *values: float, **options: Any) -> Any:
    return torch.tensor(list(values), requires_grad=True, **options)


def function(torch: Any, forward: Any, backward: Any = None, **more: Any) -> Any:
    """A Function called MyF of these methods."""
    methods = {"forward": staticmethod(forward), **{k: staticmethod(v) for k, v in more.items()}}
    if backward is not None:
        methods["backward"] = staticmethod(backward)
    return type("MyF", (torch.autograd.Function,), methods)


def exp_of(torch: Any) -> Any:
    def forward(ctx: Any, i: Any) -> Any:
        result = i.exp()
        ctx.save_for_backward(result)
        return result

    made = function(torch, forward, lambda ctx, g: g * ctx.saved_tensors[0])
    return type("Exp", (made,), {})


# -- functions ------------------------------------------------------------------------------------------


@row("T206")
def test_t206_checked(torch: Any) -> None:
    Exp = exp_of(torch)
    x = leaf(torch, 0.3, 0.7, dtype=torch.float64)
    assert close(Exp.apply(x), x.exp(), 1e-12)
    assert torch.autograd.gradcheck(Exp.apply, (x,)) is True
    assert torch.autograd.gradgradcheck(Exp.apply, (x,)) is True
    assert type(Exp.apply(x).grad_fn).__name__ == "ExpBackward"


@row("T207")
def test_t207_keywords(torch: Any) -> None:
    seen: list[Any] = []

    def forward(ctx: Any, x: Any, k: float = 1.0) -> Any:
        seen.append((torch.is_grad_enabled(), (x * k).requires_grad))
        return x * k

    made = function(torch, forward, lambda ctx, g: (g * 3, None)).apply(leaf(torch, 2.0), k=3.0)
    assert same(made, [6.0]) and made.requires_grad and seen == [(False, False)]


@row("T208")
@row("T210")
def test_t208_t210_kinds_of_errors(torch: Any) -> None:
    assert issubclass(NotImplementedError, RuntimeError)
    text = "You must implement the forward function for custom autograd.Function."
    with raises(NotImplementedError, text):
        function(torch, torch.autograd.Function.forward).apply(leaf(torch, 1.0))


@row("T209")
@row("T211")
def test_t209_t211_as_many_as_outputs(torch: Any) -> None:
    seen: list[Any] = []

    def back(ctx: Any, *gs: Any) -> Any:
        seen.append([g.item() for g in gs])
        return gs[0] * 2 + gs[1] * 3

    for names in ({"backward": back}, {"vjp": back}):
        x = leaf(torch, 1.0)
        F = function(torch, lambda ctx, a: (a * 2, a * 3), **names)
        a, b = F.apply(x)
        (a + 10 * b).backward()
        assert same(x.grad, [32.0])
    assert seen == [[1.0, 10.0]] * 2
    for returned, count in ((lambda ctx, g: (g, g, g), 3), (lambda ctx, g: (), 0)):
        text = f"function MyFBackward returned an incorrect number of gradients (expected 2, got {count})"
        with raises(RuntimeError, text):
            function(torch, lambda ctx, a, b: a + b, returned).apply(leaf(torch, 1.0), 2).backward()


@row("T212")
@row("T213")
def test_t212_t213_fitted(torch: Any) -> None:
    x = torch.ones(2, 1, requires_grad=True)
    function(torch, lambda ctx, a: a * 2, lambda ctx, g: torch.ones(4, 2, 3)).apply(x).sum().backward()  # fmt: skip
    assert same(x.grad, [[12.0], [12.0]])
    for kind in (torch.float16, torch.float64):
        y = torch.ones(2, dtype=kind, requires_grad=True)
        function(torch, lambda ctx, a: a * 2, lambda ctx, g: g.float() * 2).apply(y).sum().backward()  # fmt: skip
        assert y.grad.dtype == kind and same(y.grad, [2.0, 2.0])


@row("T214")
def test_t214_beside_others(torch: Any) -> None:
    x, y = leaf(torch, 1.0), leaf(torch, 2.0)
    function(torch, lambda ctx, a, b: a * b, lambda ctx, g: (None, g)).apply(x, y).backward()
    assert x.grad is None and same(y.grad, [1.0])
    z = function(torch, lambda ctx, a: a * 2, lambda ctx, g: None).apply(x) + x * 3
    z.backward()
    assert same(x.grad, [3.0])
    assert torch.autograd.grad(
        function(torch, lambda ctx, a: a * 2, lambda ctx, g: None).apply(x), x, allow_unused=True
    ) == (None,)


@row("T217")
def test_t217_of_every_input(torch: Any) -> None:
    seen: list[Any] = []

    def backward(ctx: Any, g: Any) -> Any:
        seen.append(ctx.needs_input_grad)
        return g, g, None

    x, y = leaf(torch, 1.0), leaf(torch, 2.0)
    F = function(torch, lambda ctx, a, b, k: a + b, backward)
    F.apply(x, y, 3).backward(inputs=[y])
    torch.autograd.grad(F.apply(x, y, 3), x)
    F.apply(x, torch.ones(1), 3).backward()
    assert seen == [(True, True, False), (True, True, False), (True, False, False)]
    assert type(seen[0]) is tuple


@row("T218")
@row("T220")
def test_t218_t220_what_is_returned(torch: Any) -> None:
    seen: list[Any] = []

    def backward(ctx: Any, *gs: Any) -> Any:
        seen.append([g if g is None else g.dtype for g in gs])
        return gs[0]

    F = function(torch, lambda ctx, a: (a * 2, a > 0, 3, (a * 2).long()), backward)
    y, b, k, n = F.apply(leaf(torch, 1.0))
    assert y.requires_grad and k == 3
    for whole in (b, n):
        assert not whole.requires_grad
        with raises(RuntimeError, "...can require gradients"):
            whole.requires_grad = True
    y.backward()
    assert seen[0][2] is None and seen[0][0] == torch.float32
    several = function(torch, lambda ctx, a: [a * 2, a * 3], backward).apply(leaf(torch, 1.0))
    assert type(several) is list and all(not t.requires_grad for t in several)


@row("T219")
def test_t219_views_of_inputs(torch: Any) -> None:
    rest = (
        " is a view and is being modified inplace. This view was created inside a custom Function (or because an input was "
        "returned as-is) and the autograd logic to handle view+inplace would override the custom backward associated with "
        "the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the "
        "output of the custom Function."
    )
    for forward in (lambda ctx, a: a, lambda ctx, a: a[:1], lambda ctx, a: a.view(2)):
        F = function(torch, forward, lambda ctx, g: torch.ones(2) * 7)
        x = leaf(torch, 1.0, 2.0)
        base = x * 1
        y = F.apply(base)
        assert y is not base and y._is_view() and y.data_ptr() == base.data_ptr()
        assert y.grad_fn.name() == "MyFBackward"
        with raises(RuntimeError, f"Output 0 of MyF...{rest}"):
            y.mul_(2)
        F.apply(x * 1).sum().backward()
        assert same(x.grad, [7.0, 7.0])


@row("T221")
@pytest.mark.filterwarnings("ignore")
def test_t221_in_backward_too(torch: Any) -> None:
    seen: list[Any] = []

    def backward(ctx: Any, g: Any) -> Any:
        seen.append((torch.is_grad_enabled(), (g * leaf(torch, 1.0)).requires_grad))
        return g * 2

    F, x = function(torch, lambda ctx, a: a * 2, backward), leaf(torch, 1.0)
    F.apply(x).backward(torch.ones(1, requires_grad=True))
    F.apply(x).backward(torch.ones(1, requires_grad=True), create_graph=True)
    assert seen == [(False, False), (True, True)]


@row("T222")
def test_t222_every_form_of_function(torch: Any) -> None:
    x = leaf(torch, 1.0)
    forms = {
        "new": lambda ctx, a: a * 2, "input": lambda ctx, a: a, "view": lambda ctx, a: a.view(1),
        "several": lambda ctx, a: (a, a * 2),
    }  # fmt: skip
    for mode in (torch.no_grad, lambda: torch.set_grad_enabled(False)):
        for forward in forms.values():
            F = function(torch, forward, lambda ctx, *g: g[0])
            with mode():
                made = F.apply(x)
            for one in made if isinstance(made, tuple) else (made,):
                assert one.grad_fn is None
                if (
                    one._is_view() and one.requires_grad
                ):  # a view of what requires grad says that it does, too
                    continue
                assert not one.requires_grad
                with raises(RuntimeError, "element 0 of tensors does not require grad"):
                    one.backward()
    assert function(torch, forms["input"], lambda ctx, g: g).apply(torch.ones(1)).grad_fn is None


@row("T223")
def test_t223_the_whole_messages(torch: Any) -> None:
    F = exp_of(torch)
    text = (
        f"{F} should not be instantiated. Methods on autograd functions are all static, so you should invoke them on the "
        "class itself. Instantiating an autograd function will raise an error in a future version of PyTorch."
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = F()
    assert [str(w.message) for w in caught] == [text]
    assert caught[0].category is DeprecationWarning
    with raises(RuntimeError, "...(Example: https://pytorch.org/docs/stable/autograd.html#"):  # fmt: skip
        made(torch.ones(1))


@row("T224")
def test_t224_backward_is_not_asked(torch: Any) -> None:
    """Called directly it is an ordinary function of ordinary operations: its own backward has no node."""
    F = function(torch, lambda ctx, a: a.exp(), lambda ctx, g: g * 100)
    x = leaf(torch, 0.0)
    y = F.forward(None, x)
    assert y.grad_fn.name() == "ExpBackward0"
    y.backward()
    assert same(x.grad, [1.0])


@row("T225")
def test_t225_of_nodes(torch: Any) -> None:
    x, order = leaf(torch, 1.0), []
    a = x * 2
    b = a.exp()
    c = a.sin()
    d = b * c
    for name, t in (("a", a), ("b", b), ("c", c), ("d", d)):
        t.grad_fn.register_prehook(lambda g, name=name: order.append(name))
    d.backward()
    assert order == ["d", "c", "b", "a"]


@row("T226")
@pytest.mark.filterwarnings("ignore")
def test_t226_tangents_that_are_not_there(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    for materialize in (True, False):
        seen: list[Any] = []

        def forward(ctx: Any, x: Any, y: Any, k: Any, on: Any = materialize) -> Any:
            ctx.set_materialize_grads(on)
            return x * y

        def jvp(ctx: Any, dx: Any, dy: Any, dk: Any, seen: Any = seen) -> Any:
            seen.append((dy if dy is None else dy.tolist(), dk))
            return dx * 3

        with fw.dual_level():
            x = fw.make_dual(torch.tensor([2.0]), torch.tensor([1.0]))
            made = function(torch, forward, jvp=jvp).apply(x, torch.tensor([3.0]), "k")
            assert same(fw.unpack_dual(made).tangent, [3.0])
        assert seen == [([0.0] if materialize else None, None)]


@row("T229")
@row("T230")
def test_t229_t230_setup_context(torch: Any) -> None:
    seen: list[Any] = []

    class F(torch.autograd.Function):
        @staticmethod
        def forward(x: Any, k: float = 3.0) -> Any:
            return x * k

        @classmethod
        def setup_context(cls, ctx: Any, inputs: Any, output: Any) -> None:
            seen.append((inputs[1:], output.tolist(), cls.__name__))
            ctx.save_for_backward(inputs[0], output)

        @classmethod
        def backward(cls, ctx: Any, g: Any) -> Any:
            x, out = ctx.saved_tensors
            return g * out / x, None

    x = leaf(torch, 2.0)
    F.apply(x).backward()
    F.apply(x, 5.0).backward()
    assert same(x.grad, [8.0])
    assert seen == [((3.0,), [6.0], "F"), ((5.0,), [10.0], "F")]


# -- the context ------------------------------------------------------------------------------------------


def test_attributes_of_the_context_may_have_any_name(torch: Any) -> None:
    """Whatever a node has under that name: its own names are taken from it."""
    forbidden = {
        "to_save", "dirty_tensors", "non_differentiable", "materialize_grads", "saved_for_forward", "apply",
        "metadata", "next_functions", "requires_grad", "saved_tensors", "saved_variables", "needs_input_grad", "set_output_grad_dtype", "output_grad_dtypes",
    }  # fmt: skip
    x, y = leaf(torch, 2.0), leaf(torch, 3.0)
    node = exp_of(torch).apply(x).grad_fn
    names = {n for n in (*dir(node), *vars(node)) if not n.startswith("_")} - forbidden
    for name in sorted(
        names | {"saved", "outputs", "inputs", "edges", "seq", "shape", "given", "kind", "run"}
    ):

        def forward(ctx: Any, x: Any, y: Any, name: str = name) -> Any:
            ctx.save_for_backward(x, y)
            setattr(ctx, name, (name, 7))
            return x * y

        def backward(ctx: Any, g: Any, name: str = name) -> Any:
            assert getattr(ctx, name) == (name, 7)
            a, b = ctx.saved_tensors
            return g * b, g * a

        z = function(torch, forward, backward).apply(x * 1, y)
        (g,) = torch.autograd.grad(z * z, x, create_graph=True)
        (h,) = torch.autograd.grad(g, x)
        assert same(g, [36.0]) and same(h, [18.0])


@row("T231")
def test_t231_results_and_intermediates(torch: Any) -> None:
    seen: list[Any] = []

    def forward(ctx: Any, x: Any) -> Any:
        y, z = x * 2, x * 3
        ctx.save_for_backward(y, z, x)
        return y

    def backward(ctx: Any, g: Any) -> Any:
        seen.append(ctx.saved_tensors)
        return g * 2

    x = leaf(torch, 1.0)
    out = function(torch, forward, backward).apply(x)
    out.backward()
    y, z, same_x = seen[0]
    assert same_x is x and y is not out and y.grad_fn is out.grad_fn and y.requires_grad
    assert z.grad_fn is None and not z.requires_grad and same(z, [3.0])
    for wrong, kind in ((1, "int"), ("a", "str"), ([x], "list")):
        text = f"save_for_backward can only save variables, but argument 1 is of type {kind}"
        with raises(TypeError, text):
            function(torch, lambda ctx, a, w=wrong: ctx.save_for_backward(a, w) or a * 2, backward).apply(x)  # fmt: skip


@row("T232")
@row("T233")
def test_t232_t233_results_and_retained_graphs(torch: Any) -> None:
    y = exp_of(torch).apply(leaf(torch, 1.0))
    y.mul_(2)
    text = "one of the variables needed for gradient computation has been modified by an inplace operation"
    with raises(RuntimeError, text):
        y.backward()
    x = leaf(torch, 0.0)
    y = exp_of(torch).apply(x)
    y.backward(retain_graph=True)
    y.backward()
    assert same(x.grad, [2.0])
    with raises(RuntimeError, "Trying to backward through the graph a second time "):
        _ = y.grad_fn.saved_tensors


@row("T234")
@pytest.mark.filterwarnings("ignore")
def test_t234_the_same_tensors(torch: Any) -> None:
    seen: list[Any] = []

    def backward(ctx: Any, g: Any) -> Any:
        seen.append(ctx.saved_variables[0] is ctx.saved_tensors[0])
        return g

    function(torch, lambda ctx, x: ctx.save_for_backward(x) or x * 2, backward).apply(leaf(torch, 1.0)).backward()  # fmt: skip
    assert seen == [True]


def dirty(torch: Any, forward: Any) -> Any:
    def run(ctx: Any, *xs: Any) -> Any:
        ctx.mark_dirty(*[x for x in xs if isinstance(x, torch.Tensor)])
        return forward(*xs)

    return function(torch, run, lambda ctx, *g: g[0] * 2)


@row("T235")
@row("T237")
def test_t235_t237_the_object_and_its_version(torch: Any) -> None:
    x = leaf(torch, 1.0)
    c = x.clone()
    before = c.grad_fn
    y = dirty(torch, lambda a: a.mul_(2)).apply(c)
    assert y is c and c._version == 2 and c.grad_fn is not before and same(c, [2.0])
    (c * 3).backward()
    assert same(x.grad, [6.0])
    text = "Some elements marked as dirty during the forward method were not returned as output."
    with raises(RuntimeError, text):
        dirty(torch, lambda a: None).apply(x.clone())


@row("T239")
def test_t239_the_whole_message(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    base = x.clone()
    view = base[:1]
    made = dirty(torch, lambda a: a.mul_(2)).apply(view)
    assert made is view and base.grad_fn.name() == "torch::autograd::CopySlices"
    (base * 5).sum().backward()
    assert same(x.grad, [10.0, 5.0])


@row("T240")
@row("T241")
def test_t240_t241_zeros_of_their_shape(torch: Any) -> None:
    for materialize, marked in ((True, True), (True, False), (False, False)):
        seen: list[Any] = []

        def forward(ctx: Any, x: Any, on: Any = materialize, mark: Any = marked) -> Any:
            ctx.set_materialize_grads(on)
            a, b = x * 2, torch.ones(2, 3) * x.sum()
            if mark:
                ctx.mark_non_differentiable(b)
            return a, b

        def backward(ctx: Any, g: Any, h: Any, seen: Any = seen) -> Any:
            seen.append(h if h is None else (tuple(h.shape), bool(h.any())))
            return g

        a, b = function(torch, forward, backward).apply(leaf(torch, 1.0))
        assert b.requires_grad is not marked
        a.backward()
        assert seen == [((2, 3), False) if materialize else None]


@row("T242")
@pytest.mark.filterwarnings("ignore")
def test_t242_other_tensors_than_for_backward(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    seen: list[Any] = []

    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_backward(x)
        ctx.save_for_forward(x, y)
        return x * y

    def jvp(ctx: Any, dx: Any, dy: Any) -> Any:
        seen.append(len(ctx.saved_tensors))
        return dx * ctx.saved_tensors[1] + ctx.saved_tensors[0] * dy

    def backward(ctx: Any, g: Any) -> Any:
        seen.append(len(ctx.saved_tensors))
        return g, g

    F = function(torch, forward, backward, jvp=jvp)
    with fw.dual_level():
        x = fw.make_dual(torch.tensor(2.0), torch.tensor(1.0))
        y = fw.make_dual(torch.tensor(3.0), torch.tensor(10.0))
        assert fw.unpack_dual(F.apply(x, y)).tangent.item() == 23.0
    F.apply(leaf(torch, 1.0), torch.ones(1)).backward()
    assert seen == [2, 1]


@row("T243")
def test_t243_importable(torch: Any) -> None:
    found = import_module(f"{torch.__name__}.autograd.function")
    assert found is torch.autograd.function
    names: dict[str, Any] = {}
    exec(f"from {torch.__name__}.autograd.function import FunctionCtx, _ContextMethodMixin", names)
    assert names["FunctionCtx"] is found.FunctionCtx
    assert names["_ContextMethodMixin"] is found._ContextMethodMixin
    for method in (
        "save_for_backward",
        "mark_dirty",
        "mark_non_differentiable",
        "set_materialize_grads",
    ):
        assert hasattr(names["_ContextMethodMixin"], method)


@row("T244")
def test_t244_without_a_gradient_that_requires_grad(torch: Any) -> None:
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, g: Any) -> Any:
        return g * 2

    F, x = function(torch, lambda ctx, a: a * 2, backward), leaf(torch, 1.0)
    (g,) = torch.autograd.grad(F.apply(x), x)
    assert not g.requires_grad and same(g, [2.0])


@row("T245")
@row("T246")
@row("T247")
@pytest.mark.filterwarnings("ignore")
def test_t245_t246_t247_kinds(torch: Any) -> None:
    module = torch.autograd.function
    y = exp_of(torch).apply(leaf(torch, 1.0))
    assert isinstance(y.grad_fn, module.BackwardCFunction)
    assert issubclass(module.BackwardCFunction, module.FunctionCtx)
    assert same(y.grad_fn.apply(torch.ones(1)), y.tolist())
    assert module.InplaceFunction().inplace is False
    assert issubclass(module.NestedIOFunction, torch.autograd.Function)
    made = module.NestedIOFunction()
    for name in ("forward_extended", "backward_extended"):
        with pytest.raises(NotImplementedError):
            getattr(made, name)(1)
    for name in (
        "forward",
        "backward",
        "save_for_backward",
        "mark_dirty",
        "mark_non_differentiable",
    ):
        assert callable(getattr(made, name))
