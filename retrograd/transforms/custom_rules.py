"""``@rule``: the user's own operations, written once as differentials."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from .public.door import public

__all__ = ["rule"]

F = TypeVar("F", bound=Callable[..., Any])


@public
def rule(*operations: Any, broadcasts: bool = False) -> Callable[[F], F]:
    """Give a function its total differential; both modes and all orders follow from it.

    The differential takes the result ``z``, the operation's own parameters, and a keyword-only
    ``d<name>`` for each that has a derivative; it returns an expression linear in them.

    >>> def cube(x):
    ...     return x * x * x
    >>> @rule(cube)
    ... def cube_rule(z, x, *, dx):
    ...     return 3 * x * x * dx

    Raises `RuleError` where the grammar is not kept.
    """
    from retrograd.compiler.user_rules import rule_grammar
    from retrograd.runtime.rules import all_rules, book
    from retrograd.runtime.user import rule_versions

    assert all_rules is not None  # the names a rule may use must be known first

    @public
    def register(differential: F) -> F:
        _, active, _ = book.read_signature(differential)
        rule_grammar.check(differential, {f"d{name}" for name in active})
        registered = book.rule(*operations, broadcasts=broadcasts)(differential)
        rule_versions.added.append(inspect.getsource(differential))
        rule_versions.note()
        return registered  # type: ignore[return-value]

    return register
