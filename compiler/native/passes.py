"""The passes over the loop IR, in order."""

from __future__ import annotations

from .ahead import ahead
from .blocks import block_sums
from .contract import contract, unroll
from .deferred import deferred
from .forward import forward
from .fuse import fuse
from .gather import gather
from .handed import handed_sums
from .hoist import hoist
from .interleave import interleave
from .jam import jam
from .later import later
from .loop_ir import Kernel
from .near import near
from .parallel import mark_free
from .recompute import recompute
from .registers import in_registers
from .running import running_sums
from .scopes import in_scope
from .sharing import share

__all__ = ["optimised"]


def optimised(kernel: Kernel, backend: str = "c", threads: bool = False) -> Kernel:
    """Fuse loops, contract what need not be in memory, write out short loops; ``threads`` share long ones.

    Sums in variables let more loops become one, which LLVM, behind numba, then fails to make vectors
    of: twice as slow for pairs of bodies, where C is three times as fast.
    """
    kernel = running_sums(deferred(hoist(kernel)))
    kernel = unroll(contract(fuse(recompute(later(ahead(kernel))))))
    kernel = in_registers(kernel) if backend == "c" else kernel
    kernel = contract(fuse(mark_free(contract(fuse(kernel)))))
    kernel = unroll(interleave(gather(kernel)))
    kernel = near(forward(jam(kernel)))
    return in_scope(block_sums(share(handed_sums(kernel)) if threads else kernel))
