"""One transformation of a program: the functions that compute values, gradients or tangents of another."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.errors import NotDifferentiable
from retrograd.runtime.records import dataclass

from ..analyses.complex_roots import may_turn_complex
from ..analyses.module_objects import puts
from ..analyses.sparse_matrices import mark_sparse
from ..driver.times import timed
from ..ir.argument_path import Place
from ..ir.containers import Pack
from ..ir.operations import Apply, Block, Function, Value, reachable, walk
from ..ir.verify import checked
from ..passes import stages
from ..passes.in_place.order_stores import stores_last
from ..passes.manager import run
from ..simplify.builder import mentions_complex
from .batching.batch import in_directions, quicker_alone
from .batching.examples import in_examples
from .batching.gathered_arguments import gathered
from .batching.operation_rules import NotBatched
from .batching.whole_jacobians import along_every_direction, along_one, is_slope, one_by_one
from .callee_derivatives import Derivatives, finished
from .forward import push_forward
from .outputs import gradient_results, seed_params, tangent_results, value_tree
from .part_of_argument import Focus, focused
from .residuals.residuals import keep
from .reverse import reverse
from .scalar_check import check_result, first_only, results_of

__all__ = ["Request", "derived", "gradient", "pullback", "pushforward"]


@dataclass(frozen=True)
class Request:
    """The derivative to make; ``wrt`` are places.

    ``kind`` is grad, value_and_grad, vjp, jvp, tangent, cotangent, jacobian, pushes, pulls or gathered.  ``aux``: the
    function returns a pair, whose second part is handed on.  The kind ``first`` is its first part; ``vmap`` is the
    function of a ``batch``.
    """

    kind: str
    wrt: tuple[int | Place, ...]
    single: bool = True
    aux: bool = False
    batch: Any = None

    @property
    def places(self) -> list[Place]:
        return [k if isinstance(k, Place) else Place(k) for k in self.wrt]


def gradient(function: Function, request: Request, derive: Derivatives) -> Function:
    """The function that returns the gradient (and perhaps the value) of a scalar function."""
    results = results_of(function, request.aux)
    function = results.function
    check_result(results.alone)
    focus = focused(function, request.places)
    wrt = focus.wrt
    made = reverse(focus.function, wrt, derive, results.seeded, unit=True)
    keep(made.backward, made.mirrors, made.bars, made.forward.body, made.frugal)
    body = made.forward.body
    with_value = request.kind == "value_and_grad"
    values, aux = results.apart(list(body.yields))
    held = (
        of_forward(body) if request.aux else []
    )  # no gradient may be what is handed on, or a view of it
    body.ops = body.ops + made.backward.ops
    bars = gradient_results(body, made, wrt, focus.function.body.params, held=held)
    focus.restore(body)
    if not with_value:
        tree = value_tree(None, len(bars), request.single)
        body.yields = [*bars, *aux]
        tree = Pack(tuple, [0, 1], [tree, results.aux]) if request.aux else tree
    else:
        body.yields = [*values, *aux, *bars]
        tree = value_tree(function.tree, len(bars), request.single)
    return complete(function, made.forward, tree, f"{function.name.rstrip('_')}_{request.kind}")


def of_forward(body: Block) -> list[Value]:
    """Everything that a forward sweep has computed, and was given."""
    return [*body.params, *(v for op in walk(body) for v in op.results)]


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
    if request.kind == "vmap":
        return [of_batch(function, request)]
    if request.kind == "first":
        return [run(stages.DERIVED, checked(first_only(function), "the first result"))]
    if request.kind == "jvp":
        return [pushforward(function, request, derive)]
    if request.kind == "pull":
        return [pullback(function, request, derive)]
    if request.kind == "tangent":
        return [tangents_only(function, pushforward(function, request, derive))]
    if request.kind == "cotangent":
        return [gradients_only(function, pullback(function, request, derive))]
    if request.kind == "jacobian":
        return [jacobian(function, request, derive)]
    if request.kind in ("pushes", "pulls", "gathered"):
        return [in_sweeps(function, request, derive)]
    return halves(function, request, derive)


def of_batch(function: Function, request: Request) -> Function:
    """The function that computes a batch of examples at once."""
    made, slow = in_examples(function, request.batch)
    made.facts.one_by_one = list(dict.fromkeys(slow))
    return run(stages.DERIVED, checked(made, "a batch"))


def tangents_only(function: Function, made: Function) -> Function:
    """A derived function without the values of ``function``, and without what only they need."""
    made.body.yields = made.body.yields[len(function.body.yields) :]
    made.tree = made.tree.items[1]
    made.name = f"{function.name}_tangent"
    return run(stages.DERIVED, made)


def gradients_only(function: Function, made: Function) -> Function:
    """A pullback without the value."""
    made = tangents_only(function, made)
    made.name = f"{function.name}_vjp"
    return made


def jacobian(function: Function, request: Request, derive: Derivatives) -> Function:
    """The function that returns the derivative of every result by every entry of some arguments."""
    count, places = len(function.body.params), request.places
    if request.single and is_slope(function, places):
        made = tangents_only(function, pushforward(function, request, derive))
        along_one(made, count)
    else:
        made = every_direction(function, request, derive)
        along_every_direction(made, count, places, request.single)
    made.name = f"{function.name}_jacobian"
    made.names, made.defaults = made.names[:count], dict(function.defaults)
    made.facts.stars = dict(function.facts.stars)
    return run(stages.DERIVED, checked(made, "the Jacobian"))


def every_direction(function: Function, request: Request, derive: Derivatives) -> Function:
    """The tangents of many directions: in one sweep if there is one, else one after the other."""
    try:
        return in_sweeps(function, request, derive)
    except NotBatched as error:
        if derive.one_run:
            raise NotDifferentiable(
                f"`{function.name}` changes what is not its own, and its Jacobian would run it "
                f"more than once: {error}",
                fix="ask for a product with the Jacobian: vjp or jvp",
            ) from None
    tangent = tangents_only(function, pushforward(function, request, derive))
    return one_by_one(function, tangent, f"{function.name}_jacobian")


def in_sweeps(function: Function, request: Request, derive: Derivatives) -> Function:
    """The tangents (``pushes``) or the gradients (``pulls``, ``gathered``) of k directions at once."""
    forward = request.kind not in ("pulls", "gathered")
    made = (pushforward if forward else pullback)(function, request, derive)
    made = tangents_only(function, made)
    few = quicker_alone(made.body, again=forward)
    made = in_directions(made, made.body.params[len(function.body.params) :])
    made.name = f"{function.name}_{request.kind}"
    made.facts.few, made.facts.value_tree = few, function.tree
    return run(stages.DERIVED, checked(made, "directions"))


def halves(function: Function, request: Request, derive: Derivatives) -> list[Function]:
    """The forward and the backward half of a pullback, to be called apart."""
    results = results_of(function, request.aux)
    function = results.function
    focus = focused(function, request.places)
    active = tuple(p in focus.wrt for p in focus.function.body.params)
    pair = derive.pair(focus.function, active, tuple(results.seeded), own=True)
    focus.restore(pair.forward.body)
    for half in (pair.forward, pair.backward):
        finished(stores_last(half).body)
        run(stages.DERIVED, half)
    pair.forward.names = tuple(str(p.hint) for p in pair.forward.body.params)
    pair.forward.facts.value_tree = function.tree
    return [pair.forward, pair.backward]


def pullback(function: Function, request: Request, derive: Derivatives) -> Function:
    """The function that takes cotangents of the results and returns value and gradients."""
    focus = focus_of(function, request)
    wrt = focus.wrt
    made = reverse(focus.function, wrt, derive)
    keep(made.backward, made.mirrors, made.bars, made.forward.body, made.frugal)
    body = made.forward.body
    values = list(body.yields)
    body.ops = body.ops + made.backward.ops
    bars = gradient_results(body, made, wrt, focus.function.body.params)
    focus.restore(body)
    seeds = seed_params(made)
    for seed in seeds:
        seed.hint = f"{function.name.strip('_')}_bar"
    body.params = body.params + seeds
    body.yields = [*values, *bars]
    one = request.single and request.kind not in ("pulls", "gathered")
    tree = value_tree(function.tree, len(bars), one)
    return complete(function, made.forward, tree, f"{function.name}_vjp")


def focus_of(function: Function, request: Request) -> Focus:
    """What a pullback is of: arguments, parts of them, or the entries that others pick."""
    if request.kind == "gathered":
        return gathered(function, [place.at for place in request.places])
    return focused(function, request.places)


def pushforward(function: Function, request: Request, derive: Derivatives) -> Function:
    """The function that takes tangents after its arguments and returns value and tangent."""
    results = results_of(function, request.aux)
    function = results.function
    focus = focused(function, request.places)
    made = push_forward(focus.function, focus.wrt, derive, count=results.count)
    body = made.function.body
    tangents = tangent_results(body, made)
    focus.restore(body)
    body.params = body.params + made.dots
    values, aux = results.apart(list(body.yields))
    body.yields = [*values, *tangents, *aux]
    tree = value_tree(results.value, None, True)
    if request.aux:
        tree = Pack(tuple, [0, 1, 2], [*tree.items, results.aux])
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
