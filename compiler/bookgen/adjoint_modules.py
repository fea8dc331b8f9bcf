"""Writes ``runtime/generated/adjoints.py``: the pullback of every rule, for every argument.

The rules for SciPy have a file of their own, ``runtime/generated/adjoints_scipy.py``, written where SciPy is.

    python -m retrograd.compiler.bookgen.adjoint_modules           writes the files
    python -m retrograd.compiler.bookgen.adjoint_modules --check   exits 1 if it is not what the rules give

The parameters of an emitted function are what it reads: so they say what a tape must keep.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from retrograd import runtime
from retrograd.runtime.objects.homes import RUNTIME
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.records import dataclass
from retrograd.runtime.rules import all_rules
from retrograd.runtime.rules.book import Rule, book
from retrograd.runtime.rules.scipy import registry
from retrograd.runtime.traits.lookup import traits_of

from ..differentiate.callee_derivatives import finished
from ..differentiate.rule_instance import number_of_results
from ..differentiate.transpose import pull_back
from ..emit.printer.printer import write
from ..emit.rebuild.statements import rebuild
from ..ir.containers import LEAF
from ..ir.operations import Apply, Block, Const, Function, Operand, Value, read_in, values_in
from ..ir.primitives import Primitive
from ..ir.types import Array, Dim, Tree
from ..passes.redundancy.polish import polish
from ..pipeline import outer_names
from ..simplify import scipy
from ..simplify.builder import Builder

__all__ = ["Emitted", "emit", "emitted"]

assert all_rules is not None  # every family of NumPy is registered
TARGET = Path(runtime.__file__).parent / "generated" / "adjoints.py"
PLAIN = TARGET.with_name("adjoints_plain.py")
REAL = TARGET.with_name("adjoints_real.py")
SCIPY = TARGET.with_name("adjoints_scipy.py")
HEADER = '''"""Adjoints of every operation, one function for each argument. Do not edit: `make rules` writes it.

``c`` is the cotangent of the result ``z`` (a sequence of them, where an operation has several
results); the other parameters are the operation's own.  A function takes what it reads and nothing
else, so its parameters are what must be kept; those in ``SHAPES`` are read for shape and dtype only.
"""
'''
PLAIN_HEADER = '''"""Adjoints of elementwise operations of real arrays of one shape. Do not edit: `make rules` writes it.

They are those of ``adjoints.py`` without the conjugates and sums that such arguments do not need.
"""
'''
REAL_HEADER = '''"""Adjoints of calls with real arrays of one type and few options. Do not edit: `make rules` writes it.

They are those of ``adjoints.py`` where all optional parameters but ``OPTIONS`` are left out, and all
arrays and the result are float64, or all float32; what would be the same is not repeated.
"""
'''
OPTIONS = ("axis", "keepdims", "ddof")
SHORTER = {
    "numpy.indexing", "numpy.linalg.contractions", "numpy.linalg.solve", "numpy.linalg.norms",
    "numpy.linalg.products", "numpy.reductions", "numpy.cumulative", "numpy.shaping",
    "numpy.networks.layers", "numpy.networks.windows",
}  # fmt: skip
OF_HELPERS = {
    "numpy.linalg.products",
    "numpy.networks.layers",
    "numpy.networks.windows",
}  # eager tensors record these themselves


@dataclass(frozen=True)
class Emitted:
    """One adjoint: of which rule and argument, its program, and what it reads for shape only."""

    rule: Rule
    argument: str
    name: str
    function: Function
    shapes: tuple[str, ...]

    @property
    def reads(self) -> tuple[str, ...]:
        return self.function.names


def rules() -> list[Rule]:
    """One rule of each differential, by family in the order of their text."""
    first: dict[Any, Rule] = {}
    for rule in book.rules.values():
        if rule.differential.__module__.startswith(RUNTIME):  # not the user's own
            first.setdefault(rule.differential, rule)
    return sorted(first.values(), key=lambda r: (r.family, r.differential.__code__.co_firstlineno))


def emitted(extra: bool = False) -> Iterator[Emitted]:
    """The adjoint of every argument of every rule that takes its arguments one by one."""
    taken: set[str] = set()
    for rule in rules():
        if registry.is_extra(rule.family) is not extra or is_composed(rule):
            continue
        for argument in rule.active:
            if is_variadic(rule, argument):
                continue
            name = f"{rule.name}_{argument}"
            name = f"{rule.family.replace('.', '_')}_{name}" if name in taken else name
            taken.add(name)
            function = pulled(rule, argument, name)
            yield Emitted(rule, argument, name, function, shape_only(function))


def is_composed(rule: Rule) -> bool:
    """True if the text of a rule was composed: the tape transposes those many itself."""
    return rule.differential.__code__.co_filename.startswith("<rule of ")


def emitted_plain() -> Iterator[Emitted]:
    """The adjoints of elementwise operations of real arrays, none of which is stretched."""
    for rule in rules():
        if (
            registry.is_extra(rule.family)
            or number_of_results(rule) is not None
            or not (rule.stretches or is_of_entries(rule))
        ):
            continue
        for argument in rule.active:
            if not is_variadic(rule, argument):
                name = f"{rule.name}_{argument}"
                yield Emitted(rule, argument, name, pulled(rule, argument, name, plain=True), ())


def emitted_real() -> Iterator[Emitted]:
    """The adjoints of other operations on real arrays, where that and few options make them shorter."""
    for general in emitted():
        rule = general.rule
        if rule.family not in SHORTER:
            continue
        if not (is_numpy(rule.operation) or rule.family in OF_HELPERS):
            continue
        if number_of_results(rule) is not None or rule.stretches:
            continue
        if general.argument not in options_of(rule):
            continue
        function = pulled(rule, general.argument, general.name, real=True)
        if text_of([definition(function, general.name)[0]]) != text_of(
            [definition(general.function, general.name)[0]]
        ):
            yield Emitted(rule, general.argument, general.name, function, shape_only(function))


def is_of_entries(rule: Rule) -> bool:
    """True if it makes a new array of the entries of its one argument."""
    known = traits_of(rule.operation)
    return len(rule.own) == 1 and known.elementwise is True and known.memory == "new"


def is_numpy(operation: Any) -> bool:
    home = own_attribute(operation, "__module__") or "numpy"  # a method has none
    return home.partition(".")[0] in ("numpy", "_operator")


def options_of(rule: Rule) -> list[str]:
    """The parameters of a rule that must be given, and those options that often are."""
    parameters = inspect.signature(rule.differential).parameters
    return [p for p in rule.own if parameters[p].default is inspect.Parameter.empty or p in OPTIONS]


def is_variadic(rule: Rule, argument: str) -> bool:
    """True if the argument is ``*xs``: such calls (of Python's max) are not recorded."""
    parameter = inspect.signature(rule.differential).parameters[argument]
    return parameter.kind is parameter.VAR_POSITIONAL


def pulled(
    rule: Rule, argument: str, name: str, plain: bool = False, real: bool = False
) -> Function:
    """The program that pulls a cotangent back to one argument, of whatever type.

    ``plain``: for real arrays that all have the shape of the result.  ``real``: for real arrays of one
    type, where no options but `OPTIONS` are given.
    """
    kind = Array(None, None, "f") if is_real(rule.operation) else None
    kind = Array("float64", (Dim("n", True),), "f") if plain else kind
    own = {p: Value(p, kind) for p in rule.own}
    if real:
        kind = Array("float64", None, "f")
        own = {p: Value(p, kind if p in rule.active else None) for p in options_of(rule)}
    n = number_of_results(rule)
    whole = kind if n is None else Tree("tuple", tuple(range(n)), (kind,) * n)
    c, z = Value("c_bar" if "c" in own else "c", whole), Value("z", whole)
    b = Builder(Block(), may_be_complex=not (plain or real))
    parts: list[Operand] = []
    bars: list[Operand | None] = [c] if n is None else [b.getitem(c, k) for k in range(n)]
    pull_back(
        b,
        rule,
        call_of(rule, own, z),
        bars,
        lambda v: v is own[argument],
        lambda _, part: parts.append(part),
    )
    b.block.yields = [summed(b, parts)]
    result = b.block.yields[0]
    if isinstance(result, Value) and result not in (c, z, *own.values()):
        result.hint = f"{argument}_bar"
    function = polish(Function(name, b.block, LEAF))
    finished(function.body)
    known = read_in(function.body)
    function.body.params = [v for v in (c, z, *own.values()) if v in known]
    function.names = tuple(str(v.hint) for v in function.body.params)
    return function


def is_real(operation: Any) -> bool:
    """True if an operation has no complex form."""
    if isinstance(operation, np.ufunc):
        return not any("D" in types for types in operation.types)
    return bool(own_attribute(operation, "__module__") == "math")


def summed(b: Builder, parts: list[Operand]) -> Operand:
    whole, *more = parts or [Const(0.0)]
    for part in more:
        whole = b.add(whole, part)
    return whole


def call_of(rule: Rule, own: dict[str, Value], z: Value) -> Apply:
    """The call of the rule's operation with a value for each of its parameters."""
    parameters = inspect.signature(rule.differential).parameters
    named = {k: v for k, v in own.items() if parameters[k].default is not inspect.Parameter.empty}
    return Apply(
        [z], None, rule.operation, tuple(v for k, v in own.items() if k not in named), dict(named)
    )


def shape_only(function: Function) -> tuple[str, ...]:
    """The parameters that are read for their shape and dtype, and never for their values."""
    read: set[Value] = set(values_in(function.body.yields))
    for op in function.body.ops:
        assert isinstance(op, Apply)
        read.update(values_in(valued(op)))
    return tuple(str(v.hint) for v in function.body.params if v not in read)


def valued(op: Apply) -> list[Operand]:
    """The operands of which the values matter."""
    reads = traits_of(op.fn).reads
    if reads == "structure":
        return []
    if reads in ("shape", "length"):
        return [*op.args[1:], *op.kwargs.values()]
    own = () if isinstance(op.fn, Primitive) else parameters_of(op.fn)
    args = [a for k, a in enumerate(op.args) if own[k : k + 1] != ("like",)]
    return [*args, *(v for k, v in op.kwargs.items() if k != "like")]


def parameters_of(fn: Any) -> tuple[str, ...]:
    """The names of a function's parameters, where ``like`` stands for a shape and a type."""
    if fn in book:
        return book.rules[fn].own
    return tuple(inspect.signature(fn).parameters) if traits_of(fn).reads == "like" else ()


# -- text -------------------------------------------------------------------------------


def emit(extra: bool = False) -> str:
    """The text of ``runtime/generated/adjoints.py``, or of the rules for SciPy."""
    return module_of(HEADER, list(emitted(extra)))


def module_of(header: str, found: list[Emitted]) -> str:
    """A module with these adjoints by family, and its tables."""
    sections: list[str] = []
    roots: set[str] = set()
    for family in dict.fromkeys(e.rule.family for e in found):
        definitions = []
        for one in [e for e in found if e.rule.family == family]:
            text, used = definition(one.function, one.name)
            definitions.append(text)
            roots.update(used)
        rule = f"# --- {family} "
        sections.append(rule + "-" * (88 - len(rule)) + "\n\n\n" + text_of(definitions))
    return "\n".join([header, imports(roots), "\n" + "\n\n".join(sections), "\n" + tables(found)])


def definition(function: Function, name: str) -> tuple[ast.FunctionDef, set[str]]:
    """The text of an adjoint, and the modules it names."""
    built = rebuild(function, name, {}, outer_names(function), flat=True)
    return renamed(built.definition, function.names), set(built.roots)


def text_of(statements: list[Any]) -> str:
    return write(ast.fix_missing_locations(ast.Module(list(statements), []))).strip() + "\n"


def renamed(definition: ast.FunctionDef, names: tuple[str, ...]) -> ast.FunctionDef:
    """The definition with exactly these parameters, even if one hides a builtin (``min``)."""
    table = {a.arg: name for a, name in zip(definition.args.args, names, strict=True)}
    for node in ast.walk(definition):
        if isinstance(node, ast.arg):
            node.arg = table[node.arg]
        elif isinstance(node, ast.Name):
            node.id = table.get(node.id, node.id)
    return definition


def imports(roots: set[str]) -> str:
    """The import block: NumPy, what else is used, and the helpers beside this module."""
    beside = {space: module for module, (space, _) in registry.FAMILIES.items() if space in roots}
    lines = ["from __future__ import annotations", ""]
    lines += [f"import {name}" for name in sorted(roots - {"np", "rt", *beside})]
    lines += ["", "import numpy as np"]
    lines += [f"import {module} as {space}" for space, module in sorted(beside.items())]
    lines += [
        "",
        "from retrograd import runtime as rt" if beside else "from ..helpers import linear as rt",
    ]
    return "\n".join([*lines, "", '__all__ = ["ADJOINTS", "SHAPES"]', ""])


def tables(found: list[Emitted]) -> str:
    """``ADJOINTS`` and ``SHAPES``, by rule and argument."""
    lines = [
        "# --- tables " + "-" * 76,
        "",
        "ADJOINTS = {",
    ]
    for rule in dict.fromkeys(e.rule for e in found):
        entries = [f'"{e.argument}": {e.name}' for e in found if e.rule is rule]
        lines += entry(rule.key, entries, "{", "}")
    lines += ["}", "", "SHAPES = {"]
    for e in found:
        if e.shapes:
            lines += entry(
                e.name,
                [*(f'"{s}"' for s in e.shapes), *([""] if len(e.shapes) == 1 else [])],
                "(",
                ")",
            )
    return "\n".join([*lines, "}", ""])


def entry(key: str, items: list[str], left: str, right: str) -> list[str]:
    """One line of a table, or several where it would be too long."""
    line = f'    "{key}": {left}{", ".join(items).rstrip()}{right},'.replace(", )", ",)")
    if len(line) <= 88:
        return [line]
    return [
        f'    "{key}": {left}',
        *(f"        {item}," for item in items if item),
        f"    {right},",
    ]


def files() -> dict[Path, str]:
    """The files and their texts; without SciPy only the one that does not need it."""
    texts = {
        TARGET: emit(),
        PLAIN: module_of(PLAIN_HEADER, list(emitted_plain())),
        REAL: module_of(REAL_HEADER, list(emitted_real())) + f"OPTIONS = {OPTIONS!r}\n",
    }
    registry.load_installed()
    scipy.enter()
    if registry.loaded:
        texts[SCIPY] = emit(extra=True)
    return texts


def main(arguments: list[str]) -> int:
    stale = 0
    for path, text in files().items():
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{path} is not what the rules give: run `make rules`", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
