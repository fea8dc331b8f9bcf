"""``func``: derivatives of functions as functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from .surface import ORACLE, close, raises, same

pytestmark = pytest.mark.filterwarnings("ignore:.torch.jit:DeprecationWarning")


def test_grad_of_any_order(torch: Any) -> None:
    grad = torch.func.grad
    x = torch.tensor(2.0)
    assert same(grad(lambda a: a**4)(x), 32.0)
    assert same(grad(grad(lambda a: a**4))(x), 48.0)
    assert same(grad(grad(grad(lambda a: a**4)))(x), 48.0)
    assert x.grad is None and not grad(lambda a: a**2)(x).requires_grad


def test_argnums_and_aux(torch: Any) -> None:
    x, y = torch.tensor(2.0), torch.tensor(3.0)
    gx, gy = torch.func.grad(lambda a, b: a * b * b, argnums=(0, 1))(x, y)
    assert same(gx, 9.0) and same(gy, 12.0)
    g, aux = torch.func.grad(lambda a, b: (a * b, a + b), argnums=-1, has_aux=True)(x, y)
    assert same(g, 2.0) and same(aux, 5.0)
    g, (value, aux) = torch.func.grad_and_value(lambda a: (a * a, a), has_aux=True)(x)
    assert same(g, 4.0) and same(value, 4.0) and same(aux, 2.0) and not aux.requires_grad
    found = torch.func.grad(lambda p: p["w"] * p["b"])({"w": x, "b": y})
    assert same(found["w"], 3.0) and same(found["b"], 2.0)


def test_keeps_the_history_around_it(torch: Any) -> None:
    x, w = torch.tensor(2.0, requires_grad=True), torch.tensor(3.0, requires_grad=True)
    torch.func.grad(lambda a: a * a * w)(x).backward()
    assert same(x.grad, 6.0) and same(w.grad, 4.0)
    with torch.no_grad():
        assert not torch.func.grad(lambda a: a * a * w)(x).requires_grad


def test_a_view_that_was_not_recorded_is_an_argument_like_others(torch: Any) -> None:
    grad, x = torch.func.grad, torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    with torch.no_grad():
        part = x[1:]
    assert same(grad(lambda a: grad(lambda b: (b * b * a).sum())(part).sum())(part), [4.0, 6.0])
    made = part.sin()
    assert same(
        grad(lambda a: grad(lambda b: (b * b * a).sum())(part + made).sum())(made),
        (2 * (part + made)).tolist(),
    )
    pushed = torch.func.jvp(grad(lambda a: (a**3).sum()), (part,), (torch.ones(2),))
    assert same(pushed[1], [12.0, 18.0])


def test_refuses_what_is_no_scalar(torch: Any) -> None:
    with raises(RuntimeError, "grad_and_value(f)(*args): Expected f(*args) to return a scalar"):
        torch.func.grad(lambda a: a * 2)(torch.ones(2))
    with raises(RuntimeError, "Got argnum=1, but only 1 positional inputs"):
        torch.func.grad(lambda a: a.sum(), argnums=1)(torch.ones(2))


def test_vjp(torch: Any) -> None:
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
    value, pull = torch.func.vjp(lambda a, b: a * b, x, y)
    assert same(value, [3.0, 8.0]) and not value.requires_grad
    gx, gy = pull(torch.tensor([1.0, 10.0]))
    assert same(gx, [3.0, 40.0]) and same(gy, [1.0, 20.0])
    value, pull, aux = torch.func.vjp(lambda a: ((a, a * a), a.sum()), x, has_aux=True)
    (g,) = pull((torch.ones(2), torch.ones(2)))
    assert same(g, [3.0, 5.0]) and same(aux, 3.0) and len(value) == 2


def test_jvp(torch: Any) -> None:
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, -1.0])
    value, dot = torch.func.jvp(lambda a: a.square(), (x,), (v,))
    assert same(value, [1.0, 4.0]) and same(dot, [2.0, -4.0])

    def first(a: Any) -> Any:
        return torch.func.jvp(lambda b: b**3, (a,), (v,))[1]

    assert close(torch.func.jvp(first, (x,), (v,))[1], 6 * x, 1e-6)
    with raises(RuntimeError, "jvp(f, primals, tangents): Expected primals"):
        torch.func.jvp(lambda a: a, x, v)


def pushed(torch: Any, f: Any, x: Any, v: Any) -> Any:
    return torch.func.jvp(f, (x,), (v,))[1]


def doubled(torch: Any) -> Any:
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(x: Any) -> Any:
            return x * x

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_forward(*inputs)

        @staticmethod
        def jvp(ctx: Any, t: Any) -> Any:
            return 2 * ctx.saved_tensors[0] * t

    return Doubled.apply


def in_place(t: Any) -> Any:
    y = t.clone()
    y[0] = y[1] * y[0]
    return y.mul_(t).unsqueeze_(0)[0]


def unrecorded(torch: Any, t: Any) -> Any:
    with torch.no_grad():
        return t * t


# A function of a vector that pushes another forward, and its derivative where it is (a, b) along (1, 1).
NESTED: list[Any] = [
    (lambda t, v: pushed(t, lambda x: x * x, v, v), lambda v: 4 * v),
    (lambda t, v: pushed(t, lambda x: x * x * v, v, v.clone()), lambda v: 6 * v * v),
    (lambda t, v: pushed(t, lambda x: x * v, t.ones(2), v), lambda v: 2 * v),
    (lambda t, v: pushed(t, lambda x: x * 3, v * 0, v * v), lambda v: 6 * v),
    (lambda t, v: pushed(t, lambda w: pushed(t, lambda x: x * x * v * w, v, v), v * 1, v), lambda v: 8 * v**3),
    (lambda t, v: pushed(t, in_place, v, v).sum(), lambda v: 6 * v[0] * v[1] + 3 * v[0] ** 2 + 4 * v[1]),
    (lambda t, v: pushed(t, lambda x: doubled(t)(x) * v, v, v), lambda v: 6 * v * v),
    (lambda t, v: pushed(t, lambda x: unrecorded(t, x), v, v), lambda v: 4 * v),
    (lambda t, v: pushed(t, lambda x: t.func.grad(lambda y: (y**3 * v).sum())(x), v, v), lambda v: 18 * v * v),
    (lambda t, v: t.func.grad(lambda y: pushed(t, lambda x: x * x * v, y, v * y).sum())(v), lambda v: 12 * v * v),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(NESTED)))
def test_tangents_of_tangents(torch: Any, case: int) -> None:
    f, slope = NESTED[case]
    x, ones = torch.tensor([1.5, 2.0], dtype=torch.float64), torch.ones(2, dtype=torch.float64)
    found = pushed(torch, lambda v: f(torch, v), x, ones)
    assert close(found, slope(x), 1e-12) and not found.requires_grad


def test_the_result_that_goes_with_a_tangent_of_a_tangent(torch: Any) -> None:
    def inner(v: Any) -> Any:
        value, dot, aux = torch.func.jvp(lambda x: (x * v, x + v), (v,), (v,), has_aux=True)
        return value + dot, aux

    x, one = torch.tensor([3.0]), torch.ones(1)
    value, dot, aux = torch.func.jvp(inner, (x,), (one,), has_aux=True)
    assert same(value, [18.0]) and same(dot, [12.0]) and same(aux, [6.0])


@pytest.mark.parametrize("name", ["jacrev", "jacfwd"])
def test_jacobians(torch: Any, name: str) -> None:
    jacobian = getattr(torch.func, name)
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 5.0])
    assert same(jacobian(lambda a: a * a)(x), [[2.0, 0.0], [0.0, 4.0]])
    jx, jy = jacobian(lambda a, b: (a * b).sum(), argnums=(0, 1))(x, y)
    assert same(jx, [3.0, 5.0]) and same(jy, [1.0, 2.0])
    jx, jy = jacobian(lambda a, b: a * b.square(), argnums=(0, 1))(x, x)
    assert same(jx, [[1.0, 0.0], [0.0, 4.0]]) and same(jy, [[2.0, 0.0], [0.0, 8.0]])
    made, aux = jacobian(lambda a: ({"s": a.sum()}, a * 2), has_aux=True)(x)
    assert same(made["s"], [1.0, 1.0]) and same(aux, [2.0, 4.0])
    assert same(jacobian(lambda a: a.reshape(1, 2))(x), [[[1.0, 0.0], [0.0, 1.0]]])


def test_a_jacobian_runs_the_function_once(torch: Any) -> None:
    x, count = torch.tensor([1.0, 2.0, 3.0]), torch.zeros(1)
    calls: list[Any] = []

    def noisy(a: Any) -> Any:
        return (a * torch.rand(3)).square()

    def counting(a: Any) -> Any:
        calls.append(a)
        return (a * len(calls)).square()

    def writing(a: Any) -> Any:
        return (a * count.add_(1)).square()

    def forward(f: Any, x: Any) -> Any:
        return torch.autograd.functional.jacobian(f, x, vectorize=True, strategy="forward-mode")

    def by_jacfwd(f: Any, x: Any) -> Any:
        return torch.func.jacfwd(f)(x)

    def by_hessian(f: Any, x: Any) -> Any:
        return torch.func.hessian(lambda a: f(a).sum())(x)

    for k, jacobian in enumerate((forward, by_jacfwd, by_hessian), 1):
        with raises(RuntimeError, "vmap: called random operation while in randomness error mode."):
            jacobian(noisy, x)
        for f in (counting, writing):
            want = 2 * k * k * (torch.diag(x) if jacobian is not by_hessian else torch.eye(3))
            assert close(jacobian(f, x), want, 1e-6)


def test_hessian(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0])

    def f(a: Any) -> Any:
        return a[0] ** 3 * a[1] + a[1].sin()

    second = -float(torch.sin(torch.tensor(2.0)))
    expected = [[12.0, 3.0], [3.0, second]]
    assert close(torch.func.hessian(f)(x), expected, 1e-5)
    assert not torch.func.hessian(f)(x).requires_grad
    assert close(torch.func.jacrev(torch.func.jacrev(f))(x), expected, 1e-5)
    assert close(torch.func.jacfwd(torch.func.jacfwd(f))(x), expected, 1e-5)
    assert close(torch.func.jacrev(torch.func.jacfwd(f))(x), expected, 1e-5)


def test_functional_call(torch: Any) -> None:
    if hasattr(torch, "nn"):
        pytest.skip("torch takes modules of its own")

    class Inner:
        def __init__(self) -> None:
            self.w = torch.tensor(2.0)

    class Model:
        def __init__(self) -> None:
            self.inner, self.b = Inner(), torch.tensor(1.0)

        def __call__(self, x: Any) -> Any:
            return self.inner.w * x + self.b

    model, x = Model(), torch.tensor(3.0)
    given = {"inner.w": torch.tensor(5.0), "b": torch.tensor(0.5)}
    assert same(torch.func.functional_call(model, given, x), 15.5) and same(model(x), 7.0)
    found = torch.func.grad(lambda p: torch.func.functional_call(model, p, (x,)))(given)
    assert same(found["inner.w"], 3.0) and same(found["b"], 1.0)


@pytest.mark.skipif(ORACLE == "torch", reason="PyTorch takes no dataclasses apart")
def test_tensors_in_dataclasses_are_arguments(torch: Any) -> None:
    @dataclass
    class Line:
        slope: Any
        offset: Any

    def f(line: Line) -> Any:
        return (line.slope * line.offset).sum()

    line = Line(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
    for transform in (torch.func.grad, torch.func.jacrev, torch.func.jacfwd):
        made = transform(f)(line)
        assert same(made.slope, [3.0, 4.0]) and same(made.offset, [1.0, 2.0])


def test_structures_that_do_not_belong_together(torch: Any) -> None:
    x, c = torch.tensor([1.0, 2.0]), torch.tensor([1 + 1j])
    f = torch.func
    pull = f.vjp(lambda a: (a, {"k": a}), x)[1]
    with raises(RuntimeError, "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. cotangents: (*, *), primal output: (*, {'k': *})"):  # fmt: skip
        pull((x, x))
    with raises(RuntimeError, "vjp(f, *primals): expected f(*primals) to return only tensors, got"):
        f.vjp(lambda a: 3.0, x)
    with raises(RuntimeError, "vjp(f, *primals): Expected f to be a function that has non-empty"):
        f.vjp(lambda a: None, x)
    with raises(
        RuntimeError, "jvp(f, primals, tangents): expected f(*primals) to return only tensors"
    ):
        f.jacfwd(lambda a: (a, 2))(x)
    with raises(
        RuntimeError,
        "jvp(f, primals, tangents): Expected primals and tangents to have the same python",
    ):
        f.jvp(lambda a: a, (x,), ([x],))
    with raises(
        RuntimeError, "jvp(f, primals, tangents): Expected tangents to only contain Tensors, got"
    ):
        f.jvp(lambda a: a, (x,), (3.0,))
    for transform in (f.grad, f.jacrev):
        with raises(
            ValueError, "Thing passed to transform API must be Tensor, got <class 'float'>"
        ):
            transform(lambda a: a * 2)(3.0)
    for name in ("jacrev", "jacfwd"):
        with raises(
            RuntimeError, f"{name}: Expected all inputs to be real but received complex tensor at"
        ):
            getattr(f, name)(lambda a: a * 2)(c)
        with raises(
            RuntimeError, f"{name}: Expected all outputs to be real but received complex tensor at"
        ):
            getattr(f, name)(lambda a: a * 1j)(x)
        with raises(RuntimeError, "Got argnum=3, but only 1 positional inputs"):
            getattr(f, name)(lambda a: a, argnums=3)(x)
