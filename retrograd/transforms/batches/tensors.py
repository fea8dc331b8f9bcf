"""A batch of tensors, which a function of arrays is not compiled for: it runs on all of them at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.runtime.arrays.transfers import is_plain_array
from retrograd.runtime.objects.pytree import leaves

__all__ = ["are_of_tensors", "of_tensors"]


def are_of_tensors(args: Sequence[Any]) -> bool:
    """True if there are tensors in this process, and no arrays among the arguments."""
    known = sys.modules.get("retrograd.runtime.eager.tensor.tensor")
    if known is None:
        return False
    found = leaves(list(args))
    if any(isinstance(x, known.Tensor) for x in found):
        return True
    return not any(is_plain_array(x) or isinstance(x, np.generic) for x in found)


def of_tensors(chain: Any, args: Sequence[Any], whole: Callable[[Any], Any]) -> Any:
    """A call of `vmap` with tensors; ``whole`` makes the function that a chain stands for."""
    from retrograd.runtime.eager.transforms.vmap import vmap

    *steps, last = chain.steps
    plain = not steps and not chain.bound and not chain.given
    f = chain.fn if plain else whole(chain.changed(steps=tuple(steps)))
    given: list[Any] = []
    named: dict[str, Any] = {}
    for x, p in zip(args, chain.signature.parameters.values(), strict=False):
        if p.kind is p.VAR_POSITIONAL and plain:
            given += list(x)
        elif p.kind is p.VAR_KEYWORD and plain:
            named |= x
        elif x is p.default and p.default is not p.empty:
            continue
        elif p.kind is p.KEYWORD_ONLY and plain:
            named[p.name] = x
        else:
            given.append(x)
    return vmap(f, last.batch.asked, last.batch.out)(*given, **named)
