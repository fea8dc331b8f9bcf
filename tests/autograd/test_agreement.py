"""What random programs found, each for itself: views without recording, truth values, empty extremes, guards."""

from __future__ import annotations

from typing import Any

import pytest

from .surface import close, raises, same

MODIFIED = "one of the variables needed for gradient computation has been modified by an inplace operation: "
TWICE = "Trying to backward through the graph a second time"
A_VIEW = "A view was created in no_grad mode and "


def leaf(torch: Any, *values: Any) -> Any:
    return torch.tensor(list(values), dtype=torch.float64, requires_grad=True)


# -- views -----------------------------------------------------------------------------------------


def test_views_made_without_recording(torch: Any) -> None:
    y = leaf(torch, 1.0, 2.0) * 1
    with torch.no_grad():
        v = y[:1]
        parts = y.unbind()
    with raises(RuntimeError, A_VIEW + "is being modified inplace with grad mode enabled."):
        v.mul_(2)
    with raises(RuntimeError, A_VIEW + "is being modified inplace with grad mode enabled."):
        parts[0].mul_(2)
    with raises(
        RuntimeError,
        "Output 0 of Slice...is a view of a view which was created in no_grad mode and is",
    ):
        v[:1].mul_(2)
    with torch.no_grad():
        v.mul_(2)
    with raises(
        RuntimeError, A_VIEW + "its base or another view of its base has been modified inplace"
    ):
        _ = v.is_leaf


def test_a_constant_view_that_is_given_a_history(torch: Any) -> None:
    y = leaf(torch, 1.0, 2.0) * 1
    with torch.no_grad():
        v = y.view(2)
    with raises(RuntimeError, A_VIEW):
        v.addcmul_(torch.ones(3, 3), leaf(torch, 1.0))  # before the sizes are looked at


def test_one_of_several_views_after_a_write(torch: Any) -> None:
    y = leaf(torch, 1.0, 2.0) * 1
    v = y.unbind()[0]
    with torch.no_grad():
        y.mul_(2)
        v.mul_(3)
    assert v.requires_grad
    with raises(
        RuntimeError,
        "Output 0 of Unbind...is a view and its base or another view of its base has been",
    ):
        _ = v.grad_fn


def test_views_of_a_base_that_changes_its_shape(torch: Any) -> None:
    x = leaf(torch, [1.0, 2.0], [3.0, 4.0])
    y = x * 1
    row = y[0]
    y.t_()
    y[0].mul_(10)  # the first column
    row.sum().backward()
    assert same(x.grad, [[10.0, 1.0], [0.0, 0.0]])


def test_a_view_of_a_base_that_was_written_to_sums_what_it_shows_twice(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0, 3.0)
    y = x * 1
    wide, windows, diagonal = y.expand(2, 3), y.unfold(0, 2, 1), y.view(1, 3).diagonal()
    y.mul_(2)
    for view, expected in (
        (wide, [4.0, 4.0, 4.0]),
        (windows, [2.0, 4.0, 2.0]),
        (diagonal, [2.0, 0.0, 0.0]),
    ):
        (g,) = torch.autograd.grad(view.sum(), x, retain_graph=True)
        (h,) = torch.autograd.grad(view.sum(), x, create_graph=True)
        assert same(g, expected) and same(h, expected)


def test_a_write_into_a_view_reaches_the_base_past_the_hooks_of_the_view(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    y = x * 1
    v = y.view(2)
    v.register_hook(lambda g: g * 100)
    v.mul_(3)
    y.sum().backward()
    assert same(x.grad, [3.0, 3.0])


def test_whole_slices_write_to_the_tensor_itself(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    text = "a leaf Variable that requires grad is being used in an in-place operation."
    for index in (slice(None), Ellipsis, (), slice(0, 5)):
        with raises(RuntimeError, text):
            x[index] = 1.0
    with raises(RuntimeError, "a view of a leaf Variable"):
        x[True] = 1.0


def test_numbers_have_no_parts(torch: Any) -> None:
    x = torch.tensor(1.0)
    for index in (0, slice(None)):
        with pytest.raises(IndexError):
            x[index] = 2.0
    x[...] = 2.0
    assert x.item() == 2.0


def test_parts_of_complex_numbers_are_views(torch: Any) -> None:
    z = torch.tensor([1 + 2j, 3 + 4j])
    z.real.mul_(2)
    z.imag.add_(1)
    assert z.tolist() == [2 + 3j, 6 + 5j] and z._version == 2


# -- what may not be written to --------------------------------------------------------------------


def test_what_is_kept_may_not_be_written_to(torch: Any) -> None:
    x = leaf(torch, 0.5, 1.5)
    made = [
        lambda y: y.relu(), lambda y: y.prod(), lambda y: y.cumprod(0), lambda y: y.norm(), lambda y: y.std(),
        lambda y: y.logsumexp(0), lambda y: y.softmax(0), lambda y: y.log_softmax(0), lambda y: y.amax(),
    ]  # fmt: skip
    for fn in made:
        z = fn(x * 1)
        w = z * 1
        z.add_(1)
        with raises(RuntimeError, MODIFIED):
            w.sum().backward()
    for fn in (*made[1:6], made[8], lambda y: y.clamp(0, 1), lambda y: 2.0**y):
        y = x * 1
        z = fn(y)
        y.add_(1)
        with raises(RuntimeError, MODIFIED):
            z.sum().backward()


def test_what_a_second_derivative_reads_may_not_be_written_to(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    for fn in (lambda y: y**3, lambda y: y.sin(), lambda y: torch.atan2(y, y + 1)):
        y = x * 2
        (g,) = torch.autograd.grad(fn(y).sum(), y, create_graph=True)
        y.fill_(0.5)
        with raises(RuntimeError, MODIFIED):
            torch.autograd.grad(g.sum(), x)


def test_masks_and_indices_may_not_be_written_to(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    mask = torch.tensor([True, False])
    y = x[mask]
    mask.fill_(True)
    with raises(RuntimeError, MODIFIED):
        y.sum().backward()


INDEXED = {
    "gather": lambda x, at: x.gather(0, at),
    "index_select": lambda x, at: x.index_select(0, at),
    "take": lambda x, at: x.take(at),
    "a list": lambda x, at: x.reshape(3, 1)[(at, [0, 0])],
    "embedding": lambda x, at: x.reshape(3, 1)[at],
    "index_put": lambda x, at: x.index_put((at,), x[:2] * 2),
    "index_put, added": lambda x, at: x.index_put((at,), x[:2] * 2, accumulate=True),
    "scatter": lambda x, at: x.scatter(0, at, x * 2),
    "scatter_add": lambda x, at: (x * 0).scatter_add(0, at, x),
    "index_add": lambda x, at: (x * 0).index_add(0, at, x[:2]),
    "index_copy": lambda x, at: x.index_copy(0, at, x[:2] * 1),
}


@pytest.mark.parametrize("name", INDEXED)
def test_an_index_may_not_be_written_to(torch: Any, name: str) -> None:
    x, at = leaf(torch, 1.0, 2.0, 3.0), torch.tensor([0, 2])
    made = INDEXED[name](x, at)
    at[0] = 1
    with raises(RuntimeError, MODIFIED):
        made.sum().backward()


def test_an_index_of_a_write_may_not_be_written_to(torch: Any) -> None:
    x, at = leaf(torch, 1.0, 2.0, 3.0), torch.tensor([0, 2])
    y = x * 1
    y[at] = x[1:] * 2
    at[0] = 1
    with raises(RuntimeError, MODIFIED):
        y.sum().backward()


def test_a_mask_may_not_be_written_to(torch: Any) -> None:
    x, mask = leaf(torch, 1.0, 2.0, 3.0), torch.tensor([True, False, True])
    made = x.masked_select(mask)
    mask[0] = False
    with raises(RuntimeError, MODIFIED):
        made.sum().backward()


PLACES = {
    "sort": (), "topk": (2,), "max": (0,), "min": (0,), "median": (0,), "mode": (0,), "kthvalue": (2,),
    "cummax": (0,), "cummin": (0,),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACES)
def test_places_may_not_be_written_to(torch: Any, name: str) -> None:
    x = leaf(torch, 1.0, 3.0, 2.0)
    values, at = getattr(x, name)(*PLACES[name])
    at.fill_(1)
    with raises(RuntimeError, MODIFIED):
        values.sum().backward()


def test_where_numbers_are_copied_indices_are(torch: Any) -> None:
    x, at = leaf(torch, 1.0, 2.0, 3.0), torch.tensor([0, 2])
    chosen = x.take_along_dim(at, 0)
    times = torch.tensor([1, 0, 2])
    repeated = x.repeat_interleave(times)
    at[0] = times[0] = 1
    times[1] = 5
    (chosen.sum() + repeated.sum()).backward()
    assert same(x.grad, [2.0, 0.0, 3.0])


def test_a_factor_that_is_the_written_tensor(torch: Any) -> None:
    y = leaf(torch, 1.0, 2.0) * 1
    y.mul_(y)
    with raises(RuntimeError, MODIFIED):
        y.sum().backward()


def test_what_keeps_something_runs_once(torch: Any) -> None:
    x = leaf(torch, 0.5, 1.5)
    mask = torch.tensor([True, False])
    for fn in (
        lambda: x.clamp(0, 1),
        lambda: x[[0, 1]],
        lambda: x.masked_fill(mask, 0.0),
        lambda: x.sort().values,
    ):
        y = fn()
        y.sum().backward()
        with raises(RuntimeError, TWICE):
            y.sum().backward()
    for fn in (
        lambda: x.mean(0),
        lambda: x.float(),
        lambda: x.add(x, alpha=3),
        lambda: torch.lerp(x, x + 1, 0.3),
    ):
        y = fn()
        y.sum().backward()
        y.sum().backward()


def test_means_and_casts_keep_no_values(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    y = x * 1
    z = y.mean() + y.float().sum()
    y.add_(1)
    z.backward()
    assert same(x.grad, [1.5, 1.5])


# -- the way back ----------------------------------------------------------------------------------


def test_the_nodes_of_inputs_are_run(torch: Any) -> None:
    seen: list[str] = []
    x = leaf(torch, 1.0, 2.0)
    y = x.exp()
    z = y * 2
    y.grad_fn.register_hook(lambda gi, go: seen.append("y"))
    z.sum().backward(inputs=[y], retain_graph=True)
    assert seen == ["y"] and x.grad is None and same(y.grad, [2.0, 2.0])
    torch.autograd.grad(z.sum(), y)
    assert seen == ["y"]


def test_what_is_not_asked_for_is_not_told(torch: Any) -> None:
    seen: list[Any] = []
    x, y = leaf(torch, 1.0), leaf(torch, 2.0)
    u = x * 2
    u.register_hook(seen.append)
    u.retain_grad()
    (u.sum() + (y * 3).sum()).backward(inputs=[y])
    assert not seen and u.grad is None


def test_gradients_are_added_to_in_place_whatever_they_are(torch: Any) -> None:
    x = leaf(torch, 1.0)
    g = leaf(torch, 10.0) * 2
    x.grad = g
    (x * 3).sum().backward()
    assert x.grad is g and same(g, [23.0]) and g._version == 1


def test_a_leaf_that_got_another_shape(torch: Any) -> None:
    x = torch.ones(2, 3, requires_grad=True)
    y = x.sum(0)
    with torch.no_grad():
        x.unsqueeze_(0)
    y.sum().backward()
    assert x.grad.shape == (1, 2, 3)


def test_a_result_that_was_turned_without_recording(torch: Any) -> None:
    y = 1 - torch.ones(3, 2, requires_grad=True)
    with torch.no_grad():
        y.t_()
    with raises(
        RuntimeError,
        "Function...returned an invalid gradient at index 0 - got [2, 3] but expected shape ",
    ):
        y.sum().backward()


def test_slopes_with_steps_may_be_derived_again(torch: Any) -> None:
    x = leaf(torch, -1.0, 2.0)
    for fn in (torch.relu, torch.abs):
        (g,) = torch.autograd.grad(fn(x).sum(), x, create_graph=True)
        assert g.requires_grad
        (h,) = torch.autograd.grad(g.sum(), x)
        assert same(h + 1, [1.0, 1.0])
    (g,) = torch.autograd.grad(x.square().sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
    (k,) = torch.autograd.grad(h.sum(), x)
    assert same(k + 1, [1.0, 1.0])


def test_what_is_written_over_gets_zeros(torch: Any) -> None:
    x, y = leaf(torch, 1.0, 2.0), leaf(torch, 3.0, 4.0)
    z = x * 2
    z[...] = y
    z.sum().backward()
    assert same(x.grad, [0.0, 0.0]) and same(y.grad, [1.0, 1.0])


def test_a_result_in_place_has_the_type_of_the_memory(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    y = x.float()
    y.addcmul_(y, x.detach())
    (g,) = torch.autograd.grad(y.sum(), y)
    assert g.dtype == torch.float32


def test_retaining_is_of_the_tensor(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    y = x * 2
    v = y.view(2)
    v.retain_grad()
    y.mul_(3)
    assert v.retains_grad
    v.sum().backward()
    assert same(v.grad, [1.0, 1.0])
    z = x * 2
    z.retain_grad()
    z.detach_()
    assert z.retains_grad


# -- types and sizes -------------------------------------------------------------------------------


def test_truth_values(torch: Any) -> None:
    b = torch.tensor([True, False])
    assert b.square().dtype == torch.int64 and b.sign().tolist() == [True, False]
    assert close(b.logsumexp(0), 1.3132617) and b.add(b, alpha=3).tolist() == [True, False]
    refused = {
        "Boolean inputs not supported for relu": b.relu,
        "Negation, the `-` operator, on a bool tensor is not supported.": b.neg,
        "std and var only support floating point and complex dtypes": b.std,
        "argmax(): does not support bool input": b.argmax,
        "linalg.vector_norm: Expected a floating point or complex tensor as input. Got Bool": b.norm,
        "result type Long can't be cast to the desired output type bool": lambda: b.clamp_(0, 1),
        "Subtraction, the `-` operator, with two bool tensors is not supported.": lambda: b - b,
        "Subtraction, the `-` operator, with a bool tensor is not supported.": lambda: 1 - b,
        "For integral input tensors, argument alpha must not be": lambda: b.add(b, alpha=1.5),
    }
    for text, fn in refused.items():
        with raises(RuntimeError, text):
            fn()


def test_numbers_as_vectors_of_one(torch: Any) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = x.gather(0, torch.tensor(0)) + x.index_select(0, torch.tensor([0]))
    y.backward()
    assert y.item() == 4.0 and x.grad.item() == 2.0
    with raises(RuntimeError, "topk does not support bool dtypes on CPU"):
        torch.tensor([True]).topk(1)
    z = torch.ones(2, 3, requires_grad=True)
    assert same(z.sum_to_size(1, 3), [[2.0, 2.0, 2.0]]) and same(z.sum_to_size(3), [2.0] * 3)
    with raises(RuntimeError, "size {[2, 2]} is not expandable to size {[2, 3]}."):
        z.sum_to_size(2, 2)


def test_complex_numbers_have_no_order(torch: Any) -> None:
    z = torch.tensor([1j, 2.0])
    for name in ("maximum", "minimum", "fmax", "fmin"):
        with raises(RuntimeError, f"{name} not implemented for complex tensors."):
            getattr(torch, name)(z, z)
    with raises(RuntimeError, "argmax(): does not support complex input"):
        z.argmax()
    with raises(RuntimeError, " Sort does not support complex dtypes on CPU"):
        z.sort()
    with raises(RuntimeError, "value cannot be converted to type double without overflow"):
        torch.zeros(2, dtype=torch.float64).fill_(1j)
    assert close(abs(torch.logaddexp(z, z) - z - 0.6931472), [0.0, 0.0], 1e-5)


def test_kept_tuples_are_not_counters(torch: Any) -> None:
    x = torch.tensor(0.9, requires_grad=True)
    for fn in (lambda x: x.flip(0), lambda x: x.repeat(2), lambda x: x.max(0).values):
        (g,) = torch.autograd.grad(fn(x * x).sum(), x, create_graph=True)
        (h,) = torch.autograd.grad(g, x)
        assert h.item() in (2.0, 4.0)


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_nothing(torch: Any) -> None:
    x = torch.zeros(0, 2, dtype=torch.float64)
    assert x.logsumexp(0).tolist() == [float("-inf")] * 2 and x.softmax(0).shape == (0, 2)
    assert [p.shape for p in x.chunk(2)] == [(0, 2), (0, 2)]
    assert torch.cat([torch.zeros(0), torch.ones(2, 2)]).shape == (2, 2)
    assert str(torch.zeros(0).median().item()) == "nan"
    assert str(torch.tensor([1.0, float("nan"), 0.0]).median().item()) == "nan"
    for name in ("max", "min", "amax", "amin"):
        with raises(
            RuntimeError,
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0.",
        ):
            getattr(x, name)()
    with pytest.raises(IndexError):
        x.amax(0)


def test_sizes_and_types_that_do_not_fit(torch: Any) -> None:
    f, d = torch.ones(2), torch.ones(2, dtype=torch.float64)
    with raises(RuntimeError, "expected dtype float for `end` but got dtype double"):
        torch.lerp(f, d, 0.3)
    with raises(RuntimeError, "The size of tensor a (2) must match the size of tensor b (3)"):
        f.lerp_(torch.ones(3), 0.7)
    with raises(
        RuntimeError, "dot : expected both vectors to have same dtype, but found Float and Double"
    ):
        f @ d
    with raises(RuntimeError, "output with shape [1, 2] doesn't match the broadcast shape [2, 2]"):
        torch.ones(1, 2).copy_(torch.ones(2, 2))
    with raises(
        RuntimeError,
        "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing",
    ):
        f.expand(-1, 2)
    with raises(
        RuntimeError,
        "where expected condition to be a boolean tensor, but got a tensor with dtype Float",
    ):
        torch.where(f, f, f)
    with raises(
        RuntimeError,
        "Index put requires the source and destination dtypes match, got Float for the",
    ):
        f[f > 0] = d
    assert (f @ torch.ones(2, 3))._version == 1
