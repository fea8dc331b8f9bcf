"""The fingerprint of a cached text: all it depends on, in a form that another process can check.

The package, Python and NumPy (`stamp`); the functions and constants the compiler read, each as a
path from the function (`dependencies`), with a digest of what stands there.
"""

from __future__ import annotations

import collections
import enum
import functools
import hashlib
import inspect
import os
import sys
import types as types_of
from typing import Any

import numpy as np

from retrograd.compiler.cache.file_states import file_states
from retrograd.compiler.dependencies.object_paths import PARTS, behind, follow
from retrograd.compiler.dependencies.object_reads import MISSING, Reading, may_change
from retrograd.compiler.frontend.source import source_of
from retrograd.runtime.checkpointing.marks import marks_of
from retrograd.runtime.errors import SourceUnavailable
from retrograd.runtime.objects.own_attributes import home_of, own_attribute
from retrograd.runtime.user.rule_versions import added
from retrograd.version import version

__all__ = [
    "are_shared",
    "combined",
    "custom_digest",
    "dependencies",
    "distinct",
    "read_again",
    "reading_digest",
    "stamp",
]


def stamp() -> str:
    """The versions that the text depends on: this package, Python, NumPy."""
    numpy = np.__version__.split(".")[0]
    return f"{version} {package_digest()} {sys.version_info[:2]} {numpy} {added}"


def package_digest() -> str:
    """The rule book and the compiler: as the installer noted them, else by file sizes and times."""
    global _digest
    if _digest is None:
        import retrograd.compiler
        import retrograd.runtime

        roots = [os.path.dirname(str(p.__file__)) for p in (retrograd.compiler, retrograd.runtime)]
        states = installed(roots[0]) or sorted(
            s for root in roots for s in file_states(root, APART)
        )
        _digest = hashlib.sha256(repr(states).encode()).hexdigest()[:16]
    return _digest


def installed(compiler: str) -> list[str]:
    """Size and time of the list of files an installer writes; none for a checkout of the sources.

    (One file to ask for, not a hundred and fifty: every first gradient of a process waits for it.)
    """
    beside = os.path.dirname(os.path.dirname(compiler))
    try:
        found = os.stat(os.path.join(beside, f"retrograd-{version}.dist-info", "RECORD"))
    except OSError:
        return []
    return [f"{found.st_size} {found.st_mtime_ns}"]


# No text depends on these; what kernels depend on is noted with them.
APART = ("native", "eager")  # no text of a derivative goes by them
_digest: str | None = None


def combined(key: str, digests: list[str]) -> str:
    return hashlib.sha256("".join([key, *digests]).encode()).hexdigest()


def dependencies(program: Any, captured: dict[str, Any]) -> Any:
    """The dependencies of the text, as paths that another process can follow; None if it cannot."""
    found, readings, digests = program.found, [], []
    for reading in program.readings.values():
        path = found.path(reading)
        if path is None:
            return None
        readings.append(path)
        try:
            digests.append(reading_digest(reading))
        except (AttributeError, KeyError, SourceUnavailable):
            return None
    where = {name: found.to(value) for name, value in captured.items()}
    return None if None in where.values() else (readings, where, digests)


def are_shared(fn: Any, types: dict[str, Any], groups: list[list[Any]]) -> bool:
    """True if the paths of each group lead to one object, as they did when the text was made."""
    for first, *others in groups:
        value = follow(fn, types, first)
        if any(follow(fn, types, path) is not value for path in others):
            return False
    return True


def distinct(captured: dict[str, Any]) -> int:
    """How many objects the names of a text stand for."""
    return len({id(value) for value in captured.values()})


def read_again(fn: Any, types: dict[str, Any], path: Any) -> Reading:
    """The reading at the end of a path, made in this process."""
    *before, (how, name) = path
    owner = follow(fn, types, before)
    if how == "super":
        owner, name = (owner, owner.__mro__[name[0]]), name[1]
    reading = Reading(how, owner, name, MISSING)
    return reading._replace(value=reading.now())


def reading_digest(reading: Reading) -> str:
    """A digest of what was read; `KeyError` for what may change in ways that nothing cheap can see."""
    if reading.how == "code":
        return function_digest(reading.owner, read=True)
    if reading.how == "custom":
        return custom_digest(reading.owner)
    return digest(reading.value)


def digest(value: Any) -> str:
    """Source text of functions, value of constants, kind of arrays, name of classes and of what cannot change."""
    if value is MISSING or isinstance(value, LITERALS):
        return repr(value)
    asked = transformations(value)
    if asked is not None:
        return f"derivative {asked} {digest(behind(value))}"
    value = behind(value)
    if inspect.isfunction(value):
        return function_digest(value)
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {[n == 1 for n in value.shape]}"
    if isinstance(value, (tuple, list)) and len(value) <= MANY:
        return f"{type(value).__name__}({', '.join(map(digest, value))})"
    if isinstance(value, (set, frozenset)) and len(value) <= MANY:
        return f"{type(value).__name__}({', '.join(sorted(map(digest, value)))})"
    if type(value) is dict and len(value) <= MANY:
        return f"dict({', '.join(f'{k!r}: {digest(v)}' for k, v in list(value.items()))})"
    if isinstance(value, functools.partial):
        return f"partial({digest(value.func)}, {digest(value.args)}, {digest(value.keywords)})"
    for kind, names in PARTS.items():
        if isinstance(value, kind):
            parts = [getattr(value, name) for name in names]
            return f"{kind.__name__}({', '.join(digest(part) for part in parts)})"
    if isinstance(value, (np.ufunc, types_of.BuiltinFunctionType)):
        owner = own_attribute(value, "__self__")
        of = "" if owner is None or isinstance(owner, types_of.ModuleType) else owner_digest(owner)
        return f"{own_attribute(value, '__module__', '')}.{value.__name__} {of}"
    if isinstance(value, type):
        fields = [*getattr(value, "__dataclass_fields__", ()), *getattr(value, "_fields", ())]
        return f"class {value.__module__}.{value.__qualname__} {fields}"
    if isinstance(value, types_of.ModuleType):
        return f"module {value.__name__}"
    if isinstance(value, ITEM):
        return f"item {value.__reduce__()[1][0]}"  # its number
    if isinstance(value, enum.Enum):
        return f"{type(value).__qualname__}.{value.name} {value.value!r}"
    root = type(value).__module__.partition(".")[0]
    if root in LIBRARIES and (callable(value) or hasattr(type(value), "__get__")):
        name = own_attribute(value, "__name__") or public_name(value)
        return f"{root} {own_attribute(value, '__module__', '')}.{name} {type(value).__qualname__}"
    if isinstance(value, NOTED):
        return f"object {digest(type(value))}"  # what was read of it is noted by itself
    if may_change(type(value)):
        name = [own_attribute(value, part) for part in ("__module__", "__qualname__")]
        called = (
            f"{name} " if all(isinstance(part, str) for part in name) else ""
        )  # Cython's functions
        return f"object {digest(type(value))} {called}{digest(state_in_c(value))}"
    raise KeyError(type(value).__name__)


def transformations(value: Any) -> Any:
    """The steps of a derivative, None for anything else; `KeyError` for a derivative of a bound method."""
    columns = own_attribute(value, "__columns__")
    chain = own_attribute(value, "__retrograd__") if columns is None else columns[0]
    steps = getattr(chain, "steps", ())
    if (steps or columns is not None) and chain.bound:
        raise KeyError("method")
    if columns is not None:
        return steps, columns[1:]
    return steps or None


def state_in_c(value: Any) -> Any:
    """What an object holds that nobody can read of it, and note: that of ``operator.itemgetter(1)``; None of others."""
    classes = type(value).__mro__
    if hasattr(value, "__dict__") or any("__slots__" in vars(c) for c in classes):
        return None
    try:
        made = value.__reduce_ex__(2)
    except Exception:  # a class may raise what it likes
        raise KeyError(type(value).__name__) from None
    return made[1:3] if isinstance(made, tuple) else made


LITERALS = (int, float, complex, str, bytes, type(None), np.generic, types_of.WrapperDescriptorType)
ITEM = type(collections.namedtuple("Pair", "item").item)  # type: ignore[attr-defined]
MANY = 4096  # entries of a container
LIBRARIES = ("numpy", "builtins", "enum", "types")  # whose functions and descriptors have no state
NOTED = (types_of.SimpleNamespace, np.random.Generator, np.random.RandomState)


def function_digest(fn: Any, read: bool = False) -> str:
    """The name of a function, its text and what was said of it.

    Of a library's, which may share its text with others (what a decorator makes), the name: the text, where it was ``read``.
    """
    name = f"{fn.__module__}.{fn.__qualname__}"
    root = home_of(fn).partition(".")[0]
    if root == "retrograd" or (root in ("numpy", "scipy") and not read):
        return name
    marks = "".join(f" {mark}={said}" for mark, said in marks_of(fn).items())
    if fn.__code__.co_filename.startswith("<string>"):  # of a dataclass or a named tuple
        code = fn.__code__
        return f"{name} {code.co_code!r} {code.co_names} {code.co_varnames} {defaults_digest(fn)}"
    source = source_of(fn)
    return f"{name} {source.digest} {source.first} {defaults_digest(fn)}{marks}{custom_digest(fn)}"


def custom_digest(fn: Any) -> str:
    """The texts of a function's own vjp and jvp."""
    if own_attribute(fn, "__custom_gradient__") is None:
        return ""
    from retrograd.runtime.user.custom_rules import custom_of

    custom = custom_of(fn)
    if custom is None:
        return ""
    rules = [rule for rule in (custom.pull, custom.push) if rule is not None]
    try:
        return f" {[source_of(rule).digest for rule in rules]} {custom.constant} {custom.step}"
    except SourceUnavailable:
        return f" {rules}"  # known in this process only


def defaults_digest(fn: Any) -> str:
    """Defaults of parameters: their text may be the same, and their values others."""
    return digest([fn.__defaults__ or (), list((fn.__kwdefaults__ or {}).items())])


def owner_digest(owner: Any) -> str:
    """Of the object of a builtin method: where it is no constant, its class says what the method does."""
    try:
        return digest(owner)
    except KeyError:
        return f"object {type(owner).__module__}.{type(owner).__qualname__}"


def public_name(value: Any) -> str:
    """The name under which a library shows one of its objects (a distribution); `KeyError` for others."""
    name = str(getattr(value, "name", ""))
    home = sys.modules.get(".".join(type(value).__module__.split(".")[:2]))
    if not name or getattr(home, name, None) is not value:
        raise KeyError(type(value).__name__)
    return name
