"""The double stands where imports look, for as long as a test runs, and counts."""

from __future__ import annotations

import copy
import importlib
import pickle
import sys
from typing import Any

import numpy as np
import pytest

from . import Transfer, counted, installed, no_transfers


def test_it_goes_as_it_came() -> None:
    before = {
        name: one for name, one in sys.modules.items() if name.split(".")[0] in ("cupy", "cupyx")
    }
    with installed() as double:
        import cupy
        import cupyx.scipy.special
        from cupy.linalg import inv

        assert (
            cupy is double
            and inv is cupy.linalg.inv
            and cupyx.scipy.special.erf.name == "cupyx_scipy_special_erf"
        )
        assert importlib.import_module("cupy.cuda.nvtx").RangePush is cupy.cuda.nvtx.RangePush
        with pytest.raises(ImportError):
            importlib.import_module("cupy.block")
    after = {
        name: one for name, one in sys.modules.items() if name.split(".")[0] in ("cupy", "cupyx")
    }
    assert after == before


def test_an_error_inside_takes_it_away_too() -> None:
    before = "cupy" in sys.modules
    with pytest.raises(ZeroDivisionError), installed():
        raise ZeroDivisionError
    assert ("cupy" in sys.modules) == before


@pytest.mark.cupy
def test_the_marker_installs_it() -> None:
    import cupy

    assert "double" in repr(cupy)


@pytest.mark.cupy
def test_counts(cupy: Any) -> None:
    x = cupy.array(np.ones(5))
    with counted() as counts:
        y = cupy.sin(x) + x
        cupy.asnumpy(y)
    assert counts.launches == {"sin": 1, "add": 1} and counts.launched == 2
    assert counts.transfers == {"asnumpy": 1} and counts.transferred == 1
    assert (counts.allocations, counts.allocated) == (2, 80)
    with counted() as outer, counted() as inner:
        cupy.exp(x)
    assert outer.launches == inner.launches == {"exp": 1}


@pytest.mark.cupy
def test_no_transfers(cupy: Any) -> None:
    x = cupy.array(np.ones(5))
    with no_transfers():
        (x * 2).sum()
        for cross in (
            lambda: cupy.array(np.ones(2)),
            lambda: float(x.sum()),
            lambda: x[x > 0],
            lambda: x.nonzero(),
            lambda: print(x),
        ):
            with pytest.raises(Transfer):
                cross()
    with no_transfers(allowed=("item",)):
        assert x.sum().item() == 5.0
        with pytest.raises(Transfer):
            x.get()
    assert not issubclass(
        Transfer, (TypeError, ValueError, RuntimeError)
    )  # no handler takes it for a refusal


@pytest.mark.cupy
def test_copies_and_pickles(cupy: Any) -> None:
    x = cupy.arange(3.0)
    for made in (copy.copy(x), copy.deepcopy(x)):
        assert isinstance(made, cupy.ndarray) and made.tolist() == x.tolist() and made is not x
    with counted() as counts:
        assert pickle.loads(pickle.dumps(x)).tolist() == x.tolist()
    assert counts.transfers == {"pickle": 1, "upload": 1, "tolist": 2}


@pytest.mark.cupy
def test_dlpack(cupy: Any) -> None:
    x = cupy.arange(3.0)
    with pytest.raises(RuntimeError, match="Unsupported device"):
        np.from_dlpack(x)
    shared = cupy.from_dlpack(Foreign(x))
    shared[0] = 9.0
    assert x[0].item() == 9.0
    with counted() as counts:
        assert isinstance(np.from_dlpack(x, device="cpu"), np.ndarray)
    assert counts.transfers == {"get": 1}
    with pytest.raises(TypeError, match="CPU arrays cannot be directly imported"):
        cupy.from_dlpack(np.ones(3))


class Foreign:
    """An array of another library of the device."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, **how: Any) -> Any:
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


@pytest.mark.cupy
def test_the_device(cupy: Any) -> None:
    x = cupy.ones((2, 3))
    assert x.device == cupy.cuda.Device(0) and cupy.cuda.runtime.getDeviceCount() == 1
    assert x.__cuda_array_interface__["data"] == (x.data.ptr, False)
    assert x[1].data.ptr == x.data.ptr + 24
    with pytest.raises(RuntimeError, match="cudaErrorInvalidDevice"):
        cupy.cuda.Device(1)
    with cupy.cuda.Stream() as stream:
        assert cupy.cuda.get_current_stream() == stream
    assert cupy.cuda.get_current_stream() == cupy.cuda.Stream.null
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    end.record()
    assert cupy.cuda.get_elapsed_time(begin, end) >= 0
    assert cupy.get_default_memory_pool().used_bytes() == 0
    assert cupy.get_array_module(x) is cupy and cupy.get_array_module(np.ones(2)) is np
    assert cupy.cuda.runtime.getDeviceProperties(0)["warpSize"] == 32
    with counted() as counts:
        stream.synchronize()
    assert counts.transfers == {"synchronize": 1}


@pytest.mark.cupy
def test_the_buffer_of_the_transfer(cupy: Any) -> None:
    x, host = cupy.arange(3.0), np.empty(3)
    assert x.get(out=host) is host and host.tolist() == [0.0, 1.0, 2.0]
    x.set(np.ones(3))
    assert x.tolist() == [1.0, 1.0, 1.0]
    host[:] = 7.0
    assert x.tolist() == [1.0, 1.0, 1.0]
