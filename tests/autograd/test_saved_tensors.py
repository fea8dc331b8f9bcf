"""Rows T342 to T362: hooks on saved tensors, and on several gradients."""

from __future__ import annotations

import contextlib
import gc
import threading
import weakref
from typing import Any

import pytest

from .surface import ORACLE, close, raises, row, same


def leaf(torch: Any, *values: float, **options: Any) -> Any:
    return torch.tensor(list(values), requires_grad=True, **options)


@row("T342")
def test_t342_pack_and_unpack(torch: Any) -> None:
    packed, unpacked = [], []

    def pack(t: Any) -> Any:
        packed.append(1)
        return t.detach().numpy()

    def unpack(a: Any) -> Any:
        unpacked.append(1)
        return torch.from_numpy(a)

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return g * x

    x = leaf(torch, 3.0)
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = F.apply(x.exp())
    y.backward()
    assert packed == [1, 1]
    assert unpacked == [1, 1]
    assert close(x.grad, [403.4288])
    z = x.exp
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        z = x.exp()
        c = x * torch.ones(1)
    assert len(packed) == 4
    assert close(z.grad_fn._saved_result, [20.0855]) and len(unpacked) == 3
    assert c.grad_fn._saved_other.item() == 1.0 and len(unpacked) == 4


@row("T343")
def test_t343_documented(torch: Any) -> None:
    said: list[Any] = []

    def pack(x: Any) -> Any:
        said.append(("Packing", x.item()))
        return x.detach()

    def unpack(x: Any) -> Any:
        said.append(("Unpacking", x.item()))
        return x

    a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True) * 2
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = a * b
    y.sum().backward()
    assert [s for s, _ in said] == ["Packing"] * 2 + ["Unpacking"] * 2
    assert [v for _, v in said[:2]] == [2.0, 1.0]
    assert sorted(v for _, v in said[2:]) == [1.0, 2.0]
    assert same(a.grad, [2.0])


def logged(torch: Any, log: list[str], name: str) -> Any:
    def pack(t: Any) -> Any:
        log.append(name)
        return t.detach()

    return torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t)


@row("T344")
def test_t344_nesting(torch: Any) -> None:
    log: list[str] = []
    x = leaf(torch, 1.0)
    with logged(torch, log, "outer"):
        with logged(torch, log, "inner"):
            x.exp()
        assert log == ["inner"]
        x.exp()
    assert log == ["inner", "outer"]


@row("T345")
def test_t345_pack_must_not_write(torch: Any) -> None:
    text = (
        "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot be "
        "modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need "
        "to perform in-place operations on the input to a pack hook."
    )
    x = leaf(torch, 1.0)
    with (
        torch.autograd.graph.saved_tensors_hooks(lambda t: t.mul_(2), lambda t: t),
        raises(RuntimeError, text),
    ):
        (x * 1).exp()


@row("T346")
def test_t346_unpack_must_return_a_tensor(torch: Any) -> None:
    x = leaf(torch, 1.0)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: 0):
        y = x.exp()
    text = "Output of saved tensor unpack_hook expected to be a Tensor but got result of type int"
    with raises(TypeError, text):
        y.backward()


@row("T347")
def test_t347_when_hooks_run(torch: Any) -> None:
    modes: list[bool] = []

    def pack(t: Any) -> Any:
        modes.append(torch.is_grad_enabled())
        return t.detach()

    x = leaf(torch, 1.0)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        x.exp()
        assert modes == [False]
        thread = threading.Thread(target=x.exp)
        thread.start()
        thread.join()
        with torch.no_grad():
            x.exp()
        torch.ones(1).exp()
        x * 3
    assert modes == [False]
    ran: list[bool] = []
    with torch.autograd.graph.saved_tensors_hooks(
        lambda t: t.detach(), lambda t: ran.append(torch.is_grad_enabled()) or t
    ):
        y = x.exp()
    y.backward()
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
        y = x * 3
    assert len(ran) == 1 and not ran[0]


@row("T348")
def test_t348_each_access(torch: Any) -> None:
    seen: list[int] = []

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            ctx.saved_tensors  # noqa: B018
            ctx.saved_tensors  # noqa: B018
            return g

    def unpack(t: Any) -> Any:
        seen.append(1)
        return t

    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), unpack):
        y = F.apply(leaf(torch, 1.0))
    y.backward()
    assert seen == [1, 1]
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), unpack):
        z = leaf(torch, 1.0).exp()
    seen.clear()
    for _ in range(3):
        z.grad_fn._saved_result  # noqa: B018
    assert seen == [1, 1, 1]


@row("T349")
def test_t349_no_cycle(torch: Any) -> None:
    gc.collect()
    gc.disable()
    try:
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
            y = leaf(torch, 1.0).exp()
        ref = weakref.ref(y)
        del y
        assert ref() is None
    finally:
        gc.enable()
    gc.disable()
    try:
        x = leaf(torch, 1.0)
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
            y = x.sin()
        refs = weakref.ref(x), weakref.ref(y)
        del x, y
        assert [ref() for ref in refs] == [None, None]
    finally:
        gc.enable()


@row("T350")
def test_t350_double_backward(torch: Any) -> None:
    x = leaf(torch, 2.0)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
        y = x * x * x
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (h,) = torch.autograd.grad(g, x)
    assert same(g, [12.0])
    assert same(h, [12.0])
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach() * 2, lambda t: t):
        y = x.exp()
    assert close(torch.autograd.grad(y, x)[0], [2 * 7.38906])

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            (x,) = ctx.saved_tensors
            return 2 * x * bar

    graph = torch.autograd.graph
    for context in (
        graph.saved_tensors_hooks(lambda t: t, lambda t: t), graph.save_on_cpu(),
        graph.allow_mutation_on_saved_tensors(),
    ):  # fmt: skip
        with context:
            (g,) = torch.autograd.grad(Square.apply(x) * Square.apply(x * 1), x, create_graph=True)
            (h,) = torch.autograd.grad(g, x)
        assert same(g, [32.0])
        assert same(h, [48.0])


def test_hooks_that_change_values_change_them_again_in_double_backward(torch: Any) -> None:
    for forward, backward, expected in ((1, 0, 12.0), (0, 1, 24.0), (1, 1, 48.0)):
        a = leaf(torch, 1.0)
        hooks = [torch.autograd.graph.saved_tensors_hooks(lambda t: 2 * t, lambda t: t)]
        with hooks[0] if forward else contextlib.nullcontext():
            s = (a**3).sum()
        with hooks[0] if backward else contextlib.nullcontext():
            (g,) = torch.autograd.grad(s, a, create_graph=True)
            g.sum().backward()
        assert same(a.grad, [expected])


@row("T351")
def test_t351_save_on_cpu(torch: Any) -> None:
    x = leaf(torch, 2.0)
    with torch.autograd.graph.save_on_cpu():
        y = x.exp()
        z = x * x
    assert y.grad_fn._saved_result.data_ptr() == y.data_ptr()
    assert z.grad_fn._saved_self.data_ptr() == x.data_ptr()
    (y + z).backward()
    assert close(x.grad, [7.38906 + 4])
    assert torch.autograd.graph.save_on_cpu(pin_memory=True, device_type="cuda")


@pytest.mark.skipif(ORACLE == "torch", reason="memory is pinned where there is an accelerator")
def test_pinned_memory_is_memory(torch: Any) -> None:
    x = leaf(torch, 2.0)
    with torch.autograd.graph.save_on_cpu(pin_memory=True):
        x.exp().backward()
    assert close(x.grad, [7.38906])


@row("T352")
def test_t352_documented(torch: Any) -> None:
    a, b, c = (torch.ones(3, requires_grad=True) for _ in range(3))

    def f(a: Any, b: Any, c: Any) -> Any:
        prod_1 = a * b
        with torch.autograd.graph.save_on_cpu():
            prod_2 = prod_1 * c
        return prod_2 * a

    f(a, b, c).sum().backward()
    assert same(a.grad, [2.0, 2.0, 2.0])
    assert same(b.grad, [1.0, 1.0, 1.0]) and same(c.grad, [1.0, 1.0, 1.0])


@row("T353")
def test_t353_disabled(torch: Any) -> None:
    graph = torch.autograd.graph
    message = "saved tensors default hooks are disabled"
    with graph.disable_saved_tensors_hooks(message):
        with raises(RuntimeError, message), graph.save_on_cpu():
            pass
        leaf(torch, 1.0).exp().backward()
        with (
            graph.disable_saved_tensors_hooks("inner"),
            raises(RuntimeError, "inner"),
            graph.save_on_cpu(),
        ):
            pass
        with raises(RuntimeError, message), graph.save_on_cpu():
            pass
    with (
        graph.save_on_cpu(),
        raises(RuntimeError, message),
        graph.disable_saved_tensors_hooks(message),
    ):
        pass


@row("T354")
def test_t354_multi_grad_documented(torch: Any) -> None:
    seen = []
    a, b, c, d = (torch.rand(2, 3, requires_grad=True) for _ in range(4))
    torch.autograd.graph.register_multi_grad_hook(
        [a, b, c, d], lambda grads: seen.append([g is not None for g in grads])
    )
    torch.autograd.backward(a.sum() + b.sum() + c.sum())
    assert seen == [[True, True, True, False]]
    torch.autograd.backward((a.sum() * c.sum()), inputs=(a, c))
    assert seen[1] == [True, False, True, False]
    seen.clear()
    a, b = torch.rand(2, 3, requires_grad=True), torch.rand(2, 3, requires_grad=True)
    c, d = a * b, a * b
    torch.autograd.graph.register_multi_grad_hook(
        (a, b, c, d), lambda grads: seen.append([g is not None for g in grads])
    )
    c.sum().backward(retain_graph=True)
    c.sum().backward(inputs=(a,), retain_graph=True)
    assert seen == [[True, True, True, False], [True, False, True, False]]


@row("T355")
def test_t355_multi_grad(torch: Any) -> None:
    seen = []
    x, y = leaf(torch, 1.0), leaf(torch, 2.0)
    a, b = x * 2, y * 3
    handle = torch.autograd.graph.register_multi_grad_hook(
        (a, b), lambda g: seen.append([v.item() for v in g])
    )
    (a * b).backward(retain_graph=True)
    assert seen == [[6.0, 2.0]]
    (a * b).backward(retain_graph=True)
    assert len(seen) == 2
    handle.remove()
    (a * b).backward()
    assert len(seen) == 2
    hook, order = torch.autograd.graph.register_multi_grad_hook, []
    x, y, unused, constant = leaf(torch, 1.0), leaf(torch, 2.0), leaf(torch, 3.0), torch.ones(1)
    with raises(AssertionError, "Expected gradient function to be set"):
        hook((x, constant), print)
    a = x * 2
    a.register_hook(lambda g: order.append("a"))
    hook((a, y, unused), lambda g: order.append([v is None for v in g]) or "ignored")
    x.register_hook(lambda g: order.append("x"))
    (a * y).backward()
    assert order == ["a", [False, False, True], "x"] or order == ["a", "x", [False, False, True]]

    def fail(grad: Any) -> None:
        raise ZeroDivisionError

    order.clear()
    y, b = leaf(torch, 2.0), leaf(torch, 1.0) * 2
    b.register_hook(fail)
    hook((b, y), lambda g: order.append("called"))
    with pytest.raises(ZeroDivisionError):
        (b * y).backward()
    assert order == []


@row("T356")
def test_t356_any(torch: Any) -> None:
    seen = []
    x, y = leaf(torch, 1.0), leaf(torch, 2.0)
    a, b = x * 2, y * 3
    hook = torch.autograd.graph.register_multi_grad_hook
    hook((a, b), lambda g: seen.append(g.item()), mode="any")
    (a * b).backward(retain_graph=True)
    assert len(seen) == 1
    (a * b).backward()
    assert len(seen) == 2
    with raises(ValueError, "Expects mode to be one of ('all', 'any') but got x"):
        hook((a, b), print, mode="x")
    assert len(set(seen)) == 1 and seen[0] in (6.0, 2.0)
    late: list[Any] = []
    u = leaf(torch, 1.0)
    last = (u * 2).exp()
    hook((u, last), lambda g: late.append(g.item()), mode="any")
    (last * 5).backward()
    assert late == [5.0]


@row("T357")
def test_t357_in_grad(torch: Any) -> None:
    x, y = leaf(torch, 1.0), leaf(torch, 2.0)
    torch.autograd.graph.register_multi_grad_hook((x, y), lambda g: None)
    text = (
        "A leaf node was passed to _will_engine_execute_node but we are currently running autograd.grad(). This is "
        "currently not supported."
    )
    with raises(RuntimeError, text):
        torch.autograd.grad(x * y, [x, y])


@row("T358")
def test_t358_allow_mutation(torch: Any) -> None:
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = torch.ones(2, 3, requires_grad=True)
        b = a.clone()
        out = (b**2).sum()
        b.sin_()
        out.sum().backward()
    assert same(a.grad, [[2.0] * 3] * 2)
    assert close(b, [[0.8415] * 3] * 2)
    assert b.grad_fn.name() == "SinBackward0"
    assert repr(b)[:16] == "tensor([[0.8415," and repr(b).endswith("grad_fn=<SinBackward0>)")


@row("T359")
def test_t359_cloned_once(torch: Any) -> None:
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as ctx:
        a = torch.rand(2, 3, requires_grad=True)
        b = a.clone()
        out = (b**2).sum()
        assert len(ctx.cloned) == 0
        b.sin_()
        assert len(ctx.cloned) == 1
        b.sin_()
        assert len(ctx.cloned) == 1
        out.backward()
        del out
        assert len(ctx.cloned) == 0
        c = (a.clone() ** 2).sum()
    assert len(ctx.cloned) == 0
    assert c is not None


@row("T360")
def test_t360_outside(torch: Any) -> None:
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = torch.ones(2, requires_grad=True)
        b = a.clone()
        out = (b**2).sum()
        b.sin_()
    text = (
        "Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the graph was originally "
        "recorded."
    )
    with raises(AssertionError, text):
        out.backward()


@row("T361")
def test_t361_not_nested(torch: Any) -> None:
    allow = torch.autograd.graph.allow_mutation_on_saved_tensors
    with (
        allow(),
        raises(RuntimeError, "allow_mutation_on_saved_tensors contexts cannot be nested"),
        allow(),
    ):
        pass


@row("T362")
def test_t362_context(torch: Any) -> None:
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as ctx:
        assert type(ctx).__name__ == "_AllowMutationOnSavedContext"
        for name in ("cloned", "original", "tid_to_weakhandle", "sid_to_tid"):
            assert hasattr(ctx, name)
    assert not ctx.cloned and not ctx.original
