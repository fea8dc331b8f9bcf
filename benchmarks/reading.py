"""What the reader of kernels infers a second time: what the compiler knew, and what its facts could save.

    python -m benchmarks.reading [--rounds N]

For the golden programs: how many of the compiler's values have a type; how often their texts and the
loops in them are read until the kinds of all names are settled; how long reading takes, and how long it
would take if these kinds were handed over with the text (they are replayed from a reading before, which
knows more than the compiler does); how long making the C of the kernels takes in all.  Processor time,
the best of the rounds.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import io
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np

import retrograd as rg
from retrograd.compiler import pipeline
from retrograd.compiler.ir.operations import Function, Value, walk
from retrograd.compiler.ir.types import Array, Number, Stack, Tree
from retrograd.compiler.native import build_kernel
from retrograd.compiler.native import compile as native
from retrograd.compiler.native.reader.python import loops
from retrograd.compiler.native.refusal import Unsupported
from tests.golden_case import Case, cases

__all__ = ["main"]

OTHERS = {"any_number_of_terms", "lstm_class"}  # of any number of arguments, of an object


@dataclass
class Kinds:
    """The kinds that loops carry, by their place in the text, and how the lists of a text are kept."""

    carried: dict[Any, dict[str, Any]] = field(default_factory=dict)
    ways: Any = None
    optional: Any = None
    reads: int = 0
    attempts: int = 0


def typed(kind: Any, sizes: bool) -> bool:
    """Whether a type says the dtype and the rank of every leaf, and with ``sizes`` its shape."""
    if isinstance(kind, Array):
        whole = kind.dtype is not None and kind.dims is not None
        return whole and not (sizes and None in (kind.dims or ()))
    if isinstance(kind, Tree):
        return kind.container != "object" and all(typed(item, sizes) for item in kind.items)
    return isinstance(kind, Number) or (isinstance(kind, Stack) and typed(kind.item, sizes))


def values_of(function: Function) -> set[Value]:
    found = set(function.body.params)
    for op in walk(function.body):
        found.update(op.results, *(block.params for block in op.blocks))
    return found


def texts_of(case: Case, values: list[Value]) -> list[Any]:
    """The texts that would become kernels, with their arguments; ``values`` gets those of the compiler."""
    given: list[Any] = []
    rebuild = pipeline.rebuild

    def rebuilt(function: Function, *rest: Any, **options: Any) -> Any:
        values.extend(values_of(function))
        return rebuild(function, *rest, **options)

    def compiled(backend: str, text: str, name: str, target: Any, args: Any, *rest: Any) -> Any:
        given.append((text, name, target.__globals__, args))
        raise Unsupported("only its text is wanted")

    wrt = [place.at for place in case.wrt]
    with patch.object(pipeline, "rebuild", rebuilt), patch.object(native, "compiled", compiled):
        made = rg.value_and_grad(case.function, wrt if len(wrt) > 1 else wrt[0], backend="c")
        with np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
            made(*copy.deepcopy(case.arguments()))
    return given[:1]  # of the whole function; the others are regions


@contextlib.contextmanager
def noted(kinds: Kinds) -> Iterator[None]:
    """Note what readings find out meanwhile."""
    read, attempt = build_kernel.read, loops.attempt

    def one_read(*given: Any) -> Any:
        kinds.reads += 1
        *_, kinds.ways, kinds.optional = given
        return read(*given)

    def one_attempt(r: Any, stmt: Any, *rest: Any) -> Any:
        kinds.attempts += 1
        found = attempt(r, stmt, *rest)
        kinds.carried[place(r, stmt)] = dict(found)
        return found

    with patch.object(build_kernel, "read", one_read), patch.object(loops, "attempt", one_attempt):
        yield


@contextlib.contextmanager
def handed(kinds: Kinds) -> Iterator[None]:
    """Begin every loop with the kinds that it will turn out to have."""
    attempt = loops.attempt
    begun: dict[int, Any] = {}

    def informed(r: Any, stmt: Any, over: Any, specs: Any, before: Any, grown: Any) -> Any:
        if id(before) not in begun:
            begun[id(before)] = before
            for name, spec in kinds.carried.get(place(r, stmt), {}).items():
                if name in specs and spec is not None and (own := translated(r, spec)):
                    specs[name] = own
        return attempt(r, stmt, over, specs, before, grown)

    with patch.object(loops, "attempt", informed):
        yield


def place(r: Any, stmt: Any) -> Any:
    return stmt.lineno, tuple(definition.name for definition in r.calls)


def translated(r: Any, spec: Any) -> Any:
    """A kind as another reading writes it; None for lists that are not there yet."""
    if spec[0] == "rows" or (spec[0] == "tape" and spec[1].key not in r.arenas):
        return None
    if spec[0] == "tape":
        return ("tape", r.arenas[spec[1].key])
    if spec[0] == "items":
        inner = tuple(translated(r, s) for s in spec[1])
        return None if None in inner else ("items", inner, *spec[2:])
    return spec


def best(run: Callable[[], Any], rounds: int) -> float:
    """The least processor time of a call, in milliseconds."""
    found = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return 1e3 * min(found)


def measured(text: str, name: str, scope: Any, args: Any, rounds: int) -> tuple[float, ...]:
    """Readings, attempts at loops; milliseconds of reading, of reading with the kinds, of everything."""
    tree = ast.parse(text)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    parsed = SimpleNamespace(parse=lambda given: tree, FunctionDef=ast.FunctionDef)
    kinds = Kinds()

    def today() -> Any:
        with (
            patch.object(build_kernel, "ast", parsed),
            patch.object(build_kernel, "optimised", lambda kernel, *rest: kernel),
        ):
            return build_kernel.kernel_of(text, name, scope, args)

    def informed() -> Any:
        with handed(kinds):
            ways = kinds.ways, kinds.optional
            return build_kernel.read(functions, name, scope, args, True, (), *ways)

    def everything() -> str:
        kernel = build_kernel.kernel_of(text, name, scope, args)
        return native.printed_as("c", kernel, "inline")

    with noted(kinds):
        today()
    times = best(today, rounds), best(informed, rounds), best(everything, min(rounds, 3))
    return kinds.reads, kinds.attempts, *times


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    os.environ["RETROGRAD_CACHE"] = tempfile.mkdtemp()
    values: list[Value] = []
    rows, complete = [], 0
    for case in cases():
        if case.name in OTHERS or any(place.keys for place in case.wrt):
            continue
        own: list[Value] = []
        for given in texts_of(case, own):
            complete += all(typed(value.type, sizes=False) for value in own)
            try:
                rows.append(measured(*given, rounds))
            except Unsupported:
                rows.append(())
        values += own
    whole = [row for row in rows if row]
    reads, attempts, reading, informed, everything = map(sum, zip(*whole, strict=True))
    kinds = [sum(typed(v.type, sizes) for v in values) / len(values) for sizes in (False, True)]
    print(f"{len(rows)} functions, {len(whole)} of them one kernel")
    print(
        f"values of the compiler: {len(values)}, with a type {kinds[0]:.0%}, with a shape {kinds[1]:.0%}"
    )
    print(f"functions whose values all have a type: {complete}")
    print(f"readings: {reads}, of loops: {attempts}")
    print(f"reading: {reading:.0f} ms, with the kinds handed over: {informed:.0f} ms")
    print(f"reading, optimising and printing: {everything:.0f} ms")


if __name__ == "__main__":
    main()
