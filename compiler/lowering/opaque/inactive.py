"""Calls that carry no derivative: they stay calls, and so does all that is asked of what they give.

::

    t = df["t"].to_numpy()        # `df` is an object of the module: nothing of this is lowered,
    loss = np.sum((x - t) ** 2)   # and `t` is whatever it is when the function runs

What holds no active memory is *inert*.  A value that such a call gives is `Opaque`: its attributes, items
and methods are asked for when the function runs.
"""

from __future__ import annotations

import builtins
import operator
import re
import types
from collections.abc import Iterable
from typing import Any

import gast

from retrograd.runtime.errors import MutationError, UnsupportedOperation
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.caller_names import reads_caller
from retrograd.runtime.objects.container_classes import ATTRIBUTES
from retrograd.runtime.objects.library_functions import is_library
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.rules.programs import program_of
from retrograd.runtime.traits.lookup import traits_of

from ...analyses import class_protocols
from ...analyses.activity import may_carry
from ...analyses.class_protocols import is_opaque
from ...analyses.effects import asks_identity, is_harmless_owner, is_late
from ...analyses.library_names import name_of
from ...analyses.shapes.infer import infer
from ...analyses.sparse_matrices import is_sparse, keeps_sparse, transpose_of
from ...analyses.third_party import CACHE, is_object_of_others, is_of_others
from ...ir.containers import Pack
from ...ir.operations import Apply, Const, Operand, Value
from ...ir.primitives import UNPACK, Primitive
from ...ir.types import STRANGER, Array, Opaque, Tree, Type
from ..interface.lowerer import Lowerer
from ..iteration.iterables import Enumerate, Iteration, Range, Sequence, Zip
from ..library.frozen_distributions import is_family
from ..nodes import Node, Ref
from .bound_signatures import bound
from .opaque_calls import named

__all__ = ["Inactive"]

PYTHON = (types.FunctionType, types.MethodType)
OPAQUE = Opaque()
WORDS = (str, bytes, bool, types.NoneType)


class Inactive:
    """What carries no derivative, and calls of it."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    # -- what carries no derivative -----------------------------------------------------

    def is_inert(self, node: Any) -> bool:
        """Whether nothing that is differentiated is in this, or may be put there."""
        if isinstance(node, Value):
            return node in self.scope.program.inert or not may_carry(node.type)
        if isinstance(node, Const):
            return self.scope.program.state_number(node.value) is None
        if isinstance(node, Ref):
            return self.is_inert(self.lowerer.cells.seen(node))
        if isinstance(node, Pack):
            return isinstance(node.kind, type) and self.are_inert(node.items)
        if isinstance(node, (tuple, list)):
            return self.are_inert(node)
        if isinstance(node, dict):
            return self.are_inert(node.values())
        if isinstance(node, slice):
            return self.are_inert(p for p in (node.start, node.stop, node.step) if p is not None)
        return isinstance(node, Iteration) and self.object_of(node) is not None

    def are_inert(self, nodes: Iterable[Any]) -> bool:
        return all(map(self.is_inert, nodes))

    def note_words(self, result: Any, ends: Iterable[Any]) -> None:
        """One of several texts, of None, or of objects that hold nothing that is differentiated, is such a one."""
        words = (
            type(v.value) in WORDS if isinstance(v, Const) else is_unknown(v) and self.is_inert(v)
            for v in ends
        )
        if is_unknown(result) and all(words):
            self.scope.program.inert.add(result)

    def is_asked_late(self, node: Any) -> bool:
        """Whether attributes, items and methods of an object are asked for when the function runs."""
        if isinstance(node, Const):
            return node.text is not None and is_object_of_others(node.value, self.scope.python)
        if is_opaque(node):
            return True
        kind: Any = node.type if isinstance(node, Value) else None
        unknown = isinstance(kind, Tree) and kind.container == "object" and not kind.keys
        if not unknown or kind == STRANGER or kind.cls is None:
            return unknown and self.is_inert(node)
        return is_of_others(kind.cls, self.scope.python) and self.is_inert(node)

    # -- objects --------------------------------------------------------------------------

    def object_of(self, node: Iteration) -> Operand | None:
        """What the user wrote for an iteration, as a value: ``range(n)``, ``zip(a, b)``; None if it is none."""
        if type(node) is Range and node.bounds is not None and self.are_inert(node.bounds):
            if all(isinstance(b, Const) and b.text is None for b in node.bounds):
                return Const(range(*[b.value for b in node.bounds]))
            lo, hi, step = node.bounds
            plain = (
                isinstance(lo, Const)
                and lo.value == 0
                and isinstance(step, Const)
                and step.value == 1
            )
            return builtins.range, ((hi,) if plain else node.bounds)
        starts = getattr(node, "start", None)
        if type(node) is Sequence and node.cell is None and self.is_inert(node.value):
            return node.value
        parts = node.parts if type(node) is Zip else [node.inner] if type(node) is Enumerate else []
        inner = [None if p is None else self.object_of(p) for p in parts]
        if not inner or None in inner:
            return None
        return (builtins.zip, tuple(inner)) if type(node) is Zip else (enumerate, (*inner, starts))

    def operand(self, node: Node) -> Operand:
        """An argument of a call that stays one."""
        if isinstance(node, Iteration):
            return self.made(self.object_of(node))
        node = named(self.scope.program, node)
        return self.lowerer.operations.operand(node)

    def made(self, form: Any) -> Operand:
        if not isinstance(form, tuple):
            return form
        fn, parts = form
        return self.late(fn, tuple(map(self.made, parts)), {})

    def concerns(self, fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> bool:
        """Whether an operation is carried out as Python does, whatever its operands are."""
        if isinstance(fn, Primitive) or fn in (linear.plain, linear.gone_over, linear.float_dtype):
            return False
        given = [*args, *kwargs.values()]
        late = self.holds_late(given) or stays_sparse(fn, args)
        return is_late(fn) or (late and (asks_identity(fn) or self.are_inert(given)))

    def holds_late(self, operand: Operand) -> bool:
        if isinstance(operand, (tuple, list)):
            return any(map(self.holds_late, operand))
        if isinstance(operand, dict):
            return self.holds_late(list(operand.values()))
        own = is_opaque(operand) and operand.type.own
        return not own and self.is_asked_late(operand)

    def late(self, fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Value:
        """An operation that is carried out when it runs, in its place among the effects."""
        args = tuple(map(self.lowerer.versions.current, args))
        kwargs = {k: self.lowerer.versions.current(v) for k, v in kwargs.items()}
        kind = None if stays_sparse(fn, args) else infer(fn, args, kwargs)
        result = Value(None, kind, self.scope.location(self.scope.node))
        transposed = transpose_of(fn, args)
        if transposed is not None:
            result.type = Tree("object", (), (), transposed)
        if (
            result.type is None
            and fn is builtins.getattr
            and is_opaque(args[0])
            and args[0].type.own
        ):
            result.type = self.attribute_type(args[0].type, args[1].value)
        if result.type in (None, STRANGER):
            inert = self.are_inert([*args, *kwargs.values()]) or self.is_harmless(fn, args)
            result.type = OPAQUE if inert else STRANGER
        own = isinstance(result.type, Opaque) and result.type.own
        op = Apply([result], result.loc, fn, args, kwargs, effect=not own)
        self.lowerer.versions.learn_place(op)
        self.scope.program.known.note_late(result, op)
        if is_opaque(result) and not own:
            self.lowerer.handed.hand_over(result, self.name_of(op))
        made: Value = self.lowerer.operations.emit(op)
        return made

    def name_of(self, op: Apply) -> str:
        """How a message calls what an operation asks."""
        asked = [a.value for a in op.args[1:2] if isinstance(a, Const)]
        if asked and isinstance(asked[0], (str, int)):
            return str(asked[0])
        return str(op.style or own_attribute(op.fn, "__name__", "this"))

    def attribute_type(self, kind: Opaque, name: str) -> Type:
        """The type of an attribute of one of NumPy's own objects: a number, or another of those."""
        found = dict(kind.holds).get(name)
        return Opaque(own=True) if found is None else Array(None, (), found)

    def is_harmless(self, fn: Any, args: tuple[Operand, ...]) -> bool:
        owner = args[0].value if is_late(fn) and isinstance(args[0], Const) else None
        return owner is not None and is_harmless_owner(owner)

    # -- calls ------------------------------------------------------------------------------

    def stays(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> bool:
        """Whether a call is one of other people's code, or of an object nobody knows, and carries no derivative."""
        if isinstance(fn, type) and (issubclass(fn, BaseException) or fn in ATTRIBUTES):
            return False
        of_others = isinstance(fn, CACHE) or is_of_others(
            fn if isinstance(fn, (type, *PYTHON, types.BuiltinFunctionType, CACHE)) else type(fn),
            self.scope.python,
        )
        return of_others and self.are_inert([*args, *kwargs.values()])

    def is_given_late(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> bool:
        """Whether a function that is no user's gets an object that is asked when it runs, and nothing active."""
        given = [*args, *kwargs.values()]
        users = isinstance(fn, PYTHON) and not is_library(own_attribute(fn, "__func__", fn))
        follows = is_family(fn) or isinstance(program_of(fn), type)  # what it makes is called
        if users or fn is range or follows or not any(map(self.is_asked_for, given)):
            return False
        return self.are_inert(given) and not self.goes_over_parameters(fn, given)

    def goes_over_parameters(self, fn: Any, given: list[Node]) -> bool:
        """True of ``enumerate(signature(f).parameters)``: what is gone over is known, one by one."""
        steps = any(fn is step for step in (builtins.enumerate, builtins.zip))
        return steps and any(
            self.lowerer.objects_now.parameters(node) is not None for node in given
        )

    def is_asked_for(self, node: Any) -> bool:
        """True of what is asked late, but for NumPy's own small objects: its functions take dtypes."""
        return self.is_asked_late(node) and not (is_opaque(node) and node.type.own)

    def call(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Value:
        """The call as it is."""
        self.check_containers(fn, [*args, *kwargs.values()], node)
        self.check_names(fn, [*args, *kwargs.values()], node)
        operands = tuple(map(self.operand, args))
        named_ones = {k: self.operand(v) for k, v in kwargs.items()}
        space = None if name_of(fn) else self.space_of(fn)
        if space is not None:
            return self.late(
                linear.method_called, (space, Const(fn.__name__), *operands), named_ones
            )
        fn, given = self.lowerer.draws.drawn(fn, list(operands), named_ones)
        made = self.late(fn, tuple(given), named_ones)
        op = self.lowerer.operations.last()
        if op.result is made and name_of(fn) is None:
            op.style = self.scope.program.name_of(fn)
        return made

    def space_of(self, fn: Any) -> Const | None:
        """The module by which the text calls a function: ``re.match``."""
        name = own_attribute(fn, "__name__", "")
        if self.scope.program.known_text(fn) is not None:
            return None
        for text, value in self.scope.program.texts.items():
            if isinstance(value, types.ModuleType) and vars(value).get(name) is fn:
                return Const(value, text)
        return None

    def check_containers(
        self, fn: Any, args: list[Node], node: gast.AST, name: str | None = None
    ) -> None:
        """A list or a dict that has a name is not given to what might change it: ``fn``, or its method ``name``."""
        if is_harmless_owner(fn) or own_attribute(fn, "__module__") == "builtins":
            return
        if name is None and traits_of(fn).effect == "none":
            return
        alive = self.lowerer.cells.alive(self.scope.env)
        if any(isinstance(a, (Ref, Pack)) and a.cell in alive for a in args):
            raise UnsupportedOperation(
                f"`{name or own_attribute(fn, '__name__', type(fn).__name__)}` could change the container it is given",
                place=self.scope.place(node), fix="pass a copy: list(...), dict(...)",
            )  # fmt: skip

    def check_names(self, fn: Any, given: list[Node], node: gast.AST) -> None:
        """What is told by their names to compute with variables of the program is refused: no argument says which."""
        code = own_attribute(self.scope.python, "__code__")
        variables = {*code.co_varnames, *code.co_freevars, *code.co_cellvars} if code else set()
        if any(may_name(a, variables) for a in given) and reads_caller(fn):
            raise UnsupportedOperation(
                f"`{own_attribute(fn, '__name__', fn)}` reads the names of the function that calls it, and is not supported",
                place=self.scope.place(node), fix="write the names themselves",
            )  # fmt: skip

    def class_made(self, base: Node) -> Any:
        """The class whose call gives an object when it runs, as far as that is known: ``pd.DataFrame(table)``."""
        op = self.scope.program.known.late.get(base) if isinstance(base, Value) else None
        if op is None:
            return None
        owner, name = [*op.args, None, None][:2]
        by_name = op.fn is linear.method_called and isinstance(owner, Const)
        return own_attribute(owner.value, name.value) if by_name else op.fn

    def called(self, fn: Value, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Value:
        """A call of what is a function when it runs."""
        operands = tuple(map(self.operand, args))
        return self.late(
            linear.called, (fn, *operands), {k: self.operand(v) for k, v in kwargs.items()}
        )

    def method(
        self, base: Node, name: str, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None:
        """``base.name(...)`` of an object that is asked when it runs; None if something active is given to it."""
        given = [*args, *kwargs.values()]
        found = getattr(base.value, name, None) if isinstance(base, Const) else None
        known = found and self.lowerer.known_results.known(found, args, kwargs, node)
        if known is not None:
            return known
        made = bound(self.lowerer, base, name, args, kwargs, node)
        if made is not None:
            return made
        if not self.are_inert(given) and not is_harmless_owner(getattr(base, "value", None)):
            here = self.lowerer.objects_now.method(base, name)
            if here is not None:
                return self.lowerer.calls.call(here, args, kwargs, node)
            self.lowerer.known_results.ask(base)
            if is_opaque(base):
                raise UnsupportedOperation(
                    f"`{name}` of an object of unknown class is given a value that may be differentiated, and may keep it",
                    place=self.scope.place(node),
                    fix="keep it in a variable, a list or an array of its own",
                )
            return None
        self.check_containers(getattr(base, "value", None), given, node, name)
        self.check_names(found or own_attribute(self.class_made(base), name), given, node)
        operands = tuple(map(self.operand, args))
        named_ones = {k: self.operand(v) for k, v in kwargs.items()}
        owner = self.lowerer.operations.operand(base)
        return self.late(linear.method_called, (owner, Const(name), *operands), named_ones)

    # -- attributes, items, writes ---------------------------------------------------------

    def attribute(self, base: Node, name: str) -> Node:
        """An attribute, when it runs."""
        return self.late(builtins.getattr, (self.lowerer.operations.operand(base), Const(name)), {})

    def item(self, base: Node, index: Node) -> Node:
        key = self.operand(index)
        return self.late(operator.getitem, (self.lowerer.operations.operand(base), key), {})

    def unpacked(self, base: Value, n: int, node: gast.AST) -> list[Node]:
        """``a, b = base``."""
        parts = [Value(None, OPAQUE, self.scope.location(node)) for _ in range(n)]
        op = Apply(list(parts), self.scope.location(node), UNPACK, (base,))
        self.lowerer.operations.emit(op)
        for part in parts:
            self.lowerer.known_results.part_of(part, base)
        return list(parts)

    def write(self, fn: Any, base: Node, key: Operand, value: Node, target: gast.AST) -> None:
        """``base[key] = value``, ``base.key = value``: done when it runs, if nothing active is written."""
        if not self.is_inert(value):
            raise MutationError(
                f"a value that may be differentiated is written into {self.told(base)}, which is not followed",
                place=self.scope.place(target), fix="keep it in a variable, a list or an array of its own",
            )  # fmt: skip
        self.late(fn, (self.lowerer.operations.operand(base), key, self.operand(value)), {})

    def told(self, base: Node) -> str:
        """How a message calls an object."""
        if isinstance(base, Const):
            return f"a {type(base.value).__name__}"
        cls = class_protocols.class_at(base)
        return f"a {cls.__name__}" if cls is not None else "an object of unknown class"


def stays_sparse(fn: Any, args: tuple[Operand, ...]) -> bool:
    """True if arithmetic gives a sparse matrix again: no array, though it has a shape."""
    return keeps_sparse(fn) and any(map(is_sparse, args))


def is_unknown(node: Any) -> bool:
    """True of a value that is known when the function runs: it is no array or number for certain."""
    return isinstance(node, Value) and (node.type in (None, STRANGER) or is_opaque(node))


def may_name(node: Node, variables: set[str]) -> bool:
    """True of a text in which one of these names stands, and of what may be such a text."""
    if not isinstance(node, Const):
        return isinstance(node, Value) and (node.type is None or is_opaque(node))
    text = node.value if isinstance(node.value, str) else ""
    return not variables.isdisjoint(re.findall(r"[^\W\d]\w*", text))
