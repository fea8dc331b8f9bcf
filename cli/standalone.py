"""``--standalone``: the helpers of the runtime that a text uses, written into it.

A definition is taken from the source of its module with everything it refers to, and nothing else; what the
text says of its arguments decides what is left of it (`specialised`).  It stands there as ``rt_<name>``, as
wide as the ``rt.<name>`` it replaces, unless one expression takes the place of the calls.
"""

from __future__ import annotations

import ast
import importlib
from types import ModuleType
from typing import Any

from .specialised.definitions import Definitions
from .specialised.rewritten import is_rt, outermost, replaced, with_names
from .specialised.sources import whole
from .specialised.world import World
from .targets import NotFound
from .texts import plain_containers
from .texts.plain_containers import GUARDS

__all__ = ["standalone"]

IMPORT = "from retrograd import runtime as rt\n"
ABOUT = "# What this needs of retrograd's runtime, as far as it needs it.\n\n\n"


def standalone(text: str, plain: bool = False, known: dict[str, Any] | None = None) -> str:
    """The text of a generated module, needing no retrograd when it runs.

    ``plain``: see `has_plain_only`; ``known``: see `argument_kinds`.
    """
    if IMPORT not in text:
        return text
    tree = ast.parse(text)
    nodes = outermost(tree)
    parts: list[Any] = [n for node in nodes for n in ast.walk(node)]
    wanted = sorted({n.attr for n in parts if is_rt(n)})
    if {"taped", "pushed", "pulled"} & set(wanted):
        raise NotFound(
            "this derivative needs the eager tape when it runs, so it cannot stand alone; "
            "`retrograd explain` says which call does, and why"
        )
    world = World(plain)
    homes = {name: world.sources.home(home_of(name).__name__, name) for name in wanted}
    named = [
        with_names(node, {n: whole(*k) for n, k in homes.items()}, known or {}) for node in nodes
    ]
    made, functions = world.settle(named)
    definitions = Definitions(world, functions, {k: f"rt_{n.strip('_')}" for n, k in homes.items()})
    written = [definitions.expression(node) for node in made]
    body = replaced(text, nodes, written, wanted)
    head, _, rest = body.partition(IMPORT)
    ready = ordered(head, sorted(definitions.imports))
    if not definitions.found:
        return f"{ready}\n\n\n{rest.lstrip()}"
    helpers = "\n\n\n".join(definitions.found)
    return f"{ready}\n\n{ABOUT}{helpers}\n\n\n{rest.lstrip()}"


def ordered(head: str, imports: list[str]) -> str:
    """The docstring and the import block, with what the helpers import."""
    lines = head.rstrip("\n").split("\n")
    known = [k for k, line in enumerate(lines) if line.startswith(("import ", "from "))]
    first = known[0] if known else len(lines)
    block = sorted({*(lines[k] for k in known), *imports}, key=import_order)
    return "\n".join([*lines[:first], *([] if known else [""]), *block])


def import_order(line: str) -> tuple[bool, bool, str]:
    """`__future__`, then ``import``s of the standard library, then NumPy."""
    return "numpy" in line, line.startswith("from"), line


def home_of(name: str) -> ModuleType:
    """The module of the runtime that defines a helper."""
    from retrograd import runtime

    if name in GUARDS:
        return plain_containers
    found = getattr(runtime, name)
    return importlib.import_module(found.__module__)
