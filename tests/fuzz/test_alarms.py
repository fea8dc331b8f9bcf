"""The judge of alarms tells a right derivative from a wrong one."""

from __future__ import annotations

from typing import Any

import pytest

import retrograd as rg

from .alarms import alarm


def cubed(x: float) -> float:
    return x * x * x


@pytest.mark.parametrize(("slope", "kind"), [(6.75, "false alarm"), (3.0, "true alarm")])
def test_verdict(slope: float, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:

    def answered(f: Any, wrt: Any) -> Any:
        return lambda *args: (f(*args), (slope,))

    monkeypatch.setattr(rg, "value_and_grad", answered)
    assert alarm(cubed, (1.5,), (0,), "")[0] == kind
