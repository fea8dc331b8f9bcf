"""Where PyTorch does what it does by accident: a random program is compared up to there (docs/eager.md names them)."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["ends", "is_own_refusal", "overlaps", "tensors"]

# What PyTorch refuses for want of a kernel, by the layout of its gradients, or with a failure of its own.
REFUSALS = ("memory location", "INTERNAL ASSERT FAILED")


PRODUCT = re.compile(r"cannot be multiplied|size mismatch, got input|of batch2 tensor to be")


def is_own_refusal(mine: str | None, other: str | None) -> bool:
    """Whether PyTorch refuses for a reason of its own."""
    if "numel: integer multiplication overflow" in str(other):  # of a size of -1
        return "(-1) isn't allowed" in str(mine)
    if "its base or another view" in str(other):  # which of two errors comes first
        return mine is not None
    if PRODUCT.search(str(mine)) and PRODUCT.search(str(other)):
        return True
    return str(other).startswith("NotImplementedError") or any(
        text in f"{mine}{other}" for text in REFUSALS
    )


def ends(statement: str, names: dict[str, Any]) -> str:
    """Why a program, run on PyTorch so far, cannot be compared from here on; empty if it can."""
    if names.get("written") and re.search(r"backward\(|autograd\.grad\(", statement):
        return "what was kept was written to through .data: the formulas show"
    if re.search(r"backward\(|autograd\.grad\(", statement) and not all_finite(names):
        return "what becomes of infinite values on the way back is agreed on, not computed"
    if hooked_among(statement, names):
        return "a gradient asked for among others is that before its hooks"
    if ".data." in statement:
        names["written"] = True
    if powers_of_nothing(statement, names):
        return "a complex power of zero"
    for name, value in tensors(names):
        if value.requires_grad and not (value.is_floating_point() or value.is_complex()):
            return f"{name} is of booleans or integers, and requires grad"
        if loses(value):
            return f"{name} is a view of a leaf that is a view: the gradient is lost"
    return ""


def tensors(names: dict[str, Any]) -> list[tuple[str, Any]]:
    return [
        (n, x) for n, x in names.items() if re.fullmatch(r"x\d+", n) and hasattr(type(x), "grad_fn")
    ]


def all_finite(names: dict[str, Any]) -> bool:
    return all(bool(x.detach().isfinite().all()) for _, x in tensors(names))


def hooked_among(statement: str, names: dict[str, Any]) -> bool:
    asked = re.search(r"\[(x\d+), (x\d+)\]", statement) if "grad(" in statement else None
    return asked is not None and any(names[x]._backward_hooks for x in asked.groups() if x in names)


def powers_of_nothing(statement: str, names: dict[str, Any]) -> bool:
    """Whether a complex power of zero is taken: PyTorch says NaN, even of the power 0."""
    found = re.search(r"(x\d+)\.pow\((x\d+)\)", statement)
    if found is None or not all(x in names for x in found.groups()):
        return False
    base, power = (names[x] for x in found.groups())
    return (base.is_complex() or power.is_complex()) and bool((base.detach() == 0).any())


def loses(value: Any) -> bool:
    """Whether the history of a view was made again from a base that has none."""
    try:
        node = value.grad_fn
    except RuntimeError:
        return False
    return bool(
        node is not None
        and node.name() == "AsStridedBackward0"
        and node.next_functions[0][0] is None
    )


def overlaps(a: Any, b: Any) -> bool:
    """Whether two tensors show the same memory in different ways: the order of the writes would show."""
    one, other = ((x.data_ptr(), x.shape, x.stride()) for x in (a, b))
    return bool(a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr() and one != other)
