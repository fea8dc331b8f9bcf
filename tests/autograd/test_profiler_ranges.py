"""Files of nvprof, what profilers are made of, and ranges for other tools."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .surface import ORACLE, raises, row

OWN = pytest.mark.skipif(
    ORACLE == "torch", reason="a pluggable sink is retrograd's own: torch needs CUDA for ranges"
)


def trace(path: Path, twice: bool = False) -> str:
    """A small file as nvprof writes them."""
    tables = {
        "StringTable(_id_, value)": [(1, "mul, seq = 5"), (2, "stashed seq=5")],
        "CUPTI_ACTIVITY_KIND_MARKER(id, name, timestamp)": [
            (11, 2, 200), (11, 0, 300), (10, 1, 100), (10, 0, 150), *([(10, 1, 100)] if twice else []),
        ],
        "CUPTI_ACTIVITY_KIND_RUNTIME(_id_, cbid, start, end, correlationId)": [(1, 211, 110, 120, 77)],
        "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL(start, end, name, correlationId)": [(130, 145, "kern", 77)],
    }  # fmt: skip
    with contextlib.closing(sqlite3.connect(path)) as file:
        for table, rows in tables.items():
            file.execute(f"CREATE TABLE {table}".replace("end,", '"end",'))
            marks = ", ".join("?" * len(rows[0]))
            file.executemany(f"INSERT INTO {table.partition('(')[0]} VALUES ({marks})", rows)
        file.commit()
    return str(path)


@row("T301")
def test_t301_parse_nvprof(torch: Any, tmp_path: Path) -> None:
    parse = torch.autograd.profiler.parse_nvprof_trace
    events = parse(trace(tmp_path / "one.sqlite"))
    found = [(e.id, e.name, e.time_range.start, e.time_range.end) for e in events]
    assert found == [(10, "mul, seq = 5", 100, 150), (11, "stashed seq=5", 200, 300)]
    assert [tuple(kernel) for kernel in events[0].kernels] == [("kern", 0, 15)]
    assert events[1].kernels == []
    with raises(RuntimeError, "duplicate key: (10,)"):
        parse(trace(tmp_path / "two.sqlite", twice=True))


@row("T302")
def test_t302_load_nvprof(torch: Any, tmp_path: Path) -> None:
    load = torch.autograd.profiler.load_nvprof
    events = load(trace(tmp_path / "one.sqlite"))
    assert type(events).__name__ == "EventList" and [e.id for e in events] == [10, 11]
    with raises(sqlite3.OperationalError, "unable to open database file"):
        load(str(tmp_path / "missing" / "file"))


@row("T303")
def test_t303_interval(torch: Any) -> None:
    assert torch.autograd.profiler_util.Interval(3, 10).elapsed_us() == 7


@row("T304")
def test_t304_kernel(torch: Any) -> None:
    kernel = torch.autograd.profiler_util.Kernel("k", 0, 5)
    assert kernel == ("k", 0, 5) and kernel._fields == ("name", "device", "duration")


class Record:
    def __init__(self, start: int) -> None:
        self.start = start

    def start_ns(self) -> int:
        return self.start


@row("T305")
def test_t305_mem_records(torch: Any) -> None:
    records = [(Record(30), "c"), (Record(10), "a"), (Record(20), "b")]
    acc = torch.autograd.profiler_util.MemRecordsAcc(records)
    assert [r[1] for r in acc.in_interval(10, 25)] == ["a", "b"]
    assert [r[1] for r in acc.in_interval(20, 20)] == ["b"]
    assert [r[1] for r in acc.in_interval(31, 99)] == []


@row("T306")
def test_t306_string_table(torch: Any) -> None:
    table = torch.autograd.profiler_util.StringTable()
    assert table["_Z3foov"] == "foo()" and table["t"] == "t"
    assert dict(table) == {"_Z3foov": "foo()", "t": "t"}


class Ranges:
    """Notes the ranges: their texts, and how deep they are."""

    def __init__(self) -> None:
        self.texts: list[tuple[int, str]] = []
        self.depth = 0

    def range_push(self, text: str) -> None:
        self.texts.append((self.depth, text))
        self.depth += 1

    def range_pop(self) -> None:
        self.depth -= 1

    def starting(self, name: str) -> list[str]:
        return [text for _, text in self.texts if text.partition(",")[0] == name]


@contextlib.contextmanager
def emitting(torch: Any, kind: str = "emit_nvtx", **options: Any) -> Iterator[Ranges]:
    """The ranges of the body."""
    ranges = Ranges()
    before = torch.autograd.profiler.set_range_sink(ranges)
    try:
        with getattr(torch.autograd.profiler, kind)(**options):
            yield ranges
    finally:
        torch.autograd.profiler.set_range_sink(before)
    assert ranges.depth == 0


@row("T307")
def test_t307_emit_nvtx(torch: Any) -> None:
    nvtx = torch.autograd.profiler.emit_nvtx
    with nvtx(enabled=False) as nothing:
        assert nothing is None
    again = nvtx(enabled=True, record_shapes=True)
    with pytest.raises((AssertionError, RuntimeError)), again:
        pass
    with raises(RuntimeError, "NVTX annotation context manager is not reentrant"), again:
        pass


@OWN
def test_t308_emit_itt(torch: Any) -> None:
    with torch.autograd.profiler.emit_itt(enabled=False) as nothing:
        assert nothing is None
    with emitting(torch, "emit_itt") as ranges:
        again = torch.autograd.profiler.emit_itt()
        with again:
            torch.ones(2).sin()
        with raises(RuntimeError, "ITT annotation context manager is not reentrant"), again:
            pass
    assert len(ranges.starting("aten::sin")) == 2  # one for each of the two contexts


@OWN
def test_t307_one_range_for_each_operation(torch: Any) -> None:
    with emitting(torch) as ranges:
        torch.ones(2) * 2
    assert len(ranges.starting("aten::mul")) == 1


def number(text: str) -> int:
    return int(text.rpartition("= ")[2])


@OWN
def test_t309_forward(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with emitting(torch) as ranges:
        y = x * 2
        z = y.sin()
    (mul,), (sin,) = ranges.starting("aten::mul"), ranges.starting("aten::sin")
    assert mul == f"aten::mul, seq = {y.grad_fn._sequence_nr()}"
    assert sin == f"aten::sin, seq = {z.grad_fn._sequence_nr()}"
    assert number(sin) == number(mul) + 1


@OWN
def test_t310_stashed(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with emitting(torch) as ranges:
        y = x * 2
        y.sum().backward()
    (text,) = ranges.starting("MulBackward0")
    assert text == f"MulBackward0, stashed seq = {y.grad_fn._sequence_nr()}"
    assert (0, text) in ranges.texts


@OWN
def test_t311_default_backward(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with emitting(torch) as ranges:
        y = (x * x).sum()
        y.backward()
        (x * 3).sum()
    inner = [text for depth, text in ranges.texts if depth and text.startswith("aten::")]
    assert inner and not any("seq" in text for text in inner)
    assert number(ranges.starting("aten::mul")[-1]) == y.grad_fn._sequence_nr() + 1


@OWN
def test_t312_create_graph(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with emitting(torch) as ranges:
        y = x.sin()
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        g.sum().backward()
    numbers = {number(text) for depth, text in ranges.texts if depth and " seq = " in text}
    last = number(ranges.starting("SinBackward0")[0])
    stashed = {number(text) for text in ranges.starting("CosBackward0")}
    assert stashed and min(numbers) > last and stashed <= numbers


@OWN
def test_t313_record_shapes(torch: Any) -> None:
    x = torch.ones(2, 3)
    with emitting(torch, record_shapes=True) as ranges:
        x**2
    (text,) = ranges.starting("aten::pow")
    assert text.endswith(", sizes = [[2, 3], []]")
