"""One operation under examination: its samples, what is compiled of them, and what fails, by aspect and sample."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from retrograd.runtime.rules.book import book
from tests import scope

from .harness import Case, name_of, samples
from .sample import Sample

__all__ = ["ASPECTS", "Aspect", "Examination", "aspect"]


class Aspect(NamedTuple):
    """Something that must hold of every operation, tried on its samples."""

    name: str
    check: Callable[[Examination], None]
    ignored: tuple[str, ...]  # warnings that are no failures here, by the start of their messages
    quick: bool

    def examine(self, operation: Examination) -> None:
        """Try it; an error outside of a sample is a failure of the aspect."""
        with warnings.catch_warnings():
            for message in self.ignored:
                warnings.filterwarnings("ignore", message)
            operation.aspect = self.name
            with operation.failing("the operation"):
                self.check(operation)


ASPECTS: list[Aspect] = []


def aspect(*, ignoring: tuple[str, ...] = (), quick: bool = False) -> Callable[[Any], Any]:
    """Register an aspect; the ``quick`` ones are looked at in quick runs, too."""

    def register(check: Callable[[Examination], None]) -> Callable[[Examination], None]:
        ASPECTS.append(Aspect(check.__name__.replace("_", " "), check, ignoring, quick))
        return check

    return register


class Examination:
    """An operation, with everything that several aspects need made once."""

    def __init__(self, operation: Any) -> None:
        self.operation = operation
        self.name = name_of(operation)
        self.has_rule = operation in book.rules
        self.aspect = ""
        self.failures: list[Exception] = []
        self._cases: dict[Any, Case | None] = {}

    @property
    def samples(self) -> list[Sample]:
        return samples().get(self.operation, [])

    def chosen(self, **fields: Any) -> list[tuple[int, Sample]]:
        """The samples with these fields: the first in a short run, all of them where it is tried whole."""
        found = [
            (number, sample)
            for number, sample in enumerate(self.samples)
            if all(getattr(sample, k) == v for k, v in fields.items())
        ]
        return found if scope.is_whole(self.name) else found[:1]

    def each(
        self,
        check: Callable[[Case, Sample], Any],
        typed: bool,
        dtype: Any = np.float64,
        **fields: Any,
    ) -> None:
        """Hold a law of every sample in which something can be differentiated."""
        for number, sample in self.chosen(**fields):
            words = "typed" if typed else "untyped"
            with self.failing(f"sample {number}, {words}, {np.dtype(dtype)}: {sample}"):
                case = self.case(number, typed, dtype)
                if case is not None:
                    check(case, sample)

    def case(self, number: int, typed: bool, dtype: Any) -> Case | None:
        key = number, typed, dtype
        if key not in self._cases:
            self._cases[key] = Case.of(self.operation, self.samples[number], typed, dtype)
        return self._cases[key]

    @contextlib.contextmanager
    def failing(self, where: str) -> Iterator[None]:
        """The body may fail; what else there is to try is tried all the same."""
        try:
            yield
        except Exception as error:
            error.add_note(f"{self.name}, {self.aspect}, {where}")
            self.failures.append(error)

    def report(self) -> None:
        """Raise all failures together, if there are any."""
        if self.failures:
            lines = [f"{len(self.failures)} failures", *map(in_a_line, self.failures)]
            raise ExceptionGroup("\n".join(lines), self.failures)


def in_a_line(error: Exception) -> str:
    said = next((line for line in str(error).splitlines() if line.strip()), "")
    return f"{error.__notes__[-1]}: {type(error).__name__}: {said}"
