"""The way back through the graph: the newest node first, no recursion.

A node runs when everything that reads its results has run.  Gradients travel as arrays; with
``create_graph`` they are tensors, and what the nodes compute is recorded.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...arrays.transfers import is_ndarray
from ...batching.batched_array import BatchedArray
from ..observe.anomaly_mode import anomaly, checked, explained
from ..observe.observers import watch, watched_run
from ..sparse.coo import Coo
from ..sparse.sparse_tensor import SparseTensor, as_dense
from ..stacks import is_deep, on_a_fresh_stack
from ..tensor.shape_errors import expanded_text
from ..tensor.tensor import Tensor
from .grad_mode import modes
from .hooks import posthooked, prehooked, watched
from .leaf_accumulation import accumulate
from .node import AccumulateGrad, Edge, GradFn
from .running_tasks import running_tasks

__all__ = [
    "is_checkpoint_valid", "keeps_graph", "queue_callback", "run", "running_node", "running_number", "will_execute",
]  # fmt: skip

Bars = list[Any]
SPARSE = (Coo, SparseTensor)  # what travels as it is to leaves and the functions of users only


class Task:
    """One call of backward: what is waiting, what has arrived, and what is asked for."""

    def __init__(
        self, keep: bool, create: bool, wanted: dict[Edge, int] | None, stores: bool
    ) -> None:
        self.keep, self.create, self.wanted, self.stores = keep, create, wanted, stores
        self.number = next(self.numbers)
        self.found: dict[int, Any] = {}
        self.bars: dict[GradFn, Bars] = {}
        self.batched = False  # the gradients are those of several examples
        self.summed: set[Edge] = set()
        self.reached: set[GradFn] = set()
        self.waiting: dict[GradFn, int] = {}  # how often; what is not here is waited for once
        self.needed: set[GradFn] | None = None
        self.asked: set[GradFn] | None = None  # these, and the nodes of what is wanted; None: all
        self.sole: GradFn | None = (
            None  # the only root: its hooks are called even if nothing is asked of it
        )
        self.current: GradFn | None = None
        self.pack: Any = None  # the saved-tensor hooks that every node is run with
        self.callbacks: list[Callable[[], None]] = []
        self.queue: list[tuple[int, int, GradFn, Any]] = []
        self.ties = itertools.count()

    numbers = itertools.count()

    def passed(self) -> set[GradFn] | None:
        """The nodes that are run and of whose gradients nothing is asked; None: all."""
        if self.wanted is None or self.needed is None:
            return None
        return self.needed - {edge[0] for edge in self.wanted}

    def waits(self, node: GradFn) -> bool:
        """True if a node has to wait for more, now that another one has run."""
        left = self.waiting.get(node, 1) - 1
        if node in self.waiting:
            self.waiting[node] = left
        return left > 0

    def enqueue(self, node: GradFn, bar: Any = None) -> None:
        """A node is ready; what has arrived is pending, or ``bar`` is all of it."""
        heapq.heappush(self.queue, (-node.seq, next(self.ties), node, bar))


def queue_callback(callback: Callable[[], None]) -> None:
    """Have something called at the end of the running backward."""
    if not running_tasks():
        raise RuntimeError("Final callbacks can only be installed during backward pass.")
    running_tasks()[-1].callbacks.append(callback)


def running_number() -> int:
    """The number of the running pass, -1 where none runs."""
    tasks = running_tasks()
    return tasks[-1].number if tasks else -1


def running_node() -> GradFn | None:
    """The node that is run."""
    tasks = running_tasks()
    return tasks[-1].current if tasks else None


def keeps_graph() -> bool:
    """True if the running pass may be run again."""
    tasks = running_tasks()
    return bool(tasks) and tasks[-1].keep


def is_checkpoint_valid() -> bool:
    """True unless a running pass asks for the gradients of some inputs: a pass inside of it would not know of them."""
    return all(task.wanted is None for task in running_tasks())


def run(
    roots: Iterable[tuple[Edge, Any]],
    keep: bool,
    create: bool,
    wanted: dict[Edge, int] | None = None,
    stores: bool = True,
) -> dict[int, Any]:
    """Send the gradients of the roots back; what arrives at the ``wanted`` edges is returned.

    ``stores``: leaves get their ``.grad``.  With ``wanted`` only what leads to those edges is run.
    A pass inside of a pass may be inside of many others.
    """
    if running_tasks() and is_deep():
        return on_a_fresh_stack(lambda: run_here(roots, keep, create, wanted, stores))  # type: ignore[no-any-return]
    return run_here(roots, keep, create, wanted, stores)


def run_here(
    roots: Iterable[tuple[Edge, Any]],
    keep: bool,
    create: bool,
    wanted: dict[Edge, int] | None,
    stores: bool,
) -> dict[int, Any]:
    task = Task(keep, create, wanted, stores)
    seeds = list(roots)
    task.sole = seeds[0][0][0] if len(seeds) == 1 else None
    first = list(dict.fromkeys(edge[0] for edge, _ in seeds))
    prepare(task, first)
    task.batched = any(type(bar) is BatchedArray for _, bar in seeds)
    for edge, bar in seeds:
        send(task, edge, bar)
    for node in first:
        if node not in task.waiting:
            task.enqueue(node)
    before, modes.grad = modes.grad, create
    pack = task.pack = modes.pack
    tasks = running_tasks()
    tasks.append(task)
    try:
        sweep(task)
        for callback in task.callbacks:  # one may queue another
            callback()
    finally:
        tasks.pop()
        modes.grad, modes.pack = before, pack
    return task.found


def sweep(task: Task) -> None:
    """Run all that is ready, the newest node first.

    A node with a `brief` program that nobody watches hands its gradients to the next one directly:
    only where the graph branches something has to wait in the queue.
    """
    queue, waiting, pending, keep = task.queue, task.waiting, task.bars, task.keep
    quick, passed, asked = not (task.create or task.batched), task.passed(), task.asked
    node: GradFn | None = None
    c: Any = None  # the gradient of the node, if it is not pending
    while True:
        if node is None:
            if not queue:
                return
            _, _, node, c = heapq.heappop(queue)
        task.current = node
        brief = node.brief
        if (
            quick
            and brief is not None
            and node.more is None
            and (passed is None or node in passed)
            and not (watch.on or anomaly.enabled)
        ):
            if c is None:
                c = arrived(pending, node)
        elif c is not None:
            pending[node], c = [c], None
        if c is None:
            is_quiet = quick and passed is None and node.more is None and not watch.on
            if is_quiet and isinstance(node, AccumulateGrad):
                briefly(task, node)
            else:
                step(task, node)
                finish(task, node)
            node = None
            continue
        found = brief(c, keep)
        edges, node, c = node.edges, None, None
        for edge, bar in zip(edges, found, strict=False):
            if edge is None:
                continue
            below = edge[0]
            if asked is not None and below not in asked:
                continue
            if below in waiting:
                send(task, edge, bar)
                if task.waits(below):
                    continue
                bar = None
            elif bar.dtype is not below.kind or bar.shape != below.shape:
                send(task, edge, bar)
                bar = None
            if node is None:
                node, c = below, bar
                continue
            if below.seq > node.seq:
                node, c, below, bar = below, bar, node, c
            task.enqueue(below, bar)
        found = bar = None  # whose memory it is, is told by how many hold it
        if node is not None and queue and -queue[0][0] > node.seq:
            task.enqueue(node, c)
            node = c = None


def briefly(task: Task, leaf: AccumulateGrad) -> None:
    """The end of the graph at a leaf nobody watches."""
    bars = task.bars.pop(leaf, None)
    if bars is not None and bars[0] is not None:
        accumulate(leaf.variable, bars[0], False)


def arrived(pending: dict[GradFn, Bars], node: GradFn) -> Any:
    """The one gradient of a node, taken out of what is pending; None (and left there) if it has none."""
    bars = pending.get(node)
    if bars is None or bars[0] is None:
        return None
    del pending[node]
    return bars[0]


def finish(task: Task, node: GradFn) -> None:
    """A node has run: those that waited for nothing else are ready."""
    for edge in node.edges:
        if edge is not None and is_open(task, edge) and not task.waits(edge[0]):
            task.enqueue(edge[0])


def is_open(task: Task, edge: Edge) -> bool:
    """True if anything is asked for behind an edge."""
    return task.asked is None or edge[0] in task.asked


def prepare(task: Task, roots: list[GradFn]) -> None:
    """Count how often each node is waited for, and find those that lead to what is wanted."""
    waiting, reached, stack = task.waiting, task.reached, list(roots)
    first = set(roots)
    while stack:
        for edge in stack.pop().edges:
            if edge is None:
                continue
            below = edge[0]
            if below in reached:
                waiting[below] = waiting.get(below, 1) + 1
                continue
            reached.add(below)
            if below in first:
                waiting[below] = 1  # it may have its gradient, but not all of it
            else:
                stack.append(below)
    if task.wanted is not None:
        task.needed = leading(reached, waiting, roots, task.wanted)
        task.asked = task.needed | {edge[0] for edge in task.wanted}


def leading(
    nodes: set[GradFn], waiting: dict[GradFn, int], roots: list[GradFn], wanted: dict[Edge, int]
) -> set[GradFn]:
    """The nodes from which a wanted edge can be reached by running them."""
    targets = {edge[0] for edge in wanted}
    needed: set[GradFn] = set()
    for node in topological(nodes, waiting, roots)[::-1]:
        for edge in node.edges:
            if edge is not None and (edge[0] in targets or edge[0] in needed):
                needed.add(node)
                break
    return needed


def topological(
    nodes: set[GradFn], waiting: dict[GradFn, int], roots: list[GradFn]
) -> list[GradFn]:
    left = dict.fromkeys(nodes, 1) | waiting
    ready = [node for node in dict.fromkeys(roots) if not left.get(node)]
    order = []
    while ready:
        node = ready.pop()
        order.append(node)
        for edge in node.edges:
            if edge is not None:
                left[edge[0]] -= 1
                if not left[edge[0]]:
                    ready.append(edge[0])
    return order


def send(task: Task, edge: Edge, bar: Any) -> None:
    """Add a gradient to what has arrived at an edge."""
    node, k = edge
    bars = task.bars.get(node)
    if bars is None:
        bars = task.bars[node] = [None] * max(len(node.outputs), 1)
    if bar is None:
        return
    if type(bar) is complex:  # 1j times a number of NumPy's is one of Python's
        bar = np.complex128(bar)
    if type(bar) in SPARSE and not node.takes_sparse:
        bar = as_dense(bar)
    shape, kind = output = node.outputs[k]
    if bar.shape != shape or (kind is not None and bar.dtype is not kind):
        bar = fitted(output, bar)
    known = bars[k]
    if known is None:
        bars[k] = bar
    elif edge in task.summed and is_ndarray(known) and type(bar) is not BatchedArray:
        known += bar
    else:
        bars[k] = known + bar
        if not task.create:
            task.summed.add(edge)


def fitted(output: tuple[tuple[int, ...], Any], bar: Any) -> Any:
    """A gradient in the shape and type of what it is the gradient of: a real value's is real."""
    shape, kind = output
    if bar.shape != shape:
        bar = summed_to(shape, bar)
    if kind is None or bar.dtype is kind:
        return bar
    if isinstance(bar, Tensor):
        return bar._fitted(kind)
    if bar.dtype == kind:
        return bar
    return (bar.real if bar.dtype.kind == "c" and kind.kind != "c" else bar).astype(kind)


def summed_to(shape: tuple[int, ...], bar: Any) -> Any:
    """A gradient of a stretched value, summed; the value of a node may have another shape by now."""
    tasks = running_tasks()
    node = tasks[-1].current if tasks else None
    if expanded_text(shape, bar.shape) is not None:
        if node is not None and is_summed(node.outputs[0][0], shape, bar.shape):
            return bar.reshape(shape)
        name = "" if node is None else f"{node.name()} "
        raise RuntimeError(
            f"Function {name}returned an invalid gradient at index 0 - got {list(bar.shape)} but expected shape compatible "
            f"with {list(shape)}"
        )
    lead = len(bar.shape) - len(shape)
    axes = tuple(
        k for k, n in enumerate(bar.shape) if k < lead or (shape[k - lead] == 1 and n != 1)
    )
    return bar.sum(axes).reshape(shape) if axes else bar.reshape(shape)


def is_summed(whole: tuple[int, ...], shape: tuple[int, ...], own: tuple[int, ...]) -> bool:
    """True if a gradient was summed to a shape that differs by axes of length one from that of its value.

    PyTorch sums once, from the shape of the result to that of the value; so do axes that were squeezed since.
    """
    alike = [n for n in shape if n != 1] == [n for n in own if n != 1]
    return alike and whole != own and expanded_text(shape, whole) is None


def step(task: Task, node: GradFn) -> None:
    """Run one node, its hooks, and what is asked of it."""
    bars = task.bars.pop(node, None)
    if bars is None:
        return
    is_leaf = type(node) is AccumulateGrad
    asked = is_asked(task, node)
    captured = any((node, k) in (task.wanted or ()) for k in range(len(bars)))
    if not asked and not captured and node is not task.sole:
        return
    if node.more is not None:
        bars = watched(node, bars, task.create)
    if task.wanted is not None:
        take(task, node, bars)
    if not asked:
        return
    task.current = node
    if node.more is not None and "prehooks" in node.more:
        bars = prehooked(node, bars, task.create)
    found = executed(task, node, bars)
    if node.more is not None and "hooks" in node.more:
        found = posthooked(node, found, bars, task.create)
    # what the user's functions have entered and not left, or left and not entered, is not the next node's
    if modes.pack is not task.pack or modes.grad is not task.create:
        modes.grad, modes.pack = task.create, task.pack
    if not task.keep:
        node.release()
    if is_leaf:
        return
    for edge, bar in zip(node.edges, found, strict=False):
        if edge is not None and is_open(task, edge):
            send(task, edge, bar)


def run_node(node: GradFn, bars: Bars, create: bool) -> tuple[Any, ...]:
    return watched_run(node, bars, create) if watch.on else node.run(bars, create)


def executed(task: Task, node: GradFn, bars: Bars) -> tuple[Any, ...]:
    if not anomaly.enabled:
        return run_node(node, bars, task.create)
    try:
        with np.errstate(all="ignore"):  # what is no number is told of by the mode itself
            found = run_node(node, bars, task.create)
    except Exception:
        explained(node)
        raise
    return checked(node, found)


def is_asked(task: Task, node: GradFn) -> bool:
    """True if the node has to be run for what is asked."""
    if task.needed is None:
        return True
    wanted = task.wanted or {}
    if type(node) is AccumulateGrad:
        return task.stores and (node, 0) in wanted
    if node in task.needed:
        return True
    return task.stores and any((node, k) in wanted for k in range(len(node.outputs)))


def take(task: Task, node: GradFn, bars: Bars) -> None:
    """Keep the gradients of wanted results of this node."""
    assert task.wanted is not None
    for k, bar in enumerate(bars):
        position = task.wanted.get((node, k))
        if position is not None and not (task.stores and type(node) is AccumulateGrad):
            task.found[position] = bar


def will_execute(node: GradFn) -> bool:
    """True if the running backward will run a node, for hooks on several tensors."""
    task = running_tasks()[-1]
    if node not in task.reached and node is not task.current and node not in task.bars:
        return False
    if type(node) is AccumulateGrad and not task.stores and (node, 0) in (task.wanted or ()):
        raise RuntimeError(
            "A leaf node was passed to _will_engine_execute_node but we are currently running "
            "autograd.grad(). This is currently not supported."
        )
    captured = any((node, k) in (task.wanted or ()) for k in range(len(node.outputs)))
    return captured or is_asked(task, node)
