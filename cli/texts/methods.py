"""Methods and wrapped functions, as functions whose parameters are known."""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["forwarding", "object_type"]


def object_type(owner: type) -> Any:
    """The type of an object of a class of which nothing but its fields is known; None of a container."""
    from retrograd.compiler.ir.types import Tree

    if issubclass(owner, (tuple, list, dict)):
        return None
    fields = tuple(dict.fromkeys(fields_of(owner)))
    return Tree("object", fields, (None,) * len(fields), owner)


def fields_of(owner: type) -> Iterator[str]:
    """What a class declares or its methods assign: the attributes of an object, as far as the text tells."""
    for cls in reversed(owner.__mro__[:-1]):
        yield from (n for n in getattr(cls, "__dataclass_fields__", ()))
        yield from declared(cls)
        for method in vars(cls).values():
            if inspect.isfunction(method):
                yield from assigned(method)


def declared(cls: type) -> Iterator[str]:
    """Annotated names without a value, and slots."""
    own = vars(cls)
    for name in (*own.get("__annotations__", ()), *slots(own.get("__slots__", ()))):
        if inspect.ismemberdescriptor(own.get(name)) or name not in own:
            yield name


def slots(names: Any) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def assigned(method: Callable[..., Any]) -> Iterator[str]:
    """The names that a method assigns to its object: ``self.k = ...``."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(method)))
    except (OSError, SyntaxError, TypeError):
        return
    first = method.__code__.co_varnames[:1]
    stored = (n for n in ast.walk(tree) if isinstance(n, ast.Attribute))
    for node in (n for n in stored if isinstance(n.ctx, ast.Store)):
        if isinstance(node.value, ast.Name) and (node.value.id,) == first:
            yield node.attr


def forwarding(fn: Any) -> Any:
    """The function, or one of the parameters that `inspect.signature` knows, which calls it with them.

    What a decorator with ``functools.wraps`` makes takes ``*args`` and ``**kwargs`` and has the parameters
    of the function inside. The one made here says that it stands where that does.
    """
    inner = inspect.unwrap(fn)
    starred = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
    if not inspect.isfunction(fn) or inner is fn or not inspect.isfunction(inner):
        return fn
    if not fn.__code__.co_flags & starred or inner.__code__.co_flags & starred:
        return fn
    own = inspect.signature(fn).parameters.values()
    bare = [p.replace(annotation=p.empty, default=p.empty) for p in own]
    given = ", ".join(f"{p.name}={p.name}" if p.kind is p.KEYWORD_ONLY else p.name for p in own)
    line = inner.__code__.co_firstlineno
    text = f"def {fn.__name__}{inspect.Signature(bare)}:\n    return _inner({given})\n"
    file = f"<{fn.__name__} as it is called>/{inner.__code__.co_filename}"
    whole = "\n" * (line - 1) + text
    linecache.cache[file] = (len(whole), None, whole.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"_inner": fn, "__name__": fn.__module__}
    exec(compile(whole, file, "exec"), scope)
    made = scope[fn.__name__]
    made.__qualname__ = fn.__qualname__
    made.__annotations__ = dict(getattr(fn, "__annotations__", {}))
    made.__defaults__ = tuple(
        p.default for p in own if p.default is not p.empty and p.kind is not p.KEYWORD_ONLY
    )
    made.__kwdefaults__ = {
        p.name: p.default for p in own if p.default is not p.empty and p.kind is p.KEYWORD_ONLY
    }
    return made
