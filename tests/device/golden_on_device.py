"""The golden programs with their arrays on the device: the text, what it gives, and what the program itself gives there."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from retrograd.runtime.objects.pytree import map_leaves
from retrograd.transforms.api import unwrap
from retrograd.transforms.specialise.compile import render
from retrograd.transforms.star_arguments import apart
from retrograd.transforms.wrt import resolved

from ..golden_case import Case

__all__ = ["called", "compiled", "down", "up"]


def up(cupy: Any, tree: Any) -> Any:
    """The same with its arrays on the device."""
    return map_leaves(
        lambda x: cupy.asarray(x) if isinstance(x, np.ndarray) and x.dtype.kind in "biufc" else x,
        tree,
    )


def down(cupy: Any, tree: Any) -> Any:
    return map_leaves(lambda x: x.get() if isinstance(x, cupy.ndarray) else x, tree)


def compiled(case: Case, args: list[Any], kind: str = "grad") -> tuple[Any, str]:
    """The derivative for these arguments, and its text."""
    chain = case.derived(kind)
    types = chain.types(args)
    text = render(chain.fn, types, resolved(chain, types), unwrap)[0]
    scope = dict(text.captured)
    exec(compile(text.text, "<on the device>", "exec"), scope)
    return scope[text.names[0]], text.text


def called(case: Case, function: Any, args: list[Any]) -> Any:
    inner = case.derived("grad").inner
    given = copy.deepcopy(args)
    plain, named = apart(inner, given[: len(inner.parameters)])
    return function(*plain, *given[len(inner.parameters) :], **named)
