"""The cache keeps texts whole and private, or says why not."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from retrograd.compiler.cache import entries, private_files
from retrograd.compiler.cache.entries import CacheWarning, Entry
from retrograd.runtime.errors import CacheError

ENTRY = Entry("model", "loss", "5f3a9c1e" * 8)
TEXT = '"""Derivative of `loss`."""\n\ndef loss_grad(x):\n    return 2 * x  # ∂\n'
posix = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners and modes are POSIX's")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(entries, "_unwarned", threading.Lock())
    return tmp_path / "cache"


def stored(entry: Entry = ENTRY, text: str = TEXT) -> Path:
    path = entries.store(entry, text)
    assert path is not None
    return path


# What was stored comes back, and nothing else


@pytest.mark.parametrize("text", [TEXT, "", "\n", "no end of line", "a\r\nb\r\n", "# потеря\n\0"])
def test_what_is_stored_comes_back(text: str) -> None:
    assert entries.read(ENTRY) is None
    stored(text=text)
    assert entries.read(ENTRY) == text


def test_the_file_is_the_text_below_one_line() -> None:
    first, _, rest = stored().read_bytes().decode().partition("\n")
    assert rest == TEXT
    assert first.startswith("# retrograd-cache 1 sha256:")
    assert first.endswith(f" model loss {ENTRY.digest}")


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "truncated": lambda data: data[:-1],
    "header only": lambda data: data.partition(b"\n")[0],
    "no header": lambda data: data.partition(b"\n")[2],
    "edited": lambda data: data.replace(b"2 * x", b"3 * x"),
    "appended": lambda data: data + b"import os\n",
    "other format": lambda data: data.replace(b"cache 1 ", b"cache 2 ", 1),
    "other line ends": lambda data: data.replace(b"\n", b"\r\n"),
    "binary": lambda data: bytes(range(256)) * 9,
    "not utf-8": lambda data: data.replace("∂".encode(), b"\xff\xfe"),
    "zeros": lambda data: bytes(len(data)),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_not_read(damage: Callable[[bytes], bytes]) -> None:
    path = stored()
    broken = damage(path.read_bytes())
    assert broken != path.read_bytes()
    path.write_bytes(broken)
    assert entries.read(ENTRY) is None
    stored()
    assert entries.read(ENTRY) == TEXT


def test_every_truncation_is_noticed() -> None:
    path = stored()
    data = path.read_bytes()
    for end in range(len(data)):
        assert entries.unseal(f"model loss {ENTRY.digest}", data[:end]) is None


@pytest.mark.parametrize(
    "other",
    [
        ENTRY._replace(function="gain"),
        ENTRY._replace(module="other"),
        ENTRY._replace(digest=ENTRY.digest[:-1] + "0"),  # the same file name
    ],
)
def test_a_file_of_another_entry_is_not_read(other: Entry) -> None:
    data = stored().read_bytes()
    other.path.parent.mkdir(exist_ok=True)
    other.path.write_bytes(data)
    assert entries.read(other) is None


def test_a_folder_in_place_of_the_file(home: Path) -> None:
    ENTRY.path.mkdir(parents=True, mode=0o700)
    os.chmod(home, 0o700)
    os.chmod(ENTRY.path.parent, 0o700)
    assert entries.read(ENTRY) is None
    with pytest.warns(CacheWarning):
        assert entries.store(ENTRY, TEXT) is None


@posix
def test_links_pipes_and_files_others_can_write_are_not_read(tmp_path: Path) -> None:
    path = stored()
    path.chmod(0o666)
    assert entries.read(ENTRY) is None
    aside = tmp_path / "aside.py"
    os.replace(stored(), aside)
    path.symlink_to(aside)
    assert entries.read(ENTRY) is None
    path.unlink()
    os.mkfifo(path)
    assert entries.read(ENTRY) is None
    stored()
    assert entries.read(ENTRY) == TEXT


@posix
def test_a_file_of_another_user_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    path, me = stored(), os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert private_files.read(path) is None


# Names


def test_names_are_the_same_in_every_process() -> None:
    code = (
        "from retrograd.compiler.cache.entries import Entry\n"
        "print(Entry('pkg.model', 'f.<locals>.<lambda>', 'not hexadecimal').path)"
    )
    paths = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(paths) == 1
    assert "pkg.model" in paths.pop()


ODD = [
    "",
    ".",
    "..",
    "...",
    "a/b",
    "a\\b",
    "../../etc/passwd",
    "<locals>",
    "nul",
    "COM1.x",
    "a b",
    "x" * 999,
    "y" * 64 + ".",
    "потеря",
    "потери",
    "a\nb",
    "a:b",
    "\udc80",
    "trailing.",
    "-rf",
]


@pytest.mark.parametrize("name", ODD)
def test_odd_names_are_kept_apart_and_inside(name: str, home: Path) -> None:
    entry = Entry(name, name, ENTRY.digest)
    path = stored(entry)
    assert path.parent.parent == home.resolve()
    assert path.name.isascii()
    assert len(path.name) < 100
    assert entries.read(entry) == TEXT
    assert [(item.module, item.function) for item in entries.entries()] == [(name, name)]


def test_odd_names_do_not_meet() -> None:
    assert len({entries.safe(name).lower() for name in ODD}) == len(ODD)
    for name in ODD:
        assert entries.safe(name).partition(".")[0].upper() not in {"NUL", "COM1"}


# The folder


def test_where_the_folder_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    monkeypatch.setenv("RETROGRAD_CACHE", "~/mine")
    if sys.platform != "win32":
        assert entries.folder() == tmp_path.resolve() / "mine"
    monkeypatch.setenv("RETROGRAD_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative: to be ignored")
    wanted = {"linux": ".cache", "darwin": "Library/Caches", "win32": "local"}
    for platform, place in wanted.items():
        monkeypatch.setattr(sys, "platform", platform)
        assert entries._wanted() == tmp_path / place / "retrograd"


@posix
def test_what_is_made_is_private(home: Path) -> None:
    before = os.umask(0)
    try:
        path = stored()
    finally:
        os.umask(before)
    modes = [place.stat().st_mode & 0o777 for place in (home, path.parent, path)]
    assert modes == [0o700, 0o700, 0o600]


@posix
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o720])
def test_a_folder_others_can_write_to_is_refused(mode: int, home: Path) -> None:
    path = stored()
    for place in (home, path.parent):
        place.chmod(mode)
        with pytest.raises(CacheError, match="RETROGRAD_CACHE"):
            entries.read(ENTRY)
        with pytest.raises(CacheError, match="can be written by others"):
            entries.store(ENTRY, TEXT)
        place.chmod(0o755)
    assert entries.read(ENTRY) == TEXT


@posix
def test_a_folder_of_another_user_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    stored()
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    with pytest.raises(CacheError, match="belongs to user"):
        entries.folder()


@posix
def test_a_shared_parent_must_be_sticky(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    monkeypatch.setenv("RETROGRAD_CACHE", str(shared / "cache"))
    shared.chmod(0o1777)
    stored()
    shared.chmod(0o777)
    with pytest.raises(CacheError, match="above the cache"):
        entries.read(ENTRY)


@posix
def test_a_link_is_judged_by_where_it_leads(tmp_path: Path, home: Path) -> None:
    target = tmp_path / "target"
    target.mkdir(mode=0o700)
    home.symlink_to(target)
    assert entries.folder() == target.resolve()
    assert stored().is_relative_to(target.resolve())
    target.chmod(0o777)
    with pytest.raises(CacheError, match="can be written by others"):
        entries.read(ENTRY)


@posix
def test_a_link_of_another_user_is_refused(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.symlink_to(tmp_path / "target")
    me = os.geteuid()
    monkeypatch.setattr(private_files, "_status", _owned_by(me + 1, home))
    with pytest.raises(CacheError, match="a link made by user"):
        entries.folder()


def _owned_by(user: int, place: Path) -> Callable[[Path], os.stat_result | None]:
    def status(path: Path) -> os.stat_result | None:
        try:
            found = os.lstat(path)
        except OSError:
            return None
        values = list(found)
        values[4] = user if path == place else values[4]
        return os.stat_result(values)

    return status


# A folder that cannot be used


def test_a_file_in_place_of_the_folder(home: Path) -> None:
    home.write_text("not a folder")
    with pytest.warns(CacheWarning, match="RETROGRAD_CACHE"):
        assert entries.store(ENTRY, TEXT) is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # once per process
        assert entries.store(ENTRY, TEXT) is None
    assert entries.read(ENTRY) is None
    assert (entries.entries(), entries.size(), entries.clear(), entries.prune(0)) == ([], 0, 0, 0)


@posix
def test_links_that_lead_nowhere_or_away(home: Path, tmp_path: Path) -> None:
    home.symlink_to(home)
    with pytest.raises(CacheError, match="is a link"):
        entries.store(ENTRY, TEXT)
    home.unlink()
    place = stored().parent
    place.rename(tmp_path / "away")
    place.symlink_to(tmp_path / "away")
    with pytest.raises(CacheError, match="is a link"):
        entries.read(ENTRY)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_full_or_read_only_disk(code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path = stored()

    def refuse(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    with pytest.warns(CacheWarning, match=os.strerror(code)):
        assert entries.store(ENTRY, "new") is None
    assert list(path.parent.iterdir()) == [path]  # nothing half written is left
    assert entries.read(ENTRY) == TEXT


def test_no_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("RETROGRAD_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert entries.read(ENTRY) is None
    with pytest.warns(CacheWarning, match="home"):
        assert entries.store(ENTRY, TEXT) is None


# Many at once


def test_threads_and_a_clear_at_once() -> None:
    """Readers see a whole text or none, whoever writes or clears meanwhile."""
    texts = {c * 20_000 for c in "abcd"}
    seen: set[str | None] = set()
    failures: list[BaseException] = []

    def guarded(work: Callable[[], object]) -> Callable[[], None]:
        def loop() -> None:
            try:
                for _ in range(40):
                    work()
            except BaseException as error:
                failures.append(error)

        return loop

    work: list[Callable[[], object]] = [lambda t=t: stored(text=t) for t in texts]  # type: ignore[misc]
    work += [lambda: seen.add(entries.read(ENTRY))] * 3 + [entries.clear]
    threads = [threading.Thread(target=guarded(w)) for w in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert seen <= texts | {None}
    stored()
    assert [path.name for path in ENTRY.path.parent.iterdir()] == [ENTRY.file]


# Housekeeping


def aged(entry: Entry, days: float) -> Path:
    path = stored(entry, "x" * 1000)
    then = time.time() - days * entries.DAY
    os.utime(path, (then, then))
    return path


def several() -> list[Entry]:
    return [Entry("model", name, ENTRY.digest) for name in ("a", "b", "c")]


def test_entries_and_size() -> None:
    paths = [aged(entry, 2) for entry in several()]
    items = entries.entries()
    assert [(item.module, item.function, item.path) for item in items] == [
        ("model", name, path) for name, path in zip("abc", paths, strict=True)
    ]
    assert (
        entries.size() == sum(item.size for item in items) == sum(p.stat().st_size for p in paths)
    )
    assert all(1.9 * entries.DAY < item.age < 2.1 * entries.DAY for item in items)


def test_clear_takes_its_own_files_and_no_others(home: Path) -> None:
    for entry in several():
        stored(entry)
    broken = stored(ENTRY)
    broken.write_bytes(broken.read_bytes()[:9])
    bytecode = broken.with_suffix(".cpython-1-0.pyc")
    bytecode.write_bytes(b"")
    theirs = [home / "notes.py", broken.parent / "script.py", broken.parent / "data.pyc"]
    for path in theirs:
        path.write_text("print('not from the cache')\n")
    assert entries.clear() == 4
    assert sorted(p for p in home.rglob("*") if p.is_file()) == sorted(theirs)


def test_clear_leaves_an_empty_folder(home: Path) -> None:
    stored()
    assert entries.clear() == 1
    assert list(home.iterdir()) == []
    assert entries.entries() == []


def test_prune_takes_what_is_unused_for_longest() -> None:
    a, b, c = several()
    for entry, days in ((a, 5), (b, 9), (c, 2)):
        aged(entry, days)
    one = entries.size() // 3
    assert entries.prune(2 * one) == 1
    assert [item.function for item in entries.entries()] == ["a", "c"]
    assert entries.read(a) is not None  # used: now c is the older one
    assert entries.prune(one) == 1
    assert [item.function for item in entries.entries()] == ["a"]
    assert entries.prune(one) == 0


def test_prune_looks_into_a_folder_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of thousands of modules was looked through for each of them."""
    looks, scan = [], os.scandir
    monkeypatch.setattr(os, "scandir", lambda *place: looks.append(place) or scan(*place))
    counted, listing = [], os.listdir
    monkeypatch.setattr(os, "listdir", lambda *place: counted.append(place) or listing(*place))
    found = []
    for modules in (1, 40):
        for k in range(modules):
            entries.store(ENTRY._replace(function=f"f{k}"), TEXT)
        looks.clear()
        counted.clear()
        assert len(entries.entries()) == modules
        found.append(len(looks) + len(counted))
    assert found[0] == found[1]


def test_reading_touches_once_a_day() -> None:
    path = aged(ENTRY, 0.5)
    before = path.stat().st_mtime_ns
    assert entries.read(ENTRY) is not None
    assert path.stat().st_mtime_ns == before
    path = aged(ENTRY, 1.5)
    assert entries.read(ENTRY) is not None
    assert path.stat().st_mtime_ns > before


def test_the_cache_prunes_itself_once_a_day(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(entries, "prune", lambda: calls.append(1))
    for entry in several():
        stored(entry)
    assert len(calls) == 1
    os.utime(home / ".pruned", (0, 0))
    stored()
    assert len(calls) == 2


def test_what_killed_processes_left_is_swept() -> None:
    place = stored().parent
    fresh, old = place / ".1.tmp", place / ".2.tmp"
    for path in (fresh, old):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    entries.prune()
    assert fresh.exists()  # perhaps being written
    assert not old.exists()
