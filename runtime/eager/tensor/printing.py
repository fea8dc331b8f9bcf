"""How a tensor is printed: as PyTorch prints it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays.transfers import on_host
from ...batching.batched_array import BatchedArray
from ...device.places import is_far
from ..graph.tangents import tangent_of
from .devices import place
from .dtypes import default
from .tensor import Tensor, extend, wrapped

__all__ = ["set_printoptions", "text"]


class Options:
    precision, threshold, edgeitems, linewidth = 4, 1000, 3, 80
    sci_mode: bool | None = None


options = Options()


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Change how tensors are printed."""
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    for name, value in given.items():
        if value is not None:
            setattr(options, name, value)
    options.sci_mode = sci_mode


def text(tensor: Any) -> str:
    """``tensor([1., 2.], requires_grad=True)``."""
    array = tensor._array
    if type(array) is BatchedArray:
        shown = text(wrapped(array.value)).replace("\n", "\n    ")
        return f"BatchedTensor(lvl={array.level}, bdim=0, value=\n    {shown}\n)"
    notes = []
    if is_far(array):
        notes.append(f"device='{place(array)}'")
        array = on_host(array)
    if array.size == 0:
        body = "[]"
        if array.ndim > 1 or (array.ndim == 1 and array.shape != (0,)):
            notes.append(f"size={tuple(array.shape)}")
    else:
        body = numbers(array, len("tensor("))
    if not is_plain(array):
        notes.append(f"dtype={tensor.dtype}")
    notes.extend(history(tensor))
    return suffixed(f"tensor({body}", notes)


@extend
class Printed(Tensor):
    """Tensors show their values."""

    __slots__ = ()

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return text(self)

    __str__ = __repr__


def is_plain(array: Any) -> bool:
    """True if the type is the one that the digits suggest."""
    kind = array.dtype
    whole = kind == np.int64 and array.size > 0
    pair = kind.kind == "c" and kind == np.result_type(default(), np.complex64)
    return bool(kind == default() or whole or kind.kind == "b" or pair)


def history(tensor: Any) -> list[str]:
    tangent = tangent_of(tensor)
    return [*graph(tensor), *([f"tangent={tangent!r}"] if tangent is not None else [])]


def graph(tensor: Any) -> list[str]:
    try:
        node = tensor.grad_fn
    except RuntimeError:
        return ["grad_fn=<Invalid>"]
    if node is not None:
        return [f"grad_fn=<{node.name().rpartition('::')[2]}>"]
    return ["requires_grad=True"] if tensor.requires_grad else []


def suffixed(body: str, notes: list[str]) -> str:
    """The notes after the numbers, on a new line where they do not fit."""
    made = body
    width = len(body) - body.rfind("\n") - 1
    for note in notes:
        if width + len(note) + 2 > options.linewidth:
            made += ",\n" + " " * len("tensor(") + note
            width = len("tensor(") + len(note)
        else:
            made += ", " + note
            width += len(note) + 2
    return made + ")"


class Formatter:
    """The common width and precision of the numbers of one tensor."""

    def __init__(self, array: Any) -> None:
        self.floating = array.dtype.kind in "fV"
        self.integral, self.scientific, self.width = True, False, 1
        values = array.reshape(-1)
        if not self.floating:
            self.width = max(len(str(v)) for v in values.tolist())
            return
        values = values.astype(np.float64)
        finite = np.abs(values[np.isfinite(values) & (values != 0)])
        if finite.size:
            self.integral = bool(np.all(finite == np.ceil(finite)))
            low, high = float(finite.min()), float(finite.max())
            wide = high / low > 1000.0 or low < 1e-4
            self.scientific = high > 1e8 or (wide and not self.integral)
        if options.sci_mode is not None:
            self.scientific = options.sci_mode
        self.width = max(len(self.bare(v)) for v in values.tolist())

    def bare(self, value: Any) -> str:
        if not self.floating:
            return str(value)
        if math.isnan(value) or math.isinf(value):
            return str(value)
        if self.scientific:
            return f"{value:.{options.precision}e}"
        if self.integral:
            return f"{value:.0f}."
        return f"{value:.{options.precision}f}"

    def __call__(self, value: Any) -> str:
        return self.bare(value).rjust(self.width)


def numbers(array: Any, indent: int) -> str:
    summarized = array.size > options.threshold
    shown = shortened(array) if summarized else array
    if array.dtype.kind == "c":
        real, imaginary = Formatter(shown.real), Formatter(shown.imag)
        return rows(
            array,
            indent,
            summarized,
            lambda v: complex_text(real, imaginary, v),
            real.width + imaginary.width + 1,
        )
    formatter = Formatter(shown)
    return rows(array, indent, summarized, formatter, formatter.width)


def complex_text(real: Formatter, imaginary: Formatter, value: complex) -> str:
    sign = "-" if math.copysign(1, value.imag) < 0 and not math.isnan(value.imag) else "+"
    return f"{real(value.real)}{sign}{imaginary.bare(abs(value.imag))}j"


def shortened(array: Any) -> Any:
    """The entries that are printed of a long tensor."""
    e = options.edgeitems
    for axis in range(array.ndim):
        if array.shape[axis] > 2 * e:
            index = np.r_[0:e, -e:0]
            array = np.take(array, index, axis)
    return array


def rows(array: Any, indent: int, summarized: bool, form: Any, width: int) -> str:
    if array.ndim == 0:
        return str(form(array.item()))
    e = options.edgeitems
    cut = summarized and len(array) > 2 * e
    if array.ndim == 1:
        return line(array, indent, cut, form, width)
    parts = [array[k] for k in (*range(e), *range(-e, 0))] if cut else list(array)
    texts = [rows(part, indent + 1, summarized, form, width) for part in parts]
    if cut:
        texts.insert(e, "...")
    gap = "," + "\n" * (array.ndim - 1) + " " * (indent + 1)
    return f"[{gap.join(texts)}]"


def line(array: Any, indent: int, cut: bool, form: Any, width: int) -> str:
    e = options.edgeitems
    per_line = max(1, (options.linewidth - indent) // (width + 2))
    values = array.tolist() if array.dtype.kind != "V" else array.astype(np.float32).tolist()
    if cut:
        texts = [*map(form, values[:e]), " ...", *map(form, values[-e:])]
    else:
        texts = list(map(form, values))
    lines = [", ".join(texts[k : k + per_line]) for k in range(0, len(texts), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"
