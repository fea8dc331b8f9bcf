"""The passes over the loop IR, in order."""

from __future__ import annotations

from ..loop_ir.ir import Kernel
from ..loop_ir.verify_scopes import in_scope
from .deferred_bails import deferred
from .known_bounds import without_known_tests
from .loops.cache_tiling import interleave
from .loops.independent_loops import mark_free
from .loops.loop_fusion import fuse
from .loops.loop_invariants import hoist
from .loops.stencil_fusion import gather
from .loops.thread_sharing import share
from .loops.unroll_and_jam import jam
from .memory.array_contraction import contract, unroll
from .memory.rematerialise import recompute
from .memory.scalar_replacement import in_registers
from .memory.single_assignment import named_once
from .memory.store_forwarding import forward
from .memory.unread_arenas import leave_unread
from .near_range_trig import near
from .raised_bails import raised
from .sums.batched_products import ahead
from .sums.batched_rank1_updates import later
from .sums.blocked_summation import block_sums
from .sums.carried_sums import handed_sums
from .sums.sum_recognition import running_sums

__all__ = ["optimised"]


def optimised(kernel: Kernel, backend: str = "c", threads: bool = False) -> Kernel:
    """Fuse loops, contract what need not be in memory, write out short loops; ``threads`` share long ones.

    Sums in variables let more loops become one, which LLVM, behind numba, then fails to make vectors
    of: twice as slow for pairs of bodies, where C is three times as fast.
    """
    if backend == "cuda":
        return for_device(kernel)
    kernel = running_sums(deferred(hoist(without_known_tests(raised(leave_unread(kernel))))))
    kernel = unroll(contract(fuse(recompute(later(ahead(kernel))))))
    kernel = in_registers(kernel) if backend == "c" else kernel
    kernel = contract(fuse(mark_free(contract(fuse(kernel)))))
    kernel = unroll(interleave(gather(kernel)))
    kernel = near(forward(jam(kernel)))
    return in_scope(block_sums(share(handed_sums(kernel)) if threads else kernel))


def for_device(kernel: Kernel) -> Kernel:
    """Fuse loops and contract memory; what is for caches, vectors and threads of the host is left out."""
    kernel = contract(fuse(recompute(running_sums(kernel))))
    return in_scope(named_once(contract(fuse(kernel))))
