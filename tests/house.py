"""The house in figures: ``python -m tests.house`` prints packages, imports, circles, lengths and folders.

`test_house` holds what is printed here: who may import whom, no circle of imports, late ones counted.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = [
    "CROWDED", "LAW", "circles", "folders", "imports", "late", "lengths", "mixins", "strangers", "unexplained",
]  # fmt: skip

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("cli", "compiler", "runtime")

# What each package may import besides itself; a package below stands for those in it.
LAW = {
    "runtime": (),  # errors, and the index of helpers
    "runtime/arrays": ("runtime",),
    "runtime/objects": ("runtime/arrays",),
    "runtime/checkpointing": ("runtime/objects",),
    "runtime/batching": ("runtime/objects",),
    "runtime/helpers": ("runtime/objects",),
    "runtime/replacements": ("runtime/helpers",),
    "runtime/solvers": ("runtime/objects",),
    "runtime/user": ("runtime/helpers",),
    "runtime/rules": (
        "runtime/checkpointing",
        "runtime/helpers",
        "runtime/replacements",
        "runtime/solvers",
        "runtime/user",
    ),
    "runtime/traits": ("runtime/rules",),
    "runtime/generated": ("runtime/helpers",),
    "runtime/device": ("runtime/helpers", "runtime/batching"),
    "runtime/tape": ("runtime/traits", "runtime/generated", "runtime/batching", "runtime/device"),
    "runtime/eager": ("runtime/tape",),
    "compiler/ir": ("runtime/tape", "runtime/checkpointing"),
    "compiler/cache": ("runtime",),
    "compiler/driver": ("runtime",),
    "compiler/frontend": ("compiler/ir",),
    "compiler/analyses": ("compiler/frontend",),
    "compiler/simplify": ("compiler/analyses",),
    "compiler/dependencies": ("compiler/analyses",),
    "compiler/lowering": ("compiler/simplify", "compiler/dependencies"),
    "compiler/passes": ("compiler/simplify", "compiler/driver"),
    "compiler/differentiate": ("compiler/lowering", "compiler/passes"),
    "compiler/user_rules": ("compiler/differentiate",),
    "compiler/emit": ("compiler/dependencies",),
    "compiler": ("compiler/user_rules", "compiler/emit"),  # the pipeline
    "compiler/bookgen": ("compiler",),
    "compiler/native": ("compiler/analyses", "compiler/cache", "compiler/driver"),
    "retrograd": (
        "compiler",
        "compiler/native",
        "compiler/cache",
        "compiler/driver",
        "runtime/eager",
    ),
    "cli/texts": ("retrograd",),
    "cli/terminal": (),
    "cli/specialised": ("cli/texts",),
    "cli": ("cli/specialised", "cli/terminal", "compiler/bookgen"),
}


# Imports inside functions that need no word of their own: (of, what) and why.
LATE = {
    ("cli", ""): "a command imports what it uses",
    ("cli/texts", ""): "a command imports what it uses",
    ("retrograd", "compiler"): "the compiler is imported for the first derivative",
    ("retrograd", "runtime"): "the eager API and the tape are imported when they are used",
}
CROWDED = 21  # modules in a folder


@dataclass(frozen=True)
class Import:
    """One file imports another."""

    of: str
    what: str
    line: int
    late: bool  # inside a function
    typing: bool  # for the type checker only
    commented: bool  # its reason stands beside it


def files() -> list[str]:
    """The modules of the package, as paths in the repository."""
    found = [path for part in PARTS for path in (ROOT / part).rglob("*.py")]
    found += [
        path
        for path in (ROOT / "retrograd").rglob("*.py")
        if path.relative_to(ROOT / "retrograd").parts[0] not in PARTS
    ]
    return sorted(str(path.relative_to(ROOT)) for path in found)


def module_of(file: str) -> str:
    parts = list(Path(file).with_suffix("").parts)
    if parts[0] in PARTS:
        parts.insert(0, "retrograd")
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree_of(file: str) -> ast.Module:
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


@cache
def imports() -> tuple[Import, ...]:
    """Every import of a module of the package by another, those inside functions included."""
    known = {module_of(file): file for file in files()}
    found = []
    for file in files():
        lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
        for node, late, typing in statements(tree_of(file)):
            beside = lines[node.lineno - 1] + lines[max(node.lineno - 2, 0)].strip()
            for name in targets(node, file, known):
                if known[name] != file:
                    commented = "#" in beside
                    found.append(Import(file, known[name], node.lineno, late, typing, commented))
    return tuple(found)


Statement = ast.Import | ast.ImportFrom


def statements(
    node: ast.AST, late: bool = False, typing: bool = False
) -> Iterator[tuple[Statement, bool, bool]]:
    for child in ast.iter_child_nodes(node):
        inside = late or isinstance(child, (ast.FunctionDef, ast.Lambda))
        only = typing or (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test))
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child, late, typing
        yield from statements(child, inside, only)


def targets(node: Statement, file: str, known: dict[str, str]) -> Iterator[str]:
    """The modules a statement imports, as far as they are ours."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in known)
        return
    base = (node.module or "").split(".") if node.module else []
    if node.level:
        package = module_of(file).split(".")
        package = package if file.endswith("__init__.py") else package[:-1]
        base = package[: len(package) - node.level + 1] + base
    name = ".".join(base)
    for alias in node.names:
        if f"{name}.{alias.name}" in known:
            yield f"{name}.{alias.name}"
        elif name in known:
            yield name


def circles(found: Iterable[Import]) -> list[list[str]]:
    """The strongly connected components of more than one file (Tarjan)."""
    after: dict[str, set[str]] = defaultdict(set)
    for one in found:
        after[one.of].add(one.what)
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    result: list[list[str]] = []

    def visit(file: str) -> None:
        index[file] = low[file] = len(index)
        stack.append(file)
        for other in sorted(after[file]):
            if other not in index:
                visit(other)
                low[file] = min(low[file], low[other])
            elif other in stack:
                low[file] = min(low[file], index[other])
        if low[file] == index[file]:
            at = stack.index(file)
            result.append(sorted(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10_000)
    for file in sorted(after):
        if file not in index:
            visit(file)
    return [component for component in result if len(component) > 1]


def package_of(file: str) -> str:
    """The package of the law that a file belongs to."""
    folder = str(Path(file).parent)
    while folder not in LAW:
        folder = str(Path(folder).parent)
    return folder


@cache
def below(package: str) -> frozenset[str]:
    """A package and all that it may import."""
    found = {package}
    for other in LAW[package]:
        found |= below(other)
    return frozenset(found)


def strangers() -> list[str]:
    """Imports that the law does not allow."""
    return [
        f"{one.of}:{one.line} imports {one.what}"
        for one in imports()
        if package_of(one.what) not in below(package_of(one.of))
    ]


def late() -> list[Import]:
    """Imports of our own modules inside functions."""
    return [one for one in imports() if one.late and not one.typing]


def unexplained() -> list[str]:
    """Imports inside functions whose reason stands neither beside them nor in `LATE`."""

    def known(one: Import) -> bool:
        of, what = one.of.partition("/")[0], one.what.partition("/")[0]
        return one.commented or (of, "") in LATE or (of, what) in LATE

    return sorted({f"{one.of}:{one.line} imports {one.what}" for one in late() if not known(one)})


def lengths() -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Files and functions by their number of lines, longest first; generated ones apart."""
    of_files, of_functions = [], []
    for file in files():
        if "/generated/" in file:
            continue
        of_files.append((len((ROOT / file).read_text(encoding="utf-8").splitlines()), file))
        for node in ast.walk(tree_of(file)):
            if isinstance(node, ast.FunctionDef):
                size = (node.end_lineno or node.lineno) - node.lineno + 1
                of_functions.append((size, f"{file}:{node.name}"))
    return sorted(of_files, reverse=True), sorted(of_functions, reverse=True)


def folders() -> Counter[str]:
    """The number of modules in each folder, `__init__` apart."""
    return Counter(str(Path(file).parent) for file in files() if not file.endswith("__init__.py"))


def bare_any() -> int:
    """Annotations that are a bare `Any`."""
    count = 0
    for file in files():
        for node in ast.walk(tree_of(file)):
            notes = []
            if isinstance(node, ast.arg):
                notes = [node.annotation]
            elif isinstance(node, ast.FunctionDef):
                notes = [node.returns]
            elif isinstance(node, ast.AnnAssign):
                notes = [node.annotation]
            count += sum(isinstance(note, ast.Name) and note.id == "Any" for note in notes)
    return count


def mixins() -> dict[str, int]:
    """Classes with more than three bases of ours: slices of one object."""
    return {
        f"{file}:{node.name}": len(node.bases)
        for file in files()
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.ClassDef) and len(node.bases) > 3
    }


def main() -> None:
    found = [one for one in imports() if not one.typing]
    print("packages, and what each may import")
    sizes = Counter(package_of(file) for file in files())
    for package, others in LAW.items():
        print(f"  {package:24} {sizes[package]:4} files  <- {', '.join(others)}")
    for stranger in strangers():
        print(f"  against the law: {stranger}")
    print(
        f"imports: {len(found)}, inside functions {len(late())}, without a reason {len(unexplained())}"
    )
    print(f"circles at the top level: {len(circles(o for o in found if not o.late))}")
    print(f"circles, late imports counted: {len(circles(found))}")
    for component in circles(found):
        print(f"  {len(component)}: {', '.join(component)}")
    of_files, of_functions = lengths()
    print("longest files")
    for size, name in of_files[:10]:
        print(f"  {size:4} {name}")
    print("longest functions")
    for size, name in of_functions[:10]:
        print(f"  {size:4} {name}")
    print("largest folders")
    for folder, count in folders().most_common(10):
        print(f"  {count:4} {folder}")
    print(f"classes with more than three bases: {mixins()}")
    print(f"annotations that are a bare Any: {bare_any()}")
    print(f"lines: {sum(size for size, _ in of_files)} in {len(of_files)} files")


if __name__ == "__main__":
    main()
