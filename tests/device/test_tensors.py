"""The functions of tensors on the device: each call of the tables gives there what it gives on the host, and nobody waits."""

from __future__ import annotations

from typing import Any

import pytest

from retrograd.runtime.errors import UnsupportedOperation

from ..autograd.tables_second import SECOND
from ..autograd.test_calls import CALLS
from .tensors_on_device import compared

pytestmark = pytest.mark.cupy
MORE = [(family, line) for family, text in SECOND.items() for line in text.strip().splitlines()]
ALL = CALLS + MORE
NAMED = pytest.mark.parametrize(("family", "text"), ALL, ids=[f"{f}: {t}" for f, t in ALL])

# What CuPy lacks, or would be waited for step by step: refused, with the way out.
LACKING = {
    "linalg.lu(": "LU factors are found row by row",
    "lu_factor(": "LU factors are found row by row",
    "'prod'": "products of entries by index",
}
# What is waited for: how many entries a mask has, numbers of a list, a decision about values.
ASKS = {
    "[[0, 2, 2]]": ("upload",),
    "[b(3, 4)]": ("mask",),
    "masked_select": ("mask",),
    "ctc_loss": ("get", "upload"),
    "matrix_exp": ("float",),
    "pinv": ("bool",),
    "lstsq": ("bool",),
    "eigvals(": ("bool",),
}
# Nodes of other names: which targets are ignored is not asked, so the mean is one of weights; singular values are those of
# the whole decomposition.
OTHER_NODES = (
    "nll_loss(",
    "cross_entropy(",
    "svdvals(",
    "linalg.cond(",
    "y.__setitem__(b(3), x())",
)
# The result of a function of an array laid out by columns is by rows.
OTHER_LAYOUT = ("torch.sin(y.t()).t().view(-1)",)


def known(table: dict[str, Any], text: str) -> Any:
    return next((value for key, value in table.items() if key in text), None)


def checked(text: str, twice: bool) -> None:
    why = known(LACKING, text)
    asks = known(ASKS, text) or ()
    if why is not None:
        with pytest.raises(UnsupportedOperation, match=why) as refused:
            compared(text, (), twice=twice)
        assert refused.value.fix
    elif any(part in text for part in OTHER_LAYOUT):
        with pytest.raises(RuntimeError, match="view size is not compatible"):
            compared(text, (), twice=twice)
    else:
        compared(text, asks, not any(part in text for part in OTHER_NODES), twice)


@pytest.mark.sampled(4)
@NAMED
def test_values_and_gradients(family: str, text: str) -> None:
    checked(text, False)


@pytest.mark.sampled(8)
@NAMED
def test_gradients_of_gradients(family: str, text: str) -> None:
    checked(text, True)
