"""Rows T114 to T138: modes."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from .surface import raises, row, same, warns


def leaf(torch: Any, *values: float, **options: Any) -> Any:
    return torch.tensor(list(values), requires_grad=True, **options)


def in_thread(work: Any) -> Any:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


@row("T114")
def test_t114_no_grad(torch: Any) -> None:
    x = leaf(torch, 1.0)
    with torch.no_grad():
        y = x * 2
    assert not y.requires_grad
    assert y.grad_fn is None
    assert y.is_leaf


@row("T115")
def test_t115_no_grad_as_decorator(torch: Any) -> None:
    x = leaf(torch, 1.0)

    @torch.no_grad()
    def f(x: Any) -> Any:
        return x * 2

    @torch.no_grad
    def g(x: Any) -> Any:
        return x * 2

    assert not f(x).requires_grad
    assert not g(x).requires_grad

    @torch.no_grad()
    def numbers() -> Any:
        yield torch.is_grad_enabled()
        yield torch.is_grad_enabled()

    inside = []
    for enabled in numbers():
        inside.append(enabled)
        assert torch.is_grad_enabled()
    assert inside == [False, False]
    with warns(
        FutureWarning, "Decorating classes is deprecated and will be disabled in future versions. "
    ):

        @torch.no_grad()
        class C:
            pass


@row("T116")
def test_t116_thread_local(torch: Any) -> None:
    with torch.no_grad():
        assert in_thread(torch.is_grad_enabled)


@row("T117")
def test_t117_documented_example(torch: Any) -> None:
    x = leaf(torch, 1.0)
    with torch.no_grad():
        y = x * 2
    assert not y.requires_grad

    @torch.no_grad()
    def doubler(x: Any) -> Any:
        return x * 2

    assert not doubler(x).requires_grad


@row("T118")
def test_t118_writing_to_a_leaf(torch: Any) -> None:
    x = leaf(torch, 1.0)
    with torch.no_grad():
        x.add_(1)
    assert x._version == 1
    assert x.requires_grad
    assert same(x, [2.0])


@row("T119")
def test_t119_factories(torch: Any) -> None:
    with torch.no_grad():
        assert torch.zeros(2, requires_grad=True).requires_grad


@row("T120")
def test_t120_enable_grad(torch: Any) -> None:
    x = leaf(torch, 1.0)
    with torch.no_grad(), torch.enable_grad():
        y = x * 2
    assert y.requires_grad
    y.backward()
    assert same(x.grad, [2.0])

    @torch.enable_grad()
    def doubler(x: Any) -> Any:
        return x * 2

    with torch.no_grad():
        assert doubler(x).requires_grad


@row("T121")
def test_t121_set_grad_enabled(torch: Any) -> None:
    x = leaf(torch, 1.0)
    with torch.set_grad_enabled(False):
        assert not (x * 2).requires_grad
    assert torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    assert (x * 2).requires_grad
    torch.set_grad_enabled(False)
    assert not (x * 2).requires_grad
    torch.set_grad_enabled(True)

    @torch.set_grad_enabled(False)
    def f() -> bool:
        return torch.is_grad_enabled()

    assert torch.is_grad_enabled()
    assert not f()
    assert torch.is_grad_enabled()


@row("T122")
def test_t122_only_booleans(torch: Any) -> None:
    text = "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not str"
    with raises(TypeError, text):
        torch.set_grad_enabled("no")


@row("T123")
def test_t123_restored_after_an_exception(torch: Any) -> None:
    with pytest.raises(ZeroDivisionError), torch.no_grad():
        raise ZeroDivisionError
    assert torch.is_grad_enabled()


@row("T124")
def test_t124_nesting(torch: Any) -> None:
    @torch.enable_grad()
    def enabled(n: int) -> Any:
        if n:
            yield from disabled(n - 1)
        assert torch.is_grad_enabled()
        yield n

    @torch.no_grad()
    def disabled(n: int) -> Any:
        if n:
            yield from enabled(n - 1)
        assert not torch.is_grad_enabled()
        yield n

    assert list(enabled(5)) == [0, 1, 2, 3, 4, 5]
    assert torch.is_grad_enabled()


@row("T125")
def test_t125_inference_mode(torch: Any) -> None:
    x = leaf(torch, 1.0)
    with torch.inference_mode():
        y = x * 2
        assert y.is_inference()
        assert torch.is_inference_mode_enabled()
        assert not torch.is_grad_enabled()
        with torch.inference_mode(False):
            z = x * 2
            assert torch.is_grad_enabled()
            assert z.requires_grad
            assert not z.is_inference()
    assert not torch.is_inference_mode_enabled()

    @torch.inference_mode()
    def f(x: Any) -> Any:
        return x * 2

    @torch.inference_mode
    def g(x: Any) -> Any:
        return x * 2

    assert f(x).is_inference()
    assert g(x).is_inference()
    assert torch.inference_mode(mode=lambda x: x * 2)(x).is_inference()


def inferred(torch: Any) -> Any:
    with torch.inference_mode():
        return torch.ones(2)


@row("T126")
def test_t126_no_version(torch: Any) -> None:
    with raises(RuntimeError, "Inference tensors do not track version counter."):
        inferred(torch)._version  # noqa: B018


@row("T127")
def test_t127_not_saved(torch: Any) -> None:
    t, x = inferred(torch), leaf(torch, 1.0, 2.0)
    text = (
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
        "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it "
        "in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
    )
    with raises(RuntimeError, text):
        x * t
    (x + t).sum().backward()
    assert same(x.grad, [1.0, 1.0])


@row("T128")
def test_t128_not_written_outside(torch: Any) -> None:
    text = (
        "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal "
        "tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
    )
    with raises(RuntimeError, text):
        inferred(torch).add_(1)


@row("T129")
def test_t129_requires_grad(torch: Any) -> None:
    text = "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
    with raises(RuntimeError, text):
        inferred(torch).requires_grad_()
    with torch.inference_mode():
        t = torch.ones(2).requires_grad_()
    (t + 1).sum().backward()
    assert same(t.grad, [1.0, 1.0])


@row("T130")
def test_t130_view_of_an_inference_tensor(torch: Any) -> None:
    v = inferred(torch)[:1]
    assert v.is_inference()
    assert not v._is_view()
    assert v.is_leaf
    assert not v.requires_grad


@row("T131")
def test_t131_view_made_inside(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    with torch.inference_mode():
        v = x.view(2)
    assert not v.is_inference()
    assert v._is_view()
    assert v.requires_grad
    assert v.is_leaf
    a = x.clone()
    with torch.inference_mode():
        v = a.view(2)
    text = (
        "A view was created in inference mode and is being modified inplace in normal mode. Given that this use case "
        "is ambiguous and error-prone, it is forbidden. "
    )
    with raises(RuntimeError, text[:130]):
        v.add_(1)


@row("T132")
def test_t132_its_base_written_outside(torch: Any) -> None:
    a = leaf(torch, 1.0, 2.0).clone()
    with torch.inference_mode():
        v = a.view(2)
    a.add_(1)
    text = (
        "A view was created in inference mode and its base or another view of its base has been modified inplace in "
        "normal mode. "
    )
    with raises(RuntimeError, text):
        v.grad_fn  # noqa: B018


@row("T133")
def test_t133_writes_inside_count(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    a = x.clone()
    y = a * a
    with torch.inference_mode():
        a.add_(1)
    with raises(
        RuntimeError,
        "one of the variables needed for gradient computation has been modified by an inplace operation",
    ):
        y.sum().backward()


@row("T134")
def test_t134_clone(torch: Any) -> None:
    c = inferred(torch).clone()
    assert not c.is_inference()
    c.add_(1)


@row("T135")
def test_t135_enable_grad_inside(torch: Any) -> None:
    x = leaf(torch, 1.0)
    with torch.inference_mode(), torch.enable_grad():
        assert torch.is_grad_enabled()
        y = x * 2
    assert y.is_inference()
    assert not y.requires_grad


@row("T136")
def test_t136_inference_is_thread_local(torch: Any) -> None:
    with torch.inference_mode():
        assert not in_thread(torch.is_inference_mode_enabled)


@row("T137")
def test_t137_multithreading(torch: Any) -> None:
    mode = torch.autograd.grad_mode.set_multithreading_enabled
    enabled = torch.autograd.is_multithreading_enabled
    assert enabled()
    with mode(False):
        assert not enabled()
        x = leaf(torch, 2.0)
        (x * x).backward()
        assert same(x.grad, [4.0])
    assert enabled()
    mode(False)
    assert not enabled()
    mode(True)


@row("T138")
def test_t138_names(torch: Any) -> None:
    for name in ("no_grad", "enable_grad", "set_grad_enabled", "inference_mode"):
        assert getattr(torch.autograd, name) is getattr(torch, name)
    assert torch.autograd.grad_mode.set_multithreading_enabled
