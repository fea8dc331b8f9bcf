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
from retrograd.runtime.eager.transforms.functional import (
    standard_basis as _construct_standard_basis_for,
)

__all__ = ["_construct_standard_basis_for", "hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]
