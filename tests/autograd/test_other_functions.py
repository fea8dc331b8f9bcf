"""Functions without a gradient, random ones, errors, parameters and checkpoints; most on the real torch too."""

from __future__ import annotations

import copy
import math
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from .surface import close, raises, same


@pytest.fixture
def F(torch: Any) -> Any:
    return import_module(f"{torch.__name__}.nn.functional")


# -- places and counts ---------------------------------------------------------------------------------


def test_unique(torch: Any) -> None:
    t = torch.tensor([[3, 1], [3, 2]])
    values, inverse, counts = torch.unique(t, return_inverse=True, return_counts=True)
    assert same(values, [1, 2, 3])
    assert same(inverse, [[2, 0], [2, 1]])
    assert same(counts, [1, 1, 2])
    assert same(torch.unique(torch.tensor([[2, 1], [2, 1], [0, 5]]), dim=0), [[0, 5], [2, 1]])
    assert same(torch.unique_consecutive(torch.tensor([1, 1, 2, 1])), [1, 2, 1])


def test_searchsorted(torch: Any) -> None:
    rows = torch.tensor([[1, 3, 5, 7], [2, 4, 6, 8]])
    values = torch.tensor([[3, 6], [3, 8]])
    assert same(torch.searchsorted(rows, values), [[1, 3], [1, 3]])
    assert same(torch.searchsorted(rows, values, right=True), [[2, 3], [1, 4]])
    assert same(torch.bucketize(torch.tensor([1, 4]), rows[0]), [0, 2])
    with raises(RuntimeError, "torch.searchsorted(): side and right can't be set to opposites"):
        torch.searchsorted(rows, values, side="left", right=True)


def test_least_entries(torch: Any) -> None:
    x = torch.tensor([[3.0, 1.0], [0.5, 2.0]])
    assert same(torch.argmin(x), 2) and same(torch.argmin(x, 0), [1, 0])
    assert same(torch.argmin(x, dim=1, keepdim=True), [[1], [0]])
    with pytest.raises(TypeError):
        torch.argmin([1.0, 2.0])


def test_counts_and_places(torch: Any) -> None:
    assert same(torch.bincount(torch.tensor([0, 2, 2]), minlength=5), [1, 0, 2, 0, 0])
    assert same(torch.argwhere(torch.tensor([[0, 1], [1, 0]])), [[0, 1], [1, 0]])
    assert same(torch.tril_indices(2, 3), [[0, 1, 1], [0, 0, 1]])
    assert same(torch.triu_indices(2, 3, 1), [[0, 0, 1], [1, 2, 2]])
    assert same(torch.linalg.matrix_rank(torch.ones(3, 3)), 1)
    assert same(torch.heaviside(torch.tensor([0.0, 2.0]), torch.tensor([0.5])), [0.5, 1.0])


def test_running_extremes_tell_the_last_place(torch: Any) -> None:
    found = torch.cummax(torch.tensor([1.0, 1.0, 0.0, 2.0]), 0)
    assert same(found.indices, [0, 1, 1, 3])
    found = torch.cummin(torch.tensor([1.0, math.nan, 0.0]), 0)
    assert same(found.indices, [0, 1, 1])


# -- in place ------------------------------------------------------------------------------------------


def test_a_product_in_place_keeps_the_old_value(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([3.0, 4.0], requires_grad=True)
    z = x * 2
    z.mul_(y)
    z.sum().backward()
    assert same(x.grad, [6.0, 8.0])
    assert same(y.grad, [2.0, 4.0])


def test_entries_by_index_in_place(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    v = torch.tensor([5.0, 6.0], requires_grad=True)
    z = x * 2
    z[torch.tensor([0, 2])] = v
    (z * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert same(x.grad, [0.0, 20.0, 0.0])
    assert same(v.grad, [1.0, 100.0])


@pytest.mark.parametrize("name", ["uniform_", "normal_", "exponential_", "cauchy_", "log_normal_"])
def test_random_numbers_in_place(torch: Any, name: str) -> None:
    x = torch.zeros(2, requires_grad=True)
    y = x * 2
    getattr(y, name)()
    assert not same(y, [0.0, 0.0])
    y.sum().backward()
    assert same(x.grad, [0.0, 0.0])
    with raises(
        RuntimeError, "a leaf Variable that requires grad is being used in an in-place operation."
    ):
        getattr(x, name)()


def test_random_numbers_have_their_range(torch: Any) -> None:
    torch.manual_seed(0)
    x = torch.empty(1000).uniform_(2, 3)
    assert 2 <= float(x.min()) < 2.1 < 2.9 < float(x.max()) <= 3
    assert set(torch.empty(100).random_(3).tolist()) == {0.0, 1.0, 2.0}
    assert set(torch.empty(100).random_(1, 3).tolist()) == {1.0, 2.0}
    assert abs(float(torch.full((4000,), 0.25).bernoulli().mean()) - 0.25) < 0.05
    assert set(torch.multinomial(torch.tensor([0.0, 1.0, 1.0]), 2).tolist()) == {1, 2}
    first = torch.empty(3).normal_(generator=torch.Generator().manual_seed(7))
    assert same(torch.empty(3).normal_(generator=torch.Generator().manual_seed(7)), first.tolist())


def test_tensors_like_one(torch: Any) -> None:
    x = torch.zeros(2, dtype=torch.float64)
    for made in (x.new_zeros(3), x.new_ones((3,)), x.new_full((3,), 7), x.new_tensor([1, 2, 3])):
        assert made.dtype == torch.float64
        assert tuple(made.shape) == (3,)


# -- layers that have a state or draw numbers ---------------------------------------------------------------


def test_batch_norm_updates_the_running_statistics(torch: Any, F: Any) -> None:
    mean, var = torch.zeros(1), torch.ones(1)
    F.batch_norm(torch.tensor([[1.0], [3.0]]), mean, var, training=True, momentum=0.5)
    assert close(mean, [1.0])
    assert close(var, [1.5])


def test_dropout(torch: Any, F: Any) -> None:
    torch.manual_seed(0)
    x = torch.ones(1000, requires_grad=True)
    y = F.dropout(x, 0.25)
    y.sum().backward()
    assert close(sorted(set(y.tolist())), [0.0, 4 / 3])
    assert same(x.grad, y.tolist())
    with raises(ValueError, "dropout probability has to be between 0 and 1, but got 2"):
        F.dropout(x, 2)


def test_gumbel_softmax_is_one_hot_with_a_gradient(torch: Any, F: Any) -> None:
    x = torch.zeros(3, requires_grad=True)
    y = F.gumbel_softmax(x, hard=True)
    assert close(sorted(y.tolist()), [0.0, 0.0, 1.0])
    (y * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    assert close(x.grad.sum(), 0.0)
    assert bool(x.grad.any())


def test_one_hot(torch: Any, F: Any) -> None:
    assert same(F.one_hot(torch.tensor([0, 2])), [[1, 0, 0], [0, 0, 1]])
    with raises(RuntimeError, "Class values must be smaller than num_classes."):
        F.one_hot(torch.tensor([3]), 2)


def test_padding_of_an_embedding_has_no_gradient(torch: Any, F: Any) -> None:
    w = torch.ones(3, 2, requires_grad=True)
    F.embedding(torch.tensor([0, 1, 1]), w, padding_idx=1).sum().backward()
    assert same(w.grad, [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]])


def test_samples_move_with_their_parameters(torch: Any) -> None:
    mean = torch.zeros(3, requires_grad=True)
    scale = torch.ones(3, requires_grad=True)
    d = torch.distributions.Normal(mean, scale)
    x = d.rsample((2,))
    x.sum().backward()
    assert same(mean.grad, [2.0, 2.0, 2.0])
    assert close(scale.grad, x.sum(0).tolist())
    assert not d.sample().requires_grad
    outside = torch.distributions.Uniform(0.0, 1.0, validate_args=False).log_prob(
        torch.tensor([2.0])
    )
    assert same(outside, [-math.inf])


# -- parameters and checkpoints -------------------------------------------------------------------------------


def test_parameters(torch: Any) -> None:
    data = torch.ones(2)
    p = torch.nn.Parameter(data)
    assert isinstance(p, torch.Tensor)
    assert p.is_leaf
    assert p.requires_grad
    assert p.data_ptr() == data.data_ptr()
    assert repr(p).startswith("Parameter containing:\ntensor([1., 1.]")
    assert type(p * 2) is torch.Tensor
    assert isinstance(copy.deepcopy(p), torch.nn.Parameter)
    assert not torch.nn.Parameter(data, requires_grad=False).requires_grad
    with raises(
        RuntimeError, "Only Tensors of floating point and complex dtype can require gradients"
    ):
        torch.nn.Parameter(torch.tensor([1]))


def test_checkpoint_runs_again_and_gives_the_same(torch: Any, F: Any) -> None:
    checkpoint = import_module(f"{torch.__name__}.utils.checkpoint").checkpoint
    x = torch.linspace(-1, 1, 4, requires_grad=True)
    w = torch.nn.Parameter(torch.ones(4))
    runs = []

    def function(x: Any) -> Any:
        runs.append(1)
        return F.dropout((x * w).sin().exp(), 0.5)

    torch.manual_seed(1)
    expected = torch.autograd.grad(function(x).square().sum(), [x, w])
    torch.manual_seed(1)
    y = checkpoint(function, x, use_reentrant=False)
    assert len(runs) == 2
    found = torch.autograd.grad(y.square().sum(), [x, w])
    assert len(runs) == 3
    for one, other in zip(found, expected, strict=True):
        assert close(one, other.tolist())


def test_checkpoint_notices_another_second_run(torch: Any) -> None:
    checkpoint = import_module(f"{torch.__name__}.utils.checkpoint").checkpoint
    x = torch.ones(2, requires_grad=True)
    runs = []

    def function(x: Any) -> Any:
        runs.append(1)
        return x.sin() if len(runs) > 1 else x.sin().exp()

    y = checkpoint(function, x, use_reentrant=False)
    with raises(RuntimeError, "torch.utils.checkpoint: A different number of tensors was saved"):
        y.sum().backward()


# -- errors -------------------------------------------------------------------------------------------------

ERRORS = {
    "torch.linalg.inv(torch.ones(2, 3))": "linalg.inv: A must be batches of square matrices, but they are 2 by 3 matrices",
    "torch.linalg.inv(torch.ones(2))": "linalg.inv: The input tensor A must have at least 2 dimensions.",
    "torch.linalg.inv(torch.zeros(2, 2))": "linalg.inv: ...ingular",
    "torch.linalg.cholesky(-torch.eye(2))": "linalg.cholesky: ...positive",
    "torch.quantile(torch.ones(2), 2.0)": "quantile() q must be in the range [0, 1] but got 2",
    "torch.linalg.cross(torch.ones(2), torch.ones(2))": "linalg.cross: inputs dimension -1 must have length 3. Got 2 and 2",
    "torch.view_as_complex(torch.ones(3))": "Tensor must have a last dimension of size 2",
    "torch.diag_embed(torch.ones(2), 0, 1, 1)": "diagonal dimensions cannot be identical 1, 1",
    "F.conv2d(torch.ones(1, 2, 3, 3), torch.ones(1, 3, 2, 2))": "Given groups=1, weight of size [1, 3, 2, 2], expected input[1, 2, 3, 3] to have 3 channels, but got 2 channels instead",
    "F.conv2d(torch.ones(2, 2), torch.ones(1, 3, 2, 2))": "Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [2, 2]",
    "F.layer_norm(torch.ones(2, 3), (4,))": "Given normalized_shape=[4], expected input with shape [*, 4], but got input of size[2, 3]",
    "F.glu(torch.ones(3))": "Halving dimension must be even, but dimension 0 is size 3",
    "torch.cdist(torch.ones(2, 3), torch.ones(2, 2))": "X1 and X2 must have the same number of columns. X1: 3 X2: 2",
    "torch.multinomial(torch.ones(2), 3)": "cannot sample n_sample > prob_dist.size(-1) samples without replacement",
}  # fmt: skip


@pytest.mark.parametrize("text", list(ERRORS))
def test_errors(torch: Any, F: Any, text: str) -> None:
    with raises(RuntimeError, ERRORS[text]):
        eval(text, {"torch": torch, "F": F})


def test_weights_of_classes_have_no_gradient(torch: Any, F: Any) -> None:
    if torch.__name__ == "torch":
        pytest.skip("it gives a result without history")
    weight = torch.ones(3, requires_grad=True)
    with raises(RuntimeError, "the derivative for 'weight' is not implemented"):
        F.nll_loss(torch.zeros(2, 3), torch.tensor([0, 1]), weight).backward()


def test_classes_out_of_range(torch: Any, F: Any) -> None:
    with raises(IndexError, "Target 5 is out of bounds."):
        F.nll_loss(torch.zeros(2, 3), torch.tensor([0, 5]))
    with raises(ValueError, "bad is not a valid value for reduction"):
        F.l1_loss(torch.zeros(2), torch.zeros(2), reduction="bad")
    assert np.isnan(F.nll_loss(torch.zeros(1, 3), torch.tensor([-100])).item())


def test_questions(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0])
    assert x.is_signed() and not (x > 0).is_signed() and x.is_same_size(x * 2)
    assert not (x.is_conj() or x.is_neg() or x.is_cuda or x.is_sparse) and x.is_cpu
    assert torch.tensor(2.0).is_nonzero() and not torch.is_nonzero(torch.tensor([0]))
    with pytest.raises(RuntimeError):
        x.is_nonzero()
    assert same(torch.tensor([1.0, float("inf"), float("-inf")]).isposinf(), [False, True, False])
    assert same(torch.tensor([4, 6]).gcd(torch.tensor([6, 9])), [2, 3])
    assert same(torch.tensor([1, 2]).bitwise_left_shift(2), [4, 8])
    assert x.byte().dtype is torch.uint8 and x.char().dtype is torch.int8


# -- values at the edges -------------------------------------------------------------------------------

NAN, INF = math.nan, math.inf
EDGES: dict[str, Any] = {
    "torch.complex(t([inf, 0.0]), t([inf, -0.0])).imag.atan2(t([-1.0, -1.0]))": [math.pi / 2, -math.pi],
    "F.threshold(t([nan, 1.0]), 0.0, 5.0)": [NAN, 1.0],
    "F.hardshrink(t([nan, 0.1]))": [NAN, 0.0],
    "F.cosine_similarity(t([[3.0], [-2.0]]), t([[3.0, 4.0]]), -1)": [7 / 50**0.5, -7 / 50**0.5],
    "F.normalize(t(-2.0), dim=-1)": -1.0,
    "t(-2.0).norm(1, -1)": 2.0,
    "t(0.5).roll(1)": 0.5,
    "t([0.1, 0.1, 0.1]).scatter_reduce(0, at, t([0.1, 0.1, 0.1]), 'amax')": [0.1, 0.1, 0.1],
    "t([nan, 1.0, nan]).scatter_reduce(0, at, t([1.0, 2.0, 3.0]), 'amin')": [NAN, 1.0, NAN],
    "t([7, 1, 2]).scatter_reduce(0, at, t([3, 5, -2]), 'amax', include_self=False)": [5, 1, 2],
    "t([7, 1, 2]).scatter_reduce(0, at, t([3, 5, -4]), 'mean')": [2, 1, 2],
    "t([False, True, False]).scatter_reduce(0, at, t([True, False, True]), 'amax')": [True, True, False],
}  # fmt: skip


@pytest.mark.parametrize("text", EDGES)
def test_values_at_the_edges(torch: Any, F: Any, text: str) -> None:
    at = torch.tensor([0, 0, 0])

    def t(values: Any) -> Any:
        kind = torch.float64 if isinstance(np.array(values).flat[0], np.floating) else None
        return torch.tensor(values, dtype=kind)

    scope = {"torch": torch, "F": F, "t": t, "nan": NAN, "inf": INF, "at": at}
    found, wanted = eval(text, scope).numpy(), np.array(EDGES[text])
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    assert np.allclose(found, wanted, rtol=0, atol=1e-12 if "cos" in text else 0, equal_nan=True)


@pytest.mark.parametrize("loss", ["smooth_l1_loss", "huber_loss"])
def test_losses_that_are_squares_at_zero_have_its_second_derivative(
    torch: Any, F: Any, loss: str
) -> None:
    def total(x: Any) -> Any:
        return getattr(F, loss)(x, torch.zeros(3, dtype=torch.float64), reduction="sum")

    x = torch.tensor([0.0, 0.5, 2.0], dtype=torch.float64)
    assert same(torch.func.hessian(total)(x).diagonal(), [1.0, 1.0, 0.0])
