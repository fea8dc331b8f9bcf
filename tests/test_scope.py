"""What a run tries: the parts make up the whole, and each has the usual part in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from . import scope


@dataclass
class Marker:
    args: tuple[int, ...] = ()


@dataclass
class Item:
    nodeid: str
    markers: dict[str, Marker]

    def get_closest_marker(self, name: str) -> Marker | None:
        return self.markers.get(name)


ITEMS = [
    *(Item(f"a.py::table[{k}]", {"sampled": Marker((5,))}) for k in range(43)),
    *(Item(f"b.py::case[{k}]", {"quick": Marker()} if k % 3 else {}) for k in range(12)),
    *(Item(f"c.py::long[{k}]", {"slow": Marker()}) for k in range(9)),
]


@pytest.fixture(autouse=True)
def chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The choice of this run itself comes back."""
    monkeypatch.setattr(scope, "_chosen", scope._chosen)
    monkeypatch.setattr(scope, "_share", scope._share)


def kept(**how: Any) -> list[str]:
    scope.choose(**{"quick": False, "full": False} | how)
    runs, left = scope.runs(ITEMS)  # type: ignore[arg-type]
    assert len(runs) + len(left) == len(ITEMS)
    return [item.nodeid for item in runs]


def test_usual() -> None:
    assert len(kept()) == 9 + 12
    assert len(kept(quick=True)) == 8
    assert len(kept(full=True)) == len(ITEMS)


@pytest.mark.parametrize("many", [1, 2, 7, 100])
def test_shares_are_the_whole(many: int) -> None:
    usual, whole = set(kept()), kept(full=True)
    shares = [set(kept(share=f"{k}/{many}")) for k in range(1, many + 1)]
    assert all(share >= usual for share in shares)
    rest = [share - usual for share in shares]
    assert set.union(*rest) == set(whole) - usual
    assert sum(map(len, rest)) == len(whole) - len(usual)


@pytest.mark.parametrize("share", ["", "3", "0/7", "8/7", "a/b", "1/", "-1/2", "1/7/3"])
def test_a_share_that_is_none(share: str) -> None:
    with pytest.raises(ValueError, match="a share is like 2/7"):
        kept(share=share)


def test_one_choice() -> None:
    with pytest.raises(ValueError, match="quick, full or a share"):
        kept(full=True, share="1/7")
