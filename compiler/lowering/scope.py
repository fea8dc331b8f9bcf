"""Where lowering stands: the function and its text, the names, the block that is written, the node that is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import gast

from retrograd.runtime.errors import Place

from ..frontend.desugar import desugared
from ..frontend.exit_queries import SCOPES
from ..frontend.function_names import bound_in
from ..frontend.source import Source
from ..frontend.tree_nodes import nodes
from ..ir.operations import Block, Location
from .interface.program import Program
from .nodes import Environment

__all__ = ["Scope"]

Outside = tuple[Any, ...]  # what stands before a call that is lowered in place
POSITION = (
    "dead", "raised", "loop_depth", "inline_depth", "frame", "tree", "local_names", "node",
    "python", "source", "statement_node", "pinned", "outside", "loop_body", "loops", "in_try", "heard",
    "ending", "way",
)  # fmt: skip

LATER = (
    *SCOPES,
    gast.GeneratorExp,
    gast.Yield,
    gast.YieldFrom,
)  # what may read the names of a call that is over


class Scope:
    """Names, blocks and places."""

    def __init__(self, program: Program, source: Source, function: Any) -> None:
        self.program, self.source, self.python = program, source, function
        self.tree: Any = desugared(source)
        self.env: Environment = {}
        self.blocks: list[Block] = []
        self.block = Block()  # the innermost of them
        self.node: gast.AST | None = None
        self.statement_node: gast.AST | None = None
        self.ending: Block | None = None  # what a call that never returns would end
        self.following: gast.AST | None = None  # the statement after the one that is lowered
        self.dead = self.raised = False
        self.pinned: Location | None = (
            None  # of all that is lowered, where it is not the user's text
        )
        self.loop_depth = self.inline_depth = 0
        self.loop_body: Block | None = None  # of the innermost loop that is not unrolled
        self.way: tuple[Any, ...] = ()  # where the calls stand that are lowered in place
        self.loops: tuple[Any, ...] = ()  # those around, of all functions that are lowered in place
        self.in_try: Block | None = None  # the body whose handler may see what was written by then
        self.heard = False  # a handler around this does something with the exception
        self.frame = program.next_frame()
        self.frames: dict[int, Environment] = {}  # the names of calls that wait or are over
        self.waits: dict[int, tuple[Block, ...]] = {}  # the blocks that a call waits in
        self.local_names = set(bound_in(self.tree))
        self.outside: dict[str, bool] = {}  # names of `global` and `nonlocal`: True of the module's

    # -- blocks ------------------------------------------------------------------------

    def enter(self) -> Block:
        """A new block, which operations go to from now on."""
        self.block = block = Block()
        self.blocks.append(block)
        return block

    def leave(self) -> None:
        self.blocks.pop()
        if self.blocks:
            self.block = self.blocks[-1]

    def enter_again(self, block: Block) -> None:
        """Go on in a block that was left."""
        self.blocks.append(block)
        self.block = block

    def go_to(self, blocks: list[Block]) -> list[Block]:
        """Go on at the end of the last of these blocks; those from before are returned."""
        before, self.blocks[:] = list(self.blocks), blocks
        self.block = self.blocks[-1]
        return before

    # -- names -------------------------------------------------------------------------

    def use(self, env: Environment) -> Environment:
        """Take these names from now on; those from before are returned."""
        before, self.env = self.env, env
        return before

    def declare_outside(self, names: list[str], of_module: bool) -> None:
        self.outside = self.outside | dict.fromkeys(names, of_module)

    def in_module(self, python: Any, source: Source) -> tuple[Any, Source]:
        """Look global names up in the module of another function; the one before is returned."""
        before = self.python, self.source
        self.python, self.source = python, source
        return before

    # -- the way that statements take ---------------------------------------------------

    def end(self, dead: bool = True, raised: bool | None = None) -> None:
        """Marks the rest of this block as not run (or, if not ``dead``, as run)."""
        self.dead = dead
        if raised is not None:
            self.raised = raised

    def in_body(self, body: Block | None) -> Block | None:
        """Lower the body of a loop from now on; the one around it is returned."""
        before, self.loop_body = self.loop_body, body
        return before

    def is_in_body(self, block: Block | None) -> bool:
        """True if a block stands in the body of the innermost loop, and not around that."""
        if self.loop_body is None:
            return True
        return block in self.blocks[self.blocks.index(self.loop_body) :]

    def enter_loop(self, loop: Any = None) -> None:
        self.loop_depth += 1
        self.loops += (loop,)

    def leave_loop(self) -> None:
        self.loop_depth -= 1
        self.loops = self.loops[:-1]

    def enter_call(self, tree: Any, env: Environment, names: Iterable[str]) -> Outside:
        """Lower the body of a function in place, with these names; what stood before is returned."""
        before = (
            self.env, self.tree, self.local_names, self.loop_depth, self.dead, self.raised, self.frame,
            self.outside, self.way,
        )  # fmt: skip
        self.way += (position(self.node),)
        self.frames[self.frame], self.waits[self.frame] = self.env, tuple(self.blocks)
        self.tree, self.env, self.local_names = tree, env, set(names)
        self.frame = self.program.next_frame()
        self.outside = {}
        self.loop_depth, self.dead, self.raised = 0, False, False
        self.inline_depth += 1
        return before

    def frame_of_ours(self) -> int:
        """A frame without names, for a function of ours that is lowered in place."""
        frame = self.program.next_frame()
        self.frames[frame] = {}
        return frame

    def leave_call(self, before: Outside) -> Environment:
        """Go on where the call stands, if it returns; the names of the call are returned."""
        self.inline_depth -= 1
        raised = self.raised
        left = self.frames[self.frame] = self.env
        if not any(isinstance(n, LATER) for n in nodes(self.tree)[1:]):
            self.frames[self.frame] = {}  # no function that is left reads them
        (
            self.env, self.tree, self.local_names, self.loop_depth, self.dead, self.raised, self.frame,
            self.outside, self.way,
        ) = before  # fmt: skip
        self.frames.pop(self.frame, None)  # its names are here again
        self.waits.pop(self.frame, None)
        if raised:
            self.end_here()
        return left

    @contextmanager
    def statement(self) -> Iterator[None]:
        """A statement, which is over where a call that never returns stands."""
        before, self.ending = self.ending, self.block
        try:
            yield
        finally:
            self.ending = before

    @contextmanager
    def apart(self, block: Block | None) -> Iterator[Callable[[], bool]]:
        """One side of an expression, in a block of its own; whether it has raised, for sure."""
        before = self.ending, self.dead, self.raised
        self.ending, self.dead, self.raised = block, False, False
        try:
            yield lambda: self.raised
        finally:
            self.ending, self.dead, self.raised = before

    def end_here(self) -> None:
        """A call that never returns ends the statement or the side of a branch that it stands in."""
        if self.block is self.ending and self.block is not self.in_try:
            self.end(raised=True)

    def checkpoint(self) -> Callable[[], None]:
        """A function that goes back to where lowering stands now; names are seen to by the caller."""
        kept = {name: getattr(self, name) for name in POSITION}
        blocks = list(self.blocks)

        def back() -> None:
            self.__dict__.update(kept)
            self.blocks[:] = blocks
            self.block = blocks[-1]

        return back

    # -- places --------------------------------------------------------------------------

    @contextmanager
    def try_around(self, body: Block, heard: bool) -> Iterator[None]:
        """A body whose handler may see what is written in it, and may ask for what was raised."""
        before = self.in_try, self.heard
        self.in_try, self.heard = body, self.heard or heard
        try:
            yield
        finally:
            self.in_try, self.heard = before

    def is_conditional(self) -> bool:
        """True if what stands here may not run, and nothing around it asks whether it fails."""
        return len(self.blocks) > 1 and self.block is not self.in_try and not self.heard

    def turn_to(self, node: gast.AST | None) -> gast.AST | None:
        """The node that is read from now on, for messages; the one before is returned."""
        before, self.node = self.node, node
        return before

    def pin(self, location: Location | None) -> Location | None:
        """Say of all that follows that it stands here; what was said before is returned."""
        before, self.pinned = self.pinned, location
        return before

    def location(self, node: gast.AST | None) -> Location | None:
        if self.pinned is not None:
            return self.pinned
        line = getattr(node, "lineno", None)
        return None if node is None or line is None else Location(line, node.col_offset)

    def place(self, node: gast.AST | None) -> Place:
        return self.source.place(node if node is not None else self.tree)

    def way_to(self, node: gast.AST) -> tuple[Any, ...]:
        """Where a node stands, by the calls that lead there: the same whenever it is lowered again."""
        return *self.way, type(node).__name__, position(node)


def position(node: gast.AST | None) -> tuple[Any, ...]:
    return getattr(node, "lineno", None), getattr(node, "col_offset", None)
