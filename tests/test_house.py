"""The house rules: what is listed is what lies there, who may import whom, how files look."""

from __future__ import annotations

import ast
import importlib
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import house

pytestmark = pytest.mark.quick
ROOT = Path(__file__).resolve().parent.parent
PARTS = ("cli", "compiler", "runtime")
OF_THE_FACE = sorted(  # packages in retrograd/ itself
    str(path.parent.relative_to(ROOT / "retrograd"))
    for path in (ROOT / "retrograd").rglob("*/__init__.py")
    if path.relative_to(ROOT / "retrograd").parts[0] not in PARTS
)
FOLDERS = (*PARTS, "tests", "examples", "benchmarks", "tools")
GENERATED = ROOT / "runtime" / "generated" / "adjoints.py"
OF_SCIPY = ROOT / "runtime" / "generated" / "adjoints_scipy.py"
LONGEST = 500
LONGEST_TEST = 600  # tables of samples and programs


def python_files(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return sorted([*found, *face_files()])


def face_files() -> list[Path]:
    """The modules of the face, and those of the packages in it."""
    face = ROOT / "retrograd"
    return [
        path
        for pattern in ("*.py", *(f"{name}/*.py" for name in OF_THE_FACE))
        for path in face.glob(pattern)
    ]


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imported(path: Path) -> Iterator[str]:
    """Absolute names of the modules a file imports; a relative import may not leave its part."""
    depth = len(path.relative_to(ROOT).parts) - 1
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level <= depth, f"{path} leaves its part by a relative import"
            if node.level == 0 and node.module == "retrograd":
                yield from (f"retrograd.{alias.name}" for alias in node.names)
            elif node.level == 0:
                yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def reached(path: Path) -> Iterator[tuple[str, str]]:
    """What a file takes from this package: (part, full name); part "" is the face."""
    for name in imported(path):
        package, _, inner = name.partition(".")
        if package == "retrograd":
            part = inner.partition(".")[0]
            yield (part if part in PARTS else ""), name


def packages_found() -> set[str]:
    found = {"retrograd", *(f"retrograd.{name.replace('/', '.')}" for name in OF_THE_FACE)}
    for part in PARTS:
        for init in (ROOT / part).rglob("__init__.py"):
            found.add(".".join(("retrograd", *init.parent.relative_to(ROOT).parts)))
    return found


def test_every_package_is_listed() -> None:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    setuptools = table["tool"]["setuptools"]
    assert set(setuptools["packages"]) == packages_found()
    assert set(setuptools["package-dir"]) == packages_found()
    for name, folder in setuptools["package-dir"].items():
        assert name.removeprefix("retrograd.") == folder.removeprefix("retrograd/").replace(
            "/", "."
        )


@pytest.mark.parametrize("part", PARTS)
def test_every_folder_of_modules_is_a_package(part: str) -> None:
    folders = {path.parent for path in (ROOT / part).rglob("*.py")}
    assert all((folder / "__init__.py").is_file() for folder in folders)


@pytest.mark.parametrize("part", PARTS)
def test_part_is_linked_into_the_package(part: str) -> None:
    link = ROOT / "retrograd" / part
    assert link.is_symlink()
    assert os.readlink(link) == f"../{part}"


def test_packages_import_as_the_law_says() -> None:
    assert house.strangers() == []


def test_no_imports_in_a_circle() -> None:
    """Those inside functions are counted: a circle that waits is a circle."""
    assert house.circles(one for one in house.imports() if not one.typing) == []


def test_late_imports_have_a_reason() -> None:
    assert house.unexplained() == []


def test_no_folder_is_crowded() -> None:
    assert {name: n for name, n in house.folders().items() if n > house.CROWDED} == {}


def test_no_class_is_put_together_from_slices() -> None:
    assert house.mixins() == {}


@pytest.mark.parametrize("part", PARTS)
def test_imports_inside_a_part_are_relative(part: str) -> None:
    for path in (ROOT / part).rglob("*.py"):
        if not path.stem.startswith("adjoints"):
            for target, name in reached(path):
                assert target != part, f"{shown(path)} imports {name} by its absolute name"


def test_no_file_is_too_long() -> None:
    lengths = {
        shown(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in python_files(*FOLDERS)
        if not path.stem.startswith("adjoints")
    }
    long = {
        name: n
        for name, n in lengths.items()
        if n > (LONGEST_TEST if name.startswith("tests") else LONGEST)
    }
    assert long == {}


def test_every_module_says_what_it_is() -> None:
    silent = []
    for path in python_files(*FOLDERS):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if tree.body and not (ast.get_docstring(tree) or "").strip():
            silent.append(shown(path))
    assert silent == []


def test_public_names_are_sorted_and_complete() -> None:
    face = importlib.import_module("retrograd")
    listed = face.__all__
    assert list(listed) == sorted(set(listed))
    loaded_lazily = set(face.HOMES)
    assert set(listed) == loaded_lazily | {"__version__", "errors"}
    for name in listed:
        assert getattr(face, name) is not None


def test_every_error_is_explained() -> None:
    errors = importlib.import_module("retrograd.runtime.errors")
    explained = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    for name in errors.__all__:
        if name != "Place":
            assert f"## {name}\n" in explained, f"docs/errors.md does not explain {name}"


def test_generated_adjoints_are_fresh() -> None:
    """`make rules` writes them anew."""
    emit_rules = importlib.import_module("retrograd.compiler.bookgen.adjoint_modules")
    for path, text in emit_rules.files().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run `make rules`"


def test_the_table_of_helpers_is_fresh() -> None:
    """`make rules` writes it anew, too."""
    emit_homes = importlib.import_module("retrograd.compiler.bookgen.helper_index")
    table = ROOT / "runtime" / "helper_index.py"
    assert table.read_text(encoding="utf-8") == emit_homes.emit()


def test_every_helper_that_is_exported_has_a_home() -> None:
    """Also one that a family has from elsewhere."""
    from retrograd import runtime
    from retrograd.runtime.helper_index import HOMES

    index = importlib.import_module("retrograd.compiler.bookgen.helper_index")
    for family in index.families():
        assert set(index.exported(index.path_of(family))) <= HOMES.keys()
    assert all(getattr(runtime, name) is not None for name in HOMES)


def test_no_module_hides_a_helper() -> None:
    """``import retrograd.runtime.x`` binds ``x`` in the package, where generated code looks for helpers."""
    from retrograd.runtime.helper_index import HOMES

    assert not HOMES.keys() & {path.stem for path in (ROOT / "runtime").iterdir()}


def test_generated_adjoints_reach_only_numpy_and_the_runtime() -> None:
    assert set(imported(GENERATED)) <= {
        "__future__",
        "math",
        "numpy",
        "retrograd.runtime",
        "helpers",
    }
