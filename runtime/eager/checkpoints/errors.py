"""What is said where a second run is not like the first."""

from __future__ import annotations

__all__ = ["AGAIN", "MORE", "OTHER_NUMBER", "OTHER_SHAPES", "OTHER_VALUES", "OVERLAP", "SUPPRESSED", "TIP", "CheckpointError"]  # fmt: skip


class CheckpointError(RuntimeError):
    """The second run did not do what the first one did."""


TIP = """
Tip: To see a more detailed error message, either pass `debug=True` to
`retrograd.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with retrograd.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint-debug mode globally.
"""
MORE = (
    "retrograd.utils.checkpoint: trying to save more tensors during recomputation than during the original forward "
    "pass.\n" + TIP
)
OTHER_NUMBER = (
    "retrograd.utils.checkpoint: A different number of tensors was saved during the original forward and "
    "recomputation.\nNumber of tensors saved during forward: {first}\n"
    "Number of tensors saved during recomputation: {second}.\n" + TIP
)
OTHER_SHAPES = (
    "retrograd.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the "
    "forward pass.\n{each}.\n" + TIP
)
OTHER_VALUES = (
    "retrograd.utils.checkpoint: Recomputed values are others than during the forward pass ({what}): something that "
    "the function reads beside its arguments was written to or bound anew since, or it is random. Pass it as an "
    'argument, or let it be until the way back. determinism_check="none" takes the new values.'
)
AGAIN = (
    "retrograd.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. {extra}If you "
    "are calling ctx.saved_tensors in backward, make sure to do so only once. Otherwise please open an issue with "
    "details on your use case."
)
OVERLAP = (
    "Performing two backward calls that overlap (i.e. require the same saved activation in order to compute "
    "gradients) is not allowed while under the retrograd.utils.checkpoint.GraphExecGroup context. "
)
SUPPRESSED = (
    "retrograd.utils.checkpoint: the forward context provided by context_fn suppressed an exception raised during the "
    "checkpointed forward. This is not supported because checkpoint cannot return a value for a failed forward."
)
