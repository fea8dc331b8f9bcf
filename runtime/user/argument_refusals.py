"""Why a committed derivative does not take an argument, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..arrays.libraries import is_cupy
from ..arrays.transfers import is_ndarray, is_plain_array
from ..errors import SignatureMismatch
from ..objects.container_classes import is_mapping
from .argument_forms import DEVICE, Form
from .kind_checks import Sizes, check_of

__all__ = ["alone", "refusal"]


def refusal(fn: Any, name: str, form: Form, value: Any, sizes: Sizes, args: Any) -> Exception:
    """An error: what was expected, what came, and how to write the text for it."""
    text = f"{fn.__name__}: {wrong(name, form, value, dict(sizes), args)}"
    command = regenerate(fn)
    if command:
        text += f"; to write the text for other arguments, change --sig in\n    {command}"
    return SignatureMismatch(text)


def alone(fn: Any, name: str) -> Exception:
    return SignatureMismatch(f"{fn.__name__}: the size {name} is 1; this text is for other sizes")


def wrong(path: str, form: Form, value: Any, sizes: Sizes, args: Any) -> str:
    """What is wrong with the first part that does not fit."""
    for inner, part, item in parts_of(path, form, value):
        if not check_of(part)(item, sizes, args):
            return wrong(inner, part, item, sizes, args)
    found = misfit(path, form, value)
    return found or f"`{path}` is {described(value)}, not {wanted(form, value, sizes)}"


def parts_of(path: str, form: Form, value: Any) -> Iterator[tuple[str, Form, Any]]:
    """The parts of an argument whose structure is right."""
    if misfit(path, form, value) or not form.parts:
        return
    for key, part in form.parts:
        if form.sort == "object":
            yield f"{path}.{key}", part, getattr(value, key)
        else:
            yield f"{path}[{key!r}]", part, value[key]


def misfit(path: str, form: Form, value: Any) -> str | None:
    """What is wrong with the structure of an argument, or the rank of an array."""
    if form.sort == "mapping" or (form.sort, form.of) == ("container", "dict"):
        return wrong_keys(path, form, value)
    if form.sort == "container":
        if type(value).__name__ != form.of:
            return f"`{path}` is {described(value)}, not a {form.of}"
        if len(value) != len(form.parts):
            return f"`{path}` has {items(len(value))}, not {len(form.parts)}"
    if form.sort == "object":
        if type(value).__name__ != form.of:
            return f"`{path}` is {described(value)}, not {article(form.of)}"
        for key, _ in form.parts:
            if not hasattr(value, key):
                return f"`{path}` lacks the attribute `{key}`"
    if form.sort == "array" and is_plain_array(value) and is_cupy(value) is form.device:
        dtype, dims = form.of
        if value.ndim != len(dims) and value.dtype == dtype:
            count = f"{value.ndim} dimension{'' if value.ndim == 1 else 's'}"
            return (
                f"`{path}` has {count}, not {len(dims)}: it is {described(value)}, not {form.text}"
            )
    return None


def wrong_keys(path: str, form: Form, value: Any) -> str | None:
    if not isinstance(value, dict) and not is_mapping(type(value)):
        return f"`{path}` is {described(value)}, not a dict"
    keys = [key for key, _ in form.parts]
    for key in keys:
        if key not in value:
            return f"`{path}` lacks the key {key!r}"
    for key in value:
        if key not in keys:
            return f"`{path}` has a key {key!r} that the text does not know"
    if form.sort == "mapping" and type(value).__name__ != form.of:
        return f"`{path}` is {described(value)}, not {article(form.of)}"
    if list(value) != keys:
        order = ", ".join(map(repr, keys))
        return f"`{path}` has its keys in another order than {order}, on which the text depends"
    if form.sort == "container" and type(value) is not dict:
        return f"`{path}` is {described(value)}, not a dict"
    return None


def items(count: int) -> str:
    return f"{count} item{'' if count == 1 else 's'}"


WORDS = {
    "floating": "a float or a float array",
    "real": "a real number, an array or a list of them, or a dict with texts for keys",
    "not integers": "an array of floats, to which the function writes",
}


def wanted(form: Form, value: Any, sizes: Sizes) -> str:
    """What a kind says; of one for the device with no word of its own, as it is written."""
    place = ", on the device" if form.device else ""
    if form.sort == "word":
        return WORDS[form.of] + place
    if form.sort == "ranked":
        return f"{WORDS[form.of[0]]} of rank {form.text.partition(' of rank ')[2]}{place}"
    known = []
    if form.sort == "array" and is_plain_array(value) and value.ndim == len(form.of[1]):
        known = [f"{d} = {sizes[d]}" for d in form.of[1] if d in sizes]
    return form.text + (f" with {', '.join(known)}" if known else "")


def described(value: Any) -> str:
    if is_plain_array(value):
        where = DEVICE if is_cupy(value) else ""
        return f"{where}{short(value.dtype)}[{', '.join(map(str, value.shape))}]"
    if isinstance(value, np.generic):
        return f"{short(value.dtype)} (a NumPy scalar)"
    if value is None:
        return "None"
    return article(type(value).__name__) + (", a subclass of ndarray" if is_ndarray(value) else "")


def article(name: str) -> str:
    return f"an {name}" if name[0] in "aeioAEIO" else f"a {name}"


def short(dtype: Any) -> str:
    """``f8`` for float64; other byte orders and kinds by their own name."""
    return dtype.str[1:] if dtype.isnative and dtype.kind in "bifuc" else str(dtype)


def regenerate(fn: Any) -> str:
    """The command at the end of the module's docstring."""
    lines = (fn.__globals__.get("__doc__") or "").strip().splitlines()
    last = lines[-1].strip() if lines else ""
    return last if last.startswith("retrograd ") else ""
