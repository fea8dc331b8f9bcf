"""A row as a program: its text as a function of the inputs it names, and a scalar function of that."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from .inputs import inputs

__all__ = ["Row", "forms", "imports", "program", "rows", "weighed"]

HERE = Path(__file__).parent

NAMES = tuple(inputs())
MODULES = {
    "np": "import numpy as np", "onp": "import numpy as onp", "math": "import math", "cmath": "import cmath",
    "la": "import numpy.linalg as la", "fft": "import numpy.fft as fft",
    "sf": "import scipy.fft as sf", "si": "import scipy.integrate as si",
    "sip": "import scipy.interpolate as sip", "sl": "import scipy.linalg as sl",
    "nd": "import scipy.ndimage as nd", "so": "import scipy.optimize as so",
    "sg": "import scipy.signal as sg", "ssp": "import scipy.sparse as ssp",
    "sspl": "import scipy.sparse.linalg as sspl", "ssd": "import scipy.spatial.distance as ssd",
    "str_": "from scipy.spatial.transform import Rotation as str_",
    "sp": "import scipy.special as sp", "st": "import scipy.stats as st",
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One operation: how it is written in a program, and whether complex arguments are asked."""

    name: str
    kind: str
    priority: int
    complex: bool
    expression: str
    note: str

    @property
    def body(self) -> str:
        whole = re.search(r"(^|;|\n)\s*return ", self.expression)
        return f"    {'' if whole else 'return '}{self.expression}"

    @property
    def globals(self) -> list[str]:
        return global_names(compile(f"def f():\n{self.body}\n", self.name, "exec"))

    @property
    def arguments(self) -> list[str]:
        used = set(self.globals)
        return [name for name in NAMES if name in used]

    @property
    def function(self) -> str:
        """The first function the row names."""
        return self.name.partition("(")[0]


def global_names(code: CodeType) -> list[str]:
    found = [name for name in code.co_names if name not in code.co_varnames]
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            found += global_names(inner)
    return list(dict.fromkeys(found))


def rows() -> list[Row]:
    """The rows of the list, in its order."""
    with (HERE / "operations.csv").open(newline="") as file:
        return [
            Row(
                r["name"],
                r["kind"],
                int(r["priority"]),
                bool(r["complex"]),
                r["expression"],
                r["note"],
            )
            for r in csv.DictReader(file)
        ]


def forms() -> list[Row]:
    """The lines of ``forms.txt``, as rows of their own."""
    lines = (HERE / "forms.txt").read_text(encoding="utf-8").splitlines()
    texts = [line.replace("; ", "\n    ") for line in lines]
    return [Row(text, "form", 1, False, text, "") for text in texts]


def imports(row: Row) -> list[str]:
    return [MODULES[name] for name in dict.fromkeys(["np", *row.globals]) if name in MODULES]


def program(row: Row, value: Any) -> str:
    """A module with the row as ``f`` and a scalar ``total`` that weighs every float of its result."""
    named = ", ".join(row.arguments)
    return "\n".join(
        [
            *imports(row),
            "",
            f"def f({named}):",
            row.body,
            "",
            f"def total({named}):",
            f"    y = f({named})",
            f"    return {weighed('y', value) or '0.0'}",
            "",
        ]
    )


def weighed(name: str, value: Any) -> str:
    """``np.sum(weigh(k, shape) * y[k]) + ...`` over the float leaves of the result."""
    terms = []
    for path, leaf in leaves(value):
        kind = np.asarray(leaf).dtype.kind
        if kind == "O":
            kind = np.asarray(np.asarray(leaf).tolist()).dtype.kind
        if kind not in "fc":
            continue
        at = f"{name}{path}"
        c = f"WEIGHTS[{len(terms)}]"
        terms.append(f"np.sum(np.real({c} * {at}))" if kind == "c" else f"np.sum({c} * {at})")
    return " + ".join(terms)


def weights(value: Any) -> list[Any]:
    """What ``WEIGHTS`` stands for, fixed for a result of these shapes."""
    rng = np.random.default_rng(5)
    found = []
    for _, leaf in leaves(value):
        shape = np.shape(leaf)
        c = rng.uniform(0.5, 1.5, shape)
        if np.iscomplexobj(leaf):
            c = c + 1j * rng.uniform(-1.0, 1.0, shape)
        if np.asarray(leaf).dtype.kind in "fcO":
            found.append(c if shape else c[()])
    return found


def leaves(value: Any, path: str = "") -> list[tuple[str, Any]]:
    if isinstance(value, tuple | list):
        return [pair for k, v in enumerate(value) for pair in leaves(v, f"{path}[{k}]")]
    return [(path, value)]
