"""From a function of an emitted module and its arguments to a kernel of the loop IR."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.runtime.arrays.libraries import is_cupy
from retrograd.runtime.objects.pytree import leaves

from .c.numpy_library import has_factorisations
from .loop_ir.ir import Alloc, Kernel, Op, Var, affine, change_exprs, integer, rewrite
from .loop_ir.operation_names import SMALL, TINY
from .loop_ir.values import Constant, Items, Scalar, View, plain_view
from .passes.pipeline import optimised
from .reader import all_handlers  # noqa: F401
from .reader.aliasing import copied_later
from .reader.arguments import argument_array
from .reader.device_rules import DeviceRules
from .reader.growing_lists import merged
from .reader.numpy.complex_numbers import check_complex, has_complex
from .reader.python.expressions import evaluate
from .reader.python.statements import ENDED, run
from .reader.reader import Reader, describe
from .reader.recursion.program import Endless, Program
from .reader.recursion.routines import whole_body
from .reader.written_arguments import copied_in, named_as_written
from .refusal import SeveralKinds, Unsupported, WrittenArgument
from .text.list_appends import growing_in_place

__all__ = [
    "SMALL",
    "TINY",
    "body_of",
    "functions_of",
    "in_some_way",
    "kernel_of",
    "parameter",
    "parameters_of",
]

CUDA = "cuda"
MOST = 64  # arrays and numbers in one argument
NUMBERS: dict[type, tuple[str, bool]] = {
    float: ("f8", True), int: ("i8", True), bool: ("b1", True), np.float64: ("f8", False),
    np.float32: ("f4", False), np.int64: ("i8", False), np.bool_: ("b1", False),
    complex: ("c16", True), np.complex128: ("c16", False),
}  # fmt: skip


def kernel_of(
    text: str,
    name: str,
    scope: dict[str, Any],
    args: tuple[Any, ...],
    fixed: bool = True,
    equal: Sequence[tuple[str, ...]] = (),
    backend: str = "c",
    threads: bool = False,
    writes: bool = True,
) -> Kernel:
    """The function ``name`` of a module, for arguments like ``args``; ``fixed``: of their small sizes.

    ``equal``: sizes, in the words of the text, that have to be equal though nothing in it needs it; a third word
    that is not ``==``: or one of them is 1;
    ``threads``: several share its long loops; ``writes``: it may write to its arguments.
    """
    functions = functions_of(text)
    written: set[str] | None = set() if writes and backend != CUDA else None
    while True:
        try:
            return in_some_way(
                lambda ways, optional: optimised(
                    read(
                        functions, name, scope, args, fixed, equal, ways, optional, backend, written
                    ),
                    backend,
                    threads,
                )
            )
        except WrittenArgument as error:
            assert written is not None
            written.add(error.name)


def functions_of(text: str) -> dict[str, ast.FunctionDef]:
    """The functions of a module, by their names."""
    body = ast.parse(text).body
    return {f.name: growing_in_place(f) for f in body if isinstance(f, ast.FunctionDef)}


def in_some_way(once: Callable[[tuple[set[int], ...], dict[int, Any]], Kernel]) -> Kernel:
    """What reading gives, its lists kept in one way or another; ``once`` is told which."""
    ways: tuple[set[int], ...] = set(), set(), set()
    optional: dict[int, Any] = {}
    first: SeveralKinds | None = None
    while True:
        try:
            return once(ways, optional)
        except SeveralKinds as error:
            first = first or error
            both = None if error.specs is None else merged(*error.specs)
            if both is not None and both != optional.get(error.key):
                optional[error.key] = both
                continue
            optional.pop(error.key, None)
            untried = [way for way in ways if error.key not in way]
            if not untried:
                raise first from None
            untried[0].add(error.key)


def read(
    functions: dict[str, ast.FunctionDef],
    name: str,
    scope: dict[str, Any],
    args: tuple[Any, ...],
    fixed: bool,
    equal: Sequence[tuple[str, ...]],
    ways: tuple[set[int], ...],
    optional: dict[int, Any],
    backend: str,
    written: set[str] | None,
) -> Kernel:
    """The loops of a function as they are read; ``ways``: how some of its lists are kept.

    ``written``: arguments that are known to be written to, None if none may be.
    """
    definition = functions[name]

    def reader() -> Reader:
        made = Reader(scope, functions)
        made.uncounted, made.plain, made.growing = ways
        made.optional = optional
        made.copied_later = later
        made.program = program
        made.complex = backend == "c"
        made.library = backend == "c" and has_factorisations()
        return made

    later = {key for f in functions.values() for key in copied_later(f.body)}
    found = Program(functions, reader, lambda r, it: whole_body(r, it, run))
    program = found if backend == "c" and found.names else None
    r = reader()
    r.small = SMALL if fixed and backend != CUDA else 1
    r.device = DeviceRules() if backend == CUDA else None
    names = parameters_of(definition)
    if len(names) != len(args):
        raise Unsupported("arguments that are left out")
    params = [argument(r, value, n) for n, value in zip(names, args, strict=True)]
    if written is not None:
        memory = {*written, *named_as_written(definition, names, params)}
        r.written = dict.fromkeys(sorted(memory))  # a text is the same in every process
    try:
        kernel = body_of(r, definition, names, params, equal)
    except Endless:
        raise Unsupported("a function that calls itself without an end") from None
    if program is not None:
        kernel.functions = [optimised(made, backend) for made in program.made()]
    return kernel


def parameters_of(definition: ast.FunctionDef) -> list[str]:
    if definition.args.vararg or definition.args.kwarg or definition.args.kwonlyargs:
        raise Unsupported("starred parameters")
    return [a.arg for a in [*definition.args.posonlyargs, *definition.args.args]]


def body_of(
    r: Reader,
    definition: ast.FunctionDef,
    names: list[str],
    params: list[Any],
    equal: Sequence[tuple[str, ...]] = (),
) -> Kernel:
    """The loops of a function whose parameters stand for these values."""
    r.env = dict(zip(names, copied_in(r, params), strict=True))
    for first, second, *how in equal:
        m, n = (
            r.integer(evaluate(r, ast.parse(size, mode="eval").body)) for size in (first, second)
        )
        others = [] if how in ([], ["=="]) else [(m, integer(1)), (n, integer(1))]
        tests = [Op("not_equal", pair, "b1") for pair in [(m, n), *others]]
        r.bail(functools.reduce(lambda a, b: Op("logical_and", (a, b), "b1"), tests))
    found = run(r, definition.body, set())
    if found is ENDED:
        raise Unsupported("a break outside of a loop")
    result = returned(r, Constant(None) if found is None else found)
    body = [*r.entry_sets, *settled(r)]
    check_complex([*r.entry, *body], r.complex)
    if not r.complex and any(map(has_complex, params)):
        raise Unsupported("complex numbers")
    hidden, values = [v for _, v in r.hidden], [value for value, _ in r.hidden]
    return Kernel(
        definition.name,
        [*params, *hidden],
        [*r.entry, *body],
        result,
        captured=values,
        parameters=names,
        equal=r.equal,
        written=list((r.written or {}).values()),
    )


def settled(r: Reader) -> list[Any]:
    """The body, with equal sizes written alike."""

    def change(e: Any) -> Any:
        return r.equal.get(e, e) if isinstance(e, Var) else e

    if r.equal:
        change_exprs(r.body, change)
        for buffer in r.arena_buffers:
            buffer.dims = tuple(rewrite(n, change) for n in buffer.dims)
    return r.body


def argument(r: Reader, value: Any, name: str) -> Any:
    """An argument of the function itself."""
    try:
        if len(leaves(value)) > MOST:
            raise Unsupported("a long container")
        return parameter(r, value, name)
    except Unsupported as error:
        error.name = name
        raise


def parameter(r: Reader, value: Any, name: str) -> Any:
    """The reader's value for an argument like ``value``."""
    hint = f"a_{name}"
    if isinstance(value, np.ndarray) or (r.device is not None and is_cupy(value)):
        return argument_array(r, value, name)
    if type(value) in NUMBERS:
        code, weak = NUMBERS[type(value)]
        if code == "i8" and abs(int(value)) >= 2**31:
            raise Unsupported("an integer beyond 2**31")
        return Scalar(affine(r.fresh(hint)) if code == "i8" else r.fresh(hint, code), weak)
    if type(value) in (tuple, list):
        items = tuple(parameter(r, v, f"{name}_{k}") for k, v in enumerate(value))
        return Items(items, kind=type(value).__name__)
    if type(value) is dict:
        values = tuple(parameter(r, v, f"{name}_{k}") for k, v in value.items())
        return Items(values, tuple(value), "dict")
    if value is None:
        return Constant(None)
    raise Unsupported(f"an argument that is a {type(value).__name__}")


def item(r: Reader, value: Any, k: int) -> Any:
    """The item number ``k`` of a result."""
    try:
        return returned(r, value)
    except Unsupported as error:
        error.place = k
        raise


def returned(r: Reader, value: Any) -> Any:
    """Results: arrays in memory of their own, made outside of loops."""
    if isinstance(value, Items):
        if value.kind not in ("tuple", "list", "dict"):
            raise Unsupported(f"a {value.kind}")
        return Items(
            tuple(item(r, v, k) for k, v in enumerate(value.values)), value.keys, value.kind
        )
    if isinstance(value, Scalar):
        if r.device is not None and value.weak is not False and not r.device.of_host(value.expr):
            raise Unsupported("a number of Python's that the device computes")
        weak = r.named(value.weak, "soft") if value.mixed else value.weak
        return Scalar(r.named(value.expr, "out"), weak)
    if isinstance(value, Constant) and value.value is None:
        return value
    if not isinstance(value, View) or value.listed:
        raise Unsupported(f"{describe(value)} as a result")
    value = r.materialised(value)
    top = {id(s.buffer) for s in r.body if isinstance(s, Alloc)}
    buffer = value.buffer
    if not (
        value.whole and id(buffer) in top and buffer.role == "local" and buffer.dims == value.dims
    ):
        value = r.copied(value)
        buffer = value.buffer
    buffer.role = "result"
    return plain_view(buffer)
