"""The passes over the loop IR, in order."""

from __future__ import annotations

from ..loop_ir.loop_ir import Kernel
from ..loop_ir.scopes import in_scope
from .deferred import deferred
from .loops.fuse import fuse
from .loops.gather import gather
from .loops.hoist import hoist
from .loops.interleave import interleave
from .loops.jam import jam
from .loops.parallel import mark_free
from .loops.sharing import share
from .memory.contract import contract, unroll
from .memory.forward import forward
from .memory.recompute import recompute
from .memory.registers import in_registers
from .near import near
from .sums.ahead import ahead
from .sums.blocks import block_sums
from .sums.handed import handed_sums
from .sums.later import later
from .sums.running import running_sums

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
