"""The rows whose tests fail if any sentence of the row fails, and how far they were read."""

from __future__ import annotations

__all__ = ["CLOSELY", "READ_CLOSELY"]

# Spans of rows, from the first to the last. A row comes in when its text was read against its tests,
# sentence by sentence, and they pass on torch as on retrograd by the same lines.
CLOSELY = (
    "T001-T068", "T070-T100", "T102-T104", "T106-T226", "T229-T277", "T279-T295", "T297-T300", "T302-T306", "T314-T366",
)  # fmt: skip


def names(span: str) -> list[str]:
    first, _, last = span.partition("-")
    return [f"T{k:03}" for k in range(int(first[1:]), int((last or first)[1:]) + 1)]


READ_CLOSELY = frozenset(name for span in CLOSELY for name in names(span))
