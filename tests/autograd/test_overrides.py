"""Objects with ``__torch_function__`` in the place of tensors: they say what functions do with them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from .surface import ORACLE, raises


class Says:
    """Says what was asked of it."""

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        foreign = [one.__name__ for one in types if one.__name__ != "Tensor"]
        return func.__name__, foreign, len(args), sorted(kwargs or {})


class More(Says):
    pass


class Silent:
    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return NotImplemented


class Metres:
    """A number of metres: functions are of its value."""

    def __init__(self, value: Any) -> None:
        self.value = value

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        def bare(one: Any) -> Any:
            if isinstance(one, (list, tuple)):
                return type(one)(map(bare, one))
            return one.value if isinstance(one, Metres) else one

        return Metres(func(*bare(args), **{k: bare(v) for k, v in (kwargs or {}).items()}))

    def __array__(self, *args: Any) -> Any:
        raise AssertionError("its value is not an array's")


ONE, MORE = ["Says"], ["More", "Says"]
ASKED: dict[str, Any] = {
    "t.sin(s)": ("sin", ONE, 1, []),
    "t.add(x, s)": ("add", ONE, 2, []),
    "t.add(s, x, alpha=2)": ("add", ONE, 2, ["alpha"]),
    "t.cat([x, s])": ("cat", ONE, 1, []),
    "t.stack((s, s))": ("stack", ONE, 1, []),
    "t.where(s, x, x)": ("where", ONE, 3, []),
    "t.sum(input=s)": ("sum", ONE, 0, ["input"]),
    "t.sum(s, dim=0)": ("sum", ONE, 1, ["dim"]),
    "t.sin(x, out=s)": ("sin", ONE, 1, ["out"]),
    "t.einsum('i,i->i', s, x)": ("einsum", ONE, 3, []),
    "t.index_select(x, 0, s)": ("index_select", ONE, 3, []),
    "F.linear(x, s)": ("linear", ONE, 2, []),
    "x + s": ("add", ONE, 2, []),
    "x - s": ("sub", ONE, 2, []),
    "x * s": ("mul", ONE, 2, []),
    "s * x": ("mul", ONE, 2, []),
    "s + x": ("add", ONE, 2, []),
    "s - x": ("__rsub__", ONE, 2, []),
    "s / x": ("__rdiv__", ONE, 2, []),
    "s ** x": ("__rpow__", ONE, 2, []),
    "s @ x": ("__rmatmul__", ONE, 2, []),
    "x / s": ("div", ONE, 2, []),
    "x ** s": ("pow", ONE, 2, []),
    "x @ s": ("matmul", ONE, 2, []),
    "x == s": ("eq", ONE, 2, []),
    "x < s": ("lt", ONE, 2, []),
    "x.__iadd__(s)": ("add_", ONE, 2, []),
    "t.add(s, m)": ("add", MORE, 2, []),
    "t.add(m, s)": ("add", MORE, 2, []),
    "t.cat([s, m, x])": ("cat", MORE, 1, []),
    "t.add(n, s)": ("add", ["Silent", "Says"], 2, []),
}


@pytest.fixture
def scope(torch: Any) -> dict[str, Any]:
    functional = import_module(f"{torch.__name__}.nn.functional")
    return {
        "t": torch,
        "F": functional,
        "x": torch.ones(2),
        "s": Says(),
        "m": More(),
        "n": Silent(),
    }


@pytest.mark.parametrize("text", ASKED)
def test_the_object_is_asked(scope: dict[str, Any], text: str) -> None:
    assert eval(text, scope) == ASKED[text]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("t.sin(n)", "Multiple dispatch failed for 'torch.sin'; all __torch_function__ handlers returned NotImplemented:\n\n  - ..."),
        ("t.add(x, n)", "Multiple dispatch failed for 'torch.add'; all __torch_function__ handlers returned"),
        ("x + n", "unsupported operand type(s) for +: 'Tensor' and 'Silent'"),
        ("n @ x", "unsupported operand type(s) for @: 'Silent' and 'Tensor'"),
        ("t.sin('a')", "sin(): argument 'input' (position 1) must be Tensor, not str"),
        ("t.sin(None)", "sin(): argument 'input' (position 1) must be Tensor, not NoneType"),
        ("t.add(x, 'a')", "add(): argument 'other' (position 2) must be Tensor, not str"),
        ("t.exp(1.0)", "exp(): argument 'input' (position 1) must be Tensor, not float"),
    ],
)  # fmt: skip
def test_what_nobody_takes_is_refused(scope: dict[str, Any], text: str, message: str) -> None:
    with raises(TypeError, message):
        eval(text, scope)


WRAPPED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "a function": lambda torch, a, b: torch.sin(a) * b,
    "functions of two": lambda torch, a, b: torch.atan2(torch.mul(a, b), a),
    "a list": lambda torch, a, b: torch.cat([a, b, a]).sum() if a is b else torch.cat([a, b]),
    "operators": lambda torch, a, b: (b * a - b) / b,
    "powers": lambda torch, a, b: torch.pow(b, torch.add(a, 1.0, alpha=2)),
}


@pytest.mark.parametrize("what", WRAPPED)
def test_gradients_through_a_wrapper(torch: Any, what: str) -> None:
    found = []
    for wrap in (lambda t: t, Metres):
        x = torch.tensor([0.5, 1.5], requires_grad=True)
        w = torch.tensor([2.0, 3.0], requires_grad=True)
        made = WRAPPED[what](torch, wrap(x), w)
        if isinstance(made, Metres):
            made = made.value
        found.append([g.tolist() for g in torch.autograd.grad(made.sum(), (x, w))])
    assert found[0] == found[1]


def test_a_function_is_the_same_object_each_time(torch: Any) -> None:
    """Handlers look functions up."""
    handled = {torch.sin: "sine", torch.Tensor.add: "sum"}

    class Looks:
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kw: Any = None) -> Any:
            return handled.get(func, "unknown")

    assert torch.sin(Looks()) == "sine"
    assert torch.ones(2) + Looks() == "sum"
    assert torch.cos(Looks()) == "unknown"


@pytest.mark.skipif(ORACLE == "torch", reason="the name of an internal function")
def test_a_switched_off_object_is_none(torch: Any) -> None:
    class Off:
        __torch_function__ = None

    with raises(TypeError, "sin(): argument 'input' (position 1) must be Tensor, not Off"):
        torch.sin(Off())
