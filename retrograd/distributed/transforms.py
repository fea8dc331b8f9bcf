"""The transformations over shards: each gives one function that is called like that of this process."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.runtime.errors import SignatureMismatch
from retrograd.transforms import api
from retrograd.transforms.asked import asked_of
from retrograd.transforms.batches.vmap import vmap as of_batch
from retrograd.transforms.hvp import hvp as product
from retrograd.transforms.jacobian.jacobian import jacobian as whole_jacobian
from retrograd.transforms.public.door import one_word, public
from retrograd.transforms.transformed_function import Chain

from .spread import Options, Spread

__all__ = ["grad", "hvp", "jacobian", "value_and_grad", "vmap"]

Progress = Callable[[int, int], Any]
Split = str | int | Sequence[str | int] | None


@public
def value_and_grad(
    f: Callable[..., Any],
    client: Any = None,
    wrt: Any = None,
    split: Split = None,
    *,
    reduce: str = "sum",
    shards: int | None = None,
    retries: int = 2,
    timeout: float | None = None,
    progress: Progress | None = None,
    keep: bool | None = None,
    backend: str | None = None,
    argnums: Any = None,
) -> Spread:
    """The value and the gradient of a sum (or a mean) over rows, shard by shard, as a function of the same arguments.

    ``f`` is what is computed for some rows; ``split`` names the arguments that are cut by rows: arrays, containers
    of them, lists of functions that make a shard each, dask arrays.  ``reduce`` says what the function does with
    the rows, "sum" or "mean" (which weighs shards by their rows).  ``client`` is a client of dask.distributed, an
    executor (of `concurrent.futures`, loky, `mpi4py.futures`), a ``joblib.Parallel``, a communicator of mpi4py, or
    None: this process.  The digits are the same for all of them, and hang on ``shards`` alone.

    A shard whose worker is lost, or that has not moved for ``timeout`` seconds, is done again, ``retries`` times.
    ``keep``: whether shards stay with the workers for the next call; arrays do unless it is False, and are
    read-only for as long (``.release()``), those that are made by functions do if it is True.
    ``progress(done, shards)`` is called for each shard that is done.

    >>> import numpy as np
    >>> def loss(w, x, y):
    ...     return np.sum((x @ w - y) ** 2)
    >>> vg = value_and_grad(loss, wrt="w", split=("x", "y"))
    >>> value, slope = vg(np.zeros(2), np.eye(2), np.ones(2))
    >>> float(value), slope.tolist()
    (2.0, [-2.0, -2.0])
    """
    wrt = one_word(wrt, argnums)
    options = Options(client, split, reduce, shards, retries, timeout, progress, keep)
    run = api.value_and_grad(f, wrt, backend=backend)
    return over_sums(f, run, wrt, options, "value_and_grad")


@public
def grad(
    f: Callable[..., Any],
    client: Any = None,
    wrt: Any = None,
    split: Split = None,
    *,
    reduce: str = "sum",
    shards: int | None = None,
    retries: int = 2,
    timeout: float | None = None,
    progress: Progress | None = None,
    keep: bool | None = None,
    backend: str | None = None,
    argnums: Any = None,
) -> Spread:
    """The gradient of a sum (or a mean) over rows, see `value_and_grad`.

    >>> import numpy as np
    >>> def loss(w, x):
    ...     return np.mean((x @ w) ** 2)
    >>> grad(loss, split="x", reduce="mean")(np.ones(2), np.eye(2)).tolist()
    [1.0, 1.0]
    """
    wrt = one_word(wrt, argnums)
    options = Options(client, split, reduce, shards, retries, timeout, progress, keep)
    return over_sums(f, api.grad(f, wrt, backend=backend), wrt, options, "grad")


@public
def hvp(
    f: Callable[..., Any],
    client: Any = None,
    wrt: Any = 0,
    split: Split = None,
    *,
    reduce: str = "sum",
    shards: int | None = None,
    retries: int = 2,
    timeout: float | None = None,
    progress: Progress | None = None,
    keep: bool | None = None,
    backend: str | None = None,
) -> Callable[[Sequence[Any], Any], Any]:
    """The Hessian of a sum (or a mean) over rows times a vector: a function of ``(args, v)``, see `value_and_grad`.

    >>> import numpy as np
    >>> def loss(w, x):
    ...     return np.sum((x @ w) ** 2)
    >>> hvp(loss, split="x")((np.ones(2), np.eye(2)), np.array([1.0, 0.0])).tolist()
    [2.0, 0.0]
    """
    options = Options(client, split, reduce, shards, retries, timeout, progress, keep)
    chain = asked_of(f, None, backend)
    run = functools.partial(multiplied, chain, wrt)
    spread = over_sums(f, run, wrt, options, "hvp")

    @public
    def products(args: Sequence[Any], v: Any) -> Any:
        return spread.called(args, {}, (v,))

    return products


def multiplied(chain: Chain, wrt: Any, v: Any, *args: Any) -> Any:
    return product(chain, args, v, wrt)  # type: ignore[arg-type]


@public
def jacobian(
    f: Callable[..., Any],
    client: Any = None,
    wrt: Any = None,
    split: Split = None,
    *,
    shards: int | None = None,
    retries: int = 2,
    timeout: float | None = None,
    progress: Progress | None = None,
    keep: bool | None = None,
    backend: str | None = None,
    argnums: Any = None,
) -> Spread:
    """The Jacobian of a function that returns a row for each row that is split, see `value_and_grad`.

    >>> import numpy as np
    >>> def residual(w, x):
    ...     return x @ w
    >>> jacobian(residual, split="x")(np.ones(2), np.eye(2)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    wrt = one_word(wrt, argnums)
    options = Options(client, split, "rows", shards, retries, timeout, progress, keep)
    run = whole_jacobian(f, wrt, backend=backend)
    return spread_over(f, run, wrt, options, "jacobian")


@public
def vmap(
    f: Callable[..., Any],
    client: Any = None,
    split: Split = None,
    *,
    shards: int | None = None,
    retries: int = 2,
    timeout: float | None = None,
    progress: Progress | None = None,
    keep: bool | None = None,
) -> Spread:
    """A function of one example as one of many: what is split holds an example in each row, see `value_and_grad`.

    >>> import numpy as np
    >>> def norm(x):
    ...     return np.sum(x * x)
    >>> vmap(norm, split="x")(np.eye(2)).tolist()
    [1.0, 1.0]
    """
    options = Options(client, split, "rows", shards, retries, timeout, progress, keep)
    spread = Spread(f, None, options, (), "vmap")
    spread.run = functools.partial(examples, f, tuple(spread.split))
    spread.by_name = True
    return spread


def examples(f: Callable[..., Any], split: tuple[str, ...], **given: Any) -> Any:
    """The results of ``f`` for each row of what is split, one above the other."""
    return of_batch(f, dict.fromkeys(split, 0))(**given)


def over_sums(f: Any, run: Any, wrt: Any, options: Options, kind: str) -> Spread:
    if options.reduce not in ("sum", "mean"):
        raise SignatureMismatch(f'reduce is "sum" or "mean", not {options.reduce!r}')
    return spread_over(f, run, wrt, options, kind)


def spread_over(f: Any, run: Any, wrt: Any, options: Options, kind: str) -> Spread:
    chain = asked_of(f, None)
    places, _ = chain.positions(wrt)
    moved = tuple(chain.parameters[place.at] for place in places)
    spread = Spread(f, run, options, moved, kind)
    spread.claimed = f
    return spread
