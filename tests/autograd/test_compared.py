"""What random programs found to differ from PyTorch (`tests.fuzz.eager`), each as a small test."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from .surface import close, raises, same


def test_masked_and_indexed_writes(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    v = torch.tensor([10.0, 20.0], requires_grad=True)
    y = x * 2
    y[torch.tensor([2, 0])] = v
    (y * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert same(y, [20.0, 4.0, 10.0]) and same(x.grad, [0.0, 20.0, 0.0])
    assert same(v.grad, [100.0, 1.0])
    z = x * 1
    z[z > 1.5] = 0.25
    assert same(z, [1.0, 0.25, 0.25])
    (g,) = torch.autograd.grad(z.sum(), x)
    assert same(g, [1.0, 0.0, 0.0])
    w = (x * 1).index_put_((torch.tensor([1, 1]),), v, accumulate=True)
    (g,) = torch.autograd.grad(w.square().sum(), v)
    assert same(w, [1.0, 32.0, 3.0]) and same(g, [64.0, 64.0])
    with raises(RuntimeError, "shape mismatch: value tensor of shape [2] cannot be broadcast to"):
        z[torch.tensor([0, 1, 2])] = v


def test_sizes_that_do_not_fit(torch: Any) -> None:
    a, b = torch.ones(2, 3), torch.ones(2)
    text = "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension"
    for fn in (lambda: a + b, lambda: a > b, lambda: torch.where(a > 0, a, b), lambda: a.copy_(b)):
        with raises(RuntimeError, text):
            fn()
    text = "The expanded size of the tensor (3) must match the existing size (2) at non-singleton"
    with raises(RuntimeError, text):
        b.expand(2, 3)
    with raises(RuntimeError, text):
        a[0] = b
    with raises(RuntimeError, "stack expects each tensor to be equal size, but got [2, 3] at"):
        torch.stack([a, b])
    with raises(RuntimeError, "Tensors must have same number of dimensions: got 2 and 1"):
        torch.cat([a, b])
    with raises(RuntimeError, "Sizes of tensors must match except in dimension 0. Expected size 3"):
        torch.cat([a, torch.ones(2, 2)])
    with raises(IndexError, "Dimension out of range (expected to be in range of [-2, 1], but got 2)"):  # fmt: skip
        a.sum(2)


def test_numbers_have_one_axis(torch: Any) -> None:
    x = torch.tensor(1.5, requires_grad=True)
    for fn in (
        lambda: x.cumsum(0), lambda: x.cumprod(-1), lambda: x.sort(-1).values, lambda: x.flip(0), lambda: x.sum(0),
        lambda: x.mean(-1), lambda: x.amax(0), lambda: x.max(0).values, lambda: x.transpose(0, -1),
        lambda: x.movedim(0, -1), lambda: x.logsumexp(0),
    ):  # fmt: skip
        made = fn()
        assert tuple(made.shape) == () and same(made, 1.5)
        (g,) = torch.autograd.grad(made, x)
        assert same(g, 1.0)
    assert tuple(x[..., None].shape) == (1,)


def test_steps_are_recorded(torch: Any) -> None:
    x = torch.tensor([1.5, float("inf"), float("nan")], requires_grad=True)
    for name in ("floor", "ceil", "trunc", "sign", "round"):
        made = getattr(x, name)()
        assert made.requires_grad
        (g,) = torch.autograd.grad(made.sum(), x)
        assert same(g, [0.0, 0.0, 0.0])
    assert same(x.round()[:2], [2.0, float("inf")]) and same(x.sign(), [1.0, 1.0, 0.0])


def test_views_of_leaves_are_leaves(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0]).reshape(2, 1).requires_grad_()
    text = "a view of a leaf Variable that requires grad is being used in an in-place operation."
    for fn in (lambda: x.mul_(2), lambda: x.t_(), lambda: x.squeeze_(), lambda: x.zero_()):
        with raises(RuntimeError, text):
            fn()
    assert x.flatten().tolist() == [1.0, 2.0] and x.reshape(2).flatten().is_leaf is False
    y = torch.ones(2, requires_grad=True)
    assert y.flatten() is y


def test_parts_show_the_memory(torch: Any) -> None:
    x = torch.zeros(3)
    x.unbind()[1].add_(5)
    assert same(x, [0.0, 5.0, 0.0])
    y = torch.zeros(2, 3)
    y.diagonal().add_(1)
    assert same(y, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    z = torch.zeros(1, 3)
    z.expand(-1, 3).add_(2)
    assert same(z, [[2.0, 2.0, 2.0]])
    m = torch.tensor([1.0, 3.0, 2.0])
    m.median().mul_(10)
    assert same(m, [1.0, 3.0, 2.0])


def test_writes_twice_and_derives_twice(torch: Any) -> None:
    x = torch.tensor([0.5, 1.0], requires_grad=True)
    y = x.sin()
    y.sin_()
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    expected = x.sin().cos() * x.cos()
    assert close(g, expected, 1e-6)
    (h,) = torch.autograd.grad(g.sum(), x)
    assert close(h, -x.sin().sin() * x.cos() ** 2 - x.sin().cos() * x.sin(), 1e-6)


def test_filled_and_unused(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.fill_(0.5)
    y.sum().backward()
    assert same(x.grad, [0.0, 0.0])
    other = torch.ones(2, requires_grad=True)
    (g,) = torch.autograd.grad(
        (x * x).sum(), other, materialize_grads=True, create_graph=True, allow_unused=True
    )
    assert same(g, [0.0, 0.0]) and g.requires_grad


def test_a_view_that_was_not_recorded_takes_nothing(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    with torch.no_grad():
        z = y.view(2)
    made = z * 2
    assert made.requires_grad
    made.sum().backward()
    assert z.grad is None and x.grad is None


def test_median_shares_its_gradient(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0, 1.0, 2.0], requires_grad=True)
    x.median().backward()
    assert same(x.grad, [0.5, 0.0, 0.5, 0.0])


def test_retained_gradients_follow_writes(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    y = (x * 2)[1:]
    y.retain_grad()
    y.sin_()
    assert y.retains_grad
    z = (x * 2).reshape(1, 3)
    z.retain_grad()
    z.t_()
    assert z.retains_grad


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs PyTorch")
def test_random_programs() -> None:
    """A few programs that once differed, statement by statement."""
    from tests.fuzz.eager import difference, program

    for seed in (0, 2, 9, 24, 33, 46, 61, 100, 169, 272):
        found = difference(program(seed))
        assert found is None, f"seed {seed}: {found}"


def test_extremes_of_bounds(torch: Any) -> None:
    inf = float("inf")
    x = torch.tensor([-inf, -1.0, 2.0, inf], requires_grad=True)
    assert same(x.relu(), [0.0, 0.0, 2.0, inf]) and same(x.clamp(-1, 1), [-1.0, -1.0, 1.0, 1.0])
    minus = torch.tensor([-1.0])
    assert close(torch.atan2(minus.relu(), minus), [3.14159])
    (g,) = torch.autograd.grad(x.clamp(-1, 1).sum() + x.relu().sum(), x)
    assert same(g, [0.0, 1.0, 1.0, 1.0])
    assert torch.tensor([1, 2]).clamp(max=1.5).tolist() == [1.0, 1.5]
    z = torch.tensor([1j, 2.0 + 1j])
    assert close(abs(z.sigmoid() * (1 + (-z).exp()) - 1), [0.0, 0.0], 1e-6)


def test_a_leaf_that_no_longer_requires(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    x.requires_grad_(False)
    y.backward()
    assert x.grad is None


def test_sums_of_stretched_operands_may_be_derived_again(torch: Any) -> None:
    x, y = torch.tensor(2.0, requires_grad=True), torch.ones(2, requires_grad=True)
    z = x + y
    z.sum().backward()
    z.sum().backward()
    assert same(x.grad, 4.0)


def test_multiples_are_of_the_common_type(torch: Any) -> None:
    x, y = torch.tensor([0.0], dtype=torch.float64), torch.tensor([0.23])
    assert (x.add(y, alpha=3) - y.double() * 3).item() == 0


def test_angles_of_integers(torch: Any) -> None:
    x = torch.tensor([1, 2])
    assert torch.atan2(x, x).dtype == torch.float32


def test_quotients_may_be_written_to(torch: Any) -> None:
    a, b = (torch.tensor(v, requires_grad=True) for v in ([1.0, 2.0], [2.0, 4.0]))
    y = a / b
    y.view(2)[1:].mul_(3)
    ga, gb = torch.autograd.grad(y.sum(), [a, b])
    assert same(ga, [0.5, 0.75]) and same(gb, [-0.25, -0.375])
    y = a / b
    y.add_(1).mul_(2)
    ga, gb = torch.autograd.grad(y.sum(), [a, b], create_graph=True)
    assert same(ga, [1.0, 0.5]) and same(gb, [-0.5, -0.25])
    (h,) = torch.autograd.grad(gb.sum(), a)
    assert same(h, [-0.5, -0.125])


def test_the_first_of_two_refusals(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    part = (x * 1j).split(1)[0]
    with raises(RuntimeError, "Output 0 of Split... is a view and is being modified inplace."):
        part.abs_()
    with torch.no_grad():
        text = "In-place abs is not supported for complex tensors."
        with raises(RuntimeError, text):
            part.abs_()


def test_axes_squeezed_without_recording(torch: Any) -> None:
    x = torch.tensor([[-1.0, 2.0], [3.0, 0.5]], requires_grad=True)
    y = torch.tensor([3.0], requires_grad=True)
    z = y.square()
    with torch.no_grad():
        z.squeeze_()
    (x * z).sum().backward()
    assert same(y.grad, [27.0]) and same(x.grad, [[9.0, 9.0], [9.0, 9.0]])
    z = y.square()
    with torch.no_grad():
        z.squeeze_()
    text = "returned an invalid gradient at index 0 - got [] but expected shape compatible with [1]"
    with raises(RuntimeError, f"...{text}"):
        z.sin().backward()


def test_a_tensor_saved_by_a_function_may_be_detached(torch: Any) -> None:
    class Times(torch.autograd.Function):  # type: ignore[misc,name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            x, y = ctx.saved_tensors
            return bar * y, bar * x

    x = torch.tensor([2.0, 3.0], requires_grad=True)
    a = x * 2
    z = Times.apply(a, a)
    a.detach_()
    z.sum().backward()
    assert same(x.grad, [16.0, 24.0])


def test_rounded_quotients(torch: Any) -> None:
    x = torch.tensor([7.0, -7.0], requires_grad=True)
    y = torch.tensor([[2.0], [3.0]], requires_grad=True)
    for mode, values in (
        ("floor", [[3.0, -4.0], [2.0, -3.0]]),
        ("trunc", [[3.0, -3.0], [2.0, -2.0]]),
    ):
        z = x.div(y, rounding_mode=mode)
        assert same(z, values) and z.requires_grad
        bars = torch.autograd.grad((z * x).sum(), (x, y))
        assert same(bars[0], [values[0][0] + values[1][0], values[0][1] + values[1][1]])
        assert same(bars[1], [[0.0], [0.0]])
    whole = torch.tensor([7, -7])
    assert same(whole.div(2, rounding_mode="trunc"), [3, -3])
    assert same(whole.div(-2, rounding_mode="floor"), [-4, 3])
    assert whole.div(2, rounding_mode="trunc").dtype is torch.int64
    with raises(RuntimeError, "div expected rounding_mode to be one of None, 'trunc', or 'floor'"):
        x.div(y, rounding_mode="up")


def test_nan_is_greater_than_all(torch: Any) -> None:
    x = torch.tensor([1.0, float("nan"), 2.0])
    assert same(x.topk(2).indices, [1, 2]) and same(x.sort(descending=True).indices, [1, 2, 0])
    assert same(x.sort().indices, [0, 2, 1]) and same(x.topk(1, largest=False).values, [1.0])
    truth = torch.tensor([True, False, True])
    assert same(truth.sort(descending=True, stable=True).indices, [0, 2, 1])


def test_an_axis_split_in_two(torch: Any) -> None:
    assert torch.ones(2, 0).unflatten(0, (1, -1)).shape == (1, 2, 0)
    with raises(
        RuntimeError, "unflatten: Provided sizes [3, -1] don't multiply up to the size of dim 0 (4)"
    ):
        torch.ones(4).unflatten(0, (3, -1))
    with raises(
        IndexError, "Dimension out of range (expected to be in range of [-1, 0], but got 1)"
    ):
        torch.ones(4).unflatten(1, (2, 2))
    with raises(RuntimeError, "unflatten got an unexpected error:"):
        torch.tensor(1.0).unflatten(0, (1, 1))


def test_differences_of_too_few(torch: Any) -> None:
    x = torch.ones(2, 0)
    assert x.diff().shape == (2, 0)
    assert torch.ones(3).diff(5).shape == (0,)


def test_complex_numbers_are_not_held_between_bounds(torch: Any) -> None:
    z = torch.ones(2, dtype=torch.complex128, requires_grad=True)
    for call in (z.relu, z.sign, z.floor, lambda: z.clamp(min=0.0), lambda: z.cummax(0)):
        with pytest.raises((NotImplementedError, RuntimeError)):
            call()
    assert close(z.float_power(torch.tensor([2.0, 3.0])).detach().real, [1.0, 1.0])
    assert (z.detach() * 1j).float_power(2).dtype is torch.complex128
