"""What an installed package asks before it computes: options of its own, classes of arrays, namespaces."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
import retrograd.transforms.specialise.compile as compile_module
from retrograd.compiler.lowering.opaque.untouched_samples import Touched, Touches

from ..installed import installed

X = np.array([0.3, 0.7, 1.1])
PACKAGE = """
import contextlib
import functools
import math
import sys
import threading

import numpy as np

_defaults = {"dispatch": False, "skip": False, "scale": 2.0}
_local = threading.local()
asked = []


def _options():
    if not hasattr(_local, "options"):
        _local.options = _defaults.copy()
    return _local.options


def options():
    return _options().copy()


@contextlib.contextmanager
def option_context(**changes):
    before = options()
    _options().update(changes)
    try:
        yield
    finally:
        _options().update(before)


def device_of(x):
    if not hasattr(x, "device") or not options()["dispatch"]:
        return None
    return x.device


def namespace(*arrays, xp=None):
    if not options()["dispatch"]:
        return (np if xp is None else xp), False
    return arrays[0].__array_namespace__(), True


def is_frame(x):
    try:
        pd = sys.modules["no_pandas"]
    except KeyError:
        return False
    return isinstance(x, pd.DataFrame)


def is_native(x):
    plugins = [type(x).__module__.startswith(name) for name in ("polars", "cudf")]
    return hasattr(x, "__frame__") or any(plugins)


def is_rising(x):
    return bool(np.all(np.diff(x) > 0))


def is_homogeneous(x):
    return isinstance(x, np.ndarray) and x.shape == (4, 4)


def is_rotation(x):
    return x.ndim == 2 and bool(np.allclose(x @ x.T, np.eye(len(x))))


def is_lucky(x):
    return bool(np.random.random() > 2.0)


def is_turned(x, check=False):
    return x.shape == (3, 3) and (not check or bool(np.allclose(x @ x.T, np.eye(3))))


def is_large(a):
    return math.fabs(a) > 100.0


def is_real(a):
    return isinstance(a, float) and not isinstance(a, complex)


def is_square(x):
    return x.ndim == 2 and x.shape[0] == x.shape[1]


def counted(x):
    asked.append(1)
    return False


def moved(*arrays, xp, device):
    made = []
    for x in arrays:
        if x is None:
            made.append(None)
            continue
        xp_x, _ = namespace(x)
        if xp == xp_x and device == device_of(x):
            made.append(x)
        else:
            made.append(xp.from_dlpack(x, device=device))
    return made


def validated(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        skip = options()["skip"]
        if skip:
            return function(*args, **kwargs)
        if len(args) < 1:
            raise TypeError("an array")
        with option_context(skip=True):
            return function(*args, **kwargs)

    return wrapper


def converted(x):
    if is_frame(x) or is_native(x):
        x = x.to_numpy().mystery()
    return np.asarray(x)


@validated
def scored(x):
    xp, _ = namespace(x)
    y, none = moved(x, None, xp=xp, device=device_of(x))
    y = converted(y)
    return xp.sum(xp.asarray(y**2, device=None)) + xp.sum(inner(y))


@validated
def inner(x):
    return np.sin(x)


class Unset:
    def __init__(self, value):
        self.value = value

    def doubled(self):
        return 2 * self.value


unset = {"power": Unset(2), "scale": Unset(1.0)}
_given = threading.local()


def parameter(given, name):
    context = getattr(_given, "parameters", unset)
    if given is not unset[name]:
        return given
    if context[name] is not unset[name]:
        return context[name]
    return given.value


def by_parameter(x):
    return x ** parameter(unset["power"], "power") * parameter(1.0, "scale")


def by_size(x, most):
    if np.max(x) < most:
        return x**2

    class Job:
        def run(self):
            return x * most

    return Job().run()


def by_size_or_else(x, most):
    try:
        return by_size(x, most)
    except Exception:
        return x**3


def by_size_or_error(x, most):
    try:
        return by_size(x, most)
    except TypeError:
        return x**3


def by_size_in_a_class(x, most):
    if np.max(x) < most:

        class Job:
            power = 2
    else:

        class Job:
            power = 3

    return x**Job.power


def by_option(x):
    return x * 3 if options()["dispatch"] else x**2


def by_number(x):
    return x * options()["scale"]


def by_order(x):
    if is_rising(x):
        return x**2
    return x**3


def by_four(x):
    return x**2 if is_homogeneous(x) else x**3


def by_chance(x):
    return x**3 if is_lucky(x) else x**2


def by_check(x, check):
    return x**2 if is_turned(x, check=check) else x**3


def by_rotation(x):
    if not is_rotation(x):
        return x**2
    return x**3


def by_size_of_number(x):
    if is_large(x):
        return x**2
    return x**3


def by_kind_of_number(x):
    return x**2 if is_real(x) else x.mystery()


def by_shape(x):
    if is_square(x):
        return x**2
    return x**3


def by_count(x):
    return x**3 if counted(x) else x**2


def by_module(x):
    return x**2 if math == sys.modules["math"] and np != math else np.from_dlpack(x)


class Backend:
    type_ = np.ndarray

    def exp(self, x):
        return np.exp(x)


class Doubled(Backend):
    def exp(self, x):
        return 2.0 * np.exp(x)


class OfLists(Backend):
    type_ = list

    def exp(self, x):
        return [math.exp(one) for one in x]


_IMPLEMENTATIONS = [OfLists, Backend]
_BACKENDS = {}


def _instance(kind):
    if kind.__name__ not in _BACKENDS:
        _BACKENDS[kind.__name__] = kind()
    return _BACKENDS[kind.__name__]


def _is_of(kind, args):
    _instance(kind)
    found = set(isinstance(arg, kind.type_) for arg in args)
    if len(found) == 1:
        return found.pop()
    raise ValueError("arrays of several kinds")


def backend_of(*args):
    args = [arg for arg in args if arg is not None]
    for kind in _IMPLEMENTATIONS:
        if _is_of(kind, args):
            return _instance(kind)
    raise ValueError("no backend")


def by_backend(x):
    nx = backend_of(x, None)
    return nx.exp(x)


def by_backend_of_results(x):
    nx = backend_of(x)
    y = nx.exp(x)
    return backend_of(np.sort(np.concatenate((y, y), 0)), x).exp(x) * (nx.__class__.__name__ == "Backend")


def by_class(x):
    return x**2 if x.__class__.__name__ == "ndarray" and type(x).__module__ == "numpy" else x.mystery()


def within(x):
    with option_context(dispatch=True):
        return by_option(x)


def before_and_after(x):
    y = by_option(x)
    with option_context(dispatch=True):
        y = y + by_option(x)
    return y + by_option(x)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: Any) -> Iterator[Any]:
    yield from installed(PACKAGE, tmp_path, monkeypatch, request)


def gradient_of(f: Any, strict: bool = True) -> Any:
    return rg.grad(lambda x: np.sum(f(x)), strict=strict)


PLAIN = {
    "scored": 2 * X + np.cos(X), "by_option": 2 * X, "by_parameter": 2 * X, "by_number": np.full(3, 2.0), "by_order": 2 * X, "by_shape": 3 * X**2,
    "by_backend": np.exp(X), "by_backend_of_results": np.exp(X), "by_class": 2 * X,
    "by_count": 2 * X, "by_module": 2 * X, "within": np.full(3, 3.0), "before_and_after": 4 * X + 3.0,
}  # fmt: skip
TAPED = {"within", "before_and_after"}  # what a context manager sets, or on the tape


@pytest.mark.parametrize("name", PLAIN)
def test_they_are_compiled(package: Any, name: str) -> None:
    f = getattr(package, name)
    for _ in range(2):
        try:
            found = gradient_of(f)(X)
        except rg.RetrogradError:
            assert name in TAPED
        else:
            np.testing.assert_allclose(found, PLAIN[name])


@pytest.mark.usefixtures("taped")
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("name", PLAIN)
def test_or_taped(package: Any, name: str) -> None:
    gradient = gradient_of(getattr(package, name), strict=False)
    for _ in range(2):
        np.testing.assert_allclose(gradient(X), PLAIN[name])


@pytest.mark.usefixtures("taped")
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("strict", [False, True])
def test_options_that_are_set_later(package: Any, strict: bool) -> None:
    gradient = gradient_of(package.by_option, strict)
    np.testing.assert_allclose(gradient(X), 2 * X)
    package._options()["dispatch"] = True
    np.testing.assert_allclose(gradient(X), np.full(3, 3.0))
    package._options()["dispatch"] = False
    np.testing.assert_allclose(gradient(X), 2 * X)
    with package.option_context(dispatch=True):
        np.testing.assert_allclose(gradient(X), np.full(3, 3.0))


def test_options_of_another_thread(package: Any) -> None:
    gradient, found = gradient_of(package.scored), []
    np.testing.assert_allclose(gradient(X), PLAIN["scored"])
    thread = threading.Thread(target=lambda: found.append(gradient(X)))
    thread.start()
    thread.join()
    np.testing.assert_allclose(found[0], PLAIN["scored"])


@pytest.mark.parametrize(
    "x", [X, X[::-1].copy(), np.array([1.0, 3.0, 2.0]), np.array([np.nan, 1.0, 2.0]), np.ones(1), np.ones(0)]
)  # fmt: skip
def test_what_depends_on_numbers_stays_a_question(package: Any, x: np.ndarray) -> None:
    gradient = gradient_of(package.by_order)
    for given in (X, x, X[::-1].copy(), x):
        expected = 2 * given if package.is_rising(given) else 3 * given**2
        np.testing.assert_allclose(gradient(given), expected)


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3), (1, 1), (4,), (2, 2, 2)])
def test_what_depends_on_sizes_stays_a_question(package: Any, shape: tuple[int, ...]) -> None:
    gradient = gradient_of(package.by_shape)
    for size in (shape, (3, 2), (3, 3), shape):
        given = np.linspace(0.5, 2.0, int(np.prod(size))).reshape(size)
        expected = 2 * given if package.is_square(given) else 3 * given**2
        np.testing.assert_allclose(gradient(given), expected)


def test_a_question_that_counts_is_asked_when_it_runs(package: Any) -> None:
    gradient = gradient_of(package.by_count)
    gradient(X)
    before = len(package.asked)
    gradient(X)
    assert len(package.asked) == before + 1


def test_another_backend_is_another_derivative(package: Any) -> None:
    gradient = gradient_of(package.by_backend)
    np.testing.assert_allclose(gradient(X), np.exp(X))
    package._BACKENDS["Backend"] = package.Doubled()
    np.testing.assert_allclose(gradient(X), 2 * np.exp(X))
    package._BACKENDS.clear()
    np.testing.assert_allclose(gradient(X), np.exp(X))
    package._IMPLEMENTATIONS[1] = package.Doubled
    np.testing.assert_allclose(gradient(X), 2 * np.exp(X))


def test_a_table_is_completed_once(package: Any) -> None:
    gradient_of(package.by_backend)(X)
    first = package._BACKENDS["Backend"]
    gradient_of(package.by_backend)(X)
    assert package._BACKENDS["Backend"] is first
    assert package.backend_of(X) is first


@pytest.mark.parametrize("shape", [(4, 4), (3, 3), (4,), (2, 4), (4, 5)])
def test_what_asks_for_one_size_stays_a_question(package: Any, shape: tuple[int, ...]) -> None:
    gradient = gradient_of(package.by_four)
    for size in (shape, (4, 4), (5, 4), shape):
        given = np.linspace(0.5, 2.0, int(np.prod(size))).reshape(size)
        expected = 2 * given if size == (4, 4) else 3 * given**2
        np.testing.assert_allclose(gradient(given), expected)


@pytest.mark.parametrize("angle", [0.3, 2.0])
def test_what_is_rare_stays_a_question(package: Any, angle: float) -> None:
    """No sample is a rotation."""
    gradient = gradient_of(package.by_rotation)
    turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    for given in (turned, turned + 0.1, turned):
        expected = 3 * given**2 if package.is_rotation(given) else 2 * given
        np.testing.assert_allclose(gradient(given), expected)


def test_truth_values_are_no_kinds(package: Any) -> None:
    gradient = rg.grad(lambda x, check: np.sum(package.by_check(x, check)), strict=True)
    turned = np.eye(3)[[1, 2, 0]]
    for x in (turned, turned + 0.5, np.ones((2, 2))):
        for check in (False, True):
            if x is turned and check:
                continue  # a branch at the very point
            expected = 2 * x if package.is_turned(x, check) else 3 * x**2
            np.testing.assert_allclose(gradient(x, check), expected)


def test_numbers_are_asked_when_it_runs(package: Any) -> None:
    gradient = rg.grad(lambda a: package.by_size_of_number(a), strict=True)
    for a in (2.0, 200.0, -300.0, 0.5):
        assert gradient(a) == pytest.approx(2 * a if abs(a) > 100.0 else 3 * a**2)
    assert rg.grad(lambda a: package.by_kind_of_number(a), strict=True)(1.5) == pytest.approx(3.0)


LOOKS = {
    "np.any(x > 0)": True, "np.allclose(x @ x.T, 1.0)": True, "x.sum() > 0": True, "x[0, 0] == 1.0": True, "bool(np.isfinite(x).all())": True,
    "np.array_equal(x, x.T)": True, "len(np.unique(x)) == 2": True, "all(v > 0 for row in x for v in row)": True, "np.linalg.det(x) > 0": True,
    "3.0 in x": True, "np.asarray(x, float).max() > 0": True, "isinstance(x, np.ndarray)": False, "x.ndim == 2": False, "x.shape[0] == x.shape[1]": False,
    "hasattr(x, 'iloc')": False, "len(x) == 2": False, "np.isrealobj(x)": False, "type(x) is np.ndarray": False, "np.ndim(x.T[:, 0]) == 1": False,
    "callable(x)": False, "x.flags.writeable": False, "x is None": False, "isinstance(x, (list, tuple))": False,
}  # fmt: skip


@pytest.mark.parametrize("question", LOOKS)
def test_who_looks_at_numbers_is_seen(question: str) -> None:
    touches = Touches()
    x = touches.array((2, 2))
    try:
        eval(question, {"np": np, "x": x})
        looks = touches.count > 0
    except Exception:
        looks = True
    assert looks is LOOKS[question]


@pytest.mark.parametrize("question", ["x > 0", "abs(x) < 1", "bool(x)", "np.isfinite(x)", "x == 0", "round(x) == 1", "int(x) == 0", "f'{x}' == '0'", "x in (1.0, 2.0)", "math.fabs(x) > 2", "math.isnan(x)", "max(x, 1) == x", "np.asarray(x) > 0"])  # fmt: skip
@pytest.mark.parametrize("kind", ["f", "i", "c"])
def test_numbers_of_pythons_see_it_too(question: str, kind: str) -> None:
    touches = Touches()
    x = touches.number(kind)
    assert isinstance(x, {"f": float, "i": int, "c": complex}[kind]) and not touches.count
    with pytest.raises((Touched, TypeError)):
        eval(question, {"np": np, "math": math, "x": x})
    assert touches.count or question == "np.isfinite(x)"


@pytest.mark.parametrize("name", [name for name in PLAIN if name not in TAPED])
def test_a_second_call_compiles_nothing(
    package: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    gradient = gradient_of(getattr(package, name))
    gradient(X)
    gradient(X)

    def derived(*_: Any, **__: Any) -> Any:
        raise AssertionError("compiled once more")

    monkeypatch.setattr(compile_module, "derived_once", derived)
    np.testing.assert_allclose(gradient(X), PLAIN[name])


def test_a_question_draws_nothing(package: Any) -> None:
    """One number is drawn when the function runs, and none while it is compiled."""
    np.random.seed(5)
    gradient_of(package.by_chance)(X)
    stream = list(np.random.RandomState(5).random(60))
    assert stream.index(np.random.random()) == 1


SMALL, LARGE = X, X + 2.0


@pytest.mark.parametrize("name", ["by_size", "by_size_or_error", "by_size_or_else"])
def test_a_side_that_is_beyond_the_compiler_is_refused_when_it_is_taken(
    package: Any, name: str
) -> None:
    f = getattr(package, name)
    gradient = rg.grad(lambda x, most: np.sum(f(x, most)), strict=True)
    np.testing.assert_allclose(gradient(SMALL, 2.0), 2 * SMALL)
    with pytest.raises(rg.RetrogradError, match=r"a class in a function.*line \d+ of installed"):
        gradient(LARGE, 2.0)
    np.testing.assert_allclose(gradient(SMALL, 2.0), 2 * SMALL)


@pytest.mark.usefixtures("taped")
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("name", ["by_size", "by_size_or_error", "by_size_or_else"])
@pytest.mark.parametrize("small", [(True, False, True), (False, True)])
def test_or_it_runs_on_the_tape(package: Any, name: str, small: tuple[bool, ...]) -> None:
    f = getattr(package, name)
    gradient = rg.grad(lambda x, most: np.sum(f(x, most)))
    for is_small in small:
        x, slope = (SMALL, 2 * SMALL) if is_small else (LARGE, np.full(3, 2.0))
        np.testing.assert_allclose(gradient(x, 2.0), slope)


def test_no_side_is_left_whose_refusal_is_certain(package: Any) -> None:
    f = package.by_size_in_a_class
    with pytest.raises(rg.RetrogradError):
        rg.grad(lambda x, most: np.sum(f(x, most)), strict=True)(SMALL, 2.0)
