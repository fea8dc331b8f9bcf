"""Communicators of MPI: every process makes the same call, does some of the shards, and has the whole result."""

from __future__ import annotations

from typing import Any

from ..tree import Part, Tree
from ..work import ShardFailed, merge, part
from .here import Here
from .interface import Handle, Workers

__all__ = ["Ranks"]


class Ranks(Workers):
    """The shards of a process stand beside each other, and it puts together those that belong together.

    What is left is put together by the first process, in the order of the tree, and sent to all.
    """

    near = alike = True

    def __init__(self, comm: Any) -> None:
        self.comm, self.here = comm, Here()

    def kept(self, value: Any, again: bool = False) -> Handle:
        return Handle(value)

    def result(self, tree: Tree, job: Handle, given: Any, shards: Any, options: Any) -> Any:
        rank, size = self.comm.Get_rank(), self.comm.Get_size()
        count = len(shards.numbers)
        own = range(count * rank // size, count * (rank + 1) // size)
        known: dict[Any, Any] = {}
        for done, at in enumerate(own):
            found = self.tried(tree, at, job, given, shards, options.retries)
            if isinstance(found, ShardFailed):
                known = {tree.leaves()[at]: found}
                break
            known[tree.leaves()[at]] = found
            together(tree, known, job)
            if options.progress is not None:
                options.progress(done + 1, len(own))
        gathered = self.comm.gather(known, root=0)
        whole = self.comm.bcast(rooted(tree, gathered, job) if rank == 0 else None, root=0)
        return whole

    def tried(
        self, tree: Tree, at: int, job: Handle, given: Any, shards: Any, retries: int
    ) -> Part | ShardFailed:
        shard = shards.numbers[at]
        for left in range(retries, -1, -1):
            task = self.here.submit(part, job, given, shard, *shards.pieces(shard))
            error = task.error
            if error is None:
                break
            if not isinstance(error, ShardFailed):
                raise error
            if not error.again or left == 0:
                return error
        return task.value  # type: ignore[no-any-return]


def together(tree: Tree, known: dict[Any, Any], job: Handle) -> None:
    """Put together what is complete."""
    for node in tree.inner():
        below = tree.children(node)
        if all(child in known for child in below):
            known[node] = merge(job.value, *[known.pop(child) for child in below])


def rooted(tree: Tree, gathered: Any, job: Handle) -> Any:
    known = {node: value for one in gathered for node, value in one.items()}
    failed = [value for _, value in sorted(known.items()) if isinstance(value, ShardFailed)]
    if failed:
        return failed[0]
    together(tree, known, job)
    return known[tree.root]
