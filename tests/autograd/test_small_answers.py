"""Small answers of tensors that programs rely on, each as a text that is true on torch as well."""

from __future__ import annotations

import copy
import pickle
from importlib import import_module
from typing import Any

import pytest

from .surface import raises

TRUE = """
torch.ones(4, 4)[[[0, 1], [2, 3]]].shape == (2,)
torch.ones(4, 4)[[[0], [1]]].shape == (1,)
torch.ones(4, 4)[[[0, 1]]].shape == (2, 4)
torch.ones(4, 4)[[0, 1]].shape == (2, 4)
torch.ones(4, 4)[[slice(None), [1, 2]]].shape == (4, 2)
torch.ones(4, 4, 4)[[[[0, 1], [1, 2]]]].shape == (2, 2, 4, 4)
torch.ones(4, 4)[[torch.tensor([1, 2]), torch.tensor([0, 3])]].shape == (2,)
torch.ones(4, 4)[[[True, False, True, False], [0, 1]]].shape == (2,)
torch.ones(40, 2)[[[0, 1]] * 33].shape == (33, 2, 2)
torch.ones(4, 4)[([[0, 1], [1, 2]],)].shape == (2, 2, 4)
torch.ones(2, dtype=torch.float32).new().dtype is torch.float32
torch.ones(2).new(2, 3).shape == (2, 3) and torch.ones(2).new([1.0, 2.0]).tolist() == [1, 2]
torch.LongTensor([1, 2]).dtype is torch.int64 and torch.FloatTensor(2, 3).shape == (2, 3)
isinstance(torch.ones(2).double(), torch.DoubleTensor) and not isinstance(torch.ones(2).long(), torch.IntTensor)
torch.ones(2).type(torch.IntTensor).dtype is torch.int32
torch.ones(2).type('torch.DoubleTensor').dtype is torch.float64
float(torch.tensor(1 + 0j)) == 1.0 and int(torch.tensor(2 + 0j)) == 2
torch.isin(torch.tensor([1, 2, 3]), torch.tensor([2, 3])).tolist() == [False, True, True]
torch.isin(torch.tensor([1, 2]), 2, invert=True).tolist() == [True, False]
not torch.isin(torch.ones(2, requires_grad=True), torch.ones(1)).requires_grad
(lambda x: x.positive() is x and torch.broadcast_tensors(x, x)[0] is x)(torch.ones(2))
torch.kron(torch.ones(2, dtype=torch.float32), torch.ones(2, dtype=torch.int64)).dtype is torch.float32
torch.angle(torch.tensor([1, -1])).dtype is torch.float32
torch.angle(torch.ones(2, requires_grad=True)).grad_fn.name() == 'AngleBackward0'
torch.copysign(torch.ones(2), torch.ones(2, requires_grad=True)).requires_grad
torch.addcmul(torch.ones(2), torch.tensor([1, 2]), torch.tensor([3, 4]), value=0.5).tolist() == [2.5, 5]
torch.mode(torch.tensor(3.0)).values == 3 and torch.mode(torch.tensor(3.0)).indices == 0
torch.norm(torch.tensor(3.0), 2, 0) == 3 and torch.norm(torch.tensor(-3.0), 2, 0, keepdim=True).shape == ()
(lambda x: (x.resize_(3), x._version)[1])(torch.ones(5)) == 1
(lambda x: (x.resize_(5), x._version)[1])(torch.ones(5)) == 0
(lambda x: (x.resize_as_(torch.ones(2, 2)), x.shape)[1])(torch.ones(5)) == (2, 2)
(lambda v, m: v.grad_fn is m.grad_fn and v.grad_fn.name() == 'VarMeanBackward0')(*torch.var_mean(torch.ones(3, requires_grad=True)))
(lambda a: (lambda b: (a * b).grad_fn._saved_other is b)(a * a))(torch.ones(2, requires_grad=True))
not torch.ones(4, requires_grad=True).clone().unsafe_split_with_sizes([2, 2])[0]._is_view()
not torch.unsafe_chunk(torch.ones(4), 2)[0]._is_view()
functions.Resize.apply(torch.ones(4, requires_grad=True), (2, 2)).shape == (2, 2)
torch.empty_strided((2, 3), (1, 2)).stride() == (1, 2) and torch.empty_strided((2, 2), (4, 2)).storage_offset() == 0
torch.unique_consecutive(torch.tensor([[1, 1], [1, 1], [2, 1]]), dim=0).tolist() == [[1, 1], [2, 1]]
[one.tolist() for one in torch.unique_consecutive(torch.tensor([[1, 1], [2, 2]]), return_inverse=True, return_counts=True, dim=1)] == [[[1], [2]], [0, 0], [2]]
torch._C._current_graph_task_id() == -1 and torch._C._current_autograd_node() is None
not torch.is_warn_always_enabled()
issubclass(torch.autograd.graph.Node, torch.autograd.graph.Node)
issubclass(torch._C._functions.DelayedError, torch.autograd.graph.Node)
torch._C._autograd._saved_tensors_hooks_is_enabled() and torch.autograd.is_multithreading_enabled()
not torch.autograd._profiler_enabled()
torch.autograd.grad((lambda x: x.mean())(X), X)[0].mul_(2).tolist() == [0.5, 0.5, 0.5, 0.5]
"""  # X: four ones that require grad


def scope(torch: Any, **values: Any) -> dict[str, Any]:
    """What the texts may name."""
    functions = import_module(f"{torch.__name__}.autograd._functions")
    return {"torch": torch, "functions": functions, **values}


@pytest.mark.parametrize("text", TRUE.strip().splitlines())
@pytest.mark.filterwarnings("ignore:Using a non-tuple sequence")
def test_it_is_true(torch: Any, text: str) -> None:
    assert eval(text, scope(torch, X=torch.ones(4, requires_grad=True)))


SAME_GRADIENT = [
    ("torch.angle(x)", [0, 0]),
    ("torch.copysign(torch.ones(2), x)", [0, 0]),
    ("torch.copysign(x * x, x)", [2, 4]),
    ("torch.nanmedian(x / 0 * 0)", [float("nan"), float("nan")]),
    ("sum(torch.var_mean(x, 0))", [3.5, -2.5]),
    ("sum(torch.std_mean(x, 0))", [1.2071, -0.2071]),
    ("torch._C._functions.UndefinedGrad()(x) + x", [1, 1]),
]


@pytest.mark.parametrize(("text", "expected"), SAME_GRADIENT)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_gradients(torch: Any, text: str, expected: list[float]) -> None:
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    eval(text, scope(torch, x=x)).sum().backward()
    assert torch.allclose(
        x.grad, torch.tensor(expected, dtype=torch.float32), atol=1e-4, equal_nan=True
    )


REFUSED: list[tuple[str, type[BaseException], str]] = [
    ("float(torch.tensor(1 + 2j))", RuntimeError, "value cannot be converted to type double without overflow"),
    ("setattr(x, 'data', None)", TypeError, "Variable data has to be a tensor, but got NoneType"),
    ("delattr(x, 'requires_grad')", RuntimeError, "requires_grad must be a bool"),
    ("delattr(x, '_backward_hooks')", RuntimeError, "Deletion of _backwards_hooks not allowed!"),
    ("torch._C._functions.DelayedError('no', 1)(x).sum().backward()", RuntimeError, "no"),
    ("functions.Resize.apply(x, (3,))", RuntimeError, "requested resize to 3 (3 elements in total)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "message"), REFUSED)
def test_it_is_refused(torch: Any, text: str, kind: Any, message: str) -> None:
    with raises(kind, message):
        eval(text, scope(torch, x=torch.ones(2, requires_grad=True)))


def test_the_type_of_a_gradient(torch: Any) -> None:
    class Wide(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            return bar.to(torch.float64)

    x = torch.ones(2, requires_grad=True)
    recorded = x.clone()  # the end of the graph at x is there before the type is chosen
    for kind, arrives in (
        (torch.float32, torch.float32), (None, torch.float64), (torch.float16, torch.float16),
    ):  # fmt: skip
        x.grad = None
        x.grad_dtype = kind
        Wide.apply(x).sum().backward()
        assert x.grad.dtype is arrives
    text = "Cannot set grad_dtype to 'Float' because there is already a gradient with dtype 'c10::Half'."
    with raises(RuntimeError, text):
        x.grad_dtype = torch.float32
    with raises(RuntimeError, "grad_dtype can only be accessed on leaf tensors."):
        recorded.grad_dtype  # noqa: B018


def test_notes_on_a_tensor(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    x.tag = ["own"]
    y = copy.deepcopy(x)
    assert y.tag == x.tag and y.tag is not x.tag and y.requires_grad
    assert pickle.loads(pickle.dumps(x)).tag == ["own"]
    assert not hasattr(x.clone(), "tag") and not hasattr(x.detach(), "tag")


def test_hooks_by_their_dict(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    x._backward_hooks = {}
    seen: list[Any] = []
    x._backward_hooks["own"] = lambda bar: seen.append(bar.tolist())
    (x * 2).sum().backward()
    assert seen == [[2, 2]]


def test_writes_that_are_not_counted(torch: Any) -> None:
    x, y = torch.ones(2).add_(1), torch.ones(2)
    with torch.autograd._unsafe_preserve_version_counter((x, y)):
        x.mul_(2)
        y.mul_(3).add_(1)
    assert (x._version, y._version) == (1, 0)
    torch._C._autograd._unsafe_set_version_counter((x,), (5,))
    assert x._version == 5
    with raises(RuntimeError, "Cannot set a version_counter to a value below 0: -1"):
        torch._C._autograd._unsafe_set_version_counter((x,), (-1,))


def test_what_a_hook_knows_of_its_pass(torch: Any) -> None:
    told: list[Any] = []
    keeps = torch._C._autograd._get_current_graph_task_keep_graph
    x = torch.ones(2, requires_grad=True).clone()
    x.register_hook(lambda bar: told.append((torch._C._current_graph_task_id(), keeps())))
    for keep in (True, False):
        x.sum().backward(retain_graph=keep)
    assert told[1][0] - told[0][0] == 1 and [kept for _, kept in told] == [True, False]


def test_warnings_that_are_given_once_or_always(torch: Any) -> None:
    torch.set_warn_always(True)
    try:
        for _ in range(2):
            x = torch.ones(2, requires_grad=True)
            with pytest.warns(UserWarning, match="create_graph=True will create a reference cycle"):
                (x * x).sum().backward(create_graph=True)
            x.grad = None
    finally:
        torch.set_warn_always(False)


@pytest.mark.filterwarnings("default:Using a non-tuple sequence")
def test_lists_of_lists_are_told_of(torch: Any) -> None:
    x = torch.ones(3, 3, requires_grad=True)
    with pytest.warns(
        UserWarning, match="Using a non-tuple sequence for multidimensional indexing"
    ):
        y = x[[[0, 0], [1, 1]]]
    y.sum().backward()
    assert x.grad.tolist() == [[0, 2, 0], [0, 0, 0], [0, 0, 0]]


# -- strict modes -------------------------------------------------------------------------------------

OUTPUT = "Output 0 of the user-provided function does not require gradients."
INDEPENDENT = "The output of the user-provided function is independent of input 0."
CONSTANT = "The jacobian of the user-provided function is independent of input 0. This is not allowed in strict mode when"
LINEAR = (
    "While computing the hessian, found that the jacobian of the user-provided function with respect to input 0 is "
    "independent of the input. This is not allowed in strict mode. You should ensure that your function is twice "
    "differentiable and that the jacobian depends on the inputs (this would be violated by a linear function for example)."
)
STRICT = [
    ("vjp", "a.detach()", OUTPUT), ("jvp", "a.detach()", OUTPUT), ("jacobian", "a.detach()", OUTPUT),
    ("hessian", "a.detach().sum()", OUTPUT), ("vhp", "a.detach().sum()", OUTPUT), ("hvp", "a.detach().sum()", OUTPUT),
    ("vjp", "unrelated(a)", INDEPENDENT), ("jvp", "unrelated(a)", INDEPENDENT),
    ("jacobian", "unrelated(a)", "Output 0 of the user-provided function is independent of input 0."),
    ("hessian", "unrelated(a).sum()", LINEAR), ("vhp", "unrelated(a).sum()", INDEPENDENT),
    ("hvp", "unrelated(a).sum()", INDEPENDENT),
    ("vjp", "a.clone()", CONSTANT), ("jvp", "a.clone()", CONSTANT), ("jacobian", "a.clone()", CONSTANT),
    ("hessian", "(3 * a).sum()", LINEAR), ("vhp", "(3 * a).sum()", LINEAR), ("hvp", "(3 * a).sum()", LINEAR),
]  # fmt: skip


@pytest.mark.parametrize(("name", "body", "message"), STRICT)
def test_strict(torch: Any, name: str, body: str, message: str) -> None:
    def unrelated(a: Any) -> Any:
        return a.long().float().requires_grad_().clone()

    scope = {"unrelated": unrelated}
    f = eval(f"lambda a: {body}", scope)
    x = torch.rand(3).requires_grad_(message == CONSTANT)
    given = (x,) if name in ("jacobian", "hessian") else (x, torch.ones(3))
    create = {"create_graph": True} if message == CONSTANT else {}
    with raises(RuntimeError, message):
        getattr(torch.autograd.functional, name)(f, *given, strict=True, **create)
    getattr(torch.autograd.functional, name)(f, *given, strict=False, **create)


# -- gradcheck ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("second", "undefined", "batched", "count"),
    [(True, False, False, 2), (True, True, False, 6), (True, True, True, 12), (False, False, False, 1), (False, True, True, 5)],
)  # fmt: skip
def test_how_often_gradcheck_pushes(
    torch: Any, second: bool, undefined: bool, batched: bool, count: int
) -> None:
    ran: list[bool] = []

    class Both(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            if torch.autograd.forward_ad._current_level >= 0:
                ran.extend(one.requires_grad for one in (x, y))
            return x.clone(), y.clone()

        @staticmethod
        def jvp(ctx: Any, s: Any, t: Any) -> Any:
            pushed.append(s)
            return s, t

    pushed: list[Any] = []
    x, y = (torch.rand(1, dtype=torch.float64, requires_grad=one) for one in (True, second))
    import_module(f"{torch.__name__}.autograd.gradcheck").gradcheck(
        Both.apply, (x, y), check_forward_ad=True, check_backward_ad=False, check_undefined_grad=undefined,
        check_batched_forward_grad=batched,
    )  # fmt: skip
    assert len(pushed) == count and not any(ran)


def test_gradcheck_refuses_random_numbers_in_a_batch(torch: Any) -> None:
    class Noisy(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def vjp(ctx: Any, bar: Any) -> Any:
            return bar * 2

        @staticmethod
        def jvp(ctx: Any, t: Any) -> Any:
            torch.randn_like(t)
            return t * 2

    x = torch.rand(2, dtype=torch.float64, requires_grad=True)
    text = "While computing batched gradients, got: vmap: We do not yet support calling random operations inside"
    with raises(RuntimeError, text):
        torch.autograd.gradcheck(
            Noisy.apply, (x,), check_forward_ad=True, check_batched_forward_grad=True
        )


@pytest.mark.parametrize("what", ["shape", "dtype"])
def test_gradcheck_wants_results_of_one_kind(torch: Any, what: str) -> None:
    def f(x: Any) -> Any:
        if (x >= 1).all():
            return torch.cat([x, x]) if what == "shape" else x.to(torch.float32)
        return x

    x = torch.ones(1, dtype=torch.float64, requires_grad=True)
    text = f"Expected `func` to return outputs with the same {what} when inputs are perturbed"
    with raises(AssertionError, text):
        torch.autograd.gradcheck(f, (x,))
