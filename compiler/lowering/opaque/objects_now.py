"""Objects that are asked when the function runs, as they are while it is compiled.

::

    backend = BackendManager.current.get("backend", default)     # all of it stays in the text
    y = backend.sin(x)                                           # and this is `np.sin(x)`

Attributes and items of objects of the module are read now, as the text will read them; the function that they
lead to is compared, when it runs, with the one it was.
"""

from __future__ import annotations

import builtins
import inspect
import operator
import threading
import types
from collections import OrderedDict
from collections.abc import Callable, Iterable, MappingView, Set, ValuesView
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ...analyses.class_protocols import is_opaque
from ...analyses.effects import asks_identity
from ...analyses.shapes.infer import type_of
from ...analyses.third_party import is_of_package, uncached
from ...analyses.visible_effects import acts, may_write
from ...dependencies.object_reads import same
from ...ir.containers import Pack
from ...ir.operations import Apply, Const, Op, Value
from ...ir.plain_values import is_writable
from ...ir.types import is_numeric
from ..interface.lowerer import Lowerer
from ..nodes import UNKNOWN, Node
from .known_results import is_function
from .untouched_lists import is_untouched

__all__ = ["ObjectsNow"]

TABLES = (dict, OrderedDict, types.MappingProxyType)
SEQUENCES = (list, tuple, str)
PLAIN = (
    types.FunctionType, types.BuiltinFunctionType, types.MemberDescriptorType, types.GetSetDescriptorType,
    types.MethodDescriptorType, staticmethod, classmethod,
)  # fmt: skip
NUMERIC = (int, float, complex, np.generic, np.ndarray)
OF_PARAMETERS = (inspect.signature, inspect.getfullargspec)
ANSWERS = (bool, int, str, type(None))
READS = {"get", "keys", "values", "items", "copy", "index", "count"}


Read = tuple[Any, list[Any], dict[str, Any], Any]  # a function, what it is given, and what it gave


class Replay:
    """Readings one after the other, each of what those before it give: ``options()["dispatch"]``."""

    def __init__(self, reads: tuple[Read, ...]) -> None:
        self.reads = reads
        places = {id(read[3]): k for k, read in enumerate(reads)}

        def named(value: Any) -> Any:
            return places.get(id(value), repr(value) if is_plain(value) else id(value))

        self.key = tuple(
            (id(fn), *map(named, args), *((k, named(v)) for k, v in kwargs.items()))
            for fn, args, kwargs, _ in reads
        )

    def __call__(self) -> bool:
        """True if they give what they gave."""
        made: dict[int, Any] = {}
        now = was = None
        for fn, args, kwargs, was in self.reads:
            now = fn(*[made.get(id(a), a) for a in args], **kwargs)
            made |= {} if is_plain(was) else {id(was): now}  # there is one None, and one True
        return same(now, was) or is_equal(now, was)


def is_equal(now: Any, was: Any) -> bool:
    """True of equal signatures and parameters, and of tables and lists of the same words."""
    if type(now) is not type(was):
        return False
    if isinstance(was, inspect.Signature):
        return are_alike(now.parameters.values(), was.parameters.values())
    if isinstance(was, inspect.FullArgSpec):
        return names_in(now) == names_in(was)
    if is_of_parameters(was):
        return is_of_parameters(now) and are_alike(now, was)
    if names_parameters(was):
        return names_parameters(now) and are_alike(parameters_of(now), parameters_of(was))
    return holds_words(was) and holds_words(now) and list(now) == list(was)


def are_alike(now: Iterable[inspect.Parameter], was: Iterable[inspect.Parameter]) -> bool:
    """True if two functions take the same, each parameter with the very same default: no NaN equals itself."""
    told = [
        [(p.name, p.kind, p.default, p.annotation) for p in parameters] for parameters in (now, was)
    ]
    return len(told[0]) == len(told[1]) and all(map(same, *told))


def call(fn: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    return fn(*args, **kwargs)


def is_plain(value: Any) -> bool:
    return isinstance(value, ANSWERS)


class ObjectsNow:
    """What late operations give now."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.reads: list[Read] = []
        self.replayed = self.scope.program.known.replayed

    def of(self, node: Any) -> Any:
        """The object, or ``UNKNOWN``: what only arguments tell, and what asking would change."""
        if isinstance(node, Const):
            return node.value
        if isinstance(node, (tuple, list)):
            found = [self.of(item) for item in node]
            return UNKNOWN if any(v is UNKNOWN for v in found) else type(node)(found)
        op = self.scope.program.known.late.get(node) if isinstance(node, Value) else None
        if op is None:
            return self.lowerer.known.of(node)
        return self.asked(op)

    def note(self, result: Any, end: Any) -> None:
        """A call gave this, which its callee asks for."""
        late = self.scope.program.known.late
        if isinstance(end, Value) and end in late:
            self.scope.program.known.note_late(result, late[end])

    def note_call(self, made: Node, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> None:
        """A function of a package gave this: where no argument tells it, it can be asked before the first run."""
        told = all(isinstance(node, Const) for node in [*args, *kwargs.values()])
        if isinstance(made, Value) and is_opaque(made) and told and is_of_package(fn):
            op = Apply([made], made.loc, fn, tuple(args), dict(kwargs))
            self.scope.program.known.note_late(made, op)

    def asked(self, op: Apply) -> Any:
        """What one operation gives."""
        args = self.of(list(op.args))
        if args is UNKNOWN and asks_identity(op.fn):
            told = self.are_apart(*op.args) or self.are_apart(*reversed(op.args))
            return op.fn is operator.is_not if told else UNKNOWN
        kwargs = {k: self.of(v) for k, v in op.kwargs.items()}
        if args is UNKNOWN or any(v is UNKNOWN for v in kwargs.values()):
            return UNKNOWN
        if not only_reads(op.fn, args):
            return UNKNOWN
        try:
            value = op.fn(*args, **kwargs)
        except Exception:  # whatever an attribute raises: it is asked again when the function runs
            return UNKNOWN
        self.reads.append((op.fn, args, kwargs, value))
        return value

    def are_apart(self, number: Node, node: Node) -> bool:
        """True of a number or an array, and an object that is neither."""
        found = self.of(node) if is_numeric(type_of(number)) else UNKNOWN
        return not (found is UNKNOWN or isinstance(found, NUMERIC) or hasattr(type(found), "shape"))

    def function(self, node: Node) -> Const | None:
        """The function or the namespace that this leads to, compared with it when it runs."""
        found = self.known(node, is_function)
        known = None if found is UNKNOWN else self.lowerer.known_results.constant(found)
        if known is not None:
            self.lowerer.inactive.late(linear.check_same, (node, known), {})
        return known

    def known(self, node: Node, asked: Callable[[Any], bool] = lambda found: True) -> Any:
        """The object that is asked when it runs, if it is one of these: the text depends on each reading of it."""
        late = isinstance(node, Value) and node in self.scope.program.known.late
        self.reads.clear()
        found = self.of(node) if late else UNKNOWN
        if found is UNKNOWN or not asked(found):
            return UNKNOWN
        return found if self.depend_on(self.reads) else UNKNOWN

    def is_answered(self, op: Op) -> bool:
        """True of a question that has an answer now, which it has to give when it runs: it raises nothing."""
        late = isinstance(op, Apply) and op.results[0] in self.scope.program.known.late
        return late and self.known(op.results[0]) is not UNKNOWN

    def depend_on(self, reads: list[Read]) -> bool:
        """The text depends on these readings, on the last one alone where others give another object each time.

        False if they give something else each time.
        """
        if all(same(call(*read[:3]), read[3]) for read in reads):
            for read in reads:
                self.scope.program.note_call(*read)
            return True
        replay = Replay(tuple(reads))
        if replay.key not in self.replayed and not replay():
            return False
        replay = self.replayed.setdefault(replay.key, replay)
        self.scope.program.note_call(replay, [], {}, True)
        return True

    def answer(self, test: Node) -> bool | None:
        """What an object answers now, which it has to answer when it runs; None of what is no plain answer."""
        found = self.known(test, lambda value: isinstance(value, ANSWERS) and not self.is_set())
        if found is UNKNOWN:
            return None
        truth = self.lowerer.inactive.late(builtins.bool, (test,), {})
        self.lowerer.inactive.late(linear.check_same, (truth, Const(bool(found))), {})
        return bool(found)

    def is_set(self) -> bool:
        """True if what was read has a name that a context manager around this was given: `config(check=False)`."""
        named = {
            a
            for _, args, kwargs, _ in self.reads
            for a in (*args, *kwargs.values())
            if isinstance(a, str)
        }
        return any(named & words for words in self.scope.program.known.inside)

    def stays_item(self, table: Const, getitem: types.FunctionType, key: Node) -> bool:
        """True if an item of an object of a package is asked when it runs: a function, or, under a late key, a number.

        Arrays and lists in it may be written to, here or elsewhere: these are followed, or refused.
        """
        late = not isinstance(key, Const)
        if (late and not is_opaque(key)) or not (
            is_of_package(getitem) and leaves_no_trace(getitem)
        ):
            return False
        name = self.of(key)
        try:
            found = table.value[name] if isinstance(name, str) else UNKNOWN
        except Exception:  # whatever it raises: it is raised when the function runs
            return False
        return is_function(found) or (late and is_writable(found))

    def gives_items(self, args: list[Node]) -> bool:
        """True of an object of a package that gives its items one by one: a tuple of them is made when it runs."""
        node = args[0] if len(args) == 1 else None
        return (
            isinstance(node, Const) and bool(node.text) and reads_by_method(node.value, "__iter__")
        )

    def parameters(self, node: Node) -> Pack | None:
        """The parameters of a known signature, or their names, one by one, where a program goes over them."""
        found = self.known(node, self.tells_parameters)
        block, late = self.scope.block, self.scope.program.known.late
        if type(found) is list and not is_untouched(block, late, node):
            return None
        items = [] if found is UNKNOWN else [written(p) for p in found]
        return Pack(list, list(range(len(items))), items) if items else None

    def tells_parameters(self, seen: Any) -> bool:
        """True of parameters, of a table of them, and of a list of the names that these have told."""
        asked = [given for _, args, _, _ in self.reads for given in args]
        told = any(isinstance(a, inspect.FullArgSpec) or names_parameters(a) for a in asked)
        return is_of_parameters(seen) or names_parameters(seen) or (told and holds_words(seen))

    def words(self, node: Node) -> Any:
        """Names in a list or a table, which has to have the same when it runs; ``UNKNOWN`` if it holds other things."""
        found = self.known(node, holds_words)
        last = self.scope.block.ops[-1] if self.scope.block.ops else None
        told = isinstance(last, Apply) and last.fn is linear.check_same and last.args[0] is node
        if found is not UNKNOWN and not told:
            self.must_hold(node, found)
        return found

    def must_hold(self, node: Node, words: Any) -> None:
        """What a list, a table or a set has to hold when it runs; the order of a set is another in every process."""
        if isinstance(words, (set, frozenset)):
            node = self.lowerer.inactive.late(builtins.sorted, (node,), {})
            words = sorted(words)
        self.lowerer.inactive.late(linear.check_same, (node, Const(tuple(words))), {})

    def method(self, base: Node, name: str) -> Const | None:
        """The function that an attribute is, if no more than reading tells."""
        late = isinstance(base, Value) and base in self.scope.program.known.late
        owner = self.of(base) if late else UNKNOWN
        if owner is UNKNOWN or not is_stored(owner, name) or not is_function(getattr(owner, name)):
            return None
        return self.function(self.lowerer.inactive.attribute(base, name))


def is_of_parameters(found: Any) -> bool:
    sized = isinstance(found, (list, tuple, ValuesView))
    return sized and all(isinstance(p, inspect.Parameter) for p in found)


def names_parameters(found: Any) -> bool:
    """True of ``signature(f).parameters``, and of its keys and items: they stand in order."""
    table = getattr(found, "mapping", None) if is_plain_view(found) else found
    values = table.values() if isinstance(table, TABLES) else ()
    return bool(values) and all(isinstance(p, inspect.Parameter) for p in values)


def names_in(spec: inspect.FullArgSpec) -> dict[str, Any]:
    """The names of parameters, of all that ``getfullargspec`` tells."""
    found = spec._asdict()
    return {k: v for k, v in found.items() if v is None or isinstance(v, str) or type(v) is list}


def parameters_of(named: Any) -> list[inspect.Parameter]:
    return list((named.mapping if is_plain_view(named) else named).values())


def written(found: Any) -> Node:
    """A parameter, its name, or both."""
    if not isinstance(found, tuple):
        return Const(found)
    return Pack(tuple, list(range(len(found))), [Const(part) for part in found])


def holds_words(found: Any) -> bool:
    sized = isinstance(found, (*TABLES, list, tuple, Set))
    return sized and all(isinstance(item, str) for item in found)


def only_reads(fn: Any, args: list[Any]) -> bool:
    """True if nobody can tell whether an object was asked this."""
    if fn in (builtins.list, builtins.tuple, builtins.set, builtins.sorted, linear.gone_over):
        plain = type(args[0]) in (*TABLES, *SEQUENCES) or is_plain_view(args[0])
        return plain or reads_by_method(args[0], "__iter__")
    if asks_identity(fn):
        return True
    if fn in OF_PARAMETERS:
        return isinstance(args[0], types.FunctionType)
    if fn is builtins.getattr and isinstance(args[0], inspect.Signature):
        return True
    if fn is builtins.getattr and isinstance(args[0], inspect.FullArgSpec):
        return args[1] in names_in(args[0])
    if fn is builtins.getattr:
        return is_stored(args[0], args[1]) or (len(args) == 3 and is_missing(args[0], args[1]))
    if fn is operator.getitem:
        plain = type(args[0]) in (*TABLES, *SEQUENCES, inspect.FullArgSpec)
        return plain or reads_by_method(args[0], "__getitem__")
    cached = uncached(fn)
    if isinstance(cached, types.FunctionType) and is_of_package(cached):
        return leaves_no_trace(cached, args)
    if fn is not linear.method_called:
        return False
    owner, name = args[0], args[1]
    if owner is inspect:
        return getattr(inspect, name) in OF_PARAMETERS and isinstance(args[2], types.FunctionType)
    if type(owner) in (*TABLES, *SEQUENCES):
        return name in READS
    method = inspect.getattr_static(owner, name, None)
    method = getattr(method, "__func__", method)
    return isinstance(method, types.FunctionType) and leaves_no_trace(method)


def is_plain_view(value: Any) -> bool:
    """True of the keys, the values or the items of one of Python's own dicts."""
    return isinstance(value, MappingView) and type(value).__module__ == "builtins"


def reads_by_method(owner: Any, name: str) -> bool:
    """True of an object of a package that answers by a method of its class, which leaves no trace."""
    method = inspect.getattr_static(type(owner), name, None)
    known = isinstance(method, types.FunctionType) and is_of_package(method)
    return known and leaves_no_trace(method)


def leaves_no_trace(fn: types.FunctionType, given: Any = ()) -> bool:
    """True if nobody can tell whether a function was called, as far as its text says.

    Of what it is given nothing may be written to; it may complete a table of its own, as any other call of it would.
    """
    if acts(fn):
        return False
    return not may_write(fn) or (bool(given) and all(map(is_made_of_nothing, given)))


def is_made_of_nothing(value: Any) -> bool:
    """True of words, and of a class whose objects are made without running its code."""
    plain = isinstance(value, type) and value.__init__ is object.__init__  # type: ignore[misc]
    return isinstance(value, (str, bool, int, float, type(None))) or (
        plain and value.__new__ is object.__new__
    )


def is_missing(owner: Any, name: str) -> bool:
    """True if an object has no such attribute: no code of its class is asked for one."""
    kind = type(owner)
    usual: Any = object.__getattribute__
    plain = kind is threading.local or kind.__getattribute__ is usual
    asked = inspect.getattr_static(kind, "__getattr__", None) is not None
    there = name in vars(owner) if hasattr(owner, "__dict__") else False
    return plain and not (asked or there) and not hasattr(kind, name)


def is_stored(owner: Any, name: str) -> bool:
    """True if an attribute is a thing that is there, or a method: no code of the class runs."""
    if type(owner) is threading.local:
        return name == "__dict__" or name in vars(owner)  # those of this thread
    usual: tuple[Any, ...] = (object.__getattribute__, type.__getattribute__)
    if type(owner).__getattribute__ not in usual:
        return isinstance(owner, types.ModuleType) or name == "__dict__"
    found = inspect.getattr_static(owner, name, UNKNOWN)
    return found is not UNKNOWN and (isinstance(found, PLAIN) or not hasattr(found, "__get__"))
