"""Custom functions on batches: by the rule that they have for a whole batch."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...batching.batched_array import levels_of
from ...objects.pytree import children, leaves, map_leaves, with_items
from ..graph.grad_mode import modes
from ..tensor.tensor import Tensor
from .borders import all_examples, is_of_examples, one_example
from .frames import Frame

__all__ = ["VmapInfo", "batch_of", "by_rule"]

MORE = "For more details, please see https://pytorch.org/docs/main/notes/extending.func.html"
ABSENT = (
    "You tried to vmap over {}, but it does not have vmap support. Please override and implement the vmap "
    f"staticmethod or set generate_vmap_rule=True. {MORE}"
)
BOTH = (
    "You tried to vmap over {}, but it has both generate_vmap_rule=True and an overridden vmap staticmethod. Please set "
    f"generate_vmap_rule=False or delete the overridden vmap staticmethod to avoid ambiguity. {MORE}"
)
RETURNS = (
    "Expected the vmap staticmethod to have two returns, an output and out_dims with pytree structure compatible with the "
    "output. Got {} instead"
)
DIMS = (
    "The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) tuple. Expected out_dims={} to "
    f"be compatible with the structure of `output`. {MORE}"
)


class VmapInfo(NamedTuple):
    """The batch that a rule is told of."""

    batch_size: int
    randomness: str


def batch_of(args: Any) -> Frame | None:
    """The innermost running batch whose examples are among the arguments."""
    found = set().union(*(levels_of(a._array) for a in leaves(args) if isinstance(a, Tensor)))
    return next((frame for frame in reversed(modes.frames) if frame.level in found), None)


def by_rule(cls: Any, frame: Frame, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What the rule of a custom function gives, as one example sees it."""
    if cls.generate_vmap_rule:
        raise RuntimeError(BOTH.format(cls.__name__))
    if not cls.has_vmap():
        raise RuntimeError(ABSENT.format(cls.__name__))
    in_dims = map_leaves(lambda a: 0 if is_of_examples(a, frame) else None, args)
    given = map_leaves(lambda a: all_examples(a, 0, frame) if is_of_examples(a, frame) else a, args)
    frames = modes.frames
    modes.frames = frames[: frames.index(frame)]
    try:
        made = cls.vmap(VmapInfo(frame.count, frame.randomness), in_dims, *given, **kwargs)
        if not isinstance(made, tuple) or len(made) != 2:
            count = f"{len(made)} returns" if isinstance(made, tuple) else f"a {type(made)}"
            raise RuntimeError(RETURNS.format(count))
        return examples(*made, frame)
    finally:
        modes.frames = frames


def examples(out: Any, dims: Any, frame: Frame) -> Any:
    """The results of a rule as one example sees them; one axis stands for all of them."""
    axes, parts = children(dims), children(out)
    if axes is not None:
        if type(out) is not type(dims) or [k for k, _ in parts or ()] != [k for k, _ in axes]:
            raise RuntimeError(DIMS.format(dims))
        pairs = zip(parts or (), axes, strict=True)
        return with_items(out, [examples(one, d, frame) for (_, one), (_, d) in pairs])
    return map_leaves(lambda one: along(one, dims, frame), out)


def along(out: Any, dim: int | None, frame: Frame) -> Any:
    if dim is None or not isinstance(out, Tensor):
        return out
    rank = out.dim()
    if not -rank <= dim < rank:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {dim})"
        )
    return one_example(out, dim % rank, frame)
