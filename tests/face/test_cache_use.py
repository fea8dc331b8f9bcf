"""The cache between processes: used without the compiler, never stale, never in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from retrograd.compiler.cache.file_states import file_states
from retrograd.transforms.specialise.fingerprint import APART, installed
from retrograd.version import version

PROGRAM = """
import sys
import numpy as np
import retrograd as rg
from {name} import *

{call}
print("lowered" if "retrograd.compiler.lowering.lowerer" in sys.modules else "from the cache")
"""


class Workshop:
    """Modules in a folder, run by fresh processes that share a cache."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"

    def write(self, name: str, text: str) -> None:
        (self.folder / f"{name}.py").write_text(text)

    def run(self, call: str, name: str = "model", **environment: str) -> list[str]:
        env = (
            os.environ
            | {"RETROGRAD_CACHE": str(self.cache), "PYTHONDONTWRITEBYTECODE": "1"}
            | environment
        )
        command = [sys.executable, "-c", PROGRAM.format(name=name, call=call)]
        done = subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.split("\n")[:-1]


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


MODEL = """
import numpy as np
import retrograd as rg
from helpers import helper
RATE = 2.0

@rg.differentiate
def f(x):
    return RATE * helper(x)
"""
HELPERS = "SCALE = 1.0\ndef helper(x):\n    return SCALE * x * x\n"


def test_a_second_process_does_not_need_the_compiler(shop: Workshop) -> None:
    shop.write("helpers", HELPERS)
    shop.write("model", MODEL)
    call = "print(f.grad(3.0), f.grad(np.ones(3)[0]), rg.jvp(f, (3.0,), (1.0,)), rg.vjp(f, 3.0)[1](1.0))"
    first, second = shop.run(call), shop.run(call)
    assert first[0] == second[0]
    assert (first[1], second[1]) == ("lowered", "from the cache")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("file", "old", "new", "want"),
    [
        ("model", "RATE = 2.0", "RATE = 3.0", "18.0"),
        ("model", "RATE = 2.0", "RATE = 3", "18.0"),
        ("model", "RATE * helper(x)", "RATE * helper(x) + x", "13.0"),
        ("helpers", "SCALE = 1.0", "SCALE = 2.0", "24.0"),
        ("helpers", "x * x", "x * x * x", "54.0"),
        ("model", "from helpers import helper", "def helper(x): return 5.0 * x", "10.0"),
        ("model", "from helpers import helper", "from numpy import negative as helper", "-2.0"),
        ("model", "def f(x)", "# a comment\n\ndef f(x)", "12.0"),
    ],
)
def test_edits_are_noticed(shop: Workshop, file: str, old: str, new: str, want: str) -> None:
    shop.write("helpers", HELPERS)
    shop.write("model", MODEL)
    assert shop.run("print(f.grad(3.0))")[0] == "12.0"
    text = {"model": MODEL, "helpers": HELPERS}[file]
    if "# a comment" in new:
        old, new = "RATE = 2.0", "# a comment\n\nRATE = 2.0"
    shop.write(file, text.replace(old, new, 1))
    assert shop.run("print(f.grad(3.0))")[0] == want
    shop.write(file, text)
    assert shop.run("print(f.grad(3.0))")[0] == "12.0"


def test_equal_constants_of_two_modules_are_told_apart(shop: Workshop) -> None:
    shop.write("helpers", "RATE = 2\ndef helper(x):\n    return RATE * x\n")
    shop.write(
        "model", "from helpers import helper\nRATE = 2\ndef f(x):\n    return RATE * helper(x)\n"
    )
    assert shop.run("print(rg.grad(f)(1.0))")[0] == "4.0"
    shop.write("helpers", "RATE = 3\ndef helper(x):\n    return RATE * x\n")
    assert shop.run("print(rg.grad(f)(1.0))")[0] == "6.0"
    shop.write(
        "model", "from helpers import helper\nRATE = 5\ndef f(x):\n    return RATE * helper(x)\n"
    )
    assert shop.run("print(rg.grad(f)(1.0))")[0] == "15.0"


@pytest.mark.parametrize(
    ("first", "second", "want"),
    [("[2.0, 3.0]", "[2.0, 30.0]", "32.0"), ("{0: 2.0, 1: 3.0}", "{0: 2.0, 1: 7}", "9.0"),
     ("np.array([2.0, 3.0])", "np.array([2.0, 4.0])", "6.0")],
)  # fmt: skip
def test_constants_in_containers(shop: Workshop, first: str, second: str, want: str) -> None:
    text = "import numpy as np\nW = {}\ndef f(x):\n    return W[0] * x + W[1] * x\n"
    for value, expected in ((first, "5.0"), (second, want)):
        shop.write("model", text.format(value))
        assert float(shop.run("print(rg.grad(f)(1.0))")[0]) == float(expected)


def test_closures_from_a_factory(shop: Workshop) -> None:
    text = "import numpy as np\ndef make(g, k):\n    def f(x):\n        return k * g(x)\n    return f\n"
    shop.write("model", text)
    call = "print([round(float(rg.grad(make(g, k))(0.5)), 6) for g, k in ((np.sin, 2.0), (np.exp, 2.0), (np.sin, 3))])"
    want = "[1.755165, 3.297443, 2.632748]"
    assert [shop.run(call)[0] for _ in range(2)] == [want, want]


def test_classes_of_the_user_are_not_confused(shop: Workshop) -> None:
    text = (
        "from dataclasses import dataclass\nimport numpy as np\n@dataclass\nclass P:\n    a: float\n    b: float\n"
        "def f(p):\n    return p.a * p.a * p.b\n"
    )
    shop.write("model", text)
    call = "print(rg.grad(f)(P(3.0, 2.0)))"
    assert [shop.run(call)[0] for _ in range(2)] == ["P(a=12.0, b=9.0)"] * 2
    shop.write(
        "model", text.replace("    a: float\n    b: float\n", "    b: float\n    a: float\n")
    )
    assert shop.run(call)[0] == "P(b=4.0, a=12.0)"  # P(3.0, 2.0) is b=3, a=2 now


@pytest.mark.parametrize("place", ["a file", "a folder of others", "/proc/nowhere"])
def test_a_cache_that_cannot_be_written_does_not_matter(shop: Workshop, place: str) -> None:
    shop.write("model", "def f(x):\n    return x * x\n")
    chosen = shop.folder / "taken"
    if place == "a file":
        chosen.write_text("not a folder")
    elif place == "a folder of others":
        chosen.mkdir()
        chosen.chmod(0o500)
    else:
        chosen = Path(place)
    assert (
        shop.run("print(rg.grad(f)(3.0))", RETROGRAD_CACHE=str(chosen), PYTHONWARNINGS="ignore")[0]
        == "6.0"
    )


def damage(path: Path, how: str) -> None:
    data = path.read_bytes()
    changed: dict[str, bytes] = {
        "truncated": data[: len(data) // 2], "empty": b"", "edited": data.replace(b"2", b"3"), "foreign": b"print('no')\n",
    }  # fmt: skip
    path.write_bytes(changed[how])


@pytest.mark.parametrize("how", ["truncated", "empty", "edited", "foreign"])
def test_a_damaged_file_is_never_run(shop: Workshop, how: str) -> None:
    shop.write("model", "def f(x):\n    return 2 * x * x\n")
    assert shop.run("print(rg.grad(f)(3.0))")[0] == "12.0"
    files: list[Any] = sorted(shop.cache.rglob("*.py"))
    assert len(files) == 2
    for path in files:
        damage(path, how)
    assert shop.run("print(rg.grad(f)(3.0))")[0] == "12.0"
    assert shop.run("print(rg.grad(f)(3.0))")[1] == "from the cache"


def test_another_installation_is_another_package(tmp_path: Path) -> None:
    """Of what an installer wrote, its list of files tells; a checkout has none."""
    compiler = tmp_path / "retrograd" / "compiler"
    assert installed(str(compiler)) == []
    record = tmp_path / f"retrograd-{version}.dist-info" / "RECORD"
    record.parent.mkdir()
    record.write_text("retrograd/compiler/lowering/lowerer.py,sha256=1,1\n")
    first = installed(str(compiler))
    assert first
    assert installed(str(compiler)) == first
    record.write_text("retrograd/compiler/lowering/lowerer.py,sha256=22,1\n")
    assert installed(str(compiler)) != first


def test_a_file_of_the_package_that_is_edited_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "passes").mkdir()
    (tmp_path / "native").mkdir()
    for name in ("lower.py", "passes/dead.py", "native/print_c.py", "notes.txt"):
        (tmp_path / name).write_text("x = 1\n")

    def states() -> list[str]:
        return sorted(file_states(str(tmp_path), APART))

    before = states()
    assert len(before) == 2
    (tmp_path / "native" / "print_c.py").write_text("x = 22\n")  # no text depends on it
    assert states() == before
    (tmp_path / "passes" / "dead.py").write_text("x = 22\n")
    assert states() != before
