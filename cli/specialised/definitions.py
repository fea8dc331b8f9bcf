"""The text of what is left of the helpers, each definition after what it refers to, under names of the text."""

from __future__ import annotations

import ast
import copy
from typing import Any

from retrograd.compiler.emit.printer.printer import write

from .sources import Key, names_beside, split
from .world import World

__all__ = ["Definitions"]


class Definitions:
    """Names in the text: ``rt_<name>`` for definitions, their own for what is imported."""

    def __init__(
        self, world: World, functions: dict[Key, ast.FunctionDef], spoken: dict[Key, str]
    ) -> None:
        self.world, self.functions, self.spoken = world, functions, spoken
        self.names: dict[Key, str] = {}
        self.found: list[str] = []
        self.imports: set[str] = set()

    def expression(self, tree: Any) -> Any:
        """An expression of the text with the names that it has there; what they mean is written."""
        return self.renamed(tree)

    def name(self, key: Key) -> str:
        """The name of a definition in the text, which is written if it is not yet there."""
        line = self.world.sources.import_line(key)
        if line is not None:
            self.imports.add(line)
            return key[1]
        if key not in self.names:
            node = self.functions.get(key) or self.world.sources.statement(key)
            for name in names_beside(key):  # a statement may bind several
                self.names[key[0], name] = self.free((key[0], name))
            self.names.setdefault(key, self.free(key))
            made = self.renamed(node)
            if isinstance(made, (ast.FunctionDef, ast.ClassDef)):
                made.name = self.names[key]
            self.found.append(write(ast.fix_missing_locations(made)).strip())
        return self.names[key]

    def free(self, key: Key) -> str:
        """The name that the text gives a definition, or one that it gives to no other."""
        if key in self.spoken:
            return self.spoken[key]
        made, k = f"rt_{key[1].strip('_')}", 1
        while made in self.names.values() or made in self.spoken.values():
            k += 1
            made = f"rt_{key[1].strip('_')}_{k}"
        return made

    def renamed(self, tree: Any) -> Any:
        made = copy.deepcopy(tree)
        names = [n for n in ast.walk(made) if isinstance(n, ast.Name) and "::" in n.id]
        for node in sorted(names, key=lambda n: n.id):
            node.id = self.name(split(node.id))
        return made
