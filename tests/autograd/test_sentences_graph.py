"""What else rows T275 to T366 say of the profiler, the graph and hooks on what it saves, sentence by sentence."""

from __future__ import annotations

import contextlib
import gc
import json
import threading
import warnings
import weakref
from pathlib import Path
from typing import Any

import pytest

from .surface import close, raises, row, same, spoken

TWICE = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been "
    "freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after "
    "calling backward."
)


def leaf(torch: Any, *values: float, **options: Any) -> Any:
    return torch.tensor(list(values), requires_grad=True, **options)


def graph(torch: Any) -> Any:
    return torch.autograd.graph


# -- nodes ----------------------------------------------------------------------------------------------


@row("T324")
@row("T333")
def test_t324_t333_every_node(torch: Any) -> None:
    Node = graph(torch).Node
    x = leaf(torch, 1.0, 2.0)
    made = type("F", (torch.autograd.Function,), {
        "forward": staticmethod(lambda ctx, x: x * 2), "backward": staticmethod(lambda ctx, g: g),
    }).apply(x)  # fmt: skip
    for node in (
        x.exp().grad_fn,
        x.view(2).grad_fn,
        made.grad_fn,
        x.exp().grad_fn.next_functions[0][0],
    ):
        assert isinstance(node, Node) and Node not in type(node).mro()
    assert not isinstance(x, Node) and x.grad_fn is None


@row("T326")
@row("T327")
def test_t326_t327_the_same_objects_again(torch: Any) -> None:
    x, c = leaf(torch, 1.0), torch.ones(1)
    y = x * c
    assert y.grad_fn is y.grad_fn and y.grad_fn.metadata is y.grad_fn.metadata
    assert type(y.grad_fn.metadata) is dict
    end = y.grad_fn.next_functions[0][0]
    assert end is (x + 1).grad_fn.next_functions[0][0] and end.variable is x
    end.metadata["note"] = 1
    assert (x * 3).grad_fn.next_functions[0][0].metadata == {"note": 1}
    assert type(y.grad_fn.next_functions) is tuple and y.grad_fn.next_functions[1] == (None, 0)
    a, b = leaf(torch, 1.0, 2.0).unbind()
    assert (a * b).grad_fn.next_functions == ((a.grad_fn, 0), (b.grad_fn, 1))


@row("T328")
@row("T329")
def test_t328_t329_what_hooks_of_nodes_return(torch: Any) -> None:
    def run(register: str, hook: Any) -> Any:
        x = leaf(torch, 1.0)
        y = x * 2
        getattr(y.grad_fn, register)(hook)
        y.backward()
        return x.grad

    assert same(run("register_hook", lambda gi, go: None), [2.0])
    assert same(run("register_prehook", lambda go: None), [2.0])
    assert run("register_hook", lambda gi, go: (None, None)) is None
    for name, wrong in (("list", [None, None]), ("Tensor", torch.ones(1)), ("int", 3)):
        text = f"expected tuple, but hook returned '{name}'"
        with raises(TypeError, text):
            run("register_hook", lambda gi, go, w=wrong: w)
        with raises(TypeError, text):
            run("register_prehook", lambda go, w=wrong: w)
    with raises(TypeError, "expected Variable, but hook returned 'int'"):
        run("register_hook", lambda gi, go: (1, None))
    seen: list[Any] = []
    x = leaf(torch, 1.0)
    y = x + 2
    handle = y.grad_fn.register_hook(lambda gi, go: seen.append("after"))
    y.grad_fn.register_prehook(lambda go: seen.append(("before", go[0].item())))
    y.backward()
    handle.remove()
    y.backward()
    assert seen == [("before", 1.0), "after", ("before", 1.0)]


@row("T330")
@row("T331")
def test_t330_t331_what_each_sees(torch: Any) -> None:
    x, seen = leaf(torch, 1.0), []
    y = x * 2
    end = y.grad_fn.next_functions[0][0]
    end.register_prehook(lambda go: seen.append(("prehook", go[0].item())))
    x.register_hook(lambda g: seen.append(("tensor", g.item())) or g * 10)
    x.register_post_accumulate_grad_hook(lambda t: seen.append(("post", t.grad.item())))
    end.register_hook(lambda gi, go: seen.append(("node", gi, go[0].item())))
    y.backward()
    assert seen == [("tensor", 2.0), ("prehook", 20.0), ("post", 20.0), ("node", (), 20.0)]
    seen.clear()
    y = leaf(torch, 1.0) * 2
    y.retain_grad()
    y.register_hook(lambda g: g * 3)
    y.grad_fn.register_prehook(lambda go: (go[0] * 5,))
    y.grad_fn.register_hook(lambda gi, go: seen.append((gi[0].item(), go[0].item())))
    y.backward()
    assert same(y.grad, [3.0]) and seen == [(30.0, 15.0)]


@row("T332")
def test_t332_iterables(torch: Any) -> None:
    a, b = torch.ones(1), torch.ones(1)
    for given in ((a, b), [a, b], iter([a, b]), {a: 1, b: 2}):
        graph(torch).increment_version(given)
    assert a._version == b._version == 4
    for wrong in (3, None, 1.5):
        with raises(RuntimeError, "increment_version expect a Iterable[Tensor] as input"):
            graph(torch).increment_version(wrong)


@row("T336")
def test_t336_their_values(torch: Any) -> None:
    x, y = leaf(torch, 1.0, 2.0), leaf(torch, 3.0, 4.0)
    m = torch.ones(2, 3, requires_grad=True)
    node = (x * y).grad_fn
    assert node._saved_self is x and node._saved_other is y
    assert (x**3).grad_fn._saved_self is x and (x**3).grad_fn._saved_exponent == 3
    assert tuple(m.sum().grad_fn._saved_self_sym_sizes) == (2, 3)
    for made in (x.exp(), x.tanh(), x.sigmoid(), x.sqrt(), x.relu()):
        assert same(made.grad_fn._saved_result, made.tolist())
    for made in (x.sin(), x.log(), x.abs()):
        assert made.grad_fn._saved_self is x
    node = (x / y).grad_fn
    assert node._saved_self is x and node._saved_other is y
    n = torch.ones(3, 2, requires_grad=True)
    assert m.mm(n).grad_fn._saved_self is m and m.mm(n).grad_fn._saved_mat2 is n
    node = m.select(1, 2).grad_fn
    assert (node._saved_dim, node._saved_index, tuple(node._saved_self_sym_sizes)) == (1, 2, (2, 3))
    node = m[1].grad_fn
    assert (node._saved_dim, node._saved_index, tuple(node._saved_self_sym_sizes)) == (0, 1, (2, 3))
    node = m[:, 1:3].grad_fn
    assert [node._saved_dim, node._saved_start, node._saved_end, node._saved_step] == [1, 1, 3, 1]
    node = m.max(1).values.grad_fn
    assert (
        node._saved_dim == 1 and node._saved_keepdim is False and same(node._saved_indices, [0, 0])
    )
    assert torch.stack([x, y], 1).grad_fn._saved_dim == torch.cat([m, m], 1).grad_fn._saved_dim == 1
    assert same(torch.where(x > 1, x, y).grad_fn._saved_condition, [False, True])
    node = x[torch.tensor([1, 1])].grad_fn
    assert [same(i, [1, 1]) for i in node._saved_indices] == [True]
    assert tuple(node._saved_self_sym_sizes) == (2,)


@row("T337")
@row("T338")
def test_t337_t338_the_whole_messages(torch: Any) -> None:
    y = leaf(torch, 1.0).exp()
    raw = y.grad_fn._raw_saved_result
    assert type(raw).__name__ == "SavedTensor"
    y.backward()
    with raises(RuntimeError, TWICE):
        _ = y.grad_fn._saved_result
    text = (
        "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the graph are freed "
        "when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a "
        "second time or if you need to access saved variables after calling backward."
    )
    with raises(RuntimeError, text):
        raw.register_hooks(lambda t: t, lambda t: t)


@row("T340")
@row("T341")
def test_t340_t341_calls_and_numbers(torch: Any) -> None:
    x, y = leaf(torch, 2.0), leaf(torch, 3.0)
    node = (x * y).grad_fn
    a, b = node(torch.ones(1))
    assert same(a, [3.0]) and same(b, [2.0]) and a.requires_grad
    with raises(TypeError, "expected 1 arguments, got 2 instead"):
        node(torch.ones(1), torch.ones(1))
    numbers = [(x * k).grad_fn._sequence_nr() for k in range(3)]
    assert numbers == [numbers[0] + k for k in range(3)]
    with torch.no_grad():
        _ = x * 2
    assert (x * 2).grad_fn._sequence_nr() == numbers[-1] + 1


# -- hooks on what is saved -------------------------------------------------------------------------------


@row("T343")
def test_t343_every_line(torch: Any) -> None:
    said: list[str] = []

    def pack_hook(x: Any) -> Any:
        said.append(f"Packing {x.detach()}")
        return x.detach()

    def unpack_hook(x: Any) -> Any:
        said.append(f"Unpacking {x}")
        return x

    a = torch.ones(5, requires_grad=True)
    b = torch.ones(5, requires_grad=True) * 2
    with graph(torch).saved_tensors_hooks(pack_hook, unpack_hook):
        y = a * b
    two, one = "tensor([2., 2., 2., 2., 2.])", "tensor([1., 1., 1., 1., 1.])"
    assert said == [f"Packing {two}", f"Packing {one}"]
    y.sum().backward()
    assert sorted(said[2:]) == [f"Unpacking {one}", f"Unpacking {two}"]


@row("T345")
@row("T346")
def test_t345_t346_the_whole_messages(torch: Any) -> None:
    hooks, x = graph(torch).saved_tensors_hooks, leaf(torch, 1.0)
    text = (
        "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot be modified "
        "by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need to perform "
        "in-place operations on the input to a pack hook."
    )
    for write in (lambda t: t.mul_(2), lambda t: t.detach().zero_(), lambda t: t.fill_(1)):
        with hooks(write, lambda t: t), raises(RuntimeError, text):
            (x * 1).exp()
    for wrong, kind in ((0, "int"), ("a", "str"), (None, "NoneType"), ([x], "list")):
        with hooks(lambda t: t.detach(), lambda t, w=wrong: w):
            y = x.exp()
        text = f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type {kind}"
        with raises(TypeError, text):
            y.backward()


@row("T344")
@row("T347")
def test_t344_t347_where_hooks_run(torch: Any) -> None:
    seen: list[Any] = []

    def pack(t: Any) -> Any:
        seen.append(torch.is_grad_enabled())
        return t.detach()

    def unpack(t: Any) -> Any:
        seen.append(torch.is_grad_enabled())
        return t

    x = leaf(torch, 1.0)
    with graph(torch).saved_tensors_hooks(pack, unpack):
        y = x.exp()
        x + 1, x * 3, 3 - x
        x.detach().exp()
    x.exp()
    y.backward()
    assert seen == [False, False]

    def others() -> None:
        with graph(torch).saved_tensors_hooks(
            lambda t: seen.append("thread") or t.detach(), lambda t: t
        ):
            x.exp()

    with graph(torch).saved_tensors_hooks(pack, unpack):
        thread = threading.Thread(target=others)
        thread.start()
        thread.join()
        assert seen[2:] == ["thread"]


@row("T349")
def test_t349_the_gradient_is_freed_as_well(torch: Any) -> None:
    gc.collect()
    gc.disable()
    try:
        with graph(torch).saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
            y = leaf(torch, 1.0).exp() * leaf(torch, 2.0)
        ref = weakref.ref(y)
        y.backward(retain_graph=True)
        del y
        assert ref() is None
    finally:
        gc.enable()


@row("T350")
@pytest.mark.parametrize("order", [1, 2, 3])
def test_t350_every_kind_of_node_and_context(torch: Any, order: int) -> None:
    """The derivatives under hooks are those without, of operations and of functions of one's own."""

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = x * x
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            x, y = ctx.saved_tensors
            return 2 * x * g + 0 * y

    functions = {
        "product": lambda x: x * x * x * x, "exp": lambda x: x.exp() * x, "own": lambda x: Square.apply(x) * x * x,
        "own of own": lambda x: Square.apply(Square.apply(x)), "tanh": lambda x: x.tanh() ** 2,
        "matmul": lambda x: (x.reshape(1, 2) @ x.reshape(2, 1)) ** 2, "relu": lambda x: x.relu() ** 4,
        "max": lambda x: x.max() ** 4,
    }  # fmt: skip
    contexts = (
        lambda: graph(torch).saved_tensors_hooks(lambda t: t, lambda t: t),
        lambda: graph(torch).saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t),
        lambda: graph(torch).saved_tensors_hooks(lambda t: t.detach().numpy().copy(), torch.from_numpy),
        graph(torch).save_on_cpu, graph(torch).allow_mutation_on_saved_tensors,
    )  # fmt: skip

    def derivative(f: Any, context: Any) -> Any:
        x = leaf(torch, 1.5, 2.0, dtype=torch.float64)
        with context():
            g = f(x).sum()
            for _ in range(order):
                (g,) = torch.autograd.grad(g.sum(), x, create_graph=True)
        return g

    for f in functions.values():
        expected = derivative(f, contextlib.nullcontext)
        for context in contexts:
            assert close(derivative(f, context), expected, 1e-10)


@row("T351")
def test_t351_pinned(torch: Any) -> None:
    for options in ({}, {"pin_memory": False}, {"pin_memory": False, "device_type": "cuda"}):
        x = leaf(torch, 2.0)
        with graph(torch).save_on_cpu(**options):
            y = x.exp()
        assert y.grad_fn._saved_result.data_ptr() == y.data_ptr()
        y.backward()
        assert close(x.grad, [7.38906])
    graph(torch).save_on_cpu(pin_memory=True)


@row("T353")
def test_t353_ordinary_hooks_of_nodes_too(torch: Any) -> None:
    with graph(torch).disable_saved_tensors_hooks("no hooks"):
        y = leaf(torch, 0.0).exp()
        with raises(RuntimeError, "no hooks"):
            with graph(torch).saved_tensors_hooks(lambda t: t, lambda t: t):
                pass
        y.backward()
    with graph(torch).saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
        leaf(torch, 0.0).exp().backward()


@row("T355")
@row("T356")
def test_t355_t356_ignored_missing_and_failing(torch: Any) -> None:
    seen: list[Any] = []
    hook = graph(torch).register_multi_grad_hook
    x, y, z = leaf(torch, 1.0), leaf(torch, 2.0), leaf(torch, 3.0)
    a, b, c = x * 2, y * 3, z * 4
    hook(
        (a, b, c), lambda g: seen.append([None if v is None else v.item() for v in g]) or "ignored"
    )
    (a * b).backward(retain_graph=True)
    assert seen == [[6.0, 2.0, None]] and same(x.grad, [12.0])
    seen.clear()
    x.grad = None

    def fails(g: Any) -> None:
        raise ZeroDivisionError

    x.register_hook(fails)
    hook((x, y), lambda g: seen.append("not reached"))
    with pytest.raises(ZeroDivisionError):
        (a * b).backward()
    assert "not reached" not in seen
    order: list[Any] = []
    p, q = leaf(torch, 1.0) * 1, leaf(torch, 2.0) * 1
    hook((p, q), lambda g: order.append(g.item()), mode="any")
    handle = hook((p, q), lambda g: order.append("other"), mode="any")
    handle.remove()
    (p * q).sum().backward()
    assert order in ([2.0], [1.0])
    for wrong in ("x", "", "All"):
        with raises(ValueError, f"Expects mode to be one of ('all', 'any') but got {wrong}"):
            hook((p, q), print, mode=wrong)


@row("T358")
@row("T359")
def test_t358_t359_text_and_one_copy(torch: Any) -> None:
    with graph(torch).allow_mutation_on_saved_tensors() as ctx:
        a = torch.ones(2, 3, requires_grad=True)
        b = a.clone()
        one = (b**2).sum()
        two = b.exp().sum() + (b**3).sum()
        b.sin_()
        assert len(ctx.cloned) == 1
        text = "tensor([[0.8415, 0.8415, 0.8415],\n        [0.8415, 0.8415, 0.8415]], grad_fn=<SinBackward0>)"
        assert repr(b) == text
        (one + two).backward()
        assert close(a.grad, [[2 + 2.71828 + 3] * 3] * 2)
        c = (a.clone() ** 2).sum()
        assert c is not None
    assert (
        len(ctx.cloned)
        == len(ctx.original)
        == len(ctx.tid_to_weakhandle)
        == len(ctx.sid_to_tid)
        == 0
    )


@row("T363")
@row("T364")
@row("T366")
def test_t363_t364_t366_edges(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    a, b = x.unbind()
    for t, k in ((a, 0), (b, 1)):
        edge = graph(torch).get_gradient_edge(t)
        assert edge.node is t.grad_fn and edge.output_nr == k
        assert isinstance(edge, tuple) and type(edge) is graph(torch).GradientEdge
    edge = graph(torch).get_gradient_edge(x)
    assert edge.node.variable is x and edge.output_nr == 0
    assert graph(torch).GradientEdge._fields == ("node", "output_nr", "ownership_token")
    y = x * x
    y.sum().backward(inputs=[graph(torch).get_gradient_edge(y)])
    assert x.grad is None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert y.grad is None


# -- the profiler -------------------------------------------------------------------------------------------


def events(torch: Any, work: Any, **options: Any) -> Any:
    with torch.autograd.profiler.profile(**options) as prof:
        work()
    return prof


@row("T277")
@row("T288")
@row("T291")
def test_t277_t288_t291_states(torch: Any) -> None:
    off = torch.autograd.profiler.profile(enabled=False)
    with off:
        torch.ones(3) * 2
    assert torch.autograd.profiler.profile().acc_events is False
    prof = torch.autograd.profiler.profile()
    with prof:
        torch.ones(3) * 2
    with raises(RuntimeError, "Profiler context manager is not reentrant"):
        prof.__enter__()


@row("T279")
@row("T286")
def test_t279_t286_devices(torch: Any) -> None:
    for name in ("foo", "tpu"):
        with pytest.warns(UserWarning, match=f"The {name} is not a valid device option."):
            torch.autograd.profiler.profile(use_device=name)


@row("T292")
@row("T294")
@row("T295")
def test_t292_t294_t295_files_and_totals(torch: Any, tmp_path: Path) -> None:
    x = torch.ones(2, requires_grad=True)
    prof = events(torch, lambda: (x * 2).sum().backward())
    path = tmp_path / "trace.json"
    prof.export_chrome_trace(str(path))
    trace = json.loads(path.read_text())
    assert isinstance(trace, dict)
    assert {"aten::mul", "aten::sum", "MulBackward0"} <= {
        e.get("name") for e in trace["traceEvents"]
    }
    total = prof.total_average()
    assert total.key == "Total" and total.count == len(prof.function_events)


@row("T298")
def test_t298_labels(torch: Any) -> None:
    def work() -> None:
        with (
            torch.autograd.profiler.record_function("outer"),
            torch.autograd.profiler.record_function("inner"),
        ):
            torch.ones(2).sin()

    found = {e.name: e for e in events(torch, work).function_events}
    assert [e.name for e in found["outer"].cpu_children] == ["inner"]
    assert "aten::sin" in [e.name for e in found["inner"].cpu_children]
    assert found["outer"].scope == found["inner"].scope == 7


@row("T299")
@row("T303")
@row("T304")
@row("T306")
def test_t299_t303_t304_t306_small_parts(torch: Any) -> None:
    unique = torch.autograd.profiler.EnforceUnique()
    unique.see(1, "a")
    with raises(RuntimeError, "duplicate key: (1, 'a')"):
        unique.see(1, "a")
    util = torch.autograd.profiler_util
    assert util.Interval(10, 3).elapsed_us() == -7
    assert isinstance(util.Kernel("k", 0, 1), tuple) and util.Kernel("k", 0, 1).duration == 1
    table = util.StringTable()
    assert isinstance(table, dict) and table["_Z1gi"] == "g(int)" and "_Z1gi" in table
    assert spoken("torch") in ("torch", "retrograd")
