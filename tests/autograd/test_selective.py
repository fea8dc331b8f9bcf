"""Selective checkpoints: which results are kept, what a policy is told, what is refused; on the real torch too."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from .surface import ORACLE, raises, same

OURS = ORACLE != "torch"


class Programs:
    """A function in a checkpoint, and where its products were found in each run."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.module = import_module(f"{torch.__name__}.utils.checkpoint")
        self.x, self.y = (
            torch.tensor(data, dtype=torch.float64, requires_grad=True)
            for data in ([[1.0, 2.0], [3.0, 4.0]], [[0.5, 0.1], [-1.0, 0.2]])
        )
        self.places: list[int] = []
        self.told: list[Any] = []

    def layers(self, x: Any, y: Any) -> Any:
        product = self.torch.mm(x, y)
        self.places.append(product.data_ptr())
        return self.torch.sigmoid(self.torch.mm(product, y)) * y

    def run(self, policy: Any, function: Any = None, check: str = "default", **options: Any) -> Any:
        make = functools.partial(
            self.module.create_selective_checkpoint_contexts, policy, **options
        )
        return self.module.checkpoint(
            function or self.layers,
            self.x,
            self.y,
            use_reentrant=False,
            context_fn=make,
            determinism_check=check,
        )

    def gradients(self, z: Any, **options: Any) -> list[Any]:
        return list(self.torch.autograd.grad(z.sum(), [self.x, self.y], **options))

    def policy(self, answer: Any, name: str = "mm") -> Callable[..., Any]:
        chosen = getattr(self.torch.ops.aten, name).default
        later = self.module.CheckpointPolicy.PREFER_RECOMPUTE

        def policy(ctx: Any, op: Any, *args: Any, **kwargs: Any) -> Any:
            self.told.append((str(op), ctx.is_recompute, len(args), ctx.op_output.shape))
            return answer if op == chosen else later

        return policy


@pytest.fixture
def programs(torch: Any) -> Programs:
    return Programs(torch)


POLICIES = {
    "MUST_SAVE": True, "PREFER_SAVE": True, "MUST_RECOMPUTE": False, "PREFER_RECOMPUTE": False,
}  # fmt: skip


@pytest.mark.parametrize("name", POLICIES)
def test_policies(programs: Programs, name: str) -> None:
    """What is kept is in the second run the very memory of the first."""
    z = programs.run(programs.policy(getattr(programs.module.CheckpointPolicy, name)))
    expected = programs.gradients(programs.layers(programs.x, programs.y))
    found = programs.gradients(z)
    assert same(found[0], expected[0]) and same(found[1], expected[1])
    assert len(programs.places) == 3
    if POLICIES[name]:
        assert programs.places[2] == programs.places[0]


def test_what_is_kept_is_not_computed(programs: Programs) -> None:
    """A product that would be another one the second time is that of the first."""
    factors, torch = iter([2.0, 5.0]), programs.torch

    def function(x: Any, y: Any) -> Any:
        return torch.mm(x, torch.full((2, 2), next(factors), dtype=x.dtype)).sin()

    (found,) = torch.autograd.grad(
        programs.run([torch.ops.aten.mm.default], function, "none").sum(), programs.x
    )
    twos = torch.full((2, 2), 2.0, dtype=torch.float64)
    fives = twos * 2.5  # the way back of the product itself reads what the second run gave it
    assert same(found, torch.mm(torch.mm(programs.x, twos).cos(), fives).detach())


def test_what_a_policy_is_told(programs: Programs) -> None:
    programs.run(programs.policy(programs.module.CheckpointPolicy.MUST_SAVE)).sum().backward()
    assert [name.split(".")[1] for name, *_ in programs.told] == ["mm", "mm", "sigmoid", "mul"]
    assert all(again is False and shape == (2, 2) for _, again, _, shape in programs.told)
    assert [count for *_, count, _ in programs.told] == [2, 2, 1, 2]


def test_truth_values_are_policies(programs: Programs) -> None:
    def policy(ctx: Any, op: Any, *args: Any, **kwargs: Any) -> bool:
        return op == programs.torch.ops.aten.mm.default

    z = programs.run(policy)
    assert len(programs.gradients(z)) == 2 and programs.places[0] == programs.places[1]


def test_one_way_back(programs: Programs) -> None:
    z = programs.run([programs.torch.ops.aten.mm.default])
    programs.gradients(z, retain_graph=True)
    with raises(RuntimeError, "Trying to backward an extra time. You are only allowed to backward"):
        programs.gradients(z)


def test_what_is_kept_may_not_be_written_to(programs: Programs) -> None:
    def function(x: Any, y: Any) -> Any:
        product = programs.torch.mm(x, y)
        made = product * 2
        product.add_(1)
        return made.sin() * product

    ops = [programs.torch.ops.aten.mm.default]
    with raises(
        RuntimeError, "Tensor cached during selective activation checkpoint has been mutat"
    ):
        programs.gradients(programs.run(ops, function))
    if OURS:  # a copy is kept; PyTorch goes on with what was written
        found = programs.gradients(programs.run(ops, function, allow_cache_entry_mutation=True))
        expected = programs.gradients(function(programs.x, programs.y))
        assert same(found[0], expected[0]) and same(found[1], expected[1])


def test_other_operations_in_the_second_run(programs: Programs) -> None:
    runs: list[int] = []

    def function(x: Any, y: Any) -> Any:
        runs.append(1)
        return (x.sin() if len(runs) == 1 else x.cos()) * y

    with raises(
        RuntimeError, "aten.cos.default encountered during backward but not found in stora"
    ):
        programs.gradients(programs.run([programs.torch.ops.aten.mm.default], function))


def test_views_and_writes(programs: Programs) -> None:
    torch = programs.torch

    def function(x: Any, y: Any) -> Any:
        z = x.t() * y
        z.mul_(2).add_(y)
        return z.reshape(-1).exp() * z.flatten()

    ops = [torch.ops.aten.exp.default, torch.ops.aten.view.default, torch.ops.aten.add.Tensor]
    found = programs.gradients(programs.run(ops if OURS else ops[:1], function))
    expected = programs.gradients(function(programs.x, programs.y))
    assert same(found[0], expected[0]) and same(found[1], expected[1])


def test_second_derivatives_need_a_second_time(programs: Programs) -> None:
    ops = [programs.torch.ops.aten.mm.default]
    first = programs.gradients(programs.run(ops), create_graph=True)
    plain = programs.gradients(programs.layers(programs.x, programs.y))
    assert same(first[0].detach(), plain[0]) and same(first[1].detach(), plain[1])
    with raises(RuntimeError, "Trying to backward an extra time."):
        programs.gradients(first[0] * first[1])


def test_names_of_operations(programs: Programs) -> None:
    aten = programs.torch.ops.aten
    assert str(aten.mm.default) == "aten.mm.default" and aten.mm.default == aten.mm.default
    assert aten.mm.default != aten.mul.Tensor and len({aten.mm.default, aten.mm.default}) == 1
    with raises(AttributeError, "'_OpNamespace' 'aten' object has no attribute 'no_such_thing'"):
        aten.no_such_thing  # noqa: B018
    if OURS:
        assert aten.mm.default == programs.torch.mm and aten.mm.default != programs.torch.mul


REFUSED: dict[str, tuple[type[Exception], str, Callable[..., Any]]] = {
    "all overloads": (
        ValueError,
        "Expected op in `op_list` to be an OpOverload but got: aten.mm of type ...Please update the OpOverloadPacket",
        lambda p: [p.torch.ops.aten.mm],
    ),
    "a text": (ValueError, "Expected op in `op_list` to be an OpOverload but got: mm of", lambda p: ["mm"]),
    "a number": (TypeError, "policy_fn_or_list must be either a function or a list of ops.", lambda p: 3),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(programs: Programs, name: str) -> None:
    kind, text, given = REFUSED[name]
    with raises(kind, text):
        programs.module.create_selective_checkpoint_contexts(given(programs))


@pytest.mark.skipif(not OURS, reason="torch takes functions by their operators only")
def test_functions_name_operations(programs: Programs) -> None:
    z = programs.run([programs.torch.mm])
    assert len(programs.gradients(z)) == 2 and programs.places[0] == programs.places[1]


@pytest.mark.skipif(not OURS, reason="torch computes them again")
def test_no_other_memory(programs: Programs) -> None:
    with raises(NotImplementedError, "there is no other memory than the main one here"):
        programs.run(programs.policy(programs.module.CheckpointPolicy.MUST_CPU_OFFLOAD))
    with raises(TypeError, "a policy function gives a CheckpointPolicy, not 'save'"):
        programs.run(programs.policy("save"))
