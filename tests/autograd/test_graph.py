"""Rows T324 to T341 and T363 to T366: nodes and edges."""

from __future__ import annotations

from typing import Any

import pytest

from .surface import close, raises, row, same


def leaf(torch: Any, *values: float, **options: Any) -> Any:
    return torch.tensor(list(values), requires_grad=True, **options)


@row("T324")
def test_t324_node(torch: Any) -> None:
    Node = torch.autograd.graph.Node
    b = leaf(torch, 1.0) * 2
    assert isinstance(b.grad_fn, Node)
    assert Node not in type(b.grad_fn).mro()
    assert torch.ones(1).grad_fn is None
    with pytest.raises(TypeError, match="abstract"):
        Node()


@row("T325")
def test_t325_name(torch: Any) -> None:
    a = leaf(torch, 1.0)
    b = a.exp()
    assert b.grad_fn.name() == "ExpBackward0"
    end = b.grad_fn.next_functions[0][0]
    assert end.name() == "torch::autograd::AccumulateGrad"
    assert type(end).__name__ == "AccumulateGrad"

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    assert F.apply(a).grad_fn.name() == "FBackward"
    assert type(b.grad_fn).__name__ == "ExpBackward0"


@row("T326")
def test_t326_metadata(torch: Any) -> None:
    a, b = leaf(torch, 1.0).exp(), leaf(torch, 1.0).exp()
    a.grad_fn.metadata["key"] = 1
    assert a.grad_fn.metadata == {"key": 1}
    assert b.grad_fn.metadata == {}
    again = a.grad_fn
    again.metadata["other"] = 2
    assert a.grad_fn.metadata == {"key": 1, "other": 2}


@row("T327")
def test_t327_next_functions(torch: Any) -> None:
    a = leaf(torch, 1.0)
    b = a * torch.ones(1)
    (node, k), constant = b.grad_fn.next_functions
    assert type(node).__name__ == "AccumulateGrad"
    assert k == 0
    assert node.variable is a
    assert constant == (None, 0)
    assert b.grad_fn.next_functions[0][0] is node
    c = b.exp()
    assert c.grad_fn.next_functions == ((b.grad_fn, 0),)


@row("T328")
def test_t328_register_hook(torch: Any) -> None:
    x, seen = leaf(torch, 1.0), []
    y = x * 2
    y.grad_fn.register_hook(lambda gi, go: seen.append((gi, go)))
    y.backward()
    ((gi, go),) = seen
    assert same(gi[0], [2.0])
    assert gi[1] is None
    assert same(go[0], [1.0])
    x.grad = None
    y = x * 2
    y.grad_fn.register_hook(lambda gi, go: (gi[0] * 10, None))
    y.backward()
    assert same(x.grad, [20.0])
    y = x * 2
    y.grad_fn.register_hook(lambda gi, go: (gi[0],))
    text = "hook '<lambda>' has returned an incorrect number of values (got 1, but expected 2)"
    with raises(RuntimeError, text):
        y.backward()
    y = x * 2
    y.grad_fn.register_hook(lambda gi, go: gi[0])
    with raises(TypeError, "expected tuple, but hook returned 'Tensor'"):
        y.backward()


@row("T329")
def test_t329_register_prehook(torch: Any) -> None:
    x = leaf(torch, 1.0)
    y = x * 2
    y.grad_fn.register_prehook(lambda go: (go[0] * 10,))
    y.backward()
    assert same(x.grad, [20.0])
    y = x * 2
    y.grad_fn.register_prehook(lambda go: (go[0], go[0]))
    text = "hook '<lambda>' has returned an incorrect number of values (got 2, but expected 1)"
    with raises(RuntimeError, text):
        y.backward()
    got: list[Any] = []
    y = x * 2
    y.grad_fn.register_prehook(lambda go: got.append(go))
    y.backward()
    assert isinstance(got[0], tuple) and same(got[0][0], [1.0])


@row("T330")
def test_t330_order_at_a_leaf(torch: Any) -> None:
    x, order = leaf(torch, 1.0), []
    y = x * 2
    end = y.grad_fn.next_functions[0][0]
    end.register_hook(lambda gi, go: order.append("posthook"))
    end.register_prehook(lambda go: order.append("prehook"))
    x.register_post_accumulate_grad_hook(lambda t: order.append("post accumulate"))
    x.register_hook(lambda g: order.append("tensor"))
    y.backward()
    assert order == ["tensor", "prehook", "post accumulate", "posthook"]


@row("T331")
def test_t331_order_at_a_result(torch: Any) -> None:
    x, order = leaf(torch, 1.0), []
    y = x * 2
    y.grad_fn.register_hook(lambda gi, go: order.append("posthook"))
    y.grad_fn.register_prehook(lambda go: order.append("prehook"))
    y.register_hook(lambda g: order.append("first") or g + 1)
    y.retain_grad()
    y.register_hook(lambda g: order.append("second") or g + 5)
    y.backward()
    assert order == ["first", "second", "prehook", "posthook"]
    assert same(y.grad, [7.0])


@row("T332")
def test_t332_increment_version(torch: Any) -> None:
    increment = torch.autograd.graph.increment_version
    a = torch.ones(1)
    increment(a)
    assert a._version == 1
    increment([a, a])
    assert a._version == 3
    with torch.inference_mode():
        t = torch.ones(1)
    increment(t)
    with raises(RuntimeError, "increment_version expect a Iterable[Tensor] as input"):
        increment(1)
    x = leaf(torch, 1.0)
    y = x.exp()
    increment(y)
    with raises(
        RuntimeError, "one of the variables needed for gradient computation has been modified"
    ):
        y.backward()
    b = torch.ones(1)
    increment((a, b))
    assert (a._version, b._version) == (4, 1)


@row("T333")
def test_t333_documented(torch: Any) -> None:
    a = torch.tensor([0.0, 0.0, 0.0], requires_grad=True)
    b = a.clone()
    assert isinstance(b.grad_fn, torch.autograd.graph.Node)


@row("T334")
def test_t334_dir(torch: Any) -> None:
    b = leaf(torch, 1.0).exp()
    names = set(dir(b.grad_fn))
    assert {
        "_raw_saved_result", "_register_hook_dict", "_saved_result", "metadata", "name", "next_functions",
        "register_hook", "register_prehook", "requires_grad", "_input_metadata", "_sequence_nr", "_set_sequence_nr",
    } <= names  # fmt: skip


@row("T335")
def test_t335_saved_result(torch: Any) -> None:
    a = torch.tensor([0.0, 0.0, 0.0], requires_grad=True)
    b = a.exp()
    assert torch.allclose(b.grad_fn._saved_result, b)
    assert b.grad_fn._saved_result is not b
    assert b.grad_fn._saved_result.grad_fn is b.grad_fn


@row("T336")
def test_t336_names_of_saved_values(torch: Any) -> None:
    x, y = leaf(torch, 1.0, 2.0), leaf(torch, 3.0, 4.0)
    m = torch.ones(2, 2, requires_grad=True)
    expected = [
        (x * y, ["self", "other"]), (x**3, ["self", "exponent"]), (x.sum(), ["self_sym_sizes"]),
        (x.exp(), ["result"]), (x.tanh(), ["result"]), (x.sigmoid(), ["result"]), (x.sqrt(), ["result"]),
        (x.relu(), ["result"]), (x.sin(), ["self"]), (x.log(), ["self"]), (x.abs(), ["self"]),
        (x / y, ["self", "other"]), (m.mm(m), ["self", "mat2"]),
        (x[torch.tensor([0, 0])], ["indices", "self_sym_sizes"]), (x[0], ["dim", "index", "self_sym_sizes"]),
        (x.select(0, 1), ["dim", "index", "self_sym_sizes"]),
        (x[0:1], ["dim", "start", "end", "step"]), (m.max(0)[0], ["dim", "indices", "keepdim"]),
        (torch.stack([x, y]), ["dim"]), (torch.cat([x, y]), ["dim"]), (torch.where(x > 1, x, y), ["condition"]),
    ]  # fmt: skip
    for made, names in expected:
        for name in names:
            assert hasattr(made.grad_fn, f"_saved_{name}"), (made.grad_fn.name(), name)
            assert f"_saved_{name}" in dir(made.grad_fn), (made.grad_fn.name(), name)
    y = y * 1
    product, power, quotient = x * y, x**3, x / y
    assert product.grad_fn._saved_self is x and product.grad_fn._saved_other is y
    assert power.grad_fn._saved_self is x and power.grad_fn._saved_exponent == 3
    assert quotient.grad_fn._saved_self is x and quotient.grad_fn._saved_other is y
    assert x.sum().grad_fn._saved_self_sym_sizes == (2,)
    assert close(x.exp().grad_fn._saved_result, x.exp()) and x.sin().grad_fn._saved_self is x
    assert m.mm(m).grad_fn._saved_mat2 is m
    node = x[torch.tensor([0, 1])].grad_fn
    assert same(node._saved_indices[0], [0, 1]) and node._saved_self_sym_sizes == (2,)
    for picked in (x[1], x.select(0, 1)):
        node = picked.grad_fn
        assert (node._saved_dim, node._saved_index, node._saved_self_sym_sizes) == (0, 1, (2,))
    node = x[0:1].grad_fn
    assert (node._saved_dim, node._saved_start, node._saved_end, node._saved_step) == (0, 0, 1, 1)
    node = m.max(1)[0].grad_fn
    assert (node._saved_dim, node._saved_keepdim) == (1, False) and same(
        node._saved_indices, [0, 0]
    )
    assert torch.stack([m, m], 1).grad_fn._saved_dim == torch.cat([m, m], 1).grad_fn._saved_dim == 1
    assert same(torch.where(x > 1, x, y).grad_fn._saved_condition, [False, True])


@row("T337")
def test_t337_raw_saved(torch: Any) -> None:
    x, seen = leaf(torch, 1.0), []
    y = x.exp()

    def pack(t: Any) -> Any:
        return t.detach() * 2

    def unpack(t: Any) -> Any:
        seen.append(1)
        return t

    y.grad_fn._raw_saved_result.register_hooks(pack, unpack)
    text = (
        "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair of hooks is "
        "allowed at a time."
    )
    with raises(RuntimeError, text):
        y.grad_fn._raw_saved_result.register_hooks(pack, unpack)
    y.backward()
    assert seen == [1]
    assert close(x.grad, [2 * 2.71828])
    with raises(RuntimeError, "Calling register_hooks on a saved tensor after it has been freed. "):
        y.grad_fn._raw_saved_result.register_hooks(pack, unpack)
    z = x * torch.ones(1)
    with raises(
        RuntimeError, "Calling register_hooks on a saved tensor with value None is forbidden"
    ):
        z.grad_fn._raw_saved_self.register_hooks(pack, unpack)


@row("T338")
def test_t338_after_backward(torch: Any) -> None:
    y = leaf(torch, 1.0).exp()
    y.backward()
    with raises(
        RuntimeError,
        "Trying to backward through the graph a second time (or directly access saved tensors",
    ):
        y.grad_fn._saved_result  # noqa: B018
    z = leaf(torch, 1.0) * leaf(torch, 2.0)
    z.backward()
    for name in ("self", "other"):
        with raises(RuntimeError, "Trying to backward through the graph a second time"):
            getattr(z.grad_fn, f"_saved_{name}")


@row("T339")
def test_t339_names(torch: Any) -> None:
    x, y = leaf(torch, 1.0, 2.0), leaf(torch, 3.0, 4.0)
    m = torch.ones(2, 2, requires_grad=True)
    expected = {
        "MulBackward0": x * y, "AddBackward0": x + y, "RsubBackward1": 1 - x, "PowBackward0": x**2,
        "PowBackward1": x**y, "PowBackward2": torch.pow(2.0, x), "SumBackward0": x.sum(),
        "SumBackward1": m.sum(0), "MmBackward0": m @ m, "MvBackward0": m @ x, "DotBackward0": x @ y,
        "SelectBackward0": x[0], "SliceBackward0": x[:1], "IndexBackward0": x[torch.tensor([0])],
        "ViewBackward0": m.view(4), "TBackward0": m.t(), "TransposeBackward0": m.transpose(0, 1),
        "PermuteBackward0": m.permute(1, 0), "MaxBackward0": m.max(0)[0], "MaxBackward1": m.max(),
        "MeanBackward0": x.mean(), "MeanBackward1": m.mean(0), "ToCopyBackward0": x.double(),
        "ExpandBackward0": x.expand(3, 2), "CatBackward0": torch.cat([x, y]), "StackBackward0": torch.stack([x, y]),
        "WhereBackward0": torch.where(x > 1, x, y), "UnbindBackward0": m.unbind()[0],
        "SplitBackward0": m.split(1)[0], "SqueezeBackward0": m[:1].squeeze(), "CloneBackward0": x.clone(),
    }  # fmt: skip
    for name, made in expected.items():
        assert made.grad_fn.name() == name
    c = x.clone()
    v = c[:1]
    v.mul_(2)
    assert type(c.grad_fn).__name__ == "CopySlices"
    assert v.grad_fn.name() == "AsStridedBackward0"


@row("T340")
def test_t340_calling_a_node(torch: Any) -> None:
    b = leaf(torch, 1.0).exp()
    assert close(b.grad_fn(torch.ones(1)), [2.71828])
    with raises(TypeError, "expected 1 arguments, got 0 instead"):
        b.grad_fn()
    p = leaf(torch, 2.0) * leaf(torch, 3.0)
    assert [g.item() for g in p.grad_fn(torch.ones(1))] == [3.0, 2.0]
    with raises(TypeError, "expected 1 arguments, got 2 instead"):
        p.grad_fn(torch.ones(1), torch.ones(1))


@row("T341")
def test_t341_sequence_numbers(torch: Any) -> None:
    x = leaf(torch, 1.0)
    a = x * 2
    b = a * 2
    assert a.grad_fn.requires_grad
    assert b.grad_fn._sequence_nr() == a.grad_fn._sequence_nr() + 1
    assert a.grad_fn.next_functions[0][0]._sequence_nr() == 2**64 - 1
    c = torch.ones(1)
    assert (c * c).grad_fn is None
    d = b.exp() * c
    assert d.grad_fn._sequence_nr() == b.grad_fn._sequence_nr() + 2


@row("T363")
def test_t363_gradient_edge(torch: Any) -> None:
    y = leaf(torch, 1.0) * 2
    edge = torch.autograd.graph.GradientEdge(y.grad_fn, 0)
    assert edge.node is y.grad_fn
    assert edge.output_nr == 0
    assert edge._fields[:2] == ("node", "output_nr")
    assert edge._fields == ("node", "output_nr", "ownership_token") and edge.ownership_token is None
    assert isinstance(edge, tuple)


@row("T364")
def test_t364_get_gradient_edge(torch: Any) -> None:
    x = leaf(torch, 1.0)
    edge = torch.autograd.graph.get_gradient_edge(x)
    assert type(edge.node).__name__ == "AccumulateGrad"
    text = (
        "It is not possible to get the gradient edge for a Tensor that does not require gradients"
    )
    with raises(RuntimeError, text):
        torch.autograd.graph.get_gradient_edge(torch.ones(1))
    assert edge.output_nr == 0 and edge.node.variable is x
    y, z = (x.expand(2) * 1).unbind()
    assert torch.autograd.graph.get_gradient_edge(z)[:2] == (z.grad_fn, 1)


@row("T365")
def test_t365_grad_at_an_edge(torch: Any) -> None:
    x = leaf(torch, 2.0)
    y = x * x
    edge = torch.autograd.graph.get_gradient_edge(y)
    loss = (y * y * y / 4).sum()
    (a,) = torch.autograd.grad(loss, y, retain_graph=True)
    (b,) = torch.autograd.grad(loss, edge)
    assert same(a, [12.0])
    assert same(b, [12.0])
    y = x * x
    edge = torch.autograd.graph.get_gradient_edge(y)
    y.mul_(3)
    (g,) = torch.autograd.grad(y, edge)
    assert same(g, [3.0])


@row("T366")
def test_t366_edges_as_inputs_of_backward(torch: Any) -> None:
    edge = torch.autograd.graph.get_gradient_edge
    x = leaf(torch, 2.0)
    y = x * x
    (y * 3).backward(inputs=[edge(x)])
    assert same(x.grad, [12.0])
    x.grad = None
    y = x * x
    (y * 3).backward(inputs=[edge(y)])
    assert x.grad is None
    assert not y.retains_grad
