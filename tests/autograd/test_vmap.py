"""`vmap`, and functions that have a rule for batches."""

from __future__ import annotations

from typing import Any

from .surface import close, raises, row, same


def scaled(torch: Any, calls: list[Any]) -> Any:
    """A function with a rule of its own for batches, which notes how it is called."""

    class Scale(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(x: Any, factor: Any) -> Any:
            return x * factor

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(inputs[1])

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (factor,) = ctx.saved_tensors
            return g * factor, None

        @staticmethod
        def vmap(info: Any, in_dims: Any, x: Any, factor: Any) -> Any:
            calls.append((info.batch_size, info.randomness, in_dims, tuple(x.shape)))
            x = x.movedim(in_dims[0], 0)
            factor = factor if in_dims[1] is None else factor.movedim(in_dims[1], 0)
            while in_dims[1] is not None and factor.dim() < x.dim():
                factor = factor.unsqueeze(-1)
            return Scale.apply(x, factor.expand(x.shape)), 0

    return Scale


@row("T227")
def test_t227_vmap(torch: Any) -> None:
    calls: list[Any] = []
    function = scaled(torch, calls)
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
    one = torch.tensor(3.0)
    made = torch.vmap(lambda a: function.apply(a, one) + 1)(x)
    assert same(made, [[4.0, 7.0, 10.0], [13.0, 16.0, 19.0]])
    assert calls == [(2, "error", (0, None), (2, 3))]
    made.sum().backward()
    assert same(x.grad, [[3.0] * 3] * 2)

    factors = torch.tensor([2.0, -1.0])
    made = torch.vmap(function.apply)(x, factors)
    assert same(made, [[2.0, 4.0, 6.0], [-4.0, -5.0, -6.0]]) and calls[1][2] == (0, 0)

    class SC(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(x: Any) -> Any:
            return x.sin()

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            pass

    text = (
        "You tried to vmap over SC, but it does not have vmap support. Please override and implement the vmap "
        "staticmethod or set generate_vmap_rule=True."
    )
    with raises(RuntimeError, text):
        torch.vmap(SC.apply)(x)


class Sine:
    """The parts of a function with a forward, a backward and a jvp."""

    @staticmethod
    def forward(x: Any, *more: Any) -> Any:
        return x.sin()

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(inputs[0])
        ctx.save_for_forward(inputs[0])

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * ctx.saved_tensors[0].cos()

    @staticmethod
    def jvp(ctx: Any, t: Any) -> Any:
        return t * ctx.saved_tensors[0].cos()


def ruled(torch: Any, rule: Any, **more: Any) -> Any:
    """A function with a rule for batches."""
    return type("Ruled", (Sine, torch.autograd.Function), {"vmap": staticmethod(rule), **more})


@row("T227")
def test_t227_what_a_rule_is_told(torch: Any) -> None:
    seen: list[Any] = []

    def rule(info: Any, in_dims: Any, x: Any, *more: Any) -> Any:
        seen.append((type(info).__name__, info._fields, tuple(info), in_dims, x.shape))
        assert not more or (
            more[0] == 2 and more[1][0].shape == (2, 3) and more[1][1:] == [None, 3.0]
        )
        return x.sin(), 0

    x, function = torch.arange(6.0).reshape(2, 3), ruled(torch, rule)
    for randomness in ("error", "different", "same"):
        assert close(torch.vmap(function.apply, randomness=randomness)(x), x.sin(), 1e-6)
        wanted = "VmapInfo", ("batch_size", "randomness"), (2, randomness), (0,), (2, 3)
        assert seen.pop() == wanted
    torch.vmap(lambda row: function.apply(row, 2, [row, None, 3.0]))(x)
    assert seen.pop()[3] == (0, None, [0, None, None])
    assert function.apply(x).shape == (2, 3) and not seen


@row("T227")
def test_t227_what_a_rule_returns(torch: Any) -> None:
    x = torch.arange(6.0).reshape(2, 3)

    def with_rule(give: Any) -> Any:
        return torch.vmap(ruled(torch, lambda info, dims, x: give(x)).apply)(x)

    assert close(with_rule(lambda x: (x.sin().mT, 1)), x.sin(), 1e-6)
    assert close(with_rule(lambda x: (x.sin().mT, -1)), x.sin(), 1e-6)
    assert close(with_rule(lambda x: (x[0].sin(), None)), x[0].sin().expand(2, 3), 1e-6)
    pair = with_rule(lambda x: ((x.sin(), x.sum()), (0, None)))
    assert type(pair) is tuple and same(pair[1], [15.0, 15.0])
    assert same(with_rule(lambda x: ((x.sin(), x), 0))[1], x.tolist())
    text = "Expected the vmap staticmethod to have two returns, an output and out_dims with pytree structure compatible"
    for give in (lambda x: x.sin(), lambda x: (x.sin(), 0, 1)):
        with raises(RuntimeError, text):
            with_rule(give)
    text = "The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) tuple. Expected out_dims="
    for give in (lambda x: (x, (0, 0)), lambda x: ((x, x), (0, 0, 0)), lambda x: ((x, x), [0, 0])):
        with raises(RuntimeError, text):
            with_rule(give)
    text = "Dimension out of range (expected to be in range of [-2, 1], but got 5)"
    with raises(IndexError, text):
        with_rule(lambda x: (x.sin(), 5))


@row("T227")
@row("T228")
def test_t227_t228_one_rule_and_no_other(torch: Any) -> None:
    x = torch.ones(2, 3)
    more = "For more details, please see https://pytorch.org/docs/"
    none = type("SC", (Sine, torch.autograd.Function), {})
    with raises(RuntimeError, (
        "You tried to vmap over SC, but it does not have vmap support. Please override and implement the vmap "
        f"staticmethod or set generate_vmap_rule=True. {more}"
    )):  # fmt: skip
        torch.vmap(none.apply)(x)
    both = ruled(torch, lambda info, dims, x: (x, 0), generate_vmap_rule=True)
    with raises(RuntimeError, (
        "You tried to vmap over Ruled, but it has both generate_vmap_rule=True and an overridden vmap staticmethod. "
        f"Please set generate_vmap_rule=False or delete the overridden vmap staticmethod to avoid ambiguity. {more}"
    )):  # fmt: skip
        torch.vmap(both.apply)(x)
    assert both.apply(x).shape == none.apply(x).shape == (2, 3)
    with raises(NotImplementedError, (
        "To use autograd.Function with vmap, you must either override the vmap staticmethod or set "
        "generate_vmap_rule=True."
    )):  # fmt: skip
        torch.autograd.Function.vmap(None, None, x)


@row("T228")
def test_t228_under_every_transform(torch: Any) -> None:
    """The rule is made of forward, backward and jvp."""
    function = type("G", (Sine, torch.autograd.Function), {"generate_vmap_rule": True}).apply
    func, x = torch.func, torch.tensor([[0.5, 1.0, 2.0], [2.0, -1.0, 0.1]])
    assert close(torch.vmap(function, in_dims=1, out_dims=1)(x), x.sin(), 1e-6)
    assert close(torch.vmap(torch.vmap(function))(x), x.sin(), 1e-6)
    assert close(torch.vmap(func.grad(lambda x: function(x).sum()))(x), x.cos(), 1e-6)
    for made in (
        func.jvp(torch.vmap(function), (x,), (2 * x,)),
        torch.vmap(lambda x: func.jvp(function, (x,), (2 * x,)))(x),
    ):
        assert close(made[0], x.sin(), 1e-6) and close(made[1], 2 * x * x.cos(), 1e-6)
    for jacobian in (func.jacrev, func.jacfwd):
        assert close(jacobian(function)(x[0]), torch.diag(x[0].cos()), 1e-6)
    assert close(func.hessian(lambda x: function(x).sum())(x[0]), torch.diag(-x[0].sin()), 1e-6)


@row("T228")
def test_t228_generate_vmap_rule(torch: Any) -> None:
    assert torch.autograd.Function.generate_vmap_rule is False

    class Sine(torch.autograd.Function):  # type: ignore[misc]
        generate_vmap_rule = True

        @staticmethod
        def forward(x: Any) -> Any:
            assert x.dim() == 1
            return x.sin()

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return g * x.cos()

    x = torch.tensor([[0.5, 1.0], [2.0, -1.0]], requires_grad=True)
    made = torch.vmap(Sine.apply)(x)
    assert close(made, x.sin(), 1e-6)
    made.sum().backward()
    assert close(x.grad, x.cos(), 1e-6)


def test_meets_twice_and_in_between(torch: Any) -> None:
    """Examples meet at each call, whatever each computes in between."""
    calls: list[Any] = []
    function = scaled(torch, calls)
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    one = torch.tensor(2.0)

    def twice(a: Any) -> Any:
        return function.apply(function.apply(a, one).square(), a.sum())

    made = torch.vmap(twice)(x)
    assert close(made, (2 * x).square() * x.sum(1, keepdim=True), 1e-6)
    assert [call[2] for call in calls] == [(0, None), (0, 0)]


def test_error_in_one_example_ends_all(torch: Any) -> None:
    function = scaled(torch, [])
    x, one = torch.ones(3, 2), torch.tensor(2.0)

    def failing(a: Any) -> Any:
        function.apply(a, one)
        raise KeyError("mine")

    with raises(KeyError, "'mine'"):
        torch.vmap(failing)(x)
    assert same(torch.vmap(lambda a: function.apply(a, one))(x), [[2.0, 2.0]] * 3)


def test_nested_with_a_rule(torch: Any) -> None:
    calls: list[Any] = []
    function = scaled(torch, calls)
    x, one = torch.arange(12.0).reshape(2, 3, 2), torch.tensor(2.0)
    made = torch.vmap(torch.vmap(lambda a: function.apply(a, one)))(x)
    assert same(made, (2 * x).tolist())
    assert calls[0][2:] == ((0, None), (3, 2)) and calls[-1][3] == (2, 3, 2)


def test_dims(torch: Any) -> None:
    x, y = torch.arange(6.0).reshape(2, 3), torch.arange(3.0)
    assert same(torch.vmap(torch.dot)(x, torch.ones(2, 3)), [3.0, 12.0])
    assert same(torch.vmap(torch.dot, in_dims=(0, None))(x, y), [5.0, 14.0])
    assert same(torch.vmap(lambda a: a * 2, in_dims=1, out_dims=1)(x), (2 * x).tolist())
    assert same(torch.vmap(lambda a: a * 2, in_dims=1)(x), (2 * x).t().tolist())
    both = torch.vmap(lambda p: {"s": p["a"].sum(), "d": p["a"] - p["b"]})({"a": x, "b": x})
    assert same(both["s"], [3.0, 12.0]) and same(both["d"], [[0.0] * 3] * 2)
    a, b = torch.vmap(lambda a: (a, a.sum()), out_dims=(1, 0), chunk_size=1)(x)
    assert tuple(a.shape) == (3, 2) and same(b, [3.0, 12.0])
    outer = torch.vmap(torch.vmap(torch.mul, in_dims=(None, 0)), in_dims=(0, None))(y, y)
    assert same(outer, [[0.0, 0.0, 0.0], [0.0, 1.0, 2.0], [0.0, 2.0, 4.0]])


def test_gradients_go_through(torch: Any) -> None:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    torch.vmap(lambda a: (a * a).sum())(x).sum().backward()
    assert same(x.grad, [[2.0, 4.0], [6.0, 8.0]])
    per_example = torch.vmap(torch.func.grad(lambda a: (a**3).sum()))(x.detach())
    assert same(per_example, [[3.0, 12.0], [27.0, 48.0]])


def test_randomness(torch: Any) -> None:
    x = torch.zeros(3, 2)

    def noisy(a: Any) -> Any:
        return a + torch.randn(2)

    with raises(RuntimeError, "vmap: called random operation while in randomness error mode."):
        torch.vmap(noisy)(x)
    alike = torch.vmap(noisy, randomness="same")(x)
    assert same(alike[0], alike[1].tolist()) and same(alike[1], alike[2].tolist())
    after = torch.vmap(noisy, randomness="same")(x)
    assert not same(alike, after.tolist())
    others = torch.vmap(noisy, randomness="different")(x)
    assert not same(others[0], others[1].tolist())
    with raises(RuntimeError, "Only allowed values for randomness are 'error', 'different', or"):
        torch.vmap(noisy, randomness="foo")


def test_writes_to_what_all_examples_share(torch: Any) -> None:
    """The function runs once: a number of all may be written there, those of an example may not."""
    x = torch.arange(6.0).reshape(2, 3)
    several = torch.ones(3)

    def doubling(a: Any) -> Any:
        several.mul_(2)
        return a * several

    def into(a: Any) -> Any:
        return several.add_(a)

    def stored(a: Any) -> Any:
        several[0] = a[0]
        return several + a

    assert same(torch.vmap(doubling)(x), (2 * x).tolist()) and same(several, [2.0] * 3)
    for f in (into, stored):
        with raises(RuntimeError, "vmap: inplace arithmetic(self, *extra_args) is not possible"):
            torch.vmap(f)(x)
    assert same(several, [2.0] * 3)
    made = torch.vmap(lambda a, b: a * b.exp_(), in_dims=(0, None))(x, torch.zeros(3))
    assert same(made, x.tolist())
    made = torch.vmap(lambda a: a.clone().mul_(2) + torch.zeros(3).fill_(1.0))(x)
    assert same(made, (2 * x + 1).tolist())
    given = x.clone()
    assert same(torch.vmap(lambda a: a.add_(1))(given), (x + 1).tolist())
    assert same(given, (x + 1).tolist())


def test_a_checkpoint_in_an_example_draws_nothing(torch: Any) -> None:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    kept = torch.utils.checkpoint.checkpoint
    made = torch.vmap(
        torch.func.grad(lambda a: kept(lambda b: (b**3).sum(), a, use_reentrant=False))
    )(x)
    assert same(made, (3 * x * x).tolist())


def test_refusals(torch: Any) -> None:
    x = torch.ones(2, 3)
    with raises(ValueError, "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes [2, 3]"):  # fmt: skip
        torch.vmap(lambda a, b: a)(x, x.t())
    with raises(ValueError, "vmap(<lambda>, ...): `<lambda>` must only return Tensors, got type <class 'float'>."):  # fmt: skip
        torch.vmap(lambda a: 3.0)(x)
    with raises(ValueError, "vmap(<lambda>, ...): `<lambda>` can not return a BatchedTensor when"):
        torch.vmap(lambda a: a * torch.tensor(2.0), out_dims=None)(torch.arange(3.0))
    with raises(ValueError, "vmap(<lambda>, in_dims=5, ...)(<inputs>): Got in_dim=5 for some"):
        torch.vmap(lambda a: a, in_dims=5)(x)
    with raises(ValueError, "vmap(<lambda>, in_dims=0, ...)(<inputs>): Got in_dim=0 for an input"):
        torch.vmap(lambda a: a)(3.0)
    with raises(ValueError, "vmap(<lambda>)(<inputs>): got no inputs."):
        torch.vmap(lambda: x)()
    with raises(ValueError, "vmap: chunk_size should be None or greater than 0. (got 0)"):
        torch.vmap(lambda a: a, chunk_size=0)(x)
