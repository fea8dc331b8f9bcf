"""Forms of NumPy that the rule book knows under another name, on the tape: see ``compiler/lowering/library/numpy_rewrites.py``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..helpers import linear
from ..objects.own_attributes import own_attribute

__all__ = ["form_of"]

See = Callable[..., Any]  # an operation, its arguments and keywords: what it gives on boxes


def form_of(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[[See], Any] | None:
    """How to compute a call that has no rule of its own from operations that have one."""
    if isinstance(own_attribute(op, "__self__"), np.ufunc):
        if op.__name__ == "outer" and len(args) == 2 and not kwargs:
            return lambda see: outer(see, op.__self__, *args)
        return None
    try:
        form = FORMS.get(op)
    except TypeError:
        return None
    if form is None or (form in GIVEN and not given(form, args, kwargs)):
        return None
    return lambda see: form(see, *args, **kwargs)


def given(form: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a call gives an argument that the rule of its operation leaves out."""
    names, at = GIVEN[form]
    return bool(names & kwargs.keys()) or len(args) > at


def outer(see: See, ufunc: Any, a: Any, b: Any) -> Any:
    return see(ufunc, (see(linear.beside, (a, b), {}), b), {})


def meshgrid(see: See, *items: Any, **options: Any) -> Any:
    return see(linear.meshgrid, (items,), options)


def trapezoid(see: See, y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    return see(linear.trapezoid, (y, x, dx, axis), {})


def gradient(see: See, f: Any, *spacing: Any, axis: Any = None, edge_order: int = 1) -> Any:
    axes = range(np.ndim(f)) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    steps = list(spacing) if len(spacing) > 1 else [spacing[0] if spacing else 1.0] * len(axes)
    made = [
        see(linear.slope_at if np.ndim(step) else linear.slope, (f, step, k, edge_order), {})
        for k, step in zip(axes, steps, strict=True)
    ]
    return made[0] if len(made) == 1 and not isinstance(axis, tuple | list) else tuple(made)


def diff(
    see: See, a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None
) -> Any:
    ends = [None if e is None else see(linear.edge, (e, a, axis), {}) for e in (prepend, append)]
    parts = tuple(part for part in (ends[0], a, ends[1]) if part is not None)
    return see(np.diff, (see(np.concatenate, (parts,), {"axis": axis}),), {"n": n, "axis": axis})


def ediff1d(see: See, ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    flat = see(np.diff, (see(np.ravel, (ary,), {}),), {})
    ends = [
        None if e is None else see(linear.convert, (see(np.ravel, (e,), {}), flat), {})
        for e in (to_begin, to_end)
    ]
    parts = tuple(part for part in (ends[0], flat, ends[1]) if part is not None)
    return see(np.concatenate, (parts,), {})


FORMS: dict[Any, Any] = {
    np.meshgrid: meshgrid,
    np.trapezoid: trapezoid,
    np.gradient: gradient,
    np.diff: diff,
    np.ediff1d: ediff1d,
}
# Operations that have a rule unless one of these is given, or more by position than so many.
GIVEN: dict[Any, tuple[set[str], int]] = {
    trapezoid: ({"x", "dx"}, 1),
    diff: ({"prepend", "append"}, 3),
    ediff1d: ({"to_end", "to_begin"}, 1),
}
