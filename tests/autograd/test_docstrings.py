"""The examples of PyTorch's documentation strings give here what they give there."""

from __future__ import annotations

import re
from typing import Any

import pytest

from .docstring_examples import Ran, examples, run

oracle = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")

OUTSIDE = {
    "func.functionalize": "a pass over graphs of PyTorch's compiler",
    "func.rearrange": "axes by name are those of einops",
    "autograd.enforce_grad_layout_policy": "newer than the surface that is kept here",
    "autograd.graph.node_creation_hook": "newer than the surface that is kept here",
    "autograd.graph.region_activation_memory_budget": "of PyTorch's compiler",
    "autograd.profiler.emit_itt": "ranges go to a sink of the user's here",
    "utils.checkpoint.SelectiveCheckpointContext": "of PyTorch's dispatcher",
    "utils.checkpoint.create_selective_checkpoint_contexts": "of PyTorch's dispatcher",
    "utils.checkpoint.checkpoint": "as a decorator it is newer than the surface that is kept here",
}
UNFINISHED = re.compile(r"NameError|.*(NVIDIA|CUDA)|ModuleNotFoundError")
TEXTS = examples(oracle)


def alike(ran: Ran) -> list[tuple[str, str, str]]:
    """What must be the same: without addresses, names of modules, times, and the texts of errors."""
    found = []
    for source, printed, raised in ran:
        printed = re.sub(r"\bretrograd\b", "torch", printed)
        printed = re.sub(r"<[\w.]+ object at 0x\w+>|<(built-in method|function) .*>", "", printed)
        printed = printed.replace(
            "SqueezeBackward1", "SumBackward0"
        )  # named on the page of differences
        if ".table(" in source:
            printed = ""
        found.append((source, printed, raised.partition(":")[0]))
    return found


@pytest.mark.parametrize("name", [name for name in TEXTS if name not in OUTSIDE])
def test_examples_do_what_they_do_in_torch(torch: Any, name: str) -> None:
    expected, found = run(name, TEXTS[name], oracle), run(name, TEXTS[name], torch)
    pairs = zip(alike(expected), alike(found), expected, strict=True)
    assert [
        (own, other) for own, other, (_, _, raised) in pairs if own != other and not UNFINISHED.match(raised)
    ] == []  # fmt: skip


def test_most_examples_are_run() -> None:
    ran = [one for name in TEXTS if name not in OUTSIDE for one in run(name, TEXTS[name], oracle)]
    finished = [one for one in ran if not UNFINISHED.match(one[2])]
    assert len(finished) > 0.9 * len(ran) and len(finished) > 200
    assert set(OUTSIDE) & set(TEXTS)
