"""What rows T296 to T313 say of tables, of files of nvprof and of ranges, sentence by sentence.

The ranges of PyTorch go to CUDA or to ITT; its profiler is told of the same operations, numbers and sizes.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from .surface import ORACLE, close, raises, row
from .test_profiler_ranges import emitting, trace

EVALUATION = "autograd::engine::evaluate_function: "


class Told(NamedTuple):
    """A range: its text, and how many are around it."""

    text: str
    depth: int

    @property
    def name(self) -> str:
        return self.text.partition(",")[0]

    @property
    def number(self) -> int:
        """What stands behind ``seq =``, -1 where nothing does."""
        _, found, rest = self.text.partition("seq = ")
        return int(rest.partition(",")[0]) if found else -1


def text_of(event: Any, shapes: bool) -> str:
    text = str(event.name)
    if event.sequence_nr >= 0:
        text += f", {'stashed seq' if event.scope == 1 else 'seq'} = {event.sequence_nr}"
    return f"{text}, sizes = {event.input_shapes}" if shapes else text


def depth_of(event: Any) -> int:
    around = event.cpu_parent
    if around is None:
        return 0
    return depth_of(around) + (not around.name.startswith(EVALUATION))


def ranges(torch: Any, body: Callable[[], Any], shapes: bool = False) -> list[Told]:
    """What is told of the operations of the body, in the order in which they begin."""
    if ORACLE == "retrograd":
        with emitting(torch, record_shapes=shapes) as found:
            body()
        return [Told(text, depth) for depth, text in found.texts]
    with torch.autograd.profiler.profile(record_shapes=shapes) as prof:
        body()
    events = [e for e in prof.function_events if not e.name.startswith(EVALUATION)]
    return [Told(text_of(event, shapes), depth_of(event)) for event in events]


def nodes_of(*tensors: Any) -> dict[int, Any]:
    """The nodes behind tensors by their numbers, but for the ends."""
    found: dict[int, Any] = {}
    ahead = [tensor.grad_fn for tensor in tensors]
    while ahead:
        node = ahead.pop()
        if node is not None and node._sequence_nr() < 2**63 and node._sequence_nr() not in found:
            found[node._sequence_nr()] = node
            ahead += [other for other, _ in node.next_functions]
    return found


# -- numbers ------------------------------------------------------------------------------------------


@row("T309")
def test_t309_the_number_of_the_next_node(torch: Any) -> None:
    x, c, made = torch.ones(2, requires_grad=True), torch.ones(2), []

    def body() -> None:
        made.append(x * 2)
        made.append(made[-1].sin())
        c.cos()
        made.append(made[-1].exp())
        with torch.no_grad():
            x.tanh()

    top = {told.name: told.text for told in ranges(torch, body) if told.depth == 0}
    mul, sin, exp = (one.grad_fn._sequence_nr() for one in made)
    assert (sin, exp) == (mul + 1, mul + 2)
    assert top == {
        "aten::mul": f"aten::mul, seq = {mul}", "aten::sin": f"aten::sin, seq = {sin}",
        "aten::cos": f"aten::cos, seq = {exp}", "aten::exp": f"aten::exp, seq = {exp}", "aten::tanh": "aten::tanh",
    }  # fmt: skip


def mixed(x: Any) -> Any:
    return ((x * x).sin() @ x.exp()) / 2


@row("T310")
def test_t310_every_node_of_a_pass(torch: Any) -> None:
    x, made = torch.ones(2, requires_grad=True), []

    def body() -> None:
        made.append(mixed(x))
        made[0].backward()

    found = [told for told in ranges(torch, body) if "stashed" in told.text]
    nodes = nodes_of(made[0])
    assert len(nodes) == 5 and all(told.depth == 0 for told in found)
    wanted = [f"{node.name()}, stashed seq = {number}" for number, node in nodes.items()]
    assert sorted(told.text for told in found) == sorted(wanted)


@row("T311")
def test_t311_nothing_is_recorded(torch: Any) -> None:
    x, made = torch.ones(2, requires_grad=True), []

    def body() -> None:
        made.append(mixed(x))
        made[0].backward()
        made.append(x.tan())

    found = ranges(torch, body)
    inner = [told for told in found if told.depth and "mul" in told.name]
    assert inner and all(told.number <= 0 for told in inner)
    assert made[1].grad_fn._sequence_nr() == made[0].grad_fn._sequence_nr() + 1
    assert [t.number for t in found if t.name == "aten::tan"] == [made[1].grad_fn._sequence_nr()]


@row("T312")
@pytest.mark.parametrize("program", [
    mixed, lambda x: (x * x[0]).sum(), lambda x: x.softmax(0)[0], lambda x: x.relu().view(2, 1).norm(),
    lambda x: x.exp().cumsum(0).max(), lambda x: (x.unsqueeze(0) ** 2).mean(),
])  # fmt: skip
def test_t312_fresh_numbers(torch: Any, program: Callable[[Any], Any]) -> None:
    made: list[Any] = []

    def body() -> None:
        x = torch.tensor([2.0, 3.0], requires_grad=True)
        first = program(x)
        (g,) = torch.autograd.grad(first, x, create_graph=True)
        made.extend([nodes_of(first), nodes_of(g)])
        torch.autograd.grad(g.sum(), x)

    found = ranges(torch, body)
    forward, backward = made
    fresh = backward.keys() - forward.keys()
    start = next(k for k, told in enumerate(found) if "stashed" in told.text)
    inner = {
        told.number for told in found[start:] if "stashed" not in told.text and told.number >= 0
    }
    assert fresh and min(inner) > max(forward) and fresh <= inner
    stashed = {told.text for told in found if "stashed" in told.text}
    assert {f"{backward[n].name()}, stashed seq = {n}" for n in fresh} <= stashed


@row("T313")
def test_t313_sizes_as_received(torch: Any) -> None:
    x, m = torch.ones(2, 3), torch.ones(3, 4)
    for body, wanted in (
        (lambda: x**2, "aten::pow ... [[2, 3], []]"),
        (lambda: torch.mm(x, m), "aten::mm ... [[2, 3], [3, 4]]"),
        (lambda: x[0] * x, "aten::mul ... [[3], [2, 3]]"),
        (lambda: x * x[0], "aten::mul ... [[2, 3], [3]]"),
        (lambda: torch.atan2(x[0, 0], x), "aten::atan2 ... [[], [2, 3]]"),
    ):
        name, sizes = wanted.split(" ... ")
        found = [told.text for told in ranges(torch, body, shapes=True) if told.name == name]
        assert found[0].partition(", sizes = ")[2] == sizes
    assert not any("sizes" in told.text for told in ranges(torch, lambda: x**2))


# -- contexts ------------------------------------------------------------------------------------------


NO_DEVICE = {"retrograd": "set_range_sink", "torch": "Torch not compiled with CUDA enabled|NVIDIA"}


@row("T307")
@row("T308")
@pytest.mark.parametrize("kind", ["nvtx", "itt"])
def test_t307_t308_contexts(torch: Any, kind: str) -> None:
    make = getattr(torch.autograd.profiler, f"emit_{kind}")
    with make(enabled=False) as nothing:
        assert nothing is None and (torch.ones(2) * 2).sum() == 4
    off = make(False)
    with off, off:
        pass
    assert (off.enabled, off.record_shapes, make(True, True).record_shapes) == (False, False, True)
    again = make()
    try:
        with again as inside:
            assert inside is again
            assert (torch.ones(2) * 2).sum() == 4
    except (AssertionError, RuntimeError) as error:  # no CUDA, and no sink
        if not re.search(NO_DEVICE[ORACLE], str(error)):
            raise
    text = f"{kind.upper()} annotation context manager is not reentrant"
    with raises(RuntimeError, text), again:
        pass


@row("T307")
@row("T308")
def test_t307_t308_a_range_around_each_operation(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    found = ranges(torch, lambda: (x.sin() * x).sum().backward())
    top = [told.name for told in found if told.depth == 0 and told.name != "aten::ones_like"]
    assert top[:3] == ["aten::sin", "aten::mul", "aten::sum"]
    assert [n for n in top[3:] if "Backward" in n] == ["SumBackward0", "MulBackward0", "SinBackward0"]  # fmt: skip
    assert {"aten::cos", "aten::mul"} <= {told.name for told in found if told.depth}


# -- tables ----------------------------------------------------------------------------------------------


def events(torch: Any) -> Any:
    """Events with the times that are said here."""
    util = torch.autograd.profiler_util

    def event(k: int, name: str, start: int, end: int, shapes: Any, *lines: str) -> Any:
        return util.FunctionEvent(k, name, 1, start, end, input_shapes=shapes, stack=list(lines))

    found = util.EventList([
        event(0, "aten::pow", 0, 2500, [[2, 3], []], "a_long_file.py(12): forward", "main"),
        event(1, "aten::mul", 100, 600, [[2, 3]], "x"), event(2, "aten::" + 12 * "very_", 3000, 3001, [[7] * 40]),
        event(3, "aten::mul", 4000, 5_200_000, []),
    ])  # fmt: skip
    found._populate_cpu_children()
    return found


WHOLE = """
=====================================================================================================================================
mine
=====================================================================================================================================
This report only display top-level ops statistics
--------------------  ------------  ------------  ------------  ------------  ------------  ------------  ---------------  ----------  
                Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    # of Calls     Input Shapes  Source Location  
--------------------  ------------  ------------  ------------  ------------  ------------  ------------  ---------------  ----------  
           aten::mul        99.95%        5.196s        99.95%        5.196s        5.196s             1               []              
                                                                                                                                       
           aten::pow         0.04%       2.000ms         0.05%       2.500ms       2.500ms             1     [[2, 3], []]  ...forward  
                                                                                                                           main        
                                                                                                                                       
--------------------  ------------  ------------  ------------  ------------  ------------  ------------  ---------------  ----------  
Self CPU time total: 5.199s
"""  # noqa: W291, W293


@row("T296")
def test_t296_the_whole_text(torch: Any) -> None:
    made = events(torch).table(
        "cpu_time_total", 2, 10, max_name_column_width=20, max_shapes_column_width=15, header="mine",
        top_level_events_only=True,
    )  # fmt: skip
    assert [line.rstrip() for line in made.splitlines()] == [
        line.rstrip() for line in WHOLE.splitlines()[1:]
    ]
    assert made.splitlines()[4:10] == WHOLE.splitlines()[5:11]


def by_name(torch: Any) -> Any:
    """The averages of the events."""
    found = events(torch)
    found._tree_built = True  # PyTorch asks for it
    return found.key_averages()


def names_in(text: str) -> list[str]:
    return [line.split()[0] for line in text.splitlines()[3:-2] if line.strip()]


@row("T296")
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_t296_every_key(torch: Any) -> None:
    averages = by_name(torch)
    by_time = ["aten::mul", "aten::pow", "aten::" + "very_" * 9 + "v..."]
    for key in ("cpu_time", "cpu_time_total", "self_cpu_time_total", "count"):
        assert names_in(averages.table(sort_by=key)) == by_time
    unsorted = names_in(averages.table())
    assert unsorted == [by_time[1], by_time[0], by_time[2]]
    for place, key in enumerate(
        ("cuda_time", "cuda_time_total", "cpu_memory_usage", "cuda_memory_usage", "self_cpu_memory_usage", "self_cuda_memory_usage")
    ):  # fmt: skip
        assert names_in(averages.table(sort_by=key)) == unsorted, place
    averages[2].cpu_memory_usage = averages[0].self_cpu_memory_usage = 5
    assert names_in(averages.table(sort_by="cpu_memory_usage"))[0] == by_time[2]
    assert names_in(averages.table(sort_by="self_cpu_memory_usage"))[0] == by_time[1]
    with raises(AttributeError, "'FunctionEventAvg' object has no attribute 'foo'"):
        averages.table(sort_by="foo")


@row("T296")
def test_t296_limits(torch: Any) -> None:
    util, found = torch.autograd.profiler_util, events(torch)
    assert util.EventList([]).table() == ""
    many = util.EventList([util.FunctionEvent(k, f"op{k}", 1, k, k + 1) for k in range(130)])
    assert len(names_in(many.table())) == 100 and len(names_in(many.table(row_limit=-1))) == 130
    assert names_in(found.table(row_limit=0)) == []
    long = util.EventList([util.FunctionEvent(0, "op", 1, 0, 1, stack=["x" * 90])])
    assert "..." + "x" * 72 + " " in long.table() and "x" * 73 not in long.table()
    assert "x" * 90 in long.table(max_src_column_width=None)


# -- files of nvprof ---------------------------------------------------------------------------------------


def altered(path: Path, *statements: str) -> str:
    found = trace(path)
    with contextlib.closing(sqlite3.connect(found)) as file:
        for statement in statements:
            file.execute(statement)
        file.commit()
    return found


@row("T301")
def test_t301_what_is_read(torch: Any, tmp_path: Path) -> None:
    parse = torch.autograd.profiler.parse_nvprof_trace
    runtime, kernels = (f"INSERT INTO CUPTI_ACTIVITY_KIND_{name} VALUES" for name in ("RUNTIME", "CONCURRENT_KERNEL"))  # fmt: skip
    events = parse(altered(
        tmp_path / "more.sqlite",
        "INSERT INTO StringTable VALUES (3, '_Z3foov')",
        "INSERT INTO CUPTI_ACTIVITY_KIND_MARKER VALUES (12, 3, 10), (12, 0, 20), (13, 1, 400), (14, 0, 500)",
        f"{runtime} (2, 211, 210, 220, 78), (3, 211, 900, 910, 79), (4, 999, 920, 930, 80)",
        f"{kernels} (230, 260, 'other', 78), (940, 950, 'alone', 79), (960, 970, 'nobody', 81)",
    ))  # fmt: skip
    assert [(e.id, e.name, e.time_range.start, e.time_range.end) for e in events] == [
        (12, "foo()", 10, 20), (10, "mul, seq = 5", 100, 150), (11, "stashed seq=5", 200, 300),
    ]  # fmt: skip
    assert [[tuple(kernel) for kernel in e.kernels] for e in events] == [
        [], [("kern", 0, 15)], [("other", 0, 30)],
    ]  # fmt: skip
    assert type(events[1].kernels[0]) is torch.autograd.profiler_util.Kernel
    with pytest.raises(AssertionError, match="211"):
        parse(altered(tmp_path / "cbid.sqlite", "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET cbid = 13"))
    again = f"{runtime} (1, 211, 110, 120, 77)"
    with raises(RuntimeError, "duplicate key: (10, 1)"):
        parse(altered(tmp_path / "twice.sqlite", again))
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        parse(altered(tmp_path / "none.sqlite", "DROP TABLE StringTable"))


@row("T296")
def test_t296_memory_and_units(torch: Any) -> None:
    util = torch.autograd.profiler_util
    found = util.EventList(
        [util.FunctionEvent(0, "op", 1, 0, 1500, cpu_memory_usage=2048)], profile_memory=True
    )
    assert "2.00 KB" in found.table() and "CPU Mem" in found.table()
    assert "1500.000us" in found.table(time_unit="us") and "0.002s" in found.table(time_unit="s")
    assert close(found[0].cpu_time_total, 1500.0)
