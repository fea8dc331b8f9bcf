"""The profiler's table as text."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["memory_text", "table", "time_text"]

GAP = "  "
UNITS = {"s": 1e6, "ms": 1e3, "us": 1.0}


def time_text(us: float, unit: str | None = None) -> str:
    """A time in the largest fitting unit, or in one.

    >>> time_text(1500.0)
    '1.500ms'
    """
    unit = unit or ("s" if us >= 1e6 else "ms" if us >= 1e3 else "us")
    return f"{us / UNITS[unit]:.3f}{unit}"


def memory_text(size: int) -> str:
    """A size in the largest fitting unit.

    >>> memory_text(-2048)
    '-2.00 KB'
    """
    for power, unit in ((3, "GB"), (2, "MB"), (1, "KB")):
        if abs(size) >= 1024**power:
            return f"{size / 1024**power:.2f} {unit}"
    return f"{size} B"


def share(part: float, whole: float) -> str:
    return f"{part * 100 / whole:.2f}%" if whole else "NaN"


def shortened(text: str, width: int | None) -> str:
    return text[: width - 3] + "..." if width is not None and len(text) >= width - 3 else text


def tail(text: str, width: int) -> str:
    return text if len(text) <= width else "..." + text[len(text) - width + 3 :]


class Column:
    """A heading, and what stands under it."""

    def __init__(self, heading: str, width: int, value: Any, left: bool = False) -> None:
        self.heading, self.width, self.value, self.left = heading, width, value, left

    def cell(self, text: Any) -> str:
        return str(text).ljust(self.width) if self.left else str(text).rjust(self.width)


def columns(
    events: Any, widths: Any, unit: str | None, with_flops: bool, with_memory: bool
) -> list[Column]:
    """The columns of the table of these events."""
    most_name, most_shapes, most_source = widths
    whole = sum(event.self_cpu_time_total for event in events)
    own = max(len(event.key) for event in events) + 4
    wide = own if most_name is None else min(own, most_name)
    found = [
        Column("Name", wide, lambda e: shortened(e.key, most_name)),
        Column("Self CPU %", 12, lambda e: share(e.self_cpu_time_total, whole)),
        Column("Self CPU", 12, lambda e: time_text(e.self_cpu_time_total, unit)),
        Column("CPU total %", 12, lambda e: 0 if e.is_async else share(e.cpu_time_total, whole)),
        Column("CPU total", 12, lambda e: time_text(e.cpu_time_total, unit)),
        Column("CPU time avg", 12, lambda e: time_text(e.cpu_time, unit)),
    ]
    if with_memory:
        found += [
            Column("CPU Mem", 12, lambda e: memory_text(e.cpu_memory_usage)),
            Column("Self CPU Mem", 12, lambda e: memory_text(e.self_cpu_memory_usage)),
        ]
    found.append(Column("# of Calls", 12, lambda e: e.count))
    if any(event.input_shapes for event in events):
        own = max(len(str(event.input_shapes)) for event in events) + 4
        wide = own if most_shapes is None else min(own, most_shapes)
        found.append(Column("Input Shapes", wide, lambda e, n=wide: str(e.input_shapes)[:n]))
    lines = [line for event in events for line in event.stack]
    if lines:
        own = max(map(len, lines)) + 4
        wide = own if most_source is None else min(own, most_source)
        found.append(
            Column("Source Location", wide, lambda e: tail((e.stack or [""])[0], wide), left=True)
        )
    if with_flops and any(event.flops for event in events):
        found.append(flops_column(events))
    return found


def flops_column(events: Any) -> Column:
    """Operations, in the unit that fits the fewest."""
    fewest = min(event.flops for event in events if event.flops)
    power = min(int(math.log10(fewest) / 3), 5)
    heading = f"Total {['', 'K', 'M', 'G', 'T', 'P'][power]}FLOPs"
    return Column(heading, 12, lambda e: f"{e.flops / 1000**power:8.3f}" if e.flops else "--")


def table(
    events: Any, row_limit: int, header: str | None, top_only: bool, unit: str | None, widths: Any, with_flops: bool,
    with_memory: bool,
) -> str:  # fmt: skip
    """The events, a line each, and their time together."""
    if not events:
        return ""
    shown = columns(events, widths, unit, with_flops, with_memory)
    rule = "".join("-" * c.width + GAP for c in shown)
    lines = []
    if header is not None:
        lines += ["=" * (len(rule) - len(GAP)), header]
    if top_only:
        note = "This report only display top-level ops statistics"
        lines += ["=" * (len(rule) - len(GAP)), note]
    lines += [rule, "".join(c.cell(c.heading) + GAP for c in shown), rule]
    rows = [e for e in events if not top_only or e.cpu_parent is None]
    for event in rows if row_limit < 0 else rows[:row_limit]:
        lines.append("".join(c.cell(c.value(event)) + GAP for c in shown))
        lines += [calling(shown, line) for line in lines_below(event, shown)]
    whole = sum(event.self_cpu_time_total for event in events)
    lines += [rule, f"Self CPU time total: {time_text(whole, unit)}"]
    return "\n".join(lines) + "\n"


def lines_below(event: Any, shown: list[Column]) -> list[str]:
    """The calling lines of an event but for the first, and room before the next event."""
    return [*event.stack[1:], ""] if any(c.left for c in shown) else []


def calling(shown: list[Column], line: str) -> str:
    return "".join(c.cell(tail(line, c.width) if c.left else "") + GAP for c in shown)
