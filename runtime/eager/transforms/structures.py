"""What functions of functions are given and give: only tensors, in the structures that belong together."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...objects.pytree import children, leaves
from ..tensor.tensor import Tensor

__all__ = [
    "check_argnums",
    "check_cotangents",
    "check_inputs",
    "check_outputs",
    "check_real",
    "check_tangents",
    "said_of_arrays",
    "structure",
]


def structure(tree: Any) -> str:
    """The text of a structure, its leaves as stars.

    >>> structure((1, {"k": 2.0}))
    "(*, {'k': *})"
    """
    inner = children(tree)
    if inner is None or isinstance(tree, Tensor):
        return "*"
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{k!r}: {structure(v)}" for k, v in inner) + "}"
    items = [structure(item) for _, item in inner]
    if isinstance(tree, list):
        return f"[{', '.join(items)}]"
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def first_other(tree: Any) -> Any:
    """The first leaf that is no tensor."""
    return next((one for one in leaves(tree) if not isinstance(one, Tensor)), None)


def check_argnums(numbers: tuple[int, ...], args: tuple[Any, ...]) -> None:
    for k in numbers:
        if not -len(args) <= k < len(args):
            raise RuntimeError(f"Got argnum={k}, but only {len(args)} positional inputs")


def said_of_arrays(error: Exception, value: Any, instead: str) -> Exception:
    """PyTorch's error, with a word for who has arrays of NumPy's."""
    if isinstance(value, (np.ndarray, np.generic)):
        error.add_note(
            f"this one is of tensors (rg.tensor(x)); functions of NumPy's arrays have {instead}"
        )
    return error


def check_inputs(tree: Any) -> None:
    other = first_other(tree)
    if other is not None:
        error = ValueError(f"Thing passed to transform API must be Tensor, got {type(other)}")
        raise said_of_arrays(error, other, "rg.grad, rg.jvp, rg.vjp, rg.jacobian and rg.hessian")


def check_outputs(call: str, output: Any) -> None:
    """``call``: ``vjp(f, *primals)``, say."""
    if all(one is None for one in leaves(output)):
        raise RuntimeError(
            f"{call}: Expected f to be a function that has non-empty output (got output = {leaves(output)})"
        )
    other = first_other(output)
    if other is not None:
        raise RuntimeError(
            f"{call}: expected f(*primals) to return only tensors, got unsupported type {type(other)}"
        )


def check_real(name: str, of: str, tensors: list[Any]) -> None:
    """``of``: the inputs or the outputs."""
    for k, one in enumerate(tensors):
        if one.is_complex():
            raise RuntimeError(
                f"{name}: Expected all {of} to be real but received complex tensor at flattened input idx: {k}"
            )


def check_cotangents(cotangents: Any, output: Any) -> None:
    if structure(cotangents) != structure(output):
        raise RuntimeError(
            "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. "
            f"cotangents: {structure(cotangents)}, primal output: {structure(output)}"
        )


def check_tangents(primals: Any, tangents: Any) -> None:
    if not isinstance(primals, tuple) or not isinstance(tangents, tuple):
        raise RuntimeError("jvp(f, primals, tangents): Expected primals and tangents to be tuples")
    if structure(primals) != structure(tangents):
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals and tangents to have the same python structure. For example, if "
            f"primals is a tuple of 3 tensors, tangents also must be. Got primals with structure {structure(primals)} and "
            f"tangents with structure {structure(tangents)}"
        )
    for name, tree in (("primals", primals), ("tangents", tangents)):
        other = first_other(tree)
        if other is not None:
            raise RuntimeError(
                f"jvp(f, primals, tangents): Expected {name} to only contain Tensors, got {type(other)}"
            )
