"""Other people's code, as a program meets it: nothing here can be compiled.

It says that it is of an installed package: ``__name__`` decides, as it does for the real ones.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

LOG: list[str] = []


def tell(what: str) -> None:
    _ = {what}
    LOG.append(what)


class Column:
    """A column of a table, with operators of its own."""

    def __init__(self, values: Any) -> None:
        self._values = np.asarray(values, dtype=float)

    def __getattribute__(self, name: str) -> Any:
        return object.__getattribute__(self, name)

    @property
    def values(self) -> Any:
        return self._values

    def to_numpy(self) -> Any:
        return self._values

    def __mul__(self, other: Any) -> Column:
        return Column(self._values * other)

    def __add__(self, other: Any) -> Column:
        return Column(self._values + other)

    def __getitem__(self, k: Any) -> Any:
        return self._values[k]

    def __iter__(self) -> Iterator[Any]:
        yield from self._values


class Table:
    """Columns by name."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self._columns = {k: v if isinstance(v, Column) else Column(v) for k, v in columns.items()}
        self.scale = 1.0

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __setitem__(self, name: str, column: Column) -> None:
        self._columns[name] = column

    def __getattr__(self, name: str) -> Any:
        columns = self.__dict__.get("_columns", {})
        if name in columns:
            return columns[name]
        raise AttributeError(name)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())).values)

    def count(self) -> int:
        return len({*range(len(self))})

    def copy(self) -> Table:
        return Table(dict(self._columns))

    def iterrows(self) -> Iterator[Any]:
        for k in range(len(self)):
            yield k, {name: column[k] for name, column in self._columns.items()}


class Bar:
    """A progress bar: it says what it does while it is gone over."""

    def __init__(self, items: Any, desc: str = "") -> None:
        self.items, self.desc, self.n = items, desc, 0

    def __iter__(self) -> Iterator[Any]:
        for item in self.items:
            self.n += 1
            LOG.append(f"item {self.n}")
            yield item

    def describe(self, text: str) -> None:
        self.desc = text
        LOG.append(f"described {text[-1]}")


def progress(items: Any, **options: Any) -> Bar:
    return Bar(items, **options)


class Simulator:
    """It hands out its own buffer, and writes to it."""

    def __init__(self) -> None:
        self.buffer = np.array([1.0, 2.0, 3.0])

    def state(self) -> Any:
        return self.buffer

    def step(self) -> None:
        self.buffer += 1.0

    def batches(self) -> Iterator[Any]:
        for k in range(3):
            self.buffer[:] = k + 1.0
            yield self.buffer


class Keeper:
    """It keeps what it is given."""

    def __init__(self) -> None:
        self.kept: Any = 0.0

    def keep(self, a: Any) -> None:
        _ = {1}
        self.kept = a

    def total(self) -> float:
        return float(np.sum(self.kept))


class Scaler:
    def fit(self, rows: Any) -> Scaler:
        _ = {1}
        self.mean, self.scale = rows.mean(0), rows.std(0)
        return self

    def transform(self, rows: Any) -> Any:
        _ = {1}
        return (rows - self.mean) / self.scale


class Registry:
    def __init__(self) -> None:
        self.entries: dict[str, Callable[..., Any]] = {"square": np.square}

    def find(self, name: str) -> Callable[..., Any]:
        found = {k: v for k, v in self.entries.items() if k in {name}}
        return found[name]


def namespace_of(*arrays: Any) -> Any:
    kinds = {type(a) for a in arrays}
    return np if kinds else None


def namespace_and_flag(*arrays: Any) -> Any:
    return namespace_of(*arrays), len({*map(type, arrays)}) > 1


def by_sign(x: Any) -> Any:
    return {True: np.sin, False: np.cos}[bool(np.all(np.asarray(x) > 0))]


KEEPER, REGISTRY = Keeper(), Registry()


def installed(module_name: str = __name__, name: str = "others_of_tests") -> None:
    """Be a package of somebody else's: one that stands among the installed ones."""
    module = sys.modules[module_name]
    for value in list(vars(module).values()):
        if getattr(value, "__module__", None) == module_name:
            value.__module__ = name
    stand_in = type(sys)(name)
    stand_in.__file__ = f"/site-packages/{name}.py"
    stand_in.__dict__.update({k: v for k, v in vars(module).items() if not k.startswith("__")})
    sys.modules[name] = stand_in


installed()
