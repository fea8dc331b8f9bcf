"""Facts about operations have one home: their records."""

from __future__ import annotations

from tests.traits import FACTS, tables

MOST = 27  # tables of facts; each that goes lowers it, and none is added


def test_facts_about_operations_stand_in_their_records() -> None:
    found = [table for table in tables() if table.kind == FACTS]
    assert len(found) <= MOST, [f"{t.file}:{t.line} {t.name}" for t in found]
