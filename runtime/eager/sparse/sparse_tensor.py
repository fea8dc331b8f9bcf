"""The tensor of a sparse array, and what operations on it are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...batching.batched_array import as_array
from ..tensor.tensor import Tensor, fresh, wrapped
from .coo import NO_FORM, Coo, NoSparseForm

__all__ = ["FORMS", "SparseTensor", "as_dense", "form", "of_array", "sparse_call"]

STORED = Tensor._more  # type: ignore[misc]


class SparseTensor(Tensor):
    """A tensor of which some entries are kept. The short ways of operations, which are for arrays, leave it alone."""

    __slots__ = ()

    @property
    def _more(self) -> Any:
        found = STORED.__get__(self)  # type: ignore[union-attr]
        if found is None:
            found = {}
            STORED.__set__(self, found)  # type: ignore[union-attr]
        return found

    @_more.setter
    def _more(self, value: Any) -> None:
        STORED.__set__(self, value)  # type: ignore[union-attr]


def of_array(array: Any) -> Any:
    """The tensor of an array of either kind."""
    return fresh(array, SparseTensor) if type(array) is Coo else wrapped(as_array(array))


def as_dense(bar: Any) -> Any:
    """A gradient with all of its entries: an array, or a tensor."""
    return bar.dense() if type(bar) is Coo else bar.to_dense()


# -- operations by the function of NumPy that they are of dense tensors ------------------------

FORMS: dict[Any, Callable[..., Any]] = {}


def form(*functions: Any) -> Callable[[Any], Any]:
    """Enter what functions are of sparse tensors."""

    def enter(made: Any) -> Any:
        FORMS.update(dict.fromkeys(functions, made))
        return made

    return enter


def sparse_call(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of which an argument is sparse."""
    known = FORMS.get(fn)
    if known is None:
        raise NoSparseForm(NO_FORM.format(f"{getattr(fn, '__name__', fn)}()"))
    return known(*args, **kwargs)
