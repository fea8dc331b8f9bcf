"""Several texts in one: what is shared, what is renamed, what is told once."""

from __future__ import annotations

import ast
from typing import Any

from retrograd.cli.texts.joined_texts import Piece, joined
from retrograd.compiler.emit.helper_notes import note

HEAD = '"""Derivative of `{0}` in m.py, line 1: reverse mode.\n\nWritten by\n    retrograd\n"""\n\n'


def piece(name: str, text: str) -> Piece:
    return Piece(HEAD.format(name) + text, f"{name}_grad", {}, {})


def whole(*pieces: Piece) -> str:
    text = joined(list(pieces), "1.0", "", "retrograd sync m.py")
    ast.parse(text)
    return text


def values(text: str) -> dict[str, Any]:
    scope: dict[str, Any] = {}
    exec(text, scope)
    return scope


def test_what_is_the_same_stands_there_once() -> None:
    first = "import numpy as np\n\nK = 2.0\n\n\ndef h(x):\n    return K * x\n\n\ndef a_grad(x):\n    return h(x)\n"
    second = first.replace("a_grad", "b_grad").replace(
        "    return K", "    # a comment\n    return K"
    )
    text = whole(piece("a", first), piece("b", second))
    assert text.count("def h(") == text.count("K = 2.0") == text.count("import numpy") == 1


def test_what_differs_has_another_name_wherever_it_is_read() -> None:
    first = "K = 2.0\n\n\ndef h(x):\n    return K * x\n\n\ndef a_grad(x):\n    return h(x) + K\n"
    second = first.replace("a_grad", "b_grad").replace("K = 2.0", "K = 3.0")
    made = values(whole(piece("a", first), piece("b", second)))
    assert (made["a_grad"](1.0), made["b_grad"](1.0)) == (4.0, 6.0)


def test_variables_keywords_and_attributes_keep_their_names() -> None:
    first = "K = 2.0\n\n\ndef a_grad(x):\n    return K * x\n"
    second = (
        "import types\n\nK = 3.0\n\n\ndef local(x):\n    K = 5.0\n    return K * x\n\n\n"
        "def b_grad(x):\n    n = types.SimpleNamespace(K=x)\n    return n.K + local(K)\n"
    )
    made = values(whole(piece("a", first), piece("b", second)))
    assert (made["a_grad"](1.0), made["b_grad"](1.0)) == (2.0, 16.0)


def test_imports_of_one_name_from_two_modules() -> None:
    first = "from math import pi as k\n\n\ndef a_grad(x):\n    return k\n"
    second = "from math import e as k\n\n\ndef b_grad(x):\n    return k\n"
    made = values(whole(piece("a", first), piece("b", second)))
    assert (made["a_grad"](0.0) > 3.0, made["b_grad"](0.0) < 3.0) == (True, True)


def test_a_helper_is_explained_once() -> None:
    lines = "".join(f"    # {line}\n" for line in note("phi"))
    made = [f"def {n}_grad(x):\n{lines}    return rt.phi(x)\n" for n in "ab"]
    text = whole(piece("a", made[0]), piece("b", made[1]))
    assert text.count("# rt.phi(") == 1
