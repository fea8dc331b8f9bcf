"""Pullbacks, compiled: one kernel for the value, and one for the run and the way back together.

What a run keeps for its pullback would be made Python's and read again; a kernel that runs once more is
quicker.  It reads the arguments as they were, of which a pullback that waits has copies.
"""

from __future__ import annotations

import ast
import functools
import linecache
from collections.abc import Callable, Sequence
from typing import Any

from ..check.argument_copies import CannotCopy, fresh
from ..pullbacks import outside
from ..specialise.kernels import check_when_due

__all__ = ["PullbackKernels", "kernels_of"]


def kernels_of(chain: Any, made: Any) -> PullbackKernels | None:
    """The kernels of the two halves of a pullback, if they may run apart from each other."""
    if chain.backend == "numpy" or not made.text or made.taped or chain.bound or chain.starred:
        return None
    around, lenders = outside(made)
    if around.objects or lenders.objects:  # they may be others by then
        return None
    if made.kernels is None:
        made.kernels = PullbackKernels(chain, made)
    found: PullbackKernels = made.kernels
    return None if found.writes else found  # a second run would begin with other arguments


class PullbackKernels:
    """``value(*args)`` gives the results of the forward half, ``pull(*args, *cotangents)`` those of the other."""

    def __init__(self, chain: Any, made: Any) -> None:
        self.chain, self.made = chain, made
        (forward, self.run), (backward, _) = made.functions.items()
        nodes = {n.name: n for n in ast.parse(made.text).body if isinstance(n, ast.FunctionDef)}
        given = [a.arg for a in nodes[forward].args.args]
        bars = [a.arg for a in nodes[backward].args.args][1:]
        taken = {*given, *bars, *nodes}
        results = [apart(f"value_{k}", taken) for k in range(len(bars_of(nodes[forward])))]
        kept = apart("kept", taken)
        cotangents = [apart(f"cotangent_{k}", taken) for k in range(len(bars))]
        first = f"    {', '.join([*results, kept])} = {forward}({', '.join(given)})"
        self.names = apart(f"{forward}_value", taken), apart(f"{backward}_pull", taken)
        value, pull = self.names
        back = ", ".join([kept, *cotangents])
        lines = [
            "", f"def {value}({', '.join(given)}):", first, f"    return {', '.join(results)},", "",
            f"def {pull}({', '.join([*given, *cotangents])}):", first, f"    return {backward}({back})", "",
        ]  # fmt: skip
        self.text = made.text + "\n".join(lines)
        filename = f"<retrograd pullback of {chain.name} {id(self):x}>"
        linecache.cache[filename] = (len(self.text), None, self.text.splitlines(True), filename)
        scope = dict(self.run.__globals__)
        exec(compile(self.text, filename, "exec"), scope)
        self.value, self.pull = (self.family(scope[name]) for name in self.names)
        self.pure: bool | None = None  # not known yet
        self.writes = writes_arguments(nodes, forward, self.run.__globals__)

    def family(self, plain: Callable[..., Any]) -> Any:
        from retrograd.compiler.native.specialisations import Family

        return Family(plain, functools.partial(self.build, plain), lambda call: None)

    def build(
        self, plain: Any, args: tuple[Any, ...], fixed: bool, fallback: Any
    ) -> Callable[..., Any]:
        from retrograd.compiler.native.argument_kinds import key_of
        from retrograd.compiler.native.compile import compiled

        chain, name = self.chain, plain.__name__
        kernel = compiled(
            chain.backend, self.text, name, plain, args, fixed, chain.accuracy, fallback
        )
        what = f"{name} {'fixed ' if fixed else ''}{key_of(args, fixed)}"
        check_when_due(chain, self.made, plain, kernel, args, what, region=True)
        return kernel

    def is_pure(self, args: Sequence[Any]) -> bool:
        """True if there are kernels: what they are made of has no effect, and may run once more."""
        from retrograd.compiler.native.refusal import Unsupported

        if self.pure is None:
            try:
                self.value.make(tuple(args))
                self.pure = True
            except Unsupported:
                self.pure = False
        return self.pure

    def halves(
        self, args: Sequence[Any], waits: bool
    ) -> tuple[Any, Callable[..., Any], Sequence[Any]] | None:
        """The results, the way back and the arguments that it begins with; None if the run is not one kernel: it keeps what it needs, then."""
        try:
            kept = fresh(args) if waits else args
        except CannotCopy:
            return None
        if not self.is_pure(args):
            return None
        flat = self.value.call(*args)
        return flat, lambda *bars: self.pull.call(*kept, *bars), kept


def writes_arguments(
    functions: dict[str, ast.FunctionDef], name: str, scope: dict[str, Any]
) -> bool:
    from retrograd.compiler.native.text.name_aliasing import Memory, visible_in

    memory = Memory(functions[name], visible_in(functions[name], scope), scope, functions)
    return memory.writes_arguments(name)


def bars_of(forward: ast.FunctionDef) -> list[ast.expr]:
    """What the forward half returns, but for what it keeps."""
    last = forward.body[-1]
    assert isinstance(last, ast.Return) and isinstance(last.value, ast.Tuple)
    return last.value.elts[:-1]


def apart(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name
