"""What the compiler knows of the arguments of helpers, by the text of the call."""

from __future__ import annotations

import ast

from .kinds import Kind, either, of_type
from .rewritten import is_rt

__all__ = ["argument_kinds", "merged"]


def argument_kinds(
    definitions: list[ast.FunctionDef], checked: bool = True
) -> dict[str, list[Kind]]:
    """For each call of a helper what is known of its arguments, those given by name at the end.

    Calls of one text are one call: what is known of it holds for all.  Nothing is known where the types of
    the arguments are not ``checked``.
    """
    found: dict[str, list[Kind]] = {}
    for definition in definitions:
        for node in ast.walk(definition):
            if isinstance(node, ast.Call) and is_rt(node.func):
                given = [*node.args, *(k.value for k in node.keywords)]
                enter(
                    found,
                    read_again(node),
                    [
                        of_type(a.of_type) if checked and hasattr(a, "of_type") else None
                        for a in given
                    ],
                )
    return found


def read_again(node: ast.Call) -> str:
    """The call as it is read from the text: a negative number is a sign and a number there."""
    return ast.unparse(ast.parse(ast.unparse(node), mode="eval"))


def enter(found: dict[str, list[Kind]], text: str, kinds: list[Kind]) -> None:
    old = found.get(text)
    found[text] = kinds if old is None else [either(a, b) for a, b in zip(old, kinds, strict=True)]


def merged(all_kinds: list[dict[str, list[Kind]]]) -> dict[str, list[Kind]]:
    """What is known of the calls of several texts that become one."""
    found: dict[str, list[Kind]] = {}
    for known in all_kinds:
        for text, kinds in known.items():
            enter(found, text, kinds)
    return found
