"""``vmap``: a function of one example, called for each of a batch; the results are put together."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..functions.joining import stack
from ..tensor.tensor import Tensor
from .batched_functions import Group, VmapInfo
from .repeated_runs import Runs

__all__ = ["VmapInfo", "vmap"]


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """``func`` of every entry along an axis of its arguments.

    Examples are computed one after the other, so a chunk size changes nothing.
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
        count = dims.count([*dims.flat, *((x, 0) for x in tensors(kwargs))])
        columns = dims.columns(count)
        named = [{k: part(v, i) for k, v in kwargs.items()} for i in range(count)]
        batches = [*(x for x, _ in dims.flat), *tensors(kwargs)]
        runs = Runs("vmap", "example", randomness, batches)

        def run(k: int) -> Any:
            with runs.run(k):
                return func(*columns[k], **named[k])

        made = Group(run, VmapInfo(count, randomness)).results()
        runs.draws.finished()
        return joined(made, out_dims, name_of(func), out_dims)

    return batched


def name_of(func: Any) -> str:
    return str(getattr(func, "__name__", None) or repr(func))


def is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor)


def tensors(tree: Any) -> list[Any]:
    """The tensors in nested containers."""
    if isinstance(tree, dict):
        return [x for one in tree.values() for x in tensors(one)]
    if isinstance(tree, (tuple, list)):
        return [x for one in tree for x in tensors(one)]
    return [tree] if is_tensor(tree) else []


def part(tree: Any, i: int) -> Any:
    """One example of keyword arguments, which are batched along their first axis."""
    if isinstance(tree, dict):
        return {k: part(one, i) for k, one in tree.items()}
    if isinstance(tree, (tuple, list)):
        return type(tree)([part(one, i) for one in tree])
    return tree[i] if is_tensor(tree) else tree


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
            raise ValueError(
                f"{self.said()}: Got in_dim={dim} for an input but the input is of type {type(value)}. We cannot "
                "vmap over non-Tensor arguments, please use None as the respective in_dim"
            )
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
        if not sizes[0]:
            raise ValueError("vmap: there is no example in the batch, so the results have no shape")
        return sizes[0]

    def columns(self, count: int) -> list[Any]:
        """The arguments of each example."""
        return list(
            zip(
                *(self.parts(d, a, count) for d, a in zip(self.tree, self.args, strict=True)),
                strict=True,
            )
        )

    def parts(self, dims: Any, tree: Any, count: int) -> list[Any]:
        if isinstance(tree, dict) and isinstance(dims, dict):
            each = {k: self.parts(dims[k], one, count) for k, one in tree.items()}
            return [{k: each[k][i] for k in tree} for i in range(count)]
        if isinstance(dims, list):
            rows = [self.parts(d, one, count) for d, one in zip(dims, tree, strict=True)]
            kind = type(tree)
            made = [[row[i] for row in rows] for i in range(count)]
            return [kind(*one) if hasattr(tree, "_fields") else kind(one) for one in made]
        if dims is None:
            return [tree] * count
        return (
            list(tree.unbind(dims))
            if tree.requires_grad
            else [tree.select(dims, i) for i in range(count)]
        )


def shape_of(tree: Any) -> Any:
    """A tree with its leaves as stars."""
    if isinstance(tree, (tuple, list)):
        return type(tree)(shape_of(one) for one in tree)
    return "*"


def joined(made: list[Any], dims: Any, name: str, whole: Any) -> Any:
    """The results of the examples along a new axis."""
    first = made[0]
    if isinstance(first, dict):
        return {
            k: joined(
                [one[k] for one in made], dims[k] if isinstance(dims, dict) else dims, name, whole
            )
            for k in first
        }
    if isinstance(first, (tuple, list)):
        each = dims if isinstance(dims, (tuple, list)) else (dims,) * len(first)
        if len(each) != len(first):
            raise ValueError(incompatible(name, whole, first))
        items = [joined([one[k] for one in made], d, name, whole) for k, d in enumerate(each)]
        return type(first)(*items) if hasattr(first, "_fields") else type(first)(items)
    if isinstance(dims, (tuple, list)):
        if len(dims) != 1:
            raise ValueError(incompatible(name, whole, first))
        (dims,) = dims
    return put_together(made, dims, name)


def incompatible(name: str, dims: Any, first: Any) -> str:
    return (
        f"vmap({name}, ..., out_dims={dims})(<inputs>): out_dims is not compatible with the structure of `outputs`. "
        f"out_dims has structure {shape_of(dims)} but outputs has structure {shape_of(first)}."
    )


def put_together(made: list[Any], dim: Any, name: str) -> Any:
    first = made[0]
    if dim is None:
        if is_tensor(first) and any(not np.array_equal(first._array, m._array, True) for m in made):
            raise ValueError(
                f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None"
            )
        return first
    if not is_tensor(first):
        raise ValueError(
            f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(first)}. Did you mean to set "
            "out_dims= to None for output?"
        )
    rank = first.dim() + 1
    if not -rank <= dim < rank:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [-{rank}, {rank - 1}], but got {dim})"
        )
    return stack(made, dim)
