"""A folder with a small program, and the command line called in it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from retrograd.cli.main import main

HELPER = """
import numpy as np

WEIGHTS = np.array([1.0, 2.0, 0.5])
SHIFT = np.array(0.1)


def squash(z):
    return np.tanh(z) + SHIFT
"""

MODEL = """
import numpy as np

import helper
import retrograd as rg
from helper import squash

print("imported")
K = np.array([1.0, 2.0, 3.0])
SCALE = 2.0


class Config:
    table = np.array([0.5, 1.0, 2.0])


config = Config()


@rg.differentiate(wrt="w", sig="w: f8[d], x: f8[n, d], y: f8[n]")
def typed(w, x, y):
    return np.mean((x @ w - y) ** 2)


def loss(w, x):
    return np.sum(squash(w * x * K) * helper.WEIGHTS) * SCALE


def table(w):
    return np.sum(w * config.table)


def smooth(w, b, x):
    y = np.tanh(w * x + b)
    return np.sum(y * np.exp(-y * y) + np.sin(y) / (1.0 + y * y))


def two(w, b, x):
    return np.sum((w * x + b) ** 2)


@rg.differentiate(wrt=("w",))
def one_of_tuple(w, x):
    return np.sum(w * x)


def closed():
    c = np.array([1.0, 2.0])

    def inner(w):
        return np.sum(w * c)

    return inner


inner = closed()


def power(x, k):
    return x**3.0 * k


def refused(x):
    return np.sum(np.unique_values(x))


class Net:
    @rg.differentiate
    def loss(self, w):
        return np.sum(w * w)

    @staticmethod
    def size(w):
        return np.sum(w * w)


if __name__ == "__main__":
    raise SystemExit("the main part ran")
"""


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working folder, with model.py and helper.py; nothing imported here stays."""
    (tmp_path / "model.py").write_text(MODEL, encoding="utf-8")
    (tmp_path / "helper.py").write_text(HELPER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def call(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run a command in the folder: code, stdout, stderr."""

    def run(*argv: str) -> Done:
        capsys.readouterr()
        try:
            code = main(argv)
        except SystemExit as left:
            code = int(left.code or 0)
        out, err = capsys.readouterr()
        return Done(code, out, err)

    return run


@pytest.fixture
def written(
    folder: Path, call: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    """Write a derivative to a file and import it, as a user would."""

    def run(output: str, *argv: str) -> Any:
        done = call("grad", *argv, "-o", output)
        assert done.code == 0, done.err
        monkeypatch.syspath_prepend(str(folder))
        importlib.invalidate_caches()
        return importlib.import_module(Path(output).stem)

    return run
