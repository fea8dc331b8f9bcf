"""One transformation of a program: the functions that compute values, gradients or tangents of another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..analyses.complex_roots import may_turn_complex
from ..analyses.module_objects import puts
from ..analyses.sparse_matrices import mark_sparse
from ..driver.times import timed
from ..ir.argument_path import Place
from ..ir.operations import Apply, Function, reachable, walk
from ..ir.verify import checked
from ..passes import stages
from ..passes.in_place.order_stores import stores_last
from ..passes.manager import run
from ..simplify.builder import mentions_complex
from .batching.batch import in_directions, quicker_alone
from .callee_derivatives import Derivatives, finished
from .forward import push_forward
from .outputs import gradient_results, seed_params, tangent_results, value_tree
from .part_of_argument import focused
from .residuals.residuals import keep
from .reverse import reverse
from .scalar_check import check_result

__all__ = ["Request", "derived", "gradient", "pullback", "pushforward"]


@dataclass(frozen=True)
class Request:
    """The derivative to make: ``kind`` is grad, value_and_grad, vjp, jvp, tangent, pushes or pulls; ``wrt`` are places."""

    kind: str
    wrt: tuple[int | Place, ...]
    single: bool = True

    @property
    def places(self) -> list[Place]:
        return [k if isinstance(k, Place) else Place(k) for k in self.wrt]


def gradient(function: Function, request: Request, derive: Derivatives) -> Function:
    """The function that returns the gradient (and perhaps the value) of a scalar function."""
    check_result(function)
    focus = focused(function, request.places)
    wrt = focus.wrt
    made = reverse(focus.function, wrt, derive, unit=True)
    keep(made.backward, made.mirrors, made.bars, made.forward.body, made.frugal)
    body = made.forward.body
    values = list(body.yields) if request.kind == "value_and_grad" else []
    body.ops = body.ops + made.backward.ops
    bars = gradient_results(body, made, wrt, focus.function.body.params)
    focus.restore(body)
    body.yields = [*values, *bars]
    tree = value_tree(function.tree if values else None, len(bars), request.single)
    return complete(function, made.forward, tree, f"{function.name.rstrip('_')}_{request.kind}")


@timed("differentiation")
def derived(function: Function, request: Request, derive: Derivatives) -> list[Function]:
    """One transformation: the functions it makes (two for a split pullback)."""
    whole = list(reachable(function))
    mark_sparse(whole)
    program = [op for f in whole for op in walk(f.body) if isinstance(op, Apply)]
    derive.program = program if any(map(puts, program)) else []
    derive.may_be_complex |= any(mentions_complex(f.body) for f in whole)
    scalar = request.kind in ("grad", "value_and_grad")  # nothing complex has a gradient
    derive.may_be_complex |= may_turn_complex(whole, () if scalar else function.body.yields)
    if scalar:
        return [gradient(function, request, derive)]
    if request.kind == "jvp":
        return [pushforward(function, request, derive)]
    if request.kind == "pull":
        return [pullback(function, request, derive)]
    if request.kind == "tangent":
        return [tangents_only(function, pushforward(function, request, derive))]
    if request.kind in ("pushes", "pulls"):
        return [in_sweeps(function, request, derive)]
    return halves(function, request, derive)


def tangents_only(function: Function, made: Function) -> Function:
    """A derived function without the values of ``function``, and without what only they need."""
    made.body.yields = made.body.yields[len(function.body.yields) :]
    made.tree = made.tree.items[1]
    made.name = f"{function.name}_tangent"
    return run(stages.DERIVED, made)


def in_sweeps(function: Function, request: Request, derive: Derivatives) -> Function:
    """The tangents (``pushes``) or the gradients (``pulls``) of k directions at once."""
    made = (pushforward if request.kind == "pushes" else pullback)(function, request, derive)
    made = tangents_only(function, made)
    few = quicker_alone(made.body, again=request.kind == "pushes")
    made = in_directions(made, made.body.params[len(function.body.params) :])
    made.name = f"{function.name}_{request.kind}"
    made.facts.few, made.facts.value_tree = few, function.tree
    return run(stages.DERIVED, checked(made, "directions"))


def halves(function: Function, request: Request, derive: Derivatives) -> list[Function]:
    """The forward and the backward half of a pullback, to be called apart."""
    focus = focused(function, request.places)
    active = tuple(p in focus.wrt for p in focus.function.body.params)
    pair = derive.pair(focus.function, active, (True,) * len(function.body.yields), own=True)
    focus.restore(pair.forward.body)
    for half in (pair.forward, pair.backward):
        finished(stores_last(half).body)
        run(stages.DERIVED, half)
    pair.forward.names = tuple(str(p.hint) for p in pair.forward.body.params)
    pair.forward.facts.value_tree = function.tree
    return [pair.forward, pair.backward]


def pullback(function: Function, request: Request, derive: Derivatives) -> Function:
    """The function that takes cotangents of the results and returns value and gradients."""
    focus = focused(function, request.places)
    wrt = focus.wrt
    made = reverse(focus.function, wrt, derive)
    keep(made.backward, made.mirrors, made.bars, made.forward.body, made.frugal)
    body = made.forward.body
    values = list(body.yields)
    body.ops = body.ops + made.backward.ops
    bars = gradient_results(body, made, wrt, focus.function.body.params)
    focus.restore(body)
    body.params = body.params + seed_params(made)
    body.yields = [*values, *bars]
    tree = value_tree(function.tree, len(bars), False)
    return complete(function, made.forward, tree, f"{function.name}_vjp")


def pushforward(function: Function, request: Request, derive: Derivatives) -> Function:
    """The function that takes tangents after its arguments and returns value and tangent."""
    focus = focused(function, request.places)
    made = push_forward(focus.function, focus.wrt, derive)
    body = made.function.body
    tangents = tangent_results(body, made)
    focus.restore(body)
    body.params = body.params + made.dots
    body.yields = [*body.yields, *tangents]
    tree = value_tree(function.tree, None, True)
    return complete(function, made.function, tree, f"{function.name}_jvp")


def complete(source: Function, made: Function, tree: Any, name: str) -> Function:
    """Names, optimisation and packaging of a derived function."""
    same = len(made.body.params) == len(source.body.params)
    defaults = dict(source.defaults) if same else {}
    derived = Function(
        name, made.body, tree, source.source, tuple(str(p.hint) for p in made.body.params),
        defaults, dict(source.captures), source.doc, source.facts.copy(),
    )  # fmt: skip
    if not same:  # tangents and cotangents come last, so everything is given by position
        derived.facts.stars = {}
    derived.facts.versions = made.facts.versions
    derived.facts.sweeps = not name.endswith("_jvp")  # forward, then backward
    finished(stores_last(derived).body)
    return run(stages.DERIVED, checked(derived, "the transformation"))
