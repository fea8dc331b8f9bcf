"""Generated text becomes one real module, shown by tracebacks, from memory, disk or one build."""

from __future__ import annotations

import gc
import inspect
import linecache
import os
import pickle
import subprocess
import sys
import threading
import traceback
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from retrograd.compiler.cache import bytecode, entries, loader
from retrograd.compiler.cache.entries import CacheWarning, Entry
from retrograd.compiler.cache.loader import fetch, forget, load

ENTRY = Entry("model", "loss", "5f3a9c1e" * 8)
TEXT = '"""Derivative."""\n\n\ndef loss_grad(x):\n    return 2 * x / factor\n'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(entries, "_unwarned", threading.Lock())
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    forget()
    yield tmp_path / "cache"
    forget()


def no_build() -> str:
    raise AssertionError("nothing should be built")


def get(build: Callable[[], str] = no_build, factor: float = 1, entry: Entry = ENTRY) -> ModuleType:
    return fetch(entry, build, {"factor": factor}, "model.loss_grad")


def failure(made: ModuleType) -> traceback.FrameSummary:
    with pytest.raises(ZeroDivisionError) as info:
        made.loss_grad(1)
    return traceback.extract_tb(info.value.__traceback__)[-1]


def together(work: Callable[[], object], threads: int = 8) -> list[object]:
    """What `work` gives or raises on so many threads that start at once."""
    barrier, results = threading.Barrier(threads), list[object]()

    def run() -> None:
        barrier.wait()
        try:
            results.append(work())
        except BaseException as error:
            results.append(error)

    crew = [threading.Thread(target=run) for _ in range(threads)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join(30)
    assert len(results) == threads, "a thread hangs"
    return results


# What a module shows of itself


def test_a_cached_module_shows_its_file() -> None:
    made = get(lambda: TEXT, factor=0)
    assert made.__file__ == str(ENTRY.path)
    assert made.__doc__ == "Derivative."
    frame = failure(made)
    assert (frame.filename, frame.lineno) == (str(ENTRY.path), 6)
    assert frame.line == "return 2 * x / factor" == ENTRY.path.read_text().splitlines()[5].strip()
    assert inspect.getsource(made.loss_grad) == "".join(TEXT.splitlines(True)[3:])
    assert inspect.getsourcefile(made.loss_grad) == str(ENTRY.path)
    assert inspect.getsource(made) == ENTRY.path.read_text()


def test_a_module_without_a_file_shows_its_text() -> None:
    made = load(TEXT, None, "loss_grad", {"factor": 0})
    linecache.checkcache()
    frame = failure(made)
    assert frame.filename.startswith("<retrograd loss_grad ")
    assert (frame.lineno, frame.line) == (5, "return 2 * x / factor")
    assert inspect.getsource(made.loss_grad) == "".join(TEXT.splitlines(True)[3:])
    forget()
    assert load(TEXT, None, "loss_grad", {"factor": 0}).__file__ == frame.filename


def test_a_text_of_the_user_keeps_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "loss_grad.py"
    path.write_text(TEXT)
    assert failure(load(TEXT, path, "loss_grad", {"factor": 0})).lineno == 5
    assert list(tmp_path.glob("**/*.pyc")) == []


def test_the_source_outlives_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    made = get(lambda: TEXT, factor=0)
    entries.clear()
    monkeypatch.setattr(linecache, "cache", {})
    assert failure(made).line == "return 2 * x / factor"


def test_functions_can_be_pickled() -> None:
    grad = get(lambda: TEXT).loss_grad
    assert grad.__module__ == "retrograd._generated.model.loss_grad"
    assert pickle.loads(pickle.dumps(grad)) is grad


def test_the_namespace_cannot_rename_the_module() -> None:
    made = load("x = y", None, "loss_grad", {"__name__": "os", "__file__": "os.py", "y": 3})
    assert made.x == 3
    assert made.__name__ == "retrograd._generated.loss_grad"
    assert sys.modules["os"] is os


# Once


def test_the_same_text_and_objects_give_the_same_module() -> None:
    assert get(lambda: TEXT) is get()
    forget()
    assert "retrograd._generated.model.loss_grad" not in sys.modules
    assert get().loss_grad(4) == 8


def test_other_objects_give_another_module() -> None:
    one, two = get(lambda: TEXT, factor=1), get(factor=2)
    assert (one.loss_grad(4), two.loss_grad(4)) == (8, 4)
    assert sys.modules[one.__name__] is one
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(two.loss_grad)  # by its name it would come back as `one`


def test_a_module_of_other_objects_lives_as_long_as_its_functions() -> None:
    first = get(lambda: TEXT)
    grad = get(factor=2).loss_grad
    gc.collect()
    assert get(factor=2).loss_grad is grad
    ref = weakref.ref(grad)
    del grad
    gc.collect()
    assert ref() is None
    assert get() is first


def test_other_texts_of_one_name_do_not_meet() -> None:
    one, two = (load(f"x = {n}", None, "same", {}) for n in (1, 2))
    assert (one.x, two.x) == (1, 2)
    assert (sys.modules[one.__name__], sys.modules[two.__name__]) == (one, two)


def test_eight_threads_build_once() -> None:
    builds: list[int] = []

    def build() -> str:
        builds.append(1)
        threading.Event().wait(0.05)
        return TEXT

    made = together(lambda: get(build))
    assert isinstance(made[0], ModuleType)
    assert all(m is made[0] for m in made)
    assert len(builds) == 1


def test_eight_threads_load_one_module() -> None:
    made = together(lambda: load(TEXT, None, "loss_grad", {}))
    assert all(m is made[0] for m in made)


PROCESS = """
import sys, threading
from retrograd.compiler.cache.entries import Entry
from retrograd.compiler.cache.loader import fetch
entry = Entry("model", "loss", "5f3a9c1e" * 8)
def build():
    threading.Event().wait(0.02)
    return "def loss_grad(x):\\n    return 2 * x\\n" + "# padding\\n" * 5000
sys.stdin.read(1)
results = []
def work():
    results.append(fetch(entry, build, {}, "loss_grad").loss_grad(21))
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(results)
"""


def test_eight_processes_of_eight_threads() -> None:
    command = [sys.executable, "-W", "error", "-c", PROCESS]
    crew = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    for process in crew:
        assert process.stdin is not None
        process.stdin.write("x")
        process.stdin.flush()
    assert [process.communicate(timeout=60)[0] for process in crew] == [f"{[42] * 8}\n"] * 8
    assert fetch(ENTRY, no_build, {}, "loss_grad").loss_grad(1) == 2
    assert sorted(p.suffix for p in ENTRY.path.parent.iterdir()) == [".py", ".pyc"]


# Builds


def test_a_broken_file_is_never_run_but_built_again() -> None:
    get(lambda: TEXT)
    good = ENTRY.path.read_bytes()
    for broken in (good[:-9], good.replace(b"2 *", b"3 *"), b"raise SystemExit\n", b"", b"\0\xff"):
        ENTRY.path.write_bytes(broken)
        forget()
        assert get(lambda: TEXT).loss_grad(2) == 4
        assert ENTRY.path.read_bytes() == good


def test_a_failed_build_leaves_nothing() -> None:
    with pytest.raises(AssertionError, match="nothing should be built"):
        get(no_build)
    with pytest.raises(SyntaxError):
        get(lambda: "return 1")
    assert entries.entries() == []
    assert get(lambda: TEXT).loss_grad(1) == 2


def test_a_text_that_fails_to_run_is_not_kept_in_memory() -> None:
    with pytest.raises(NameError):
        fetch(ENTRY, lambda: "y = missing", {}, "loss_grad")
    assert fetch(ENTRY, no_build, {"missing": 3}, "loss_grad").y == 3


def test_a_failed_build_wakes_those_who_wait() -> None:
    attempts: list[int] = []

    def build() -> str:
        attempts.append(1)
        threading.Event().wait(0.02)
        if len(attempts) < 4:
            raise OSError("not this time")
        return TEXT

    results = together(lambda: get(build))
    assert len(attempts) == 4
    assert sum(isinstance(r, OSError) for r in results) == 3
    assert sum(isinstance(r, ModuleType) for r in results) == 5


def other(n: int) -> Entry:
    return ENTRY._replace(function=f"callee_{n}")


def test_a_build_may_fetch_others() -> None:
    def build(n: int) -> str:
        below = get(lambda: build(n - 1), entry=other(n - 1)).depth if n else -1
        return f"depth = {below + 1}"

    assert get(lambda: build(5), entry=other(5)).depth == 5


def test_builds_of_different_entries_run_side_by_side() -> None:
    met, numbers = threading.Barrier(4), iter(range(4))

    def build() -> str:
        met.wait(10)  # only passes when four builds are under way
        return TEXT

    results = together(lambda: get(build, entry=other(next(numbers))), threads=4)
    assert all(isinstance(r, ModuleType) for r in results)


def test_a_build_that_needs_itself_is_refused() -> None:
    with pytest.raises(RecursionError, match=r"model\.loss -> model\.loss"):
        get(lambda: str(get()))
    assert get(lambda: TEXT).loss_grad(1) == 2


def test_builds_that_need_each_other_are_refused_not_hung() -> None:
    met, numbers = threading.Barrier(2), iter((0, 1))

    def work() -> ModuleType:
        n = next(numbers)

        def build() -> str:
            met.wait(10)
            return str(get(lambda: str(get(entry=other(n))), entry=other(1 - n)))

        return get(build, entry=other(n))

    assert all(isinstance(r, RecursionError) for r in together(work, threads=2))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_waits_for_no_lost_thread() -> None:
    loader._flights[ENTRY] = loader.Flight(-1, threading.Event())
    loader._after_fork()
    assert get(lambda: TEXT).loss_grad(1) == 2


def test_an_unusable_folder_costs_only_the_keeping(home: Path) -> None:
    home.write_text("not a folder")
    with pytest.warns(CacheWarning):
        made = get(lambda: TEXT, factor=0)
    assert made is get(factor=0)
    assert failure(made).line == "return 2 * x / factor"


# Bytecode


def test_bytecode_is_used_when_it_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    get(lambda: TEXT)
    forget()
    monkeypatch.setattr(bytecode, "_compile", lambda *_: pytest.fail("compiled again"))
    assert get().loss_grad(1) == 2


def test_bytecode_that_is_not_right_is_never_run() -> None:
    get(lambda: TEXT)
    path = bytecode.beside(ENTRY.path)
    assert path is not None
    good = path.read_bytes()
    fetch(other(1), lambda: TEXT.replace("2 *", "3 *"), {"factor": 1}, "callee")
    foreign = bytecode.beside(other(1).path)
    assert foreign is not None
    for bad in (b"", good[:-1], good[:-1] + b"\0", foreign.read_bytes(), b"\xff" * 99):
        path.write_bytes(bad)
        forget()
        assert get().loss_grad(1) == 2
        assert path.read_bytes() == good
