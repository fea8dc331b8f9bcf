"""Methods, class methods, static methods and wrapped functions on the command line."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg

from .conftest import Done

Call = Callable[..., Done]
NETS = """
import functools
from dataclasses import dataclass

import numpy as np


class Net:
    scale = 2.0

    def __init__(self, k):
        self.k = k
        self.inner = {"a": 1.5}

    def act(self, z):
        return np.tanh(z) * self.inner["a"]

    def loss(self, w):
        return np.sum(self.act(w * self.k) ** 2) * self.scale

    @classmethod
    def penalty(cls, w):
        return np.sum(w * w) * cls.scale

    @staticmethod
    def size(w):
        return np.sum(w * w)


class Wide(Net):
    scale = 3.0


@dataclass
class Line:
    a: float
    b: float

    def misfit(self, x, y):
        return np.sum((self.a * x + self.b - y) ** 2)


def logged(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        return 2.0 * f(*args, **kwargs)

    return inner


@logged
def area(x, y=2.0, *, z=1.0):
    return np.sum(x * y * z)
"""
W = np.array([0.1, -0.2, 0.3])


@pytest.fixture
def nets(folder: Path) -> Any:
    (folder / "nets.py").write_text(NETS, encoding="utf-8")
    return lambda: importlib.import_module("nets")


def test_a_method_reads_its_object(nets: Any, written: Any) -> None:
    made = written("n.py", "nets.py:Net.loss")
    for cls in (nets().Net, nets().Wide):
        net = cls(np.array([1.0, 2.0, 0.5]))
        np.testing.assert_allclose(made.loss_grad(net, W), rg.grad(net.loss)(W))


def test_an_attribute_can_be_differentiated(nets: Any, written: Any) -> None:
    made = written("line.py", "nets.py:Line.misfit", "--wrt", "self.a,self.b")
    line, y = nets().Line(2.0, 0.5), W**2
    found = made.misfit_grad(line, W, y)
    error = 2.0 * W + 0.5 - y
    np.testing.assert_allclose(found, [np.sum(2 * error * W), np.sum(2 * error)])


@pytest.mark.parametrize("mode", ["vjp", "jvp", "jacobian", "hessian", "hvp"])
def test_methods_in_every_mode(nets: Any, written: Any, mode: str) -> None:
    made = written("m.py", "nets.py:Net.loss", "--mode", mode)
    net = nets().Net(2.0)
    extra = {"vjp": (1.0,), "jvp": (W,), "hvp": (W,)}.get(mode, ())
    wanted = {
        "vjp": lambda: rg.grad(net.loss)(W),
        "jvp": lambda: rg.jvp(net.loss, (W,), (W,)),
        "hvp": lambda: rg.hvp(net.loss, (W,), W),
        "jacobian": lambda: rg.jacobian(net.loss)(W),
        "hessian": lambda: rg.hessian(net.loss)(W),
    }[mode]()
    found = getattr(made, f"loss_{mode}")(net, W, *extra)
    for a, b in zip(np.atleast_1d(found), np.atleast_1d(wanted), strict=True):
        np.testing.assert_allclose(a, b)


def test_a_class_method_has_its_class(nets: Any, written: Any) -> None:
    plain = written("p.py", "nets.py:Net.penalty")
    wide = written("q.py", "nets.py:Wide.penalty")
    np.testing.assert_allclose(plain.penalty_grad(W), 4 * W)
    np.testing.assert_allclose(wide.penalty_grad(W), 6 * W)


def test_a_static_method(nets: Any, written: Any) -> None:
    np.testing.assert_allclose(written("s.py", "nets.py:Net.size").size_grad(W), 2 * W)


def test_a_wrapped_function_has_the_parameters_inside(nets: Any, call: Call, written: Any) -> None:
    made = written("area_gradient.py", "nets.py:area", "--wrt", "y")
    np.testing.assert_allclose(made.area_grad(W, 3.0), 2 * W.sum())
    np.testing.assert_allclose(made.area_grad(W, z=2.0), 4 * W.sum())
    assert "in nets.py: " in (Path(made.__file__)).read_text("utf-8")
    assert call("check", "area_gradient.py").code == 0


def test_methods_are_offered_by_name(nets: Any, call: Call) -> None:
    done = call("grad", "nets.py:Net.los")
    assert (done.code, "did you mean loss?" in done.err) == (2, True)
    done = call("grad", "area")
    assert (done.code, "did you mean nets.py:area?" in done.err) == (2, True), done
