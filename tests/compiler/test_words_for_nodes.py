"""Messages call what a program holds by words of the user's, never by a class of the compiler's."""

from __future__ import annotations

import inspect

from retrograd.compiler.lowering import nodes

OWN = {
    name
    for name, value in vars(nodes).items()
    if inspect.isclass(value) and value.__module__ == nodes.__name__ and name != "Unknown"
}


def test_every_node_has_words() -> None:
    assert OWN - set(nodes.WORDS) == set()


def test_a_method_has_its_name() -> None:
    assert nodes.describe(nodes.BoundUser(test_every_node_has_words, None)).endswith("has_words")
