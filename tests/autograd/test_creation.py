"""Factories: where tensors are, what they are drawn from, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import retrograd as torch


@pytest.mark.parametrize(
    "make",
    [
        lambda d: torch.ones(2, device=d),
        lambda d: torch.tensor([1.0], device=d),
        lambda d: torch.full((2,), 1.0, device=d),
        lambda d: torch.zeros_like(torch.ones(2), device=d),
        lambda d: torch.arange(3, device=d),
        lambda d: torch.linspace(0, 1, 3, device=d),
        lambda d: torch.as_tensor([1.0], device=d),
        lambda d: torch.ones(2).new_zeros(2, device=d),
        lambda d: torch.ones(2).to(d),
        lambda d: torch.ones(2).to(device=d),
        lambda d: torch.randperm(3, device=d),
    ],
)
def test_no_device_is_silently_another(make: Any) -> None:
    make("cpu")
    make(torch.device("cpu"))
    with pytest.raises(RuntimeError, match="has no device 'cuda' here: tensors are in the main"):
        make("cuda")


def test_unknown_options_are_refused() -> None:
    with pytest.raises(TypeError):
        torch.zeros(2, shape=3)
    with pytest.raises(TypeError):
        torch.zeros(2, generator=torch.Generator())


@pytest.mark.parametrize(
    "draw",
    [
        lambda g: torch.rand(3, generator=g),
        lambda g: torch.randn(3, generator=g),
        lambda g: torch.randint(0, 1000, (3,), generator=g),
        lambda g: torch.randperm(9, generator=g),
        lambda g: torch.normal(1.0, 2.0, (3,), generator=g),
    ],
)
def test_a_generator_is_the_one_that_is_drawn_from(draw: Any) -> None:
    first, second = (draw(torch.Generator().manual_seed(7)) for _ in range(2))
    assert first.tolist() == second.tolist()


def test_normal_keeps_its_mean_and_deviation_as_a_leaf() -> None:
    torch.manual_seed(0)
    x = torch.normal(100.0, 0.5, (50,), requires_grad=True)
    assert x.requires_grad
    assert x.is_leaf
    assert 99.0 < x.mean().item() < 101.0
