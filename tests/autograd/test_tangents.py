"""Whose tangent is whose: writes, views, ``out=`` and functions of the user's in forward mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .surface import close, raises, same

VIEW = "A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning a view."
NOT_IN_PLACE = (
    "An inplace custom Function is not modifying the forward mode gradients inplace. If the forward is modifying an "
    "input inplace, then the jvp function must modify the corresponding gradient inplace."
)


def double(torch: Any, *values: Any) -> Any:
    return torch.tensor(list(values), dtype=torch.float64)


def dual(torch: Any, values: Any, tangents: Any) -> Any:
    fw = torch.autograd.forward_ad
    return fw.make_dual(double(torch, *values), double(torch, *tangents))


def test_a_copy_has_a_tangent_of_its_own(torch: Any) -> None:
    def set_first(x: Any) -> Any:
        y = x.clone()
        y[0] = 5.0
        return y * x

    jacfwd, x = torch.func.jacfwd, double(torch, 2.0)
    assert same(jacfwd(lambda x: x.clone().mul_(x).add_(x))(x), [[5.0]])
    assert same(jacfwd(lambda x: (x + 1).mul_(x) * x)(x), [[16.0]])
    assert same(jacfwd(set_first)(double(torch, 2.0, 3.0)), [[5.0, 0.0], [0.0, 6.0]])
    hessian = torch.func.hessian(lambda x: (x.clone().mul_(2) * x).sum())(x)
    assert same(hessian, [[4.0]])


@pytest.mark.parametrize(
    "f",
    [
        lambda x: (x + 1).mul_(2), lambda x: (x - 1).exp_(), lambda x: x.clone().zero_(),
        lambda x: x.view(-1).clone().add_(x), lambda x: x.clone().cumsum_(0),
    ],
)  # fmt: skip
def test_the_tangent_that_was_given_is_not_written_to(f: Callable[[Any], Any], torch: Any) -> None:
    t = double(torch, 1.0, 1.0)
    made, tangent = torch.func.jvp(f, (double(torch, 2.0, 3.0),), (t,))
    tangent.add_(1)
    assert same(t, [1.0, 1.0])


def test_views_made_before_there_was_a_tangent(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        y = double(torch, 0.0, 0.0)
        v, w = y[:1], y.view(2)
        y.copy_(dual(torch, [1.0, 2.0], [3.0, 4.0]))
        assert same(fw.unpack_dual(v).tangent, [3.0])
        v.mul_(10)
        assert same(fw.unpack_dual(y).tangent, [30.0, 4.0])
        assert same(fw.unpack_dual(w * 1).tangent, [30.0, 4.0])


def test_writes_into_one_of_several_views(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        y = dual(torch, [1.0, 2.0], [3.0, 4.0]).clone()
        y.split(1)[0].mul_(10)
        y.unbind()[1].mul_(3)
        assert same(fw.unpack_dual(y).tangent, [30.0, 12.0])


def test_a_value_with_a_tangent_is_filled_in(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        y = double(torch, 1.0, 2.0).fill_(dual(torch, [3.0], [5.0])[0])
        assert same(fw.unpack_dual(y).tangent, [5.0, 5.0])


def test_a_tensor_that_is_turned_in_place_turns_its_tangent(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        y = dual(torch, [[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]).clone()
        y.t_()
        assert same(fw.unpack_dual(y).tangent, [[5.0, 7.0], [6.0, 8.0]])
        y[0].mul_(2)
        assert same(fw.unpack_dual(y).tangent, [[10.0, 14.0], [6.0, 8.0]])


def test_reverse_over_forward_of_a_write(torch: Any) -> None:
    if torch.__name__ == "torch":
        pytest.skip("refused there: the tangent is written to in place")
    x = double(torch, 2.0, 3.0).requires_grad_()
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        y = fw.make_dual(x, double(torch, 1.0, 1.0)).clone()
        y.mul_(y)
        (g,) = torch.autograd.grad(fw.unpack_dual(y).tangent.sum(), x)
    assert same(g, [2.0, 2.0])


def test_out_takes_no_tangent(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    x = double(torch, 1.0, 2.0)
    text = "Trying to use forward AD with {}_out that does not support it because it is an out= function"
    with fw.dual_level():
        d = dual(torch, [1.0, 2.0], [1.0, 1.0])
        with raises(NotImplementedError, text.format("sin")):
            torch.sin(x, out=d)
        with raises(NotImplementedError, text.format("mul")):
            torch.mul(x, x, out=d)
        with raises(NotImplementedError, text.format("cat")):
            torch.cat([d, d], out=double(torch, 0.0, 0.0, 0.0, 0.0))


def test_out_is_written(torch: Any) -> None:
    x = double(torch, 1.0, 2.0)
    out = double(torch, 0.0, 0.0, 0.0, 0.0)
    assert torch.cat([x, x], out=out) is out
    assert same(out, [1.0, 2.0, 1.0, 2.0])
    empty = torch.tensor([], dtype=torch.float64)
    torch.add(x, x, out=empty)
    assert same(empty, [2.0, 4.0])


def test_out_is_noticed_by_what_was_saved(torch: Any) -> None:
    a, b = torch.ones(1, requires_grad=True), torch.full((1,), 2.0)
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        o = a * b
        torch.sin(torch.ones(1), out=b)
        o.backward()
    assert same(a.grad, [2.0])


def test_views_turned_around_are_saved_apart(torch: Any) -> None:
    x = double(torch, [1.0, 2.0], [3.0, 4.0]).requires_grad_()
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        y = x * 1
        (y * y.t()).sum().backward()
    assert same(x.grad, [[2.0, 6.0], [4.0, 8.0]])


# -- functions of the user's ---------------------------------------------------------------------


def of_identity(torch: Any, jvp: Any, dirty: bool = False) -> Any:
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            if dirty:
                x.mul_(2)
                ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            return bar * (2 if dirty else 1)

    F.jvp = staticmethod(jvp)
    return F


def test_a_function_that_writes_doubles_its_tangent_once(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    F = of_identity(torch, lambda ctx, t: t.mul_(2), dirty=True)
    with fw.dual_level():
        d = dual(torch, [1.0, 2.0], [1.0, 1.0])
        y = d.clone()
        z = F.apply(y)
        assert z is y and same(fw.unpack_dual(z).tangent, [2.0, 2.0])
        F.apply(y[:1])
        assert same(fw.unpack_dual(y).tangent, [4.0, 2.0])
        assert same(fw.unpack_dual(d).tangent, [1.0, 1.0])
        with raises(RuntimeError, NOT_IN_PLACE):
            of_identity(torch, lambda ctx, t: t * 2, dirty=True).apply(d.clone())


def test_a_function_that_returns_its_input(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        y = dual(torch, [1.0, 2.0], [1.0, 1.0]).clone()
        z = of_identity(torch, lambda ctx, t: t.view_as(t)).apply(y)
        z.mul_(2)
        assert same(fw.unpack_dual(y).tangent, [2.0, 2.0])
        with raises(RuntimeError, VIEW):
            of_identity(torch, lambda ctx, t: t).apply(y)


def test_a_function_that_returns_its_input_without_recording(torch: Any) -> None:
    x = double(torch, 1.0).requires_grad_()
    with torch.no_grad():
        y = of_identity(torch, None).apply(x)
    assert not y.requires_grad
    with raises(RuntimeError, "element 0 of tensors does not require grad"):
        (y * 2).sum().backward()


def test_forward_over_reverse_of_a_saved_result(torch: Any) -> None:
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = x.exp()
            ctx.save_for_backward(y)
            ctx.save_for_forward(y)
            return y

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            (y,) = ctx.saved_tensors
            return bar * y

        @staticmethod
        def jvp(ctx: Any, t: Any) -> Any:
            (y,) = ctx.saved_tensors
            return t * y

    x = double(torch, 1.0).requires_grad_()
    fw = torch.autograd.forward_ad
    for hooks in (False, True):
        with fw.dual_level():
            d = fw.make_dual(x, double(torch, 1.0))
            with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
                y = Exp.apply(d) if hooks else None
            y = y if hooks else Exp.apply(d)
            (g,) = torch.autograd.grad(y.sum(), d, create_graph=True)
            assert close(fw.unpack_dual(g).tangent, [2.71828])


# -- whole numbers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "f",
    [
        lambda torch, a, b: a // b, lambda torch, a, b: a % b, lambda torch, a, b: torch.fmod(a, b),
        lambda torch, a, b: torch.div(a, b, rounding_mode="trunc"), lambda torch, a, b: a.remainder_(b),
        lambda torch, a, b: 1 // b, lambda torch, a, b: a // 0,
    ],
)  # fmt: skip
def test_whole_numbers_are_not_divided_by_zero(f: Callable[..., Any], torch: Any) -> None:
    with raises(RuntimeError, "ZeroDivisionError"):
        f(torch, torch.tensor([1, 2]), torch.tensor([1, 0]))
