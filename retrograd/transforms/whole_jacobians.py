"""A whole Jacobian as a Python function with a text, so that it can be differentiated as any function that calls one."""

from __future__ import annotations

import inspect
import linecache
import zlib
from collections.abc import Callable
from typing import Any

from retrograd.runtime.errors import NotDifferentiable
from retrograd.runtime.objects.own_attributes import own_attribute

__all__ = ["written"]


def written(jacobian: Any) -> Callable[..., Any]:
    """A function that calls ``jacobian``, of the same parameters; written once."""
    known: Callable[..., Any] | None = own_attribute(jacobian, "__written__")
    if known is None:
        known = jacobian.__written__ = write(jacobian)
    return known


def write(jacobian: Any) -> Callable[..., Any]:
    chain, _, unusual = jacobian.__columns__
    if unusual:
        raise NotDifferentiable(
            f"a derivative of {unusual} is not supported",
            fix="leave the option out, or differentiate products: rg.jvp, rg.vjp and rg.hvp",
        )
    own = chain.signature.parameters.values()
    signature = inspect.Signature([p.replace(annotation=p.empty, default=p.empty) for p in own])
    name = f"{chain.name}_jacobian" if chain.name.isidentifier() else "jacobian_of"
    text = f"def {name}{signature}:\n    return jacobian({', '.join(map(given, own))})\n"
    file = f"<{name} {zlib.crc32(text.encode()):08x}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"jacobian": jacobian, "__name__": chain.fn.__module__}
    exec(compile(text, file, "exec"), scope)
    made: Any = scope[name]
    made.__defaults__ = tuple(
        p.default for p in own
        if p.default is not p.empty and p.kind is not p.KEYWORD_ONLY
    )  # fmt: skip
    made.__kwdefaults__ = {
        p.name: p.default for p in own
        if p.default is not p.empty and p.kind is p.KEYWORD_ONLY
    }  # fmt: skip
    made.__columns_of__ = jacobian  # what a pickle of it, or of what is derived of it, holds
    return made  # type: ignore[no-any-return]


def given(p: inspect.Parameter) -> str:
    """A parameter as it is handed on."""
    if p.kind is p.VAR_POSITIONAL:
        return f"*{p.name}"
    if p.kind is p.VAR_KEYWORD:
        return f"**{p.name}"
    return f"{p.name}={p.name}" if p.kind is p.KEYWORD_ONLY else p.name
