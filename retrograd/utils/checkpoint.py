"""``retrograd.utils.checkpoint``: results whose intermediate values are computed again on the way back."""

from __future__ import annotations

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
from retrograd.runtime.eager.checkpoints.selective import IGNORED as SAC_IGNORED_OPS
from retrograd.runtime.eager.checkpoints.selective import (
    CheckpointPolicy,
    SelectiveCheckpointContext,
    create_selective_checkpoint_contexts,
)
from retrograd.runtime.eager.checkpoints.settings import (
    GraphExecGroup,
    set_checkpoint_debug_enabled,
    set_checkpoint_early_stop,
)

__all__ = [
    "SAC_IGNORED_OPS", "CheckpointError", "CheckpointFunction", "CheckpointPolicy", "GraphExecGroup",
    "SelectiveCheckpointContext", "check_backward_validity", "checkpoint", "checkpoint_sequential",
    "create_selective_checkpoint_contexts", "detach_variable", "noop_context_fn", "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
]  # fmt: skip
