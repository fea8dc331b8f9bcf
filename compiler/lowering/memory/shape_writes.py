"""``y.shape = (2, 3)``: every name of the array has another shape from then on, and its views have not."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import MutationError

from ...ir.containers import leaves, rebuild
from ...ir.operations import Value
from ...ir.types import Array
from ..interface.lowerer import Lowerer
from ..nodes import Node

__all__ = ["set_shape"]


def set_shape(lowerer: Lowerer, base: Value, shape: Node, target: gast.AST) -> None:
    """Bind every name of an array anew, to the same memory in another shape."""
    versions, scope = lowerer.versions, lowerer.scope
    outer = scope.turn_to(target)
    cell = versions.place_of(base).cell
    around = [env for env in scope.frames.values() if env is not scope.env]
    if not (
        cell.first in versions.fresh
        and scope.is_in_body(versions.born.get(cell.first))
        and not versions.place_of(base).path
        and isinstance(base.type, Array)
        and not any(holds(lowerer, node, base) for env in around for node in env.values())
    ):
        raise MutationError(
            "setting the shape of this array is not supported: it may be seen elsewhere",
            place=scope.place(target), fix="make an array of the new shape: y = y.reshape(shape)",
        )  # fmt: skip
    operands = (base, lowerer.operations.operand(shape))
    with lowerer.assumptions.presuming_views():
        made = lowerer.operations.apply(np.ndarray.reshape, operands, {})
    made.hint = base.hint
    env = scope.env
    for name in [n for n, node in env.items() if holds(lowerer, node, base)]:
        env[name] = rebuild(env[name], lambda v: made if is_the_same(lowerer, v, base) else v)
    scope.turn_to(outer)


def holds(lowerer: Lowerer, node: Node, x: Value) -> bool:
    return any(is_the_same(lowerer, v, x) for v in leaves(node))


def is_the_same(lowerer: Lowerer, v: Any, x: Value) -> bool:
    """True if two values are one object: what ``np.asarray`` gives is the array itself."""
    return v is x or bool(lowerer.versions.same_place(v, x))
