"""Functions of arrays between tensors, against what PyTorch itself says of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

torch = pytest.importorskip("torch")

from torch.autograd import gradcheck, gradgradcheck  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


def product(a: Any, b: Any) -> Any:
    return np.tanh(a @ b)


def two(a: Any, b: Any) -> Any:
    return a @ b, np.sum(a) * b


def tree(p: Any, k: Any) -> Any:
    return {"y": np.sin(p["w"]) * k, "s": [np.sum(p["w"] * p["b"])]}


def of_tree(w: Any, b: Any) -> Any:
    found = rg.torch.wrap(tree)({"w": w, "b": b, "n": 3, "name": "x"}, 2.0)
    return found["y"], found["s"][0]


def turned(z: Any, x: Any) -> Any:
    return np.exp(1j * z) * np.conj(z) * x


def loops(x: Any, y: Any) -> Any:
    out = np.zeros(3)
    for k in range(3):
        out[k] = np.sum(x ** (k + 1)) * y[k]
    return out


def double(*shape: int, kind: Any = None) -> Any:
    made = torch.randn(
        *shape, dtype=kind or torch.double, generator=torch.Generator().manual_seed(len(shape))
    )
    return made.requires_grad_()


CASES = {
    "product": (rg.torch.wrap(product), (double(3, 3), double(3))),
    "two": (rg.torch.wrap(two), (double(3, 3), double(3))),
    "tree": (of_tree, (double(3), double(3))),
    "turned": (rg.torch.wrap(turned), (double(3, kind=torch.cdouble), double(3))),
    "loops": (rg.torch.wrap(loops), (double(2), double(3))),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_gradients_of_both_orders(name: str) -> None:
    f, inputs = CASES[name]
    assert gradcheck(f, inputs, check_forward_ad=name != "turned")
    assert gradgradcheck(f, inputs)


def test_func() -> None:
    def cubes(x: Any) -> Any:
        return np.sum(x**3)

    f, x = rg.torch.wrap(cubes), torch.arange(4.0, dtype=torch.double)
    func = torch.func
    torch.testing.assert_close(func.grad(f)(x), 3 * x**2)
    torch.testing.assert_close(func.hessian(f)(x), torch.diag(6 * x))
    torch.testing.assert_close(func.jacfwd(f)(x), 3 * x**2)
    torch.testing.assert_close(
        func.jvp(f, (x,), (torch.ones_like(x),)), (torch.sum(x**3), torch.sum(3 * x**2))
    )
    rows = torch.stack([x, 2 * x])
    torch.testing.assert_close(func.vmap(func.grad(f))(rows), 3 * rows**2)
    g = rg.torch.wrap(product)
    a, b = torch.randn(3, 2, 2, dtype=torch.double), torch.randn(2, 3, dtype=torch.double)
    wanted = torch.stack([torch.tanh(a[k] @ b[:, k]) for k in range(3)])
    torch.testing.assert_close(func.vmap(g, in_dims=(0, 1))(a, b), wanted)


def test_memory_is_shared() -> None:
    seen = []

    def look(x: Any) -> Any:
        seen.append(x)
        return 2.0 * x

    x = torch.ones(3)
    y = rg.torch.wrap(look)(x)
    assert seen[0].__array_interface__["data"][0] == x.data_ptr()
    assert y.dtype == torch.float32 and not y.requires_grad


@pytest.mark.parametrize("f", [lambda x: x, lambda x: x[::-1], lambda x: x.reshape(1, 3)[0]])
def test_a_result_has_memory_of_its_own(f: Any) -> None:
    x = torch.ones(3)
    rg.torch.wrap(f)(x).mul_(2.0)
    assert x.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("which", ["argument", "result"])
def test_what_is_written_to_later_is_found_out(which: str) -> None:
    x = double(3) * 1.0
    y = rg.torch.wrap(lambda x: np.exp(x))(x)
    (x if which == "argument" else y).mul_(2.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


@pytest.mark.parametrize("recorded", [False, True])
def test_tensors_are_not_written_to_unseen(recorded: bool) -> None:
    """PyTorch counts what is written, for the way back through others; through shared memory it would not see it."""

    def writes(x: Any) -> Any:
        x[0] = 5.0
        return np.sum(x**2)

    x = torch.ones(3, requires_grad=recorded) * 1.0
    with pytest.raises(ValueError, match="read-only"):
        rg.torch.wrap(writes)(x)
    assert x.tolist() == [1.0, 1.0, 1.0]


def test_modes_and_kinds() -> None:
    f = rg.torch.wrap(product)
    a, b = double(3, 3), double(3)
    with torch.no_grad():
        assert not f(a, b).requires_grad
    y = f(a, b)
    (one,) = torch.autograd.grad(y, b, torch.ones(3, dtype=torch.double), retain_graph=True)
    (again,) = torch.autograd.grad(y, b, torch.ones(3, dtype=torch.double))
    torch.testing.assert_close(one, again)
    assert f(a.float(), b.float()).dtype == torch.float32
    counted = rg.torch.wrap(lambda x, n: x * n)(b, torch.tensor(3))
    counted.sum().backward()
    torch.testing.assert_close(b.grad, torch.full((3,), 3.0, dtype=torch.double))
    assert isinstance(rg.torch.wrap(product)(np.eye(2), np.ones(2)), np.ndarray)


def test_keywords_and_what_is_not_differentiated() -> None:
    def scaled(x: Any, *, by: Any = 1.0, where: str = "left") -> Any:
        return x * by if where == "left" else -x * by

    x = double(2)
    rg.torch.wrap(scaled)(x, by=3.0, where="right").sum().backward()
    assert x.grad.tolist() == [-3.0, -3.0]


def test_errors_are_those_of_the_function() -> None:
    with pytest.raises(rg.errors.SignatureMismatch, match="returns no array"):
        rg.torch.wrap(lambda x: "text")(torch.ones(2))
    with pytest.raises(ValueError, match="matmul"):
        rg.torch.wrap(product)(torch.ones(2, 2), torch.ones(3))


def test_a_module_is_trained() -> None:
    def layer(x: Any, w: Any) -> Any:
        return np.maximum(x @ w, 0.0)

    torch.manual_seed(0)
    f, w = rg.torch.wrap(layer), torch.nn.Parameter(torch.randn(4, 3))
    head, x = torch.nn.Linear(3, 1), torch.randn(32, 4)
    y = x[:, :1] * 2.0
    optimizer = torch.optim.Adam([w, *head.parameters()], 0.05)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(head(f(x, w)), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.2 * losses[0]


def refused(*args: Any, **named: Any) -> Any:
    raise rg.errors.SignatureMismatch("not here")


@pytest.mark.parametrize("way", ["at once", "in a loop"])
def test_a_batch_is_one_call(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the function with one more axis; what `rg.vmap` refuses runs for one example after the other."""
    calls = []

    def energy(p: Any, x: Any, k: float = 2.0) -> Any:
        calls.append(x.shape)
        return {"e": k * np.sum(np.tanh(p["w"] @ x + p["b"]) ** 2), "w": p["w"][0] * x}

    def theirs(p: Any, x: Any, k: float = 2.0) -> Any:
        return {"e": k * torch.sum(torch.tanh(p["w"] @ x + p["b"]) ** 2), "w": p["w"][0] * x}

    if way == "in a loop":
        monkeypatch.setattr(rg, "vmap", refused)
    func, examples = torch.func, 5 if way == "in a loop" else 60
    p = {"w": torch.ones(2, 3, dtype=torch.float64), "b": torch.zeros(2, dtype=torch.float64)}
    x = torch.linspace(-1.0, 1.0, 3 * examples, dtype=torch.float64).reshape(3, examples)
    each = [
        lambda f: func.vmap(lambda p, x: f(p, x, k=3.0), (None, 1)),
        lambda f: func.vmap(func.grad(lambda p, x: f(p, x)["e"], (0, 1)), (None, 1)),
        lambda f: func.vmap(func.vmap(f, (None, 0)), ({"w": 0, "b": None}, None)),
        lambda f: func.grad(lambda p, x: func.vmap(f, (None, 1))(p, x)["e"].sum()),
    ]
    for k, made in enumerate(each):
        args = ({"w": torch.stack([p["w"], 2 * p["w"]]), "b": p["b"]}, x.T) if k == 2 else (p, x)
        torch.testing.assert_close(made(rg.torch.wrap(energy))(*args), made(theirs)(*args))
    assert (len(calls) < examples) == (way == "at once")
