"""``retrograd.autograd.gradcheck``: derivatives compared with finite differences."""

from __future__ import annotations

from retrograd.runtime.eager.transforms.gradcheck import (
    GradcheckError,
    gradcheck,
    gradgradcheck,
)

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]
