"""The C compiler that is missing, fails, or cannot write: clear errors, and a process that goes on."""

from __future__ import annotations

import io
import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.driver import progress
from retrograd.compiler.native.c import toolchain

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)
CACHED = (toolchain.compiler, toolchain.stamp)


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A cache of its own, and a compiler that is looked for once more."""
    monkeypatch.delenv("RETROGRAD_VERIFY")  # as for users
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    for known in CACHED:
        known.cache_clear()
    yield
    for known in CACHED:
        known.cache_clear()


def loss(x):
    return np.sum(np.sin(x) * x)


def compiled() -> Any:
    """The gradient as a new process makes it: derivatives are kept with their function."""
    vars(loss).clear()
    return rg.grad(loss, backend="c")


X = np.linspace(0.0, 1.0, 7)
WANT = np.sin(X) + X * np.cos(X)


def script(folder: Path, text: str) -> str:
    """A compiler made of a few lines of shell."""
    path = folder / "odd_cc"
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_a_compiler_that_does_not_know_what_only_gcc_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    strict = f'case "$*" in *{toolchain.OF_GCC[0]}*) exit 1;; esac; echo "$@" > {tmp_path}/said; exec cc "$@"'
    monkeypatch.setenv("CC", script(tmp_path, strict.replace("cc ", f"{toolchain.compiler()[0]} ")))
    toolchain.compiler.cache_clear()
    source = tmp_path / "a.c"
    source.write_text("int a(void) { return 1; }\n", encoding="utf-8")
    toolchain.build(str(source), str(tmp_path / "a.so"), flags=("-O1", *toolchain.OF_GCC))
    assert (tmp_path / "a.so").exists()
    assert "-O1" in (tmp_path / "said").read_text(encoding="utf-8").split()


def test_a_compiler_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "nonsense_cc")
    with pytest.raises(
        rg.errors.BackendUnavailable, match=r"\$CC is 'nonsense_cc', which is not there"
    ):
        compiled()
    np.testing.assert_allclose(rg.grad(loss)(X), WANT)


def test_no_compiler_on_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        rg.errors.BackendUnavailable, match="no cc, gcc or clang is on the PATH"
    ) as caught:
        compiled()
    assert "backend='numpy'" in str(caught.value)


def test_a_compiler_that_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CC", script(tmp_path, "echo no space left >&2; exit 1"))
    gradient = compiled()
    for _ in range(2):
        with pytest.raises(rg.errors.BackendUnavailable, match="no space left"):
            gradient(X)
    np.testing.assert_allclose(rg.grad(loss)(X), WANT)
    monkeypatch.delenv("CC")
    for known in CACHED:
        known.cache_clear()
    np.testing.assert_allclose(gradient(X), WANT)
    assert not [name for name in os.listdir(tmp_path / "cache" / "native") if "tmp" in name]


def test_a_compiler_that_writes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CC", script(tmp_path, "exit 0"))
    with pytest.raises(rg.errors.BackendUnavailable, match="does not compile"):
        compiled()(X)


def test_a_compiler_that_cannot_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "odd_cc"
    path.write_bytes(b"\x00nothing")
    path.chmod(0o755)
    monkeypatch.setenv("CC", str(path))
    with pytest.raises(rg.errors.BackendUnavailable, match="odd_cc"):
        compiled()(X)


def test_what_is_no_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    copies = 'while [ "$1" != -o ]; do shift; done; echo text > "$2"'
    monkeypatch.setenv("CC", script(tmp_path, copies))
    with pytest.raises(rg.errors.BackendUnavailable, match="cannot be loaded"):
        compiled()(X)


def test_a_mistake_of_ours_is_no_failure_of_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    from retrograd.compiler.native import compile as module

    real = module.printed_as
    monkeypatch.setattr(module, "printed_as", lambda *given: real(*given) + "mistake")
    gradient = compiled()
    np.testing.assert_allclose(gradient(X), WANT)
    assert "the generated C does not compile" in gradient.__native__.notes[0]
    assert not any(part.compiled for part in gradient.__native__.parts())
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")
    with pytest.warns(RuntimeWarning, match="the generated C does not compile"):
        compiled()(X)


def test_a_compiler_with_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", f"{toolchain.compiler()[0]} -DUNUSED")
    toolchain.compiler.cache_clear()
    plain = compiled()
    np.testing.assert_allclose(plain(X), WANT)
    assert toolchain.compiler()[1:] == ("-DUNUSED",)


@pytest.mark.filterwarnings("ignore::retrograd.compiler.cache.entries.CacheWarning")
def test_a_cache_that_cannot_be_written_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "file" / "below"))
    for _ in range(2):
        gradient = compiled()
        np.testing.assert_allclose(gradient(X), WANT)
        assert [part.compiled for part in gradient.__native__.parts()] == [True]


def test_a_library_is_found_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    np.testing.assert_allclose(compiled()(X), WANT)
    built = set(os.listdir(tmp_path / "cache" / "native"))
    monkeypatch.setattr(toolchain, "build", None)  # a build would fail
    np.testing.assert_allclose(compiled()(X), WANT)
    assert set(os.listdir(tmp_path / "cache" / "native")) == built


def test_another_processor_gets_a_library_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """``-march=native`` is another machine code elsewhere: a cache may be on a shared disk."""
    compiled()(X)
    place = tmp_path / "cache" / "native"
    one = set(place.glob("*.so"))
    monkeypatch.setattr(toolchain, "processor", lambda: "another one")
    toolchain.stamp.cache_clear()
    compiled()(X)
    assert len(set(place.glob("*.so"))) == 2 * len(one) == 2


# -- the line for people who wait -----------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "quiet", "patience", "said"),
    [
        (Terminal, "", 0.0, True),
        (Terminal, "1", 0.0, False),
        (io.StringIO, "", 0.0, False),
        (Terminal, "", 60.0, False),
    ],
    ids=["terminal", "quiet", "no terminal", "quick"],
)
def test_a_long_compile_says_so(
    stream: type[io.StringIO],
    quiet: str,
    patience: float,
    said: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = stream()
    monkeypatch.setattr("sys.stderr", out)
    monkeypatch.setenv("RETROGRAD_QUIET", quiet)
    monkeypatch.setattr(progress, "PATIENCE", patience)
    with progress.progress("compiling"), progress.progress("part of it"):
        until = time.monotonic() + 10.0
        while patience == 0.0 and not out.getvalue() and said and time.monotonic() < until:
            time.sleep(0.01)
    text = out.getvalue()
    assert ("retrograd: compiling, 0 s" in text and text.endswith("\r\x1b[K")) is said
    assert "part of it" not in text
    assert "\n" not in text
    assert said or not text


def test_compiling_says_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    real = toolchain.progress
    monkeypatch.setattr(toolchain, "progress", lambda what: (told.append(what), real(what))[1])
    compiled()(X)
    assert [line.partition(" with ")[0] for line in told] == ["compiling C"]
