"""Calls and names: what a name means, and whether a call is an operation, a callee or a refusal."""

from __future__ import annotations

import builtins
import dataclasses
import inspect
import types
from typing import Any

import gast
import numpy as np

from retrograd.runtime.arrays.transfers import is_plain_array
from retrograd.runtime.checkpointing.marks import checkpoint, checkpointed
from retrograd.runtime.errors import (
    CompileError,
    SourceUnavailable,
    UnsupportedOperation,
    UnsupportedSyntax,
)
from retrograd.runtime.objects.library_functions import is_library
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.user.custom_rules import custom_of

from ...analyses.class_protocols import is_stranger, method_in
from ...analyses.random_numbers import is_draw
from ...dependencies.object_reads import class_of, static
from ...frontend.desugar import desugared
from ...frontend.function_names import default_nodes
from ...frontend.source import source_of
from ...ir.containers import Pack, leaves
from ...ir.operations import Call, Const, Value
from ...ir.types import BOTTOM, STRANGER, Array, Stack
from ..chosen_functions import as_one_of, call_one_of
from ..control_flow.one_sided.perhaps_none import is_perhaps
from ..interface.lowerer import Lowerer
from ..iteration.iterables import Iteration, fixed_range
from ..iteration.mutation_during_iteration import is_iterator
from ..known_arguments import known_object
from ..library import numpy_functionals  # noqa: F401  (enters its forms)
from ..library.array_api import called_in_numpy
from ..library.collections_inside import made_inside, stands_inside
from ..library.dataclass_fields import of_fields
from ..library.frozen_distributions import Frozen, freeze, is_family, method_of
from ..library.functions_by_text import by_its_text
from ..library.library_programs import in_place_of
from ..library.numpy_rewrites import normal
from ..library.set_calls import method_of_constant, ordered
from ..memory.late_dtypes import with_dtype
from ..memory.places import Lost
from ..memory.shared_memory import told_shared
from ..nodes import (
    Applied,
    BoundConstant,
    BoundMethod,
    BoundUser,
    Code,
    Derived,
    Listed,
    LocalFunction,
    Method,
    Node,
    Nothing,
    OneOf,
)
from ..opaque.handed_functions import call_with_functions, special_or_late
from ..opaque.opaque_calls import named, uncompiled
from ..words import words
from .callee import Callee
from .callee_facts import bind, is_argument, known, not_called
from .checkpoint_marks import in_place
from .higher_order import GETTERS
from .known_callees import known_among, known_callee
from .operator_overloads import own_class
from .slices import sliced
from .spread_arguments import by_name, call_of_any_number, is_spread, positional, takes_any_number

__all__ = ["Calls"]


class Calls:
    """Names, attributes of constants, and calls."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    # -- names -----------------------------------------------------------------------

    # -- operations ------------------------------------------------------------------

    # -- calls -----------------------------------------------------------------------

    def on_Lambda(self, node: gast.AST) -> Node:
        return self.local_function(node)

    def local_function(self, node: gast.AST) -> LocalFunction:
        defaults = [
            self.lowerer.cells.anchored(self.lowerer.expression(d)) for d in default_nodes(node)
        ]
        home = self.scope.python, self.scope.source, self.scope.local_names
        return LocalFunction(node, self.scope.frame, defaults, home)

    def on_Call(self, node: gast.AST) -> Node:
        if self.lowerer.container_writes.collected_append(node):
            return Const(None)
        owner, fn = self.called(node.func)
        args = positional(self.lowerer, fn, node)
        kwargs = by_name(self.lowerer, node)
        args = list(map(self.lowerer.cells.present, args))
        if is_spread(args):
            return self.lowerer.known_results.note(self.call_spread(fn, args, kwargs, node), node)
        if owner is not None:
            made = self.lowerer.inactive.method(owner, node.func.attr, args, kwargs, node)
            if made is not None:
                return self.lowerer.known_results.note(made, node)
            fn = self.lowerer.attributes.attribute(owner, node.func.attr, node.func)
        if isinstance(fn, Value) and fn.type is BOTTOM:
            return fn
        made = self.call(self.lowerer.cells.present(fn), args, kwargs, node)
        return self.lowerer.known_results.note(made, node)

    def call_spread(
        self, fn: Node, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        """A call of a Python function whose ``*args`` stand for a list of unknown length."""
        fn = self.lowerer.cells.present(fn)
        if isinstance(fn, BoundUser):
            return self.call_user(fn.function, [fn.base, *args], kwargs, node)
        if isinstance(fn, LocalFunction):
            return self.lowerer.closures.call_local(fn, args, kwargs, node)
        if isinstance(fn, Pack) and isinstance(fn.kind, Applied):
            inner, first, more = self.lowerer.closures.parts_of_applied(fn, kwargs)
            return self.call_spread(inner, [*first, *args], more, node)
        if isinstance(fn, Pack) and isinstance(fn.kind, Code):
            return self.lowerer.closures.call_closure(fn, args, kwargs, node)
        if isinstance(fn, Pack):
            return self.call_user(static(fn.kind, "__call__"), [fn, *args], kwargs, node)
        value = self.scope.program.unwrap(fn.value)
        if inspect.ismethod(value):
            owner = named(self.scope.program, Const(value.__self__))
            return self.call_user(value.__func__, [owner, *args], kwargs, node)
        if takes_any_number(value):
            return call_of_any_number(self.lowerer, value, args, kwargs, node)
        made_of = (
            self.lowerer.construction.constructed if isinstance(value, type) else self.call_user
        )
        return made_of(value, args, kwargs, node)

    def is_unlike_array(self, base: Value, args: list[Node]) -> bool:
        """Whether a value of unknown class is given an array, as a namespace is: `xp.sum(x)`."""
        given = [a for a in args if isinstance(a, Value)]
        arrays = any(isinstance(a.type, Array) for a in given)
        return base.type in (None, STRANGER) and (
            arrays or not self.lowerer.inactive.are_inert(args)
        )

    def is_learning(self, base: Node, name: str) -> bool:
        """Whether a call gave what has a method that no array has, and what it gives can be known."""
        if (
            isinstance(base, Value)
            and base.type in (None, STRANGER)
            and not hasattr(np.ndarray, name)
        ):
            self.lowerer.known_results.ask(base)
        return False

    def called(self, node: gast.AST) -> tuple[Node, Node]:
        """The function of a call; or the object of a method that is looked up when it runs."""
        if not isinstance(node, gast.Attribute):
            return None, self.lowerer.expression(node)
        base = self.lowerer.expression(node.value)
        if self.lowerer.inactive.is_asked_late(base) or self.is_learning(base, node.attr):
            return base, None
        return None, self.lowerer.attributes.attribute(base, node.attr, node)

    def call(self, fn: Node, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        made, lists = self.lowerer.comprehensions.call_lazily(fn, args, kwargs, node)
        if lists is None:
            return made
        fn, args, kwargs = lists
        if isinstance(fn, BoundConstant) and fn.descriptor is dict.get:
            return self.lowerer.constants.got(fn.value, args, kwargs, node)
        if isinstance(fn, (BoundMethod, BoundConstant)):
            if isinstance(fn.value, Value) and self.is_unlike_array(fn.value, args):
                self.lowerer.known_results.ask(fn.value)
            made = self.lowerer.known.folded(fn.descriptor, [fn.value, *args], kwargs)
            if made is not None:
                return made
            found = normal(self.lowerer, fn.descriptor, [fn.value, *args], kwargs)
            if found:
                return found
            args, kwargs = with_dtype(self.lowerer, fn.descriptor, [fn.value, *args], kwargs)
            made = self.lowerer.operations.operation(fn.descriptor, args, kwargs)
            is_list = isinstance(made, Value) and isinstance(made.type, Stack)
            return Pack(Listed, [0], [made]) if is_list else made
        if isinstance(fn, LocalFunction):
            return self.lowerer.closures.call_local(fn, args, kwargs, node)
        fn = as_one_of(fn)
        if isinstance(fn, Pack):
            return self.call_container(fn, args, kwargs, node)
        if isinstance(fn, OneOf):
            return call_one_of(self.lowerer, fn, args, kwargs, node)
        if isinstance(fn, Nothing):
            return Const(None)
        if isinstance(fn, BoundUser) and fn.function.__name__ == "__init__":
            return self.lowerer.construction.inlined(fn.function, [fn.base, *args], kwargs, node)
        if isinstance(fn, BoundUser):
            return self.call_user(fn.function, [fn.base, *args], kwargs, node)
        fn = known_object(self.scope.program, fn)
        if isinstance(fn, Value):
            fn = self.lowerer.known.function(fn)
        method = method_in(own_class(fn), "__call__") if isinstance(fn, Value) else None
        if method is not None and not is_library(method):
            return self.call_user(method, [fn, *args], kwargs, node)
        self.lowerer.known_results.ask(fn)
        fn = self.lowerer.objects_now.function(fn) or fn
        if is_stranger(fn):
            return self.lowerer.inactive.called(fn, args, kwargs, node)
        if not isinstance(fn, Const) or not callable(fn.value):
            raise not_called(fn, self.scope.place(node))
        return self.call_constant(fn.value, args, kwargs, node)

    def call_container(
        self, fn: Pack, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        """A call of a closure, a partial application, or an object with ``__call__``."""
        fn = self.lowerer.cells.present(fn)  # it may be called again and again
        if isinstance(fn.kind, Method):
            return self.lowerer.containers.call_pack(fn, args, kwargs, node)
        if isinstance(fn.kind, Code):
            return self.lowerer.closures.call_closure(fn, args, kwargs, node)
        if isinstance(fn.kind, Applied):
            return self.lowerer.closures.call_applied(fn, args, kwargs, node)
        if isinstance(fn.kind, Derived):
            return fn.kind.call(self.lowerer, fn, args, kwargs, node)
        if fn.kind is np.vectorize:
            return self.lowerer.vectorizing.call_vectorized(fn, args, kwargs, node)
        if fn.kind in GETTERS:
            return self.lowerer.higher_order.call_getter(fn, args, node)
        if isinstance(fn.kind, Frozen):
            return self.call(method_of(self.lowerer, fn, "__call__", node), args, kwargs, node)
        found = static(fn.kind, "__call__")
        if isinstance(found, types.FunctionType):
            return self.call_user(found, [fn, *args], kwargs, node)
        name = own_attribute(fn.kind, "__name__", "this")
        raise UnsupportedSyntax(f"{name} cannot be called", place=self.scope.place(node))

    def call_constant(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        """A call of a constant, by the first part that knows the function."""
        if any(map(is_perhaps, args)):
            made = self.lowerer.perhaps.called(fn, args, kwargs, node)
            if made is not None:
                return made
        fn, args, kwargs = called_in_numpy(fn, args, kwargs)
        known = self.lowerer.known_results.known(fn, args, kwargs, node)
        if known is not None:
            return known
        args, kwargs = with_dtype(self.lowerer, fn, args, kwargs)
        of_items = fn is tuple and self.lowerer.objects_now.gives_items(args)
        if of_items or self.lowerer.inactive.is_given_late(fn, args, kwargs):
            return self.lowerer.inactive.call(fn, args, kwargs, node)
        made = method_of_constant(self.lowerer, fn, args, node)
        if made is not None:
            return made
        args = self.lowerer.protocols.gone_over_by(
            fn, ordered(self.lowerer, fn, args, kwargs), node
        )
        made = self.lowerer.itertools_calls.call_iterator(fn, args, kwargs, node)
        if made is not None:
            return made
        if getattr(type(fn), "__hash__", None) is None:
            made = in_place_of(self.lowerer, fn, args, kwargs, node)
            if made is not None:
                return made
            raise UnsupportedOperation(
                f"a call of an object of {type(fn).__name__}, which has no hash", place=self.scope.place(node),
                fix="write the operation with NumPy functions (np.polyval for np.poly1d)",
            )  # fmt: skip
        args = self.lowerer.protocols.gone_over_by(fn, args, node)
        fn = self.scope.program.unwrap(fn)
        for who in (
            self.call_builtin, self.call_folded, self.call_collection, self.lowerer.higher_order.functional, self.lowerer.higher_order.on_values, self.lowerer.higher_order.refuse_opaque, self.call_special,
            self.call_operation, self.call_object,
        ):  # fmt: skip
            found: Node = who(fn, args, kwargs, node)
            if found is not None:
                return found
        return self.lowerer.operations.operation(fn, args, kwargs)

    def call_collection(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        return made_inside(self.lowerer, fn, args, kwargs, node)

    def call_builtin(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        special = self.lowerer.builtin(own_attribute(fn, "__name__", ""))
        if special is not None and getattr(builtins, fn.__name__, None) is fn:
            return special(args, kwargs, node)
        return None

    def call_folded(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        """What is known before the function runs."""
        return self.lowerer.known.folded(fn, args, kwargs)

    def call_special(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        """Functions that mean something to the compiler, and those that write in place."""
        if fn is dataclasses.replace and args:
            whole = self.lowerer.construction.taken_apart(args[0])
            if isinstance(whole, Pack):
                return self.lowerer.construction.replaced(whole, kwargs, node)
        record = of_fields(self.lowerer, fn, args, kwargs, node)
        if record is not None:
            return record
        if fn is checkpoint or fn is checkpointed:
            return in_place(self.lowerer, fn, args, node)
        if is_copy(fn) and not args and not kwargs:
            held = self.lowerer.constants.own(named(self.scope.program, Const(fn.__self__)))
            if isinstance(held, Pack):
                return held
        if fn is np.may_share_memory or fn is np.shares_memory:
            return told_shared(self.lowerer, fn, args, kwargs)
        special = words().special(fn)
        if special is not None:
            return special_or_late(self.lowerer, special, fn, args, kwargs, node)
        return in_place_of(self.lowerer, fn, args, kwargs, node)

    def call_operation(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        """Operations of the rule book, in their usual form."""
        if is_draw(fn):
            return self.lowerer.operations.operation(fn, args, kwargs)
        found = normal(self.lowerer, fn, args, kwargs)
        if found is not None:
            return found
        if known(fn):
            return self.lowerer.operations.operation(fn, args, kwargs)
        return freeze(fn, args, kwargs) if is_family(fn) else None

    def call_object(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        """A call of the user's code: a function, a method, a class, an object with ``__call__``."""
        if isinstance(fn, types.BuiltinMethodType) and is_plain_array(fn.__self__):
            array = Const(fn.__self__, self.scope.program.text_for("array", fn.__self__))
            method = BoundConstant(static(np.ndarray, fn.__name__), array)
            return self.call(method, args, kwargs, node)
        if self.lowerer.inactive.stays(fn, args, kwargs):
            return self.lowerer.inactive.call(fn, args, kwargs, node)
        handed = call_with_functions(self.lowerer, fn, args, kwargs, node)
        if handed is not None:
            return handed
        if inspect.ismethod(fn) and not is_library(fn.__func__):
            owner = named(self.scope.program, Const(fn.__self__))
            return self.call_user(fn.__func__, [owner, *args], kwargs, node)
        if isinstance(fn, types.FunctionType) and not is_library(fn):
            return self.call_user(fn, args, kwargs, node)
        made = by_its_text(self.lowerer, fn, args, kwargs, node) if is_library(fn) else None
        if made is not None:
            return made
        if isinstance(fn, type):
            made = self.lowerer.construction.constructed(fn, args, kwargs, node)
            if made is not None:
                return made
        method = static(class_of(fn), "__call__")
        if isinstance(method, types.FunctionType) and not is_library(method):
            owner = Const(fn, self.scope.program.text_for("self", fn))
            return self.call_user(method, [owner, *args], kwargs, node)
        return None

    def call_user(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        """A call of a function that has source: compiled on its own, once per kind of arguments."""
        if stands_inside(fn):
            return self.lowerer.construction.inlined(fn, args, kwargs, node)
        args = [sliced(self.lowerer, a, node) for a in args]
        try:
            params = bind(fn, args, kwargs)
        except TypeError as error:
            raise UnsupportedSyntax(str(error), place=self.scope.place(node)) from None
        yielding = self.lowerer.generators.called(fn, params, node)
        if yielding is not None:
            return yielding
        if any(map(is_iterator, params.values())):
            self.lowerer.iterators.handed_over(source_of(fn).tree, params, node)
        for p in params.values():
            self.lowerer.lending.check_kept(p, node)
        bound = dict(params)
        since = len(self.lowerer.lending.lent)
        params = {
            n: self.lowerer.closures.handed_on(self.lowerer.cells.seen(fixed_range(p)))
            for n, p in params.items()
        }
        if custom_of(fn) is None:
            params |= self.lowerer.states.state_params()
        before, taken = dict(self.scope.program.readings), len(self.scope.program.taken)
        spread = is_spread(args)
        found = None if spread else self.lowerer.handed_back.long_one(fn, args, kwargs, node)
        if found is not None:
            return found
        params, lent = self.lowerer.items.lent(params)
        try:
            callee = known_callee(self.lowerer, fn, params)
        except CompileError as error:
            if spread:
                raise
            self.scope.program.forget(before, taken, fn)  # it stays a call
            found = self.lowerer.handed_back.call(fn, args, kwargs, node)
            if found is not None:
                return found
            readable = not isinstance(error, (SourceUnavailable, UnsupportedSyntax))
            if readable and not all(map(self.lowerer.inactive.is_inert, [*args, *kwargs.values()])):
                raise
            return uncompiled(self.lowerer, fn, args, kwargs, error, node)
        if self.is_in_own_way(fn, callee, params):
            return self.lowerer.closures.in_module(code_of(fn), {}, bound)
        made = self.call_callee(callee, params, node)
        self.lowerer.objects_now.note_call(made, fn, args, kwargs)
        self.lowerer.items.given_back(lent, params, node)
        self.lowerer.lending.keep_lent(
            since, made, *map(self.lowerer.cells.present, params.values())
        )
        return made

    def is_in_own_way(self, fn: Any, callee: Callee, params: dict[str, Node]) -> bool:
        """True if a callee writes to an argument that overlaps another one: it is lowered where it is called."""
        recursive = any(known[0] is fn for known in self.scope.program.under_way)
        if recursive or custom_of(fn) is not None or not callee.function.facts.writes:
            return False
        given = [v for p in params.values() for v in leaves(p) if is_argument(v)]
        return bool(self.lowerer.call_effects.overlapped(callee.function.facts, given))

    def call_code(self, code: Code, params: dict[str, Node], node: gast.AST) -> Node:
        """A call of an inner function that is compiled on its own."""
        params, lent = self.lowerer.items.lent(params | self.lowerer.states.state_params())
        made = self.call_callee(known_callee(self.lowerer, code.python, params, code), params, node)
        self.lowerer.items.given_back(lent, params, node)
        return made

    def call_callee(self, callee: Callee, params: dict[str, Node], node: gast.AST) -> Node:
        if any(isinstance(v, Iteration) for p in params.values() for v in leaves(p)):
            raise UnsupportedSyntax(
                "an iterator that is passed on is not supported", place=self.scope.place(node),
                fix="make a list of it: list(...)",
            )  # fmt: skip
        lost = next((v for p in params.values() for v in leaves(p) if isinstance(v, Lost)), None)
        if lost is not None:
            raise self.lowerer.versions.unclear(lost, Value("an item of an argument"))
        given = [v for p in params.values() for v in leaves(p) if is_argument(v)]
        op = Call(
            [],
            self.scope.location(node),
            callee.function,
            tuple(map(self.lowerer.versions.current, given)),
        )
        kinds = callee.result_types()
        op.results = [Value(None, callee.outward(kind), op.loc) for kind in kinds]
        self.scope.block.ops.append(op)
        self.lowerer.versions.made_in(op.results, self.scope.block)
        results = self.lowerer.call_effects.after_call(op, given, node)
        results = known_among(self.lowerer, results, callee.function.body.yields)
        if callee.function.facts.raises:
            self.scope.end_here()
        return self.lowerer.boundary.taken_over(callee, results, node)


def code_of(fn: Any) -> Code:
    """A function of a module, to be lowered in the place of its call."""
    source = source_of(fn)
    return Code(desugared(source), source, fn)


def is_copy(fn: Any) -> bool:
    """True of ``TABLE.copy`` of a list or a dict of the module."""
    owner = fn.__self__ if isinstance(fn, types.BuiltinMethodType) else None
    return type(owner) in (list, dict) and fn.__name__ == "copy"
