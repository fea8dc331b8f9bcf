"""One call over shards: what is not done is given to workers until all is put together, whoever is lost meanwhile."""

from __future__ import annotations

import queue
from collections import Counter, deque
from collections.abc import Sequence
from typing import Any, NamedTuple

from retrograd.runtime.errors import SignatureMismatch, WorkersLost
from retrograd.runtime.objects.pytree import map_leaves

from .shards import Cut, settled
from .tree import Node, Part, Tree
from .work import ShardFailed, merge, part

__all__ = ["Shards", "result_of"]


class Shards(NamedTuple):
    """The shards of the arguments that are split; ``handles`` are where workers keep them, for each argument."""

    names: list[str]
    cuts: list[Cut]
    handles: list[list[Any] | None]
    chosen: Sequence[int] | None = None

    @property
    def numbers(self) -> Sequence[int]:
        """The shards that are asked for."""
        every = range(len(self.cuts[0].pieces))
        if self.chosen is None:
            return every
        wrong = [k for k in self.chosen if k not in every]
        if wrong or not self.chosen or len(set(self.chosen)) < len(self.chosen):
            raise SignatureMismatch(f"of {len(every)} shards, {list(self.chosen)} were asked for")
        return self.chosen

    def pieces(self, shard: int) -> list[Any]:
        """What stands for a shard: a handle, or what is cut or made."""
        return [
            cut.pieces[shard] if own is None else own[shard]
            for cut, own in zip(self.cuts, self.handles, strict=True)
        ]

    def words(self, shard: int) -> str:
        said = self.cuts[0].words(shard)
        names = ", ".join(f"`{name}`" for name in self.names)
        return f"shard {shard} of {len(self.cuts[0].pieces)} ({said} of {names})"


def result_of(workers: Any, job: Any, given: Any, shards: Shards, options: Any) -> Any:
    """The sum, the mean or the rows of all shards."""
    tree = Tree(len(shards.numbers))
    if workers.alike:
        whole = workers.result(tree, job, given, shards, options)
    else:
        run = Run(workers, tree, job, given, shards, options)
        try:
            whole = run.whole()
        finally:
            run.end()
    if isinstance(whole, ShardFailed):
        raise named(whole, shards, workers)
    if job.value.reduce == "mean":
        return map_leaves(lambda x: None if x is None else x / whole.rows, whole.value)
    return whole.value


def named(failed: ShardFailed, shards: Shards, workers: Any) -> BaseException:
    """The error of a shard, which says where it was raised."""
    error = failed.error
    error.add_note(f"in {shards.words(failed.shard)}")
    if not workers.near or workers.alike:
        error.add_note(f"where it was raised:\n{failed.told}")
    return error


class Run:
    """The tasks of a call, by the nodes of its tree."""

    def __init__(
        self, workers: Any, tree: Tree, job: Any, given: Any, shards: Shards, options: Any
    ) -> None:
        self.workers, self.tree, self.job = workers, tree, job
        self.shards, self.options = shards, options
        self.given = workers.kept(given)
        self.tasks: dict[Node, Any] = {}
        self.waiting = deque(tree.leaves())  # for a task
        self.again_above = False  # whether sums are
        self.done: set[Node] = set()
        self.parts: dict[Node, Part] = {}  # put together here
        self.tries: Counter[Node] = Counter()
        self.events: queue.SimpleQueue[tuple[Node, Any]] = queue.SimpleQueue()
        workers.begin()

    def whole(self) -> Part:
        while self.tree.root not in self.done:
            self.submit()
            try:
                node, task = self.events.get(timeout=self.options.timeout)
            except queue.Empty:
                self.late()
            else:
                if self.tasks.get(node) is task:
                    self.ended(node, task)
        root = self.tree.root
        if root in self.parts:
            return self.parts[root]
        try:
            whole: Part = self.workers.value(self.tasks[root])
        except self.workers.LOST as error:  # with the only worker that had it
            self.missing(root, error)
            return self.whole()
        return whole

    def end(self) -> None:
        for task in self.tasks.values():
            self.workers.drop(task)
        self.workers.release(self.given)

    # -- what is not on its way ------------------------------------------------------------------

    def submit(self) -> None:
        """Give what is not on its way to the workers: shards, and the sums whose parts are on theirs."""
        if not (self.waiting or self.again_above):
            return
        self.again_above = False
        alone = self.workers.alone  # one after the other: what is done is put together first
        nodes = [self.waiting.popleft()] if alone else sorted(self.waiting)
        given = [self.arguments(node) for node in nodes]
        if nodes:
            self.start(nodes, self.workers.submit_all(part, given, (self.job, self.given)))
        if alone:
            return
        self.waiting.clear()
        level: list[Node] = []
        for node in self.tree.inner() if self.workers.merges else ():
            if level and level[0].level != node.level:
                self.add_up(level)
                level = []
            if node not in self.tasks:
                level.append(node)
        self.add_up(level)

    def arguments(self, node: Node) -> tuple[Any, ...]:
        shard = self.shards.numbers[node.at]
        return (shard, *self.shards.pieces(shard))

    def add_up(self, nodes: list[Node]) -> None:
        below = [[self.tasks[child] for child in self.tree.children(node)] for node in nodes]
        if nodes:
            self.start(nodes, self.workers.submit_all(merge, below, (self.job,)))

    def start(self, nodes: Sequence[Node], tasks: Sequence[Any]) -> None:
        for node, task in zip(nodes, tasks, strict=True):
            self.tasks[node] = task
            self.workers.when_done(task, lambda node=node, task=task: self.events.put((node, task)))

    # -- what comes back -------------------------------------------------------------------------

    def ended(self, node: Node, task: Any) -> None:
        error = self.workers.error(task)
        if error is None:
            self.finished(node, task)
        elif isinstance(error, ShardFailed):
            if node.level > 0:
                return  # the shard itself says so, too
            if not error.again or self.tries[node] >= self.options.retries:
                raise named(error, self.shards, self.workers)
            self.again(node, error)
        elif isinstance(error, self.workers.LOST):
            self.missing(node, error)
        else:
            if self.tries[node] >= self.options.retries:
                error.add_note(f"in {self.words(node)}")
                raise error
            self.missing(node, error)

    def finished(self, node: Node, task: Any) -> None:
        self.done.add(node)
        if node.level == 0 and self.options.progress is not None:
            self.options.progress(sum(one.level == 0 for one in self.done), self.tree.widths[0])
        if self.workers.merges:
            return
        self.parts[node] = self.workers.value(task)
        self.workers.drop(self.tasks.pop(node))
        above = self.tree.parent(node)
        while above is not None:
            below = self.tree.children(above)
            if not all(child in self.parts for child in below):
                return
            self.parts[above] = merge(self.job.value, *[self.parts.pop(child) for child in below])
            self.done.add(above)
            above = self.tree.parent(above)

    # -- what was lost ---------------------------------------------------------------------------

    def missing(self, node: Node, error: BaseException) -> None:
        """A node whose worker, or whose arguments, are lost: what it hangs on is put there once more."""
        for handle, value in self.hangs_on(node):
            if self.workers.lost(handle):
                self.workers.renew(handle, value)
        for child in self.tree.children(node) if node.level else ():
            task = self.tasks.get(child)
            if task is not None and child in self.done and self.workers.is_gone(task):
                self.missing(child, error)
        self.again(node, error)

    def hangs_on(self, node: Node) -> list[tuple[Any, Any]]:
        found = [(self.job, self.job.value), (self.given, self.given.value)]
        if node.level == 0:
            shard = self.shards.numbers[node.at]
            for cut, own in zip(self.shards.cuts, self.shards.handles, strict=True):
                found += [] if own is None else [(own[shard], settled(cut.pieces[shard]))]
        return found

    def again(self, node: Node, error: BaseException) -> None:
        self.tries[node] += 1
        if self.tries[node] > self.options.retries:
            raise WorkersLost(
                f"{self.words(node)} was lost {self.tries[node]} times, with its worker "
                f"({type(error).__name__}: {error}): is its memory enough for a shard? more shards are smaller"
            ) from error
        if node.level == 0:
            self.waiting.append(node)
        self.again_above = True
        for one in (node, *self.tree.above(node)):
            self.done.discard(one)
            task = self.tasks.pop(one, None)
            if task is not None:
                self.workers.drop(task)

    def late(self) -> None:
        """Nothing has come back for a while: what is with workers that hang is given to others."""
        waiting = {node: task for node, task in self.tasks.items() if node not in self.done}
        hanging = set(self.workers.avoid(waiting, self.options.timeout))
        said = f"nothing was done for {self.options.timeout} seconds"
        for node, task in sorted(waiting.items(), key=lambda item: item[0]):
            if self.tasks.get(node) is task and (node in hanging or self.is_cut_off(node)):
                self.missing(node, WorkersLost(said))

    def is_cut_off(self, node: Node) -> bool:
        """Whether what a node hangs on is with workers that hang."""
        if node.level == 0:
            return any(self.workers.lost(handle) for handle, _ in self.hangs_on(node))
        below = [child for child in self.tree.children(node) if child in self.done]
        return any(self.workers.is_gone(self.tasks[child]) for child in below)

    def words(self, node: Node) -> str:
        if node.level == 0:
            return self.shards.words(self.shards.numbers[node.at])
        return f"a sum of shards (level {node.level}, {node.at})"
