"""The worst trap is silent: items and sums are arrays, and what is written to them is seen by others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from . import counted

pytestmark = pytest.mark.cupy


def test_an_item_is_a_view(cupy: Any) -> None:
    y = cupy.array([1.0, 2.0])
    old = y[0]
    y[0] = 5.0
    assert old.item() == 5.0
    assert old.base is y


def test_a_sum_that_is_added_to_is_added_to_everywhere(cupy: Any) -> None:
    s = cupy.ones(3).sum()
    t = s
    s += 1
    assert t.item() == 4.0 and s is t


def test_items_of_a_loop_are_views(cupy: Any) -> None:
    y = cupy.zeros(3)
    for one in y:
        one += 1.0
    assert y.tolist() == [1.0, 1.0, 1.0]
    a, b, c = y
    b[...] = 7.0
    assert y.tolist() == [1.0, 7.0, 1.0]


@pytest.mark.parametrize(
    "view",
    [lambda x: x.T, lambda x: x[1:], lambda x: x[:, None], lambda x: x.reshape(6), lambda x: x.ravel(), lambda x: x.real,
     lambda x: np.broadcast_to(x[0], (2, 3)), lambda x: x.diagonal(), lambda x: np.swapaxes(x, 0, 1), lambda x: x.view(),
     lambda x: np.expand_dims(x, 0), lambda x: np.flip(x), lambda x: np.moveaxis(x, 0, 1), lambda x: np.split(x, 2)[0]],
)  # fmt: skip
def test_views_can_be_written_to(cupy: Any, view: Any) -> None:
    x = cupy.zeros((2, 3))
    seen = view(x)
    assert seen.base is not None or seen is x
    seen[...] = 3.0
    assert (x == 3.0).any().item()


@pytest.mark.parametrize(
    "copy",
    [lambda x: x.copy(), lambda x: x.flatten(), lambda x: x[np.array([0, 1])], lambda x: x[x == 0], lambda x: x.T.ravel(),
     lambda x: x.flat[0:3], lambda x: np.diag(x), lambda x: x.astype("d"), lambda x: +x, lambda x: np.tile(x, 1)],
)  # fmt: skip
def test_copies_are_copies(cupy: Any, copy: Any) -> None:
    x = cupy.zeros((2, 3))
    copy(x)[...] = 3.0
    assert not (x == 3.0).any().item()


def test_writes(cupy: Any) -> None:
    x, places, value = cupy.zeros(4), cupy.array([0, 1]), cupy.array(4.0)
    for refused in (np.ones(4), [1.0, 2.0, 3.0, 4.0], np.ones(1)):
        with pytest.raises(ValueError, match=r"non-scalar numpy\.ndarray cannot be used for fill"):
            x[:] = refused
    with counted() as counts:
        x[places] = np.ones(2)  # an advanced write takes them, as an upload
        x[0] = 2.0
        x[1] = np.float64(3.0)
        x[2] = value
    assert counts.transfers == {"upload": 1}
    assert x.tolist() == [2.0, 3.0, 4.0, 0.0]
    x[x > 2.5] = 0.0
    assert x.tolist() == [2.0, 0.0, 0.0, 0.0]


def test_an_index_of_the_host_is_an_upload(cupy: Any) -> None:
    x = cupy.arange(4.0)
    with counted() as counts:
        x[np.array([0, 1])]
        x[[0, 1]]
        x[cupy.arange(2)]
        x[1:3]
        x[np.int64(1)]
    assert counts.transfers == {"upload": 2}


def test_memory_that_nobody_wrote_is_garbage(cupy: Any) -> None:
    assert np.isnan(cupy.empty(3)).all().item()
    assert np.isnan(cupy.empty_like(cupy.ones(3))).all().item()
