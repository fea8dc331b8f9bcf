"""The NumPy programs, a module for each class of them."""

from __future__ import annotations

from benchmarks.kernels.kernel import Kernel
from benchmarks.kernels.programs import (
    blas_loops,
    chains,
    dynamic,
    factorisations,
    flows,
    networks,
    particles,
    pointwise,
    spectral,
    stencils,
    sweeps,
)

__all__ = ["GROUPS", "KERNELS"]

MODULES = (
    *(stencils, sweeps, flows, factorisations, blas_loops, dynamic),
    *(networks, chains, pointwise, spectral, particles),
)
KERNELS: dict[str, Kernel] = {k.name: k for module in MODULES for k in module.KERNELS}
GROUPS = tuple(dict.fromkeys(kernel.group for kernel in KERNELS.values()))
