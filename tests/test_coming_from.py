"""The programs of other tools in ``docs/coming_from.md`` give what those of retrograd print there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from .documents import ROOT

PART = re.compile(r"^### (\d+)\. (.*?)\n(.*?)(?=^##)", re.DOTALL | re.MULTILINE)
PRINTED = re.compile(r"^```text\n(.*?)^```", re.DOTALL | re.MULTILINE)
PEER = re.compile(r"^<!-- peer: (\w+) -->\n```py\n(.*?)^```", re.DOTALL | re.MULTILINE)
NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")


@dataclass(frozen=True)
class Peer:
    tool: str
    part: str
    code: str
    printed: list[float]


def peers() -> list[Peer]:
    text = (ROOT / "docs" / "coming_from.md").read_text(encoding="utf-8")
    found = []
    for number, title, body in PART.findall(text):
        printed = [float(n) for n in NUMBER.findall("".join(PRINTED.findall(body)))]
        found += [
            Peer(tool, f"{number}. {title}", code, printed) for tool, code in PEER.findall(body)
        ]
    return found


def test_there_are_twelve_programs() -> None:
    text = (ROOT / "docs" / "coming_from.md").read_text(encoding="utf-8")
    parts = PART.findall(text)
    assert [number for number, *_ in parts] == [str(k + 1) for k in range(12)]
    assert all(PEER.search(body) and PRINTED.search(body) for *_, body in parts)


RESULTS = (
    "value", "slope", "scale", "bias", "jacobian", "y_dot", "x_bar", "hessian", "curvature", "product",
)  # fmt: skip


def results(code: str, names: dict[str, Any]) -> list[float]:
    """The numbers of the results that a program assigns at its top level, in the order of its text."""
    targets = [line.split(" = ")[0] for line in code.splitlines() if re.match(r"[\w(].* = ", line)]
    assigned = dict.fromkeys(n for target in targets for n in re.findall(r"\w+", target))
    values = [names[name] for name in assigned if name in RESULTS]
    lists = [v.tolist() if hasattr(v, "tolist") else v for v in values]
    return [float(n) for v in lists for n in np.ravel(np.asarray(v))]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("peer", peers(), ids=lambda peer: f"{peer.tool} {peer.part}")
def test_another_tool_gives_the_same(peer: Peer) -> None:
    pytest.importorskip(peer.tool)
    names: dict[str, Any] = {"__name__": "coming_from"}
    exec(compile(peer.code, peer.part, "exec"), names)
    np.testing.assert_allclose(results(peer.code, names), peer.printed, rtol=2e-3, atol=2e-5)
