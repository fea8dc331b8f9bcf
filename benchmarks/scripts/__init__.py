"""Twenty scripts as people write them with ``torch``, in functional form: each runs on whichever module it is handed.

A script has ``start(torch)``: data and weights come from NumPy, so that every module starts from the same, in double
precision.  What it gives is ``step()``, which goes one step on and tells the loss.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["NAMES", "normal", "trained"]

NAMES = (
    "checkpointing", "cnn", "custom_functions", "flow", "func_transforms", "gan", "gru", "implicit_layer", "lbfgs",
    "lstm", "maml", "matrix_factorisation", "mlp", "neural_ode", "newton_cg", "pinn", "polynomial", "relu_hessian",
    "transformer", "vae",
)  # fmt: skip


def normal(torch: Any, rng: Any, *shape: int) -> Any:
    """Normal entries."""
    return torch.tensor(rng.standard_normal(shape))


def trained(torch: Any, rng: Any, *shape: int) -> Any:
    """Normal entries scaled by the length of the last axis (an axis alone: zeros), which require grad."""
    entries = np.zeros(shape) if len(shape) == 1 else rng.standard_normal(shape) / shape[-1] ** 0.5
    return torch.tensor(entries, requires_grad=True)
