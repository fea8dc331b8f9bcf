"""``retrograd rules``: the rule book as a table, one rule in full, or what has no rule yet."""

from __future__ import annotations

import argparse
import difflib
import inspect
import re
from collections.abc import Iterator
from typing import Any

from .operation_record import lacking, record_of
from .targets import NotFound
from .texts.operation_names import spelled

__all__ = ["add"]

ABOUT = "The rule book: what can be differentiated, how a rule reads, what has no rule."
EXAMPLES = """\
examples:
  retrograd rules                      every operation with a rule
  retrograd rules np.multiply          its differential, and the adjoint derived from it
  retrograd rules solve                every rule of that name
  retrograd rules --missing            public functions of NumPy, math and SciPy without a rule
  retrograd rules --unknown            what is not known of the operations with a rule
  retrograd rules --unknown cum        of those whose name holds "cum"
"""


def add(commands: Any) -> None:
    """Teach the parser this command."""
    made = commands.add_parser(
        "rules", help="list the rule book, or show one rule", description=ABOUT,
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    made.add_argument(
        "name", metavar="NAME", nargs="?", help="an operation, as in np.linalg.solve or solve"
    )
    made.add_argument("--missing", action="store_true", help="list functions that have no rule")
    made.add_argument("--unknown", action="store_true", help="list what is not known of operations")
    made.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from retrograd.runtime.rules import all_rules
    from retrograd.runtime.rules.scipy import registry

    assert all_rules is not None  # every family of NumPy is registered
    registry.load_installed()
    if options.missing:
        missing(options.name or "")
    elif options.unknown:
        unknown(options.name or "")
    elif options.name:
        show(options.name)
    else:
        table()
    return 0


# -- names ------------------------------------------------------------------------------

MODULES = ("np", "math", "cmath")


def spaces() -> dict[str, Any]:
    import cmath
    import math
    import operator

    import numpy as np

    from retrograd.runtime.helpers import linear
    from retrograd.runtime.rules.scipy import registry

    return {
        **registry.spaces(),
        "np": np,
        "numpy": np,
        "cmath": cmath,
        "math": math,
        "operator": operator,
        "rt": linear,
        "ndarray": np.ndarray,
    }


def named(name: str) -> Any:
    """The object a dotted name stands for, None if there is none."""
    first, *rest = name.removeprefix("scipy.").split(".")
    found = spaces().get(first)
    for part in rest:
        found = getattr(found, part, None)
    return found if rest else None


def matching(name: str, operations: Any) -> list[Any]:
    """The operation of that name, or those whose last part it is."""
    found = named(name)
    if found is not None:
        return [op for op in operations if op is found or op == found]
    same = [op for op in operations if spelled(op).endswith(f".{name}") or spelled(op) == name]
    return sorted(same, key=lambda op: commonest_first(spelled(op)))


def commonest_first(name: str) -> tuple[int, str]:
    """Orders operations of one name: NumPy's, Python's, and the rest by the alphabet."""
    module = name.partition(".")[0]
    return (MODULES.index(module) if module in MODULES else len(MODULES)), name


# -- the table --------------------------------------------------------------------------


def table() -> None:
    from retrograd.runtime.rules.book import book

    rows = sorted(rows_of(book.rules.values()))
    width = max(len(row[0]) for row in rows)
    second = max(len(row[1]) for row in rows)
    print(f"{'operation':<{width}}  {'differentiable':<{second}}  remarks")
    for name, active, remarks in rows:
        print(f"{name:<{width}}  {active:<{second}}  {remarks}".rstrip())
    print(
        f"\n{len(rows)} operations with a rule, {len(book.constants)} without derivative by nature"
    )


def rows_of(rules: Any) -> Iterator[tuple[str, str, str]]:
    from retrograd.runtime.rules.book import book

    for rule in rules:
        remarks = ["broadcasts"] if rule.broadcasts else []
        remarks += ["own adjoint"] if rule.operation in book.adjoints else []
        yield spelled(rule.operation), ", ".join(rule.active), ", ".join(remarks)


# -- one rule ---------------------------------------------------------------------------


def show(name: str) -> None:
    from retrograd.runtime.rules.book import book

    rules = {book.rules[op].differential: book.rules[op] for op in matching(name, book.rules)}
    if not rules:
        without(name)
        return
    print("\n\n".join("\n\n".join(sections(rule)) for rule in rules.values()))


def without(name: str) -> None:
    """A name that has no rule: declared constant, known to NumPy, or not at all."""
    from retrograd.runtime.rules.book import book

    constants = matching(name, book.constants)
    if constants:
        print(f"{spelled(constants[0])}: no derivative by nature; its result is a constant")
        print("\n".join(["\n# what else is known", *record_of(constants[0])]))
        return
    known = [spelled(op) for op in book.rules]
    short = {full.rpartition(".")[2]: full for full in known}
    close = difflib.get_close_matches(name, known, 3, 0.75) or [
        short[s] for s in difflib.get_close_matches(name.rpartition(".")[2], short, 3, 0.75)
    ]
    hint = f"; did you mean {' or '.join(close)}?" if close else ""
    raise NotFound(f"there is no rule for {name}{hint}")


def sections(rule: Any) -> Iterator[str]:
    from retrograd.runtime.rules.book import book

    operations = [op for op, other in book.rules.items() if other.differential is rule.differential]
    yield f"# {', '.join(map(spelled, operations))}"
    yield inspect.getsource(rule.differential).rstrip()
    pulls = [
        book.transposes[op, a].pull
        for op in operations
        for a in rule.own
        if (op, a) in book.transposes
    ]
    if pulls:
        yield "# its transposes, by argument"
        yield from (inspect.getsource(pull).rstrip() for pull in dict.fromkeys(pulls))
    if rule.operation in book.adjoints:
        yield "# the adjoint written by hand"
        yield inspect.getsource(book.adjoints[rule.operation]).rstrip()
    yield "\n".join(["# what else is known", *record_of(rule.operation)])
    of_numbers = spelled(rule.operation).startswith(("math.", "cmath."))
    taken = "real numbers" if of_numbers else "real arguments of any shape"
    yield f"# the adjoint as it is emitted, for {taken}"
    yield emitted(rule)


# -- the adjoint as emitted -------------------------------------------------------------


def emitted(rule: Any) -> str:
    """The value and pullback of a function that calls the operation and nothing else."""
    from retrograd.runtime.errors import RetrogradError
    from retrograd.runtime.traits.lookup import traits_of

    if traits_of(rule.operation).writes == "sum":
        return "# it is written out for each use: it adds to its first argument in place"
    reason = ""
    for own in calls(rule):
        try:
            return derived(rule, own)
        except RetrogradError as error:
            reason = reason or getattr(error, "reason", str(error))
    return f"# it is written out for each use: {reason}"


def calls(rule: Any) -> Iterator[list[Any]]:
    """Parameters to call it with: all of them, then only those that must be given."""
    every = list(inspect.signature(rule.differential).parameters.values())[1:]
    own = [p for p in every if p.kind is p.POSITIONAL_OR_KEYWORD]
    yield own
    yield [p for p in own if p.default is p.empty]


def derived(rule: Any, own: list[Any]) -> str:
    from retrograd.compiler import pipeline
    from retrograd.compiler.differentiate.callee_derivatives import Derivatives

    function = made(rule, own)
    program, lowered = pipeline.lower(function, {})
    wrt = tuple(k for k, p in enumerate(own) if p.name in rule.active)
    made_of = pipeline.derived(lowered, pipeline.Request("pull", wrt, False), Derivatives())
    text = str(pipeline.module_of(made_of, "", program).text)
    return re.sub(r" +# line \d+$", "", text[text.index("def ") :].rstrip(), flags=re.MULTILINE)


def made(rule: Any, own: list[Any]) -> Any:
    """A function that calls the operation and returns `z`, with a text the compiler can read."""
    import linecache

    name = rule.differential.__name__
    head = f"def {name}({', '.join(map(parameter, own))}):"
    text = f"{head}\n    z = {call(rule.operation, own)}\n    return z\n"
    file = f"<rule {name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope = spaces()
    exec(compile(text, file, "exec"), scope)
    return scope[name]


def parameter(p: Any) -> str:
    return p.name if p.default is p.empty else f"{p.name}={p.default!r}"


def call(operation: Any, own: list[Any]) -> str:
    """The text of the call; methods and attributes are read from their first argument."""
    given = [p.name if p.default is p.empty else f"{p.name}={p.name}" for p in own]
    if not hasattr(operation, "__objclass__"):
        return f"{spelled(operation)}({', '.join(given)})"
    text = f"{own[0].name}.{operation.__name__}"
    return f"{text}({', '.join(given[1:])})" if callable(operation) else text


# -- what is missing --------------------------------------------------------------------


def missing(only: str) -> None:
    """Public functions of NumPy and math that have neither a rule nor a declaration."""
    total = 0
    for space, functions in public():
        lacking = sorted(
            name for name, fn in functions.items() if not is_known(fn) and only in name
        )
        total += len(lacking)
        known = len(functions) - len(lacking)
        print(f"{space}: {known} of {len(functions)} known, {len(lacking)} missing")
        print(columns(lacking) + "\n" if lacking else "")
    print(f"{total} functions without a rule or a declaration")


def unknown(only: str) -> None:
    """Prints what is not known of the operations with a rule, question by question."""
    from retrograd.runtime.rules.book import book

    asked = [operation for operation in book.rules if only in spelled(operation)]
    for question, operations in lacking(asked).items():
        print(f"{question}: unknown of {len(operations)} of {len(asked)}")
        print(columns(sorted(map(spelled, operations))) + "\n" if operations else "")


def is_known(fn: Any) -> bool:
    from retrograd.compiler.lowering.library.numpy_rewrites import has_form
    from retrograd.runtime.rules.book import book, is_constant

    return fn in book or is_constant(fn) or has_form(fn)


def public() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each name space with its functions, several names of one function counted once."""
    import math

    import numpy as np

    from retrograd.runtime.rules.scipy import registry

    spaces = [("np", np), ("np.linalg", np.linalg), ("np.fft", np.fft), ("math", math)]
    spaces += [(module.__name__, module) for module in registry.spaces().values()]
    for space, module in spaces:
        names = getattr(module, "__all__", None) or dir(module)
        functions: dict[int, tuple[str, Any]] = {}
        for name in sorted(names):
            found = getattr(module, name)
            if callable(found) and not inspect.isclass(found) and not name.startswith("_"):
                functions.setdefault(id(found), (name, found))
        yield space, dict(functions.values())


def columns(names: list[str], width: int = 96) -> str:
    """Names in lines of at most ``width`` letters, indented."""
    import textwrap

    return textwrap.fill(
        "  ".join(names), width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
    )
