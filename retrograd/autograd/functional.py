"""``retrograd.autograd.functional``: Jacobians, Hessians and their products of functions of tensors."""

from __future__ import annotations

from retrograd.runtime.eager.transforms.functional import (
    hessian,
    hvp,
    jacobian,
    jvp,
    vhp,
    vjp,
)

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]
