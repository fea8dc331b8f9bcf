"""Calls and names: what a name means, and whether a call is an operation, a callee or a refusal."""

from __future__ import annotations

import builtins
import dataclasses
import inspect
import operator
import sys
import types
from typing import Any

import gast
import numpy as np

from retrograd.runtime.checkpoint import checkpoint, checkpointed
from retrograd.runtime.errors import (
    SourceUnavailable,
    UnsupportedOperation,
    UnsupportedSyntax,
)
from retrograd.runtime.rules.book import book, is_constant

from .checkpoints import in_place
from .containers import Containers, PackMethod
from .desugar import desugared
from .exits import completed
from .infer import infer
from .ir import Apply, Block, Call, Const, Op, Operand, Value
from .structure import Pack, leaves, rebuild
from .types import Array, Number
from .uncompiled import uncompiled
from .versions import hidden
from .writers import writes

__all__ = ["Calls", "LocalFunction"]

Node = Any
VIEWS = {
    "getitem", "reshape", "ravel", "transpose", "swapaxes", "squeeze", "broadcast_to", "asarray",
    "T", "mT", "real", "imag", "view", "diagonal", "moveaxis", "expand_dims", "flat", "getattr",
    "atleast_1d", "atleast_2d", "atleast_3d", "flip", "rot90", "matrix_transpose", "bundle",
}  # fmt: skip


class LocalFunction:
    """An inner function or a lambda: called by lowering its body in place.

    ``frame`` is the call it was defined in, whose names it reads as they are when it is called;
    ``defaults`` are what they were when it was defined.  ``home`` is the Python function around it,
    its source and its local names: where names are looked up.
    """

    def __init__(self, node: Any, frame: int, defaults: list[Node], home: tuple[Any, ...]) -> None:
        self.node, self.frame, self.defaults, self.home = node, frame, defaults, home


class Calls(Containers):
    """Names, attributes of constants, and calls."""

    def __init__(self, program: Any, source: Any, function: Any) -> None:
        self.program, self.source, self.python = program, source, function
        self.tree = desugared(source)
        self.env: dict[str, Node] = {}
        self.begin_versions()
        self.blocks: list[Block] = []
        self.node: Any = None
        self.statement_node: Any = None
        self.captures: dict[str, Any] = program.captures
        self.projections: dict[Any, Any] = {}
        self.pack_blocks: dict[int, Block] = {}
        self.dead = self.raised = False
        self.pinned: Any = None  # the place of all that is lowered, where it is not the user's text
        self.loop_depth = self.inline_depth = self.frame = 0
        self.frames: dict[int, dict[str, Node]] = {}  # the names of calls that wait or are over
        self.local_names = set(local_names(self.tree))

    @property
    def block(self) -> Block:
        return self.blocks[-1]

    # -- names -----------------------------------------------------------------------

    def load_global(self, name: str, node: Any) -> Node:
        code = self.python.__code__
        if name in code.co_freevars:
            cell = self.python.__closure__[code.co_freevars.index(name)]
            try:
                return self.captured(name, cell.cell_contents)
            except ValueError:
                raise self.unknown_name(name, node) from None
        if name in self.python.__globals__:
            return self.captured(name, self.python.__globals__[name])
        if hasattr(builtins, name):
            value = getattr(builtins, name)
            return Const(value, self.program.text_for(name, value))
        raise self.unknown_name(name, node)

    def unknown_name(self, name: str, node: Any) -> UnsupportedSyntax:
        return UnsupportedSyntax(
            f"the name `{name}` is not defined", place=self.place(node),
            fix="define it before the function is differentiated",
        )  # fmt: skip

    def captured(self, name: str, value: Any) -> Const:
        self.program.capture(self.python, name, value)
        return Const(value, self.program.text_for(name, value))

    def constant_attribute(self, base: Const, name: str, node: Any) -> Node:
        if isinstance(base.value, np.ndarray):
            descriptor = getattr(np.ndarray, name)
            if callable(descriptor):
                return BoundConstant(descriptor, base)
            return self.apply(descriptor, (base,), {})
        try:
            value = getattr(base.value, name)
        except AttributeError as error:
            raise UnsupportedSyntax(str(error), place=self.place(node)) from None
        if value is None:
            return Const(None)
        text = f"{base.text}.{name}" if base.text else None
        if not is_fixed(base.value):
            self.program.capture_attribute(base.value, name, value)
        return Const(value, text)

    # -- operations ------------------------------------------------------------------

    def emit(self, op: Op) -> Value:
        self.block.ops.append(op)
        self.born.update(dict.fromkeys(op.results, self.block))
        return op.results[0]

    def apply(self, fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Value:
        """``fn(*args, **kwargs)`` as an operation of the current block."""
        args = tuple(map(self.current, args))
        kwargs = {k: self.current(v) for k, v in kwargs.items()}
        result = Value(None, infer(fn, args, kwargs), self.location(self.node))
        effect = not (isinstance(fn, str) or fn in book or is_constant(fn) or is_pure(fn))
        op = Apply([result], result.loc, fn, args, kwargs, effect)
        self.learn_place(op)
        return self.emit(op)

    def emit_effect(self, kind: str, parts: tuple[Operand, ...], node: Any) -> None:
        self.block.ops.append(Apply([Value(None)], self.location(node), kind, parts, effect=True))

    def augmented(self, node: Any, old: Node, value: Node) -> Node:
        """``x += e``: a new value where ``x`` is a number or an array nobody else can see."""
        from .lower_expressions import BINARY

        if isinstance(old, Pack):
            made = self.pack_arithmetic(BINARY[type(node.op)], old, value, node)
            if old.kind is not list or not isinstance(made, Pack):
                return made
            if not self.owns(old):
                self.refuse_write(node.target)
            old.items, old.keys = made.items, made.keys
            return old
        if isinstance(value, Pack):
            value = self.apply(np.array, (self.operand(value),), {})
        outer, self.node = self.node, node
        x, e = self.operand(old), self.operand(value)
        result = self.apply(BINARY[type(node.op)], (x, e), {})
        result.loc = self.location(node)
        self.node = outer
        if isinstance(x, Const) and isinstance(x.value, np.ndarray):
            self.written(x, node.target)
        if not isinstance(x, Value) or (is_scalar(x.type) and x not in self.rank0):
            return result
        if getattr(x.type, "dims", None) is None or is_scalar(x.type):
            # A number or an array: nobody else may look at it afterwards.
            self.lose(self.place_of(x).cell, node)
            self.rank0.update([result] if is_scalar(x.type) else [])
            self.beside(result, [x])
            return result
        self.augment_whole(old, result, node)
        return old

    # -- calls -----------------------------------------------------------------------

    def on_Lambda(self, node: Any) -> Node:
        return self.local_function(node)

    def local_function(self, node: Any) -> LocalFunction:
        defaults = [self.expression(d) for d in node.args.defaults]
        home = self.python, self.source, self.local_names
        return LocalFunction(node, self.frame, defaults, home)

    def on_Call(self, node: Any) -> Node:
        fn = self.expression(node.func)
        args: list[Node] = []
        for arg in node.args:
            if isinstance(arg, gast.Starred):
                args += self.unpack(self.expression(arg.value), None, arg)
            else:
                args.append(self.expression(arg))
        kwargs = {}
        for keyword in node.keywords:
            value = self.expression(keyword.value)
            if keyword.arg is not None:
                kwargs[keyword.arg] = value
            elif isinstance(value, Pack) and value.kind is dict:
                kwargs.update(zip(value.keys, value.items, strict=True))
            else:
                raise UnsupportedSyntax(
                    "`**` of a dict of unknown keys", place=self.place(keyword.value)
                )
        return self.call(fn, args, kwargs, node)

    def call(self, fn: Node, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        kind = type(fn).__name__
        if kind in ("BoundMethod", "BoundConstant"):
            return self.operation(fn.descriptor, [fn.value, *args], kwargs)
        if isinstance(fn, LocalFunction):
            return self.call_local(fn, args, kwargs, node)
        if isinstance(fn, PackMethod):
            return self.call_pack(fn, args, kwargs, node)
        if kind == "BoundUser":
            return self.call_user(fn.function, [fn.base, *args], kwargs, node)
        if not isinstance(fn, Const) or not callable(fn.value):
            raise UnsupportedSyntax(
                "the function called here is not known at compile time", place=self.place(node),
                fix="call a function of the module, an inner function, or a NumPy function",
            )  # fmt: skip
        return self.call_constant(fn.value, args, kwargs, node)

    def call_constant(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        special = getattr(self, f"builtin_{getattr(fn, '__name__', '')}", None)
        if special is not None and getattr(builtins, fn.__name__, None) is fn:
            found = special(args, kwargs, node)
            if found is not None:
                return found
        if fn in (checkpoint, checkpointed):
            return in_place(self, fn, args, node)
        fn = self.program.unwrap(fn)
        special = self.program.special(fn)
        if special is not None:
            return special(self, fn, args, kwargs, node)
        if type(getattr(fn, "__self__", None)).__module__.startswith("numpy.random"):
            raise UnsupportedOperation(
                f"{fn.__name__} draws random numbers", place=self.place(node),
                fix="draw them outside, and pass them as an argument",
            )  # fmt: skip
        if known(fn):
            return self.operation(fn, args, kwargs)
        if inspect.ismethod(fn):
            return self.call_user(fn.__func__, [Const(fn.__self__), *args], kwargs, node)
        if isinstance(fn, types.FunctionType) and not is_library(fn):
            return self.call_user(fn, args, kwargs, node)
        if isinstance(fn, type) and (dataclasses.is_dataclass(fn) or hasattr(fn, "_fields")):
            return self.construct(fn, args, kwargs)
        return self.operation(fn, args, kwargs)

    def operation(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> Node:
        if writes(fn, args, kwargs):
            return self.writing_call(fn, args, kwargs)
        operands = tuple(self.operand(a) for a in args)
        return self.apply(fn, operands, {k: self.operand(a) for k, a in kwargs.items()})

    def construct(self, cls: Any, args: list[Node], kwargs: dict[str, Node]) -> Pack:
        bound = inspect.signature(cls).bind(*args, **kwargs)
        given = dict(bound.arguments)
        for name, parameter in inspect.signature(cls).parameters.items():
            given.setdefault(name, Const(parameter.default))
        return Pack(cls, list(given), list(given.values()))

    def call_user(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        """A call of a function that has source: compiled on its own, once per kind of arguments."""
        try:
            params = bind(fn, args, kwargs)
        except TypeError as error:
            raise UnsupportedSyntax(str(error), place=self.place(node)) from None
        self.check_arguments(params, node)
        try:
            callee = self.program.callee(fn, params)
        except (SourceUnavailable, UnsupportedSyntax) as error:
            return uncompiled(self, fn, args, kwargs, error)
        given = [v for p in params.values() for v in leaves(p) if is_argument(v)]
        operands = tuple(map(self.current, given))
        op = Call([], self.location(node), callee.function, operands)
        result = rebuild(callee.result_tree(), lambda _: Value(None))
        op.results = list(leaves(result))
        op.results += [Value(None) for _ in callee.function.facts.get("writes", ())]
        for value, kind in zip(op.results, callee.result_types(), strict=True):
            value.type, value.loc = callee.outward(kind), op.loc
        self.block.ops.append(op)
        self.born.update(dict.fromkeys(op.results, self.block))
        return self.after_call(op, given, result, node)

    def check_arguments(self, params: dict[str, Node], node: Any) -> None:
        """An inner function is lowered where it is called: it cannot be handed on."""
        for p in params.values():
            if any(not isinstance(v, (Value, Const)) for v in leaves(p)):
                raise UnsupportedSyntax(
                    "an inner function or a method as an argument is not supported",
                    place=self.place(node), fix="define it at module level and pass that",
                )  # fmt: skip

    def call_local(
        self, fn: LocalFunction, args: list[Node], kwargs: dict[str, Node], node: Any
    ) -> Node:
        """Lower the body of an inner function here, with its own names over ours."""
        if self.inline_depth > 25:
            raise UnsupportedSyntax(
                "a recursive inner function is not supported", place=self.place(node),
                fix="define it at module level",
            )  # fmt: skip
        params = bind_node(self, fn, args, kwargs, node)
        saved = self.env, self.tree, self.local_names, self.loop_depth, self.dead, self.frame
        home = self.python, self.source
        self.python, self.source, names = fn.home
        self.frames[self.frame] = self.env
        body = fn.node.body if isinstance(fn.node.body, list) else [gast.Return(value=fn.node.body)]
        self.tree = (
            gast.FunctionDef(**vars(fn.node)) if isinstance(fn.node, gast.FunctionDef) else fn.node
        )
        around = self.frames[fn.frame]
        now = {k: v for k, v in self.env.items() if hidden(k)}
        self.env = {k: v for k, v in around.items() if not k.startswith("$")} | now | params
        self.frame = len(self.frames)
        self.local_names = names | set(local_names(fn.node))
        self.loop_depth, self.dead = 0, False
        self.inline_depth += 1
        if isinstance(fn.node.body, list):
            self.statements(completed(body))  # type: ignore[attr-defined]
            result = self.env.get("$result", Const(None))
        else:
            result = self.expression(fn.node.body)
        self.inline_depth -= 1
        self.frames[self.frame] = self.env
        now = {k: v for k, v in self.env.items() if hidden(k)}
        self.env, self.tree, self.local_names, self.loop_depth, self.dead, self.frame = saved
        self.python, self.source = home
        self.env.update(now)
        return result


class BoundConstant:
    """``table.sum`` where ``table`` is a global array."""

    def __init__(self, descriptor: Any, value: Const) -> None:
        self.descriptor, self.value = descriptor, value


def known(fn: Any) -> bool:
    """Whether the rule book says something about ``fn``."""
    return fn in book or is_constant(fn)


def is_pure(fn: Any) -> bool:
    """Functions without a rule that certainly do nothing but compute."""
    return getattr(fn, "__module__", None) in ("_operator", "math", "_functools") or fn in PURE


PURE = {
    builtins.getattr,
    builtins.range,
    builtins.len,
    builtins.min,
    builtins.max,
    operator.getitem,
}


def is_library(fn: Any) -> bool:
    """NumPy's and the runtime's own Python functions are operations, not user code."""
    root = (getattr(fn, "__module__", None) or "").partition(".")[0]
    return root == "numpy" or (fn.__module__ or "").startswith("retrograd.runtime")


def is_scalar(kind: Any) -> bool:
    """Whether a value is immutable: a Python number or the result of a full reduction."""
    return isinstance(kind, Number) or (isinstance(kind, Array) and kind.dims == ())


def is_argument(node: Node) -> bool:
    """Whether a leaf is passed at run time (and not a constant the callee is made for)."""
    if isinstance(node, Value):
        return True
    value = node.value
    return node.text is None and type(value) in (int, float, complex)


def local_names(tree: Any) -> list[str]:
    from .exits import assigned

    names = [n for statement in getattr(tree, "body", []) for n in assigned(statement)] if isinstance(
        getattr(tree, "body", None), list
    ) else []  # fmt: skip
    return names + [a.id for a in tree.args.args]


def is_fixed(owner: Any) -> bool:
    """Whether an object is a module whose names nobody binds anew."""
    if not isinstance(owner, types.ModuleType):
        return False
    root = owner.__name__.partition(".")[0]
    return root in ("numpy", "scipy", "retrograd") or root in sys.stdlib_module_names


def bind(fn: Any, args: list[Node], kwargs: dict[str, Node]) -> dict[str, Node]:
    """The callee's parameters and what each gets: packs for ``*args`` and ``**kwargs``."""
    signature = inspect.signature(fn, follow_wrapped=False)
    bound = signature.bind(*args, **kwargs)
    params: dict[str, Node] = {}
    for name, parameter in signature.parameters.items():
        if name not in bound.arguments:
            if parameter.kind is parameter.VAR_POSITIONAL:
                params[name] = Pack(tuple, [], [])
            elif parameter.kind is parameter.VAR_KEYWORD:
                params[name] = Pack(dict, [], [])
            else:
                params[name] = Const(
                    parameter.default,
                    f"{fn.__name__}.{name}" if is_named_default(parameter.default) else None,
                )
            continue
        given = bound.arguments[name]
        if parameter.kind is parameter.VAR_POSITIONAL:
            given = Pack(tuple, list(range(len(given))), list(given))
        elif parameter.kind is parameter.VAR_KEYWORD:
            given = Pack(dict, list(given), list(given.values()))
        params[name] = given
    return params


def is_named_default(value: Any) -> bool:
    return not isinstance(value, (int, float, complex, str, bytes, type(None), bool, tuple))


def bind_node(
    lowerer: Any, fn: LocalFunction, args: list[Node], kwargs: dict[str, Node], node: Any
) -> dict[str, Node]:
    """Bind the parameters of an inner function by its syntax tree."""
    spec = fn.node.args
    names = [a.id for a in (*spec.posonlyargs, *spec.args)]
    only = [a.id for a in spec.kwonlyargs]
    params = dict(zip(names, args, strict=False))
    more, others = args[len(names) :], {k: v for k, v in kwargs.items() if k not in (*names, *only)}
    params.update({k: v for k, v in kwargs.items() if k in (*names, *only)})
    for name, default in zip(names[len(names) - len(fn.defaults) :], fn.defaults, strict=True):
        params.setdefault(name, default)
    for name, default in zip(only, spec.kw_defaults, strict=True):
        if default is not None and name not in params:
            params[name] = lowerer.expression(default)
    wrong = (more and not spec.vararg) or (others and not spec.kwarg)
    if set(params) != {*names, *only} or wrong:
        raise UnsupportedSyntax(
            "missing or unknown arguments in this call", place=lowerer.place(node),
            fix="give every parameter one value",
        )  # fmt: skip
    if spec.vararg:
        params[spec.vararg.id] = Pack(tuple, list(range(len(more))), list(more))
    if spec.kwarg:
        params[spec.kwarg.id] = Pack(dict, list(others), list(others.values()))
    return params
