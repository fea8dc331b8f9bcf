"""Second derivatives, a sample of the table that ``python -m tests.autograd.second_order`` runs whole."""

from __future__ import annotations

import warnings
import zlib

import pytest

import retrograd

from . import tables_second
from .second_order import CASES, HOOKS, MODES, Point, outcome, variants

SHARE = 11  # one call in so many, each in one of its combinations


def combination(text: str) -> tuple[str, str, str, str]:
    """The mode, hooks and use that a call is sampled with."""
    number = zlib.crc32(text.encode())
    ways = list(variants())
    use, entry = ways[number % len(ways)]
    return list(MODES)[number % len(MODES)], list(HOOKS)[number % 7 % len(HOOKS)], use, entry


@pytest.mark.parametrize("family", dict.fromkeys(family for family, _ in CASES))
def test_second_derivatives_are_those_of_differences(family: str) -> None:
    texts = [text for of, text in CASES if of == family]
    for text in texts[len(texts) % SHARE % 5 :: SHARE]:
        mode, hooks, use, entry = combination(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            f = Point(text, use, entry)
            found = outcome(f, f.reference(), f.scale(), mode, hooks)
        refused = found.kind == "refused" and "modified by an inplace operation" in found.said
        assert found.kind == "right" or (refused and hooks == "none"), (text, mode, hooks, found)


KINKS = [
    "v(-2.0, -0.3, 0.3, 2.0).abs() ** 3",
    "v(-2.0, -0.3, 0.3, 2.0).relu() ** 2",
    "F.hardtanh(v(-2.0, -0.3, 0.3, 2.0), -1, 1) ** 2 * x(4)",
    "F.leaky_relu(v(-2.0, -0.3, 0.3, 2.0)) ** 2",
    "F.threshold(v(-2.0, -0.3, 0.3, 2.0), 0.1, 3.0) ** 2",
    "F.softshrink(v(-2.0, -0.3, 0.3, 2.0)) ** 2",
    "F.hardshrink(v(-2.0, -0.3, 0.3, 2.0)) ** 2",
    "F.relu6(v(-2.0, -0.3, 0.3, 7.0)) ** 2",
    "F.softsign(v(-2.0, -0.3, 0.3, 2.0))",
    "torch.linalg.vector_norm(v(-2.0, -0.3, 0.3, 2.0), 3)",
    "torch.linalg.vector_norm(v(-2.0, -0.3, 0.3, 2.0), 1) ** 2",
]


@pytest.mark.parametrize("text", KINKS)
def test_functions_with_kinks_on_both_sides(text: str) -> None:
    f = Point(text)
    reference, scale = f.reference(), f.scale()
    for mode in MODES:
        assert outcome(f, reference, scale, mode, "none").kind == "right", mode


def test_every_write_is_in_the_table() -> None:
    """A method that writes is in a call of the table, or is known to have no derivative."""
    text = "\n".join(text for _, text in CASES)
    missing = [
        name
        for name in dir(retrograd.Tensor)
        if name.endswith("_") and not name.startswith("_")
        if f".{name}(" not in text and name not in tables_second.NO_DERIVATIVE
    ]
    assert missing == []
