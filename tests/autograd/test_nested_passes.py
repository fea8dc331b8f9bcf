"""Passes inside of passes: how deep they go, what is called at their end, which modes each node has."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from .surface import raises


def identity(torch: Any, back: Any) -> Any:
    """A function that changes nothing and calls ``back()`` on the way back."""

    class Identity(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            back()
            return bar

    return Identity.apply


@pytest.mark.parametrize("depth", [30, 200, 2000])
def test_passes_go_as_deep_as_they_are_asked_to(torch: Any, depth: int) -> None:
    ran = []

    class Deep(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            with torch.enable_grad():
                ctx.x = x.detach().requires_grad_() - 1
            return ctx.x.detach()

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            ran.append(torch.is_grad_enabled())
            if ctx.x >= 0:
                with torch.enable_grad():
                    Deep.apply(ctx.x).sum().backward()
            return bar

    x = torch.tensor(float(depth), requires_grad=True)
    Deep.apply(x).sum().backward()
    assert len(ran) == depth + 1 and not any(ran) and x.grad == 1


def test_an_error_comes_through_all_of_them(torch: Any) -> None:
    class Failing(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.left = int(x)
            return x.clone()

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            if not ctx.left:
                raise ValueError("the innermost")
            with torch.enable_grad():
                Failing.apply(torch.tensor(ctx.left - 1.0, requires_grad=True)).backward()
            return bar

    with raises(ValueError, "the innermost"):
        Failing.apply(torch.tensor(300.0, requires_grad=True)).backward()
    assert torch.is_grad_enabled()


def test_callbacks_are_called_at_the_end_of_their_pass(torch: Any) -> None:
    queue = torch.autograd.Variable._execution_engine.queue_callback
    told: list[str] = []
    inner = identity(torch, lambda: queue(lambda: told.append("inner")))

    def again() -> None:
        queue(lambda: (told.append("outer"), queue(lambda: told.append("last"))))
        with torch.enable_grad():
            inner(torch.ones(2, requires_grad=True)).sum().backward()
        told.append("between")

    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda bar: told.append("hook"))
    identity(torch, again)(x).sum().backward()
    assert told == ["inner", "between", "hook", "outer", "last"]


def test_without_a_pass_nothing_is_queued(torch: Any) -> None:
    text = "Final callbacks can only be installed during backward pass."
    with raises(RuntimeError, text):
        torch.autograd.Variable._execution_engine.queue_callback(print)


# -- saved-tensor hooks and modes -----------------------------------------------------------------------


class Packs:
    """Saved-tensor hooks with names, and which of them are in force."""

    def __init__(self, torch: Any) -> None:
        self.torch, self.told = torch, []  # type: ignore[var-annotated]

    def of(self, name: str) -> Any:
        note = self.told.append
        return self.torch.autograd.graph.saved_tensors_hooks(
            lambda x: (note(name), x)[1], lambda x: x
        )

    def active(self) -> str:
        self.told.clear()
        with self.torch.enable_grad():
            self.torch.ones(1, requires_grad=True).exp()
        return "".join(self.told)


def test_contexts_are_left_in_any_order(torch: Any) -> None:
    packs = Packs(torch)
    a, b = packs.of("a"), packs.of("b")
    seen = [packs.active()]
    for act in (a.__enter__, b.__enter__, a.__exit__, b.__exit__):
        act()
        seen.append(packs.active())
    assert seen == ["", "a", "b", "a", ""]


@pytest.mark.parametrize("where", ["function", "tensor hook", "node hook", "unpack hook"])
@pytest.mark.parametrize("act", ["enter", "exit"])
def test_what_a_node_enters_is_not_the_next_nodes(torch: Any, where: str, act: str) -> None:
    packs = Packs(torch)
    context, around = packs.of("x"), packs.of("o")
    seen: list[str] = []

    def unbalanced(*args: Any) -> None:
        context.__enter__() if act == "enter" else around.__exit__()

    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda bar: seen.append(packs.active()))
    if where == "unpack hook":
        hooks = torch.autograd.graph.saved_tensors_hooks(
            lambda t: t, lambda t: (unbalanced(), t)[1]
        )
        with hooks:
            y = x.exp()
    elif where == "function":
        y = identity(torch, unbalanced)(x)
    else:
        y = x * 2
        if where == "tensor hook":
            y.register_hook(unbalanced)
        else:
            y.grad_fn.register_hook(unbalanced)
    with around:
        y.sum().backward()
        seen.append(packs.active())
    assert seen == ["o", "o"] and packs.active() == ""


def test_a_node_does_not_switch_recording_on_for_the_next(torch: Any) -> None:
    seen: list[bool] = []
    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda bar: seen.append(torch.is_grad_enabled()))
    identity(torch, lambda: torch.set_grad_enabled(True))(x).sum().backward()
    assert seen == [False] and torch.is_grad_enabled()


def test_each_thread_has_passes_of_its_own(torch: Any) -> None:
    """A callback of one thread is not called at the end of a pass that runs in another."""
    queue = torch.autograd.Variable._execution_engine.queue_callback
    told: list[int] = []
    first, second = threading.Event(), threading.Event()

    def waits() -> None:
        queue(lambda: told.append(threading.get_ident()))
        first.set()
        second.wait(10)

    def other() -> None:
        first.wait(10)
        identity(torch, lambda: None)(torch.ones(1, requires_grad=True)).sum().backward()
        second.set()

    thread = threading.Thread(target=other)
    thread.start()
    identity(torch, waits)(torch.ones(1, requires_grad=True)).sum().backward()
    thread.join()
    assert told == [threading.get_ident()]
