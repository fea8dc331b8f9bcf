"""Kernels of users run on the host: their bodies are compiled as loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from . import NotOnHost, counted, no_transfers
from .kernels.host_compiler import CompileException, compiler

pytestmark = [
    pytest.mark.cupy,
    pytest.mark.skipif(compiler() is None, reason="needs a C++ compiler"),
]


@pytest.fixture
def x(cupy: Any) -> Any:
    return cupy.array(np.arange(12.0).reshape(3, 4))


def test_an_elementwise_kernel(cupy: Any, x: Any) -> None:
    kernel = cupy.ElementwiseKernel("T x, float64 y, raw T z", "T o", "o = x * y + z[i]", "mixed")
    with counted() as counts, no_transfers():
        made = kernel(x, 2.0, x)
    assert counts.launches == {"mixed": 1}
    assert (made.get() == x.get() * 3).all()
    assert (kernel.nin, kernel.nout, kernel.nargs, kernel.name) == (3, 1, 4, "mixed")
    assert "x * y + z[i]" in kernel.cached_code


def test_letters_take_the_kinds_of_the_arguments(cupy: Any, x: Any) -> None:
    kernel = cupy.ElementwiseKernel("T x, S y", "T z", "z = x + (T)y", "letters")
    assert kernel(x.astype("f"), x.astype("i")).dtype == np.float32
    assert kernel(x.astype("i"), x).dtype == np.int32
    with pytest.raises(TypeError, match="Type is mismatched"):
        cupy.ElementwiseKernel("T x, T y", "T z", "z = x + y", "same")(x, x.astype("f"))
    with pytest.raises(TypeError, match="Type is mismatched"):
        cupy.ElementwiseKernel("float32 x", "T z", "z = x", "fixed")(x)


def test_broadcasting_and_several_outputs(cupy: Any, x: Any) -> None:
    kernel = cupy.ElementwiseKernel("T x, T y", "T s, T d", "s = x + y; d = x - y", "both")
    s, d = kernel(x, x[0])
    assert (s.get() == x.get() + x.get()[0]).all() and (d.get() == x.get() - x.get()[0]).all()


def test_outputs_are_written_in_place(cupy: Any, x: Any) -> None:
    kernel = cupy.ElementwiseKernel("T x", "T y", "y += x", "add_to")
    out = cupy.asfortranarray(x)
    view = out[:, ::2]
    assert kernel(x[:, ::2], view) is view
    assert out[:, 0].tolist() == [0.0, 8.0, 16.0] and out[:, 1].tolist() == [1.0, 5.0, 9.0]
    with pytest.raises(ValueError, match="Out shape is mismatched"):
        kernel(x, cupy.zeros(4))


def test_raw_arrays_know_their_strides_and_atomics_are_plain(cupy: Any, x: Any) -> None:
    gather = cupy.ElementwiseKernel(
        "int64 k, raw T x", "T y", "ptrdiff_t at[] = {k % 3, k / 3}; y = x[at]", "gather"
    )
    assert gather(cupy.arange(3), x.T[:3].T).tolist() == [0.0, 4.0, 8.0]
    linear = cupy.ElementwiseKernel("raw T x", "T y", "y = x[i]", "linear")
    with pytest.raises(ValueError, match="Loop size is undecided"):
        linear(x)
    assert linear(x.T, size=4).tolist() == [0.0, 4.0, 8.0, 1.0]
    scatter = cupy.ElementwiseKernel("int64 k, T v", "raw T y", "atomicAdd(&y[k], v)", "scatter")
    sums = cupy.zeros(3)
    scatter(cupy.array([0, 2, 0]), cupy.array([1.0, 2.0, 3.0]), sums)
    assert sums.tolist() == [4.0, 0.0, 2.0]


def test_the_indexer(cupy: Any, x: Any) -> None:
    kernel = cupy.ElementwiseKernel(
        "T x",
        "int64 row, int64 column",
        "row = _ind.get()[0]; column = _ind.get()[1]",
        "places",
        reduce_dims=False,
    )
    rows, columns = kernel(x)
    assert (rows.get() == np.indices((3, 4))[0]).all() and (
        columns.get() == np.indices((3, 4))[1]
    ).all()
    assert cupy.ElementwiseKernel("T x", "int64 n", "n = _ind.size()", "many")(x)[0, 0].item() == 12


def test_preamble_loop_prep_and_functions(cupy: Any, x: Any) -> None:
    kernel = cupy.ElementwiseKernel(
        "T x", "T y", "y = half_of(x) * scale + max(x, T(3)) + rsqrt(x + 1)", "helped",
        preamble="__device__ __forceinline__ double half_of(double x) { return x / 2; }", loop_prep="double scale = 4",
    )  # fmt: skip
    h = x.get()
    assert np.allclose(
        kernel(x).get(), h / 2 * 4 + np.maximum(h, 3) + 1 / np.sqrt(h + 1), rtol=1e-15
    )


@pytest.mark.parametrize(
    ("refused", "error", "text"),
    [(lambda cp, x: cp.ElementwiseKernel("T i", "T y", "y = i"), ValueError, "Can not use 'i' as a parameter name"),
     (lambda cp, x: cp.ElementwiseKernel("T x", "T y", "y = x", "a b"), ValueError, "Invalid kernel name"),
     (lambda cp, x: cp.ElementwiseKernel("x", "T y", "y = x"), Exception, "Syntax error"),
     (lambda cp, x: cp.ElementwiseKernel("T x, S y", "S z", "z = y")(x, 2.5), KeyError, "S"),
     (lambda cp, x: cp.ElementwiseKernel("raw raw2 T x", "T y", "y = x"), Exception, "Unknown keyword"),
     (lambda cp, x: cp.ElementwiseKernel("T x", "T y", "y = x")(np.ones(3)), TypeError, "Unsupported type"),
     (lambda cp, x: cp.ElementwiseKernel("T x", "T y", "y = x")([1.0]), TypeError, "Unsupported type"),
     (lambda cp, x: cp.ElementwiseKernel("T x", "T y", "y = x")(x, x, x), TypeError, "Wrong number of arguments"),
     (lambda cp, x: cp.ElementwiseKernel("T x", "T y", "y = x")(x, foo=1), TypeError, "Wrong arguments"),
     (lambda cp, x: cp.ElementwiseKernel("T x", "T y", "y = nonsense")(x), CompileException, "nonsense"),
     (lambda cp, x: cp.ElementwiseKernel("T x", "T y", "y = x; __syncthreads()")(x), NotOnHost, "__syncthreads")],
)  # fmt: skip
def test_what_is_refused(cupy: Any, x: Any, refused: Any, error: type, text: str) -> None:
    with pytest.raises(error, match=text):
        refused(cupy, x)


@pytest.mark.parametrize(
    ("axis", "keepdims"), [(None, False), (0, False), (1, True), ((0, 1), False), (-1, False)]
)
def test_a_reduction_kernel(cupy: Any, x: Any, axis: Any, keepdims: bool) -> None:
    norm = cupy.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
    with counted() as counts:
        found = norm(x, axis=axis, keepdims=keepdims)
    assert counts.launches == {"norm": 1}
    assert np.allclose(
        found.get(), np.sqrt((x.get() ** 2).sum(axis, keepdims=keepdims)), rtol=1e-15
    )


def test_reductions_of_other_kinds(cupy: Any, x: Any) -> None:
    dot = cupy.ReductionKernel(
        "T x, S y", "float64 z", "(double)x * y", "a + b", "z = a", "0", "dot2"
    )
    assert dot(x.astype("f"), x[0], axis=1).tolist() == (x.get() @ x.get()[0]).tolist()
    largest = cupy.ReductionKernel("T x", "T y", "x", "max(a, b)", "y = a", None, "largest")
    assert largest(-x, axis=0).tolist() == [-0.0, -1.0, -2.0, -3.0]
    with pytest.raises(ValueError, match="which has no identity"):
        largest(x[:0])
    many = cupy.ReductionKernel(
        "T x", "int64 n", "x > 2", "a + b", "n = a", "0", "many", reduce_type="int"
    )
    assert many(x).item() == 9
    out = cupy.zeros(4)
    assert dot(x, x, axis=0, out=out) is out and out[1].item() == 107.0


GRID = r"""
extern "C" __global__ void twice(const double* __restrict__ x, double* y, int n) {  // (threads) of a grid
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
extern "C" __global__ void sum(const double* x, double* total, long long n, double scale) {
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(total, scale * x[i]);
}
extern "C" __global__ void shared(double* x) { __shared__ double s[4]; __syncthreads(); }
"""


def test_raw_kernels(cupy: Any, x: Any) -> None:
    y = cupy.zeros(12)
    twice = cupy.RawKernel(GRID.partition('extern "C" __global__ void shared')[0], "twice")
    with counted() as counts:
        twice((3,), (5,), (x, y, 12))
    assert counts.launches == {"twice": 1}
    assert y.tolist() == (2 * x.get().ravel()).tolist()
    total = cupy.zeros(1)
    module = cupy.RawModule(code=GRID.partition('extern "C" __global__ void shared')[0])
    module.get_function("sum")((2,), (2,), (x, total, np.int64(12), 0.5))
    assert total.item() == 33.0


def test_what_raw_kernels_refuse(cupy: Any, x: Any) -> None:
    with pytest.raises(NotOnHost, match="__syncthreads|__shared__"):
        cupy.RawKernel(GRID, "shared")((1,), (4,), (x,))
    with pytest.raises(ValueError, match="there is no kernel nothing"):
        cupy.RawModule(code=GRID).get_function("nothing")
    with pytest.raises(TypeError, match="Unsupported type"):
        cupy.RawKernel(GRID.partition('extern "C" __global__ void shared')[0], "twice")(
            (1,), (1,), (np.ones(3), x, 3)
        )
    with pytest.raises(NotOnHost, match="shared memory"):
        cupy.RawKernel(GRID, "twice")((1,), (1,), (x, x, 3), shared_mem=8)


def test_fuse(cupy: Any, x: Any) -> None:
    @cupy.fuse()
    def squared_difference(a: Any, b: Any) -> Any:
        return (a - b) * (a - b)

    with counted() as counts:
        found = squared_difference(x, 1.0)
    assert counts.launches == {"squared_difference": 1}
    assert (found.get() == (x.get() - 1) ** 2).all()
    assert cupy.fuse(kernel_name="named")(lambda a: a + 1)(x)[0, 0].item() == 1.0


def test_the_body_computes_what_the_host_computes_bit_for_bit(cupy: Any) -> None:
    values = np.random.default_rng(1).standard_normal(1000)
    kernel = cupy.ElementwiseKernel("T x, T y", "T z", "z = sqrt(x * x) + y / (1 + x * x)", "bits")
    x = cupy.array(values)
    fused = kernel(x, x).get()
    assert np.allclose(fused, np.sqrt(values**2) + values / (1 + values**2), rtol=4e-16)
