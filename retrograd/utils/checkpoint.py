"""``retrograd.utils.checkpoint``: results whose intermediate values are computed again on the way back."""

from __future__ import annotations

from typing import Any

import retrograd.runtime.eager.api  # noqa: F401  (tensors have all their methods)
from retrograd.runtime.eager.checkpoints.checkpoint import (
    checkpoint,
    checkpoint_sequential,
    noop_context_fn,
)
from retrograd.runtime.eager.checkpoints.errors import CheckpointError
from retrograd.runtime.eager.checkpoints.reentrant import (
    CheckpointFunction,
    check_backward_validity,
    detach_variable,
)
from retrograd.runtime.eager.checkpoints.settings import (
    GraphExecGroup,
    set_checkpoint_debug_enabled,
    set_checkpoint_early_stop,
)

__all__ = [
    "CheckpointError", "CheckpointFunction", "GraphExecGroup", "check_backward_validity", "checkpoint",
    "checkpoint_sequential", "detach_variable", "noop_context_fn", "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
]  # fmt: skip

SELECTIVE = (
    "create_selective_checkpoint_contexts", "CheckpointPolicy", "SelectiveCheckpointContext", "SAC_IGNORED_OPS",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in SELECTIVE:
        raise AttributeError(
            f"retrograd.utils.checkpoint has no {name}: there are no operators (torch.ops) that a policy could "
            "choose among. Leave what is to be kept outside of the checkpoint, or make several smaller ones"
        )
    raise AttributeError(f"module 'retrograd.utils.checkpoint' has no attribute {name!r}")
