"""One program in reverse, forward and on the tape, held against the plain function's differences."""

from __future__ import annotations

import copy
import inspect
import warnings
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

import retrograd as rg
from retrograd.transforms import api
from retrograd.transforms.specialise.eager_fallback import eager
from tests.verdicts import is_refusal

__all__ = ["WAYS", "Program", "case", "differences", "taped", "verdict"]

STEP = 1e-6


class Program(NamedTuple):
    """A function and its arguments; ``refused`` are the ways that refuse it, in words of the error."""

    name: str
    fn: Callable[..., Any]
    args: Callable[[], tuple[Any, ...]]
    wrt: int = 0
    refused: Mapping[str, str] = MappingProxyType({})

    def __str__(self) -> str:
        return self.name


def case(name: str, fn: Callable[..., Any], *args: Any, wrt: int = 0, **refused: str) -> Program:
    """The arguments are copied for each use; a single one that is a function makes them."""
    if len(args) == 1 and callable(args[0]) and not isinstance(args[0], type):
        return Program(name, fn, args[0], wrt, refused)
    return Program(name, fn, lambda: copy.deepcopy(args), wrt, refused)


def verdict(program: Program, way: str, known: Any = None) -> str:
    """``right``, or ``refused: why``; anything else is said in an AssertionError."""
    known = known or differences(program)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = WAYS[way](program.fn, program.args(), program.wrt)
    except Exception as error:
        if not is_refusal(error):
            raise
        return f"refused: {error}"
    value, slopes = found
    np.testing.assert_allclose(value, known[0], rtol=1e-12, err_msg=f"value, {way}")
    if way == "forward":
        slopes, known = slopes[0], (known[0], [np.sum([np.sum(d * s) for d, s in known[2]])])
        np.testing.assert_allclose(slopes, known[1][0], rtol=2e-5, atol=2e-5, err_msg=way)
        return "right"
    slopes = floats(slopes)
    assert [np.shape(s) for s in slopes] == [np.shape(s) for s in known[1]], (way, slopes)
    for one, other in zip(slopes, known[1], strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-5, err_msg=way)
    return "right"


# -- the known value -----------------------------------------------------------------------------------


def floats(tree: Any) -> list[Any]:
    """The leaves of an argument that may move, in order."""
    if isinstance(tree, float | np.floating):
        return [tree]
    if isinstance(tree, np.ndarray):
        return [tree] if tree.dtype.kind == "f" else []
    if isinstance(tree, dict):
        return [leaf for v in tree.values() for leaf in floats(v)]
    if isinstance(tree, tuple | list):
        return [leaf for v in tree for leaf in floats(v)]
    return []


def with_leaves(tree: Any, leaves: list[Any]) -> Any:
    if isinstance(tree, float | np.floating):
        return leaves.pop(0)
    if isinstance(tree, np.ndarray):
        return leaves.pop(0) if tree.dtype.kind == "f" else tree
    if isinstance(tree, dict):
        return type(tree)({k: with_leaves(v, leaves) for k, v in tree.items()})
    if isinstance(tree, tuple | list):
        return type(tree)(with_leaves(v, leaves) for v in tree)
    return tree


def directions(leaves: list[Any]) -> list[Any]:
    rng = np.random.default_rng(7)
    return [
        np.asarray(rng.normal(size=np.shape(leaf)))
        if isinstance(leaf, np.ndarray)
        else rng.normal()
        for leaf in leaves
    ]


def differences(program: Program) -> tuple[Any, list[Any], list[tuple[Any, Any]]]:
    """The value, the gradient by entries, and a direction beside it."""
    args = program.args()
    leaves = floats(args[program.wrt])

    def at(moved: list[Any]) -> Any:
        given = list(program.args())
        given[program.wrt] = with_leaves(given[program.wrt], list(moved))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return program.fn(*given)

    slopes = []
    for k, leaf in enumerate(leaves):
        slope = np.zeros(np.shape(leaf))
        for i in np.ndindex(*np.shape(leaf)):
            ends = []
            for h in (STEP, -STEP):
                moved: Any = [copy.deepcopy(one) for one in leaves]
                if isinstance(leaf, np.ndarray):
                    moved[k][i] += h
                else:
                    moved[k] = type(leaf)(moved[k] + h)
                ends.append(at(moved))
            slope[i] = (ends[0] - ends[1]) / (2 * STEP)
        slopes.append(slope)
    return at(list(leaves)), slopes, list(zip(directions(leaves), slopes, strict=True))


# -- the ways ------------------------------------------------------------------------------------------


def reverse(fn: Any, args: Any, wrt: int) -> Any:
    return rg.value_and_grad(fn, wrt=wrt)(*args)


def forward(fn: Any, args: Any, wrt: int) -> Any:
    x_dot = with_leaves(args[wrt], directions(floats(args[wrt])))
    value, tangent = rg.jvp(fn, args, [x_dot if k == wrt else None for k in range(len(args))])
    return value, [tangent]


def taped(fn: Any, args: Any, wrt: int) -> Any:
    """The whole function on the tape, as one that is decorated and refused runs."""
    bound = inspect.signature(fn).bind(*args)
    bound.apply_defaults()
    given = bound.arguments.values()
    return eager(api.chain_of(fn).then("value_and_grad", (wrt,), False))(*given)


WAYS = {"reverse": reverse, "forward": forward, "tape": taped}
