"""Arrays of the host that a text for the device reads from outside: they may be counted and gone over, and say places."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd import runtime
from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.traits.linearity import STRUCTURE

__all__ = ["refuse_host_arrays"]

LIBRARIES: dict[str, Any] = {"np": np, "rt": runtime}


def refuse_host_arrays(lines: list[ast.stmt], roots: dict[str, Any]) -> None:
    """Refuse one that would meet arrays of the device."""
    names = {name for name, value in roots.items() if isinstance(value, np.ndarray)} - made_by(
        lines
    )
    for line in lines if names else ():
        for node in ast.walk(line):
            for operand in operands(node):
                if isinstance(operand, ast.Name) and operand.id in names:
                    refuse(operand.id)


def made_by(lines: list[ast.stmt]) -> set[str]:
    """The constants that a module makes by itself, where it runs."""
    targets = [target for line in lines if isinstance(line, ast.Assign) for target in line.targets]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def operands(node: ast.AST) -> Iterator[ast.expr]:
    """What a node computes with."""
    if isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Compare):
        yield from (node.left, *node.comparators)
    elif isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Attribute) and node.attr not in STRUCTURE
    ):
        yield node.value
    elif isinstance(node, ast.Call):
        yield from arguments(node)


def arguments(call: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a library's function but for places."""
    library, _, path = ast.unparse(call.func).partition(".")
    if library not in LIBRARIES:
        return
    names = parameters(library, path)
    for k, given in enumerate(call.args):
        if not (k < len(names) and takes_places(names[k])):
            yield given
    yield from (word.value for word in call.keywords if not takes_places(word.arg))


def parameters(library: str, path: str) -> list[str]:
    found = LIBRARIES[library]
    for name in path.split("."):
        found = getattr(found, name)
    try:
        return list(inspect.signature(found).parameters)
    except (TypeError, ValueError):  # a ufunc says nothing of its parameters
        return []


def takes_places(parameter: str | None) -> bool:
    return parameter in ("index", "indices")


def refuse(name: str) -> None:
    raise SignatureMismatch(
        f"`{name}`, which the function reads, is an array of NumPy, on the host, and the arguments are on the device: make it "
        f"one of CuPy, by {name} = cupy.asarray({name}), or hand it over as an argument"
    )
