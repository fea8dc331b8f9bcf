"""Every function by calls: its derivatives by differences, and all of it against the real torch."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import retrograd

from .calls import Call, differentiable, parts
from .tables import TABLES
from .tables_more import TABLES_MORE

CALLS = [
    (f, line) for f, text in (TABLES | TABLES_MORE).items() for line in text.strip().splitlines()
]
# How newer versions of torch, which have removed a function, spell it (older ones, too).
SPELLED = {"torch.cholesky(": "torch.linalg.cholesky("}
# The slope of clamp at its bound is 1 here, as it was in torch; now that has 0, or 1/2 if the bound is a tensor.
AT_A_BOUND = {"torch.clamp_min(v(1.0, 2.0), 1.0)"}
NAMED = pytest.mark.parametrize(("family", "text"), CALLS, ids=[f"{f}: {t}" for f, t in CALLS])


def array(tensor: Any) -> Any:
    return np.asarray(tensor.numpy(force=True) if hasattr(tensor, "numpy") else tensor)


@pytest.mark.sampled(8)
@NAMED
def test_derivatives_agree_with_differences(family: str, text: str) -> None:
    call = Call(text)
    made = parts(call.run(retrograd))
    chosen = [k for k, part in enumerate(made) if part.requires_grad]
    assert chosen, "nothing of the result has a gradient"
    floating = [k for k, p in enumerate(made) if p.is_floating_point() or p.is_complex()]
    assert chosen == floating or "linalg.lu(" in text, "a part has silently none"  # a permutation

    def function(*leaves: Any) -> Any:
        made = parts(call.run(retrograd, list(leaves)))
        return tuple(made[k] for k in chosen)

    leaves = [retrograd.tensor(a, requires_grad=True) for a in call.arrays]
    if not has_kink(text):
        assert retrograd.autograd.gradcheck(function, leaves, atol=1e-4, check_forward_ad=True)
        assert retrograd.autograd.gradgradcheck(function, leaves, atol=1e-3)


def has_kink(text: str) -> bool:
    """Texts with given entries sit at a kink, where differences see two slopes; padding has none by design."""
    return "v(" in text or "padding_idx" in text


@NAMED
def test_single_precision_stays_single(family: str, text: str) -> None:
    call = Call(text.replace("float64", "float32"), "float32")
    made = differentiable(call.run(retrograd))
    assert {m.dtype.itemsize // (2 if m.dtype.is_complex else 1) for m in made} == {4}
    retrograd.autograd.backward([m.abs().sum() for m in made])


@pytest.fixture
def torch() -> Any:
    return pytest.importorskip("torch")


@NAMED
@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_values_and_gradients_are_those_of_torch(
    family: str, text: str, kind: str, torch: Any
) -> None:
    text = text.replace("float64", kind)
    ours, theirs = Call(text, kind), Call(spelled(text), kind, len(text))
    found = parts(ours.run(retrograd))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = parts(theirs.run(torch))
    tolerance = 1e-8 if kind == "float64" else 2e-3
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert array(one).dtype == array(other).dtype
        np.testing.assert_allclose(array(one), array(other), tolerance, tolerance)
        assert one.requires_grad == other.requires_grad
    rng = np.random.default_rng(0)
    if text in AT_A_BOUND:
        return
    bars = [rng.standard_normal(array(d).shape) for d in differentiable(found)]
    gradients = [pulled(call, parts_, bars) for call, parts_ in ((ours, found), (theirs, expected))]
    for one, other in zip(*gradients, strict=True):
        np.testing.assert_allclose(one, other, 10 * tolerance, 10 * tolerance)


def spelled(text: str) -> str:
    for old, new in SPELLED.items():
        text = text.replace(old, new)
    return text


def pulled(call: Call, made: list[Any], bars: list[Any]) -> list[Any]:
    """The gradients at the leaves."""
    roots = differentiable(made)
    total: Any = 0
    for root, bar in zip(roots, bars, strict=True):
        module = __import__(type(root).__module__.partition(".")[0])
        weight = module.from_numpy(np.asarray(bar.astype(call.kind)))
        total = total + (root * weight).sin().abs().sum()
    total.backward()
    return [array(leaf.grad) if leaf.grad is not None else np.zeros(()) for leaf in call.leaves]


BOUNDS = {
    "clamp_min": (lambda t, x: t.clamp_min(x, 1.0), [1.0, 0.0, 1.0]),
    "clamp_max": (lambda t, x: t.clamp_max(x, 1.0), [1.0, 1.0, 0.0]),
    "clamp": (lambda t, x: x.clamp(1.0, 2.0), [1.0, 0.0, 1.0]),
    "clip": (lambda t, x: t.clip(x, -3.0, 1.0), [1.0, 1.0, 0.0]),
    "clamp_": (lambda t, x: x.clone().clamp_(1.0, 9.0), [1.0, 0.0, 1.0]),
    "both": (lambda t, x: x.clamp(1.0, 1.0), [1.0, 0.0, 0.0]),
    "tensors": (lambda t, x: x.clamp(t.tensor(1.0), t.tensor(2.0)), [1.0, 0.0, 1.0]),
}  # fmt: skip


def slopes(module: Any, function: Any) -> list[float]:
    x = module.tensor([1.0, 0.0, 1.5], requires_grad=True)
    function(module, x).sum().backward()
    return list(x.grad.tolist())


@pytest.mark.parametrize("name", BOUNDS)
def test_clamp_at_its_bound(name: str) -> None:
    function, wanted = BOUNDS[name]
    assert slopes(retrograd, function) == wanted


@pytest.mark.parametrize("name", BOUNDS)
def test_clamp_of_torch(name: str, torch: Any) -> None:
    """Beside the bound it is the same in all versions; at the bound one of the three."""
    function, wanted = BOUNDS[name]
    at, *beside = slopes(torch, function)
    assert beside == wanted[1:] and at in (0.0, 0.5, 1.0)
