"""Custom functions on batches: by the rule that they have for a whole batch."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...batching.batched_array import levels_of
from ..graph.grad_mode import modes
from ..tensor.tensor import Tensor
from .borders import all_examples, is_of_examples, one_example
from .frames import Frame

__all__ = ["VmapInfo", "batch_of", "by_rule"]

ABSENT = (
    "You tried to vmap over {}, but it does not have vmap support. Please override and implement the vmap "
    "staticmethod or set generate_vmap_rule=True. For more details, please see "
    "https://pytorch.org/docs/main/notes/extending.func.html"
)


class VmapInfo(NamedTuple):
    """The batch that a rule is told of."""

    batch_size: int
    randomness: str


def batch_of(args: tuple[Any, ...]) -> Frame | None:
    """The innermost running batch whose examples are among the arguments."""
    found = set().union(*(levels_of(a._array) for a in args if isinstance(a, Tensor)))
    return next((frame for frame in reversed(modes.frames) if frame.level in found), None)


def by_rule(cls: Any, frame: Frame, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What the rule of a custom function gives, as one example sees it."""
    if not cls.has_vmap():
        raise RuntimeError(ABSENT.format(cls.__name__))
    in_dims = tuple(0 if is_of_examples(a, frame) else None for a in args)
    given = [
        a if dim is None else all_examples(a, 0, frame)
        for a, dim in zip(args, in_dims, strict=True)
    ]
    frames = modes.frames
    modes.frames = frames[: frames.index(frame)]
    try:
        made = cls.vmap(VmapInfo(frame.count, frame.randomness), in_dims, *given, **kwargs)
        if not isinstance(made, tuple) or len(made) != 2:
            raise RuntimeError(
                f"Expected the vmap staticmethod of {cls.__name__} to have two returns, an output and out_dims"
            )
        return examples(*made, frame)
    finally:
        modes.frames = frames


def examples(out: Any, dims: Any, frame: Frame) -> Any:
    """The results of a rule as one example sees them."""
    if isinstance(out, (tuple, list)):
        each = dims if isinstance(dims, (tuple, list)) else (dims,) * len(out)
        return type(out)(examples(one, d, frame) for one, d in zip(out, each, strict=True))
    if dims is None or not isinstance(out, Tensor):
        return out
    return one_example(out, dims % out.dim(), frame)
