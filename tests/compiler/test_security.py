"""The lines of SECURITY.md, each by its number."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.cache import entries, private_files
from retrograd.compiler.native.c import library_cache, toolchain
from retrograd.compiler.native.numba import module
from retrograd.runtime.errors import CacheError

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners and modes are POSIX's")
compiles = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)
as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away"
)
TEXT = "int rg_answer(void) { return 42; }\n"
FOLDERS = ["", "native", "numba", "numba/__pycache__"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def library() -> Path:
    """The file of a library that answers."""
    assert toolchain.library_of(TEXT).rg_answer() == 42
    (path,) = (entries.folder() / "native").glob("k_*.so")
    return path


def used(folder: str) -> None:
    """Look for something in a folder of the cache."""
    home = entries.folder()
    if folder.endswith("__pycache__"):
        with module.checked(home / "numba" / "x.py"):
            pass
    elif folder == "native":
        library_cache.loaded(home / folder, "k_1.so")
    else:
        entries.read(entries.Entry(folder or "model", "x", "0" * 64))


# Folders


@as_root
@pytest.mark.parametrize("folder", FOLDERS)
def test_1_a_folder_of_another_user(folder: str, home: Path) -> None:
    private_files.make(home / folder)
    os.chown(home / folder, 4321, 4321)
    with pytest.raises(CacheError, match="belongs to user 4321"):
        used(folder)


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
@pytest.mark.parametrize("folder", FOLDERS)
def test_2_a_folder_that_others_may_write_to(folder: str, mode: int, home: Path) -> None:
    private_files.make(home / folder)
    (home / folder).chmod(mode)
    with pytest.raises(CacheError, match="chmod -R go-w"):
        used(folder)


@pytest.mark.parametrize("folder", FOLDERS[1:])
def test_3_a_link_for_a_folder(folder: str, home: Path, tmp_path: Path) -> None:
    place = home / folder
    private_files.make(place.parent)
    (tmp_path / "theirs").mkdir()
    place.symlink_to(tmp_path / "theirs")
    with pytest.raises(CacheError, match="is a link"):
        used(folder)


def test_4_a_folder_above_that_everybody_may_write_to(home: Path) -> None:
    home.parent.chmod(0o777)
    with pytest.raises(CacheError, match="above the cache"):
        used("")


@compiles
def test_a_compile_says_so_too(home: Path) -> None:
    library()
    (home / "native").chmod(0o777)
    with pytest.raises(CacheError, match="chmod -R go-w"):
        toolchain.library_of(TEXT)


# Files


def theirs(path: Path) -> None:
    os.chown(path, 4321, 4321)


def open_to_all(path: Path) -> None:
    path.chmod(0o666)


def linked(path: Path) -> None:
    moved = path.with_suffix(".moved")
    path.rename(moved)
    path.symlink_to(moved)


def piped(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-200])


def altered(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def another(path: Path) -> None:
    """A whole library with its seal, but of another name."""
    path.write_bytes(
        entries.signed("k_other.so", entries.unsigned(path.name, path.read_bytes()) or b"")
    )


DAMAGE: dict[int, list[Callable[[Path], None]]] = {
    5: [open_to_all, *([theirs] if os.geteuid() == 0 else [])],
    6: [linked, piped],
    7: [emptied, cut, altered, another],
}


@compiles
@pytest.mark.parametrize(
    "damage", [d for ds in DAMAGE.values() for d in ds], ids=lambda d: str(d.__name__)
)
def test_5_6_7_a_library_that_is_damaged_is_built_anew(
    damage: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = library()
    whole = path.read_bytes()
    damage(path)
    assert library_cache.loaded(path.parent, path.name) is None  # and it does not wait for a pipe
    assert toolchain.library_of(TEXT).rg_answer() == 42
    assert len(path.read_bytes()) == len(whole)
    assert private_files.is_own(path)
    monkeypatch.setattr(toolchain, "build", None)  # a build would fail
    assert toolchain.library_of(TEXT).rg_answer() == 42


@pytest.mark.parametrize(
    "damage", [d for ds in DAMAGE.values() for d in ds if d is not another], ids=lambda d: str(d.__name__)
)  # fmt: skip
def test_5_6_7_a_text_that_is_damaged_is_not_there(damage: Callable[[Path], None]) -> None:
    entry = entries.Entry("model", "loss", "0" * 64)
    path = entries.store(entry, "x = 1\n" * 100)
    assert path is not None
    damage(path)
    assert entries.read(entry) is None
    assert entries.store(entry, "x = 2\n") == path
    assert entries.read(entry) == "x = 2\n"


@compiles
def test_6_a_folder_in_the_place_of_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    path = library()
    path.unlink()
    path.mkdir()
    assert toolchain.library_of(TEXT).rg_answer() == 42  # in memory of this process alone


@compiles
@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no /proc")
def test_8_a_folder_that_is_swapped_meanwhile(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = library()
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / path.name).write_bytes(b"what must not be loaded")
    real = private_files.read

    def swapped(*given: Any) -> Any:
        found = real(*given)
        path.parent.rename(tmp_path / "ours")
        theirs.rename(path.parent)
        return found

    monkeypatch.setattr(private_files, "read", swapped)
    found = library_cache.loaded(path.parent, path.name)
    assert found is not None
    assert found.rg_answer() == 42


@compiles
def test_9_a_umask_of_nothing(home: Path) -> None:
    before = os.umask(0)
    try:
        library()
        entries.store(entries.Entry("model", "loss", "0" * 64), "x = 1\n")
    finally:
        os.umask(before)
    found = [home, *home.rglob("*")]
    assert len(found) > 4
    assert not [path for path in found if path.stat().st_mode & 0o077]


# Processes that are killed

KILLED = """
import sys
from pathlib import Path
from retrograd.compiler.native.c import toolchain
toolchain.library_of("int rg_slow(void) { return 1; }")
"""


@compiles
@pytest.mark.parametrize("remover", ["compile", "prune", "clear"])
def test_10_what_a_killed_compile_leaves(
    remover: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "slow_cc"
    slow.write_text("#!/bin/sh\necho > $TMPDIR/begun\nexec sleep 60\n", encoding="utf-8")
    slow.chmod(0o755)
    made = {**os.environ, "CC": str(slow)}
    with subprocess.Popen(
        [sys.executable, "-c", KILLED], env=made, start_new_session=True
    ) as child:
        deadline = time.monotonic() + 60.0
        while not list(home.glob("native/.*/begun")) and time.monotonic() < deadline:
            time.sleep(0.01)
        (work,) = home.glob("native/.*")
        monkeypatch.setattr(entries, "MOMENT", 0.0)
        entries.sweep_builds(home / "native")
        assert work.exists()  # it is being built
        os.killpg(child.pid, signal.SIGKILL)
    assert work.exists()
    {"compile": library, "prune": entries.prune, "clear": entries.clear}[remover]()
    assert not work.exists()
    assert not [path for path in home.rglob(".*") if path.name != ".pruned"]


@compiles
def test_10_what_earlier_versions_left_is_removed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = library()
    (path.parent / "tmpabc").mkdir()
    monkeypatch.setattr(entries, "MOMENT", 0.0)
    held = private_files.locked(path.parent / "tmpabc")
    assert held is not None
    entries.prune()
    assert (path.parent / "tmpabc").exists()
    fcntl.flock(held, fcntl.LOCK_UN)
    os.close(held)
    entries.prune()
    assert not (path.parent / "tmpabc").exists()


@compiles
def test_libraries_count_when_the_cache_is_pruned(home: Path) -> None:
    path = library()
    entries.store(entries.Entry("native", "x", "0" * 64), "x = 1\n")
    entries.prune(10**9)
    assert path.exists()
    entries.prune(0)
    assert not path.exists()
    assert not path.with_suffix(".c").exists()


# numba


def loss(x: Any) -> Any:
    return np.sum(x * x)


@pytest.mark.parametrize(
    "damage", [d for ds in DAMAGE.values() for d in ds if d is not another], ids=lambda d: str(d.__name__)
)  # fmt: skip
def test_11_what_numba_keeps_is_sealed(damage: Callable[[Path], None], home: Path) -> None:
    place = home / "numba" / "__pycache__"
    private_files.make(place)
    path = home / "numba" / "x.py"
    files = [place / "x.kernel-1.py311.nbi", place / "x.kernel-1.py311.1.nbc"]
    with module.checked(path):
        for file in files:
            file.write_bytes(b"compiled" * 100)
    assert [file.stat().st_mode & 0o777 for file in files] == [0o600, 0o600]
    with module.checked(path):
        assert all(file.exists() for file in files)
    damage(files[1])
    with module.checked(path):
        assert not any(os.path.lexists(file) for file in files)


def test_11_an_unsealed_file_of_numba_goes(home: Path) -> None:
    place = home / "numba" / "__pycache__"
    private_files.make(place)
    (place / "x.kernel-1.py311.nbi").write_bytes(b"planted")
    with module.checked(home / "numba" / "x.py"):
        assert not list(place.glob("*.nbi"))


# The document


def test_every_line_has_its_test() -> None:
    text = (Path(__file__).parents[2] / "SECURITY.md").read_text(encoding="utf-8")
    protected = text.partition("## What is not")[0]
    lines = set(map(int, re.findall(r"^\| (\d+) \|", protected, re.M)))
    tests = {
        int(n)
        for name in globals()
        if name.startswith("test_")
        for n in re.findall(r"(?<=_)\d+(?=_)", name)
    }
    assert lines == tests == set(range(1, 12))
    assert rg.errors.CacheError is CacheError
