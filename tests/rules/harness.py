"""A sampled call as a function of the compiler; its derivatives, compiled from their text."""

from __future__ import annotations

import importlib
import operator
import types
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from retrograd.compiler import pipeline
from retrograd.compiler.analyses.library_names import name_of as spelled
from retrograd.compiler.analyses.shapes.infer import infer
from retrograd.compiler.analyses.shapes.infer import type_of as compiler_type
from retrograd.compiler.differentiate.callee_derivatives import Derivatives
from retrograd.compiler.differentiate.rule_instance import bind_operands
from retrograd.compiler.ir.containers import LEAF, Pack
from retrograd.compiler.ir.operations import Apply, Block, Const, Function, Value, values_in
from retrograd.compiler.ir.primitives import BUNDLE
from retrograd.compiler.ir.types import Array, Dim, Number, Tree
from retrograd.compiler.lowering.program import Program
from retrograd.compiler.passes.redundancy.dead_code import eliminate
from retrograd.compiler.pipeline import Request
from retrograd.compiler.simplify import scipy
from retrograd.compiler.simplify.builder import clone_function
from retrograd.runtime.arrays.libraries import NUMPY
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.homes import RUNTIME
from retrograd.runtime.rules import all_rules
from retrograd.runtime.rules.book import book
from retrograd.runtime.rules.scipy import registry

from .sample import A, Sample, draw

__all__ = ["Case", "Compiled", "declared", "name_of", "pull", "push", "samples", "where_samples_go"]

assert all_rules is not None  # every family of NumPy is registered
registry.load_installed()
scipy.enter()
FAMILIES = (
    "algebra", "curves", "eigen", "elementwise", "fourier", "grids", "indexing", "networks", "places",
    "polynomials", "reductions", "shaping", "helpers", "batches",
)  # fmt: skip
SIMPLE = (int, float, complex, str, type(None), type(Ellipsis), type)
PYTHON = {bool: "b", int: "i", float: "f", complex: "c"}


@cache
def sample_modules() -> list[Any]:
    here = Path(__file__).parent
    known = [f"scipy_{registry.FAMILIES[name][0]}" for name in registry.loaded]
    extra = [f for f in known if (here / f"samples_{f}.py").exists()]
    names = [f"samples_{family}" for family in (*FAMILIES, *extra)]
    return [importlib.import_module(f"{__package__}.{name}") for name in names]


@cache
def samples() -> dict[Any, list[Sample]]:
    """Every sample there is, by operation."""
    found: dict[Any, list[Sample]] = {}
    for module in sample_modules():
        for operation, calls in module.SAMPLES.items():
            found.setdefault(operation, []).extend(calls)
    return found


def where_samples_go(operation: Any) -> str:
    """What to write where, for an operation that has no samples."""
    rule = book.rules.get(operation)
    home = rule.differential.__module__.partition(".rules.")[2] if rule else "its own module"
    return (
        f"{name_of(operation)} has no samples (its rule is in runtime/rules/{home.replace('.', '/')}.py). Write some"
        " into SAMPLES of the file tests/rules/samples_*.py of its family, or of a new one that is named in"
        " FAMILIES of tests/rules/harness.py:\n"
        f"    {name_of(operation)}: [Sample((A((3,)),)), Sample((A((2, 3)),), complex=True)],\n"
        "A((2, 3)) is an array of that shape to be drawn, everything else is given as it is."
    )


def declared(name: str) -> set[Any]:
    """The operations that the modules of samples say something about."""
    return {op for module in sample_modules() for op in getattr(module, name, ())}


def name_of(operation: Any) -> str:
    """A readable, unique name of an operation, for test ids."""
    if isinstance(operation, types.BuiltinMethodType) and isinstance(operation.__self__, np.ufunc):
        return f"np.{operation.__self__.__name__}.{operation.__name__}"
    if isinstance(operation, np.ufunc):
        return f"np.{operation.__name__}"
    if isinstance(operation, types.MethodType):
        return str(spelled(operation))
    owner = getattr(operation, "__objclass__", None)
    home = f"np.{owner.__name__}" if owner else getattr(operation, "__module__", "")
    if home.startswith(RUNTIME):
        return f"rt.{operation.__name__}"
    home = home.replace("numpy", "np").lstrip("_")
    return f"{home}.{operation.__name__}"


def apply(operation: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The call itself; an attribute (``np.ndarray.T``) is read."""
    if isinstance(operation, types.GetSetDescriptorType):
        return operation.__get__(args[0])
    return operation(*args, **kwargs)


def type_of(value: Any, library: str = NUMPY) -> Any:
    """What the compiler is told of a value: sizes by name, but 1 as it is."""
    if type(value) in PYTHON:
        return Number(PYTHON[type(value)])
    dims = tuple(1 if n == 1 else Dim(f"n{n}", True) for n in np.shape(value))
    return Array(value.dtype.name, dims, value.dtype.kind, library=library)


@dataclass(frozen=True, eq=False)
class Case:
    """One function of one operation: its values, and which of them are differentiated."""

    function: Function
    values: list[Any]
    wrt: tuple[int, ...]
    expected: list[Any]
    call: Apply

    @staticmethod
    def of(
        operation: Any, sample: Sample, typed: bool, dtype: Any = np.float64, library: str = NUMPY
    ) -> Case | None:
        """The case of one sample; None where nothing in it can be differentiated."""
        rng = np.random.default_rng(7)
        args, kwargs = draw(
            [list(sample.args), list(sample.kwargs.values())], rng, sample.low, sample.high, dtype
        )
        kwargs = dict(zip(sample.kwargs, kwargs, strict=True))
        maker = Maker(typed, library)
        operands = tuple(maker.operand(t, v) for t, v in zip(sample.args, args, strict=True))
        named = {k: maker.operand(t, kwargs[k]) for k, t in sample.kwargs.items()}
        wrt = maker.active(operation, operands, named)
        if not wrt:
            return None
        result = apply(operation, *draw_again(sample, dtype))
        body = Block(maker.params, [], [])
        call = Apply([], None, operation, operands, named)
        operands = prepared(operation, operands, body)
        op = Apply(
            [Value("z", infer(operation, operands, named))], None, operation, operands, named
        )
        body.ops.append(op)
        expected: list[Any] = []
        maker.results(body, op.result, result, expected)
        names = tuple(str(p.hint) for p in maker.params)
        tree = (
            LEAF
            if len(expected) == 1
            else Pack(tuple, list(range(len(expected))), [LEAF] * len(expected))
        )
        return Case(Function("call", body, tree, None, names), maker.values, wrt, expected, call)


WRITING = (
    linear.index_add, operator.imatmul, operator.iadd, operator.isub, operator.imul, operator.itruediv,
    operator.ipow,
)  # fmt: skip


def prepared(operation: Any, operands: tuple[Any, ...], body: Block) -> tuple[Any, ...]:
    """What programs do before such a call: build the container, copy what is written to."""
    first, *rest = operands
    if operation in WRITING:
        op = Apply([Value("buffer", first.type)], None, linear.copy, (first,))
    elif operation is operator.getitem and isinstance(first, (tuple, list)):
        op = Apply([Value("container", compiler_type(first))], None, BUNDLE, (first,))
    else:
        return operands
    body.ops.append(op)
    return (op.result, *rest)


def draw_again(sample: Sample, dtype: Any) -> tuple[list[Any], dict[str, Any]]:
    rng = np.random.default_rng(7)
    args, kwargs = draw(
        [list(sample.args), list(sample.kwargs.values())], rng, sample.low, sample.high, dtype
    )
    return args, dict(zip(sample.kwargs, kwargs, strict=True))


class Maker:
    """Builds the operands of one call; what is drawn becomes a parameter that may be active."""

    def __init__(self, typed: bool, library: str = NUMPY) -> None:
        self.typed, self.library = typed, library
        self.params: list[Value] = []
        self.values: list[Any] = []
        self.drawn: set[Value] = set()

    def operand(self, template: Any, value: Any) -> Any:
        if isinstance(template, (tuple, list)):
            return type(template)(self.operand(t, v) for t, v in zip(template, value, strict=True))
        if isinstance(template, dict):
            return {k: self.operand(t, value[k]) for k, t in template.items()}
        if isinstance(template, slice):
            parts = (template.start, template.stop, template.step)
            return slice(*[Const(part) for part in parts])
        if isinstance(template, (A, np.ndarray, np.generic)):
            return self.param(value, isinstance(template, A))
        simple = isinstance(template, SIMPLE)
        return Const(template) if simple else Const(template, f"k{id(template) % 97}")

    def param(self, value: Any, drawn: bool) -> Value:
        made = Value(f"x{len(self.params)}", type_of(value, self.library) if self.typed else None)
        self.params.append(made)
        self.values.append(value)
        if drawn:
            self.drawn.add(made)
        return made

    def active(self, operation: Any, args: Any, kwargs: Any) -> tuple[int, ...]:
        rule = book.rules.get(operation)
        if rule is None:
            return ()
        given = bind_operands(rule.differential, args, kwargs, 1, operation)
        found = set(values_in([given[name] for name in rule.active])) & self.drawn
        return tuple(k for k, p in enumerate(self.params) if p in found)

    def results(self, body: Block, value: Any, result: Any, expected: list[Any]) -> None:
        """Yield every number and array of a result, containers taken apart."""
        if not isinstance(result, (tuple, list)):
            if np.asarray(result).dtype.kind in "fc":
                body.yields.append(value)
                expected.append(result)
            return
        if not isinstance(value.type, Tree):
            value.type = tree_of(result)
        for k, part in enumerate(result):
            item = Value(None, value.type.item(k))
            body.ops.append(Apply([item], None, operator.getitem, (value, Const(k))))
            self.results(body, item, part, expected)


def tree_of(result: Any) -> Any:
    if not isinstance(result, (tuple, list)):
        return None
    kind = "tuple" if isinstance(result, tuple) else "list"
    return Tree(kind, tuple(range(len(result))), tuple(tree_of(r) for r in result))


class Compiled:
    """A function of the compiler that runs: from its text, as the user would read it.

    A copy of it becomes the text, which writes in place: the function may be differentiated again.
    """

    def __init__(self, function: Function) -> None:
        made = pipeline.text_of(clone_function(function), "A call.", Program())
        self.text, self.several = made.text, len(function.body.yields) != 1
        space: dict[str, Any] = dict(made.captured)
        exec(compile(made.text, "<rules>", "exec"), space)
        self.run = space[made.names[0]]

    def __call__(self, *values: Any) -> list[Any]:
        result = self.run(*values)
        return list(result) if self.several else [result]


def push(function: Function, wrt: tuple[int, ...]) -> Function:
    """The tangents of the results: a function of the parameters, then of their tangents."""
    made = pipeline.pushforward(function, Request("jvp", wrt), Derivatives())
    return only(made, len(function.body.yields))


def pull(function: Function, wrt: tuple[int, ...]) -> Function:
    """The adjoints of the arguments: a function of the parameters, then of the cotangents."""
    made = pipeline.pullback(function, Request("vjp", wrt), Derivatives())
    return only(made, len(function.body.yields))


def only(made: Function, values: int) -> Function:
    """Without the primal results."""
    del made.body.yields[:values]
    made.tree = None
    return eliminate(made)
