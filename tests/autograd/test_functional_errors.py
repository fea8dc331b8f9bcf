"""What `autograd.functional` says of wrong arguments, functions and results: the words of torch, over a table."""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import retrograd

from .surface import raises

NAMES = ("vjp", "jvp", "vhp", "hvp", "jacobian", "hessian")
WITH_V = ("vjp", "jvp", "vhp", "hvp")

# Of one input, and of two; the numbers are those of scalar functions too.
INPUTS: dict[str, Callable[[Any], Any]] = {
    "one": lambda t: t.ones(2),
    "one number": lambda t: t.ones(1),
    "tuple of one": lambda t: (t.ones(2),),
    "two": lambda t: (t.ones(2), t.ones(2)),
    "list": lambda t: [t.ones(2)],
    "number": lambda t: 1.0,
    "None": lambda t: None,
    "text": lambda t: "x",
    "tuple with a number": lambda t: (t.ones(2), 1.0),
    "tuple with a list": lambda t: (t.ones(2), [t.ones(2)]),
    "empty": lambda t: (),
    "integers": lambda t: t.tensor([1, 2]),
    "complex": lambda t: t.ones(2, dtype=t.complex64),
    "requiring": lambda t: t.ones(2, requires_grad=True),
}
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sum of squares": lambda t: lambda *xs: sum((x * x).sum() for x in xs),
    "squares": lambda t: lambda *xs: xs[0] * xs[0] if xs else t.ones(1),
    "linear": lambda t: lambda *xs: xs[0].sum(),
    "constant": lambda t: lambda *xs: t.ones(()),
    "detached": lambda t: lambda *xs: xs[0].detach().sum(),
    "of the second": lambda t: lambda *xs: (xs[-1] ** 3).sum(),
    "pair": lambda t: lambda *xs: (xs[0].sum(), (xs[0] ** 2).sum()),
    "tuple of one": lambda t: lambda *xs: ((xs[0] ** 2).sum(),),
    "list": lambda t: lambda *xs: [xs[0].sum()],
    "number": lambda t: lambda *xs: 1.0,
    "None": lambda t: lambda *xs: None,
    "tuple with a number": lambda t: lambda *xs: (xs[0].sum(), 1.0),
    "empty": lambda t: lambda *xs: (),
    "one of shape 1": lambda t: lambda *xs: (xs[0] ** 2).sum().reshape(1),
    "of shape 1, 1": lambda t: lambda *xs: (xs[0] ** 2).sum().reshape(1, 1),
    "part constant": lambda t: lambda *xs: ((xs[0] ** 2).sum(), t.ones(())),
}
VECTORS: dict[str, Callable[[Any], Any]] = {
    "none": lambda t: None,
    "fits": lambda t: t.ones(2),
    "number": lambda t: 1.0,
    "list": lambda t: [t.ones(2)],
    "long": lambda t: t.ones(3),
    "rank": lambda t: t.ones(2, 1),
    "0-d": lambda t: t.ones(()),
    "two": lambda t: (t.ones(2), t.ones(2)),
    "two, one long": lambda t: (t.ones(2), t.ones(3)),
    "three": lambda t: (t.ones(2), t.ones(2), t.ones(2)),
    "with a number": lambda t: (t.ones(2), 2.0),
    "empty": lambda t: (),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "strict": {"strict": True},
    "graph": {"create_graph": True},
    "strict graph": {"create_graph": True, "strict": True},
}
OF_MATRICES: dict[str, dict[str, Any]] = {
    "vectorize": {"vectorize": True},
    "vectorize strict": {"vectorize": True, "strict": True},
    "vectorize graph": {"vectorize": True, "create_graph": True},
    "forward": {"strategy": "forward-mode"},
    "forward vectorize": {"strategy": "forward-mode", "vectorize": True},
    "forward strict": {"strategy": "forward-mode", "strict": True, "vectorize": True},
    "forward graph": {"strategy": "forward-mode", "create_graph": True, "vectorize": True},
    "other": {"strategy": "sideways"},
}


def calls() -> dict[str, Callable[[Any], Any]]:
    """The calls by what they are."""
    found: dict[str, Callable[[Any], Any]] = {}

    def add(name: str, f: str, x: str, v: str | None, option: str, kwargs: dict[str, Any]) -> None:
        def call(t: Any) -> Any:
            given = () if v is None else (VECTORS[v](t),)
            return getattr(t.autograd.functional, name)(
                FUNCTIONS[f](t), INPUTS[x](t), *given, **kwargs
            )

        found[f"{name}({f}; {x}; {v}; {option})"] = call

    for name, (option, kwargs) in itertools.product(NAMES, OPTIONS.items()):
        v = "none" if name in WITH_V else None
        for f, x in itertools.product(FUNCTIONS, INPUTS):
            add(name, f, x, v, option, kwargs)
            if v is not None and x in ("one", "two"):
                add(name, f, x, "fits" if x == "one" else "two", option, kwargs)
    for name, v, x in itertools.product(
        WITH_V, VECTORS, ("one", "one number", "tuple of one", "two")
    ):
        add(name, "sum of squares", x, v, "plain", {})
        add(name, "squares", x, v, "plain", {})
        add(name, "pair", x, v, "plain", {})
    for name, (option, kwargs) in itertools.product(("jacobian", "hessian"), OF_MATRICES.items()):
        if name == "hessian" and "strategy" in kwargs:
            kwargs = dict(kwargs, outer_jacobian_strategy=kwargs["strategy"])
            del kwargs["strategy"]
        for f, x in itertools.product(FUNCTIONS, INPUTS):
            add(name, f, x, None, option, kwargs)
    return found


CALLS = calls()


def said(module: Any, call: Callable[[Any], Any]) -> str:
    """The error of a call, in words that are the same for both modules; empty if there is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call(module)
        except Exception as error:
            kind = next(k for k in type(error).__mro__ if k.__module__ == "builtins")
            return re.sub(
                r"retrograd(\.[\w.]*tensor\.tensor)?", "torch", f"{kind.__name__}: {error}"
            )
    return ""


# What torch says by accident: it has lost the name of its function, or takes the first of no gradients.
ACCIDENTS = ("TypeError: The outputs given to None ", "IndexError: tuple index out of range")


@pytest.mark.slow
def test_words() -> None:
    torch = pytest.importorskip("torch")
    wrong, refused = {}, set()
    for name, call in CALLS.items():
        theirs, ours = said(torch, call), said(retrograd, call)
        refused.add(theirs)
        if theirs != ours and not theirs.startswith(ACCIDENTS):
            wrong[name] = theirs, ours
    assert not wrong, "\n".join(f"{k}\n    {a}\n    {b}" for k, (a, b) in wrong.items())
    assert len(refused) > 90, len(refused)


GIVEN = "must be either a Tensor or a tuple of Tensors but the"


@pytest.mark.parametrize("name", NAMES)
def test_outputs_that_are_no_tensors(name: str) -> None:
    function, x = getattr(retrograd.autograd.functional, name), retrograd.ones(1)
    outputs = "outputs of the user-provided function"
    for value, kind in ((1.0, "float"), ([x], "list"), (None, "NoneType")):
        text = f"The {outputs} given to {name} {GIVEN} given {outputs} has type <class '{kind}'>."
        with raises(TypeError, text):
            function(lambda x, value=value: value, x)
    with raises(
        TypeError, f"The {outputs} given to {name} {GIVEN} value at index 1 has type <class 'int'>."
    ):
        function(lambda x: (x, 1), x)
    with raises(
        TypeError, f"The inputs given to {name} {GIVEN} given inputs has type <class 'int'>."
    ):
        function(lambda x: x, 1)
