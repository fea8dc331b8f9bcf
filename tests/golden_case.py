"""A golden file: a program, what is asked of it, and below `# output` the text we generate."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.objects.pytree import basis, flatten, map_leaves
from retrograd.runtime.user.type_text import pieces
from retrograd.transforms.api import Chain, chain_of, chain_value, unwrap
from retrograd.transforms.signatures.signature_text import parse_signature
from retrograd.transforms.specialise.compile import render
from retrograd.transforms.wrt import resolved

FOLDER = Path(__file__).parent / "golden"
MARK = "# output\n"


@dataclass
class Case:
    """One file of `tests/golden`."""

    path: Path
    made: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.path.stem

    @cached_property
    def parts(self) -> tuple[str, str]:
        """The program, and the expected output (empty where there is none yet)."""
        program, _, output = self.path.read_text().partition("\n" + MARK)
        return program.rstrip("\n") + "\n", output

    def header(self, word: str) -> str | None:
        found = re.search(rf"^# {word}: (.*)$", self.parts[0], re.MULTILINE)
        return found[1].strip() if found else None

    @cached_property
    def module(self) -> ModuleType:
        """The program, loaded so that errors and source texts find the file."""
        made = ModuleType(f"tests.golden.{self.name}")
        made.__file__ = str(self.path)
        sys.modules[made.__name__] = made
        exec(compile(self.parts[0], str(self.path), "exec"), made.__dict__)
        return made

    @cached_property
    def chain(self) -> Chain:
        name = str(self.header("differentiate")).partition(" wrt ")[0]
        return chain_of(getattr(self.module, name))

    @property
    def function(self) -> Callable[..., Any]:
        return self.chain.fn

    @cached_property
    def wrt(self) -> tuple[Place, ...]:
        names = str(self.header("differentiate")).partition(" wrt ")[2]
        return self.chain.positions(pieces(names))[0]

    @property
    def kind(self) -> str:
        return "jvp" if self.header("mode") == "forward" else "grad"

    def arguments(self) -> list[Any]:
        named = getattr(self.module, "keywords", dict)()
        return self.chain.bind(tuple(self.module.arguments()), named)

    def generate(self, kind: str | None = None) -> Any:
        """The text of the derivative: for `# sig:` if there is one, else for `arguments()`."""
        described = self.header("sig")
        types = parse_signature(described) if described else self.chain.types(self.arguments())
        chain = self.derived(kind or self.kind)
        return render(chain.fn, types, resolved(chain, types), unwrap)[0]

    def derived(self, kind: str) -> Chain:
        return self.chain.then(kind, self.wrt, len(self.wrt) == 1)

    def value(self, args: list[Any]) -> Any:
        return chain_value(self.chain, args)

    def generated(self, kind: str) -> Any:
        """The same, made once."""
        if kind not in self.made:
            self.made[kind] = self.generate(kind)
        return self.made[kind]

    def whole(self) -> str:
        """The file as it should be."""
        return f"{self.parts[0]}\n\n{MARK}{self.generate().text}"

    def numeric(self) -> np.ndarray:
        """Central differences along every entry of the arguments differentiated by, one by one."""
        args = self.arguments()
        slopes = []
        for k in self.wrt:
            for _, _, direction in basis(k.of(args)):
                ends = [
                    float(self.value(moved(self.arguments(), k, direction, t)))
                    for t in (1e-6, -1e-6)
                ]
                slopes.append((ends[0] - ends[1]) / 2e-6)
        return np.array(slopes)


def moved(args: list[Any], k: Place, direction: Any, t: float) -> list[Any]:
    steps = iter(flatten(direction)[0])
    return k.put(args, map_leaves(lambda v: v + t * next(steps), k.of(args)))


def flat(tree: Any) -> np.ndarray:
    """Every number in a gradient, in order."""
    parts = [np.ravel(np.asarray(v, float)) for v in flatten(tree)[0]]
    return np.concatenate(parts) if parts else np.zeros(0)


def cases() -> Iterator[Case]:
    for path in sorted(FOLDER.glob("*.py")):
        if path.stem != "__init__":
            yield Case(path)
