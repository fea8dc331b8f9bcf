"""Dask arrays in a derivative: by blocks, where the program is found to be a sum or a mean over their rows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.compiler.analyses.sparsity.row_sums import NotOverRows, over_rows
from retrograd.runtime.errors import CompileError, SignatureMismatch
from retrograd.transforms.specialise.compile import lowered
from retrograd.transforms.transformed_function import Chain, unwrap

from .shards import is_dask
from .spread import Options, Spread

__all__ = ["by_blocks"]

WAYS = (
    "compute it first (`x.compute()`), or say what the function does with its rows: "
    "rg.distributed.grad, value_and_grad, hvp, jacobian and vmap take dask arrays"
)
ROWS = 7  # of a sample, where dask does not know how many there are


def by_blocks(chain: Chain, function: Callable[..., Any], args: Sequence[Any]) -> Any:
    """The result of a derivative for arguments among which are dask arrays."""
    names = chain.parameters
    split = tuple(name for name, x in zip(names, args, strict=True) if is_dask(x))
    last = chain.steps[-1] if len(chain.steps) == 1 else None
    if last is None or last.kind not in ("grad", "value_and_grad") or last.aux or chain.starred:
        raise refused(chain, split, "of what is derived, gradients alone are sums over rows")
    base = chain.changed(steps=())
    moved = [names[place.at - len(chain.bound)] for place in last.wrt]
    if set(moved) & set(split):
        raise refused(chain, split, f"its gradient with respect to `{moved[0]}` has as many rows")
    samples = [sample(x) if is_dask(x) else x for x in args]
    reduce = found_in(chain, base, samples, split)
    client = client_at_hand()

    def make() -> Spread:
        options = Options(client, split, reduce, None, 2, None, None, None)
        return Spread(base, function, options, moved, last.kind)

    spread = chain.once(("blocks", split, reduce, id(client)), make)
    return spread(*alike(args))


def found_in(chain: Chain, base: Chain, samples: list[Any], split: Sequence[str]) -> str:
    """Whether the program is a sum or a mean over rows."""
    types = base.types(samples)
    try:
        function = lowered(base.fn, base.own(types), (), unwrap, False)[0]
    except CompileError as error:
        raise refused(chain, split, f"its program is not compiled: {error}") from error
    at = [list(base.full.parameters).index(name) for name in split]
    try:
        return over_rows(function, at)
    except NotOverRows as found:
        line = "" if found.loc is None else f" (line {found.loc.line})"
        raise refused(chain, split, f"{found.why}{line}") from None


def refused(chain: Chain, split: Sequence[str], why: str) -> SignatureMismatch:
    arrays = ", ".join(f"`{name}`" for name in split)
    return SignatureMismatch(
        f"{chain.name}: {arrays}: a dask array goes block by block into the gradient of a sum or a mean over its "
        f"rows, and here {why}; {WAYS}"
    )


def sample(x: Any) -> Any:
    """An array of the kind, which takes no memory."""
    shape = [ROWS if n != n else int(n) for n in x.shape]  # nan: not known
    return np.broadcast_to(np.zeros((), x.dtype), shape)


def alike(args: Sequence[Any]) -> list[Any]:
    """The arguments with blocks of the same rows."""
    first = next(x for x in args if is_dask(x))
    rows = first.chunks[0]
    known = not any(n != n for n in rows)
    apart = [known and is_dask(x) and x.chunks[0] != rows for x in args]
    return [x.rechunk({0: rows}) if cut else x for x, cut in zip(args, apart, strict=True)]


def client_at_hand() -> Any:
    """The client of dask.distributed that the program has made, if it has; None: this process."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    try:
        return distributed.default_client()
    except ValueError:
        return None
