"""A function of an emitted module, read as loops that are printed for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from retrograd.runtime.records import dataclass

from ..build_kernel import body_of, functions_of, in_some_way, parameters_of
from ..loop_ir.ir import Bail, Buffer, Kernel, Op, Store, affine, integer
from ..loop_ir.values import Constant, Items, Scalar, View
from ..reader.reader import Reader
from ..reader.source_rules import SourceRules
from ..refusal import Unsupported
from .parameters import Parameters, given

__all__ = ["Read", "read"]


@dataclass
class Read:
    """A function as loops: what it takes, what it gives, and what its variables are named after."""

    kernel: Kernel
    parameters: Parameters
    results: list[Buffer]
    hints: dict[str, str]


def read(
    text: str,
    name: str,
    scope: dict[str, Any],
    kinds: dict[str, Any],
    outputs: Any,
    apart: Sequence[str] = (),
) -> Read:
    """The function ``name`` for arguments of these types.

    ``outputs``: the names of its results, as they are nested; ``apart``: sizes for which the text is wrong if they are 1.
    """
    functions = functions_of(text)
    found: list[Read] = []

    def once(ways: tuple[set[int], ...], optional: dict[int, Any]) -> Kernel:
        r = Reader(scope, functions)
        r.source = SourceRules(text)
        r.uncounted, r.plain, r.growing = ways
        r.optional = optional
        parameters = Parameters()
        definition = functions[name]
        names = parameters_of(definition)
        values = given(r, {n: kinds.get(n) for n in names}, parameters)
        kernel = body_of(r, definition, names, values)
        sizes = [parameters.sizes[n] for n in apart if n in parameters.sizes]
        kernel.body[:0] = [Bail(Op("equal", (affine(n), integer(1)), "b1")) for n in sizes]
        results = [*given_back(kernel, outputs)]
        found.append(Read(kernel, parameters, results, r.hints))
        return kernel

    in_some_way(once)
    return found[-1]


def given_back(kernel: Kernel, outputs: Any) -> Iterator[Buffer]:
    """The results as memory of the caller, by name; numbers are put there at the end."""
    for value, name in named(kernel.results, outputs):
        if isinstance(value, Constant):
            continue
        if isinstance(value, View):
            assert value.buffer is not None
            yield renamed(value.buffer, name)
            continue
        assert isinstance(value, Scalar)
        place = Buffer(f"result_{name}", value.dtype, (), "result")
        kernel.body.append(Store(place, (), value.expr))
        yield place


def renamed(buffer: Buffer, name: str) -> Buffer:
    buffer.name = f"result_{name}"
    return buffer


def named(value: Any, names: Any) -> Iterator[tuple[Any, str]]:
    """The arrays and numbers of a result, each with its name."""
    if isinstance(value, Items):
        keys = value.keys if value.keys is not None else range(len(value.values))
        for k, (key, item) in enumerate(zip(keys, value.values, strict=True)):
            inner = names[k] if isinstance(names, (list, tuple)) else f"{names}_{key}"
            yield from named(item, inner)
        return
    if isinstance(names, (list, tuple)):
        raise Unsupported("a result of another structure")
    yield value, names
