"""The text of a derivative as an object: a `str` that notebooks colour, and where `inspect` finds it.

A derivative is a function without a text of its own until it is asked for: `readable` gives it ``source``,
``_repr_html_`` and a ``__wrapped__`` whose text is the derivative's, so that ``inspect.getsource``, ``f.grad??``
and ``help`` show what is computed.
"""

from __future__ import annotations

import ast
import linecache
import types
import weakref
from collections.abc import Callable
from itertools import count
from typing import Any

from retrograd.runtime.errors import RetrogradError

__all__ = ["SourceText", "readable"]

NUMBERS = count(1)


class SourceText(str):
    """A generated text; in a notebook its own view is coloured code.

    >>> text = SourceText("x = 1\\n")
    >>> text == "x = 1\\n", text.upper()
    (True, 'X = 1\\n')
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        from .explain.highlight import plain_block  # few ask for it

        return plain_block(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


def readable(function: Callable[..., Any], chain: Any) -> None:
    """Let people read what a function computes."""

    def source(*args: Any, sig: str | None = None, **named: Any) -> SourceText:
        """The generated text: for example arguments, for ``sig``, or for any (the generic one)."""
        return SourceText(chain.text(types_for(chain, args, named, sig)))

    def shown() -> str:
        try:
            text = str(source())
        except RetrogradError as error:
            return failing(function, error)
        return f"<div>{heading(function)}{SourceText(text)._repr_html_()}</div>"

    function.source = source  # type: ignore[attr-defined]
    function._repr_html_ = shown  # type: ignore[attr-defined]
    function.__wrapped__ = placeholder(function)  # type: ignore[attr-defined]


def types_for(chain: Any, args: tuple[Any, ...], named: dict[str, Any], sig: str | None) -> Any:
    if args or named:
        given = chain.bind(args, named)
        return chain.types(given)
    from .signatures.signature_text import parse_signature  # of a text that somebody reads

    described = sig if sig is not None else chain.sig
    types = parse_signature(described) if described else {}
    if sig is None and types and any(step.kind == "vmap" for step in chain.steps):
        from .signatures.types_of_batches import of_batches, of_examples  # few texts are of batches

        _, sizes = of_examples({}, chain.steps)  # its own signature is of one example
        return of_batches(types, chain.steps, sizes, set(chain.full.parameters))
    return types


def placeholder(function: Any) -> Any:
    """A function whose text is looked up when it is asked for; its signature is the derivative's."""
    file, alive = f"retrograd: {function.__qualname__} ({next(NUMBERS)})", weakref.ref(function)

    def definition() -> str:
        own = alive()
        return "" if own is None else main_part(str(own.source()), own.__retrograd__)

    linecache.cache[file] = (definition,)  # type: ignore[assignment]  # lazy: asked for when it is read
    weakref.finalize(function, linecache.cache.pop, file, None).atexit = False
    code = stand_in.__code__.replace(co_filename=file, co_firstlineno=1, co_name=function.__name__)
    scope = {"function__": alive, "__name__": __name__}
    made = types.FunctionType(code, scope, function.__name__)
    made.__doc__, made.__module__ = function.__doc__, __name__  # the compiler takes it for ours
    made.__qualname__ = function.__qualname__
    made.__signature__ = function.__signature__  # type: ignore[attr-defined]
    return made


def stand_in(*args: Any, **kwargs: Any) -> Any:
    return function__()(*args, **kwargs)  # type: ignore[name-defined]  # noqa: F821


def main_part(text: str, chain: Any) -> str:
    """The definition of the derivative in its module's text, the last that has its name."""
    found = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    own = [node for node in found if node.name == chain.name] or found[-1:]
    if not own:
        return text
    first = min([own[-1].lineno, *(d.lineno for d in own[-1].decorator_list)])
    return "\n".join(text.splitlines()[first - 1 : own[-1].end_lineno]) + "\n"


def heading(function: Any) -> str:
    import html  # for notebooks alone

    doc = html.escape((function.__doc__ or "").partition("\n")[0].replace("`", ""))
    name = html.escape(f"{function.__name__}{function.__signature__}")
    return (
        '<div style="font:13px/1.6 system-ui,sans-serif;padding:.1em 0 .3em">'
        f'<code style="font-weight:600;background:none">{name}</code>'
        f'<span style="opacity:.75;margin-left:1em">{doc}</span></div>'
    )


def failing(function: Any, error: Exception) -> str:
    import html  # see ``heading``

    return f"<div>{heading(function)}<pre>{html.escape(str(error))}</pre></div>"
