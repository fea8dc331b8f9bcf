"""Targets of commands: ``path/model.py:loss``, ``package.model:loss``, ``model.py:Net.f``."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import os
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from .terminal.suggestions import close_to
from .texts.methods import forwarding
from .texts.program_text import files_with

__all__ = ["PRIVATE", "NotFound", "Target", "resolve", "shown"]

PRIVATE = "_retrograd_target_"


class NotFound(Exception):
    """There is no such file, module or function; the message says what there is."""


@dataclass(frozen=True)
class Target:
    """A function that was found: ``module`` is the name generated text imports from."""

    function: Any
    place: str
    path: str
    module: str
    loaded: ModuleType
    owner: type | None = None  # of a method that takes its object first

    @property
    def spelled(self) -> str:
        return f"{self.place}:{self.path}"


def resolve(text: str) -> Target:
    """The function that ``FILE:FUNCTION`` or ``module:function`` names."""
    place, colon, path = text.rpartition(":")
    if not colon or text.endswith(".py"):
        place, path = text, ""
    if looks_like_file(place):
        loaded, module = load_file(place), Path(place).stem
        place = shown(place)
    else:
        loaded, module = load_module(place), place
    if not path:
        raise NotFound(f"which function of {place}? {listed(loaded, place)}")
    owner, found = walk(loaded, place, path)
    of_object = owner if takes_object(owner, path) else None
    return Target(forwarding(found), place, path, module, loaded, of_object)


def shown(file: str) -> str:
    """A path as it is written into a text: below the working folder, without what is above it.

    >>> shown(os.path.join(os.getcwd(), "sub", "model.py"))
    'sub/model.py'
    """
    path = Path(file)
    inside = path.is_absolute() and path.is_relative_to(Path.cwd())
    return (path.relative_to(Path.cwd()) if inside else path).as_posix()


def looks_like_file(place: str) -> bool:
    return place.endswith(".py") or "/" in place or os.sep in place


# -- loading ----------------------------------------------------------------------------


def load_file(place: str) -> ModuleType:
    """A file's module under a private name, its folder importable; its main part does not run."""
    path = Path(place)
    if not path.is_file():
        folder = path.parent
        names = [f.name for f in folder.glob("*.py")] if folder.is_dir() else []
        raise NotFound(f"there is no file {place}{close_to(path.name, names)}")
    reach(str(path.resolve().parent))
    name = PRIVATE + "".join(c if c.isalnum() else "_" for c in path.stem)
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise NotFound(f"{place} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with user_code(place):
        spec.loader.exec_module(module)
    return module


def load_module(name: str) -> ModuleType:
    """An importable module, the working folder being one place to look."""
    reach(os.getcwd())
    if not all(part.isidentifier() for part in name.split(".")):
        raise NotFound(f"{name!r} is neither a file (path/model.py) nor a module (package.model)")
    for end in range(1, name.count(".") + 2):
        part = ".".join(name.split(".")[:end])
        with user_code(part):
            missing = importlib.util.find_spec(part) is None
        if missing:
            raise NotFound(f"there is no module {part}{guess_file(name)}")
        with user_code(part):
            loaded = importlib.import_module(part)
    return loaded


def reach(folder: str) -> None:
    if folder not in sys.path:
        sys.path.insert(0, folder)


def guess_file(name: str) -> str:
    """A file of that name, or one that has such a function."""
    path = Path(*name.split(".")).with_suffix(".py")
    if path.is_file():
        return f"; did you mean {path.as_posix()}:...?"
    found = files_with(name, Path.cwd())
    return f"; did you mean {' or '.join(f'{file}:{name}' for file in found)}?" if found else ""


class user_code(contextlib.AbstractContextManager["user_code"]):
    """Runs the user's file: what it prints goes to stderr, what it raises is the user's to see."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.aside = contextlib.redirect_stdout(sys.stderr)

    def __enter__(self) -> user_code:
        self.aside.__enter__()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.aside.__exit__(kind, error, trace)
        if isinstance(error, (Exception, SystemExit)):
            raise NotFound(f"{self.place} cannot be imported:\n{told(error)}") from None


def told(error: BaseException) -> str:
    """The user's part of the traceback, and the way out where we know one."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if is_users(f.filename)]
    lines = traceback.format_list(frames) + traceback.format_exception_only(error)
    if "relative import" in str(error):
        lines.append("it belongs to a package: name it by module, as in `package.module:function`")
    return "".join(lines).rstrip()


def is_users(file: str) -> bool:
    own = [os.path.realpath(os.path.dirname(str(f))) for f in (__file__, importlib.__file__)]
    return "<frozen " not in file and os.path.dirname(os.path.realpath(file)) not in own


# -- finding ----------------------------------------------------------------------------


def walk(loaded: ModuleType, place: str, path: str) -> tuple[Any, Any]:
    """The object at a dotted path, and the one it is an attribute of."""
    owner: Any = None
    found: Any = loaded
    for depth, part in enumerate(path.split(".")):
        owner = found
        try:
            found = plain(owner, part)
        except AttributeError:
            where = ".".join([place, *path.split(".")[:depth]]) if depth else place
            names = [n for n in dir(owner) if callable(getattr(owner, n, None)) and n[:2] != "__"]
            hint = close_to(part, names) or f"; {listed(loaded, place)}"
            raise NotFound(f"{where} has no {part!r}{hint}") from None
    if not callable(found):
        kind = type(found).__name__
        raise NotFound(
            f"{place}:{path} is no function (it is of type {kind}); {listed(loaded, place)}"
        )
    if inspect.isclass(found):
        raise NotFound(f"{place}:{path} is a class; name a function of it, as in {path}.method")
    return owner, found


def plain(owner: Any, name: str) -> Any:
    """An attribute as the function that was written; of a class method, the one that has its class."""
    if not inspect.isclass(owner):
        return getattr(owner, name)
    found = inspect.getattr_static(owner, name)
    if isinstance(found, classmethod):
        return getattr(owner, name)
    return found.__func__ if isinstance(found, staticmethod) else found


def takes_object(owner: Any, path: str) -> bool:
    """True if the first parameter is an object of the class."""
    if not inspect.isclass(owner):
        return False
    found = inspect.getattr_static(owner, path.rpartition(".")[2])
    return not isinstance(found, (staticmethod, classmethod))


def functions_of(loaded: ModuleType) -> list[str]:
    """The functions a module defines itself, in order."""
    own = loaded.__name__
    return [
        name
        for name, value in vars(loaded).items()
        if getattr(value, "__module__", None) == own
        and callable(value)
        and not inspect.isclass(value)
    ]


def listed(loaded: ModuleType, place: str) -> str:
    names = functions_of(loaded)
    more = ", ..." if len(names) > 12 else ""
    return f"{place} has {', '.join(names[:12])}{more}" if names else f"{place} has no functions"
