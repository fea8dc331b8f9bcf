"""Under `vmap` a method does what the function of its name does: its rule, or one example after the other."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import retrograd
from retrograd.runtime.eager.api import FUNCTIONS

from .calls import Call, parts
from .surface import close, raises
from .test_calls import CALLS

LEAF = re.compile(r"(x|p|c|spd|v|n|b|w)$")


def in_two_ways(text: str) -> tuple[str, str] | None:
    """A call of a leaf as that of a function and of a method; None where there are not both."""
    call = ast.parse(text, mode="eval").body
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    name, owner = call.func.attr, call.func.value
    args = call.args if ast.unparse(owner) == "torch" else [owner, *call.args]
    is_leaf = args and isinstance(args[0], ast.Call) and LEAF.match(ast.unparse(args[0].func))
    if not is_leaf or not hasattr(retrograd.Tensor, name) or name not in FUNCTIONS:
        return None
    first, *rest = map(ast.unparse, [*args, *call.keywords])
    found = f"torch.{name}({', '.join([first, *rest])})", f"{first}.{name}({', '.join(rest)})"
    return found


BOTH = {text: in_two_ways(text) for _, text in CALLS if in_two_ways(text) is not None}


def outcome(text: str, rows: list[Any]) -> Any:
    """The values under `vmap`, or the error, and what was warned of."""

    def function(*leaves: Any) -> Any:
        made = parts(Call(text, seed=0).run(retrograd, list(leaves)))
        return tuple(one for one in made if isinstance(one, retrograd.Tensor))

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            made = retrograd.vmap(function)(*[retrograd.from_numpy(row.copy()) for row in rows])
            found = [one.resolve_conj().numpy().tolist() for one in made]
        except Exception as error:
            found = [type(error).__name__, str(error)]
    return found, sorted({str(w.message) for w in caught if "batching rule" in str(w.message)})


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", BOTH)
def test_methods_as_functions(text: str) -> None:
    function, method = BOTH[text] or ("", "")
    call = Call(function, seed=0)
    call.run(retrograd)
    rows = [np.stack([a, 0.97 * a, 1.03 * a]) for a in call.arrays]
    np.testing.assert_equal(outcome(method, rows), outcome(function, rows))


NAMES = sorted(
    name for name, found in vars(retrograd.Tensor).items() if name in FUNCTIONS and isinstance(found, FunctionType)
)  # fmt: skip
GIVEN = {
    "nothing": lambda a: (), "axis": lambda a: (0,), "number": lambda a: (2,), "slope": lambda a: (0.5,),
    "tensor": lambda a: (a.mT.clone(),), "two axes": lambda a: (0, 1), "numbers": lambda a: (0.25, 0.75),
    "two tensors": lambda a: (a + 1, a + 2), "shape": lambda a: ((9,),), "sizes": lambda a: ([1, 2], 0),
    "places": lambda a: (0, retrograd.tensor([0, 2])), "put": lambda a: (0, retrograd.tensor([[0, 2, 1]]), a),
    "mask": lambda a: (a > 0.5,), "filled": lambda a: (a > 0.5, 3.0), "chosen": lambda a: (0, retrograd.tensor([0, 1, 2]), a),
    "type": lambda a: (retrograd.float64,), "whole": lambda a: (retrograd.tensor([[0, 2, 1]]), a[:1]),
    "four": lambda a: (0, 1, 0, 1), "row": lambda a: (a[0],), "rows": lambda a: (a[0], a[1]), "part": lambda a: (0, 0, 2),
    "expanded": lambda a: ((2, *a.shape),), "unflattened": lambda a: (0, (3, 1)), "norm": lambda a: (2, 0, 1.0),
    "window": lambda a: (0, 2, 1), "gathered": lambda a: (0, (a * 0).long()), "vectors": lambda a: (a, a),
    "index_fill": lambda a: (0, retrograd.tensor([0, 2]), 2.0), "reduced": lambda a: (0, (a * 0).long(), a, "sum"),
    "index_reduced": lambda a: (0, retrograd.tensor([0, 1, 0]), a, "mean"), "masked": lambda a: (a > 0.5, a),
    "selected": lambda a: (a[0], 0, 1), "matrix and vector": lambda a: (a.outer(a), a), "halves": lambda a: ([1, 2],),
    "itself": lambda a: (a,), "batches": lambda a: (a.expand(2, 3, 3), a.expand(2, 3, 3)),
}  # fmt: skip
SECOND = {
    "polygamma",
    "where",
}  # the tensor with the method is not the first argument of the function
DRAWN = {"bernoulli", "bernoulli_", "multinomial"}
UNTRIED = {"baddbmm", "baddbmm_", "cholesky", "combinations", "dsplit", "is_nonzero", "lu_solve"}
X = np.random.default_rng(5).uniform(0.1, 0.9, (3, 3, 3))


def asked(call: Callable[[Any], Any], x: Any) -> tuple[Any, Any]:
    """What a call gives of tensors, or the error, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        retrograd.manual_seed(0)
        try:
            made = [one for one in parts(call(x)) if isinstance(one, retrograd.Tensor)]
            found = [one.numpy(force=True).tolist() for one in made]
        except Exception as error:
            found = [type(error).__name__, str(error)]
    return found, sorted({str(w.message) for w in caught if "batching rule" in str(w.message)})


def takes(name: str, x: Any, args: Any) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            getattr(x.clone(), name)(*args(x))
        except Exception:
            return False
    return True


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in SECOND])
def test_every_method(name: str) -> None:
    """With every kind of arguments that it takes."""
    x, tried = retrograd.tensor(X), 0
    for args in GIVEN.values():
        for y in (x, (x * 10).long(), x[:, 0], (x[:, 0] * 10).long()):
            if not takes(name, y[0], args):
                continue
            tried += 1
            ways = (
                lambda a, args=args: getattr(a.clone(), name)(*args(a)),
                lambda a, args=args: getattr(retrograd, name)(a.clone(), *args(a)),
            )
            found = [asked(retrograd.vmap(way, randomness="same"), y) for way in ways]
            np.testing.assert_equal(*found)
            values = found[0][0]
            if name not in DRAWN and not (values and isinstance(values[0], str)):
                for k, one in enumerate(y):
                    alone = asked(lambda a, way=ways[0]: way(a), one)[0]
                    for value, wanted in zip(values, alone, strict=True):
                        np.testing.assert_allclose(value[k], wanted, 1e-9, 1e-9)
    assert tried or name in UNTRIED


SLOW = {
    "median": lambda a: a.median(),
    "nanmedian": lambda a: a.nanmedian(),
    "quantile": lambda a: a.quantile(0.3),
    "unique": lambda a: a.argsort().unique() * a,
    "matrix_exp": lambda a: a.view(2, 2).matrix_exp(),
    "masked_select": lambda a: a.masked_select(a > a.median()),
    "index": lambda a: a.index_select(0, a.argsort()[:2]),
}


@pytest.mark.filterwarnings("ignore:There is a performance drop:UserWarning")
@pytest.mark.parametrize("name", SLOW)
def test_values_and_gradients(name: str) -> None:
    x = retrograd.tensor(np.random.default_rng(3).standard_normal((3, 4)), requires_grad=True)
    found = []
    for function in (
        retrograd.vmap(SLOW[name]),
        lambda x: retrograd.stack([SLOW[name](a) for a in x]),
    ):
        made = function(x)
        found.append((made, *retrograd.autograd.grad(made.pow(2).sum(), x)))
    assert all(close(a, b, 1e-12) for a, b in zip(*found, strict=True))


def test_the_warning() -> None:
    with pytest.warns(UserWarning, match="have not yet implemented the batching rule for median"):
        retrograd.vmap(lambda a: a.median())(retrograd.ones(2, 3))


def test_writes_are_refused() -> None:
    """Each example would be written to a copy of its own, and lost."""
    x = retrograd.arange(6.0).view(2, 3)

    def written(write: Callable[[Any], Any]) -> Any:
        def function(a: Any) -> Any:
            b = a.clone()
            write(b)
            return b

        return retrograd.vmap(function)(x)

    for write in (
        lambda b: b.masked_scatter_(b > 1, b),
        lambda b: retrograd.Tensor.masked_scatter_(b, b > 1, b),
    ):
        with raises(RuntimeError, ""):
            written(write)


def test_what_asks_for_a_number_is_refused() -> None:
    x = retrograd.ones(2, 3)
    for ask in (lambda a: a.sum().item(), lambda a: a.tolist(), lambda a: float(a[0])):
        with raises(RuntimeError, "vmap: It looks like you're calling .item() on a Tensor."):
            retrograd.vmap(lambda a, ask=ask: a * ask(a))(x)
