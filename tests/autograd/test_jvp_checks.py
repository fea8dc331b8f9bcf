"""What a user's ``jvp`` may return for each kind of result, and what ``backward`` is given for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .surface import raises


def function(torch: Any, forward: Any, jvp: Any = None, backward: Any = None) -> Any:
    """A function of these parts."""
    parts = {"forward": forward, "jvp": jvp, "backward": backward}
    own = {name: staticmethod(part) for name, part in parts.items() if part is not None}
    return type("Own", (torch.autograd.Function,), own)


def dual(torch: Any, value: Any) -> tuple[Any, Any]:
    """A dual tensor and its tangent of ones."""
    tangent = torch.ones_like(value)
    return torch.autograd.forward_ad.make_dual(value, tangent), tangent


NO_VIEW = "A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning a view."
OF_INPUT = "A custom Function is returning a view but the jvp is not returning a view of the given grad input."
SAME_BASE = "A custom Function is returning a view but the jvp is not returning a view of the same base as the given grad input."
NOT_IN_PLACE = "An inplace custom Function is not modifying the forward mode gradients inplace."

VIEWS: list[tuple[str, Callable[[Any], Any], bool, str]] = [
    ("a view", lambda t: t.narrow(0, 0, 2), False, ""),
    ("a copy", lambda t: t.narrow(0, 0, 2).clone(), False, NO_VIEW),
    ("a view of a copy", lambda t: t.clone().narrow(0, 0, 2), False, OF_INPUT),
    ("a view of a copy, of a view", lambda t: t.clone().narrow(0, 0, 2), True, SAME_BASE),
    ("a view, of a view", lambda t: t.narrow(0, 0, 2), True, ""),
]


@pytest.mark.parametrize(
    ("jvp", "of_view", "refused"), [case[1:] for case in VIEWS], ids=[case[0] for case in VIEWS]
)
def test_the_tangent_of_a_view_is_a_view(torch: Any, jvp: Any, of_view: bool, refused: str) -> None:
    own = function(torch, lambda ctx, x: x.narrow(0, 0, 2), lambda ctx, t: jvp(t))
    with torch.autograd.forward_ad.dual_level():
        x, _ = dual(torch, torch.ones(4))
        x = x.view_as(x) if of_view else x
        if refused:
            with raises(RuntimeError, refused):
                own.apply(x)
        else:
            tangent = torch.autograd.forward_ad.unpack_dual(own.apply(x)).tangent
            assert tangent.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("jvp", "refused"),
    [(lambda t: t.view_as(t), ""), (lambda t: t, NO_VIEW), (lambda t: t * 2, NO_VIEW)],
    ids=["view_as", "itself", "other"],
)
def test_an_input_as_it_is_counts_as_a_view(torch: Any, jvp: Any, refused: str) -> None:
    own = function(torch, lambda ctx, x, y: (x + y, x), lambda ctx, s, t: (s + t, jvp(s)))
    with torch.autograd.forward_ad.dual_level():
        x, given = dual(torch, torch.tensor(1.0))
        if refused:
            with raises(RuntimeError, refused):
                own.apply(x, torch.tensor(2.0))
        else:
            _, same = own.apply(x, torch.tensor(2.0))
            assert torch.autograd.forward_ad.unpack_dual(same).tangent._base is given


@pytest.mark.parametrize(
    ("jvp", "refused"),
    [(lambda t: t.mul_(2), ""), (lambda t: t, NOT_IN_PLACE), (lambda t: t * 2, NOT_IN_PLACE)],
    ids=["in place", "not at all", "another"],
)
@pytest.mark.parametrize("requires", [True, False])
def test_the_tangent_of_what_is_written_is_written(
    torch: Any, jvp: Any, refused: str, requires: bool
) -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        return x.mul_(2)

    own = function(torch, forward, lambda ctx, t: jvp(t), lambda ctx, bar: bar * 2)
    with torch.autograd.forward_ad.dual_level():
        x, _ = dual(torch, torch.ones(2, requires_grad=requires).clone())
        if refused:
            with raises(RuntimeError, refused):
                own.apply(x)
        else:
            y = own.apply(x)
            assert y is x
            assert torch.autograd.forward_ad.unpack_dual(y).tangent.tolist() == [2, 2]


@pytest.mark.parametrize("marked", [True, False])
def test_results_without_slope_have_no_tangent(torch: Any, marked: bool) -> None:
    given: list[Any] = []

    def forward(ctx: Any, x: Any, y: Any) -> Any:
        made = y.clone()
        if marked:
            ctx.mark_non_differentiable(made)
        return x.clone(), made

    def jvp(ctx: Any, s: Any, t: Any) -> Any:
        given.append(t)
        return s, None

    own = function(torch, forward, jvp)
    wrong = function(torch, forward, lambda ctx, s, t: (s, s.clone()))
    text = (
        "Function's jvp returned a gradient at position 1, but  the corresponding forward output is not a "
        "differentiable Tensor.You should return None at that position instead."
    )
    y = torch.tensor(3.0) if marked else torch.tensor(3)
    with torch.autograd.forward_ad.dual_level():
        x, _ = dual(torch, torch.tensor(2.0))
        first, second = own.apply(x, y)
        assert torch.autograd.forward_ad.unpack_dual(first).tangent == 1
        assert torch.autograd.forward_ad.unpack_dual(second).tangent is None
        with raises(RuntimeError, text):
            wrong.apply(x, y)
    assert [one is None for one in given] == [not marked]  # integers have no tangent, zeros neither


def test_what_is_no_tensor_has_a_place(torch: Any) -> None:
    own = function(
        torch, lambda ctx, x: (x.clone(), "text", x * 2), lambda ctx, t: (t, None, t * 2)
    )
    with torch.autograd.forward_ad.dual_level():
        x, _ = dual(torch, torch.tensor(2.0))
        found = own.apply(x)
        assert found[1] == "text"
        unpack = torch.autograd.forward_ad.unpack_dual
        assert [float(unpack(found[k]).tangent) for k in (0, 2)] == [1, 2]


@pytest.mark.parametrize("materialize", [True, False])
def test_results_without_slope_get_zeros_or_nothing(torch: Any, materialize: bool) -> None:
    given: list[Any] = []

    def forward(ctx: Any, x: Any) -> Any:
        made = x.clone()
        ctx.mark_non_differentiable(made)
        ctx._materialize_non_diff_grads = materialize
        return x.clone(), made

    own = function(torch, forward, backward=lambda ctx, a, b: (given.append(b), a)[1])
    own.apply(torch.ones(2, requires_grad=True))[0].sum().backward()
    assert (given[0] is None) is not materialize


def test_a_view_that_forward_writes_to_has_its_history(torch: Any) -> None:
    def forward(ctx: Any, x: Any) -> Any:
        part = x.clone()[:3]
        part += 2
        return part

    own = function(torch, forward, backward=lambda ctx, bar: torch.cat([bar, bar.new_zeros(2)]))
    x = torch.ones(5, requires_grad=True)
    y = own.apply(x)
    assert type(y.grad_fn).__name__ == "OwnBackward" and y.tolist() == [3, 3, 3]
    y.sum().backward()
    assert x.grad.tolist() == [1, 1, 1, 0, 0]
    with raises(RuntimeError, "Output 0 of Own... is a view and is being modified inplace."):
        own.apply(x).add_(1)


def test_handles_on_what_a_function_saves(torch: Any) -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x, None)
        return x

    own = function(torch, forward, backward=lambda ctx, bar: bar * ctx.saved_tensors[0])
    x = torch.ones(2, requires_grad=True)
    y = own.apply(x)
    assert y.grad_fn.saved_tensors[0] is x and y.grad_fn.saved_tensors[1] is None
    saved, none = y.grad_fn._raw_saved_tensors
    assert isinstance(saved, torch.autograd.SavedTensor) and saved.data is x
    with raises(
        RuntimeError, "Calling register_hooks on a saved tensor with value None is forbidden"
    ):
        none.register_hooks(lambda t: t, lambda t: t)
    for wrong in ((lambda t: t,), (1, 1)):
        with raises(TypeError, "register_hooks(): incompatible function arguments."):
            saved.register_hooks(*wrong)
    saved.register_hooks(lambda t: 3 * t, lambda t: t)
    y.sum().backward()
    assert x.grad.tolist() == [3, 3]
    with raises(RuntimeError, "Trying to backward through the graph a second time"):
        y.grad_fn._raw_saved_tensors  # noqa: B018
    with raises(RuntimeError, "Trying to create a SavedTensor object from Python is forbidden"):
        torch.autograd.SavedTensor()
