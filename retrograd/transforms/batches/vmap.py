"""`vmap`: a function of one example as a function of a batch, from source to source."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

from retrograd.compiler.ir.batch_axes import Axes, by_parameters, frozen

from ..asked import asked_of, check_flag, check_level, compiled_by
from ..check.policy import UNSAID, asked
from ..made_functions import transformed
from ..public.door import public
from ..transformed_function import Chain

__all__ = ["vmap"]

P = ParamSpec("P")
R = TypeVar("R")
Spec = int | None | Sequence[Any] | dict[Any, Any]


@public
def vmap(
    f: Callable[P, R],
    in_axes: Spec = 0,
    out_axes: Any = 0,
    randomness: str | None = None,
    *,
    in_dims: Any = ...,
    out_dims: Any = ...,
    chunk_size: int | None = None,
    backend: str | None = None,
    accuracy: str | None = None,
    optimize: int | None = None,
    strict: bool | None = None,
    check: str | None = UNSAID,
    wait: bool | None = None,
) -> Callable[P, Any]:
    """``f`` for a batch of examples: every argument with one more axis, and every result.

    ``in_axes`` says along which axis of an argument the examples are: a number for all arguments, or a tuple with one
    for each, None for what all examples share; in the place of one argument, a container of axes for its parts.  What
    is given by name has its examples along the first axis.  ``out_axes`` says where they are in the results.  The
    program is rewritten for arrays with one more axis, and can be differentiated, before and after: ``vmap(grad(f))``
    is the gradient of each example.  ``in_dims``, ``out_dims``, ``randomness`` and ``chunk_size`` are PyTorch's, for
    functions of tensors; the other options are those of `grad`.

    >>> import numpy as np
    >>> def distance(x, y):
    ...     return np.sqrt(np.sum((x - y) ** 2))
    >>> vmap(distance, in_axes=(0, None))(np.array([[3.0, 4.0], [0.0, 2.0]]), np.zeros(2))
    array([5., 2.])
    """
    if (randomness, chunk_size, in_dims, out_dims) != (None, None, ..., ...):
        return of_tensors(f, in_axes, out_axes, in_dims, out_dims, randomness, chunk_size)
    if "retrograd.runtime.eager.tensor.tensor" in sys.modules and has_no_parameters(f):
        return of_tensors(f, in_axes, out_axes, ..., ..., None, None)
    base = asked_of(f, strict)
    level = None if optimize is None else check_level(optimize)
    wait = None if wait is None else check_flag(wait)
    said = asked(check)
    ins, outs = frozen(in_axes, "in_axes"), frozen(out_axes, "out_axes")

    def make() -> Callable[..., Any]:
        chain = compiled_by(base, backend, accuracy, level, wait)
        chain = chain if said == UNSAID else chain.changed(check=said)
        axes = Axes(tuple(by_parameters(chain.name, parameters_of(chain), ins).items()), outs, ins)
        doc = f"{chain.name} of a batch of examples."
        return transformed(chain.then("vmap", (), batch=axes), doc)

    key = ("vmap", ins, outs, backend, accuracy, level, said, wait)
    made: Callable[..., Any] = base.once(key, make)
    return made


def has_no_parameters(f: Any) -> bool:
    try:
        return not inspect.signature(f).parameters
    except (TypeError, ValueError):
        return False


def of_tensors(
    f: Any, in_axes: Any, out_axes: Any, in_dims: Any, out_dims: Any, randomness: Any, chunk: Any
) -> Callable[..., Any]:
    """The `vmap` of tensors, in PyTorch's words."""
    from retrograd.runtime.eager.transforms import vmap as tensors

    ins = in_axes if in_dims is ... else in_dims
    outs = out_axes if out_dims is ... else out_dims
    said = "error" if randomness is None else randomness
    return tensors.vmap(f, ins, outs, said, chunk_size=chunk)


vmap.__word__ = "vmap"  # type: ignore[attr-defined]


def parameters_of(chain: Chain) -> list[inspect.Parameter]:
    """The parameters of what a chain makes: tangents come last."""
    own = list(chain.signature.parameters.values())
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return [*own, *(inspect.Parameter(name, kind) for name in chain.parameters[len(own) :])]
