"""Checkpoints: how often a function runs again, what is refused, and what its options do; on the real torch too."""

from __future__ import annotations

import contextlib
import gc
import warnings
import weakref
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from .surface import ORACLE, raises, spoken


class Programs:
    """Small programs, each with what it finds or how it is refused."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.module = import_module(f"{torch.__name__}.utils.checkpoint")
        self.runs: list[Any] = []

    def leaf(self, *values: float) -> Any:
        return self.torch.tensor(values or (0.5, 1.5), dtype=self.torch.float64, requires_grad=True)

    def kept(self, function: Any, *args: Any, **options: Any) -> Any:
        return self.module.checkpoint(function, *args, **{"use_reentrant": False} | options)

    def steps(self, x: Any) -> Any:
        """Two steps that keep something, and one that does not."""
        self.runs.append(1)
        y = x.sin().exp()
        self.runs.append(2)
        return y * 2

    def once(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Counts the runs of a function."""

        def run(x: Any) -> Any:
            self.runs.append(function)
            return function(x)

        return run

    def changing(self, first: Callable[[Any], Any], second: Callable[[Any], Any]) -> Any:
        """A function that is another one in its second run."""

        def run(x: Any) -> Any:
            self.runs.append(1)
            return first(x) if len(self.runs) == 1 else second(x)

        return run


@pytest.fixture
def programs(torch: Any) -> Programs:
    return Programs(torch)


# -- which of the two --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda p: p.module.checkpoint(p.steps, p.leaf()), "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9"),
        (lambda p: p.module.checkpoint_sequential([p.torch.sin] * 2, 2, p.leaf()), "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. In version 2.9"),
        (lambda p: p.kept(p.steps, p.torch.ones(2), use_reentrant=True), "None of the inputs have requires_grad=True. Gradients will be None"),
    ],
)  # fmt: skip
def test_warnings(programs: Programs, call: Any, text: str) -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call(programs)
    assert [str(one.message)[: len(spoken(text))] for one in found] == [spoken(text)]


INCOMPATIBLE = "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs`"
MORE = "torch.utils.checkpoint: trying to save more tensors during recomputation than during the original forward pass."
AGAIN = "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. If you are"
OVERLAP = "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. Performing"
OTHER = (
    "torch.utils.checkpoint: A different number of tensors was saved during the original forward and recomputation.\n"
    "Number of tensors saved during forward: 2\nNumber of tensors saved during recomputation: 1."
)
SHAPES = (
    "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the "
    "forward pass.\ntensor at position 0:\nsaved metadata: {'shape': torch.Size([2]), 'dtype': torch.float64, 'device': "
    "device(type='cpu')}\nrecomputed metadata: {'shape': torch.Size([1]), 'dtype': torch.float64, 'device': "
)


class Suppressing:
    def __enter__(self) -> None: ...

    def __exit__(self, *error: Any) -> bool:
        return True


def failing(x: Any) -> Any:
    raise ValueError("inner")


def reads_twice(p: Programs) -> Any:
    class Twice(p.torch.autograd.Function):  # type: ignore[name-defined, misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x.exp()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            assert ctx.saved_tensors
            return g * ctx.saved_tensors[0]

    return Twice.apply


def overlapping(p: Programs) -> None:
    y = p.kept(p.steps, p.leaf()).sum()
    with p.module.GraphExecGroup():
        y.backward(retain_graph=True)
        y.backward()


def group_in_group(p: Programs) -> None:
    with p.module.GraphExecGroup(), p.module.GraphExecGroup():
        pass


def two(k: int) -> Any:
    return lambda x: x[:k].sin().exp()


REFUSED: dict[str, tuple[Callable[[Programs], Any], type[Exception], str]] = {
    "grad of the reentrant one": (lambda p: p.torch.autograd.grad(p.kept(p.steps, x := p.leaf(), use_reentrant=True).sum(), x), RuntimeError, INCOMPATIBLE),
    "its inputs=": (lambda p: p.kept(p.steps, x := p.leaf(), use_reentrant=True).sum().backward(inputs=[x]), RuntimeError, INCOMPATIBLE),
    "keywords of it": (lambda p: p.kept(p.steps, p.leaf(), use_reentrant=True, k=1, l=2), ValueError, "Unexpected keyword arguments: k,l"),
    "contexts of it": (lambda p: p.kept(p.steps, p.leaf(), use_reentrant=True, context_fn=lambda: None), ValueError, "Passing `context_fn` or `debug` is only supported when use_reentrant=False."),
    "debug of it": (lambda p: p.kept(p.steps, p.leaf(), use_reentrant=True, debug=True), ValueError, "Passing `context_fn` or `debug` is only supported"),
    "nothing to go back from": (lambda p: p.kept(lambda x: x.detach().sin(), p.leaf(), use_reentrant=True).sum().backward(), RuntimeError, "none of output has requires_grad=True, this checkpoint() is not necessary"),
    "fewer": (lambda p: p.kept(p.changing(lambda x: x.sin().exp(), lambda x: x.sin()), p.leaf()).sum().backward(), RuntimeError, OTHER),
    "more": (lambda p: p.kept(p.changing(lambda x: x.sin().exp(), lambda x: x.sin().exp().cos()), p.leaf(), early_stop=False).sum().backward(), RuntimeError, MORE),
    "shapes": (lambda p: p.kept(p.changing(two(2), two(1)), p.leaf()).sum().backward(), RuntimeError, SHAPES),
    "an unknown check": (lambda p: p.kept(p.steps, p.leaf(), determinism_check="never"), ValueError, "determinism_check should be one of ['default', 'none'], but got never"),
    "freed": (lambda p: [y := p.kept(p.steps, p.leaf()).sum(), y.backward(), y.backward()], RuntimeError, "Trying to backward through the graph a second time"),
    "saved tensors read twice": (lambda p: p.kept(reads_twice(p), p.leaf() * 2).sum().backward(), RuntimeError, AGAIN),
    "a group that overlaps": (overlapping, RuntimeError, OVERLAP),
    "a group in a group": (group_in_group, RuntimeError, "GraphExecGroup contexts cannot be nested."),
    "debug with contexts": (lambda p: p.kept(p.steps, p.leaf(), debug=True, context_fn=lambda: None), ValueError, "debug=True is incompatible with non-default context_fn"),
    "an error that is suppressed": (lambda p: p.kept(failing, p.leaf(), context_fn=lambda: (Suppressing(), Suppressing())), RuntimeError, "torch.utils.checkpoint: the forward context provided by context_fn suppressed an exception"),
    "an error": (lambda p: p.kept(failing, p.leaf()), ValueError, "inner"),
    "an error of the second run": (lambda p: p.kept(p.changing(lambda x: x.sin(), failing), p.leaf()).sum().backward(), ValueError, "inner"),
    "an unknown option of several": (lambda p: p.module.checkpoint_sequential([p.steps], 1, p.leaf(), use_reentrant=False, foo=1), ValueError, "Unexpected keyword arguments: foo"),
    "more segments than functions": (lambda p: p.module.checkpoint_sequential([p.steps], 3, p.leaf(), use_reentrant=False), ValueError, "range() arg 3 must not be zero"),
    "a list to detach": (lambda p: p.module.detach_variable([p.leaf()]), RuntimeError, "Only tuple of tensors is supported. Got Unsupported input type: list"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_refusals(programs: Programs, what: str) -> None:
    call, kind, text = REFUSED[what]
    with raises(kind, text):
        call(programs)


# -- how often, and how far ------------------------------------------------------------------


def went_back(p: Programs, y: Any, times: int = 1) -> list[Any]:
    for k in range(times):
        y.sum().backward(retain_graph=k < times - 1)
    return p.runs


def off(p: Programs) -> Any:
    with p.module.set_checkpoint_early_stop(False):
        return p.kept(p.steps, p.leaf())


def on(p: Programs) -> Any:
    with p.module.set_checkpoint_early_stop(True):
        return p.kept(p.steps, p.leaf(), early_stop=False)


def parts(p: Programs, group: Any) -> list[Any]:
    def run(x: Any) -> Any:
        p.runs.append(1)
        return x.sin().exp(), x.cos().exp()

    a, b = p.kept(run, p.leaf())
    with group:
        a.sum().backward()
        b.sum().backward()
    return p.runs


def contexts(p: Programs) -> list[Any]:
    @contextlib.contextmanager
    def noting(name: str) -> Iterator[None]:
        p.runs.append(name)
        try:
            yield
        finally:
            p.runs.append(f"out of {name}")

    y = p.kept(
        lambda x: x.sin().exp() * 2, p.leaf(), context_fn=lambda: (noting("one"), noting("two"))
    )
    return went_back(p, y)


def looked_at(p: Programs) -> list[Any]:
    y = p.kept(lambda x: p.runs.append(1) or x.sin().exp(), p.leaf())
    assert y.grad_fn._saved_result is not y.grad_fn._saved_result
    return p.runs


def nested(p: Programs, depth: int) -> Any:
    def run(x: Any, k: int) -> Any:
        p.runs.append(k)
        return x.sin().exp() if k == depth - 1 else p.kept(run, x.cos(), k + 1).tan()

    return p.kept(run, p.leaf(), 0)


def counted(p: Programs, y: Any) -> list[int]:
    runs = went_back(p, y)
    return [runs.count(k) for k in sorted({*runs})]


def nested_to_the_end(p: Programs) -> list[int]:
    with p.module.set_checkpoint_early_stop(False):
        y = nested(p, 3)
    return counted(p, y)


def seen_inside(p: Programs, keeps: bool, **options: Any) -> list[Any]:
    """A function that goes back a part of its own way."""

    def run(x: Any) -> Any:
        p.runs.append(1)
        z = x.sin().cos()
        (g,) = p.torch.autograd.grad(z.sum(), x, retain_graph=keeps)
        return (x.cos() * g).sum() + (z.sum() if keeps else 0)

    return went_back(p, p.kept(run, p.leaf(), **options))


FOUND: dict[str, tuple[Callable[[Programs], Any], Any]] = {
    "it stops": (lambda p: went_back(p, p.kept(p.steps, p.leaf())), [1, 2, 1]),
    "it does not stop": (lambda p: went_back(p, p.kept(p.steps, p.leaf(), early_stop=False)), [1, 2, 1, 2]),
    "it does not stop here": (lambda p: went_back(p, off(p)), [1, 2, 1, 2]),
    "it stops here": (lambda p: went_back(p, on(p)), [1, 2, 1]),
    "each pass runs it": (lambda p: went_back(p, p.kept(p.steps, p.leaf()), 2), [1, 2, 1, 1]),
    "what is saved beyond is not met": (lambda p: went_back(p, p.kept(p.changing(lambda x: x.sin().exp(), lambda x: x.sin().exp().cos()), p.leaf())), [1, 1]),
    "two passes": (lambda p: parts(p, contextlib.nullcontext()), [1, 1, 1]),
    "a group of them": (lambda p: parts(p, p.module.GraphExecGroup()), [1, 1]),
    "contexts": (contexts, ["one", "out of one", "two", "out of two"]),
    "values that are looked at": (looked_at, [1, 1, 1]),
    "three in each other": (lambda p: counted(p, nested(p, 3)), [2, 3, 4]),
    "three, to the end": (nested_to_the_end, [2, 3, 4]),
    "within, kept": (lambda p: seen_inside(p, True), [1] * 3),
    "within, freed": (lambda p: seen_inside(p, False), [1] * 3),
    "within, to the end": (lambda p: seen_inside(p, True, early_stop=False), [1] * 3),
    "the input is itself": (lambda p: went_back(p, p.kept(lambda v: p.runs.append(v is x) or v.sin(), x := p.leaf() * 2)), [True, True]),
    "reentrant": (lambda p: went_back(p, p.kept(p.steps, p.leaf(), use_reentrant=True)), [1, 2, 1, 2]),
    "reentrant, its modes": (lambda p: went_back(p, p.kept(lambda v: p.runs.append((p.torch.is_grad_enabled(), v.is_leaf)) or v.sin(), p.leaf() * 2, use_reentrant=True)), [(False, False), (True, True)]),
    "reentrant, its node": (lambda p: type(p.kept(p.steps, p.leaf(), use_reentrant=True).grad_fn).__name__, "CheckpointFunctionBackward"),
    "parameters of a closure": (lambda p: p.kept(lambda x: x * p.leaf(), p.leaf().detach()).requires_grad, True),
    "a detached copy": (lambda p: [(y.requires_grad, y.is_leaf, k) for y, k in [p.module.detach_variable((p.leaf() * 2, 3))]], [(True, True, 3)]),
}  # fmt: skip


@pytest.mark.parametrize("what", FOUND)
def test_findings(programs: Programs, what: str) -> None:
    call, expected = FOUND[what]
    assert call(programs) == expected


# -- gradients ---------------------------------------------------------------------------------


def written_to(x: Any) -> Any:
    y = x * 2
    return y.sin_().exp()


def in_modes(torch: Any) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        with torch.no_grad():
            k = x.exp()
        return (x * k).sin()

    return run


@pytest.mark.parametrize("reentrant", [True, False])
@pytest.mark.filterwarnings("ignore:None of the inputs")
@pytest.mark.parametrize(
    "what", ["plain", "written to", "modes", "nested", "other kind", "several"]
)
def test_gradients(programs: Programs, what: str, reentrant: bool) -> None:
    def at(kept: Callable[..., Any]) -> Any:
        torch = programs.torch
        steps: dict[str, Callable[[Any], Any]] = {
            "plain": lambda x: kept(lambda y: y.sin().exp(), x),
            "written to": lambda x: kept(written_to, x),
            "modes": lambda x: kept(in_modes(torch), x),
            "nested": lambda x: kept(lambda y: kept(torch.sin, y.exp()) * kept(torch.cos, y), x),
            "other kind": lambda x: kept(lambda y: other(torch.sin, y.exp()) * y.exp(), x),
            "several": lambda x: kept(lambda y, k, z: (y.sin() * k * z[0], y.detach())[0], x, 2.0, [3.0]),
        }  # fmt: skip

        def other(f: Any, *args: Any) -> Any:
            if kept is plain:
                return f(*args)
            return programs.kept(f, *args, use_reentrant=not reentrant)

        x = programs.leaf()
        steps[what](x).sum().backward()
        return x.grad.tolist()

    def plain(f: Any, *args: Any) -> Any:
        return f(*args)

    def kept(f: Any, *args: Any) -> Any:
        return programs.kept(f, *args, use_reentrant=reentrant)

    np.testing.assert_allclose(at(kept), at(plain), rtol=1e-12)


@pytest.mark.parametrize("reentrant", [True, False])
@pytest.mark.parametrize("segments", [1, 2, 3, 5])
def test_several_in_a_row(programs: Programs, segments: int, reentrant: bool) -> None:
    steps = [programs.once(programs.torch.sin) for _ in range(5)]
    x, right = programs.leaf(), programs.leaf()
    y = programs.module.checkpoint_sequential(steps, segments, x, use_reentrant=reentrant)
    y.sum().backward()
    again = len(programs.runs) - 5
    for step in steps:
        right = step(right)
    assert again == 5 // segments * (segments - 1)
    assert y.tolist() == right.tolist()


def test_the_second_derivative_of_nested_ones(programs: Programs) -> None:
    torch, found = programs.torch, []
    for depth in (0, 3):
        x = programs.leaf()

        def run(x: Any, k: int) -> Any:
            if k == 0:
                return x.sin().exp()
            return programs.kept(run, x.cos(), k - 1).tan()

        y = run(x, depth) if depth else x.cos().cos().cos().sin().exp().tan().tan().tan()
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        found.append(torch.autograd.grad(g.sum(), x)[0].tolist())
    np.testing.assert_allclose(*found, rtol=1e-12)


def test_nothing_is_kept(programs: Programs) -> None:
    alive: list[Any] = []

    def run(x: Any) -> Any:
        y = x.sin()
        alive.append(weakref.ref(y))
        return y.exp().cos()

    y = programs.kept(run, programs.leaf())
    gc.collect()
    assert [one() for one in alive] == [None]
    y.sum().backward(retain_graph=True)
    gc.collect()
    assert [one() for one in alive] == [None, None]


@pytest.mark.skipif(ORACLE == "torch", reason="torch keeps them as long as the graph")
def test_what_a_pass_did_not_ask_for_ends_with_it(torch: Any) -> None:
    programs, alive = Programs(torch), []

    def run(x: Any) -> Any:
        steps = [x.sin(), x.cos()]
        alive.append([weakref.ref(step._array) for step in steps])
        return [step.exp().tan() for step in steps]

    one, two = programs.kept(run, programs.leaf())
    one.sum().backward()
    assert len(alive) == 2
    assert [ref() for ref in alive[1]] == [None, None]
    two.sum().backward()
    assert len(alive) == 3


def test_hooks_around_a_checkpoint_keep_its_arguments(programs: Programs) -> None:
    hooks = programs.torch.autograd.graph.saved_tensors_hooks
    for make in (lambda x: x, lambda x: x * 2):
        x, seen = programs.leaf(), []

        def note(what: str, log: list[str] = seen) -> Callable[[Any], Any]:
            return lambda t: log.append(what) or t

        with hooks(note("pack"), note("unpack")):
            y = programs.kept(lambda v: v.sin().exp(), make(x))
        y.sum().backward()
        right = programs.leaf()
        make(right).sin().exp().sum().backward()
        assert x.grad.tolist() == right.grad.tolist()
        assert seen[-2:] == ["pack", "unpack"]


def test_the_operations_of_both_runs_are_told(programs: Programs) -> None:
    for scope in (contextlib.nullcontext(), programs.module.set_checkpoint_debug_enabled(True)):
        programs.runs.clear()
        run = programs.changing(lambda x: x.sin().exp(), lambda x: x.sin())
        with scope:
            debug = isinstance(scope, contextlib.nullcontext)
            y = programs.kept(run, programs.leaf(), debug=debug)
        with pytest.raises(programs.module.CheckpointError) as caught:
            y.sum().backward()
        told = str(caught.value)
        assert "Detected non-determinism while running activation checkpointing" in told
        assert "exp" in told.partition("original forward:")[2].partition("recomputation:")[0]
        assert f"{__file__}:" in told


@pytest.mark.skipif(ORACLE == "torch", reason="torch gives a gradient without its history")
def test_a_reentrant_one_is_differentiated_once(torch: Any) -> None:
    programs = Programs(torch)
    x = programs.leaf()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        programs.kept(programs.steps, x, use_reentrant=True).sum().backward(create_graph=True)
    assert x.grad.requires_grad
    with raises(RuntimeError, "trying to differentiate twice a checkpoint with use_reentrant=True"):
        x.grad.sum().backward()


@pytest.mark.skipif(ORACLE == "torch", reason="torch compares no values")
def test_a_reentrant_one_must_have_the_results_it_had(torch: Any) -> None:
    programs, factor = Programs(torch), [2.0]
    for options in ({}, {"determinism_check": "none"}):
        y = programs.kept(
            lambda x: x.sin() * factor[0], programs.leaf(), use_reentrant=True, **options
        )
        factor[0] += 1.0
        if options:
            y.sum().backward()
        else:
            with raises(RuntimeError, "torch.utils.checkpoint: Recomputed values are others"):
                y.sum().backward()
