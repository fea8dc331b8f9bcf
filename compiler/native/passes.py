"""The passes over the loop IR, in order."""

from __future__ import annotations

from .contract import contract, unroll
from .forward import forward
from .fuse import fuse
from .loop_ir import Kernel
from .parallel import mark_free
from .recompute import recompute

__all__ = ["optimised"]


def optimised(kernel: Kernel) -> Kernel:
    """Fuse loops, contract what need not be in memory, write out short loops."""
    kernel = unroll(contract(fuse(recompute(kernel))))
    return forward(contract(fuse(mark_free(contract(fuse(kernel))))))
