"""Rows T038 to T054: ``autograd.grad``."""

from __future__ import annotations

from typing import Any

from .surface import close, raises, row, same, warns


def leaf(torch: Any, *values: float, **options: Any) -> Any:
    return torch.tensor(list(values), requires_grad=True, **options)


@row("T038")
def test_t038_returns_a_tuple(torch: Any) -> None:
    x = leaf(torch, 1.0)
    found = torch.autograd.grad(x * 2, x)
    assert isinstance(found, tuple)
    assert same(found[0], [2.0])
    assert x.grad is None


@row("T039")
def test_t039_a_dict_of_inputs(torch: Any) -> None:
    x, y = leaf(torch, 2.0), leaf(torch, 3.0)
    found = torch.autograd.grad(x * y, {"x": x, "y": y})
    assert same(found["x"], [3.0])
    assert same(found["y"], [2.0])
    z = x * y
    for outputs, inputs in ((z, x), ([z], x), (z, [x]), ((z,), (x,))):
        (g,) = torch.autograd.grad(outputs, inputs, retain_graph=True)
        assert same(g, [3.0])


@row("T040")
def test_t040_grad_outputs(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    text = (
        "Mismatch in shape: grad_output[0] has a shape of torch.Size([1]) and output[0] has a shape of "
        "torch.Size([2])."
    )
    with raises(RuntimeError, text):
        torch.autograd.grad(x * 2, x, torch.ones(1))
    with raises(RuntimeError, "got 2 tensors and 1 gradients"):
        torch.autograd.grad([x * 2, x], x, [torch.ones(2)])
    assert same(torch.autograd.grad(x * 2, x, torch.tensor([1.0, 3.0]))[0], [2.0, 6.0])


@row("T041")
def test_t041_output_without_grad(torch: Any) -> None:
    x = leaf(torch, 1.0)
    text = "element 0 of tensors does not require grad and does not have a grad_fn"
    with raises(RuntimeError, text):
        torch.autograd.grad(torch.tensor([1.0]), x)


@row("T042")
def test_t042_input_without_grad(torch: Any) -> None:
    x = leaf(torch, 1.0)
    with raises(RuntimeError, "One of the differentiated Tensors does not require grad"):
        torch.autograd.grad(x * 2, torch.tensor([1.0]))


@row("T043")
def test_t043_no_inputs(torch: Any) -> None:
    x = leaf(torch, 1.0)
    with raises(RuntimeError, "`inputs` argument to `grad()` cannot be empty."):
        torch.autograd.grad(x * 2, [])


@row("T044")
def test_t044_unused(torch: Any) -> None:
    x, y = leaf(torch, 1.0), leaf(torch, 1.0)
    text = (
        "The differentiated Tensor at index 0 appears to not have been used in the graph. Set allow_unused=True if "
        "this is the desired behavior."
    )
    with raises(RuntimeError, text):
        torch.autograd.grad(x * 2, y)


@row("T045")
def test_t045_allow_unused(torch: Any) -> None:
    x, y = leaf(torch, 1.0), leaf(torch, 1.0)
    assert torch.autograd.grad(x * 2, y, allow_unused=True) == (None,)


@row("T046")
def test_t046_materialize_grads(torch: Any) -> None:
    x, y = leaf(torch, 1.0), leaf(torch, 1.0, 2.0)
    (g,) = torch.autograd.grad(x * 2, y, materialize_grads=True)
    assert same(g, [0.0, 0.0])
    assert not g.requires_grad
    text = "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
    with raises(ValueError, text):
        torch.autograd.grad(x * 2, y, materialize_grads=True, allow_unused=False)
    (g,) = torch.autograd.grad(x * 2, y, materialize_grads=True, create_graph=True)
    assert g.requires_grad and same(g, [0.0, 0.0])


@row("T047")
def test_t047_only_inputs(torch: Any) -> None:
    x = leaf(torch, 1.0)
    text = (
        "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for other "
        "parts of the graph, please use torch.autograd.backward."
    )
    with warns(FutureWarning, text):
        (g,) = torch.autograd.grad(x * 2, x, only_inputs=False)
    assert same(g, [2.0]) and x.grad is None


@row("T048")
def test_t048_batched(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    (g,) = torch.autograd.grad(x * x, x, torch.eye(2), is_grads_batched=True)
    assert same(g, [[2.0, 0.0], [0.0, 4.0]])
    text = "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. "
    with raises(RuntimeError, text):
        torch.autograd.grad(x * x, x, torch.eye(3), is_grads_batched=True)
    text += (
        "The sizes of the remaining dimensions are expected to match the shape of corresponding output, but a mismatch "
        "was detected: grad_output[0] has a shape of ...and output[0] has a shape of torch.Size([2]). If you only want"
    )
    with raises(RuntimeError, text):
        torch.autograd.grad(x * x, x, torch.eye(3), is_grads_batched=True)


@row("T049")
def test_t049_third_order(torch: Any) -> None:
    x = torch.tensor(3.0, requires_grad=True)
    y, orders = x**3, []
    for _ in range(3):
        (y,) = torch.autograd.grad(y, x, create_graph=True)
        orders.append(y.item())
    assert close(orders, [27.0, 18.0, 6.0])


@row("T050")
def test_t050_duplicates(torch: Any) -> None:
    x = leaf(torch, 1.0)
    a, b = torch.autograd.grad([x * 2, x * 3], [x, x])
    assert same(a, [5.0])
    assert same(b, [5.0])


@row("T051")
def test_t051_of_itself(torch: Any) -> None:
    y = leaf(torch, 1.0) * 2
    assert same(torch.autograd.grad(y, y)[0], [1.0])
    x = leaf(torch, 1.0)
    assert same(torch.autograd.grad(x, x)[0], [1.0])


@row("T052")
def test_t052_stops_at_what_is_asked(torch: Any) -> None:
    x, ran = leaf(torch, 2.0), []
    y = x * x
    y.grad_fn.register_hook(lambda *g: ran.append("y"))
    z = y * 3
    assert same(torch.autograd.grad(z, y)[0], [3.0])
    assert ran == []
    x.register_hook(lambda g: ran.append("x"))
    torch.autograd.grad((y * 3).exp(), y)
    assert ran == []


@row("T053")
def test_t053_edges(torch: Any) -> None:
    edge = torch.autograd.graph.get_gradient_edge
    x = leaf(torch, 2.0)
    y = x * x
    z = y * 3
    assert same(torch.autograd.grad(z, edge(y), retain_graph=True)[0], [3.0])
    assert same(torch.autograd.grad(edge(z), x, torch.ones(1))[0], [12.0])
    with raises(
        RuntimeError, "materialize_grads cannot be used when the given input is a GradientEdge"
    ):
        torch.autograd.grad(x * 2, edge(leaf(torch, 1.0)), materialize_grads=True)
    (a,), (b,) = torch.autograd.grad(x.exp(), x), torch.autograd.grad(x.exp(), edge(x))
    assert same(a, b.tolist())


@row("T054")
def test_t054_which_hooks_run(torch: Any) -> None:
    x, ran = leaf(torch, 2.0), []
    x.register_hook(lambda g: ran.append("tensor"))
    x.register_post_accumulate_grad_hook(lambda t: ran.append("post"))
    y = x * x
    node = y.grad_fn.next_functions[0][0]
    node.register_prehook(lambda g: ran.append("prehook"))
    node.register_hook(lambda *g: ran.append("hook"))
    torch.autograd.grad(y, x)
    assert ran == ["tensor"]
