"""What differs on the device and breaks generated code: each of the twenty-two points, on the double."""

from __future__ import annotations

import math
import operator
import warnings
import weakref
from typing import Any

import numpy as np
import pytest

from . import Transfer, counted, no_transfers

pytestmark = pytest.mark.cupy


@pytest.fixture
def c(cupy: Any) -> Any:
    return cupy.array(np.arange(12.0).reshape(3, 4))


@pytest.mark.parametrize(
    "convert", [np.asarray, np.array, np.sort_complex, lambda c: np.ones(3) @ np.asarray(c)]
)
def test_1_no_conversion_to_numpy(c: Any, convert: Any) -> None:
    with pytest.raises(
        TypeError, match=r"Implicit conversion to a NumPy array is not allowed|no implementation"
    ):
        convert(c) if convert is not np.sort_complex else np.lexsort((np.asarray(c),))
    assert not isinstance(c, np.ndarray)
    with pytest.raises(TypeError):
        memoryview(c)
    with pytest.raises(AttributeError):
        c.__array_interface__  # noqa: B018


@pytest.mark.parametrize(
    "mixed",
    [operator.add, lambda c, h: h * c, np.multiply, np.dot, lambda c, h: np.concatenate([c, h]), np.copyto, lambda c, h: np.where(c > 0, c, h)],
)  # fmt: skip
def test_2_host_and_device_do_not_mix(c: Any, mixed: Any) -> None:
    with pytest.raises(
        (TypeError, ValueError), match=r"Unsupported type|incorrect type|cannot be used for copyto"
    ):
        mixed(c, np.ones((3, 4)))


def test_2_a_host_scalar_array_passes_comparisons_only(c: Any) -> None:
    assert (c == np.array(1.0)).sum().item() == 1
    with pytest.raises(TypeError):
        c + np.array(1.0)
    assert (c + np.float64(1)).dtype == float


def test_3_no_lists_in_ufuncs(cupy: Any, c: Any) -> None:
    with pytest.raises(TypeError, match="Unsupported type <class 'list'>"):
        cupy.power([1, 2], 2)
    with pytest.raises(TypeError, match="NotImplemented"):
        c[0] + [1.0, 2.0, 3.0, 4.0]
    with pytest.raises(TypeError):
        cupy.concatenate([[1.0], c[0]])


def test_4_reductions_and_items_are_arrays(cupy: Any, c: Any) -> None:
    for one in (c.sum(), c[0, 0], c.max(), np.mean(c), cupy.linalg.norm(c), c.flat[0]):
        assert isinstance(one, cupy.ndarray) and one.shape == () and not isinstance(one, float)
    with counted() as counts:
        math.exp(c[0, 0])
    assert counts.transfers == {"float": 1}


@pytest.mark.parametrize(
    ("kind", "ask"),
    [("float", float), ("int", int), ("complex", complex), ("bool", bool), ("item", lambda s: s.item()), ("repr", repr),
     ("repr", str), ("repr", lambda s: f"{s:.3f}"), ("get", lambda s: s.get()), ("tolist", lambda s: s.tolist()),
     ("bool", lambda s: 1 if s > 0 else 2), ("bool", lambda s: max(s, s)), ("tobytes", lambda s: s.tobytes())],
)  # fmt: skip
def test_5_hidden_synchronisation_is_counted(c: Any, kind: str, ask: Any) -> None:
    with counted() as counts:
        ask(c.sum())
    assert counts.transfers == {kind: 1}
    with no_transfers(), pytest.raises(Transfer, match=kind):
        ask(c.sum())


def test_6_no_index(cupy: Any, c: Any) -> None:
    count = cupy.array(2)
    for use in (
        range,
        lambda n: [1, 2, 3][n],
        cupy.zeros,
        lambda n: c.reshape(n, -1),
        operator.index,
    ):
        with pytest.raises(TypeError):
            use(count)
    assert c[count].base is None and c[2].base is c  # a copy, and a view


def test_7_numpy_makes_host_arrays(cupy: Any, c: Any) -> None:
    for made in (np.zeros(4), np.arange(4.0), np.linspace(0, 1, 4)):
        with pytest.raises(TypeError):
            made + c[0]
    assert isinstance(np.zeros(4, like=c), cupy.ndarray)
    if np.lib.NumpyVersion(np.__version__) >= "2.4.0":  # which hands `device` on
        for refused in (np.ones, np.eye, lambda n, like: np.full(n, 1.0, like=like)):
            with pytest.raises(TypeError, match="unexpected keyword argument 'device'"):
                refused(4, like=c)


def test_8_methods_of_ufuncs(cupy: Any, c: Any) -> None:
    index = cupy.array([0, 0, 2])
    sums = cupy.zeros(3)
    np.add.at(sums, index, 1.0)
    assert sums.tolist() == [2.0, 0.0, 1.0]
    assert np.add.reduce(c, axis=1).tolist() == [6.0, 22.0, 38.0]
    assert np.multiply.accumulate(c[1]).tolist() == [4.0, 20.0, 120.0, 840.0]
    assert np.add.reduceat(c[0], cupy.array([0, 2])).tolist() == [1.0, 5.0]
    for lacking in (
        lambda: np.multiply.at(sums, index, 2.0), lambda: np.maximum.reduce(c), lambda: np.minimum.accumulate(c),
        lambda: np.multiply.reduceat(c[0], index), lambda: np.logical_and.reduce(c > 0),
    ):  # fmt: skip
        with pytest.raises(NotImplementedError, match="is not supported yet"):
            lacking()


@pytest.mark.parametrize(
    ("name", "refused", "taken"),
    [("add", "?bBhHFD", "iIlLefd"), ("subtract", "?bBhHlLefdFD", "iI"), ("maximum", "?bBhHeFD", "iIlLfd"),
     ("minimum", "?bBhHeFD", "iIlLfd"), ("bitwise_and", "?bBhHefdFD", "iIlL")],
)  # fmt: skip
def test_8_kinds_of_atomic_writes(cupy: Any, name: str, refused: str, taken: str) -> None:
    for kind in refused + taken:
        target, index = cupy.ones(3, kind), cupy.array([0, 1])
        if kind in refused:
            with pytest.raises(TypeError, match=rf"cupy\.{name}\.at only supports"):
                getattr(cupy, name).at(target, index, cupy.ones(2, kind))
        else:
            getattr(cupy, name).at(target, index, cupy.ones(2, kind))
    import cupyx

    with pytest.raises(TypeError):  # a complex gather goes back by its parts
        cupyx.scatter_add(cupy.zeros(3, complex), cupy.array([0]), 1j)


def test_9_who_wins_a_repeated_write_is_open(cupy: Any) -> None:
    index = cupy.array([0] * 8)
    seen = set()
    for _ in range(40):
        target = cupy.zeros(1)
        target[index] = cupy.arange(8.0)
        seen.add(target.item())
    assert len(seen) > 2 and seen <= set(range(8))


def test_10_bounds_wrap(cupy: Any, c: Any) -> None:
    assert c[0][cupy.array([5, -1, -5])].tolist() == [1.0, 3.0, 3.0]
    target = cupy.zeros(3)
    target[cupy.array([4])] = 7.0
    assert target.tolist() == [0.0, 7.0, 0.0]
    np.add.at(target, cupy.array([3]), 1.0)
    assert target.tolist() == [1.0, 7.0, 0.0]
    assert cupy.take(target, cupy.array([10])).tolist() == [7.0]
    with pytest.raises(IndexError, match="Index 5 is out of bounds for axis 0 with size 3"):
        c[5]  # an integer of Python's is looked at


def test_11_results_are_in_c_order(cupy: Any, c: Any) -> None:
    f = cupy.asfortranarray(c)
    assert f.flags.f_contiguous and not f.flags.c_contiguous
    for made in (f + f, -f, np.exp(f), f.copy(), f.T.copy().T + 0, cupy.where(f > 0, f, f)):
        assert made.flags.c_contiguous
    for kept in (f.astype("f"), cupy.zeros_like(f), cupy.array(f)):
        assert kept.flags.f_contiguous


@pytest.mark.parametrize(
    "call",
    [lambda c: np.block([[c]]), lambda c: np.insert(c, 0, 1.0), lambda c: np.vecdot(c, c), lambda c: np.spacing(c),
     lambda c: np.geomspace(c[0, 1], 2.0), lambda c: np.unstack(c), lambda c: np.nanquantile(c, 0.5), lambda c: np.matvec(c, c[0]),
     lambda c: np.linalg.multi_dot([c, c]), lambda c: np.linalg.svdvals(c), lambda c: np.linalg.vector_norm(c),
     lambda c: np.linalg.matrix_norm(c)],
)  # fmt: skip
def test_12_functions_that_are_missing(c: Any, call: Any) -> None:
    with pytest.raises(TypeError, match="no implementation found|all returned NotImplemented"):
        call(c)


def test_12_names_that_are_missing(cupy: Any) -> None:
    for name in "block insert geomspace vecdot matvec unstack nanquantile frompyfunc spacing seterr errstate".split():
        assert not hasattr(cupy, name)
    for name in "multi_dot vector_norm matrix_norm svdvals".split():
        assert not hasattr(cupy.linalg, name)


def test_13_errstate_has_no_effect(cupy: Any) -> None:
    import cupyx

    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isinf(1 / cupy.zeros(2)).all().item()
        assert np.isnan(np.log(-cupy.ones(2))).all().item()
    with pytest.raises(NotImplementedError), cupyx.errstate(divide="ignore"):
        pass


def test_14_linalg_gives_nan(cupy: Any) -> None:
    import cupyx

    singular = cupy.zeros((2, 2))
    assert np.isnan(cupy.linalg.inv(singular)).all().item()
    assert np.isnan(cupy.linalg.cholesky(-cupy.eye(2))).any().item()
    with cupyx.errstate(linalg="raise"), pytest.raises(np.linalg.LinAlgError, match="devInfo"):
        cupy.linalg.inv(singular)


def test_15_eig_lstsq_qr(cupy: Any, c: Any) -> None:
    values, vectors = cupy.linalg.eig(cupy.eye(2))
    assert values.dtype == vectors.dtype == complex  # NumPy's are real here
    x, residuals, rank, singular = cupy.linalg.lstsq(c, c[:, 0])
    assert isinstance(rank, cupy.ndarray) and rank.dtype == np.int32
    assert residuals.shape == (0,) and singular.shape == (3,) and x.shape == (4,)
    with pytest.raises(ValueError, match="The deprecated mode 'economic' is not supported"):
        cupy.linalg.qr(c, "economic")
    with pytest.raises(ValueError, match=r"a must have \(..., M, M\) shape"):
        cupy.linalg.solve(cupy.eye(3), cupy.ones((2, 3, 1)))  # no broadcasting


@pytest.mark.parametrize("dtype", [object, "U3", "S3", "M8[s]", "g", [("x", "f8")]])
def test_16_kinds_of_numbers(cupy: Any, dtype: Any) -> None:
    with pytest.raises(ValueError, match="Unsupported dtype"):
        cupy.zeros(3, dtype)


def test_17_random_streams_are_not_numpys(cupy: Any) -> None:
    ours, numpys = cupy.random.default_rng(3), np.random.default_rng(3)
    assert not np.allclose(ours.standard_normal(5).get(), numpys.standard_normal(5))
    cupy.random.seed(3)
    assert not np.allclose(cupy.random.rand(5).get(), np.random.RandomState(3).rand(5))
    assert cupy.random.rand(5, dtype="f").dtype == np.float32
    assert cupy.random.normal(0, 1, (2, 3), dtype="f").dtype == np.float32
    assert not hasattr(ours, "permutation") and not hasattr(ours, "normal")
    again = cupy.random.default_rng(3)
    assert (again.standard_normal(5) == cupy.random.default_rng(3).standard_normal(5)).all().item()


def test_18_out_and_where(cupy: Any, c: Any) -> None:
    out = cupy.empty((3, 4))
    assert np.add(c, c, out=out) is out
    with pytest.raises(TypeError, match=r"Unsupported type <class 'numpy\.ndarray'>"):
        np.add(c, c, out=np.empty((3, 4)))
    for refused in (
        lambda: np.add(c, c, where=c > 0),
        lambda: np.sum(c, where=c > 0),
        lambda: cupy.max(c, initial=0.0),
    ):
        with pytest.raises(TypeError, match=r"Wrong arguments|unexpected keyword"):
            refused()


def test_19_conversions_to_integers_saturate(cupy: Any) -> None:
    values = cupy.array([-1.5, np.inf, -np.inf, np.nan, 3e9, 7.9])
    assert values.astype("I").tolist() == [0, 2**32 - 1, 0, 0, 3000000000, 7]
    assert values.astype("i").tolist() == [-1, 2**31 - 1, -(2**31), 0, 2**31 - 1, 7]


def test_20_attributes(cupy: Any, c: Any) -> None:
    for name in (
        "ctypes",
        "resize",
        "setflags",
        "itemset",
        "newbyteorder",
        "__array_interface__",
        "__array_namespace__",
    ):
        with pytest.raises(AttributeError):
            getattr(c, name)
    with pytest.raises(AttributeError, match="'ndarray' object has no attribute 'foo'"):
        c.foo = 1
    with pytest.raises(TypeError, match="unhashable type: 'ndarray'"):
        hash(c)
    assert weakref.ref(c)() is c
    assert c.__array_priority__ == 100


def test_21_scipy_needs_cupyx(cupy: Any, c: Any) -> None:
    special = pytest.importorskip("scipy.special")
    import cupyx.scipy.special as on_device

    assert isinstance(on_device.erf(c), cupy.ndarray)
    assert isinstance(on_device.logsumexp(c), cupy.ndarray)
    with pytest.raises(TypeError):
        special.logsumexp(c)
    with pytest.raises(TypeError):
        on_device.erf(np.ones(3))


def test_22_scatter_sums_come_in_any_order(cupy: Any) -> None:
    values = cupy.array(
        np.random.default_rng(0).standard_normal(400) * 10.0 ** np.arange(400).clip(0, 15)
    )
    sums = set()
    for _ in range(20):
        target = cupy.zeros(1)
        np.add.at(target, cupy.zeros(400, int), values)
        sums.add(target.item())
    assert len(sums) > 1
    assert np.allclose(list(sums), values.get().sum(), rtol=1e-9)
