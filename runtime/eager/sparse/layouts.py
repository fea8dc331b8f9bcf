"""How the entries of a tensor are kept: all of them, or some."""

from __future__ import annotations

__all__ = ["LAYOUTS", "check_layout", "layout"]


class layout:
    """The layout of a tensor."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"retrograd.{self.name}"


NAMES = ("strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc")
LAYOUTS = {name: layout(name) for name in NAMES}


def check_layout(given: layout | None) -> None:
    """Refuse a sparse layout that is not here."""
    if given is not None and given is not LAYOUTS["sparse_coo"]:
        raise NotImplementedError(
            f"tensors are not in the layout {given} here: sparse ones are in sparse_coo"
        )
