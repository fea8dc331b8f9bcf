"""``vmap``: a function of one example, called once for all of a batch."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...batching.batched_array import levels_of
from ...objects.pytree import leaves
from ..batches.borders import all_examples, one_example
from ..batches.custom_functions import VmapInfo
from ..batches.frames import Frame, entered_frame, new_frame
from ..functions.joining import cat
from ..tensor.tensor import Tensor
from .structures import said_of_arrays

__all__ = ["VmapInfo", "vmap"]

OF_ARRAYS = "rg.vmap(f, in_axes=0), which batches functions of arrays; the gradients of many examples are rg.vmap(rg.grad(f))"


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """``func`` of every entry along an axis of its arguments, called once for all of them.

    ``chunk_size``: for so many at a time.  ``randomness``: whether random tensors are "different" for each example,
    the "same" for all, or an "error".
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}"
        )
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def batched(*args: Any, **kwargs: Any) -> Any:
        dims = Dims(name_of(func), in_dims, args)
        count = dims.count(dims.flat)
        if chunk_size is None or chunk_size >= count:
            return of_frame(dims, kwargs, count)
        starts = range(0, count, chunk_size)
        made = [
            of_frame(
                Dims(dims.name, in_dims, dims.chunk(k, chunk_size)),
                kwargs,
                min(chunk_size, count - k),
            )
            for k in starts
        ]
        return pieced_together(made, out_dims)

    def of_frame(dims: Dims, kwargs: dict[str, Any], count: int) -> Any:
        frame = new_frame(count, randomness, fills=True)
        given = dims.map(dims.tree, dims.args, lambda x, dim: one_example(x, dim, frame))
        with entered_frame(frame):
            made = func(*given, **kwargs)
            return results(made, out_dims, dims.name, frame)

    return batched


def name_of(func: Any) -> str:
    return str(getattr(func, "__name__", None) or repr(func))


def is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor)


def tensors(tree: Any) -> list[Any]:
    """The tensors in nested containers."""
    return [x for x in leaves(tree) if is_tensor(x)]


class Dims:
    """Which axis of each argument counts the examples."""

    def __init__(self, name: str, dims: Any, args: tuple[Any, ...]) -> None:
        self.name, self.dims, self.args = name, dims, args
        self.flat: list[tuple[Any, int]] = []
        if not isinstance(dims, (int, tuple)) or isinstance(dims, bool):
            raise ValueError(
                f"{self.said()}: expected `in_dims` to be int or a (potentially nested) tuple matching the structure "
                f"of inputs, got: {type(dims)}."
            )
        if not args:
            raise ValueError(
                f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap "
                "over a function with no inputs. The latter is unsupported."
            )
        self.tree = self.spread(dims, args)

    def said(self) -> str:
        return f"vmap({self.name}, in_dims={self.dims}, ...)(<inputs>)"

    def spread(self, dims: Any, tree: Any) -> Any:
        """The axis for each tensor of a tree of arguments, checked."""
        if isinstance(dims, dict) and isinstance(tree, dict) and dims.keys() == tree.keys():
            return {k: self.spread(dims[k], tree[k]) for k in tree}
        if isinstance(dims, (tuple, list)):
            if not isinstance(tree, (tuple, list)) or len(dims) != len(tree):
                raise ValueError(
                    f"{self.said()}: in_dims is not compatible with the structure of `inputs`. in_dims has structure "
                    f"{shape_of(self.dims)} but inputs has structure {shape_of(self.args)}."
                )
            return [self.spread(d, one) for d, one in zip(dims, tree, strict=True)]
        if isinstance(tree, dict):
            return {k: self.spread(dims, one) for k, one in tree.items()}
        if isinstance(tree, (tuple, list)):
            return [self.spread(dims, one) for one in tree]
        return self.checked(dims, tree)

    def checked(self, dim: Any, value: Any) -> int | None:
        if dim is None:
            return None
        if not isinstance(dim, int):
            raise ValueError(
                f"{self.said()}: Got in_dim={dim} for an input but in_dim must be either an integer dimension or None."
            )
        if not is_tensor(value):
            error = ValueError(
                f"{self.said()}: Got in_dim={dim} for an input but the input is of type {type(value)}. We cannot "
                "vmap over non-Tensor arguments, please use None as the respective in_dim"
            )
            raise said_of_arrays(error, value, OF_ARRAYS)
        rank = int(value.dim())
        if not -rank <= dim < rank:
            raise ValueError(
                f"{self.said()}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {rank} "
                f"so expected in_dim to satisfy -{rank} <= in_dim < {rank}."
            )
        self.flat.append((value, dim % rank))
        return dim % rank

    def count(self, batched: list[tuple[Any, int]]) -> int:
        """How many examples there are."""
        sizes = [int(x.shape[dim]) for x, dim in batched]
        if not sizes:
            raise ValueError("vmap: Expected at least one Tensor to vmap over")
        if len(set(sizes)) != 1:
            raise ValueError(
                f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the "
                "mapped dimension"
            )
        return sizes[0]

    def map(self, dims: Any, tree: Any, act: Callable[[Any, int], Any]) -> Any:
        """The arguments, with what is done to each tensor that has an axis of examples."""
        if isinstance(tree, dict) and isinstance(dims, dict):
            return {k: self.map(dims[k], one, act) for k, one in tree.items()}
        if isinstance(dims, list):
            made = [self.map(d, one, act) for d, one in zip(dims, tree, strict=True)]
            return type(tree)(*made) if hasattr(tree, "_fields") else type(tree)(made)
        return tree if dims is None else act(tree, dims)

    def chunk(self, start: int, size: int) -> Any:
        """The arguments for some of the examples."""

        def cut(x: Any, dim: int) -> Any:
            return x.narrow(dim, start, min(size, x.shape[dim] - start))

        return self.map(self.tree, self.args, cut)


def shape_of(tree: Any) -> Any:
    """A tree with its leaves as stars."""
    if isinstance(tree, (tuple, list)):
        return type(tree)(shape_of(one) for one in tree)
    return "*"


def results(made: Any, dims: Any, name: str, frame: Frame, whole: Any = ()) -> Any:
    """The results of all examples along new axes.  ``whole``: the dims of all results, around these."""
    whole = dims if whole == () else whole
    if isinstance(made, dict):
        given = dims if isinstance(dims, dict) else dict.fromkeys(made, dims)
        return {k: results(one, given[k], name, frame, whole) for k, one in made.items()}
    if isinstance(made, (tuple, list)):
        each = dims if isinstance(dims, (tuple, list)) else (dims,) * len(made)
        if len(each) != len(made):
            raise ValueError(incompatible(name, whole, made))
        items = [results(one, d, name, frame, whole) for one, d in zip(made, each, strict=True)]
        return type(made)(*items) if hasattr(made, "_fields") else type(made)(items)
    if isinstance(dims, (tuple, list)):
        if len(dims) != 1:
            raise ValueError(incompatible(name, whole, made))
        (dims,) = dims
    return result(made, dims, name, frame)


def incompatible(name: str, dims: Any, made: Any) -> str:
    return (
        f"vmap({name}, ..., out_dims={dims})(<inputs>): out_dims is not compatible with the structure of `outputs`. "
        f"out_dims has structure {shape_of(dims)} but outputs has structure {shape_of(made)}."
    )


def result(made: Any, dim: Any, name: str, frame: Frame) -> Any:
    if dim is None:
        if is_tensor(made) and frame.level in levels_of(made._array):
            raise ValueError(
                f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None"
            )
        return made
    if not is_tensor(made):
        raise ValueError(
            f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(made)}. Did you mean to set "
            "out_dims= to None for output?"
        )
    rank = made.dim() + 1
    if not -rank <= dim < rank:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [-{rank}, {rank - 1}], but got {dim})"
        )
    return all_examples(made, dim % rank, frame)


def pieced_together(made: list[Any], dims: Any) -> Any:
    """The results of chunks, one after the other along the axis of the examples."""
    first = made[0]
    if isinstance(first, dict):
        given = dims if isinstance(dims, dict) else dict.fromkeys(first, dims)
        return {k: pieced_together([one[k] for one in made], given[k]) for k in first}
    if isinstance(first, (tuple, list)):
        each = dims if isinstance(dims, (tuple, list)) else (dims,) * len(first)
        items = [pieced_together([one[k] for one in made], d) for k, d in enumerate(each)]
        return type(first)(*items) if hasattr(first, "_fields") else type(first)(items)
    if isinstance(dims, (tuple, list)):
        (dims,) = dims
    return first if dims is None else cat(made, dims)
