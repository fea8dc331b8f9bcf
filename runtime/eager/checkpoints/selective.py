"""Checkpoints that keep the results of some operations: a policy says of which, and the second run has them at hand."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FunctionType
from typing import Any

import numpy as np

from ..graph.saved_tensors import Saved
from ..observe.observers import running_through
from ..observe.operators import Operator, Packet, operator
from ..tensor.tensor import Tensor

__all__ = ["IGNORED", "CheckpointPolicy", "SelectiveCheckpointContext", "create_selective_checkpoint_contexts"]  # fmt: skip

IGNORED = {operator("detach")}  # both runs make other numbers of them
SHARED = (
    "This can happen if the operations in the checkpointed region are nondeterministic or depend on global state that "
    "changed between forward and backward."
)
UNKNOWN = "{op} encountered during backward but not found in storage. " + SHARED
UNKNOWN_CALL = (
    "{op} invocation index {k} encountered during backward but not found in storage. " + SHARED
)
AGAIN = (
    "Trying to backward an extra time. You are only allowed to backward once on any region computed under selective "
    "activation checkpoint."
)
WRITTEN = "Tensor cached during selective activation checkpoint has been mutated"
NO_OPERATION = "Expected op in `op_list` to be an OpOverload but got: {op} of type {kind}. {more}"
OF_SEVERAL = (
    "Please update the OpOverloadPacket to a specific OpOverload.For example, if you have `torch.ops.aten.mm`, change "
    "it to `torch.ops.aten.mm.default`."
)


class CheckpointPolicy(enum.Enum):
    """What becomes of the result of an operation; nothing else takes a say in it here, so MUST and PREFER are the same."""

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


SAVES = {CheckpointPolicy.MUST_SAVE, CheckpointPolicy.PREFER_SAVE}
Policy = Callable[..., Any]


class SelectiveCheckpointContext:
    """What a policy is told beside the operation and its arguments."""

    def __init__(self, *, is_recompute: bool, op_output: Any = None) -> None:
        self.is_recompute, self.op_output = is_recompute, op_output


class Found:
    """Stands for a function whose result is known; in the tables it is where the function is."""

    def __init__(self, fn: Any, array: Any) -> None:
        self.fn, self.array = fn, array
        self.__name__ = getattr(fn, "__name__", type(fn).__name__)
        self.__module__ = getattr(fn, "__module__", None) or ""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.array

    def __eq__(self, other: object) -> bool:
        return other is self or bool(other == self.fn)

    def __hash__(self) -> int:
        return hash(self.fn)


class Entry:
    """A result that is kept, and once given away."""

    def __init__(self, made: Tensor, copies: bool) -> None:
        array = made._array.copy() if copies else made._array
        self.saved: Any = Saved(array, None if copies else made._counter)

    def taken(self) -> Any:
        saved, self.saved = self.saved, None
        if saved is None:
            raise RuntimeError(AGAIN)
        if saved.counter is not None and saved.counter[0] != saved.version:
            raise RuntimeError(WRITTEN)
        return saved.array


class Storage:
    """The results of one call that are kept, by the name of their operation: in the order of the calls."""

    def __init__(self, policy: Policy, copies: bool) -> None:
        self.policy, self.copies = policy, copies
        self.entries: dict[Operator, list[Entry | None]] = defaultdict(list)
        self.counts: dict[Operator, int] = defaultdict(int)

    @contextmanager
    def first(self) -> Iterator[None]:
        """The context of the first run."""
        with running_through(self.keep):
            yield

    @contextmanager
    def second(self) -> Iterator[None]:
        """The context of the second one."""
        self.counts.clear()
        with running_through(self.find):
            yield

    def keep(self, called: str, run: Any, fn: Any, args: Any, kwargs: Any) -> Any:
        made, op = run(fn), operator(called.removeprefix("aten::"))
        if op in IGNORED:
            return made
        told = SelectiveCheckpointContext(is_recompute=False, op_output=made)
        saves = is_saved(self.policy(told, op, *args, **kwargs))
        new = saves and isinstance(made, Tensor) and not is_shown(made, args)
        self.entries[op].append(Entry(made, self.copies) if new else None)
        return made

    def find(self, called: str, run: Any, fn: Any, args: Any, kwargs: Any) -> Any:
        op = operator(called.removeprefix("aten::"))
        if op in IGNORED:
            return run(fn)
        k = self.counts[op]
        self.counts[op] += 1
        if op not in self.entries:
            raise RuntimeError(UNKNOWN.format(op=op))
        if k >= len(self.entries[op]):
            raise RuntimeError(UNKNOWN_CALL.format(op=op, k=k))
        entry = self.entries[op][k]
        return run(fn if entry is None else Found(fn, entry.taken()))


def is_saved(policy: Any) -> bool:
    if isinstance(policy, bool):
        return policy
    if policy in SAVES:
        return True
    if policy in (CheckpointPolicy.MUST_RECOMPUTE, CheckpointPolicy.PREFER_RECOMPUTE):
        return False
    if isinstance(policy, CheckpointPolicy):
        raise NotImplementedError(f"there is no other memory than the main one here: {policy}")
    raise TypeError(f"a policy function gives a CheckpointPolicy, not {policy!r}")


def is_shown(made: Tensor, args: Any) -> bool:
    """True if a result is the memory of an argument: it costs nothing, and is made again."""
    return any(isinstance(a, Tensor) and np.may_share_memory(a._array, made._array) for a in args)


def create_selective_checkpoint_contexts(
    policy_fn_or_list: Any, allow_cache_entry_mutation: bool = False
) -> tuple[AbstractContextManager[None], AbstractContextManager[None]]:
    """The contexts of both runs of a checkpoint, for its ``context_fn``: operations in a list are kept, or by a policy."""
    if isinstance(policy_fn_or_list, list):
        policy = of_list(policy_fn_or_list)
    elif callable(policy_fn_or_list):
        policy = policy_fn_or_list
    else:
        raise TypeError("policy_fn_or_list must be either a function or a list of ops.")
    storage = Storage(policy, allow_cache_entry_mutation)
    return storage.first(), Again(storage)


class Again(AbstractContextManager[None]):
    """The context of the second runs: of one after the other, if there are several."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.entered: list[Any] = []

    def __enter__(self) -> None:
        self.entered.append(self.storage.second())
        self.entered[-1].__enter__()

    def __exit__(self, *error: Any) -> None:
        self.entered.pop().__exit__(*error)


def of_list(ops: list[Any]) -> Policy:
    """The policy that keeps the results of these."""
    for op in ops:
        if not isinstance(op, (Operator, FunctionType)):
            more = OF_SEVERAL if isinstance(op, Packet) else ""
            raise ValueError(NO_OPERATION.format(op=op, kind=type(op), more=more))

    def policy(ctx: SelectiveCheckpointContext, op: Operator, *args: Any, **kwargs: Any) -> Any:
        return CheckpointPolicy.MUST_SAVE if op in ops else CheckpointPolicy.PREFER_RECOMPUTE

    return policy
