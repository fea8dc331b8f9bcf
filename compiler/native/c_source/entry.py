"""From the emitted text of a derivative to its C.

The text says itself what its arguments are: the kinds of its guard are the types of the C function.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ...cache.loader import load
from ..build_kernel import functions_of
from ..refusal import Unsupported
from .module_text import Files, files_of
from .reading import read

__all__ = ["c_files", "kinds_in"]


def c_files(
    text: str,
    name: str,
    outputs: Any,
    stem: str,
    type_of: Callable[[str], Any],
    captured: dict[str, Any] | None = None,
    kinds: dict[str, Any] | None = None,
) -> Files:
    """The C of the function ``name`` of a module.

    ``outputs``: the names of its results, as they are nested; ``stem``: the files' name; ``type_of`` reads a kind
    of the guard; ``captured``: objects among the globals of the text; ``kinds``: types that the guard does not say.
    """
    module = load(text, None, f"{name}_c", captured or {})
    known, apart = (kinds, []) if kinds is not None else kinds_in(text, name, type_of)
    found = read(text, name, vars(module), known, outputs, apart)
    about = ast.get_docstring(ast.parse(text)) or ""
    return files_of(found, name, about, stem)


def kinds_in(
    text: str, name: str, type_of: Callable[[str], Any]
) -> tuple[dict[str, Any], list[str]]:
    """The types of the parameters of a function, as far as its guard knows them, and the sizes that are not 1."""
    definition = functions_of(text)[name]
    names = [a.arg for a in [*definition.args.posonlyargs, *definition.args.args]]
    for decorator in definition.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "rt.expects":
            kinds = [ast.literal_eval(kind) for kind in decorator.args]
            found = {n: known(kind, type_of) for n, kind in zip(names, kinds, strict=False)}
            apart = [
                part.removesuffix(" != 1")
                for kind in kinds[len(names) :]
                for part in kind.split(" and ")
            ]
            return {n: kind for n, kind in found.items() if kind is not None}, apart
    raise Unsupported("the text does not say what its arguments are")


def known(kind: str, type_of: Callable[[str], Any]) -> Any:
    try:
        return type_of(kind)
    except (ValueError, TypeError):
        return None
