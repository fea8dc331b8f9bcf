"""``backward`` and ``grad``: what is asked, checked, and handed to the engine."""

from __future__ import annotations

import math
import warnings
from typing import Any, NamedTuple

import numpy as np

from ...arrays.transfers import is_ndarray, library_of
from ...batching.batched_array import memory_of
from ..batches.borders import all_examples, one_example
from ..batches.frames import entered_frame, new_frame
from ..tensor.devices import place
from ..tensor.dtypes import of
from ..tensor.tensor import Tensor, wrapped
from ..warned import warn_once
from . import engine, hooks
from .leaf_accumulation import check_examples
from .node import Edge, GradFn, Nowhere, edge_of

__all__ = ["GradientEdge", "backward", "get_gradient_edge", "grad"]

CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter and its "
    "gradient which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid "
    "this. If you have to use this function, make sure to reset the .grad fields of your parameters to None "
    "after use to break the cycle and avoid the leak."
)


class GradientEdge(NamedTuple):
    """One result of one node: where a gradient can be asked for, or sent in."""

    node: Any
    output_nr: int
    ownership_token: Any = None


def get_gradient_edge(tensor: Any) -> GradientEdge:
    """The edge a tensor's gradient goes to."""
    if not tensor.requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require gradients"
        )
    node, output = edge_of(tensor) or (None, 0)
    return GradientEdge(node, output)


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add the gradients of ``tensors`` to the ``.grad`` of the leaves they were made of."""
    if grad_variables is not None:
        warnings.warn(
            "`grad_variables` is deprecated. Use `grad_tensors` instead.",
            FutureWarning,
            stacklevel=2,
        )
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please "
                "only use `grad_tensors`."
            )
        grad_tensors = grad_variables
    if inputs is not None and is_sequence(inputs) and not len(inputs):
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    outputs = listed(tensors)
    given = seeds(outputs, grad_tensors, create_graph)
    if create_graph:
        warn_once(CYCLE)
    keep = create_graph if retain_graph is None else retain_graph
    roots = [(root_of(k, o), g) for k, (o, g) in enumerate(zip(outputs, given, strict=True))]
    wanted = None if inputs is None else wanted_leaves(listed(inputs))
    engine.run(roots, keep, create_graph, wanted)


def wanted_leaves(inputs: list[Any]) -> dict[Edge, int]:
    """The edges of what is to get its ``.grad``; results other than leaves retain it."""
    found: dict[Edge, int] = {}
    for k, x in enumerate(inputs):
        if isinstance(x, GradientEdge):
            found[x.node, x.output_nr] = k
            continue
        if x.grad_fn is not None or not x.requires_grad:
            x.retain_grad()
        edge = edge_of(x)
        assert edge is not None
        found[edge] = k
    return found


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """The gradients of ``outputs`` with respect to ``inputs``; no ``.grad`` is touched.

    A dict of inputs gives a dict of gradients.
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
            "allow_unused=False."
        )
    if not only_inputs:
        warnings.warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for "
            "other parts of the graph, please use retrograd.autograd.backward.",
            FutureWarning, stacklevel=2,
        )  # fmt: skip
    keys = list(inputs) if isinstance(inputs, dict) else None
    asked = list(inputs.values()) if isinstance(inputs, dict) else listed(inputs)
    if not asked:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    made = listed(outputs)
    keep = create_graph if retain_graph is None else retain_graph
    unused = materialize_grads if allow_unused is None else allow_unused
    if is_grads_batched:
        found = batched(made, asked, grad_outputs, keep, create_graph, unused)
    else:
        found = gradients(
            made, asked, seeds(made, grad_outputs, create_graph), keep, create_graph, unused
        )
    if materialize_grads:
        if any(
            g is None and isinstance(x, GradientEdge) for g, x in zip(found, asked, strict=True)
        ):
            raise RuntimeError(
                "materialize_grads cannot be used when the given input is a GradientEdge"
            )
        found = [
            zeros_of(x, create_graph) if g is None else g for g, x in zip(found, asked, strict=True)
        ]
    return tuple(found) if keys is None else dict(zip(keys, found, strict=True))


def gradients(
    outputs: list[Any], asked: list[Any], given: list[Any], keep: bool, create: bool, unused: bool
) -> list[Any]:
    roots = [(root_of(k, o), g) for k, (o, g) in enumerate(zip(outputs, given, strict=True))]
    edges = [wanted_edge(x) for x in asked]
    wanted: dict[Edge, int] = {}
    for k, edge in enumerate(edges):
        wanted.setdefault(edge, k)
    found = engine.run(roots, keep, create, wanted, stores=False)
    results = [hooks.tensor(dense(found.get(wanted[edge]))) for edge in edges]
    for k, result in enumerate(results):
        if isinstance(asked[k], Tensor) and result is not None:
            check_examples(result, asked[k]._array)
        if result is None and not unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {k} appears to not have been used in the graph. Set "
                "allow_unused=True if this is the desired behavior."
            )
    return results


def dense(bar: Any) -> Any:
    """A gradient that may be written to: each of its entries has a place of its own."""
    return bar.copy() if is_ndarray(bar) and 0 in bar.strides else bar


def batched(
    outputs: list[Any], asked: list[Any], grad_outputs: Any, keep: bool, create: bool, unused: bool
) -> list[Any]:
    """One sweep for all entries of the first axis of the cotangents."""
    given = listed(grad_outputs)
    for k, (o, g) in enumerate(zip(outputs, given, strict=False)):
        if g is not None and g.shape[1:] != o.shape:
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch "
                "dimension. The sizes of the remaining dimensions are expected to match the shape of corresponding "
                f"output, but a mismatch was detected: grad_output[{k}] has a shape of {g.shape} and output[{k}] has "
                f"a shape of {o.shape}. If you only want some tensors in `grad_output` to be considered batched, "
                "consider using vmap."
            )
    frame = new_frame(next(len(g) for g in given if g is not None))
    each = [None if g is None else one_example(g, 0, frame) for g in given]
    with entered_frame(frame):
        found = gradients(outputs, asked, seeds(outputs, each, create), keep, create, unused)
        return [None if g is None else all_examples(g, 0, frame) for g in found]


def zeros_of(x: Any, requires: bool) -> Any:
    return wrapped(np.zeros_like(x._array)).requires_grad_(requires)


def wanted_edge(x: Any) -> Edge:
    if isinstance(x, GradientEdge):
        return x.node, x.output_nr
    edge = edge_of(x)
    if edge is None:
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    return edge


def is_sequence(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and not isinstance(value, GradientEdge)


def listed(value: Any) -> list[Any]:
    if isinstance(value, (Tensor, GradientEdge)):
        return [value]
    return list(value)


def root_of(k: int, output: Any) -> Edge:
    """The edge a gradient is sent into."""
    if isinstance(output, GradientEdge):
        return output.node, output.output_nr
    edge = edge_of(output)
    if edge is None or type(edge[0]) is Nowhere:
        raise RuntimeError(
            f"element {k} of tensors does not require grad and does not have a grad_fn"
        )
    return edge


# -- the gradients that are sent in -----------------------------------------------------------


def seeds(outputs: list[Any], given: Any, create: bool) -> list[Any]:
    """A gradient for each output, as it travels: ones for scalars where none is given."""
    if given is None or isinstance(given, Tensor):
        grads = [given] * (len(outputs) if given is None else 1)
    else:
        grads = list(given)
    if len(grads) != len(outputs):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(grads)} gradients")
    return [seed(k, o, g, create) for k, (o, g) in enumerate(zip(outputs, grads, strict=True))]


def seed(k: int, output: Any, given: Any, create: bool) -> Any:
    shape, kind = shape_of(output)
    if given is None:
        return None if not requires(output) else ones(output, shape, kind, create)
    if not isinstance(given, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(given).__name__}")
    if given._array.shape != shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{k}] has a shape of {given.shape} and output[{k}] has a shape of "
            f"{type(given.shape)(shape)}."
        )
    if (given._array.dtype.kind == "c") is not (kind.kind == "c"):
        raise RuntimeError(
            "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in "
            f"dtype: grad_output[{k}] has a dtype of {given.dtype} and output[{k}] has a dtype of {of(kind)}."
        )
    check_place(k, output, given)
    if create:
        return given
    array = given._array
    return array if array.dtype == kind else array.astype(kind)


def check_place(k: int, output: Any, given: Any) -> None:
    """Refuse a gradient that is not where its tensor is."""
    if isinstance(output, Tensor) and type(output._array) is not type(given._array):
        places = place(output._array), place(given._array)
        if places[0] != places[1]:
            raise RuntimeError(
                f"invalid gradient at index {k} - expected device {places[0]} but got {places[1]}"
            )


def ones(output: Any, shape: tuple[int, ...], kind: Any, create: bool) -> Any:
    if math.prod(shape) != 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    if kind.kind == "c":
        raise RuntimeError(
            f"grad can be implicitly created only for real scalar outputs but got {of(kind)}"
        )
    made = library_of([memory_of(getattr(output, "_array", None))]).ones(shape, kind)
    return wrapped(made) if create else made


def requires(output: Any) -> bool:
    return isinstance(output, GradientEdge) or output.requires_grad


def shape_of(output: Any) -> tuple[tuple[int, ...], Any]:
    if isinstance(output, GradientEdge):
        node: GradFn = output.node
        return node.outputs[output.output_nr]
    return output._array.shape, output._array.dtype
