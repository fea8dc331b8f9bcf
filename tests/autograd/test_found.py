"""What richer random programs found to differ from PyTorch (`tests.fuzz.eager --rich`), each as a small test."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import pytest

from .surface import ORACLE, close, raises, same

NAN = float("nan")


def leaf(torch: Any, *numbers: float) -> Any:
    return torch.tensor(list(numbers), dtype=torch.float64, requires_grad=True)


def test_nan_stays(torch: Any) -> None:
    x = torch.tensor([1.0, NAN, 3.0])
    assert torch.linalg.vector_norm(x, 3).isnan() and x.norm(1.5).isnan()
    assert same(x[::2].clamp(min=torch.tensor([NAN, 2.0])).isnan(), [True, False])
    assert same(x[::2].clamp_(max=torch.tensor([2.0, NAN])).isnan(), [False, True])
    assert close(torch.tensor([1.0, NAN, 3.0, 2.0]).nanmedian(), 2.0)


def test_parts_have_all_of_it(torch: Any) -> None:
    x = torch.arange(6)
    assert [p.tolist() for p in x.split([1, 2, 3])] == [[0], [1, 2], [3, 4, 5]]
    assert [p.tolist() for p in x.tensor_split(4)] == [[0, 1], [2, 3], [4], [5]]
    assert [p.tolist() for p in x.tensor_split([3, 1])] == [[0, 1, 2], [], [1, 2, 3, 4, 5]]
    text = "split_with_sizes expects split_sizes to sum exactly to 6 (input tensor's size at dimension 0), but got"
    with raises(RuntimeError, text):
        x.split([1, 1])
    with raises(RuntimeError, "split expects split_size be non-negative, but got split_size=-1"):
        x.split(-1)
    with raises(
        RuntimeError, "split_size can only be 0 if dimension size is 0, but got dimension size of 6"
    ):
        x.split(0)
    with raises(RuntimeError, "chunk expects `chunks` to be greater than 0, got: 0"):
        x.chunk(0)
    with raises(RuntimeError, "number of sections must be larger than 0, got 0"):
        x.tensor_split(0)


def test_parts_between_indices_may_be_written_to(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0, 3.0)
    y = x * 1
    y.tensor_split([1])[1].mul_(5)
    y.sum().backward()
    assert same(x.grad, [1.0, 5.0, 5.0])


def test_a_product_is_not_stretched(torch: Any) -> None:
    a, b = torch.ones(1, 3), torch.ones(3, 1)
    assert same(torch.ones(1).addmm(a, b), [[4.0]])
    text = "The expanded size of the tensor (1) must match the existing size (2) at non-singleton dimension 1."
    with raises(RuntimeError, text):
        torch.ones(1, 2).addmm(a, b)
    with raises(
        RuntimeError, "expand(...{[1, 1, 1]}, size=[1, 1]): the number of sizes provided (2) must"
    ):
        torch.ones(1, 1, 1).addmm(a, b)
    with raises(RuntimeError, "mat1 must be a matrix, got 1-D tensor"):
        torch.ones(1).addmm(a[0], b)
    with raises(RuntimeError, "vector + matrix @ vector expected, got 2, 2, 1"):
        torch.ones(1, 1).addmv(a, b[:, 0])
    with raises(RuntimeError, "addr: Expected 1-D argument vec1, but got 2-D"):
        torch.ones(1).addr(a, b)


def test_quotients_may_be_written_to_behind_a_detached_alias(torch: Any) -> None:
    for order in (1, 2):
        x = leaf(torch, 1.0, 2.0)
        y = x / (x * x + 1)
        z = y * 3 if order == 1 else y + 1
        y.detach().mul_(2)
        bar = torch.autograd.grad(z.sum(), x, create_graph=True)[0]
        slopes = [(1 - t * t) / (1 + t * t) ** 2 for t in (1.0, 2.0)]
        assert close(bar, [(3 if order == 1 else 1) * s for s in slopes], 1e-12)
        again = torch.autograd.grad(bar.sum(), x)[0]
        curved = [2 * t * (t * t - 3) / (1 + t * t) ** 3 for t in (1.0, 2.0)]
        assert close(again, [(3 if order == 1 else 1) * s for s in curved], 1e-12)


def test_what_was_detached_before_it_was_saved(torch: Any) -> None:
    w = leaf(torch, 1.0, 2.0)
    x = w * 2
    early = w * x
    x.detach_()
    x.requires_grad_()
    (w * x).sum().backward()
    assert same(w.grad, [2.0, 4.0]) and same(x.grad, [1.0, 2.0])
    with raises(
        RuntimeError, "Trying to use a saved tensor that has been detached in-place, i.e. with"
    ):
        early.sum().backward()


def test_rounded_down_quotients_have_no_derivative(torch: Any) -> None:
    x = leaf(torch, 5.0, 7.0)
    for call in (lambda: x // 2, lambda: x.floor_divide(2), lambda: torch.floor_divide(9.0 * x, x)):
        z = call()
        assert z.requires_grad and z.grad_fn is not None
        with raises(RuntimeError, "derivative for aten::floor_divide is not implemented"):
            z.sum().backward()


def test_results_that_are_no_views(torch: Any) -> None:
    x = torch.tensor([[3.0, 1.0, 2.0]], dtype=torch.float64, requires_grad=True)
    for values in (x.kthvalue(1).values, x.median(1).values, x.mode().values):
        assert not values._is_view()
    y = x.kthvalue(1).values
    y.grad_fn.register_hook(lambda gi, go: tuple(g * 10 for g in gi))
    y[0] = y[0] * 2
    y.sum().backward()
    assert same(x.grad, [[0.0, 20.0, 0.0]])
    row = x.t()[1:]
    assert row.ravel()._version == 0 and not (x * 1).select_scatter(x.detach()[:, 0], 1, 0)._version


def test_hooks_on_tensors_without_gradients(torch: Any) -> None:
    x, y = leaf(torch, 1.0), torch.tensor([2.0], dtype=torch.float64)
    seen: list[Any] = []
    torch.autograd.graph.register_multi_grad_hook((x, y), seen.append, mode="any")
    (x * y).sum().backward()
    assert len(seen) == 1 and same(seen[0], [2.0])
    with pytest.raises(AssertionError):
        torch.autograd.graph.register_multi_grad_hook((x, y), seen.append)


def test_sizes_that_do_not_fit(torch: Any) -> None:
    x = torch.ones(2, 3)
    with raises(RuntimeError, "shape '[4]' is invalid for input of size 6"):
        x.reshape(4)
    with raises(RuntimeError, "shape '[5, 1]' is invalid for input of size 6"):
        x.view(5, 1)
    with raises(RuntimeError, "maximum size for tensor at dimension 1 is 3 but size is 4"):
        x.unfold(1, 4, 1)
    with raises(RuntimeError, "diag(): Supports 1D or 2D tensors. Got 0D"):
        torch.tensor(1.0).diag()
    text = "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension"
    for call in (lambda: torch.xlogy(x, torch.ones(2)), lambda: torch.addcdiv(x, torch.ones(2), x)):
        with raises(RuntimeError, text):
            call()
    assert x[0].broadcast_to(4, 3).shape == (4, 3)
    with raises(RuntimeError, "Integer division with addcdiv is no longer supported"):
        torch.tensor([4]).addcdiv(torch.tensor([4]), torch.tensor([2]))


def test_types_in_place(torch: Any) -> None:
    assert (
        torch.where(torch.tensor([True, False]), torch.tensor([1, 2]), 0.5).dtype is torch.float32
    )
    assert close(
        torch.xlogy(torch.tensor(2.0, dtype=torch.float64), torch.tensor([3])),
        [2.1972245773362196],
        1e-15,
    )
    truth, whole = torch.tensor([True, False]), torch.tensor([1, 2], dtype=torch.int32)
    assert whole.cumsum_(0).dtype is torch.int32 and same(whole, [1, 3])
    loss = torch.nn.functional.mse_loss(torch.tensor([2.0, 1.0]), truth)
    assert close(loss, 1.0)
    assert torch.nn.functional.hardtanh(torch.tensor([3, -2])).dtype is torch.int64


@pytest.mark.parametrize("name", ["leaky_relu", "hardtanh", "relu6", "softshrink", "hardshrink"])
def test_slopes_with_steps_may_be_derived_again(torch: Any, name: str) -> None:
    fn = getattr(import_module(f"{ORACLE}.nn.functional"), name)
    x = leaf(torch, -2.0, -0.2, 0.3, 7.0)
    (slope,) = torch.autograd.grad(fn(x).sum(), x, create_graph=True)
    (again,) = torch.autograd.grad(slope.sum(), x)
    assert same(again, [0.0, 0.0, 0.0, 0.0])


def test_what_nothing_is_asked_of_is_not_looked_at(torch: Any) -> None:
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
    y = x * 2
    with torch.no_grad():
        y.transpose_(0, -1)
    z = y.permute(1, 0)
    z.sum().backward(inputs=[z])
    assert same(z.grad, [[1.0] * 3] * 2)
    with raises(
        RuntimeError, "...returned an invalid gradient at index 0 - got [3, 2] but expected shape"
    ):
        y.permute(1, 0).sum().backward()


def test_a_product_of_one_entry_runs_once(torch: Any) -> None:
    for call in (lambda x: x.cumprod(0), lambda x: x.cumprod(0).float(), lambda x: x[0].prod()):
        x = leaf(torch, 3.0)
        y = call(x)
        y.backward()
        with raises(RuntimeError, "Trying to backward through the graph a second time"):
            y.square().sum().backward()


def test_a_leaf_that_was_detached_keeps_its_hooks(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    seen: list[Any] = []
    x.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad))
    y = x * 2
    x.detach_()
    y.sum().backward()
    assert seen == [None] and x.grad is None


def test_a_value_that_fits_is_written_as_it_is(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0).reshape(2, 1).detach().requires_grad_()
    row = x.unbind()[0]
    with torch.no_grad():
        row.tanh_()
    truth = torch.tensor([[False, False]])
    truth[:, 0] = row
    assert same(truth, [[True, False]])


def test_a_leaf_that_is_one_no_longer(torch: Any) -> None:
    x, y = leaf(torch, 1.0, 2.0), leaf(torch, 3.0, 4.0)
    z = x * 2
    x.detach_()
    x.mul_(y)
    with raises(RuntimeError, "leaf variable has been moved into the graph interior"):
        z.sum().backward()


def test_nothing_is_kept_for_an_operand_that_no_gradient_reaches(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    with torch.no_grad():
        first = x[0]
    assert first.requires_grad and first.grad_fn is None
    y = x.exp().sin()
    y.mul_(first)  # the value it had is read for the gradient of `first` only
    y.sum().backward()
    assert same(x.grad, 1.0 * x.detach().exp().cos() * x.detach().exp())
    alone = first * 2
    assert alone.requires_grad and alone.grad_fn.next_functions[0] == (None, 0)


def test_a_flat_view_of_what_is_turned_afterwards(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    weights = torch.arange(6.0, dtype=torch.float64)
    y = x.reshape(3, 2) * 2
    flat = y.flatten()
    y.t_()
    for create in (False, True):
        (of_y,) = torch.autograd.grad(
            (flat * weights).sum(), y, retain_graph=True, create_graph=create
        )
        assert same(of_y, [[0.0, 2.0, 4.0], [1.0, 3.0, 5.0]])
    flat.mul_(weights)  # seen through the base that was turned
    for create in (False, True):
        (of_x,) = torch.autograd.grad((y * y).sum() / 8, x, retain_graph=True, create_graph=create)
        assert same(of_x, x.detach() * weights * weights)


def test_a_comparison_asks_for_no_history(torch: Any) -> None:
    x, y = torch.ones(2, 3, dtype=torch.float64), leaf(torch, 1.0, 2.0, 3.0)
    row = x.unbind()[0]
    x.sub_(y)
    assert not (row > x).any() and not (row == 1).any() and row.argmax() == 0
    with raises(RuntimeError, "A view was created in no_grad mode and its base or another view"):
        row * 2


def test_the_logarithm_of_a_sum_of_complex_zeros(torch: Any) -> None:
    x = torch.complex(leaf(torch, -math.inf, 1.0), leaf(torch, 0.0, 2.0))
    made = x.logaddexp(x).detach()
    assert made.real[0] == -math.inf and made.imag[0] == 0
    assert abs(made[1] - (x.detach()[1] + math.log(2))) < 1e-12


def test_the_gradient_through_a_view_of_nothing_is_a_constant(torch: Any) -> None:
    x = leaf(torch, 1.0)
    y = 1 - x
    nothing = y[1:]
    nothing[1:].mul_(3)
    (of_y,) = torch.autograd.grad(nothing.square().sum(), y, create_graph=True)
    assert same(of_y, [0.0]) and not of_y.requires_grad


def test_a_multiple_that_is_added_runs_again(torch: Any) -> None:
    for hooked in (False, True):
        x, y = leaf(torch, 1.0), leaf(torch, 2.0)
        if hooked:
            y.register_hook(lambda g: g * 2)
        z = x.add(y, alpha=3)
        z.sum().backward()
        z.sum().backward()
        assert same(y.grad, [12.0 if hooked else 6.0])


def test_the_median_of_no_numbers(torch: Any) -> None:
    assert torch.zeros(0).median().isnan()
    assert torch.zeros(0, dtype=torch.bool).median() == True  # noqa: E712
    assert torch.zeros(0, dtype=torch.int64).median() == -(2**63)


def test_nothing_is_kept_where_no_gradient_goes(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    y = x * 2
    with torch.no_grad():
        part = y[:]
    z = (part * part + 1).log()
    y[...] = 3.0
    z.sum().backward()
    assert z.requires_grad and x.grad is None


def test_a_complex_scalar_adds_no_precision(torch: Any) -> None:
    x, z = torch.tensor([1.0, 2.0]), torch.tensor(1j, dtype=torch.complex128)
    for made in (x * z, x + z, x / z, x**z, z**x, torch.where(x > 1, x, z)):
        assert made.dtype == torch.complex64
    assert (x.double() * z.to(torch.complex64)).dtype == torch.complex128
    assert (torch.tensor([1, 2]) * z).dtype == torch.complex128
    assert torch.lerp(x, 2 * x, torch.tensor(0.5, dtype=torch.float64)).dtype == torch.float32
