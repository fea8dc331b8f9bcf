"""What users see of the values that a node keeps: ``_saved_...`` by PyTorch's names, and handles on the tensors."""

from __future__ import annotations

import math
import weakref
from typing import Any

import numpy as np

from ...objects.pytree import leaves
from ..tensor.tensor import Tensor, wrapped
from .boxes import is_array, tensor
from .saved_tensors import FREED, Saved, SavedTensor, attribute_handle, saved_tensor
from .saving import Several

__all__ = ["handle", "names_of", "shown"]

NAMES = {
    "x": "self", "y": "other", "z": "result", "a": "self", "b": "other", "x1": "self", "x2": "mat2", "condition": "condition",
    "indices": "indices", "offset": "offset", "mode": "mode", "ord": "ord", "n": "n", "k": "k", "stride": "stride",
    "dilation": "dilation",
}  # fmt: skip
SPECIAL = {("power", "y"): "exponent"}
# By the node: another name, or none, where PyTorch's formula reads something else.
RENAMED = {
    ("AddmmBackward0", "self"): None,
    ("ConstantPadNdBackward0", "mode"): None,
    ("ConvolutionBackward0", "self"): None,
    ("DivBackward0", "result"): None,
    ("DotBackward0", "mat2"): "tensor",
    ("ErfinvBackward0", "result"): None,
    ("LinalgDetBackward0", "self"): "A",
    ("LinalgPinvBackward0", "rcond"): None,
    ("LinalgSlogdetBackward0", "result"): None,
    ("LinalgSlogdetBackward0", "self"): "A",
    ("TrilBackward0", "k"): "diagonal",
    ("TriuBackward0", "k"): "diagonal",
    ("UnsafeViewBackward0", "mat2"): None,
    ("UnsafeViewBackward0", "self"): None,
    ("ViewBackward0", "mat2"): None,
    ("ViewBackward0", "self"): None,
    **{
        (kind, "condition"): None
        for kind in (
            "HardshrinkBackward0", "HardtanhBackward0", "IndexPutBackward0", "LeakyReluBackward0",
            "SoftshrinkBackward0", "ThresholdBackward0",
        )
    },
    **{
        (f"{kind}Backward0", "indices"): None
        for kind in ("AdaptiveMaxPool2D", "MaxPool2DWithIndices", "MaxPool3DWithIndices")
    },
}  # fmt: skip
# Of those that have several results, which are kept together.
RESULTS = {
    "LinalgEigBackward0": ("eigenvalues", "eigenvectors"),
    "LinalgEighBackward0": ("eigenvalues", "eigenvectors"),
    "LinalgQrBackward0": ("Q", "R"),
    "LinalgSvdBackward0": ("U", "S", "Vh"),
}

# Those that show the shape of their input, which stands at the edge that leads to it.
SHAPED = frozenset(
    f"{kind}Backward0"
    for kind in ("Diagonal", "Expand", "Kthvalue", "Mean", "Mode", "Sort", "Squeeze", "View")
) | {"MeanBackward1", "SqueezeBackward1"}  # fmt: skip


def shown_name(node: Any, own: str) -> str | None:
    """The name of a kept value in PyTorch; None where it shows none."""
    kind = type(node).__name__
    if kind in RESULTS and own in ("a", "x", "z"):
        return None
    name = SPECIAL.get((node.rule.name, own)) or NAMES.get(own)
    return RENAMED.get((kind, name), name) if name is not None else None


def places(node: Any) -> dict[str, tuple[int, int | None]]:
    """Where each value that is shown is kept, and which of several results it is."""
    found: dict[str, tuple[int, int | None]] = {}
    for k, (own, shape_only) in enumerate(node.plan.keep):
        if shape_only:
            continue
        if own == "z" and type(node).__name__ in RESULTS:
            found |= {name: (k, j) for j, name in enumerate(RESULTS[type(node).__name__])}
        name = shown_name(node, own)
        if name is not None:
            found[name] = k, None
    return found


def attributes_of(node: Any) -> dict[str, Any]:
    """What the call was given beside what is kept, and the shape of its input."""
    kept = places(node) if node.attributes else {}
    found = {name: value for name, value in (node.attributes or {}).items() if name not in kept}
    if type(node).__name__ in SHAPED and node.edges[0] is not None:
        source, k = node.edges[0]
        shape = tuple(source.outputs[k][0])
        found = {"self_sym_sizes": shape, **found}
        if type(node).__name__.startswith("Mean"):
            found["self_sym_numel"] = math.prod(shape)
    return found


def names_of(node: Any) -> list[str]:
    """All ``_saved_...``, and ``_raw_saved_...`` for the tensors among them."""
    kept, given = places(node), attributes_of(node)
    raw = [name for name, place in kept.items() if holds_tensor(node, *place)]
    raw += [name for name, value in given.items() if tensors_in(value)]
    return [
        *(f"_saved_{name}" for name in {**kept, **given}), *(f"_raw_saved_{name}" for name in raw),
    ]  # fmt: skip


def holds_tensor(node: Any, k: int, part: int | None) -> bool:
    if part is not None or k in node.plan.places:
        return True
    own = node.plan.keep[k][0]
    if node.saved is None:
        return own == "z" or own in node.rule.active
    return type(node.saved[k]) in (Saved, Several) or is_operand(node, k)


def is_operand(node: Any, k: int) -> bool:
    """True of a number that PyTorch makes a tensor of, as of all operands but those of powers."""
    is_number = type(node.saved[k]) in (bool, int, float, complex)
    return is_number and node.plan.keep[k][0] in ("x", "y") and node.rule.name != "power"


def tensors_in(value: Any) -> bool:
    return any(isinstance(one, Tensor) for one in leaves(value))


def might_keep(node: Any, name: str) -> bool:
    """True if a node of this kind keeps a value of that name, though this one did not need it."""
    return any(shown_name(node, own) == name for own in node.rule.active)


def shown(node: Any, name: str) -> Any:
    """``node._saved_name``."""
    given = attributes_of(node)
    if name in given:
        if node.saved is None and tensors_in(given[name]):
            raise RuntimeError(FREED)
        return given[name]
    place = places(node).get(name)
    if place is None:
        if might_keep(node, name):
            return None
        raise AttributeError(f"'{type(node).__name__}' object has no attribute '_saved_{name}'")
    if node.saved is None:
        raise RuntimeError(FREED)
    k, part = place
    value = node.value(k)
    if part is not None:
        return tensor(node.boxed(k, value)[part])
    if not is_array(value):
        return wrapped(np.asarray(value)) if is_operand(node, k) else value
    source = node.saved[k][3] if node.is_closed(k) else getattr(node.saved[k], "source", None)
    if source is not None and source._array is value:  # nothing has come between
        return source
    return tensor(node.boxed(k, value))


def handle(node: Any, name: str) -> Any:
    """``node._raw_saved_name``: the same object each time, as long as somebody has it."""
    if node.saved is None and name in attributes_of(node):
        raise RuntimeError(FREED)
    if isinstance(attributes_of(node).get(name), tuple) and f"_raw_saved_{name}" in names_of(node):
        count = len(attributes_of(node)[name])
        return tuple(one_handle(node, name, part) for part in range(count))
    return one_handle(node, name, None)


def one_handle(node: Any, name: str, part: int | None) -> SavedTensor:
    known = node.kept("handles", weakref.WeakValueDictionary)
    made = known.get((name, part))
    if made is None:
        made = known[name, part] = new_handle(node, name, part)
    return made  # type: ignore[no-any-return]


def new_handle(node: Any, name: str, part: int | None) -> SavedTensor:
    if f"_raw_saved_{name}" not in names_of(node):
        if name not in places(node) and might_keep(node, name):
            return saved_tensor(node, None, lambda: None)
        raise AttributeError(f"'{type(node).__name__}' object has no attribute '_raw_saved_{name}'")
    given = attributes_of(node)
    if name in given:
        return attribute_handle(node, given[name] if part is None else given[name][part])
    k, result = places(node)[name]
    if node.saved is not None:
        node.open(k)
    saved = None if node.saved is None else node.saved[k]
    if saved is not None and is_operand(node, k):
        return attribute_handle(node, shown(node, name))
    if type(saved) is Several:
        saved = saved.items[result or 0]
    return saved_tensor(node, saved if type(saved) is Saved else None, lambda: shown(node, name))
