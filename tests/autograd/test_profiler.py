"""The profiler: what is recorded, and what its tables and files say."""

from __future__ import annotations

import inspect
import json
import threading
import warnings
from pathlib import Path
from typing import Any

import pytest

from .surface import ORACLE, close, raises, row, warns


def profiler(torch: Any) -> Any:
    return torch.autograd.profiler


def powers(torch: Any, count: int = 3, **options: Any) -> Any:
    """The documented example: a power and its backward, some times."""
    x = torch.ones(1, 1, requires_grad=True)
    with profiler(torch).profile(**options) as prof:
        for _ in range(count):
            y = x**2
            y.backward()
    return prof


def named(prof: Any, name: str) -> list[Any]:
    return [event for event in prof.function_events if event.name == name]


def test_runs_as_before(torch: Any) -> None:
    """What is computed while a profiler runs is what is computed without."""

    def gradients() -> Any:
        x = torch.tensor([[0.5, -1.5], [2.0, 0.25]], requires_grad=True)
        y = ((x @ x.t()).exp().sum(0) * x.sin() + x**3).mean()
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        (g * g).sum().backward()
        return y.item(), g.tolist(), x.grad.tolist()

    with profiler(torch).profile():
        watched = gradients()
    assert all(close(a, b, 1e-5) for a, b in zip(watched, gradients(), strict=True))


@row("T275")
def test_t275_profile(torch: Any) -> None:
    with profiler(torch).profile() as prof:
        assert repr(prof) == f"<unfinished {ORACLE}.autograd.profile>"
        torch.ones(3) * 2
    assert named(prof, "aten::mul")
    assert all(type(e).__name__ == "FunctionEvent" for e in prof.function_events)
    assert str(prof) == prof.table()


@row("T276")
def test_t276_documented_example(torch: Any) -> None:
    averages = powers(torch).key_averages()
    counts = {average.key: average.count for average in averages}
    assert counts["PowBackward0"] == 3 and counts["torch::autograd::AccumulateGrad"] == 3
    assert counts["aten::pow"] == 6 and counts["aten::mul"] == 6
    assert not any("GraphRoot" in key for key in counts)
    lines = averages.table(sort_by="self_cpu_time_total").splitlines()
    headings = [h for h in lines[1].split("  ") if h.strip()]
    assert [h.strip() for h in headings] == [
        "Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg", "# of Calls",
    ]  # fmt: skip
    assert lines[0].startswith("---") and lines[0] == lines[2]
    assert [line for line in lines if line][-1].startswith("Self CPU time total: ")


@row("T277")
def test_t277_disabled(torch: Any) -> None:
    with profiler(torch).profile(enabled=False) as prof:
        torch.ones(3) * 2
    assert prof is None
    other = profiler(torch).profile(enabled=False)
    with other:
        torch.ones(3) * 2
    assert getattr(other, "_function_events", None) is None


@row("T278")
def test_t278_use_cuda(torch: Any) -> None:
    text = "The attribute `use_cuda` will be deprecated soon, please use ``use_device = 'cuda'`` instead."
    profile = profiler(torch).profile
    if "use_cuda" not in inspect.signature(profile).parameters:  # since PyTorch 2.14
        with raises(TypeError, "...unexpected keyword argument 'use_cuda'"):
            profile(use_cuda=True)
        return
    with warns(FutureWarning, text) as caught:
        made = profile(use_cuda=True)
    if not torch.cuda.is_available():
        said = [str(w.message) for w in caught]
        assert "CUDA is not available, disabling CUDA profiling" in said and made.use_device is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert profile(use_cuda=False).use_device is None


@row("T279")
def test_t279_use_device(torch: Any) -> None:
    with warns(UserWarning, "The foo is not a valid device option."):
        made = profiler(torch).profile(use_device="foo")
    assert made.use_device is None
    for device in ("cuda", "xpu"):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            profiler(torch).profile(use_device=device, use_kineto=True)
        assert not any("not a valid device option" in str(w.message) for w in caught)
    with warns(UserWarning, "CUDA is not available, disabling CUDA profiling"):
        profiler(torch).profile(use_device="cuda")


@row("T280")
def test_t280_record_shapes(torch: Any) -> None:
    prof = powers(torch, record_shapes=True)
    assert named(prof, "aten::pow")[0].input_shapes == [[1, 1], []]
    assert all(e.input_shapes == [[1, 1]] for e in named(prof, "PowBackward0"))
    assert "Input Shapes" in prof.table() and "Input Shapes" not in powers(torch).table()


@row("T281")
def test_t281_with_flops(torch: Any) -> None:
    a, b, c = torch.ones(4, 5), torch.ones(5, 6), torch.ones(3)
    with profiler(torch).profile(with_flops=True) as prof:
        torch.mm(a, b)
        a + a
        c * 2
    found = {e.name: e.flops for e in prof.function_events if e.flops}
    assert found == {"aten::mm": 240, "aten::add": 20, "aten::mul": 3}
    assert "FLOPs" in prof.key_averages().table()


@row("T282")
def test_t282_profile_memory(torch: Any) -> None:
    with profiler(torch).profile(profile_memory=True) as prof:
        x = torch.empty(1000)
        del x
    (event,) = named(prof, "aten::empty")
    assert event.self_cpu_memory_usage == 4000
    assert [e.cpu_memory_usage for e in named(prof, "[memory]")] == [-4000]
    assert "Self CPU Mem" in prof.key_averages().table()


@row("T283")
def test_t283_with_stack(torch: Any) -> None:
    with profiler(torch).profile(with_stack=True) as prof:
        torch.ones(3) * 2
    texts = [text for e in prof.function_events for text in (e.name, *e.stack)]
    assert any("test_profiler.py(" in text and "test_t283_with_stack" in text for text in texts)


@row("T284")
@pytest.mark.filterwarnings("ignore:with_modules is deprecated")
def test_t284_with_modules(torch: Any) -> None:
    assert len(named(powers(torch, with_modules=True), "PowBackward0")) == 3


@row("T285")
def test_t285_use_kineto(torch: Any) -> None:
    assert len(named(powers(torch, use_kineto=True), "PowBackward0")) == 3
    names = [
        [e.name for e in powers(torch, use_kineto=flag).function_events] for flag in (True, False)
    ]
    assert sorted(set(names[0])) == sorted(set(names[1]))


@row("T286")
def test_t286_use_cpu(torch: Any) -> None:
    text = "Device-only events supported only with Kineto (use_kineto=True)"
    with raises(AssertionError, text):
        profiler(torch).profile(use_cpu=False)


@row("T287")
def test_t287_experimental_config(torch: Any) -> None:
    assert len(named(powers(torch, experimental_config=None), "PowBackward0")) == 3
    prof = profiler(torch).profile(experimental_config=None)
    assert "experimental_config" in inspect.signature(type(prof).__init__).parameters


@row("T288")
def test_t288_acc_events(torch: Any) -> None:
    x = torch.ones(2)
    prof = profiler(torch).profile(acc_events=True)
    assert prof.acc_events is True
    for _ in range(2):
        with prof:
            x * 2
        prof.entered = False
    assert len(named(prof, "aten::mul")) == 2


@row("T289")
def test_t289_trace_id(torch: Any) -> None:
    with profiler(torch).profile(custom_trace_id_callback=lambda: "mine") as prof:
        torch.ones(1)
    assert prof.trace_id == "mine"


@row("T290")
def test_t290_thread_local(torch: Any) -> None:
    x = torch.ones(2)
    with profiler(torch).profile() as prof:
        thread = threading.Thread(target=lambda: x.sin())
        thread.start()
        thread.join()
        x.cos()
    assert len(named(prof, "aten::cos")) == 1 and not named(prof, "aten::sin")


@row("T291")
def test_t291_not_reentrant(torch: Any) -> None:
    prof = profiler(torch).profile()
    with (
        prof,
        raises(RuntimeError, "Profiler context manager is not reentrant"),
        prof,
    ):
        pass


@row("T292")
def test_t292_chrome_trace(torch: Any, tmp_path: Path) -> None:
    prof = powers(torch)
    prof.export_chrome_trace(str(tmp_path / "trace.json"))
    trace = json.loads((tmp_path / "trace.json").read_text())
    events = [e for e in trace["traceEvents"] if e.get("name") == "aten::pow"]
    assert len(events) == 6
    for event in events:
        assert event["ph"] == "X" and event["dur"] >= 0 and {"ts", "pid", "tid"} <= set(event)


@row("T293")
def test_t293_key_averages(torch: Any) -> None:
    with profiler(torch).profile(record_shapes=True) as prof:
        for n in (2, 3, 3):
            torch.ones(n).sin()
    (average,) = [e for e in prof.key_averages() if e.key == "aten::sin"]
    assert type(average).__name__ == "FunctionEventAvg" and average.count == 3
    split = [e for e in prof.key_averages(True) if e.key == "aten::sin"]
    assert sorted((e.input_shapes, e.count) for e in split) == [([[2]], 1), ([[3]], 2)]
    assert type(prof.key_averages(group_by_stack_n=1)).__name__ == "EventList"


@row("T294")
def test_t294_self_cpu_time_total(torch: Any) -> None:
    prof = powers(torch)
    events = prof.function_events
    assert isinstance(prof.self_cpu_time_total, float)
    assert prof.self_cpu_time_total == pytest.approx(sum(e.self_cpu_time_total for e in events))
    assert prof.self_cpu_time_total > 0


@row("T295")
def test_t295_total_average(torch: Any) -> None:
    prof = powers(torch)
    total = prof.total_average()
    assert total.key == "Total" and type(total).__name__ == "FunctionEventAvg"
    assert total.count == len(prof.function_events)


@row("T296")
def test_t296_table(torch: Any) -> None:
    averages = powers(torch).key_averages()
    for key in (
        "cpu_time", "cuda_time", "cpu_time_total", "cuda_time_total", "cpu_memory_usage", "cuda_memory_usage",
        "self_cpu_memory_usage", "self_cuda_memory_usage", "count",
    ):  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert "aten::pow" in averages.table(sort_by=key)
    lines = averages.table(sort_by="count").splitlines()
    counts = [int(line.split()[-1]) for line in lines[3 : 3 + len(averages)]]
    assert counts == sorted(counts, reverse=True)
    with raises(AttributeError, "'FunctionEventAvg' object has no attribute 'foo'"):
        averages.table(sort_by="foo")
    assert len(averages.table(row_limit=1).splitlines()) < len(lines)
    lines = averages.table(header="mine").splitlines()
    assert set(lines[0]) == {"="} and lines[1] == "mine"
    top = averages.table(top_level_events_only=True)
    assert "This report only display top-level ops statistics" in top


@row("T297")
def test_t297_sequence_numbers(torch: Any) -> None:
    prof = powers(torch)
    forward = [e for e in named(prof, "aten::pow") if e.sequence_nr >= 0]
    back = named(prof, "PowBackward0")
    assert len(forward) == len(back) == 3
    assert [e.sequence_nr for e in forward] == [e.sequence_nr for e in back]
    assert all(e.sequence_nr == -1 for e in named(prof, "aten::mul"))
    assert all(b.fwd_thread == f.thread for b, f in zip(back, forward, strict=True))


@row("T298")
def test_t298_record_function(torch: Any) -> None:
    label = profiler(torch).record_function
    with label("quiet"):
        torch.ones(2) * 2

    @label("decorated")
    def double(x: Any) -> Any:
        return x * 2

    with profiler(torch).profile() as prof:
        with label("mine", "its arguments"):
            torch.ones(2).sin()
        double(torch.ones(2))
    (event,) = named(prof, "mine")
    assert event.count == 1 and event.scope == 7
    assert [e.name for e in event.cpu_children] == ["aten::ones", "aten::sin"]
    assert len(named(prof, "decorated")) == 1 and not named(prof, "quiet")


@row("T299")
def test_t299_enforce_unique(torch: Any) -> None:
    unique = profiler(torch).EnforceUnique()
    unique.see("a", 1)
    unique.see("a", 2)
    with raises(RuntimeError, "duplicate key: ('a', 1)"):
        unique.see("a", 1)


@row("T300")
def test_t300_step_tracker(torch: Any) -> None:
    class Tracker(profiler(torch).KinetoStepTracker):  # type: ignore[misc]
        _current_step = 0

    Tracker._step_dict = {}
    Tracker.init_step_count("x")
    assert [Tracker.increment_step("x"), Tracker.increment_step("x")] == [1, 2]
    Tracker.init_step_count("y")
    assert [Tracker.increment_step("y"), Tracker.increment_step("y")] == [3, 4]
    assert Tracker.increment_step("z") == 5 == Tracker.current_step()
    assert [Tracker.erase_step_count(n) for n in ("y", "y", "w")] == [True, False, False]
    Tracker._step_dict["x"] = 8
    with warns(
        UserWarning, "Profiler step count has increased more than 1 - current_step = 5 step dict ="
    ):
        assert Tracker.increment_step("x") == 9
