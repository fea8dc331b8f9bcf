"""Tensors from values, shapes and arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.libraries import is_cupy
from ...arrays.transfers import beside, is_ndarray, library_of, on_host
from ...batching.batched_array import as_array
from ..batches.frames import with_room
from ..random import generator as random
from ..tensor.devices import library_at, moved
from ..tensor.dtypes import Size, default, is_differentiable
from ..tensor.tensor import Tensor, extend, fresh, wrapped

__all__ = [
    "arange", "as_tensor", "asarray", "empty", "empty_like", "eye", "from_numpy", "full", "full_like",
    "linspace", "logspace", "manual_seed", "normal", "ones", "ones_like", "rand", "rand_like", "randint", "randn", "randn_like",
    "randperm", "scalar_tensor", "tensor", "zeros", "zeros_like",
]  # fmt: skip

REQUIRING = "Only Tensors of floating point and complex dtype can require gradients"


def finished(array: Any, requires_grad: bool, device: Any = None) -> Tensor:
    made = wrapped(array if device is None else moved(array, device))
    if requires_grad:
        if not is_differentiable(array.dtype):
            raise RuntimeError(REQUIRING)
        made.requires_grad_()
    return made


def numpy_type(kind: Any) -> Any:
    return None if kind is None else np.dtype(getattr(kind, "dtype", kind))


def array_of(data: Any, kind: Any) -> Any:
    """A new array of nested data; Python floats are of the default type."""
    if isinstance(data, Tensor) or is_cupy(data):
        array = data._array if isinstance(data, Tensor) else data
        return array.copy() if kind is None or kind == array.dtype else array.astype(kind)
    if isinstance(data, (list, tuple)):
        data = nested(data)
    given = isinstance(data, (np.ndarray, np.generic))
    array = np.array(data)
    if array.dtype == object:
        raise ValueError(
            "could not convert the data to a tensor: its rows differ in length or type"
        )
    if kind is None and not given:
        kind = {"f": default(), "c": np.result_type(default(), np.complex64)}.get(array.dtype.kind)
    return array if kind is None else array.astype(kind)


def nested(data: Any) -> Any:
    """Lists with the tensors in them replaced by numbers and arrays."""
    if isinstance(data, (list, tuple)):
        return [nested(item) for item in data]
    return on_host(data._array if isinstance(data, Tensor) else data)


def tensor(
    data: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A new tensor with a copy of the data.

    >>> import retrograd
    >>> retrograd.tensor([1.0, 2.0], requires_grad=True)
    tensor([1., 2.], requires_grad=True)
    """
    return finished(array_of(data, numpy_type(dtype)), requires_grad, device)


@extend
class Creation(Tensor):
    """``Tensor(data)``."""

    __slots__ = ()

    def __new__(cls, data: Any = (), **kwargs: Any) -> Any:
        return fresh(tensor(data, **kwargs)._array.copy(), cls)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """The data as a tensor, its memory shared where that is possible."""
    kind = numpy_type(dtype)
    if isinstance(data, Tensor):
        made = data if kind is None or data._array.dtype == kind else data.to(dtype)
        return made if device is None else made.to(device)
    shared = is_ndarray(data) and (kind is None or data.dtype == kind)
    return finished(data if shared else array_of(data, kind), False, device)


def asarray(
    obj: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """`as_tensor` with the options of the array API."""
    made = tensor(obj, dtype=dtype, device=device) if copy else as_tensor(obj, dtype, device)
    return made.requires_grad_() if requires_grad else made


def from_numpy(array: Any) -> Tensor:
    """A tensor that shares the memory of an array."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    return wrapped(array)


def scalar_tensor(value: Any, **options: Any) -> Tensor:
    return full((), value, **options)


def shape_given(size: tuple[Any, ...]) -> tuple[int, ...]:
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = tuple(size[0])
    return tuple(int(n) for n in size)


def filled(make: Any, finish: Any = lambda array: array) -> Any:
    """A factory of shapes: ``zeros(2, 3)`` or ``zeros((2, 3))``; ``make(library, shape, kind)``."""

    def factory(
        *shape: Any,
        size: Any = None,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        layout: Any = None,
        pin_memory: bool = False,
        memory_format: Any = None,
        **drawing: Any,
    ) -> Tensor:
        wanted = shape_given(shape if size is None else (size,))
        made = make(library_at(device), wanted, numpy_type(dtype) or default(), **drawing)
        return finished(finish(made), requires_grad, device)

    return factory


def named(name: str) -> Any:
    """A library's own function."""
    return lambda library, shape, kind: getattr(library, name)(shape, kind)


def uniform(library: Any, shape: tuple[int, ...], kind: Any, generator: Any = None) -> Any:
    return as_array(random.generator(generator, library).random(shape)).astype(kind)


def normally(library: Any, shape: tuple[int, ...], kind: Any, generator: Any = None) -> Any:
    return as_array(random.generator(generator, library).standard_normal(shape)).astype(kind)


zeros = filled(named("zeros"), with_room)
ones = filled(named("ones"), with_room)
empty = filled(named("empty"), with_room)
rand = filled(uniform)
randn = filled(normally)


def full(
    size: Any,
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    value = fill_value._array if isinstance(fill_value, Tensor) else fill_value
    kind = numpy_type(dtype) or array_of(value, None).dtype
    shape = shape_given((size,))
    library = library_at(device)
    if library is np:
        made = np.full_like(as_array(on_host(value)), on_host(value), kind, shape=shape)
    else:
        made = library.full(shape, value, kind)
    return finished(with_room(made), requires_grad, device)


def like(make: Any) -> Any:
    """A factory of tensors like another."""

    def factory(
        input: Tensor,
        *args: Any,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        memory_format: Any = None,
    ) -> Tensor:
        kind = numpy_type(dtype) or input._array.dtype
        library = library_at(device, input._array)
        made = make(library, input._array, kind, *args)
        return finished(with_room(made), requires_grad, device)

    return factory


def alike(name: str) -> Any:
    """A library's function of an array, of which one of another library has the shape only."""

    def make(library: Any, array: Any, kind: Any, *value: Any) -> Any:
        if library is library_at(None, array):
            if library is np:
                return getattr(np, f"{name}_like")(array, *value, kind)
            return getattr(library, f"{name}_like")(array, *value, dtype=kind)
        return getattr(library, name)(array.shape, *value, kind)

    return make


zeros_like = like(alike("zeros"))
ones_like = like(alike("ones"))
empty_like = like(alike("empty"))
full_like = like(alike("full"))
rand_like = like(lambda library, array, kind: uniform(library, array.shape, kind))
randn_like = like(lambda library, array, kind: normally(library, array.shape, kind))


def eye(
    n: int,
    m: int | None = None,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    made = library_at(device).eye(n, m, dtype=numpy_type(dtype) or default())
    return finished(made, requires_grad, device)


def arange(
    start: Any,
    end: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Numbers in steps, without the end."""
    if end is None:
        start, end = 0, start
    numbers = [x.item() if isinstance(x, Tensor) else x for x in (start, end, step)]
    whole = all(isinstance(x, int) for x in numbers)
    kind = numpy_type(dtype) or (np.dtype(np.int64) if whole else default())
    made = library_at(device).arange(*numbers).astype(kind)
    return finished(made, requires_grad, device)


def linspace(
    start: Any,
    end: Any,
    steps: int,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    kind = numpy_type(dtype) or default()
    made = library_at(device).linspace(float(start), float(end), steps, dtype=kind)
    return finished(made, requires_grad, device)


def logspace(
    start: Any,
    end: Any,
    steps: int,
    base: float = 10.0,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    kind = numpy_type(dtype) or default()
    made = library_at(device).logspace(float(start), float(end), steps, base=base, dtype=kind)
    return finished(made, requires_grad, device)


def randint(
    low: int,
    high: Any = None,
    size: Any = None,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    if size is None:
        low, high, size = 0, low, high
    rng = random.generator(generator, library_at(device))
    made = rng.integers(low, high, shape_given((size,)))
    return finished(made.astype(numpy_type(dtype) or np.int64), requires_grad, device)


def randperm(n: int, *, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    made = random.generator(generator, library_at(device)).permutation(n)
    return wrapped(made.astype(numpy_type(dtype) or np.int64))


def normal(
    mean: Any = 0.0,
    std: Any = 1.0,
    size: Any = None,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Normally distributed numbers of these means and deviations."""
    means, stds = (x._array if isinstance(x, Tensor) else x for x in (mean, std))
    own = np.broadcast_shapes(np.shape(means), np.shape(stds))
    library = library_at(device) if device is not None else library_of([means, stds])
    drawn = normally(library, own if size is None else shape_given((size,)), np.float64, generator)
    made = as_array(means + stds * drawn).astype(numpy_type(dtype) or default())
    return finished(made, requires_grad, device)


def manual_seed(seed: int) -> Any:
    """Start the random numbers anew."""
    return random.seed(seed)


def new(self: Tensor, *given: Any) -> Tensor:
    """A new tensor of the same type: of these sizes, or with this data."""
    if not given:
        return wrapped(library_of([self._array]).empty(0, self._array.dtype))
    if len(given) == 1 and not isinstance(given[0], (int, np.integer, Size)):
        data = given[0]
        if isinstance(data, Tensor):
            return wrapped(data._array.view())
        return wrapped(beside(self._array, array_of(data, self._array.dtype)))
    return wrapped(library_of([self._array]).empty(shape_given(given), self._array.dtype))


Tensor.new = new
