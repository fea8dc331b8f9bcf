"""Calls and names: what a name means, and whether a call is an operation, a callee or a refusal."""

from __future__ import annotations

import builtins
import dataclasses
import inspect
import operator
import types
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from retrograd.runtime.checkpointing.marks import checkpoint, checkpointed
from retrograd.runtime.errors import (
    SourceUnavailable,
    UnsupportedOperation,
    UnsupportedSyntax,
)
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.rules.array_likes import as_arrays
from retrograd.runtime.rules.book import book, is_constant
from retrograd.runtime.user.custom_rules import custom_of

from ...analyses.class_protocols import class_at, is_stranger, refuse_tensors, tells
from ...analyses.effects import owner_of
from ...analyses.random_numbers import is_draw
from ...analyses.shapes.infer import infer
from ...dependencies.object_reads import class_of, static
from ...frontend.desugar import desugared
from ...frontend.source import source_of
from ...ir.containers import Pack, leaves
from ...ir.operations import Apply, Block, Call, Const, Op, Operand, Value
from ...ir.primitives import Primitive
from ...ir.types import Array, Number, Stack
from ..control_flow.early_exit_join import Rejoining
from ..iteration.iterables import Iteration, fixed_range
from ..iteration.mutation_during_iteration import is_iterator
from ..library import numpy_functionals  # noqa: F401  (enters its forms)
from ..library.frozen_distributions import Frozen, freeze, is_family, method_of, thawed
from ..library.library_programs import in_place_of
from ..library.numpy_rewrites import arrays_of, has_form, normal
from ..library.rewrite_call import formed_operation, is_listed
from ..memory.array_versions import Lost
from ..memory.container_identity import Change, Listed, Ref
from ..memory.containers import Containers, is_array
from ..memory.held_operands import Held, Method
from ..memory.writing_calls import writes
from ..module_containers import ModuleConstants
from .callee_facts import bind, is_argument, is_fixed, is_library, is_pure, known, leaves_alone
from .captured_names import Lent
from .checkpoint_marks import in_place
from .closures import Applied, Closures, Code, LocalFunction, bound_in, default_nodes
from .constructors import Construction
from .higher_order import GETTERS, Functional
from .opaque_calls import named, uncompiled
from .operator_overloads import is_users

__all__ = ["Calls", "LocalFunction", "has_form"]

Node = Any


NUMBERS = [vars(kind).get("__radd__") for kind in (bool, int, float, complex, np.ndarray)]


class Calls(Rejoining, Held, Lent, Functional, Closures, Construction, ModuleConstants, Containers):
    """Names, attributes of constants, and calls."""

    if TYPE_CHECKING:  # what the classes above this one add
        state_of: Any
        state_params: Any

    def __init__(self, program: Any, source: Any, function: Any) -> None:
        self.program, self.source, self.python = program, source, function
        self.tree = desugared(source)
        self.env: dict[str, Node] = {}
        self.begin_versions()
        self.begin_lent()
        self.begin_ways()
        self.blocks: list[Block] = []
        self.noted: list[Change] = []
        self.node: Any = None
        self.statement_node: Any = None
        self.captures: dict[str, Any] = program.captures
        self.projections: dict[Any, Any] = {}
        self.code: Any = None  # the inner function that is lowered on its own
        self.dead = self.raised = False
        self.following: Any = None  # the statement after the one that is lowered
        self.pinned: Any = None  # the place of all that is lowered, where it is not the user's text
        self.loop_depth = self.inline_depth = 0
        self.frame = program.next_frame()
        self.frames: dict[int, dict[str, Node]] = {}  # the names of calls that wait or are over
        self.of_caller: list[Ref] = []  # the containers that came in, which the caller holds
        self.carried_from: dict[Value, Node] = {}  # what the heads of loops held at first
        self.local_names = set(bound_in(self.tree))

    @property
    def block(self) -> Block:  # type: ignore[override]
        return self.blocks[-1]

    # -- names -----------------------------------------------------------------------

    def load_global(self, name: str, node: Any) -> Node:
        code = self.python.__code__
        if name in code.co_freevars:
            cell = self.python.__closure__[code.co_freevars.index(name)]
            try:
                return self.state_of(self.captured(name, cell.cell_contents, node))
            except ValueError:
                raise self.unknown_name(name, node) from None
        if name in self.python.__globals__:
            return self.state_of(self.captured(name, self.python.__globals__[name], node))
        if name in self.python.__builtins__:
            value = self.program.capture_builtin(self.python, name)
            plain = isinstance(value, bool)  # `__debug__`, which nobody can bind
            return Const(value, None if plain else self.program.text_for(name, value))
        raise self.unknown_name(name, node)

    def unknown_name(self, name: str, node: Any) -> UnsupportedSyntax:
        return UnsupportedSyntax(
            f"the name `{name}` is not defined", place=self.place(node),
            fix="define it before the function is differentiated",
        )  # fmt: skip

    def captured(self, name: str, value: Any, node: Any) -> Const:
        refuse_tensors(self, name, value, node)
        self.program.capture(self.python, name, value)
        return Const(value, self.program.text_for(name, value))

    def constant_attribute(self, base: Const, name: str, node: Any) -> Node:
        if type(base.value) is dict and name in ("items", "keys", "values", "get"):
            return self.method(self.constant_pack(base), name)
        if isinstance(base.value, np.ndarray):
            descriptor = getattr(np.ndarray, name)
            if callable(descriptor):
                return BoundConstant(descriptor, base)
            return self.apply(descriptor, (base,), {})
        method = thawed(self, base.value, name, node)
        if method is not None:
            return method
        method = getattr(type(base.value), name, None)
        if type(base.value) in (str, bytes, int, float, complex) and callable(method):
            return BoundConstant(method, base)
        found = static(class_of(base.value), name)
        if isinstance(found, property) and is_users(found.fget):  # type: ignore[arg-type]
            return self.call_user(found.fget, [base], {}, node)
        try:
            value = getattr(base.value, name)
        except AttributeError as error:
            raise UnsupportedSyntax(str(error), place=self.place(node)) from None
        text = f"{base.text}.{name}" if base.text else None
        if base.text and owner_of(value) is base.value:
            self.program.text_for(base.text.replace(".", "_"), base.value)
        if not is_ours(self.python, base.value):
            self.note_attribute(base.value, name, value, node)
        if value is None:
            return Const(None)
        refuse_tensors(self, name, value, node)
        return self.state_of(Const(value, text))

    def note_attribute(self, owner: Any, name: str, value: Any, node: Any) -> None:
        try:
            self.program.capture_attribute(owner, name, value)
        except UnsupportedSyntax as error:
            error.place = self.place(node)
            raise

    # -- operations ------------------------------------------------------------------

    def emit(self, op: Op) -> Value:
        if self.pending:
            self.flush(op, before=True)
        self.block.ops.append(op)
        if self.pending:
            self.flush(op)
        self.born.update(dict.fromkeys(op.results, self.block))
        return op.results[0]

    def apply(self, fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Value:
        """``fn(*args, **kwargs)`` as an operation of the current block."""
        args = tuple(map(self.current, self.vouched(fn, args)))
        kwargs = {k: self.current(v) for k, v in kwargs.items()}
        fn, args, kwargs = self.formed(fn, args, kwargs)
        result = Value(None, infer(fn, args, kwargs), self.location(self.node))
        effect = not (isinstance(fn, Primitive) or fn in book or is_constant(fn) or is_pure(fn))
        op = Apply([result], result.loc, fn, args, kwargs, effect)
        self.learn_place(op)
        self.introduce(op)
        return self.emit(op)

    def formed(self, fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Any:
        """The call that says it better, with arrays in place of lists where the operation makes arrays of them."""
        try:
            fn, args, kwargs = formed_operation(fn, args, kwargs)
            return fn, *as_arrays(fn, args, kwargs, is_listed, self.made_array)
        except UnsupportedOperation as error:
            error.place = error.place or self.place(self.node)
            raise

    def made_array(self, items: Any) -> Value:
        return self.apply(np.array, (items,), {})

    def emit_effect(self, kind: Primitive, parts: tuple[Operand, ...], node: Any) -> None:
        self.block.ops.append(Apply([Value(None)], self.location(node), kind, parts, effect=True))

    def augmented(self, node: Any, old: Node, value: Node) -> Node:
        """``x += e``: a new value where ``x`` is a number or an array nobody else can see."""
        from ..expressions import BINARY

        if isinstance(old, Pack):
            return self.augmented_container(node, BINARY[type(node.op)], self.present(old), value)
        own = self.augmenting_method(BINARY[type(node.op)], old, value, node)
        if own is not None:
            return own
        if isinstance(value, Pack):
            value = self.apply(np.array, (self.operand(value),), {})
        outer, self.node = self.node, node
        x, e = self.operand(old), self.operand(value)
        fn = BINARY[type(node.op)]
        if isinstance(x, Const) and hasattr(type(x.value), f"__i{fn.__name__.strip('_')}__"):
            self.written(x, node.target)  # type: ignore[attr-defined]
        result = self.apply(fn, (x, e), {})
        result.loc = self.location(node)
        self.node = outer
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

    def augmented_container(self, node: Any, fn: Any, old: Pack, value: Node) -> Node:
        """``xs += ys``: lists and dicts are changed themselves, everything else is bound anew."""
        if is_stranger(value) or tells(class_at(value) or object, "__radd__") not in (
            None,
            *NUMBERS,
        ):
            raise UnsupportedSyntax(
                "a container augmented by an object of another class is not supported",
                place=self.place(node), fix="make a list of it first: list(...)",
            )  # fmt: skip
        if old.kind in (list, Listed) and fn is operator.add and not is_array(value):
            self.change_list(old, "extend", [value], node)
            return self.seen(old)
        if old.kind is dict and fn is operator.or_:
            self.change_dict(old, "update", [value], {}, node)
            return self.seen(old)
        own = self.augmenting_method(fn, old, value, node)
        return self.pack_arithmetic(fn, old, value, node) if own is None else own

    # -- calls -----------------------------------------------------------------------

    def on_Lambda(self, node: Any) -> Node:
        return self.local_function(node)

    def local_function(self, node: Any) -> LocalFunction:
        defaults = [self.anchored(self.expression(d)) for d in default_nodes(node)]
        home = self.python, self.source, self.local_names
        return LocalFunction(node, self.frame, defaults, home)

    def on_Call(self, node: Any) -> Node:
        if self.collected_append(node):
            return Const(None)
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
            value = self.taken_apart(value) if keyword.arg is None else value
            if keyword.arg is not None:
                kwargs[keyword.arg] = value
            elif isinstance(value, Pack) and value.kind is dict:
                kwargs.update(zip(value.keys, value.items, strict=True))
            else:
                raise UnsupportedSyntax(
                    "`**` needs a dict whose keys are known at compile time",
                    place=self.place(keyword.value),
                )
        kwargs = {k: self.present(v) for k, v in kwargs.items()}
        return self.call(self.present(fn), list(map(self.present, args)), kwargs, node)

    def call(self, fn: Node, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        kind = type(fn).__name__
        if kind in ("BoundMethod", "BoundConstant"):
            found = normal(self, fn.descriptor, [fn.value, *args], kwargs)
            if found:
                return found
            made = self.operation(fn.descriptor, [fn.value, *args], kwargs)
            is_list = isinstance(made, Value) and isinstance(made.type, Stack)
            return Pack(Listed, [0], [made]) if is_list else made
        if isinstance(fn, LocalFunction):
            return self.call_local(fn, args, kwargs, node)
        if isinstance(fn, Pack):
            return self.call_container(fn, args, kwargs, node)
        if kind == "Nothing":
            return Const(None)
        if kind == "BoundUser" and fn.function.__name__ == "__init__":
            return self.inlined(fn.function, [fn.base, *args], kwargs, node)
        if kind == "BoundUser":
            return self.call_user(fn.function, [fn.base, *args], kwargs, node)
        if not isinstance(fn, Const) or not callable(fn.value):
            raise UnsupportedSyntax(
                "the function called here is not known at compile time", place=self.place(node),
                fix="call a function of the module, an inner function, or a NumPy function",
            )  # fmt: skip
        return self.call_constant(fn.value, args, kwargs, node)

    def call_container(
        self, fn: Pack, args: list[Node], kwargs: dict[str, Node], node: Any
    ) -> Node:
        """A call of a closure, a partial application, or an object with ``__call__``."""
        fn = self.present(fn)  # it may be called again and again
        if isinstance(fn.kind, Method):
            return self.call_pack(fn, args, kwargs, node)
        if isinstance(fn.kind, Code):
            return self.call_closure(fn, args, kwargs, node)
        if isinstance(fn.kind, Applied):
            return self.call_applied(fn, args, kwargs, node)
        if fn.kind is np.vectorize:
            return self.call_vectorized(fn, args, kwargs, node)
        if fn.kind in GETTERS:
            return self.call_getter(fn, args, node)
        if isinstance(fn.kind, Frozen):
            return self.call(method_of(self, fn, "__call__", node), args, kwargs, node)
        found = static(fn.kind, "__call__")
        if isinstance(found, types.FunctionType):
            return self.call_user(found, [fn, *args], kwargs, node)
        raise UnsupportedSyntax(
            f"{own_attribute(fn.kind, '__name__', 'this')} cannot be called", place=self.place(node)
        )

    def call_constant(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        """What the function is says what its call is: the first that knows it."""
        if getattr(type(fn), "__hash__", None) is None:
            raise UnsupportedOperation(
                f"a call of an object of {type(fn).__name__}, which has no hash", place=self.place(node),
                fix="write the operation with NumPy functions (np.polyval for np.poly1d)",
            )  # fmt: skip
        fn, args = self.program.unwrap(fn), self.gone_over_by(fn, args, node)
        for who in (
            self.call_builtin, self.functional, self.on_values, self.refuse_opaque, self.call_special,
            self.call_operation, self.call_object,
        ):  # fmt: skip
            found: Node = who(fn, args, kwargs, node)
            if found is not None:
                return found
        return self.operation(fn, args, kwargs)

    def call_builtin(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        special = getattr(self, f"builtin_{own_attribute(fn, '__name__', '')}", None)
        if special is not None and getattr(builtins, fn.__name__, None) is fn:
            return special(args, kwargs, node)
        return None

    def call_special(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        """Functions that mean something to the compiler, and those that write in place."""
        if fn is dataclasses.replace and args:
            whole = self.taken_apart(args[0])
            if isinstance(whole, Pack):
                return self.replaced(whole, kwargs, node)
        if fn is checkpoint or fn is checkpointed:
            return in_place(self, fn, args, node)
        special = self.program.special(fn)
        if special is not None:
            return special(self, fn, args, kwargs, node)
        return in_place_of(self, fn, args, kwargs, node)

    def call_operation(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        """Operations of the rule book, in their usual form."""
        if is_draw(fn):
            return self.operation(fn, args, kwargs)
        found = normal(self, fn, args, kwargs)
        if found is not None:
            return found
        if known(fn):
            return self.operation(fn, args, kwargs)
        return freeze(fn, args, kwargs) if is_family(fn) else None

    def call_object(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        """What the user wrote: a function, a method, a class, an object with ``__call__``."""
        if inspect.ismethod(fn) and not is_library(fn.__func__):
            owner = named(self.program, Const(fn.__self__))
            return self.call_user(fn.__func__, [owner, *args], kwargs, node)
        if isinstance(fn, types.FunctionType) and not is_library(fn):
            return self.call_user(fn, args, kwargs, node)
        if isinstance(fn, type):
            made = self.constructed(fn, args, kwargs, node)
            if made is not None:
                return made
        method = static(class_of(fn), "__call__")
        if isinstance(method, types.FunctionType) and not is_library(method):
            owner = Const(fn, self.program.text_for("self", fn))
            return self.call_user(method, [owner, *args], kwargs, node)
        return None

    def operation(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> Node:
        if writes(fn, args, kwargs):
            return self.writing_call(fn, args, kwargs)
        self.refuse_changes(fn, [*args, *kwargs.values()])
        operands = tuple(self.operand(a) for a in arrays_of(self, fn, args))
        return self.apply(fn, operands, {k: self.operand(a) for k, a in kwargs.items()})

    def refuse_changes(self, fn: Any, args: list[Node]) -> None:
        """A function nobody can read is not given a list or a dict that it might change."""
        if leaves_alone(fn):
            return
        alive = self.alive(self.env)
        for a in args:
            named = isinstance(a, (Ref, Pack)) and a.cell in alive
            opaque = not isinstance(fn, types.FunctionType)
            if named and (opaque or all(isinstance(v, Const) for v in leaves(self.seen(a)))):
                raise UnsupportedOperation(
                    f"{own_attribute(fn, '__name__', fn)} could change the container it is given",
                    place=self.place(self.node), fix="pass a copy: list(...), dict(...)",
                )  # fmt: skip

    def call_user(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: Any) -> Node:
        """A call of a function that has source: compiled on its own, once per kind of arguments."""
        if any(isinstance(a, slice) for a in args):
            raise UnsupportedSyntax(
                f"a slice given to `{fn.__qualname__}` is not supported", place=self.place(node),
                fix="write the indices",
            )  # fmt: skip
        try:
            params = bind(fn, args, kwargs)
        except TypeError as error:
            raise UnsupportedSyntax(str(error), place=self.place(node)) from None
        if any(map(is_iterator, params.values())):
            self.handed_over(source_of(fn).tree, params, node)
        for p in params.values():
            self.check_kept(p, node)
        since = len(self.lent)
        params = {n: self.handed_on(self.seen(fixed_range(p))) for n, p in params.items()}
        if custom_of(fn) is None:
            params |= self.state_params()
        try:
            callee = self.program.callee(fn, params)
        except (SourceUnavailable, UnsupportedSyntax) as error:
            return uncompiled(self, fn, args, kwargs, error)
        made = self.call_callee(callee, params, node)
        self.keep_lent(since, made, *map(self.present, params.values()))
        return made

    def call_code(self, code: Code, params: dict[str, Node], node: Any) -> Node:
        """A call of an inner function that is compiled on its own."""
        params = params | self.state_params()
        return self.call_callee(self.program.callee(code.python, params, code), params, node)

    def call_callee(self, callee: Any, params: dict[str, Node], node: Any) -> Node:
        if any(isinstance(v, Iteration) for p in params.values() for v in leaves(p)):
            raise UnsupportedSyntax(
                "an iterator that is passed on is not supported", place=self.place(node),
                fix="make a list of it: list(...)",
            )  # fmt: skip
        lost = next((v for p in params.values() for v in leaves(p) if isinstance(v, Lost)), None)
        if lost is not None:
            raise self.unclear(lost, Value("an item of an argument"))
        given = [v for p in params.values() for v in leaves(p) if is_argument(v)]
        op = Call([], self.location(node), callee.function, tuple(map(self.current, given)))
        kinds = callee.result_types()
        op.results = [Value(None, callee.outward(kind), op.loc) for kind in kinds]
        self.block.ops.append(op)
        self.born.update(dict.fromkeys(op.results, self.block))
        results = self.after_call(op, given, node)
        return self.taken_over(callee, results, node)


def is_ours(function: Any, owner: Any) -> bool:
    """Whether it is a program of the runtime that reads a library: nobody replaces what is in there."""
    return is_fixed(owner) and (function.__module__ or "").partition(".")[0] == "retrograd"


class BoundConstant:
    """``table.sum`` where ``table`` is a global array."""

    def __init__(self, descriptor: Any, value: Const) -> None:
        self.descriptor, self.value = descriptor, value


def is_scalar(kind: Any) -> bool:
    """Whether a value is immutable: a Python number or the result of a full reduction."""
    return isinstance(kind, Number) or (isinstance(kind, Array) and kind.dims == ())


def is_container_constant(node: Node) -> bool:
    return isinstance(node, Const) and type(node.value) in (tuple, list, dict)
