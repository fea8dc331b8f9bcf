"""A program run on retrograd and on PyTorch: after each statement both have the same errors, values, gradients, versions
and flags."""

from __future__ import annotations

import importlib
import re
import warnings
from typing import Any

import numpy as np

from .accidents import ends, is_own_refusal, stops, tensors
from .batches import batch_functions
from .checkpoints import checkpoint_functions
from .own_functions import own_functions
from .programs import Program, run_statement

__all__ = ["Difference", "difference", "program", "shrunk"]


class Difference(Exception):
    """Where the two part: of what kind, and what each says."""

    def __init__(self, kind: str, statement: str, ours: Any, theirs: Any) -> None:
        self.kind, self.statement, self.ours, self.theirs = kind, statement, ours, theirs
        super().__init__(f"{kind} after `{statement}`:\n  retrograd: {ours}\n  torch: {theirs}")


def namespace(module: str) -> dict[str, Any]:
    """Where a program runs: ``torch`` is the module; ``note`` keeps what hooks see."""
    noted: list[Any] = []

    def note(*values: Any) -> None:
        noted.extend(observed(v) for v in values)

    torch = importlib.import_module(module)
    importlib.import_module(f"{module}.utils.checkpoint")
    return {
        "torch": torch,
        "note": note,
        "noted": noted,
        **own_functions(torch),
        **checkpoint_functions(torch),
        **batch_functions(torch),
    }


def program(seed: int, rich: bool = False) -> list[str]:
    """The statements of a seed; PyTorch runs them while they are written."""
    return Program(seed, namespace("torch"), rich).written()


def observed(value: Any) -> Any:
    """A value as plain numbers."""
    if value is None or not hasattr(value, "requires_grad"):
        return value if isinstance(value, (bool, int, float, str, type(None))) else None
    return np.array(value.detach().numpy(force=True))


def state(value: Any) -> dict[str, Any]:
    """What can be seen of a tensor."""
    found: dict[str, Any] = {"value": observed(value)}
    for name in ("requires_grad", "is_leaf", "_version", "grad", "retains_grad"):
        try:
            seen = getattr(value, name)
        except Exception as error:
            seen = said(error)
        found[name] = observed(seen) if hasattr(seen, "requires_grad") else seen
    return found


def said(error: BaseException | None) -> str | None:
    """An error's type, and its text without names and places."""
    if error is None:
        return None
    text = str(error).split("\n")[0]
    if not isinstance(error, RuntimeError):
        return type(error).__name__
    text = re.sub(r"\b(torch|retrograd)\b", "torch", text)
    text = re.sub(r"\[torch\.\w+ \[?[\d, ]*\]?\]", "[tensor]", text)
    text = text.replace("[tensor], is", "[tensor] is")
    text = re.sub(r"\bCPU(\w+)Type\b", r"torch.\1Tensor", text)
    text = re.sub(r"[Oo]utput \d+ of [\w:]+", "output of it", text)
    text = re.sub(r"(torch::autograd::)?\w*Backward\w*", "Node", text)
    return f"{type(error).__name__}: {text}"[:160]


def is_single(names: dict[str, Any]) -> bool:
    """Whether anything was computed in single precision; functions of integers and truth values are."""
    return names.get("single", False) or any(
        not str(x.dtype).endswith(("float64", "x128")) for _, x in tensors(names)
    )


def alike(ours: Any, theirs: Any, close: float) -> bool:
    if isinstance(ours, np.ndarray) and isinstance(theirs, np.ndarray):
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            return False
        if ours.tobytes() == theirs.tobytes():
            return True
        return bool(np.allclose(ours, theirs, close, close, equal_nan=True))
    return type(ours) is type(theirs) and bool(ours == theirs)


def difference(statements: list[str]) -> Difference | None:
    """The first difference, if there is one."""
    ours, theirs = namespace("retrograd"), namespace("torch")
    try:
        for statement in statements:
            if not compare(statement, ours, theirs):
                break
    except Difference as found:
        return found
    return None


def compare(statement: str, ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Run a statement on both; whether the program may go on, in the same layout and on the same side of kinks."""
    if stops(statement, theirs):
        return False
    mine, other = (said(run_statement(statement, names)) for names in (ours, theirs))
    if mine != other:
        if is_own_refusal(statement, mine, other, theirs):
            return False
        raise Difference("error", statement, mine, other)
    if mine is not None and re.search(r"masked_scatter_|\[\[0, 1\]\] = ", statement):
        return False  # PyTorch has written some
    if mine is not None and re.search(r"backward\(|autograd\.grad\(", statement):
        return False  # what was run before an error depends on how operations are made of others
    if ends(statement, theirs):
        return False
    if ".float()" in statement:
        theirs["single"] = True
    close = 1e-4 if is_single(theirs) else 1e-8
    if not alike_lists(ours["noted"], theirs["noted"], close):
        raise Difference("noted", statement, ours["noted"], theirs["noted"])
    same = True
    for name in [name for name in theirs if re.fullmatch(r"x\d+", name)]:
        if not hasattr(theirs[name], "requires_grad"):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            left, right = state(ours.get(name)), state(theirs[name])
        if layout(ours.get(name)) != layout(theirs[name]) or side(left) != side(right):
            same = False
        for what in right:
            if not alike(left[what], right[what], close):
                raise Difference(f"{what}", f"{statement}` of `{name}", left[what], right[what])
    return same


def side(found: dict[str, Any]) -> Any:
    """On which side of zero and of each other the values are: a step function, or a place, shows rounding."""
    value = np.real(found["value"])
    signs = np.signbit(value) & (value == 0) if value.dtype.kind == "f" else value == 0
    order = np.less.outer(value, value).tobytes() if value.size < 100 else b""
    whole = np.floor(value).tolist() if value.dtype.kind == "f" else []
    return (value > 0).tolist(), (value < 0).tolist(), signs.tolist(), order, str(whole)


def layout(value: Any) -> list[int]:
    """The steps of the axes that have several entries."""
    if not hasattr(value, "stride") or not value.numel():
        return []
    return [s for s, n in zip(value.stride(), value.shape, strict=True) if n > 1]


def alike_lists(ours: list[Any], theirs: list[Any], close: float) -> bool:
    return len(ours) == len(theirs) and all(
        alike(a, b, close) for a, b in zip(ours, theirs, strict=True)
    )


def shrunk(statements: list[str]) -> list[str]:
    """Fewer statements with a difference of the same kind."""
    found = difference(statements)
    assert found is not None
    k = len(statements) - 1
    while k >= 0:
        fewer = statements[:k] + statements[k + 1 :]
        other = difference(fewer)
        if other is not None and other.kind == found.kind and not is_name_error(other):
            statements = fewer
        k -= 1
    return statements


def is_name_error(found: Difference) -> bool:
    return "NameError" in (str(found.ours) + str(found.theirs))
