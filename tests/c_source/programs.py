"""C files, compiled with every warning an error, and called with NumPy's arrays."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from retrograd.compiler.native.c_source.module_text import Files

__all__ = ["FLAGS", "MAKERS", "Compiled", "compiled"]

FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic", "-Werror")
MAKERS = [name for name in ("gcc", "clang", "cc") if shutil.which(name)]
if len(MAKERS) > 1 and "cc" in MAKERS:
    MAKERS.remove("cc")
DTYPES = {"f8": np.float64, "f4": np.float32, "i8": np.int64, "b1": np.uint8}
NUMBERS = {"f8": ctypes.c_double, "f4": ctypes.c_float, "i8": ctypes.c_int64, "b1": ctypes.c_int}
STEPS = 2000


class Compiled:
    """A C function for NumPy's arrays."""

    def __init__(self, files: Files, library: Path) -> None:
        self.files, self.library = files, ctypes.CDLL(str(library))

    def __call__(self, arguments: list[Any]) -> list[Any]:
        """The results, for arguments in the order of the signature, containers taken apart."""
        f, sizes = self.files, {}
        given: list[Any] = []
        held: list[Any] = []
        for (name, code, _), value in zip(f.parameters, arguments, strict=True):
            if code.endswith("[]"):
                array = np.ascontiguousarray(value, DTYPES[code[:-2]]).copy()
                held.append(array)
                given.append(pointer(array))
                sizes[name] = array.shape
            else:
                given.append(self.number(code)(value))
        named = self.named_sizes(sizes)
        integer = ctypes.c_int if f.integer == "int" else ctypes.c_int64
        given += [integer(named[n]) for n in f.sizes]
        given += [integer(STEPS)] * f.taped
        results = [self.room(code, shape, named) for code, shape in f.results.values()]
        given += map(pointer, results)
        scalars = {
            n: v.value
            for (n, c, _), v in zip(f.parameters, given, strict=False)
            if not c.endswith("[]")
        }
        for workspace in f.workspaces:
            room = np.full(
                self.size(workspace, named | scalars),
                77,
                DTYPES[{"work": "f8", "fwork": "f4", "iwork": "i8", "bwork": "b1"}[workspace]],
            )
            held.append(room)
            given.append(pointer(room))
        function = getattr(self.library, f.name)
        function.restype = ctypes.c_int
        code = function(*given)
        if code:
            raise ArithmeticError(f"{f.name} returned {code}")
        return results

    def number(self, code: str) -> Any:
        return ctypes.c_int if code == "i8" and self.files.integer == "int" else NUMBERS[code]

    def named_sizes(self, shapes: dict[str, Any]) -> dict[str, int]:
        found: dict[str, int] = {}
        for name, shape in shapes.items():
            for word, n in zip(self.files.dims[name], shape, strict=True):
                if not word.isdigit():
                    assert found.setdefault(word, n) == n, f"{word} is {found[word]} and {n}"
                else:
                    assert int(word) == n
        return found

    def room(self, code: str, shape: tuple[str, ...], named: dict[str, int]) -> Any:
        dims = tuple(int(eval(n, {}, dict(named))) for n in shape)
        if not shape and code in ("b1", "i8"):
            return np.full(
                (), 7, np.int32 if code == "b1" or self.files.integer == "int" else np.int64
            )
        return np.full(dims, 7, DTYPES[code])

    def size(self, workspace: str, values: dict[str, Any]) -> int:
        known = self.files.rooms[workspace]
        if isinstance(known, int):
            return known
        count = getattr(self.library, f"{self.files.name}_{workspace}")
        count.restype = ctypes.c_size_t
        return int(count(*[ctypes.c_int64(STEPS if n == "n_steps" else values[n]) for n in known]))


def pointer(array: Any) -> Any:
    return array.ctypes.data_as(ctypes.c_void_p)


def compiled(
    files: Files,
    folder: Path,
    maker: str = MAKERS[0] if MAKERS else "cc",
    extra: tuple[str, ...] = (),
) -> Compiled:
    """A function, compiled with every warning an error."""
    stem = files.stem
    (folder / f"{stem}.h").write_text(files.header)
    (folder / f"{stem}.c").write_text(files.source)
    library = folder / f"{stem}_{maker}.so"
    command = [
        maker,
        *FLAGS,
        *(extra or ("-O2",)),
        "-shared",
        "-fPIC",
        f"{stem}.c",
        "-o",
        str(library),
        "-lm",
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:4000]
    return Compiled(files, library)
