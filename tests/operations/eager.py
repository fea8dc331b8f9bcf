"""Every row on eager tensors, back and forth: ``python -m tests.operations.eager``.

NumPy's functions of tensors come from the rule book.  A row gives tensors with the right derivative, or it is refused;
what becomes a plain number or array is never silent.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.runtime.eager import warned
from retrograd.runtime.rules.book import book

from .inputs import constants, directions, inputs
from .probe import difference, direct, pairing
from .rows import Row, leaves, rows, weights

__all__ = ["EXCEPTIONS", "MODES", "asked", "is_known", "verdict"]

MODES = ("reverse", "forward")
FINE = ("right", "refused", "warned", "absent", "without")
EXCEPTIONS = {
    "copy.deepcopy(v)": "a copy of a leaf is a leaf of its own, as in PyTorch",
    "isinstance": "the program asks whether it has an array, and goes another way",
}
TOLERANCE = 1e-3


def asked() -> list[Row]:
    """The rows about functions: methods of tensors are PyTorch's, and not NumPy's."""
    return [
        row
        for row in rows()
        if row.kind != "method" and not any(text in row.expression for text in EXCEPTIONS)
    ]


def is_known(row: Row) -> bool:
    """Whether a row is about a function that has a rule, and that NumPy hands on with its arguments."""
    first, *path = row.function.split(".")
    found: Any = constants().get(first)
    for name in path:
        found = getattr(found, name, None)
    handed_on = isinstance(found, np.ufunc) or hasattr(found, "_implementation")
    return (
        handed_on
        and found in book
        and "out=" not in row.expression
        and "np.array(" not in row.expression
    )


def verdict(row: Row, mode: str) -> str:
    """What becomes of a row in a mode: its first word is one of `FINE`, or WRONG."""
    given = {name: value for name, value in inputs().items() if name in row.arguments}
    with warnings.catch_warnings(record=True) as told, np.errstate(all="ignore"):
        warnings.simplefilter("always")
        try:
            value = direct(row, given)
        except AttributeError:
            return "absent"
        c = weights(value)
        warned.given.clear()
        try:
            found = TRIED[mode](row, given, c)
        except Exception as error:  # however it is refused, nothing is handed out
            return f"refused: {type(error).__name__}: {error}"
        if found is None and any("to a scalar may lead" in str(w.message) for w in told):
            return "warned"
        return judged(row, given, c, found)


def judged(row: Row, given: dict[str, Any], c: list[Any], found: Any) -> str:
    def total(*values: Any) -> float:
        return float(weighed(direct(row, dict(zip(given, values, strict=True))), c))

    ways = directions(3, given)
    slopes = {name: difference(total, given, {name: ways[name]}) for name in given}
    if found is None:
        slope = max(map(abs, slopes.values()), default=0.0)
        return "without" if slope < 1e-9 else f"WRONG: no tensor, and a slope of {slope:.3g}"
    z, bars = found
    if not np.isclose(z, total(*given.values()), rtol=1e-5, equal_nan=True):
        return f"WRONG: the value is {z}"
    for name, slope in slopes.items():
        ours = pairing(bars[name], ways[name]) if isinstance(bars, dict) else bars
        wanted = slope if isinstance(bars, dict) else sum(slopes.values())
        if not abs(ours - wanted) <= TOLERANCE * max(1.0, abs(wanted)):
            return f"WRONG: {name}: {ours:.6g} instead of {wanted:.6g}"
    return "right"


def backward(row: Row, given: dict[str, Any], c: list[Any]) -> Any:
    """The value and the gradients, or None where the result is no tensor."""
    tensors = {name: rg.tensor(np.array(v), requires_grad=True) for name, v in given.items()}
    z = weighed(of(row, tensors), c)
    if not isinstance(z, rg.Tensor):
        return None
    if z.requires_grad:
        z.backward()
    bars = {name: 0.0 if t.grad is None else t.grad.numpy() for name, t in tensors.items()}
    return z.item(), bars


def forward(row: Row, given: dict[str, Any], c: list[Any]) -> Any:
    """The value and its tangent."""
    mode, ways = rg.autograd.forward_ad, directions(3, given)
    with mode.dual_level():
        z = of(row, {n: mode.make_dual(tensor(v), tensor(ways[n])) for n, v in given.items()})
        z = weighed(z, c)
        if not isinstance(z, rg.Tensor):
            return None
        primal, tangent = mode.unpack_dual(z)
        return primal.item(), 0.0 if tangent is None else tangent.item()


TRIED: dict[str, Callable[..., Any]] = {"reverse": backward, "forward": forward}


def tensor(value: Any) -> Any:
    return rg.tensor(np.array(value))


def of(row: Row, values: dict[str, Any]) -> Any:
    named = {**constants(), **values}
    exec(f"def f():\n{row.body}\n", named)
    return named["f"]()


def weighed(value: Any, c: list[Any]) -> Any:
    """The weighted sum over the float parts; a plain number where one of them is no tensor."""
    parts = [leaf for _, leaf in leaves(value) if kind(leaf) in ("f", "c")]
    tensors = all(isinstance(leaf, rg.Tensor) for leaf in parts)
    total: Any = 0.0
    for weight, leaf in zip(c, parts, strict=True):
        term = (leaf * tensor(weight)).sum() if tensors else np.sum(np.asarray(leaf) * weight)
        total = total + (term.real if kind(term) == "c" else term)
    return total


def kind(leaf: Any) -> str:
    return (leaf._array if isinstance(leaf, rg.Tensor) else np.asarray(leaf)).dtype.kind


def main() -> int:
    found: Counter[str] = Counter()
    for row in asked():
        for mode in MODES:
            said = verdict(row, mode)
            found[said.partition(":")[0]] += 1
            if not said.startswith(FINE):
                print(f"{mode} {row.expression!r}: {said}", flush=True)
    print(dict(found))
    return 1 if found["WRONG"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
