"""What PyTorch has and this is not about is refused by a text that says so; what asks for devices is answered."""

from __future__ import annotations

import importlib
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import retrograd
from retrograd.scope import INSTEAD, LAYERS, instead

PAGE = Path(__file__).parents[2] / "docs/eager_scope.md"
NAMES = sorted(INSTEAD)


def found(name: str) -> Any:
    """``retrograd.<name>``, part by part."""
    value: Any = retrograd
    for part in name.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("name", NAMES)
def test_attribute_is_refused(name: str) -> None:
    with pytest.raises(AttributeError, match=re.escape(INSTEAD[name])):
        found(name)


@pytest.mark.parametrize("name", NAMES)
def test_import_is_refused(name: str) -> None:
    above, _, last = f"retrograd.{name}".rpartition(".")
    for statement in (f"from {above} import {last}", f"import retrograd.{name}"):
        with pytest.raises(ImportError, match=re.escape(INSTEAD[name])):
            exec(statement, {})


def test_programs_may_ask_whether_it_is_there() -> None:
    assert not hasattr(retrograd, "compile")
    assert getattr(retrograd, "jit", None) is None
    assert not hasattr(retrograd.nn, "Module")


@pytest.mark.parametrize("name", LAYERS.values())
def test_function_of_a_layer_is_there(name: str) -> None:
    assert callable(getattr(retrograd.nn.functional, name))


def test_page_lists_them() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in NAMES if f"`{name}`" not in text] == []


def test_parts_of_what_is_out_of_scope_are_too() -> None:
    assert instead("utils.data.DataLoader") == INSTEAD["utils.data"]
    assert instead("nn.functional") is None


def test_unknown_names_are_unknown() -> None:
    with pytest.raises(AttributeError, match=r"module 'retrograd.nn' has no attribute 'Nothing'$"):
        _ = retrograd.nn.Nothing
    assert importlib.util.find_spec("retrograd.nothing") is None


def test_said_in_the_first_line_of_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from retrograd.utils.data import DataLoader"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "out of scope" in done.stderr


@pytest.mark.parametrize(
    "name",
    ["cuda.is_available", "cuda.is_initialized", "mps.is_available", "xpu.is_available", "backends.cuda.is_built",
     "backends.mps.is_available", "backends.mps.is_built", "backends.cudnn.is_available"],
)  # fmt: skip
def test_no_device_but_the_main_memory(name: str) -> None:
    module, _, function = name.rpartition(".")
    assert getattr(importlib.import_module(f"retrograd.{module}"), function)() is False
    assert found(name)() is False


def test_usual_lines_about_devices(torch: Any) -> None:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    assert torch.cuda.device_count() == 0 or device.type == "cuda"
    torch.cuda.manual_seed(0)
    torch.cuda.manual_seed_all(0)
    torch.backends.cudnn.deterministic = True
    assert torch.ones(2, device="cpu").device.type == "cpu"


def test_seeds_are_of_a_stream_of_its_own(torch: Any) -> None:
    torch.manual_seed(3)
    first = torch.rand(4)
    torch.manual_seed(3)
    assert torch.equal(torch.rand(4), first)
