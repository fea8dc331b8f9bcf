"""`func.linearize`: the derivative at a point, as a function of tangents."""

from __future__ import annotations

from typing import Any

import pytest

from .surface import ORACLE, close, raises, same

pytestmark = pytest.mark.filterwarnings("ignore")


def test_value_and_derivative(torch: Any) -> None:
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
    value, derivative = torch.func.linearize(lambda x, y: {"p": x * y, "q": x.sin()}, x, y)
    assert same(value["p"], [3.0, 8.0])
    found = derivative(torch.ones(2), 2 * torch.ones(2))
    assert same(found["p"], [5.0, 8.0]) and close(found["q"], x.cos())
    expected = torch.func.jvp(lambda x, y: x * y, (x, y), (torch.ones(2), torch.ones(2)))[1]
    assert same(derivative(torch.ones(2), torch.ones(2))["p"], expected.tolist())


def test_columns_of_the_jacobian(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0])
    _, derivative = torch.func.linearize(lambda x: x**3, x)
    assert same(torch.vmap(derivative)(torch.eye(2)), [[3.0, 0.0], [0.0, 12.0]])


@pytest.mark.skipif(ORACLE == "torch", reason="torch forgets the history of the point")
def test_derivatives_go_on(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    _, derivative = torch.func.linearize(lambda x: x**3, x)
    (g,) = torch.autograd.grad(derivative(torch.ones(2)).sum(), x)
    assert same(g, [6.0, 12.0])


def test_tangents_like_the_arguments(torch: Any) -> None:
    _, derivative = torch.func.linearize(lambda x, y: x * y, torch.ones(2), torch.ones(2))
    with raises(RuntimeError, "Expected the tangents "):
        derivative(torch.ones(2))
    text = (
        "tangent:1 with shape torch.Size([3]) in flattened pytree doesn't match the shape torch.Size([2]) of the "
        "corresponding primal."
    )
    with raises(RuntimeError, text):
        derivative(torch.ones(2), torch.ones(3))
    text = "tangent:1 with dtype torch.float64 in flattened pytree doesn't match the dtype torch.float32 of the "
    with raises(RuntimeError, text):
        derivative(torch.ones(2), torch.ones(2, dtype=torch.double))


def test_tensors_that_are_close(torch: Any) -> None:
    text = (
        "The size of tensor a (5) must match the size of tensor b (2) at non-singleton dimension 1"
    )
    for compare in (torch.allclose, torch.isclose):
        with raises(RuntimeError, text):
            compare(torch.ones(2, 5), torch.ones(5, 2))
        with raises(RuntimeError, "Float did not match Double"):
            compare(torch.ones(2), torch.ones(2, dtype=torch.double))


def test_one_coin(torch: Any) -> None:
    p = torch.tensor(1.0)
    drawn = torch.bernoulli(p)
    assert drawn.view(1).shape == (1,) and same(drawn, 1.0)
