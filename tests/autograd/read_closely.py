"""The rows whose tests fail if any sentence of the row fails, and how far they were read."""

from __future__ import annotations

__all__ = ["CLOSELY", "READ_CLOSELY"]

# Spans of rows, from the first to the last. A row comes in when its text was read against its tests,
# sentence by sentence, and they pass on torch as on retrograd by the same lines.
# T101 is left: it names a node (`SqueezeBackward1`) that is another one here, which docs/eager.md says.
CLOSELY = ("T001-T100", "T102-T366")


def names(span: str) -> list[str]:
    first, _, last = span.partition("-")
    return [f"T{k:03}" for k in range(int(first[1:]), int((last or first)[1:]) + 1)]


READ_CLOSELY = frozenset(name for span in CLOSELY for name in names(span))
